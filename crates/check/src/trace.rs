//! Traces: the path an exploration found, remade on exact zones, with one
//! concrete run that the oracle has replayed.

use crate::concrete::Schedule;
use dwell_model::{EdgeId, LabelId, LocationId, ProcessId, System};
use dwell_oracle::{Rational, Replay, Step};
use dwell_semantics::{Participant, Stepper, SymbolicState, Transitions, ZoneSystem, initial_locations};
use dwell_zones::{Bound, MinimalGraph};
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
    /// Who moves, with which edge.
    pub participants: Vec<(ProcessId, EdgeId)>,
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
/// the moves with these numbers, and replays it. At the end all of `labels`
/// must be carried.
pub fn rebuild(
    system: &System,
    transitions: &Transitions,
    initial: u32,
    path: &[u32],
    labels: &[LabelId],
) -> Result<Trace, TraceError> {
    let start =
        initial_locations(system).nth(initial as usize).ok_or_else(|| bug("no such initial state"))?;
    let moves = moves_of(system, transitions, &start, path)?;
    let times = times_of(system, transitions, &start, &moves)?;
    let zones = zones_of(system, transitions, &start, &moves);

    let mut steps = Vec::new();
    for (i, participants) in moves.iter().enumerate() {
        let delay = times[i + 1].checked_sub(times[i]).map_err(|_| bug("a delay has too many digits"))?;
        steps.push(TraceStep { delay, participants: named(participants) });
    }
    let states = replayed(system, &start, &steps, zones, labels)?;
    Ok(Trace { states, steps })
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
    transitions.enabled(system, &mut state, &mut enabled).ok()?;
    ((index as usize) < enabled.len()).then(|| named(enabled.get(index as usize)))
}

fn named(participants: &[Participant]) -> Vec<(ProcessId, EdgeId)> {
    participants.iter().map(|p| (ProcessId(p.process), EdgeId(p.edge))).collect()
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
            .enabled(system, &mut state, &mut enabled)
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
) -> Result<Vec<Rational>, TraceError> {
    let no_schedule = || bug("the path found on abstract zones has no concrete run");
    let mut state = dwell_semantics::Discrete::new(system);
    state.start(system, start);
    let mut schedule = Schedule::new(system, transitions, &mut state).ok_or_else(no_schedule)?;
    for participants in moves {
        schedule.step(transitions, &mut state, participants).ok_or_else(no_schedule)?;
    }
    schedule.solve().ok_or_else(no_schedule)
}

/// Exact zones along the path, as text; none when a bound leaves 32 bits.
fn zones_of(
    system: &System,
    transitions: &Transitions,
    start: &[LocationId],
    moves: &[Vec<Participant>],
) -> Option<Vec<Vec<String>>> {
    let zones = ZoneSystem::<i32>::new(system).ok()?;
    let stepper = Stepper { system, transitions, zones: &zones };
    let mut state = stepper.initial(start).ok()??;
    let mut graph = MinimalGraph::with_capacity(system.zone_dimension());
    let mut result = vec![describe(system, &state, &mut graph)];
    for participants in moves {
        state = stepper.step(&state, participants).ok()??;
        result.push(describe(system, &state, &mut graph));
    }
    Some(result)
}

fn describe(system: &System, state: &SymbolicState<i32>, graph: &mut MinimalGraph<i32>) -> Vec<String> {
    let name = |i: u16| system.network.clocks[i as usize - 1].name.as_str();
    graph.reduce(&state.zone);
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
    zones: Option<Vec<Vec<String>>>,
    labels: &[LabelId],
) -> Result<Vec<TraceState>, TraceError> {
    let failed = |e: dwell_oracle::ReplayError| bug(format!("the oracle does not accept the run: {e:?}"));
    let mut zones = zones.unwrap_or_else(|| vec![Vec::new(); steps.len() + 1]).into_iter();
    let mut replay = Replay::start(&system.network, start).map_err(failed)?;
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
    if !replay.ends_with_labels(labels) {
        return Err(bug("the run does not end in the labels asked for"));
    }
    Ok(states)
}
