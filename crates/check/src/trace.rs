//! Traces: the path an exploration found, remade on exact zones, with one
//! concrete run that the oracle has replayed.

use crate::concrete::{LeastTime, Moment, Pace, Schedule};
use crate::constraints::{ZoneConstraint, constraints};
use crate::path::{Leg, Part, follow, moves_of, where_holds};
use crate::timing::Timing;
use dwell_model::{CompiledFormula, EdgeId, LabelId, LocationId, ProcessId, System};
use dwell_oracle::{Rational, Replay, Step};
use dwell_semantics::{
    Delay, Discrete, Participant, Role, Scratch, Stepper, Transitions, ZoneFault, ZoneSystem,
    initial_locations,
};
use dwell_zones::{MinimalGraph, Zone};
use std::fmt;

/// A run of the network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// One more than there are steps.
    pub states: Vec<TraceState>,
    /// What led from each state to the next.
    pub steps: Vec<TraceStep>,
    /// What comes after them.
    pub after: After,
    /// When its moves can be taken; `None` for runs that go on for ever, those
    /// that were made by hand, and very long ones.
    pub timing: Option<Timing>,
}

impl Trace {
    /// The state that an endless run returns to from the last one.
    pub fn loop_at(&self) -> Option<usize> {
        match self.after {
            After::Loop(at) => Some(at),
            After::Open | After::TimePasses | After::Deadlock => None,
        }
    }
}

/// What comes after the last state of a trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum After {
    /// The trace does not say: it has shown what was asked for.
    #[default]
    Open,
    /// The steps from this state on, again and again: the last state is like
    /// it.
    Loop(usize),
    /// Time passes for ever.
    TimePasses,
    /// Nothing: no move can be taken any more, however long one waits.
    Deadlock,
}

/// A state of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceState {
    /// Location of each process.
    pub locations: Vec<LocationId>,
    /// Value of each variable.
    pub vars: Vec<i32>,
    /// The clock values possible here on this path, delay included, as the
    /// fewest constraints that say so; `None` when they exceed 32 bits.
    pub zone: Option<Vec<ZoneConstraint>>,
    /// The clock values of the concrete run on arrival.
    pub clocks: Vec<Rational>,
}

/// A step of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceStep {
    /// How long the run waits first.
    pub delay: Rational,
    /// Who moves, with which edge; nobody in a step that only waits for what
    /// was asked to become true.
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

pub(crate) fn bug(message: impl Into<String>) -> TraceError {
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
    remake(system, transitions, (initial, path), end, false).map(|(trace, _)| trace)
}

/// The same, as fast as these moves can be and ending as soon as it can, and
/// how long that takes.
pub fn rebuild_fastest(
    system: &System,
    transitions: &Transitions,
    initial: u32,
    path: &[u32],
    end: End<'_>,
) -> Result<(Trace, LeastTime), TraceError> {
    remake(system, transitions, (initial, path), end, true)
}

/// Ends of a path that are tried when looking for the fastest.
const MAX_ENDS: usize = 256;

fn remake(
    system: &System,
    transitions: &Transitions,
    (initial, path): (u32, &[u32]),
    end: End<'_>,
    fastest: bool,
) -> Result<(Trace, LeastTime), TraceError> {
    let locations =
        initial_locations(system).nth(initial as usize).ok_or_else(|| bug("no such initial state"))?;
    // With the time as a clock, parts that are left at different times stay apart.
    let timed = fastest.then(|| system.with_time());
    let stepped = timed.as_ref().unwrap_or(system);
    let mut start = Discrete::new(stepped);
    start.start(stepped, &locations);
    let moves = moves_of(stepped, transitions, &start, path);
    let moves = moves.ok_or_else(|| bug("a move on the path does not exist"))?;
    let wide = |_| bug("the zones of the path do not fit 32 bits");
    let zones = ZoneSystem::<i32>::new(stepped).map_err(wide)?;
    let stepper = Stepper { system: stepped, transitions, zones: &zones };
    let way = Way { model: system, stepper, start: &start, moves: &moves, has_time: fastest };
    let runs = match way.ends(end, if fastest { MAX_ENDS } else { 1 }) {
        Ok(ends) => ends.iter().filter_map(|end| way.timed(end, fastest)).collect(),
        // Without zones, if nothing depends on them.
        Err(ZoneFault::Overflow) => Vec::from_iter(way.untold(end).and_then(|end| way.timed(&end, fastest))),
        Err(_) => return Err(bug("the path fails on exact zones")),
    };
    let best = if fastest { runs.into_iter().min_by_key(Run::key) } else { runs.into_iter().next() };
    let run = best.ok_or_else(|| bug("the path found on abstract zones has no concrete run"))?;
    let states = replayed(system, &locations, &run.steps, run.zones, end)?;
    Ok((Trace { states, steps: run.steps, after: After::Open, timing: run.timing }, run.least))
}

/// A path that is to become a run.
struct Way<'p> {
    /// Without the time as a clock.
    model: &'p System,
    stepper: Stepper<'p, i32>,
    start: &'p Discrete,
    moves: &'p [Vec<Participant>],
    /// The last clock is the time.
    has_time: bool,
}

/// A way through the parts of a path.
struct Ended {
    /// One for the start and for each move; none where zones are too wide.
    parts: Option<Vec<Part>>,
    /// Where in the last part the path ends; on arrival if not said.
    last: Option<Zone<i32>>,
}

/// A path with times.
struct Run {
    steps: Vec<TraceStep>,
    zones: Option<ZonesOfPath>,
    least: LeastTime,
    timing: Option<Timing>,
}

impl Run {
    /// Earlier is better, and attained better than not.
    fn key(&self) -> (i64, bool) {
        (self.least.time, !self.least.attained)
    }
}

impl Way<'_> {
    /// The ways to end the path, up to `limit`.
    fn ends(&self, end: End<'_>, limit: usize) -> Result<Vec<Ended>, ZoneFault> {
        let Stepper { system, zones, .. } = self.stepper;
        let mut zone = Zone::new(system.zone_dimension());
        zones.start(system, &mut zone)?;
        let legs: Vec<Leg<'_>> = self.moves.iter().map(|m| Leg::Move(m.clone(), None)).collect();
        let layers = follow(self.stepper, (self.start, &zone), None, &legs)?;
        let mut ends = Vec::new();
        for (at, part) in layers[layers.len() - 1].iter().enumerate() {
            let lasts = match end {
                End::Formula(formula) if !formula.is_discrete() => {
                    let zone = Some(&part.state.zone);
                    let parts = where_holds(self.stepper, formula, &part.state.discrete, zone)?;
                    parts.into_iter().map(Some).collect()
                }
                _ => vec![None],
            };
            let lasts = lasts.into_iter().take(limit - ends.len());
            ends.extend(lasts.map(|last| Ended { parts: Some(chain(&layers, at)), last }));
        }
        Ok(ends)
    }

    /// The end without zones, where none are needed to tell how to get there.
    fn untold(&self, end: End<'_>) -> Option<Ended> {
        let needed = matches!(end, End::Formula(formula) if !formula.is_discrete());
        (!needed && !self.careful()).then_some(Ended { parts: None, last: None })
    }

    /// Whether zones say more about a run than guards and invariants do.
    fn careful(&self) -> bool {
        self.stepper.transitions.has_priorities() || self.stepper.stays_split()
    }

    fn timed(&self, end: &Ended, fastest: bool) -> Option<Run> {
        let moment = if end.last.is_some() { Moment::EndOfStay } else { Moment::Arrival };
        let pace = if fastest { Pace::Earliest(moment) } else { Pace::Readable };
        let mut state = self.start.clone();
        let mut schedule = Schedule::new(self.stepper.system, &mut state, self.frozen(end, 0, self.start))?;
        self.within(end, 0, &mut schedule);
        for (i, participants) in self.moves.iter().enumerate() {
            let frozen = self.frozen_after(end, i + 1, &state, participants)?;
            schedule.step(&mut state, participants, frozen)?;
            self.within(end, i + 1, &mut schedule);
        }
        if let Some(zone) = &end.last {
            schedule.leave_from(zone);
        }
        let timing = schedule.timing(self.model, moment);
        let (mut times, least) = schedule.solve(pace)?;
        if end.last.is_none() {
            times.pop(); // the stay in the last state may be cut short
        }
        let steps = steps_of(&times, self.moves)?;
        let zones = end.parts.as_ref().map(|parts| self.zones(parts, end.last.as_ref()));
        Some(Run { steps, zones, least, timing })
    }

    fn frozen_after(&self, end: &Ended, i: usize, from: &Discrete, moved: &[Participant]) -> Option<bool> {
        let mut next = from.clone();
        dwell_semantics::fire(self.stepper.system, from, moved, &mut next, &mut Vec::new()).ok()?;
        Some(self.frozen(end, i, &next))
    }

    fn frozen(&self, end: &Ended, i: usize, state: &Discrete) -> bool {
        match &end.parts {
            Some(parts) => parts[i].state.frozen,
            None => {
                let Stepper { system, transitions, .. } = self.stepper;
                transitions.delay(system, &mut state.clone(), &mut Scratch::default()) != Ok(Delay::Free)
            }
        }
    }

    /// Keeps the run in its parts, where those say more than guards and
    /// invariants.
    fn within(&self, end: &Ended, i: usize, schedule: &mut Schedule<'_>) {
        let Some(parts) = end.parts.as_ref().filter(|_| self.careful()) else { return };
        keep_within(parts, i, schedule);
    }

    fn zones(&self, parts: &[Part], last: Option<&Zone<i32>>) -> ZonesOfPath {
        let mut graph = MinimalGraph::with_capacity(self.stepper.system.zone_dimension());
        let zones = parts.iter().map(|part| &part.state.zone).chain(last);
        let shown = |zone: &Zone<i32>| {
            let mut zone = zone.clone();
            if self.has_time {
                zone.free(zone.dim() - 1);
            }
            constraints(&zone, &mut graph)
        };
        zones.map(shown).collect()
    }
}

/// Keeps the run in part `i` on arrival, and where the next leg starts.
pub(crate) fn keep_within(parts: &[Part], i: usize, schedule: &mut Schedule<'_>) {
    schedule.arrive_in(&parts[i].state.entry);
    schedule.leave_from(&parts[i].state.zone);
    if let Some((_, zone)) = parts.get(i + 1).and_then(|next| next.from.as_ref()) {
        schedule.leave_from(zone);
    }
}

/// The parts that lead to part `at` of the last layer.
pub(crate) fn chain(layers: &[Vec<Part>], at: usize) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut at = Some(at);
    for layer in layers.iter().rev() {
        let Some(part) = at.and_then(|at| layer.get(at)) else { break };
        at = part.from.as_ref().map(|(before, _)| *before);
        parts.push(part.clone());
    }
    parts.reverse();
    parts
}

/// Steps from times; waiting at the end is left out if it takes no time.
fn steps_of(times: &[Rational], moves: &[Vec<Participant>]) -> Option<Vec<TraceStep>> {
    let mut steps = Vec::new();
    for i in 0..times.len() - 1 {
        let delay = times[i + 1].checked_sub(times[i]).ok()?;
        let participants = moves.get(i).map(|participants| named(participants)).unwrap_or_default();
        if !participants.is_empty() || !delay.is_zero() {
            steps.push(TraceStep { delay, participants });
        }
    }
    Some(steps)
}

/// The zones of a path, each as its constraints.
type ZonesOfPath = Vec<Vec<ZoneConstraint>>;

/// The participants of move number `index` of the state at the end of a path.
pub fn next_move(
    system: &System,
    transitions: &Transitions,
    initial: u32,
    path: &[u32],
    index: u32,
) -> Option<Vec<(ProcessId, EdgeId)>> {
    let start = initial_locations(system).nth(initial as usize)?;
    let mut state = Discrete::new(system);
    state.start(system, &start);
    let moves = moves_of(system, transitions, &state, path)?;
    let mut next = state.clone();
    for participants in &moves {
        dwell_semantics::fire(system, &state, participants, &mut next, &mut Vec::new()).ok()?;
        std::mem::swap(&mut state, &mut next);
    }
    let mut enabled = dwell_semantics::Moves::default();
    transitions.enabled(system, &mut state, &mut enabled, &mut Scratch::default()).ok()?;
    ((index as usize) < enabled.len()).then(|| named(enabled.get(index as usize)))
}

pub(crate) fn named(participants: &[Participant]) -> Vec<(ProcessId, EdgeId)> {
    let takes = participants.iter().filter(|p| p.role == Role::Takes);
    takes.map(|p| (ProcessId(p.process), EdgeId(p.edge))).collect()
}

/// Only what the oracle has replayed is shown.
fn replayed(
    system: &System,
    start: &[LocationId],
    steps: &[TraceStep],
    zones: Option<ZonesOfPath>,
    end: End<'_>,
) -> Result<Vec<TraceState>, TraceError> {
    let failed = |e: dwell_oracle::ReplayError| bug(format!("the oracle does not accept the run: {e:?}"));
    let mut zones = zones.into_iter().flatten();
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
            zone: zones.next(),
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
