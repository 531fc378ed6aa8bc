//! Models written as XTA and read again; queries as files; graphs; JSON.

mod common;

use common::{MODEL, assert_same, collection, shape, sound};
use dwell_convert::uppaal::{to_dot, to_json, to_q, to_xta};
use dwell_syntax::uppaal::tree::{Decl, Document};
use dwell_syntax::uppaal::{parse_queries, parse_xml, parse_xta};
use std::collections::HashMap;

/// A tree as XTA can say it: locations are known by their names, nothing is
/// drawn, queries are elsewhere.
fn essence(mut document: Document) -> String {
    document.paths.clear();
    document.extra.clear();
    document.queries.clear();
    document.options.clear();
    document.syntax = Default::default();
    document.declarations.text.clear();
    document.system.declarations.text.clear();
    // In a text file only instantiations belong to the system section.
    let items = std::mem::take(&mut document.system.declarations.items);
    let (instances, others): (Vec<_>, Vec<_>) =
        items.into_iter().partition(|i| matches!(i, Decl::Instantiation(_)));
    document.system.declarations.items = instances;
    document.declarations.items.extend(others);
    for template in &mut document.templates {
        template.extra.clear();
        template.declarations.text.clear();
        let mut names = HashMap::new();
        for location in &mut template.locations {
            location.extra.clear();
            let name = match &location.name {
                Some(name) => name.name.clone(),
                None => format!("_{}", location.id.replace('-', "_")),
            };
            names.entry(location.id.clone()).or_insert(name.clone());
            location.id.clone_from(&name);
            location.name = None;
        }
        for branchpoint in &mut template.branchpoints {
            branchpoint.extra.clear();
            let name = format!("_{}", branchpoint.id.name.trim_start_matches('_'));
            names.entry(branchpoint.id.name.clone()).or_insert(name.clone());
            branchpoint.id.name = name;
        }
        for edge in &mut template.edges {
            edge.extra.clear();
            edge.source.name = names[&edge.source.name].clone();
            edge.target.name = names[&edge.target.name].clone();
        }
        let init = template.init.as_mut().unwrap();
        init.name = names[&init.name].clone();
    }
    shape(&document)
}

#[test]
fn a_model_as_text() {
    let document = sound(parse_xml(MODEL), "model", MODEL);
    let text = to_xta(&document).unwrap();
    for part in [
        "// channels & more\n",
        "process Train(const int[0,3] id, int &v) {\nclock x; // mine\nstate\n",
        "Safe { x <= 5 && (n > 0 || v == 1) ; 1 : 2 },\n    _id1,\n    Cross;\n",
        "branchpoint _id3;\ncommit _id1;\nurgent Cross;\ninit Safe;\n",
        "Safe -u-> _id3 { select i : int[0,2], j : int[0,1]; guard x < 3 && i > 1; sync stop[i]!; \
         assign x = 0, v = i, n++; },\n",
        "_id3 -> _id1 { probability 3; },\n",
        "T1 = Train(1, n);\n// the processes\nT2 = Train(2, n);\nsystem T1 < T2;\nprogress {\n    n > 0 : m[0];\n",
    ] {
        assert!(text.contains(part), "{part}\n---\n{text}");
    }
    let again = sound(parse_xta(&text), "again", &text);
    assert_eq!(again.declarations.items.len(), document.declarations.items.len());
    assert_same(&essence(document), &essence(again), "the tree");
}

#[test]
fn names_do_not_clash() {
    let text = MODEL.replace("clock x; // mine", "clock x; int _id1;").replace(">Cross<", ">_id3<");
    let document = sound(parse_xml(&text), "model", &text);
    let xta = to_xta(&document).unwrap();
    assert!(xta.contains("    _id1_,\n    _id3;\nbranchpoint _id3_;\ncommit _id1_;\n"), "{xta}");
    sound(parse_xta(&xta), "again", &xta);
}

#[test]
fn what_xta_cannot_say() {
    let fails = |from: &str, to: &str| {
        let text = MODEL.replace(from, to);
        assert_ne!(text, MODEL);
        to_xta(&parse_xml(&text).0).unwrap_err()
    };
    assert_eq!(fails(">Train<", ">9Train<"), "`9Train` cannot be the name of a process in XTA");
    assert!(fails(">Cross<", ">select<").starts_with("`select` cannot be the name of a location in XTA"));
    assert!(fails("<init ref=\"id0\"/>", "").contains("no initial location"));
    assert!(fails("<init ref=\"id0\"/>", "<init ref=\"id9\"/>").contains("`id9`"));
    assert!(fails("x = 0, v = i, n++", "spawn Train(1, n)").contains("cannot be written"));
}

#[test]
fn queries_of_their_own() {
    let document = sound(parse_xml(MODEL), "model", MODEL);
    let text = to_q(&document);
    assert_eq!(
        text,
        "// no <deadlock>\n// ever\n/* EXPECT: T, 3 s */\nA[] not deadlock\n\n\
         /* EXPECT: F, 7 */\nT1.Safe --> T1.Cross\n"
    );
    let (items, diagnostics) = parse_queries(&text);
    assert!(!diagnostics.has_errors());
    let texts: Vec<_> = items.iter().map(|item| item.text.as_str()).collect();
    assert_eq!(texts, ["A[] not deadlock", "T1.Safe --> T1.Cross"]);
    for (ours, theirs) in document.queries.iter().zip(&items) {
        assert_eq!(shape(&ours.query), shape(&theirs.query));
        assert_eq!(ours.expect, theirs.expect);
    }
}

#[test]
fn a_graph() {
    let text = MODEL.replace("stop[i]!", "stop[i &lt;? 2]!");
    let dot = to_dot(&sound(parse_xml(&text), "model", &text));
    for part in [
        "subgraph cluster_0 {\n    label=\"Train(const int[0,3] id, int &v)\";\n",
        "t0l0 [label=\"Safe\\nx <= 5 && (n > 0 || v == 1)\\n1 : 2\", peripheries=2];\n",
        "t0l1 [label=\"committed\", style=filled, fillcolor=\"#f4cccc\"];\n",
        "t0l0 -> t0b0 [label=\"i : int[0,2], j : int[0,1]\\nx < 3 && i > 1\\nstop[i <? 2]!\\nx = 0, v = i, n++\", style=dashed];\n",
    ] {
        assert!(dot.contains(part), "{part}\n---\n{dot}");
    }
}

#[test]
fn json() {
    let document = sound(parse_xml(MODEL), "model", MODEL);
    let value: serde_json::Value = serde_json::from_str(&to_json(&document)).unwrap();
    assert_eq!(value["format"], "dwell-uppaal");
    assert_eq!(value["version"], 1);
    assert_eq!(value["processes"], serde_json::json!([["T1"], ["T2"]]));
    let train = &value["templates"][0];
    assert_eq!(train["parameters"], "const int[0,3] id, int &v");
    assert_eq!(
        train["locations"][0],
        serde_json::json!({ "id": "id0", "name": "Safe", "invariant": "x <= 5 && (n > 0 || v == 1)", "rate": "1 : 2",
            "urgent": false, "committed": false, "x": -10, "y": 20 })
    );
    assert_eq!(
        train["edges"][1],
        serde_json::json!({ "source": "id3", "target": "id1", "controllable": true, "probability": "3" })
    );
    assert_eq!(
        value["queries"][0],
        serde_json::json!({ "text": "A[] not deadlock", "comment": "no <deadlock>\never \\",
            "options": [["--trace", "0"]], "expect": { "outcome": "satisfied", "resources": ["3 s"] } })
    );
}

#[test]
fn models_at_hand() {
    let mut lost = Vec::new();
    collection(|name, document| {
        let text = match to_xta(&document) {
            Ok(text) => text,
            Err(why) if why.contains("cannot be the name of a location") => return,
            Err(why) => return lost.push(format!("{name}: {why}")),
        };
        let again = sound(parse_xta(&text), name, &text);
        // Declarations come as text the first time, printed the second.
        let printed = to_xta(&again).unwrap();
        let third = sound(parse_xta(&printed), name, &printed);
        assert_same(&printed, &to_xta(&third).unwrap(), name);
        assert_same(&essence(again), &essence(third), name);
        let again = sound(parse_xta(&text), name, &text);
        assert_same(&essence(document), &essence(again), name);
    });
    assert!(lost.is_empty(), "{}", lost.join("\n"));
}
