//! Every zone of TChecker's printed zone graphs, bound by bound.
//!
//! The graphs are an oracle for zones: closed matrices after extrapolation,
//! for equality (`reach`) and inclusion (`covreach`). The set of stored states
//! must be the same for breadth first; depth first may differ where the `+`
//! extrapolation is not monotone, and does not on these models.

use dwell_engine::{Model, Options, Question, StoredState, stored_states};
use dwell_testkit::shared;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Locations, variables, and bounds `left - right < c` by name.
type Node = (String, String, BTreeMap<(String, String), (i64, bool)>);

/// A side of a comparison: clocks added, clocks subtracted, a constant.
#[derive(Default)]
struct Side {
    plus: Option<String>,
    minus: Option<String>,
    constant: i64,
}

fn side(text: &str) -> Side {
    let mut side = Side::default();
    let mut rest = text;
    while !rest.is_empty() {
        let negative = rest.starts_with('-');
        let body = rest.trim_start_matches(['-', '+']);
        let end = body.find(['-', '+']).unwrap_or(body.len());
        match body[..end].parse::<i64>() {
            Ok(c) => side.constant += if negative { -c } else { c },
            Err(_) if negative => side.minus = Some(body[..end].to_owned()),
            Err(_) => side.plus = Some(body[..end].to_owned()),
        }
        rest = &body[end..];
    }
    side
}

/// `y-x3<=5`, `0<=y<808`, `y==x3+3`, `-52<x1-x2` … into bounds on differences.
fn parse_zone(text: &str) -> BTreeMap<(String, String), (i64, bool)> {
    let mut bounds = BTreeMap::new();
    // left - right <= c - (constants), clocks on either side.
    let mut at_most = |left: &Side, right: &Side, strict: bool| {
        let clock =
            |a: &Option<String>, b: &Option<String>| a.clone().or(b.clone()).unwrap_or_else(|| "0".into());
        let pair = (clock(&left.plus, &right.minus), clock(&left.minus, &right.plus));
        bounds.insert(pair, (right.constant - left.constant, strict));
    };
    for atom in text.trim_matches(['(', ')']).split(" && ").filter(|a| !a.is_empty()) {
        if let Some((left, right)) = atom.split_once("==") {
            at_most(&side(left), &side(right), false);
            at_most(&side(right), &side(left), false);
            continue;
        }
        let mut sides = atom.split('<');
        let mut left = sides.next().expect("a first side");
        for part in sides {
            let right = part.trim_start_matches('=');
            at_most(&side(left), &side(right), right.len() == part.len());
            left = right;
        }
    }
    bounds
}

fn attribute(line: &str, name: &str) -> String {
    let start =
        line.find(&format!("{name}=\"")).unwrap_or_else(|| panic!("{name} in {line}")) + name.len() + 2;
    line[start..].split('"').next().expect("a closing quote").to_owned()
}

fn expected(path: &Path) -> BTreeSet<Node> {
    let text = std::fs::read_to_string(path).expect("readable");
    let nodes = text.lines().filter(|l| l.contains("vloc="));
    nodes.map(|l| (attribute(l, "vloc"), attribute(l, "intval"), parse_zone(&attribute(l, "zone")))).collect()
}

fn found(model: &Model, state: &StoredState) -> Node {
    let network = model.network();
    let locations: Vec<&str> = network
        .processes
        .iter()
        .zip(&state.locations)
        .map(|(p, &l)| p.locations[l as usize].name.as_str())
        .collect();
    let vars: Vec<String> =
        network.vars.iter().zip(&state.vars).map(|(v, x)| format!("{}={x}", v.name)).collect();
    let name = |i: u16| if i == 0 { "0".to_owned() } else { network.clocks[i as usize - 1].name.clone() };
    let bounds = state.bounds.iter().map(|&(i, j, c, strict)| ((name(i), name(j)), (i64::from(c), strict)));
    (format!("<{}>", locations.join(",")), vars.join(","), bounds.collect())
}

#[test]
fn zone_graphs_agree_bound_by_bound() {
    let Some(root) = shared::models("tchecker") else { return };
    let mut compared = 0;
    for model_file in std::fs::read_dir(root.join("tests/algos-inputs")).expect("a folder") {
        let model_file = model_file.expect("an entry").path();
        let stem = model_file.file_stem().and_then(|s| s.to_str()).expect("a name").to_owned();
        let text = std::fs::read_to_string(&model_file).expect("readable");
        let Ok(model) = Model::from_tchecker(&text, &Default::default()) else {
            assert!(stem.contains("Long"), "{stem} does not load");
            continue;
        };
        for (algorithm, cover) in [("reach", "equality"), ("covreach", "inclusion")] {
            for order in ["bfs", "dfs"] {
                let file =
                    root.join(format!("tests/algos/tck-reach-{stem}_{algorithm}_{order}.out-expected"));
                if std::fs::read_to_string(&file).expect("readable").contains("REACHABLE true") {
                    continue; // stopped at a label: not the whole graph
                }
                let mut options = Options::default();
                for (name, value) in [("cover", cover), ("order", order), ("abstraction", "extra-lu+")] {
                    options.set(name, value).unwrap();
                }
                let plan = options.plan(&model, &Question::space()).unwrap();
                let states = stored_states(&model, &plan).unwrap();
                let ours: BTreeSet<Node> = states.iter().map(|s| found(&model, s)).collect();
                let theirs = expected(&file);
                for node in &ours {
                    assert!(theirs.contains(node), "{stem} {algorithm} {order}: only ours: {node:?}");
                }
                for node in &theirs {
                    assert!(ours.contains(node), "{stem} {algorithm} {order}: only theirs: {node:?}");
                }
                compared += 1;
            }
        }
    }
    println!("{compared} zone graphs compared");
    assert!(compared >= 28, "only {compared} graphs were compared");
}
