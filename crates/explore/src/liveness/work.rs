//! Memory of a search.

use super::effects::Effect;
use crate::countdown::Countdown;
use dwell_model::System;
use dwell_model::code::ClockReset;
use dwell_semantics::{Conjunction, Discrete, Moves, Scratch, Workspace};
use dwell_zones::{Bound, LuBounds, Zone, compact};
use std::time::Instant;

/// The state at hand and its successor; one for the whole search.
pub(super) struct Work<B: Bound> {
    pub from: Discrete,
    pub to: Discrete,
    pub zone: Zone<B>,
    /// `zone` before moves with priorities took parts of it.
    pub whole: Zone<B>,
    pub next: Zone<B>,
    pub universe: Zone<B>,
    pub moves: Moves,
    pub scratch: Scratch,
    pub resets: Vec<ClockReset>,
    pub invariants: Conjunction<B>,
    pub constraints: Conjunction<B>,
    pub bounds: LuBounds<B>,
    pub active: Vec<u16>,
    pub words: Vec<u64>,
    pub cells: Vec<B>,
    pub space: Workspace<B>,
    /// Zones to keep away from in the state at hand.
    pub avoid: Vec<Zone<B>>,
    /// To the next look at the limits.
    pub countdown: Countdown,
    /// What the move at hand does to clocks.
    pub effect: Effect,
    /// When the memory was looked at last.
    pub reported: Instant,
}

impl<B: Bound> Work<B> {
    pub fn new(system: &System) -> Self {
        let dim = system.zone_dimension();
        let mut universe = Zone::new(dim);
        universe.set_universe();
        Self {
            from: Discrete::new(system),
            to: Discrete::new(system),
            zone: Zone::new(dim),
            whole: Zone::new(dim),
            next: Zone::new(dim),
            universe,
            moves: Moves::default(),
            scratch: Scratch::default(),
            resets: Vec::new(),
            invariants: Conjunction::new(dim),
            constraints: Conjunction::new(dim),
            bounds: LuBounds::new(dim),
            active: Vec::with_capacity(dim),
            words: vec![0; system.layout.words()],
            cells: vec![B::INF; compact::compact_len(dim)],
            space: Workspace::new(system),
            avoid: Vec::new(),
            countdown: Countdown::default(),
            effect: Effect::default(),
            reported: Instant::now(),
        }
    }
}
