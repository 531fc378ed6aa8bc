//! Traces: the path an exploration found, remade on exact zones, with one
//! concrete run that the oracle has replayed.

use crate::concrete::Schedule;
use dwell_model::{CompiledFormula, Constraint, EdgeId, LabelId, LocationId, ProcessId, System};
use dwell_oracle::{Rational, Replay, Step};
use dwell_semantics::{
    FormulaTest, Participant, Role, Scratch, Stepper, SymbolicState, Transitions, ZoneSystem,
    initial_locations,
};
use dwell_zones::{Bound, MinimalGraph, Zone};
use std::fmt;

/// A run of the network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// One more than there are steps.
    pub states: Vec<TraceState>,
    /// What led from each state to the next.
    pub steps: Vec<TraceStep>,
}

/// A state of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceState {
    /// Location of each process.
    pub locations: Vec<LocationId>,
    /// Value of each variable.
    pub vars: Vec<i32>,
    /// The clock values possible here on this path, delay included, as the
    /// fewest constraints that say so; empty when they exceed 32 bits.
    pub zone: Vec<String>,
    /// The clock values of the concrete run on arrival.
    pub clocks: Vec<Rational>,
}

/// A step of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceStep {
    /// How long the run waits first.
    pub delay: Rational,
    /// Who moves, with which edge; nobody in a last step that only waits for
    /// what was asked to become true.
    pub participants: Vec<(ProcessId, EdgeId)>,
}

/// What must hold at the end of a run.
#[derive(Clone, Copy, Debug)]
pub enum End<'a> {
    /// Anything.
    Anywhere,
    /// All these labels are carried.
    Labels(&'a [LabelId]),
    /// The formula holds.
    Formula(&'a CompiledFormula),
}

/// A trace that could not be remade or did not replay: a bug of ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceError(String);

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TraceError {}

fn bug(message: impl Into<String>) -> TraceError {
    TraceError(message.into())
}

/// Remakes the run that starts in initial state number `initial` and takes
/// the moves with these numbers, and replays it.
pub fn rebuild(
    system: &System,
    transitions: &Transitions,
    initial: u32,
    path: &[u32],
    end: End<'_>,
) -> Result<Trace, TraceError> {
    let start =
        initial_locations(system).nth(initial as usize).ok_or_else(|| bug("no such initial state"))?;
    let moves = moves_of(system, transitions, &start, path)?;
    let (zones, witness) = zones_of(system, transitions, &start, &moves, end)?;
    let times = times_of(system, transitions, &start, &moves, witness.as_ref())?;

    let mut steps = Vec::new();
    for i in 0..times.len() - 1 {
        let delay = times[i + 1].checked_sub(times[i]).map_err(|_| bug("a delay has too many digits"))?;
        let participants = moves.get(i).map(|participants| named(participants)).unwrap_or_default();
        if !participants.is_empty() || !delay.is_zero() {
            steps.push(TraceStep { delay, participants });
        }
    }
    let states = replayed(system, &start, &steps, zones, end)?;
    Ok(Trace { states, steps })
}

/// The zones of a path, each as its constraints.
type ZoneTexts = Vec<Vec<String>>;

/// A formula and the constraints that make it true at the end.
struct Witness<'a> {
    formula: &'a CompiledFormula,
    constraints: Vec<Constraint>,
}

/// The participants of move number `index` of the state at the end of a path.
pub fn next_move(
    system: &System,
    transitions: &Transitions,
    initial: u32,
    path: &[u32],
    index: u32,
) -> Option<Vec<(ProcessId, EdgeId)>> {
    let start = initial_locations(system).nth(initial as usize)?;
    let moves = moves_of(system, transitions, &start, path).ok()?;
    let mut state = dwell_semantics::Discrete::new(system);
    state.start(system, &start);
    let mut next = state.clone();
    for participants in &moves {
        dwell_semantics::fire(system, &state, participants, &mut next, &mut Vec::new()).ok()?;
        std::mem::swap(&mut state, &mut next);
    }
    let mut enabled = dwell_semantics::Moves::default();
    transitions.enabled(system, &mut state, &mut enabled, &mut Scratch::default()).ok()?;
    ((index as usize) < enabled.len()).then(|| named(enabled.get(index as usize)))
}

fn named(participants: &[Participant]) -> Vec<(ProcessId, EdgeId)> {
    let takes = participants.iter().filter(|p| p.role == Role::Takes);
    takes.map(|p| (ProcessId(p.process), EdgeId(p.edge))).collect()
}

/// The participants of the numbered moves.
fn moves_of(
    system: &System,
    transitions: &Transitions,
    start: &[LocationId],
    path: &[u32],
) -> Result<Vec<Vec<Participant>>, TraceError> {
    let mut state = dwell_semantics::Discrete::new(system);
    state.start(system, start);
    let mut next = state.clone();
    let mut enabled = dwell_semantics::Moves::default();
    let mut result = Vec::new();
    for &index in path {
        transitions
            .enabled(system, &mut state, &mut enabled, &mut Scratch::default())
            .map_err(|_| bug("a state on the path fails"))?;
        if index as usize >= enabled.len() {
            return Err(bug("a move on the path does not exist"));
        }
        let participants = enabled.get(index as usize).to_vec();
        match dwell_semantics::fire(system, &state, &participants, &mut next, &mut Vec::new()) {
            Ok(true) => std::mem::swap(&mut state, &mut next),
            _ => return Err(bug("a move on the path is impossible")),
        }
        result.push(participants);
    }
    Ok(result)
}

fn times_of(
    system: &System,
    transitions: &Transitions,
    start: &[LocationId],
    moves: &[Vec<Participant>],
    witness: Option<&Witness<'_>>,
) -> Result<Vec<Rational>, TraceError> {
    let no_schedule = || bug("the path found on abstract zones has no concrete run");
    let mut state = dwell_semantics::Discrete::new(system);
    state.start(system, start);
    let mut schedule = Schedule::new(system, transitions, &mut state).ok_or_else(no_schedule)?;
    for participants in moves {
        schedule.step(transitions, &mut state, participants).ok_or_else(no_schedule)?;
    }
    if let Some(witness) = witness {
        // Where the code of the formula looks for locations.
        state.reserve(witness.formula.code.registers());
        let test = FormulaTest::new(witness.formula);
        test.discrete(&mut state).map_err(|_| bug("the formula fails at the end of the path"))?;
        let until = schedule.until(&witness.constraints, &witness.formula.code, &mut state);
        until.ok_or_else(no_schedule)?;
    }
    let mut times = schedule.solve().ok_or_else(no_schedule)?;
    if witness.is_none() {
        times.pop(); // the stay in the last state may be cut short
    }
    Ok(times)
}

/// Exact zones along the path, as text, and how the formula asked for becomes
/// true at its end; no zones when a bound leaves 32 bits.
fn zones_of<'a>(
    system: &System,
    transitions: &Transitions,
    start: &[LocationId],
    moves: &[Vec<Participant>],
    end: End<'a>,
) -> Result<(Option<ZoneTexts>, Option<Witness<'a>>), TraceError> {
    let wide = || bug("the zones of the path do not fit 32 bits");
    let Ok(zones) = ZoneSystem::<i32>::new(system) else { return Err(wide()) };
    let stepper = Stepper { system, transitions, zones: &zones };
    let along = || -> Option<(ZoneTexts, SymbolicState<i32>)> {
        let mut state = stepper.initial(start).ok()??;
        let mut graph = MinimalGraph::with_capacity(system.zone_dimension());
        let mut result = vec![describe(system, &state.zone, &mut graph)];
        for participants in moves {
            state = stepper.step(&state, participants).ok()??;
            result.push(describe(system, &state.zone, &mut graph));
        }
        Some((result, state))
    };
    let (mut texts, last) = along().unzip();
    let End::Formula(formula) = end else { return Ok((texts, None)) };
    if formula.is_discrete() {
        return Ok((texts, None));
    }
    let mut last = last.ok_or_else(wide)?;
    last.discrete.reserve(formula.code.registers());
    let test = FormulaTest::new(formula);
    let failed = |_| bug("the formula fails at the end of the path");
    let failed_zone = |_| bug("the formula fails at the end of the path");
    test.discrete(&mut last.discrete).map_err(failed)?;
    let constraints = test.witness(&mut last.discrete, &last.zone).map_err(failed_zone)?;
    let constraints = constraints.ok_or_else(|| bug("the formula does not hold at the end of the path"))?;
    test.restrict(&constraints, &mut last.discrete, &mut last.zone).map_err(failed_zone)?;
    if let Some(texts) = &mut texts {
        let mut graph = MinimalGraph::with_capacity(system.zone_dimension());
        texts.push(describe(system, &last.zone, &mut graph));
    }
    Ok((texts, Some(Witness { formula, constraints })))
}

/// A closed, non-empty zone as the fewest constraints that say it.
pub fn zone_constraints(system: &System, zone: &Zone<i32>) -> Vec<String> {
    describe(system, zone, &mut MinimalGraph::with_capacity(zone.dim()))
}

fn describe(system: &System, zone: &Zone<i32>, graph: &mut MinimalGraph<i32>) -> Vec<String> {
    let name = |i: u16| system.network.clocks[i as usize - 1].name.as_str();
    graph.reduce(zone);
    let constraint = |&(i, j, bound): &(u16, u16, i32)| {
        let c = bound.constant();
        let (less, greater) = if bound.is_strict() { ("<", ">") } else { ("<=", ">=") };
        match (i, j) {
            (0, j) => format!("{}{greater}{}", name(j), -c),
            (i, 0) => format!("{}{less}{c}", name(i)),
            (i, j) => format!("{}-{}{less}{c}", name(i), name(j)),
        }
    };
    graph.edges().iter().map(constraint).collect()
}

/// Only what the oracle has replayed is shown.
fn replayed(
    system: &System,
    start: &[LocationId],
    steps: &[TraceStep],
    zones: Option<ZoneTexts>,
    end: End<'_>,
) -> Result<Vec<TraceState>, TraceError> {
    let failed = |e: dwell_oracle::ReplayError| bug(format!("the oracle does not accept the run: {e:?}"));
    let mut zones = zones.unwrap_or_else(|| vec![Vec::new(); steps.len() + 1]).into_iter();
    let network = match end {
        End::Formula(formula) => formula.network.as_deref(),
        End::Anywhere | End::Labels(_) => None,
    };
    let mut replay = Replay::start(network.unwrap_or(&system.network), start).map_err(failed)?;
    let mut states = Vec::new();
    let mut show = |replay: &Replay<'_>| {
        let state = replay.state();
        states.push(TraceState {
            locations: state.discrete.locations.clone(),
            vars: state.discrete.vars.clone(),
            zone: zones.next().unwrap_or_default(),
            clocks: state.clocks.clone(),
        });
    };
    show(&replay);
    for step in steps {
        let step = Step { delay: step.delay, participants: step.participants.clone() };
        replay.step(&step).map_err(failed)?;
        show(&replay);
    }
    let reached = match end {
        End::Anywhere => true,
        End::Labels(labels) => replay.ends_with_labels(labels),
        End::Formula(formula) => {
            replay.holds(&formula.formula).map_err(|e| bug(format!("the oracle cannot tell: {e:?}")))?
        }
    };
    if !reached {
        return Err(bug("the run does not end in what was asked for"));
    }
    Ok(states)
}
