//! The engine against the region oracle, one network and one choice of
//! options at a time.
//!
//! D-1 Without run-time errors the stored discrete states are the oracle's, but for
//!     the values of variables that the plan forgets.
//! D-2 A run-time error is reachable for both or for neither.
//! D-3 A set of labels is carried by a reachable state for both or neither;
//!     with a reachable error the engine may meet it first.
//! D-4 What is satisfied comes with a trace that the oracle replays to a state
//!     that carries the labels; an error with a trace to where it happens.
//! D-5 Only a choice that need not end may leave a question open.

use crate::plans::Choice;
use dwell_engine::limits::Limits;
use dwell_engine::{
    Control, Model, Plan, Question, Report, StoredState, Trace, TraceKind, Verdict, check, stored_states,
};
use dwell_model::{LabelId, LocationId, Network};
use dwell_oracle::{Discrete, RegionGraph, Step, carries_labels, replay};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// How long a choice that need not end may take.
const PATIENCE: Duration = Duration::from_millis(15);

/// What was compared, to tell a test that tests from one that only runs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Sets of discrete states.
    pub spaces: u64,
    /// Label questions with an answer.
    pub answers: u64,
    /// Of these, satisfied ones, each with a replayed trace.
    pub satisfied: u64,
    /// Steps of all these traces.
    pub steps: u64,
    /// Run-time errors on both sides.
    pub errors: u64,
    /// Questions left open by choices that need not end.
    pub open: u64,
}

/// Where the engine under `choice` departs from the oracle, if it does. A
/// panic of the engine is a departure too.
pub fn disagreement(
    network: &Network,
    oracle: &RegionGraph<'_>,
    choice: &Choice,
    tally: &mut Tally,
) -> Option<String> {
    caught(|| Comparison { model: &Model::from_network(network.clone())?, oracle, choice, tally }.run())
}

/// What went wrong, a panic included.
pub(crate) fn caught(compare: impl FnOnce() -> Result<(), String>) -> Option<String> {
    match catch_unwind(AssertUnwindSafe(compare)) {
        Ok(result) => result.err(),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            Some(format!("panic: {}", text.unwrap_or("of an unknown kind")))
        }
    }
}

/// The engine and the oracle on one network.
pub(crate) struct Comparison<'a> {
    pub model: &'a Model,
    pub oracle: &'a RegionGraph<'a>,
    pub choice: &'a Choice,
    pub tally: &'a mut Tally,
}

impl Comparison<'_> {
    fn run(&mut self) -> Result<(), String> {
        let plan = self.choice.plan(self.model, &Question::space())?;
        self.space(&plan)?;
        let traced = Plan { trace: TraceKind::Some, ..plan };
        label_sets(self.model.network()).iter().try_for_each(|labels| self.labels(&traced, labels))
    }

    pub(crate) fn ask(&self, question: &Question, plan: &Plan) -> Report {
        let deadline = (!self.choice.ends()).then(|| Instant::now() + PATIENCE);
        let limits = Limits { deadline, ..Limits::default() };
        check(self.model, question, plan, Control { limits, observer: None })
    }

    /// D-5.
    pub(crate) fn may_be_open(&self, report: &Report) -> bool {
        report.verdict == Verdict::Unknown && !self.choice.ends() && !reason(report).contains("bug")
    }

    fn space(&mut self, plan: &Plan) -> Result<(), String> {
        // Only what ends is explored without limits.
        if !self.choice.ends() || self.oracle.failure.is_some() {
            let report = self.ask(&Question::space(), plan);
            if self.may_be_open(&report) {
                self.tally.open += 1;
                return Ok(());
            }
            if report.verdict == Verdict::Error {
                return self.error(&report);
            }
            if let Some(failure) = &self.oracle.failure {
                return Err(format!("D-2: state space {:?}, but the oracle: {failure:?}", report.verdict));
            }
        }
        let stored = stored_states(self.model, plan)
            .map_err(|why| format!("D-2, D-5: {why}, but the oracle finds no failure"))?;
        let discrete = |s: StoredState| Discrete {
            locations: s.locations.into_iter().map(LocationId).collect(),
            vars: s.vars,
        };
        let ours: BTreeSet<Discrete> = stored.into_iter().map(discrete).collect();
        self.tally.spaces += 1;
        let theirs = as_known(plan, self.model.network(), &self.oracle.discrete);
        let some = !self.choice.stores_all() && ours.is_subset(&theirs);
        if some || ours == theirs {
            return Ok(());
        }
        let only = |a: &BTreeSet<Discrete>, b| format!("{:?}", a.difference(b).next());
        let (a, b) = (&ours, &theirs);
        Err(format!("D-1: only the engine reaches {}, only the oracle {}", only(a, b), only(b, a)))
    }

    /// D-2 and D-4 for an engine that reports an error.
    pub(crate) fn error(&mut self, report: &Report) -> Result<(), String> {
        let network = self.model.network();
        if report.failure.is_none() || reason(report).contains("bug") {
            return Err(format!("D-4: an error without a failure: {}", reason(report)));
        }
        match &report.trace {
            Some(trace) => drop(replayed(network, trace)?),
            // An error in entering an initial state has no way to it.
            None if report.stats.visited == 0 => {}
            // Found in time, but not found again in time with the way to it.
            None if !self.choice.ends() => {}
            None => return Err(format!("D-4: no trace to the error '{}'", reason(report))),
        }
        if self.oracle.failure.is_none() {
            return Err(format!("D-2: the engine reports '{}', the oracle no failure", reason(report)));
        }
        self.tally.errors += 1;
        Ok(())
    }

    fn labels(&mut self, plan: &Plan, labels: &[LabelId]) -> Result<(), String> {
        let network = self.model.network();
        let names: Vec<&str> = labels.iter().map(|l| network.labels[l.index()].as_str()).collect();
        let question = Question::labels(self.model, &names)?;
        let report = self.ask(&question, plan);
        let reachable = self.oracle.reaches_labels(labels);
        match report.verdict {
            Verdict::Unknown if self.may_be_open(&report) => self.tally.open += 1,
            Verdict::Satisfied if reachable => {
                let trace = report.trace.as_ref().ok_or("D-4: satisfied without a trace")?;
                let last = replayed(network, trace)?;
                if !carries_labels(network, &last.locations, labels) {
                    return Err(format!("D-4: the trace for {labels:?} ends in {last:?}"));
                }
                self.tally.answers += 1;
                self.tally.satisfied += 1;
                self.tally.steps += trace.steps.len() as u64;
            }
            Verdict::NotSatisfied if !reachable && self.oracle.failure.is_none() => self.tally.answers += 1,
            Verdict::Error => return self.error(&report),
            verdict => {
                return Err(format!(
                    "D-3: labels {labels:?} {verdict:?} ({:?}), reachable for the oracle: {reachable}, \
                     its failure: {:?}",
                    report.why, self.oracle.failure
                ));
            }
        }
        Ok(())
    }
}

/// States as an exploration knows them: variables that its plan forgets where
/// they are have their initial values.
pub fn as_known(plan: &Plan, network: &Network, states: &BTreeSet<Discrete>) -> BTreeSet<Discrete> {
    let Some(facts) = &plan.variables else { return states.clone() };
    let known = |state: &Discrete| {
        let mut state = state.clone();
        for (i, &slot) in facts.slots.iter().enumerate() {
            let is_live = facts.live.iter().any(|(process, masks)| {
                let location = state.locations[*process as usize].index();
                masks[location * facts.words + i / 64] >> (i % 64) & 1 == 1
            });
            if !is_live {
                state.vars[slot as usize] = network.vars[slot as usize].init;
            }
        }
        state
    };
    states.iter().map(known).collect()
}

pub(crate) fn reason(report: &Report) -> &str {
    report.why.as_deref().unwrap_or_default()
}

/// Every label, every pair of labels.
fn label_sets(network: &Network) -> Vec<Vec<LabelId>> {
    let all: Vec<LabelId> = (0..network.labels.len()).map(LabelId::new).collect();
    let pairs = all.iter().enumerate().flat_map(|(i, &a)| all[..i].iter().map(move |&b| vec![a, b]));
    all.iter().map(|&label| vec![label]).chain(pairs).collect()
}

/// Replays a trace and compares what it says of itself; where it ends.
pub fn replayed(network: &Network, trace: &Trace) -> Result<Discrete, String> {
    if trace.states.len() != trace.steps.len() + 1 {
        return Err(format!("D-4: {} states, {} steps", trace.states.len(), trace.steps.len()));
    }
    let steps: Vec<Step> =
        trace.steps.iter().map(|s| Step { delay: s.delay, participants: s.participants.clone() }).collect();
    let states = replay(network, &trace.states[0].locations, &steps)
        .map_err(|e| format!("D-4: the trace does not replay: {e}"))?;
    for (i, (shown, state)) in trace.states.iter().zip(&states).enumerate() {
        let agree = shown.locations == state.discrete.locations
            && shown.vars == state.discrete.vars
            && shown.clocks == state.clocks;
        if !agree {
            return Err(format!(
                "D-4: state {i} of the trace is shown as {shown:?} and replays as {state:?}"
            ));
        }
    }
    Ok(states.last().expect("one more than steps").discrete.clone())
}
