//! Runs that go on for ever, as far as they need to be shown.
//!
//! A search on zones says which moves are repeated. That some run repeats them
//! for ever follows from inclusion of zones, but a given run need not be back
//! where it was after one round: it is followed for more and more rounds until
//! two of them start in states that no clock constraint can tell apart. From
//! there the run repeats, and the oracle has seen it do so.

use crate::concrete::{Pace, Schedule};
use crate::constraints::{ZoneConstraint, constraints};
use crate::path::{Leg, Part, follow, moves_of, where_holds};
use crate::trace::{After, Trace, TraceError, TraceState, TraceStep, bug, chain, keep_within, named};
use dwell_model::property::Formula;
use dwell_model::{CompiledFormula, LocationId, Network, System};
use dwell_oracle::{Rational, State, Step, replay_maximal};
use dwell_semantics::{
    Discrete, Participant, Stepper, Transitions, Workspace, ZoneFault, ZoneSystem, initial_locations,
};
use dwell_zones::{Bound, MinimalGraph, Zone};

/// Moves after which no more rounds are tried.
const MOST_MOVES: usize = 1 << 13;

/// Rounds of which every pair is compared.
const FEW_ROUNDS: usize = 8;

/// A run as a search found it.
#[derive(Clone, Copy, Debug)]
pub struct Forever<'p> {
    /// Number of the initial state.
    pub initial: u32,
    /// Moves to where the run starts that is asked for.
    pub prefix: &'p [u32],
    /// What holds at some moment of the state after them, where it starts; at
    /// the very beginning if not said.
    pub start: Option<&'p CompiledFormula>,
    /// Its moves.
    pub moves: &'p [u32],
    /// Those from here on are repeated; else it ends where nothing happens or
    /// only time passes.
    pub loop_at: Option<usize>,
    /// What it keeps away from.
    pub avoid: &'p CompiledFormula,
    /// What holds all along.
    pub always: &'p Formula,
}

/// Remakes such a run and replays it.
pub fn rebuild_forever(
    system: &System,
    transitions: &Transitions,
    forever: &Forever<'_>,
) -> Result<Trace, TraceError> {
    let locations = initial_locations(system)
        .nth(forever.initial as usize)
        .ok_or_else(|| bug("no such initial state"))?;
    let mut start = Discrete::new(system);
    start.start(system, &locations);
    let zones =
        ZoneSystem::<i32>::new(system).map_err(|_| bug("the zones of the path do not fit 32 bits"))?;
    let stepper = Stepper { system, transitions, zones: &zones };
    let way = Way { stepper, start: &start, locations: &locations, forever };
    let Some(at) = forever.loop_at else { return way.run(1).and_then(|run| way.replayed(run)) };
    let round = forever.moves.len() - at;
    let mut rounds = 1;
    loop {
        let run = way.run(rounds)?;
        if let Some(trace) = way.closed(&run, at, rounds)? {
            return Ok(trace);
        }
        rounds *= 2;
        if rounds * round > MOST_MOVES {
            return Err(bug("no run was found that comes back to where it was"));
        }
    }
}

struct Way<'p> {
    stepper: Stepper<'p, i32>,
    start: &'p Discrete,
    locations: &'p [LocationId],
    forever: &'p Forever<'p>,
}

/// A run with times.
#[derive(Clone)]
struct Run {
    steps: Vec<TraceStep>,
    zones: Vec<Vec<ZoneConstraint>>,
    after: After,
}

/// Where in a part a run ends, on arrival if not said, and what comes then.
type Ended = (Option<Zone<i32>>, After);

impl Way<'_> {
    /// The network with the functions of the formulas.
    fn network(&self) -> &Network {
        self.forever.avoid.network.as_deref().unwrap_or(&self.stepper.system.network)
    }

    /// Steps before the run that is asked for.
    fn before(&self) -> usize {
        self.forever.prefix.len() + usize::from(self.forever.start.is_some())
    }

    /// The run with so many rounds.
    fn run(&self, rounds: usize) -> Result<Run, TraceError> {
        let Forever { prefix, start, moves, loop_at, avoid, .. } = *self.forever;
        let Stepper { system, transitions, .. } = self.stepper;
        let (stem, round) = moves.split_at(loop_at.unwrap_or(moves.len()));
        let numbers = [prefix, stem].concat();
        let numbers: Vec<u32> = numbers.into_iter().chain(round.repeat(rounds)).collect();
        let moves = moves_of(system, transitions, self.start, &numbers);
        let moves = moves.ok_or_else(|| bug("a move on the path does not exist"))?;
        let mut legs = Vec::new();
        for (i, participants) in moves.into_iter().enumerate() {
            if i == prefix.len() && start.is_some() {
                legs.push(Leg::Pause(start, avoid));
            }
            let avoid = (i >= prefix.len()).then_some(avoid);
            legs.push(Leg::Move(participants, avoid));
        }
        if start.is_some() && numbers.len() == prefix.len() {
            legs.push(Leg::Pause(start, avoid));
        }
        let mut zone = Zone::new(system.zone_dimension());
        let failed = |_| bug("the path fails on exact zones");
        self.stepper.zones.start(system, &mut zone).map_err(failed)?;
        let from_start = start.is_none().then_some(avoid);
        let layers = follow(self.stepper, (self.start, &zone), from_start, &legs).map_err(failed)?;
        for at in 0..layers[layers.len() - 1].len() {
            let parts = chain(&layers, at);
            let last = &parts[parts.len() - 1];
            let end = match loop_at {
                Some(_) => (None, After::Open),
                None => match self.end(last).map_err(failed)? {
                    Some(end) => end,
                    None => continue,
                },
            };
            return self.timed(&parts, &legs, &end).ok_or_else(|| bug("the path has no concrete run"));
        }
        Err(bug("the run does not go on for ever on exact zones"))
    }

    /// Where in a part a run can end: anywhere if time can pass without end,
    /// or in a deadlock. No end if neither.
    fn end(&self, part: &Part) -> Result<Option<Ended>, ZoneFault> {
        let zone = &part.state.zone;
        if !part.state.frozen && (1..zone.dim()).all(|x| zone.get(x, 0).is_inf()) {
            return Ok(Some((None, After::TimePasses)));
        }
        let avoid = where_holds(self.stepper, self.forever.avoid, &part.state.discrete, None)?;
        let mut work = Workspace::new(self.stepper.system);
        let stuck = self.stepper.stuck(&mut part.state.discrete.clone(), zone, &avoid, &mut work)?;
        Ok(stuck.zones().first().map(|zone| (Some(zone.clone()), After::Deadlock)))
    }

    fn timed(&self, parts: &[Part], legs: &[Leg<'_>], (end, after): &Ended) -> Option<Run> {
        let system = self.stepper.system;
        let mut state = self.start.clone();
        let mut schedule = Schedule::new(system, &mut state, parts[0].state.frozen)?;
        keep_within(parts, 0, &mut schedule);
        for (i, leg) in legs.iter().enumerate() {
            let frozen = parts[i + 1].state.frozen;
            match leg {
                Leg::Move(participants, _) => schedule.step(&mut state, participants, frozen)?,
                Leg::Pause(..) => schedule.stay(&mut state, frozen)?,
            }
            keep_within(parts, i + 1, &mut schedule);
        }
        if let Some(zone) = end {
            schedule.leave_from(zone);
        }
        let (mut times, _) = schedule.solve(Pace::Readable)?;
        if end.is_none() {
            times.pop(); // the stay in the last state is of no interest
        }
        let nobody: &[Participant] = &[];
        let participants = |i: usize| match legs.get(i) {
            Some(Leg::Move(participants, _)) => participants,
            _ => nobody,
        };
        let delay = |i: usize| times[i + 1].checked_sub(times[i]).ok();
        let steps = (0..times.len() - 1)
            .map(|i| Some(TraceStep { delay: delay(i)?, participants: named(participants(i)) }))
            .collect::<Option<_>>()?;
        let mut graph = MinimalGraph::with_capacity(system.zone_dimension());
        let zones = parts.iter().map(|part| &part.state.zone).chain(end);
        let zones = zones.map(|zone| constraints(zone, &mut graph)).collect();
        Some(Run { steps, zones, after: *after })
    }

    /// A trace of the run up to the first round that starts like an earlier one.
    fn closed(&self, run: &Run, at: usize, rounds: usize) -> Result<Option<Trace>, TraceError> {
        let round = self.forever.moves.len() - at;
        let start = |i: usize| self.before() + at + i * round;
        let states = self.replay(&run.steps, None, false)?;
        for last in 1..=rounds {
            for first in (0..last).rev() {
                let same = states[start(first)].clocks == states[start(last)].clocks;
                // Replaying takes a while: of many pairs only the likely ones.
                if !same && first + 1 < last && rounds > FEW_ROUNDS {
                    continue;
                }
                let steps = &run.steps[..start(last)];
                if self.replay(steps, Some(start(first)), true).is_ok() {
                    let after = After::Loop(start(first));
                    let run = Run { steps: steps.to_vec(), zones: run.zones.clone(), after };
                    return self.replayed(run).map(Some);
                }
            }
        }
        Ok(None)
    }

    /// Only what the oracle has replayed is shown.
    fn replayed(&self, mut run: Run) -> Result<Trace, TraceError> {
        let loop_at = match run.after {
            After::Loop(at) => Some(at),
            After::Open | After::TimePasses | After::Deadlock => None,
        };
        let mut states = self.replay(&run.steps, loop_at, true)?;
        // Waiting for no time is not worth a step.
        let pause = self.before().checked_sub(1).filter(|_| self.forever.start.is_some());
        let last = run.steps.len().checked_sub(1).filter(|_| loop_at.is_none());
        for at in [last, pause.filter(|_| pause != last)].into_iter().flatten() {
            let step = &run.steps[at];
            if step.participants.is_empty() && step.delay.is_zero() {
                run.steps.remove(at);
                run.zones.remove(at + 1);
                states.remove(at + 1);
                if let After::Loop(at) = &mut run.after {
                    *at -= 1;
                }
            }
        }
        let mut zones = run.zones.into_iter();
        let shown = |state: State<Vec<Rational>>| TraceState {
            locations: state.discrete.locations,
            vars: state.discrete.vars,
            zone: zones.next(),
            clocks: state.clocks,
        };
        let states = states.into_iter().map(shown).collect();
        Ok(Trace { states, steps: run.steps, after: run.after, timing: None })
    }

    /// Replays steps; as a run that goes on for ever if it is `maximal`.
    fn replay(
        &self,
        steps: &[TraceStep],
        loop_at: Option<usize>,
        maximal: bool,
    ) -> Result<Vec<State<Vec<Rational>>>, TraceError> {
        let step = |step: &TraceStep| Step { delay: step.delay, participants: step.participants.clone() };
        let steps: Vec<Step> = steps.iter().map(step).collect();
        let failed = |e: &dyn std::fmt::Debug| bug(format!("the oracle does not accept the run: {e:?}"));
        if maximal {
            let always = self.forever.always;
            replay_maximal(self.network(), self.locations, &steps, loop_at, self.before(), always)
                .map_err(|e| failed(&e))
        } else {
            dwell_oracle::replay(self.network(), self.locations, &steps).map_err(|e| failed(&e))
        }
    }
}
