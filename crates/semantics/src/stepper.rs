//! One symbolic step at a time, on exact zones.
//!
//! This is the paper's *Expand*: it makes successors without a list to put
//! them in. Traces are remade with it, and the closedness of a finished
//! passed list is checked with it.

use crate::{Conjunction, Discrete, Moves, Participant, Scratch, Transitions, ZoneFault, ZoneSystem, fire};
use dwell_model::expr::RuntimeError;
use dwell_model::{LocationId, System};
use dwell_zones::{Bound, Zone};

/// A symbolic state, delay included.
#[derive(Clone, Debug)]
pub struct SymbolicState<B: Bound> {
    /// Locations and variables.
    pub discrete: Discrete,
    /// Clock values.
    pub zone: Zone<B>,
}

/// Steps through a system.
#[derive(Clone, Copy, Debug)]
pub struct Stepper<'s, B: Bound> {
    /// What is stepped through.
    pub system: &'s System,
    /// Its moves.
    pub transitions: &'s Transitions,
    /// Its clock constraints.
    pub zones: &'s ZoneSystem<B>,
}

impl<B: Bound> Stepper<'_, B> {
    /// Every combination of initial locations, in the order in which the
    /// exploration numbers them.
    pub fn initial_locations(&self) -> impl Iterator<Item = Vec<LocationId>> {
        initial_locations(self.system)
    }

    /// The state that starts at `locations`, if its invariants hold.
    pub fn initial(&self, locations: &[LocationId]) -> Result<Option<SymbolicState<B>>, ZoneFault> {
        let mut discrete = Discrete::new(self.system);
        discrete.start(self.system, locations);
        if !discrete.invariants_hold(self.system)? {
            return Ok(None);
        }
        let mut zone = Zone::new(self.system.zone_dimension());
        self.zones.start(self.system, &mut zone)?;
        self.enter(SymbolicState { discrete, zone })
    }

    /// The moves that the discrete part of `state` enables.
    pub fn moves(&self, state: &SymbolicState<B>) -> Result<Moves, RuntimeError> {
        let mut moves = Moves::default();
        let mut scratch = Scratch::default();
        self.transitions.enabled(self.system, &mut state.discrete.clone(), &mut moves, &mut scratch)?;
        Ok(moves)
    }

    /// The state after a move and the delay that follows it, if any.
    pub fn step(
        &self,
        state: &SymbolicState<B>,
        participants: &[Participant],
    ) -> Result<Option<SymbolicState<B>>, ZoneFault> {
        let mut next = state.clone();
        let mut resets = Vec::new();
        if !fire(self.system, &state.discrete, participants, &mut next.discrete, &mut resets)? {
            return Ok(None);
        }
        let mut from = state.discrete.clone();
        let mut guards = Conjunction::new(next.zone.dim());
        self.zones.guards(self.system, &mut from, participants, &mut guards)?;
        if !guards.apply(&mut next.zone)? {
            return Ok(None);
        }
        self.zones.reset(&resets, &mut next.zone)?;
        self.enter(next)
    }

    fn enter(&self, mut state: SymbolicState<B>) -> Result<Option<SymbolicState<B>>, ZoneFault> {
        let delay =
            self.transitions.delay_allowed(self.system, &mut state.discrete, &mut Scratch::default())?;
        let mut invariants = Conjunction::new(state.zone.dim());
        self.zones.invariants(self.system, &mut state.discrete, &mut invariants)?;
        let open = self.zones.enter(&invariants, delay, &mut state.zone)?;
        Ok(open.then_some(state))
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
