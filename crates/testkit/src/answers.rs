//! Whole properties, liveness included: the engine against the region oracle.
//!
//! A-1 `E<>`, `A[]`, `E[]`, `A<>` and `-->` have the oracle's answer. Where a
//!     run-time error is reachable the engine may meet that first.
//! A-2 Where a run explains the answer and was asked for, it comes, and the
//!     oracle replays it: to a state where the formula holds, or for ever.
//! A-3 Only a choice that need not end may leave a question open.
//! A-4 A choice may be refused for a question, with a sentence.

use crate::differential::{caught, reason, replayed};
use crate::plans::Choice;
use dwell_base::Rng;
use dwell_engine::limits::Limits;
use dwell_engine::{Control, Model, Plan, Question, Report, Trace, TraceKind, Verdict, check};
use dwell_model::Network;
use dwell_model::property::{Formula, Property};
use dwell_oracle::{Answer, Replay, Step, replay_maximal};
use std::time::{Duration, Instant};

use crate::random::{Config, formula, two_clocks};

/// How long a choice that need not end may take.
const PATIENCE: Duration = Duration::from_millis(2);

/// What was compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Questions with an answer.
    pub answers: u64,
    /// Of these, those with a run that explains the answer.
    pub found: u64,
    /// Of these, those that the oracle replayed.
    pub replayed: u64,
    /// Of these, runs that end in a loop.
    pub loops: u64,
    /// Run-time errors on both sides.
    pub errors: u64,
    /// Questions left open by choices that need not end.
    pub open: u64,
    /// Choices refused.
    pub refused: u64,
    /// Runs that passed through states.
    pub passing: u64,
}

/// A property of random kind. What holds all along is mostly weak, so that some
/// runs keep to it; now and then they keep away from a conjunction over two
/// clocks, before it or after it.
pub fn property(rng: &mut Rng, config: &Config, network: &Network, kind: usize) -> Property {
    let all_along = |rng: &mut Rng| match rng.below(5) {
        0 => formula(rng, config, network),
        1 => formula(rng, config, network).negated(),
        2 => two_clocks(rng, config, network).unwrap_or_else(|| formula(rng, config, network)).negated(),
        _ => Formula::Or(vec![formula(rng, config, network), formula(rng, config, network)]),
    };
    match kind % 5 {
        0 => Property::Possibly(formula(rng, config, network)),
        1 => Property::Invariantly { violation: formula(rng, config, network) },
        2 => Property::PotentiallyAlways(all_along(rng)),
        3 => Property::Eventually { avoiding: all_along(rng) },
        _ => {
            let start = formula(rng, config, network);
            Property::LeadsTo(start, all_along(rng))
        }
    }
}

/// What a property is about.
pub fn formulas(property: &Property) -> Vec<&Formula> {
    match property {
        Property::Possibly(f) | Property::Invariantly { violation: f } => vec![f],
        Property::PotentiallyAlways(f) | Property::Eventually { avoiding: f } => vec![f],
        Property::LeadsTo(p, not_q) => vec![p, not_q],
        Property::Extremum(_, f, _) => vec![f],
    }
}

/// Where the engine under `choice` departs from the oracle's answer to a
/// property, if it does. The property may use functions that only `whole`
/// has: the network of the model with functions and locals added. The oracle's
/// answer comes with whether a run-time error is reachable.
pub fn disagreement(
    network: &Network,
    whole: &Network,
    property: &Property,
    oracle: (&Answer, bool),
    choice: &Choice,
    trace: TraceKind,
    tally: &mut Tally,
) -> Option<String> {
    caught(|| {
        let model = Model::from_network(network.clone())?;
        let question = Question::property(&model, "random", property.clone(), whole);
        let Ok(plan) = choice.plan(&model, &question) else {
            tally.refused += 1;
            return Ok(());
        };
        let deadline = (!choice.ends()).then(|| Instant::now() + PATIENCE);
        let limits = Limits { deadline, ..Limits::default() };
        let report = check(&model, &question, &Plan { trace, ..plan }, Control { limits, observer: None });
        tally.passing += u64::from(report.stats.chains.passed > 0);
        compare(whole, property, oracle, choice, trace, &report, tally)
    })
}

fn compare(
    network: &Network,
    property: &Property,
    (answer, fails): (&Answer, bool),
    choice: &Choice,
    trace: TraceKind,
    report: &Report,
    tally: &mut Tally,
) -> Result<(), String> {
    let why = reason(report);
    if why.contains("bug") {
        return Err(format!("A-2: {why}"));
    }
    let holds = match (report.verdict, answer) {
        (Verdict::Unknown, _) if !choice.ends() => {
            tally.open += 1;
            return Ok(());
        }
        (Verdict::Error, Answer::Error(_)) => {
            tally.errors += 1;
            return Ok(());
        }
        (Verdict::Error, _) if fails => {
            tally.errors += 1;
            return Ok(());
        }
        (Verdict::Satisfied, Answer::Holds(true)) => true,
        (Verdict::NotSatisfied, Answer::Holds(false)) => false,
        (verdict, _) => {
            return Err(format!("A-1: {verdict:?} ('{why}'), the oracle: {answer:?}, fails: {fails}"));
        }
    };
    tally.answers += 1;
    let explained = matches!(property, Property::Possibly(_) | Property::PotentiallyAlways(_)) == holds;
    tally.found += u64::from(explained);
    if explained && trace != TraceKind::None {
        let run = report.trace.as_ref().ok_or("A-2: no trace")?;
        explains(network, property, run)?;
        tally.replayed += 1;
        tally.loops += u64::from(run.loop_at().is_some());
    }
    Ok(())
}

///
fn explains(network: &Network, property: &Property, trace: &Trace) -> Result<(), String> {
    let start = &trace.states[0].locations;
    let step = |s: &dwell_engine::TraceStep| Step { delay: s.delay, participants: s.participants.clone() };
    let steps: Vec<Step> = trace.steps.iter().map(step).collect();
    let lasts = |from, always: &Formula| {
        replay_maximal(network, start, &steps, trace.loop_at(), from, always).map_err(|e| format!("A-2: {e}"))
    };
    match property {
        Property::Possibly(formula) | Property::Invariantly { violation: formula } => {
            replayed(network, trace)?;
            match holds_after(network, start, &steps, formula)? {
                true => Ok(()),
                false => Err("A-2: the formula does not hold at the end of the trace".to_owned()),
            }
        }
        Property::PotentiallyAlways(always) | Property::Eventually { avoiding: always } => {
            lasts(0, always).map(drop)
        }
        Property::LeadsTo(formula, always) => {
            for from in 0..=steps.len() {
                if holds_after(network, start, &steps[..from], formula)? && lasts(from, always).is_ok() {
                    return Ok(());
                }
            }
            Err("A-2: the run does not start where it should, or does not go on".to_owned())
        }
        Property::Extremum(..) => Ok(()),
    }
}

fn holds_after(
    network: &Network,
    start: &[dwell_model::LocationId],
    steps: &[Step],
    formula: &Formula,
) -> Result<bool, String> {
    let broken = |e: &dyn std::fmt::Display| format!("A-2: {e}");
    let mut replay = Replay::start(network, start).map_err(|e| broken(&e))?;
    for step in steps {
        replay.step(step).map_err(|e| broken(&e))?;
    }
    replay.holds(formula).map_err(|e| broken(&e))
}
