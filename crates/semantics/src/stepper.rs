//! One symbolic step at a time, on exact zones.
//!
//! This is the paper's *Expand*: it makes successors without a list to put
//! them in. Traces are remade with it, and the closedness of a finished
//! passed list is checked with it.

use crate::{
    Conjunction, Discrete, Moves, Participant, Scratch, Transitions, Workspace, ZoneFault, ZoneSystem, fire,
};
use dwell_model::expr::RuntimeError;
use dwell_model::{LocationId, System};
use dwell_zones::{Bound, Zone};

/// A symbolic state, delay included.
#[derive(Clone, Debug)]
pub struct SymbolicState<B: Bound> {
    /// Locations and variables.
    pub discrete: Discrete,
    /// The clock values on arrival.
    pub entry: Zone<B>,
    /// The clock values, delay included.
    pub zone: Zone<B>,
    /// No time passes.
    pub frozen: bool,
}

/// Steps through a system. Where a step has several outcomes that no single
/// zone describes ([`Stepper::stays`], [`Stepper::turns`]), each is a state.
#[derive(Debug)]
pub struct Stepper<'s, B: Bound> {
    /// What is stepped through.
    pub system: &'s System,
    /// Its moves.
    pub transitions: &'s Transitions,
    /// Its clock constraints.
    pub zones: &'s ZoneSystem<B>,
}

// Derived copies would want bounds that can be copied in a zone system.
impl<B: Bound> Clone for Stepper<'_, B> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<B: Bound> Copy for Stepper<'_, B> {}

impl<B: Bound> Stepper<'_, B> {
    /// Every combination of initial locations, in the order in which the
    /// exploration numbers them.
    pub fn initial_locations(&self) -> impl Iterator<Item = Vec<LocationId>> {
        initial_locations(self.system)
    }

    /// The states that start at `locations`; none if invariants do not hold.
    pub fn initial(&self, locations: &[LocationId]) -> Result<Vec<SymbolicState<B>>, ZoneFault> {
        let Some((discrete, zone)) = self.start(locations)? else { return Ok(Vec::new()) };
        self.enter(&discrete, &zone, &[])
    }

    /// The clock values at `locations` before time has passed, if the
    /// variables satisfy the invariants.
    pub fn start(&self, locations: &[LocationId]) -> Result<Option<(Discrete, Zone<B>)>, ZoneFault> {
        let mut discrete = Discrete::new(self.system);
        discrete.start(self.system, locations);
        if !discrete.invariants_hold(self.system)? {
            return Ok(None);
        }
        let mut zone = Zone::new(self.system.zone_dimension());
        self.zones.start(self.system, &mut zone)?;
        Ok(Some((discrete, zone)))
    }

    /// The moves that the discrete part of `state` enables.
    pub fn moves(&self, state: &SymbolicState<B>) -> Result<Moves, RuntimeError> {
        let mut moves = Moves::default();
        let mut scratch = Scratch::default();
        self.transitions.enabled(self.system, &mut state.discrete.clone(), &mut moves, &mut scratch)?;
        Ok(moves)
    }

    /// The states after a move and the delay that follows it.
    pub fn step(
        &self,
        state: &SymbolicState<B>,
        participants: &[Participant],
    ) -> Result<Vec<SymbolicState<B>>, ZoneFault> {
        let mut states = Vec::new();
        for zone in self.unblocked(state, participants)? {
            let Some((to, landed)) = self.land(&state.discrete, &zone, participants)? else { continue };
            states.extend(self.enter(&to, &landed, &[])?);
        }
        Ok(states)
    }

    /// The parts of a state's zone where no move blocks this one.
    pub fn unblocked(
        &self,
        state: &SymbolicState<B>,
        participants: &[Participant],
    ) -> Result<Vec<Zone<B>>, ZoneFault> {
        if !self.transitions.has_priorities() {
            return Ok(vec![state.zone.clone()]);
        }
        let moves = self.moves(state)?;
        let mut work = Workspace::new(self.system);
        let mut turns = self.turns(&mut state.discrete.clone(), &state.zone, &moves, &mut work)?.into_iter();
        let turn = turns.find(|turn| turn.moves.iter().any(|&m| moves.get(m as usize) == participants));
        Ok(turn.map_or(Vec::new(), |turn| turn.zones))
    }

    /// The discrete state after a move from `zone` and the clock values on
    /// arrival, target invariants on clocks not yet applied.
    pub fn land(
        &self,
        from: &Discrete,
        zone: &Zone<B>,
        participants: &[Participant],
    ) -> Result<Option<(Discrete, Zone<B>)>, ZoneFault> {
        let mut to = from.clone();
        let mut resets = Vec::new();
        if !fire(self.system, from, participants, &mut to, &mut resets)? {
            return Ok(None);
        }
        let mut zone = zone.clone();
        let mut guards = Conjunction::new(zone.dim());
        self.zones.guards(self.system, &mut from.clone(), participants, &mut guards)?;
        if !guards.apply(&mut zone)? {
            return Ok(None);
        }
        self.zones.reset(&resets, &mut zone)?;
        Ok(Some((to, zone)))
    }

    /// The stays in a state that begin in `zone` and avoid some zones.
    pub fn enter(
        &self,
        discrete: &Discrete,
        zone: &Zone<B>,
        avoid: &[Zone<B>],
    ) -> Result<Vec<SymbolicState<B>>, ZoneFault> {
        let stays = self.stays(&mut discrete.clone(), zone, avoid)?.into_iter();
        let state = |stay: crate::Stay<B>| SymbolicState {
            discrete: discrete.clone(),
            entry: stay.entry,
            zone: stay.exit,
            frozen: stay.frozen,
        };
        Ok(stays.map(state).collect())
    }
}

/// Every combination of initial locations, the last process varying fastest.
pub fn initial_locations(system: &System) -> impl Iterator<Item = Vec<LocationId>> {
    let choices: Vec<&[LocationId]> = system.network.processes.iter().map(|p| p.initial.as_slice()).collect();
    let mut digits = choices.iter().all(|c| !c.is_empty()).then(|| vec![0; choices.len()]);
    std::iter::from_fn(move || {
        let current = digits.take()?;
        let mut next = current.clone();
        for at in (0..next.len()).rev() {
            next[at] += 1;
            if next[at] < choices[at].len() {
                digits = Some(next);
                break;
            }
            next[at] = 0;
        }
        Some(current.iter().zip(&choices).map(|(&d, c)| c[d]).collect())
    })
}
