//! Properties of states: the engine against the region oracle.
//!
//! P-1 `E<> f` is satisfied iff the oracle reaches a state where f holds, and
//!     `A[] not f` iff it does not; with a reachable run-time error the engine
//!     may meet that first.
//! P-2 A state that was found comes with a trace that the oracle replays to a
//!     state where the formula holds.
//! D-2 and D-5 of [`differential`](crate::differential) hold too.

use crate::differential::{Comparison, Tally, caught, reason, replayed};
use crate::plans::Choice;
use dwell_engine::{Model, Question, Report, TraceKind, Verdict};
use dwell_model::Network;
use dwell_model::property::{Formula, Property};
use dwell_oracle::{RegionGraph, Replay, Step};

/// A formula and the network it is about, with the functions made for it.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The network of the model, perhaps with functions and locals added.
    pub network: Network,
    /// The formula. It evaluates without errors.
    pub formula: Formula,
}

/// Where the engine's answers under `choice` to `E<> f` and `A[] not f` depart
/// from the oracle's, if they do. `network` is that of the model; the graph
/// was explored with the formula.
pub fn disagreement(
    network: &Network,
    asked: &Asked,
    oracle: &RegionGraph<'_>,
    choice: &Choice,
    tally: &mut Tally,
) -> Option<String> {
    let formula = &asked.formula;
    let reachable = oracle.reaches(formula).expect("the graph was explored with the formula");
    caught(|| {
        let model = &Model::from_network(network.clone())?;
        let mut comparison = Comparison { model, oracle, choice, tally };
        for (property, if_reached) in [
            (Property::Possibly(formula.clone()), Verdict::Satisfied),
            (Property::Invariantly { violation: formula.clone() }, Verdict::NotSatisfied),
        ] {
            let question = Question::property(model, "random", property, &asked.network);
            let plan = choice.plan(model, &question)?;
            let report = comparison.ask(&question, &dwell_engine::Plan { trace: TraceKind::Some, ..plan });
            comparison.property(&report, asked, reachable, if_reached)?;
        }
        Ok(())
    })
}

impl Comparison<'_> {
    /// P-1 and P-2.
    fn property(
        &mut self,
        report: &Report,
        asked: &Asked,
        reachable: bool,
        if_reached: Verdict,
    ) -> Result<(), String> {
        let is_answer = matches!(report.verdict, Verdict::Satisfied | Verdict::NotSatisfied);
        match report.verdict {
            Verdict::Unknown if self.may_be_open(report) => self.tally.open += 1,
            Verdict::Error => return self.error(report),
            verdict if is_answer && reachable && verdict == if_reached => {
                let steps = witness(report, asked)?;
                self.tally.answers += 1;
                self.tally.satisfied += 1;
                self.tally.steps += steps;
            }
            verdict if is_answer && !reachable && verdict != if_reached && self.oracle.failure.is_none() => {
                self.tally.answers += 1;
            }
            verdict => {
                return Err(format!(
                    "P-1: {verdict:?} ('{}'), reachable for the oracle: {reachable}, its failure: {:?}",
                    reason(report),
                    self.oracle.failure
                ));
            }
        }
        Ok(())
    }
}

/// P-2; the length of the trace.
fn witness(report: &Report, asked: &Asked) -> Result<u64, String> {
    let trace = report.trace.as_ref().ok_or("P-2: found without a trace")?;
    replayed(&asked.network, trace)?;
    let broken = |e: &dyn std::fmt::Display| format!("P-2: {e}");
    let mut replay = Replay::start(&asked.network, &trace.states[0].locations).map_err(|e| broken(&e))?;
    for step in &trace.steps {
        let step = Step { delay: step.delay, participants: step.participants.clone() };
        replay.step(&step).map_err(|e| broken(&e))?;
    }
    match replay.holds(&asked.formula) {
        Ok(true) => Ok(trace.steps.len() as u64),
        Ok(false) => Err("P-2: the formula does not hold at the end of the trace".to_owned()),
        Err(e) => Err(broken(&e)),
    }
}
