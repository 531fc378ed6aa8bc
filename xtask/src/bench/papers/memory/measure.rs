//! Runs for the page: each once however many tables ask for it, those that are compared in turns.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::super::page::{Counts, Dwell};
use crate::shell::{Outcome, root};

/// What every run has.
const COMMON: [&str; 6] = ["--order", "bfs", "--trace", "none", "--memory", "2GiB"];

/// Seconds a run may take.
const PATIENCE: &str = "40s";

/// The same for runs that compare for equality: those that do not end take all of it.
pub(super) const EQUALITY_PATIENCE: &str = "10s";

/// Less than this is noise: no ratio of times is given, in seconds.
const SHORTEST: f64 = 0.02;

/// Most runs that a median is taken of.
const MOST_ROUNDS: u32 = 5;

/// How often to run what takes so many seconds.
fn rounds(seconds: f64) -> u32 {
    if seconds < 0.2 {
        MOST_ROUNDS
    } else if seconds < 1.2 {
        3
    } else {
        1
    }
}

/// A model with its constants.
pub(super) struct Case {
    pub(super) name: String,
    pub(super) file: PathBuf,
    pub(super) constants: &'static [&'static str],
    /// Its names in the papers.
    pub(super) printed: &'static [&'static str],
}

/// A run that got through; where it was repeated, the medians.
#[derive(Clone)]
pub(super) struct Run {
    pub(super) counts: Counts,
    pub(super) seconds: f64,
    pub(super) peak: f64,
}

impl Run {
    fn of(counts: &[Counts]) -> Option<Self> {
        let last = counts.last()?.clone();
        let peaks = counts.iter().map(|one| one.get("peak_bytes") as f64).collect();
        Some(Self {
            counts: last,
            seconds: median(counts.iter().map(seconds).collect()),
            peak: median(peaks),
        })
    }

    pub(super) fn get(&self, name: &str) -> f64 {
        self.counts.number(name).unwrap_or(0.0)
    }

    /// Seconds in terms of another run's, unless both are too short to tell.
    pub(super) fn time_to(&self, base: &Self) -> Option<f64> {
        (base.seconds >= SHORTEST).then(|| self.seconds / base.seconds)
    }
}

/// The program, and what it said.
pub(super) struct Bench {
    pub(super) dwell: Dwell,
    /// Highest resident bytes with a model of one state.
    pub(super) empty: f64,
    runs: BTreeMap<String, Vec<Option<Run>>>,
}

impl Bench {
    pub(super) fn new() -> Outcome<Self> {
        let dwell = Dwell::build()?;
        let file = dwell.file("empty.tck", "system:empty\nprocess:P\nlocation:P:a{initial:}\n")?;
        let options = [&COMMON[..], &["--store", "words"]].concat();
        let mut peaks = Vec::new();
        for _ in 0..5 {
            peaks.extend(dwell.explore_with(&file, &options)?.map(|counts| counts.get("peak_bytes") as f64));
        }
        Ok(Self { dwell, empty: median(peaks), runs: BTreeMap::new() })
    }

    /// A model of `examples/papers`.
    pub(super) fn ours(
        file: &str,
        constants: &'static [&'static str],
        printed: &'static [&'static str],
    ) -> Case {
        let name = [&[file], constants].concat().join(" ");
        Case { name, file: root().join(format!("examples/papers/{file}-like.xml")), constants, printed }
    }

    /// A model of a family.
    pub(super) fn family(&self, family: &str, size: u32, printed: &'static [&'static str]) -> Outcome<Case> {
        let file = self.dwell.model(family, size)?;
        Ok(Case { name: format!("{family} {size}"), file, constants: &[], printed })
    }

    /// Runs with these options, in turns; long ones run once, short ones more often.
    pub(super) fn compare(&mut self, case: &Case, options: &[&str]) -> Outcome<Vec<Option<Run>>> {
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
        let runs: Vec<Option<Run>> = all.iter().map(|counts| Run::of(counts)).collect();
        self.runs.insert(key, runs.clone());
        Ok(runs)
    }

    fn explore(&self, case: &Case, option: &str) -> Outcome<Option<Counts>> {
        let patience = if option.contains("equality") { EQUALITY_PATIENCE } else { PATIENCE };
        let constants = case.constants.iter().flat_map(|constant| ["-D", constant]);
        let options: Vec<&str> = COMMON
            .into_iter()
            .chain(["--timeout", patience, "--store"])
            .chain(option.split(' '))
            .chain(constants)
            .collect();
        self.dwell.explore_with(&case.file, &options)
    }
}

fn seconds(counts: &Counts) -> f64 {
    counts.number("seconds").unwrap_or(0.0)
}

fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median(vec![9.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(Vec::new()), 0.0);
    }
}
