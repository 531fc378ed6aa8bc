//! Runs for the page: each once however many tables ask for it, those that are compared in turns.

use std::collections::BTreeMap;

use dwell_bench::median;

use super::super::page::{Case, Counts, Dwell, EmptyPeaks};
use crate::shell::Outcome;

/// What every run has.
const COMMON: [&str; 6] = ["--order", "bfs", "--trace", "none", "--memory", "2GiB"];

/// Seconds a run may take.
const PATIENCE: &str = "100s";

/// The same for runs that compare for equality: those that do not end take all of it.
pub(super) const EQUALITY_PATIENCE: &str = "10s";

/// Less than this is noise: no ratio of times is given, in seconds.
const SHORTEST: f64 = 0.02;

/// Most runs that a median is taken of.
const MOST_ROUNDS: u32 = 7;

/// How often to run what takes so many seconds.
type Rounds = fn(f64) -> u32;

/// Where tables ask for many runs.
fn few(seconds: f64) -> u32 {
    if seconds < 0.2 {
        5
    } else if seconds < 1.2 {
        3
    } else {
        1
    }
}

/// Where two runs are judged by their times.
fn many(seconds: f64) -> u32 {
    if seconds < 2.0 { MOST_ROUNDS } else { 3 }
}

/// A run that got through; where it was repeated, the median of times, the least of peaks.
#[derive(Clone)]
pub(super) struct Run {
    pub(super) counts: Counts,
    pub(super) seconds: f64,
    pub(super) peak: f64,
    /// Bytes beyond the empty run.
    pub(super) beyond: f64,
}

impl Run {
    fn of(counts: &[Counts], empty: f64) -> Option<Self> {
        let last = counts.last()?.clone();
        let peak = counts.iter().map(Counts::peak).reduce(f64::min)?;
        Some(Self {
            counts: last,
            seconds: median(counts.iter().map(seconds).collect())?,
            peak,
            beyond: (peak - empty).max(0.0),
        })
    }

    pub(super) fn get(&self, name: &str) -> f64 {
        self.counts.number(name).unwrap_or(0.0)
    }

    /// Seconds of CPU time in terms of another run's, unless both are too short to tell.
    pub(super) fn time_to(&self, base: &Self) -> Option<f64> {
        (base.seconds >= SHORTEST).then(|| self.seconds / base.seconds)
    }
}

/// The program, and what it said.
pub(super) struct Bench {
    pub(super) dwell: Dwell,
    /// Highest resident bytes with a model of one state.
    pub(super) empty: EmptyPeaks,
    runs: BTreeMap<String, Vec<Option<Run>>>,
}

impl Bench {
    pub(super) fn new() -> Outcome<Self> {
        let dwell = Dwell::build_with_counter()?;
        let empty = dwell.empty_peaks(&[&COMMON[..], &["--store", "words"]].concat())?;
        Ok(Self { dwell, empty, runs: BTreeMap::new() })
    }

    /// Runs with these options, in turns; long ones run once, short ones more often.
    pub(super) fn compare(&mut self, case: &Case, options: &[&str]) -> Outcome<Vec<Option<Run>>> {
        self.in_turns(case, options, few)
    }

    /// The CPU time of one store in terms of another's, with more runs.
    pub(super) fn time(&mut self, case: &Case, [base, store]: [&str; 2]) -> Outcome<Option<f64>> {
        let runs = self.in_turns(case, &[base, store], many)?;
        Ok(match (&runs[0], &runs[1]) {
            (Some(base), Some(run)) => run.time_to(base),
            _ => None,
        })
    }

    /// One run, for its counts.
    pub(super) fn once(&mut self, case: &Case, option: &str) -> Outcome<Option<Run>> {
        Ok(self.in_turns(case, &[option], |_| 1)?.pop().flatten())
    }

    fn in_turns(&mut self, case: &Case, options: &[&str], rounds: Rounds) -> Outcome<Vec<Option<Run>>> {
        let key = format!("{}: {}", case.name, options.join(", "));
        if let Some(runs) = self.runs.get(&key) {
            return Ok(runs.clone());
        }
        let mut all: Vec<Vec<Counts>> = vec![Vec::new(); options.len()];
        for round in 0..MOST_ROUNDS {
            for (counts, option) in all.iter_mut().zip(options) {
                if round == 0 || counts.first().is_some_and(|first| round < rounds(seconds(first))) {
                    counts.extend(self.explore(case, option)?);
                }
            }
        }
        let runs: Vec<Option<Run>> =
            all.iter().map(|counts| Run::of(counts, self.empty.like(case))).collect();
        self.runs.insert(key, runs.clone());
        Ok(runs)
    }

    fn explore(&self, case: &Case, option: &str) -> Outcome<Option<Counts>> {
        let patience = if option.contains("equality") { EQUALITY_PATIENCE } else { PATIENCE };
        let options: Vec<&str> = COMMON
            .into_iter()
            .chain(["--timeout", patience, "--store"])
            .chain(option.split(' '))
            .chain(case.defines())
            .collect();
        self.dwell.explore_with(&case.file, &options)
    }
}

fn seconds(counts: &Counts) -> f64 {
    counts.cpu_seconds
}
