//! Runs for the page, each once however many tables ask for it.

use std::collections::BTreeMap;

use serde_json::Value;

use super::super::page::{Case, Counts, Dwell};
use crate::shell::Outcome;

/// Seconds a run may take.
const PATIENCE: &str = "60s";

/// How a model is searched.
#[derive(Clone, Copy)]
pub(super) struct Search<'a> {
    /// A storing strategy; behind a blank, the heuristic whose covering set it goes by.
    pub(super) keep: &'a str,
    pub(super) order: &'a str,
    /// Other options.
    pub(super) zones: &'a [&'a str],
    pub(super) patience: &'a str,
}

impl<'a> Search<'a> {
    pub(super) fn breadth_first(keep: &'a str) -> Self {
        Self { keep, order: "bfs", zones: &[], patience: PATIENCE }
    }
}

/// A run against one that stores everything.
#[derive(Clone, Copy)]
pub(super) struct Relative {
    /// Most states at a time, in per cent of all that there are.
    pub(super) memory: f64,
    /// Visits for one visit.
    pub(super) overhead: f64,
    /// States stored in the end, in per cent of all that there are.
    pub(super) stored: f64,
}

impl Relative {
    pub(super) fn cell(self) -> String {
        format!("{:.1} % · {:.2}", self.memory, self.overhead)
    }
}

/// ⊥ for a run that took too long.
pub(super) fn cell(relative: Option<Relative>) -> String {
    relative.map_or("⊥".to_owned(), Relative::cell)
}

/// The program, and what it said.
pub(super) struct Bench {
    pub(super) dwell: Dwell,
    sets: BTreeMap<String, Value>,
    runs: BTreeMap<String, Option<Counts>>,
}

impl Bench {
    pub(super) fn new() -> Outcome<Self> {
        Ok(Self { dwell: Dwell::build()?, sets: BTreeMap::new(), runs: BTreeMap::new() })
    }

    /// What static analysis says about a model.
    pub(super) fn sets(&mut self, case: &Case) -> Outcome<&Value> {
        if !self.sets.contains_key(&case.name) {
            let sets = self.dwell.covering_sets(case)?;
            self.sets.insert(case.name.clone(), sets);
        }
        Ok(&self.sets[&case.name])
    }

    /// What a heuristic finds: edges, the sum of their coefficients, and the text for `--cover-set`.
    pub(super) fn set(&mut self, case: &Case, heuristic: &str) -> Outcome<(u64, f64, String)> {
        let sets = self.sets(case)?["heuristics"].as_array().cloned().unwrap_or_default();
        let found = sets.iter().find(|set| set["name"] == heuristic);
        let found = found.ok_or_else(|| format!("no heuristic {heuristic}"))?;
        let edges = found["set"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let text = edges.fold(String::new(), |text, edge| text + edge + "\n");
        Ok((found["edges"].as_u64().unwrap_or(0), found["sum"].as_f64().unwrap_or(0.0), text))
    }

    /// What a search counts; nothing if it took too long.
    pub(super) fn run(&mut self, case: &Case, search: Search) -> Outcome<Option<Counts>> {
        let Search { keep, order, zones, patience } = search;
        let key = format!("{}: {keep}, {order}, {}", case.name, zones.join(" "));
        if let Some(counts) = self.runs.get(&key) {
            return Ok(counts.clone());
        }
        let (strategy, heuristic) = keep.split_once(' ').map_or((keep, None), |(k, h)| (k, Some(h)));
        let mut options =
            vec!["--trace", "none", "--order", order, "--timeout", patience, "--keep", strategy];
        let set;
        if let Some(heuristic) = heuristic {
            let (.., text) = self.set(case, heuristic)?;
            set = self.dwell.file("cover-set.txt", &text)?.display().to_string();
            options.extend(["--cover-set", &set]);
        }
        options.extend(zones.iter().copied().chain(case.defines()));
        let counts = self.dwell.explore_with(&case.file, &options)?;
        self.runs.insert(key, counts.clone());
        Ok(counts)
    }

    /// A search against the breadth-first one that stores all states.
    pub(super) fn relative(&mut self, case: &Case, search: Search) -> Outcome<Option<Relative>> {
        let all = Search { keep: "all", order: "bfs", ..search };
        let (Some(all), Some(run)) = (self.run(case, all)?, self.run(case, search)?) else { return Ok(None) };
        let states = all.get("stored").max(1) as f64;
        Ok(Some(Relative {
            memory: 100.0 * run.get("max_stored") as f64 / states,
            overhead: run.get("visited") as f64 / all.get("visited").max(1) as f64,
            stored: 100.0 * run.get("stored") as f64 / states,
        }))
    }
}
