//! What the loop works with: made once, so that a successor allocates nothing.

use super::choice::Choice;
use crate::chains::Chains;
use dwell_base::limits::Stop;
use dwell_model::System;
use dwell_model::code::ClockReset;
use dwell_semantics::{Conjunction, Discrete, Scratch, Workspace};
use dwell_zones::{Bound, LuBounds, Zone, compact};
use std::time::Instant;

/// The state being made; one for the whole run.
pub(super) struct Work<B: Bound> {
    pub from: Discrete,
    pub from_active: Vec<u16>,
    /// Its zone as it was stored; only the first cells count.
    pub from_cells: Vec<B>,
    /// Position of each clock in `from_active`; dead entries mean nothing.
    pub from_rank: Vec<u16>,
    pub from_invariants: Conjunction<B>,
    pub to: Discrete,
    pub zone: Zone<B>,
    pub bounds: LuBounds<B>,
    pub active: Vec<u16>,
    pub resets: Vec<ClockReset>,
    pub scratch: Scratch,
    pub constraints: Conjunction<B>,
    pub words: Vec<u64>,
    pub cells: Vec<B>,
    /// Entering a state may give several zones.
    pub splits: bool,
    pub space: Workspace<B>,
    /// Where states may be passed through.
    pub chains: Option<Box<Chains<B>>>,
    /// How many the move at hand has led through.
    pub passed: u64,
    /// Moves tell `space` where they can be taken.
    pub tells: bool,
    /// Of zones stored since the last look at the memory.
    pub unchecked_bytes: usize,
    /// When that was.
    pub reported: Instant,
    /// What is to be done when the state is finished.
    pub pause: Option<Pause>,
    /// Why the run is to stop when it has been written down by another worker.
    pub stopping: Option<Stop>,
    /// Where not all states are stored.
    pub choice: Choice,
}

/// A run is written down between two states; then it goes on or stops.
#[derive(Clone, Copy)]
pub(super) enum Pause {
    GoOn,
    Stop(Stop),
}

impl<B: Bound> Work<B> {
    pub fn new(system: &System) -> Self {
        let dim = system.zone_dimension();
        Self {
            from: Discrete::new(system),
            from_active: Vec::with_capacity(dim),
            from_cells: vec![B::INF; compact::compact_len(dim)],
            from_rank: vec![0; dim],
            from_invariants: Conjunction::new(dim),
            to: Discrete::new(system),
            zone: Zone::new(dim),
            bounds: LuBounds::new(dim),
            active: Vec::with_capacity(dim),
            resets: Vec::new(),
            scratch: Scratch::default(),
            constraints: Conjunction::new(dim),
            words: vec![0; system.layout.words()],
            cells: vec![B::INF; compact::compact_len(dim)],
            splits: false,
            space: Workspace::new(system),
            chains: None,
            passed: 0,
            tells: false,
            unchecked_bytes: 0,
            reported: Instant::now(),
            pause: None,
            stopping: None,
            choice: Choice::default(),
        }
    }
}
