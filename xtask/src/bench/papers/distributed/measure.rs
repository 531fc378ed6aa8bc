//! Runs for the page, each set once however many tables ask for it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::super::page::{Case, Counts, Dwell};
use crate::shell::Outcome;
use dwell_bench::median;

/// Seconds a run may take.
const PATIENCE: &str = "60s";

/// How often each is run.
const RUNS: usize = 3;

/// Several runs of the same.
#[derive(Clone)]
pub(super) struct Runs(Vec<Counts>);

impl Runs {
    /// The one in the middle.
    pub(super) fn median(&self, of: impl Fn(&Counts) -> f64) -> f64 {
        median(self.0.iter().map(of).collect()).unwrap_or(f64::NAN)
    }

    pub(super) fn visited(&self) -> f64 {
        self.median(|run| run.get("visited") as f64)
    }

    /// Seconds of CPU time for one visited state.
    pub(super) fn cost(&self) -> f64 {
        self.median(|run| run.cpu_seconds / run.get("visited").max(1) as f64)
    }

    /// The least time a run took: others on the machine only ever add to it.
    pub(super) fn seconds(&self) -> f64 {
        self.0.iter().filter_map(|run| run.number("seconds")).fold(f64::INFINITY, f64::min)
    }

    /// What the busiest worker visited, in terms of the mean.
    pub(super) fn imbalance(&self) -> f64 {
        self.median(|run| {
            let load = run.list("load");
            let most = load.iter().max().copied().unwrap_or(1) as f64;
            most * load.len() as f64 / load.iter().sum::<u64>().max(1) as f64
        })
    }

    /// Transitions of the traces, if all have as many.
    pub(super) fn steps(&self) -> Option<usize> {
        let first = self.0.first()?.steps?;
        self.0.iter().all(|run| run.steps == Some(first)).then_some(first)
    }
}

/// The program, and what it said.
pub(super) struct Bench {
    pub(super) dwell: Dwell,
    runs: BTreeMap<String, Option<Runs>>,
}

impl Bench {
    pub(super) fn new() -> Outcome<Self> {
        Ok(Self { dwell: Dwell::build()?, runs: BTreeMap::new() })
    }

    /// Explores a model with so many workers; nothing if that took too long.
    pub(super) fn explore(&mut self, case: &Case, workers: usize, options: &[&str]) -> Outcome<Option<Runs>> {
        let options: Vec<&str> =
            ["--space"].into_iter().chain(options.iter().copied()).chain(case.defines()).collect();
        self.several(&case.file, workers, &options, RUNS)
    }

    /// The same with a question in the options, and so many runs.
    pub(super) fn several(
        &mut self,
        file: &PathBuf,
        workers: usize,
        options: &[&str],
        count: usize,
    ) -> Outcome<Option<Runs>> {
        let key = format!("{} {workers} {}", file.display(), options.join(" "));
        if let Some(runs) = self.runs.get(&key) {
            return Ok(runs.clone());
        }
        let workers = workers.to_string();
        let options = [&["--timeout", PATIENCE, "--threads", &workers], options].concat();
        let mut runs = Some(Vec::new());
        for _ in 0..count {
            let (Some(all), Some(run)) = (&mut runs, self.dwell.ask(file, &options)?) else {
                runs = None;
                break;
            };
            all.push(run);
        }
        let runs = runs.map(Runs);
        self.runs.insert(key, runs.clone());
        Ok(runs)
    }
}
