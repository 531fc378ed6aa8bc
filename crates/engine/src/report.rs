//! What is answered.

use crate::{LeastTime, OrderName, Plan, Stats, Trace, Value};
use dwell_explore::store::{Omissions, Unique};
use dwell_model::expr::RuntimeError;
use dwell_model::{EdgeId, ProcessId};
use std::time::Duration;

/// The answer to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Yes.
    Satisfied,
    /// No.
    NotSatisfied,
    /// Yes, unless what was found is there only because more was looked at than
    /// there is.
    MaybeSatisfied,
    /// No, unless that.
    MaybeNotSatisfied,
    /// The run did not get to an answer.
    Unknown,
    /// The model failed while running.
    Error,
}

impl Verdict {
    /// The name scripts rely on.
    pub fn name(self) -> &'static str {
        match self {
            Self::Satisfied => "satisfied",
            Self::NotSatisfied => "not-satisfied",
            Self::MaybeSatisfied => "maybe-satisfied",
            Self::MaybeNotSatisfied => "maybe-not-satisfied",
            Self::Unknown => "unknown",
            Self::Error => "error",
        }
    }
}

impl Verdict {
    /// The same when it rests on something that may not exist.
    pub(crate) fn maybe(self) -> Self {
        match self {
            Self::Satisfied => Self::MaybeSatisfied,
            Self::NotSatisfied => Self::MaybeNotSatisfied,
            other => other,
        }
    }
}

/// States that were there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reused {
    /// The question they were explored for, counted from 1.
    pub question: usize,
    /// How many were looked at.
    pub states: u64,
}

/// An answer with its reasons.
#[derive(Clone, Debug)]
pub struct Report {
    /// The question as it was written.
    pub formula: String,
    /// The answer.
    pub verdict: Verdict,
    /// Why there is no better one.
    pub why: Option<String>,
    /// The failure behind [`Verdict::Error`].
    pub failure: Option<RuntimeError>,
    /// It happened in the question: its place is one in the text of that.
    pub failed_in_question: bool,
    /// The user asked to stop.
    pub interrupted: bool,
    /// Why the last checkpoint could not be written.
    pub checkpoint_failed: Option<String>,
    /// For `sup`, `inf` and `bounds`: one for each expression.
    pub values: Option<Vec<Value>>,
    /// What was counted.
    pub stats: Stats,
    /// States visited by each worker, where there were several.
    pub load: Vec<u64>,
    /// Where the answer is from the states of an earlier question.
    pub reused: Option<Reused>,
    /// What a store that forgets may have left out.
    pub omissions: Option<Omissions>,
    /// Distinct parts of the stored states, where they are kept once.
    pub unique: Unique,
    /// How long it took.
    pub time: Duration,
    /// What was done; the width may be wider than planned.
    pub plan: Plan,
    /// A run that shows it, if asked for.
    pub trace: Option<Trace>,
    /// How long `trace` takes, which is the least possible, if that was asked for.
    pub least_time: Option<LeastTime>,
    /// The move that failed after the end of `trace`, with [`Verdict::Error`].
    pub failed_move: Vec<(ProcessId, EdgeId)>,
}

impl Report {
    pub(crate) fn blank(formula: String, plan: Plan, verdict: Verdict) -> Self {
        Self {
            formula,
            verdict,
            why: None,
            failure: None,
            failed_in_question: false,
            interrupted: false,
            checkpoint_failed: None,
            values: None,
            stats: Stats::default(),
            load: Vec::new(),
            reused: None,
            omissions: None,
            unique: Unique::default(),
            time: Duration::ZERO,
            plan,
            trace: None,
            least_time: None,
            failed_move: Vec::new(),
        }
    }

    /// The seed, if there were random choices.
    pub fn seed(&self) -> Option<u64> {
        let random = matches!(self.plan.order, OrderName::RandomDfs | OrderName::Random)
            || self.plan.sees_less() && !self.plan.table.positional;
        random.then_some(self.plan.seed)
    }

    /// The share of the waiting states that were made by the worker they waited
    /// at (paper 4, table 5), if there were several.
    pub fn locality(&self) -> Option<f64> {
        let Stats { visited, replaced_waiting, arrived, .. } = self.stats;
        let local = 1.0 - arrived as f64 / (visited + replaced_waiting).max(1) as f64;
        (self.load.len() > 1).then_some(local.max(0.0))
    }

    /// The most that a worker visited for each state that one visits on average,
    /// if there were several.
    pub fn imbalance(&self) -> Option<f64> {
        let (most, sum) = (*self.load.iter().max()?, self.load.iter().sum::<u64>().max(1));
        (self.load.len() > 1).then_some(most as f64 * self.load.len() as f64 / sum as f64)
    }

    /// Stored states looked at to rank others, if that was done.
    pub fn ranking_visits(&self) -> Option<u64> {
        let ranked = self.plan.order == OrderName::Ranking || self.stats.changed_after.is_some();
        ranked.then_some(self.stats.ranking_visits)
    }

    /// The report on something that could not even be asked.
    pub fn refused(formula: String, why: String, plan: Plan) -> Self {
        Self { why: Some(why), ..Self::blank(formula, plan, Verdict::Error) }
    }
}
