//! Models × plans: every pair is run some times, the pairs taking turns, so
//! that a busy machine disturbs all alike.

use crate::child::{self, Answer, Limits, Run};
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// What is run.
#[derive(Debug)]
pub struct Suite {
    /// The program `dwell`.
    pub program: PathBuf,
    /// Models, with queries and constants.
    pub cases: Vec<Case>,
    /// How they are checked.
    pub plans: Vec<Plan>,
    /// How often each pair is run.
    pub runs: usize,
    /// How long one run may take.
    pub timeout: Duration,
    /// What one run may hold.
    pub memory: Option<u64>,
    /// Where the first runs leave their logs.
    pub logs: Option<PathBuf>,
}

/// A model and what is asked about it.
#[derive(Clone, Debug)]
pub struct Case {
    /// In tables.
    pub name: String,
    /// What follows `dwell check`.
    pub words: Vec<String>,
    /// Where paths start.
    pub folder: Option<PathBuf>,
}

/// Options.
#[derive(Clone, Debug)]
pub struct Plan {
    /// In tables.
    pub name: String,
    /// The options themselves.
    pub words: Vec<String>,
}

/// A run is given up so long after the program should have stopped by itself.
const GRACE: Duration = Duration::from_secs(2);

impl Suite {
    /// Runs everything; `told` hears of each run as it ends. Answers with the
    /// runs of each pair, models outside, plans inside.
    ///
    /// A pair that gave no answer is not run again.
    ///
    /// # Errors
    ///
    /// A sentence, where the program cannot be started at all.
    pub fn run(&self, mut told: impl FnMut(&Case, &Plan, &Run)) -> Result<Vec<Vec<Run>>, String> {
        let plans = self.plans.len();
        let mut runs: Vec<Vec<Run>> = vec![Vec::new(); self.cases.len() * plans];
        for round in 0..self.runs {
            for (case_index, case) in self.cases.iter().enumerate() {
                for turn in 0..plans {
                    // Who goes first changes from round to round.
                    let plan_index = (turn + round) % plans;
                    let pair = &mut runs[case_index * plans + plan_index];
                    if pair.iter().any(|run| run.answer.is_err()) {
                        continue;
                    }
                    let log = (round == 0).then(|| self.log(case_index, plan_index)).flatten();
                    let run = self.once(case, &self.plans[plan_index], log)?;
                    told(case, &self.plans[plan_index], &run);
                    pair.push(run);
                }
            }
        }
        Ok(runs)
    }

    /// The log of the first run of a pair.
    pub fn log(&self, case: usize, plan: usize) -> Option<PathBuf> {
        let folder = self.logs.as_ref()?;
        Some(folder.join(format!("model-{}-plan-{}.jsonl", case + 1, plan + 1)))
    }

    fn once(&self, case: &Case, plan: &Plan, log: Option<PathBuf>) -> Result<Run, String> {
        let mut command = Command::new(&self.program);
        command.arg("check").args(&case.words).arg("--json").args(&plan.words);
        command.args(["--timeout", &format!("{}ms", self.timeout.as_millis())]);
        if let Some(bytes) = self.memory {
            command.args(["--memory", &format!("{}KiB", bytes.div_ceil(1024))]);
        }
        if let Some(log) = log {
            // That of an earlier bench must not be taken for this run's.
            let _ = std::fs::remove_file(&log);
            command.arg("--log").arg(log);
        }
        if let Some(folder) = &case.folder {
            command.current_dir(folder);
        }
        let time = self.timeout.saturating_add(self.timeout / 10).saturating_add(GRACE);
        child::run(&mut command, &Limits { time, address_space: None }, Answer::from_dwell)
    }
}
