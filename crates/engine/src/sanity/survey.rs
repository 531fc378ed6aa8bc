//! What an exploration sees of a model: locations that are reached, edges that
//! are taken, invariants that stop an edge.
//!
//! It is a goal that is never met: the loop shows it every state that is
//! expanded, and need not know about it.
//!
//! SN-1 A location or an edge that no expanded state has, or takes, is never
//!      reached, or taken: the states of a complete exploration simulate all
//!      others.
//! SN-2 An edge is *stopped* where its guard and those of its partners hold and
//!      the invariant of its target does not, once the updates are done. Zones
//!      are widened, so this asks for bounds that are the same in both
//!      directions (`ClockFacts::symmetric`): all clock values of a widened zone
//!      then have the same guards and invariants as some that are reached.
//! SN-3 What fails while running is left to the loop, which stops there.

use dwell_base::limits::Limits;
use dwell_explore::{Goal, Halt, Met, ZoneOf};
use dwell_model::code::{ClockReset, Machine};
use dwell_model::{Network, OutOfRange};
use dwell_semantics::{
    Conjunction, Discrete, Moves, Participant, Role, Scratch, Stepper, SymbolicState, ZoneFault, fire,
};
use dwell_zones::{Bound, Zone};

/// What was seen, by process.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    /// Locations that are reached.
    pub reached: Vec<Vec<bool>>,
    /// Edges that are taken.
    pub taken: Vec<Vec<bool>>,
    /// Edges that the invariant of their target stops somewhere.
    pub stopped: Vec<Vec<bool>>,
}

impl Seen {
    /// Nothing yet.
    pub fn nothing(network: &Network) -> Self {
        let edges: Vec<Vec<bool>> = network.processes.iter().map(|p| vec![false; p.edges.len()]).collect();
        let reached = network.processes.iter().map(|p| vec![false; p.locations.len()]).collect();
        Self { reached, taken: edges.clone(), stopped: edges }
    }
}

/// Notes what it is shown.
pub(super) struct Survey<'s, B: Bound> {
    stepper: Stepper<'s, B>,
    seen: &'s mut Seen,
    /// Looked at between two moves: with many clocks one takes a while.
    limits: Limits,
    /// Edges whose target has an invariant, by process.
    may_stop: Vec<Vec<bool>>,
    state: SymbolicState<B>,
    moves: Moves,
    scratch: Scratch,
    to: Discrete,
    resets: Vec<ClockReset>,
    guards: Conjunction<B>,
    landed: Zone<B>,
}

impl<'s, B: Bound> Survey<'s, B> {
    pub fn new(stepper: Stepper<'s, B>, seen: &'s mut Seen, limits: Limits) -> Self {
        let system = stepper.system;
        let dim = system.zone_dimension();
        let has_invariant = |process: &dwell_model::Process| {
            let invariant = |edge: &dwell_model::Edge| &process.locations[edge.target.index()].invariant;
            let limited = process.edges.iter().map(invariant);
            limited.map(|limit| !limit.clocks.is_empty() || !limit.discrete.is_empty()).collect()
        };
        let state = SymbolicState {
            discrete: Discrete::new(system),
            entry: Zone::new(dim),
            zone: Zone::new(dim),
            frozen: false,
        };
        Self {
            stepper,
            seen,
            limits,
            may_stop: system.network.processes.iter().map(has_invariant).collect(),
            state,
            moves: Moves::default(),
            scratch: Scratch::default(),
            to: Discrete::new(system),
            resets: Vec::new(),
            guards: Conjunction::new(dim),
            landed: Zone::new(dim),
        }
    }

    fn is_new(&self, p: &Participant) -> bool {
        !self.seen.taken[p.process as usize][p.edge as usize]
    }

    fn may_be_stopped(&self, p: &Participant) -> bool {
        let (process, edge) = (p.process as usize, p.edge as usize);
        self.may_stop[process][edge] && !self.seen.stopped[process][edge]
    }

    /// One move of `self.state`.
    fn look(&mut self, participants: &[Participant]) -> Result<(), ZoneFault> {
        let takes = || participants.iter().filter(|p| p.role == Role::Takes);
        if takes().any(|p| self.may_be_stopped(p)) {
            self.look_for_stops(participants)?;
        }
        if takes().any(|p| self.is_new(p)) && !self.stepper.step(&self.state, participants)?.is_empty() {
            takes().for_each(|p| self.seen.taken[p.process as usize][p.edge as usize] = true);
        }
        Ok(())
    }

    /// SN-2
    fn look_for_stops(&mut self, participants: &[Participant]) -> Result<(), ZoneFault> {
        let Stepper { system, zones, .. } = self.stepper;
        let from = &mut self.state.discrete;
        self.guards.clear();
        zones.guards(system, from, participants, &mut self.guards)?;
        self.landed.copy_from(&self.state.zone);
        if !self.guards.apply(&mut self.landed)? {
            return Ok(());
        }
        let fired = fire(system, from, participants, &mut self.to, &mut self.resets)?;
        if !fired && system.network.out_of_range == OutOfRange::Disable {
            return Ok(()); // perhaps for that reason
        }
        zones.reset(&self.resets, &mut self.landed)?;
        for p in participants.iter().filter(|p| p.role == Role::Takes) {
            if self.may_be_stopped(p) && self.is_stopped(p.process as usize)? {
                self.seen.stopped[p.process as usize][p.edge as usize] = true;
            }
        }
        Ok(())
    }

    /// Whether the invariant of a process is false somewhere in `self.landed`.
    fn is_stopped(&mut self, process: usize) -> Result<bool, ZoneFault> {
        let Stepper { system, zones, .. } = self.stepper;
        let location = self.to.locations[process] as usize;
        if let Some(code) = system.processes[process].locations[location].invariant.discrete
            && !Machine::new(&system.code).holds(code, &mut self.to.registers)?
        {
            return Ok(true);
        }
        for invariant in zones.invariants_of(system, &mut self.to, process)? {
            let mut outside = Conjunction::new(self.landed.dim());
            outside.add(invariant.negated());
            if outside.apply(&mut self.landed.clone())? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl<B: Bound> Goal<B> for Survey<'_, B> {
    fn met(&mut self, state: &mut Discrete, zone: ZoneOf<'_, B>) -> Result<Met, Halt> {
        for (reached, &location) in self.seen.reached.iter_mut().zip(&state.locations) {
            reached[location as usize] = true;
        }
        let Stepper { system, transitions, .. } = self.stepper;
        let mut moves = std::mem::take(&mut self.moves);
        let found = transitions.enabled(system, state, &mut moves, &mut self.scratch);
        let looked = |p: &Participant| p.role == Role::Takes && (self.is_new(p) || self.may_be_stopped(p));
        let new = |&index: &usize| moves.get(index).iter().any(looked);
        let new: Vec<usize> = (0..moves.len()).filter(new).collect();
        if found.is_ok() && !new.is_empty() && zone(&mut self.state.zone)? {
            self.state.discrete.copy_from(state);
            for index in new {
                if let Some(stop) = self.limits.interrupted() {
                    return Err(Halt::Stop(stop));
                }
                match self.look(moves.get(index)) {
                    Ok(()) | Err(ZoneFault::Runtime(_)) => {} // SN-3
                    Err(other) => return Err(other.into()),
                }
            }
        }
        self.moves = moves;
        Ok(Met::No)
    }
}
