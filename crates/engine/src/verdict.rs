//! From the outcome of a run to a verdict.

use crate::live::Lasso;
use crate::plan::{Abstraction, Plan, StoreName};
use crate::question::Goal;
use crate::run::{Ended, Run};
use crate::{Question, Report, Verdict};
use dwell_base::limits::Stop;
use dwell_check::{End, Trace, next_move, rebuild};
use dwell_explore::Outcome;
use dwell_explore::store::Omissions;
use dwell_model::Network;
use dwell_model::expr::{MAX_MOVES, MAX_PROGRAM_STEPS, RuntimeError, RuntimeErrorKind};
use dwell_semantics::ConstantTooLarge;
use std::fmt;

pub(crate) fn blank(question: &Question, plan: &Plan, verdict: Verdict) -> Report {
    Report::blank(question.formula.clone(), plan.clone(), verdict)
}

const TOO_MANY_SPLITS: &str = "the query, or the guards of one state, have more alternatives over clocks than can be tried; ask for less at once";

const STOPWATCHES: &str = "where clocks stand still, more clock values are looked at than can be reached, so this may be an artefact; to be sure, look for a run with dwell simulate";

const CONVEX_HULL: &str = "the zones of a discrete state are taken as one that includes them, with more clock values than can be reached, so this may be an artefact; to be sure, ask without --convex-hull";

const NO_START: &str =
    "the model has no initial state: the invariants exclude every choice of initial locations";

pub(crate) fn too_large(error: ConstantTooLarge) -> String {
    format!(
        "a clock is compared with {}, but zones hold constants up to {} only; scale the model's time unit down",
        error.constant, error.limit
    )
}

impl Run<'_, '_> {
    pub(crate) fn report(&self, ended: Ended, plan: &Plan) -> Report {
        let (stats, omissions, unique) = (ended.stats, ended.omissions, ended.unique);
        let load = ended.load;
        let blank = Report { stats, load, omissions, unique, ..blank(self.question, plan, Verdict::Unknown) };
        let (end, found, not_found) = match &self.question.goal {
            Goal::Space => (End::Anywhere, Verdict::Satisfied, Verdict::Satisfied),
            Goal::Measure(_) => (End::Anywhere, Verdict::Unknown, Verdict::Satisfied),
            Goal::Live(live) => match live.violates {
                false => (End::Anywhere, Verdict::Satisfied, Verdict::NotSatisfied),
                true => (End::Anywhere, Verdict::NotSatisfied, Verdict::Satisfied),
            },
            Goal::Labels(labels) => (End::Labels(labels), Verdict::Satisfied, Verdict::NotSatisfied),
            Goal::Reach(reach) => match reach.violates {
                false => (End::Formula(&reach.formula), Verdict::Satisfied, Verdict::NotSatisfied),
                true => (End::Formula(&reach.formula), Verdict::NotSatisfied, Verdict::Satisfied),
            },
        };
        let artefact = match plan.sees_more() {
            true => Some(CONVEX_HULL),
            false => self.system.has_stopwatches().then_some(STOPWATCHES),
        };
        match ended.outcome {
            Outcome::Complete => {
                let no_start = ended.stats.visited == 0;
                let why = no_start.then(|| NO_START.into());
                let (verdict, why) = match why {
                    Some(why) if self.must_start => (Verdict::Error, Some(why)),
                    None if plan.sees_less() => (not_found.maybe(), Some(missing(omissions))),
                    None if plan.sees_more() && matches!(self.question.goal, Goal::Space) => {
                        (not_found.maybe(), Some(CONVEX_HULL.into()))
                    }
                    why => (not_found, why),
                };
                Report { verdict, why, ..blank }
            }
            // What is reached may not be there, so there is no run to show.
            Outcome::Reached(_) | Outcome::ReachedAt(..) if artefact.is_some() => {
                Report { verdict: found.maybe(), why: artefact.map(Into::into), ..blank }
            }
            Outcome::Failed { error, .. } if artefact.is_some() => {
                let artefact = artefact.unwrap_or_default();
                let why =
                    format!("the model may fail: {}; {artefact}", explain(&error, &self.system.network));
                Report { why: Some(why), ..blank }
            }
            Outcome::Reached(_) => match self.found(ended.path, ended.lasso, end) {
                Ok(trace) => Report { verdict: found, trace, ..blank },
                Err(why) => Report { why: Some(why), ..blank },
            },
            Outcome::ReachedAt(_, rank) => {
                let path = ended.path.zip(self.timed).ok_or_else(|| bug(&"no path was kept"));
                let run = path.and_then(|((initial, moves), timed)| {
                    timed.run(self.system, self.transitions, initial, &moves, end, rank)
                });
                match run {
                    Ok((trace, least)) => {
                        Report { verdict: found, trace: Some(trace), least_time: Some(least), ..blank }
                    }
                    Err(why) => Report { why: Some(why), ..blank },
                }
            }
            Outcome::Stopped(stop) => {
                Report { why: Some(stopped(stop, plan)), interrupted: stop == Stop::Cancelled, ..blank }
            }
            Outcome::Overflow => Report { why: Some(overflowed(plan)), ..blank },
            Outcome::NotResumed(why) => Report { verdict: Verdict::Error, why: Some(why), ..blank },
            Outcome::TooManySplits => Report { why: Some(TOO_MANY_SPLITS.into()), ..blank },
            Outcome::Failed { error, at } => {
                let index = at.and_then(|(_, index)| index);
                let failed_move = (ended.path.as_ref().zip(index)).and_then(|((initial, moves), index)| {
                    next_move(self.system, self.transitions, *initial, moves, index)
                });
                let (why, trace) = match self.trace(ended.path, End::Anywhere) {
                    Ok(trace) => (explain(&error, &self.system.network), trace),
                    Err(bug) => (format!("{}; {bug}", explain(&error, &self.system.network)), None),
                };
                let failed_move = failed_move.unwrap_or_default();
                Report {
                    verdict: Verdict::Error,
                    why: Some(why),
                    failed_in_question: index.is_none() && self.question.has_text(error.span),
                    failure: Some(error),
                    trace,
                    failed_move,
                    ..blank
                }
            }
        }
    }

    /// The run behind a state that was found.
    fn found(
        &self,
        path: Option<(u32, Vec<u32>)>,
        lasso: Option<Lasso>,
        end: End<'_>,
    ) -> Result<Option<Trace>, String> {
        match (&self.question.goal, lasso) {
            (Goal::Live(live), Some(lasso)) if path.is_some() => live.trace(self, path, &lasso).map(Some),
            (Goal::Live(_), _) => Ok(None),
            _ => self.trace(path, end),
        }
    }

    fn trace(&self, path: Option<(u32, Vec<u32>)>, end: End<'_>) -> Result<Option<Trace>, String> {
        let Some((initial, moves)) = path else { return Ok(None) };
        rebuild(self.system, self.transitions, initial, &moves, end).map(Some).map_err(|e| bug(&e))
    }
}

/// Why nothing found does not mean that nothing is there.
fn missing(omissions: Option<Omissions>) -> String {
    let probability = match omissions.map(|omissions| omissions.probability) {
        Some(p) if p < 1e-12 => "less than 1e-12".into(),
        Some(p) => format!("about {p:.1e}"),
        None => "not known".into(),
    };
    format!(
        "states may have been taken for others and left out; the probability that one was is {probability}; to be \
         sure, ask with --store shared"
    )
}

pub(crate) fn bug(what: &dyn fmt::Display) -> String {
    format!("this is a bug in dwell: {what}; the verdict is withheld. Please report it with the model")
}

fn stopped(stop: Stop, plan: &Plan) -> String {
    match stop {
        Stop::Timeout if plan.abstraction == Abstraction::None => {
            "out of time; exact zones may go on for ever: try another --abstraction, or a longer --timeout"
                .into()
        }
        Stop::Timeout => "out of time; try a longer --timeout".into(),
        Stop::Memory => {
            let smaller = match plan.store {
                StoreName::SharedMinimal => "",
                StoreName::Shared => "--store shared-minimal, ",
                _ => "--store shared, ",
            };
            format!("out of memory; try {smaller}--spill DIR, or a larger --memory")
        }
        Stop::Cancelled => "interrupted".into(),
        Stop::TableFull if plan.table.skip_when_full => format!(
            "the table of --store {} is full, and states that are not remembered come again and again; \
             give it a larger size",
            plan.store.name()
        ),
        Stop::Pinned => {
            "out of memory: what must stay there (hash tables, the waiting list) is more than --memory \
                         alone; try a larger one"
                .into()
        }
        Stop::Disk(kind) => format!("cannot write to the folder of --spill: {kind}"),
        Stop::TableFull => format!(
            "the table of --store {} is full; give it a larger size, or let it go on without storing more \
             (--store {0}:SIZE,BITS,skip)",
            plan.store.name()
        ),
        Stop::Visits => "as many states as may be were visited".into(),
        Stop::Answered | Stop::Elsewhere => "answered by other means".into(),
    }
}

fn overflowed(plan: &Plan) -> String {
    let advice = match plan.abstraction {
        Abstraction::None | Abstraction::ALu => {
            "exact zones grow without limit where clocks run away: try --abstraction extra-lu+"
        }
        _ => "scale the model's time unit down",
    };
    format!("a bound on a clock difference grew beyond 32 bits; {advice}")
}

/// A run-time error in words.
pub fn explain(error: &RuntimeError, network: &Network) -> String {
    match error.kind {
        RuntimeErrorKind::OutOfRange { var, value } => {
            let var = &network.vars[var.index()];
            format!("{value} is assigned to {}, whose range is {} to {}", var.name, var.min, var.max)
        }
        RuntimeErrorKind::BadIndex { index, low: 0, len } => {
            format!("index {index} is outside an array of {len}")
        }
        RuntimeErrorKind::BadIndex { index, low, len } => {
            let last = i64::from(low) + i64::from(len) - 1;
            format!("index {index} is outside an array with indices {low} to {last}")
        }
        RuntimeErrorKind::ValueOutOfRange { value, min, max } => {
            format!("the value {value} is outside the range {min} to {max}")
        }
        RuntimeErrorKind::BadShift { count } => format!("a shift by {count}; 0 to 31 are possible"),
        RuntimeErrorKind::NegativeExponent => "a negative exponent".into(),
        RuntimeErrorKind::AssertionFailed => "an assertion does not hold".into(),
        RuntimeErrorKind::DivisionByZero => "division by zero".into(),
        RuntimeErrorKind::Overflow => "a result does not fit into 32 bits".into(),
        RuntimeErrorKind::NegativeClock { value } => format!("a clock is set to {value}, below zero"),
        RuntimeErrorKind::Endless => format!("an update takes more than {MAX_PROGRAM_STEPS} operations"),
        RuntimeErrorKind::TooManyMoves => format!("a state has more than {MAX_MOVES} ways to synchronise"),
    }
}
