//! `dwell analyse`: what can be said of a model without being asked about it.

use crate::check::{Refusal, describe, refuse_input};
use crate::clocks::{self, ClockBounds};
use crate::input::{self, InputError, load};
use crate::sanity::{self, SanityFacts};
use crate::show::show;
use crate::{exit, json, print};
use clap::ArgMatches;
use dwell_engine::covering_sets::{
    Coefficients, Covering, CycleCount, EdgeSet, build, edge_name, entry_points, verify,
};
use dwell_engine::syntax::SourceFile;
use dwell_engine::{LoadOptions, Model, random_walk};
use serde::Serialize;
use std::fmt::Write;

/// Analyses a model; answers with the exit code.
pub fn run(matches: &ArgMatches) -> u8 {
    let path = matches.get_one::<String>("model").expect("required");
    match analysed(matches, path) {
        Ok(code) => code,
        Err(refusal) => refuse_input(path, refusal, matches.get_flag("json")),
    }
}

fn analysed(matches: &ArgMatches, path: &str) -> Result<u8, Refusal> {
    let format = matches.get_one::<String>("input-format").map(String::as_str);
    let defines = matches.get_many::<(String, String)>("define").into_iter().flatten().cloned().collect();
    let asked = |what| matches.get_flag(what);
    let chosen = ["clocks", "covering", "sanity"].into_iter().any(asked) || matches.contains_id("cover-set");
    let lints = asked("sanity") || !chosen;
    input::fits(path, matches.get_one::<u64>("memory").copied())?;
    let (source, model) = match load(path, format, &LoadOptions { defines, lints, ..LoadOptions::default() })
    {
        Ok(loaded) => loaded,
        Err(InputError::Unreadable(message)) => return Err(message.into()),
        Err(InputError::Rejected(source, error)) => return Err(describe(path, *source, error)),
    };
    let proposed = match matches.get_one::<String>("cover-set") {
        None => None,
        Some(file) => Some(proposed(file, &model)?),
    };
    let as_json = matches.get_flag("json");
    let clocks = (asked("clocks") || !chosen).then(|| clocks::bounds(&model));
    let covering = (asked("covering") || !chosen || proposed.is_some())
        .then(|| covering(matches, &source, &model, proposed.as_ref()));
    // The warnings of the model are among what sanity finds.
    let sane = asked("sanity").then(|| sanity::look(matches, &model));
    let findings = sane.as_ref().map_or(model.warnings(), |sane| &sane.findings);
    if as_json {
        let document = Document {
            dwell: env!("CARGO_PKG_VERSION"),
            model: path.to_owned(),
            clocks,
            covering,
            sanity: sane.as_ref().map(SanityFacts::new),
            diagnostics: json::findings(&source, findings, |span| model.path(span)),
        };
        print(&json::to_text(&document));
    } else {
        if sane.is_none() {
            show(&source, findings);
        }
        let parts = [
            clocks.as_deref().map(clocks::text),
            covering.as_ref().map(|facts| text(facts, &source)),
            sane.as_ref().map(|sane| sanity::text(sane, &source)),
        ];
        print(&parts.into_iter().flatten().collect::<Vec<_>>().join("\n"));
    }
    Ok(match (&proposed, &sane) {
        (Some(Proposed { uncovered: Some(_), .. }), _) => exit::NOT_SATISFIED,
        (_, Some(sane)) => sanity::exit_code(sane),
        _ => exit::SATISFIED,
    })
}

/// Cycles and covering sets.
fn covering(
    matches: &ArgMatches,
    source: &SourceFile,
    model: &Model,
    proposed: Option<&Proposed>,
) -> CoveringFacts {
    let seed = *matches.get_one::<u64>("seed").expect("has a default");
    // Walking needs a meaning that we know.
    let coefficients = match model.refusals() {
        [] => random_walk(model.system(), seed),
        _ => Coefficients::uniform(model.network()).with_seed(seed),
    };
    let found = build(model.network(), &coefficients);
    Facts { model, source, coefficients: &coefficients, found: &found }.told(proposed)
}

/// A set of the user, and the cycles that it leaves.
struct Proposed {
    file: String,
    set: EdgeSet,
    uncovered: Option<Vec<String>>,
}

fn proposed(file: &str, model: &Model) -> Result<Proposed, String> {
    let text = input::plain(file)?;
    let network = model.network();
    let set = EdgeSet::parse(&text, network).map_err(|why| format!("{file}: {why}"))?;
    let uncovered = verify(network, &set).err();
    let uncovered = uncovered.map(|open| open.cycles.iter().map(|cycle| cycle.name(network)).collect());
    Ok(Proposed { file: file.to_owned(), set, uncovered })
}

#[derive(Serialize)]
struct Document {
    dwell: &'static str,
    model: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    clocks: Option<Vec<ClockBounds>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    covering: Option<CoveringFacts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sanity: Option<SanityFacts>,
    diagnostics: Vec<json::Finding>,
}

#[derive(Serialize)]
struct CoveringFacts {
    seed: u64,
    processes: Vec<ProcessFacts>,
    entry_points: SetFacts,
    heuristics: Vec<SetFacts>,
    found_by: &'static str,
    sum: f64,
    edges: Vec<EdgeFacts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    proposed: Option<ProposedFacts>,
}

#[derive(Serialize)]
struct ProcessFacts {
    name: String,
    edges: usize,
    /// `null`: too many to list.
    cycles: Option<usize>,
}

#[derive(Serialize)]
struct SetFacts {
    name: &'static str,
    edges: usize,
    sum: f64,
    /// As in a file for `--cover-set`.
    set: Vec<String>,
}

#[derive(Serialize)]
struct EdgeFacts {
    /// As in a file for `--cover-set`.
    edge: String,
    coefficient: f64,
    line: u32,
    column: u32,
    path: Option<String>,
}

#[derive(Serialize)]
struct ProposedFacts {
    file: String,
    edges: usize,
    sum: f64,
    covering: bool,
    /// Local cycles of which it cannot be shown that they are covered.
    uncovered: Vec<String>,
}

/// What an analysis is told from.
struct Facts<'a> {
    model: &'a Model,
    source: &'a SourceFile,
    coefficients: &'a Coefficients,
    found: &'a Covering,
}

impl Facts<'_> {
    fn told(&self, proposed: Option<&Proposed>) -> CoveringFacts {
        let (model, found) = (self.model, self.found);
        let network = model.network();
        let process = |(process, count): (&dwell_engine::model_ir::Process, &CycleCount)| ProcessFacts {
            name: process.name.clone(),
            edges: process.edges.len(),
            cycles: match count {
                CycleCount::Known(cycles) => Some(*cycles),
                CycleCount::TooMany => None,
            },
        };
        let set = |name, set: &EdgeSet, sum| SetFacts {
            name,
            edges: set.len(),
            sum,
            set: set.iter().map(|(p, e)| edge_name(network, p, e)).collect(),
        };
        let entries = entry_points(network);
        CoveringFacts {
            seed: self.coefficients.seed,
            processes: network.processes.iter().zip(&found.cycles).map(process).collect(),
            entry_points: set("entry points", &entries, self.coefficients.sum(&entries)),
            heuristics: found.candidates.iter().map(|(h, s, sum)| set(h.name(), s, *sum)).collect(),
            found_by: found.found_by.name(),
            sum: found.sum,
            edges: found.set.iter().map(|(p, e)| self.edge(p, e)).collect(),
            proposed: proposed.map(|proposed| ProposedFacts {
                file: proposed.file.clone(),
                edges: proposed.set.len(),
                sum: self.coefficients.sum(&proposed.set),
                covering: proposed.uncovered.is_none(),
                uncovered: proposed.uncovered.clone().unwrap_or_default(),
            }),
        }
    }

    fn edge(&self, process: u32, edge: u32) -> EdgeFacts {
        let network = self.model.network();
        let span = network.processes[process as usize].edges[edge as usize].span;
        let (start, _) = self.source.positions(span);
        EdgeFacts {
            edge: edge_name(network, process, edge),
            coefficient: self.coefficients.of(process, edge),
            line: start.line,
            column: start.column,
            path: self.model.path(span).map(str::to_owned),
        }
    }
}

/// The same for people. The lines of the chosen set can be put into a file for
/// `--cover-set` as they are.
fn text(facts: &CoveringFacts, source: &SourceFile) -> String {
    let mut text = String::new();
    let width = |names: &mut dyn Iterator<Item = &str>| names.map(|n| n.chars().count()).max().unwrap_or(0);
    let names = width(&mut facts.processes.iter().map(|p| p.name.as_str()).chain(["process"]));
    let _ = writeln!(text, "{:names$}  edges  local cycles", "process");
    for process in &facts.processes {
        let cycles = process.cycles.map_or_else(|| "too many to list".to_owned(), |n| n.to_string());
        let _ = writeln!(text, "{:names$}  {:5}  {cycles}", process.name, process.edges);
    }
    let _ = writeln!(text, "\n{:12}  edges  sum of coefficients", "found by");
    for set in facts.heuristics.iter().chain([&facts.entry_points]) {
        let _ = writeln!(text, "{:12}  {:5}  {:.4}", set.name, set.edges, set.sum);
    }
    let _ = writeln!(text, "\n# covering set found by {}, sum {:.4}:", facts.found_by, facts.sum);
    let edges = width(&mut facts.edges.iter().map(|e| e.edge.as_str()));
    for edge in &facts.edges {
        let place = format!("{}:{}:{}", source.name(), edge.line, edge.column);
        let _ = writeln!(text, "{:edges$}  # {:.4}, {place}", edge.edge, edge.coefficient);
    }
    if let Some(proposed) = &facts.proposed {
        let ProposedFacts { file, edges, sum, .. } = proposed;
        let verdict = if proposed.covering { "is covering" } else { "is not shown to be covering" };
        let _ = writeln!(text, "\n{file}: {edges} edges, sum {sum:.4}: {verdict}");
        for cycle in &proposed.uncovered {
            let _ = writeln!(text, "not covered: {cycle}");
        }
    }
    text
}
