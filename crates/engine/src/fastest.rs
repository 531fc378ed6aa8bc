//! `--trace fastest`: the search has one more clock, which is never reset.
//!
//! States are taken by the least time of their zones, so the first that meets
//! the goal then is the fastest (Behrmann, Fehnker, Hune, Larsen, Pettersson,
//! Romijn: *Efficient guiding towards cost-optimality in UPPAAL*, TACAS 2001,
//! with time for cost). What the search says is compared with the earliest
//! schedule of the moves it found: the two must agree.

use crate::run::bug;
use dwell_check::{End, LeastTime, Trace, rebuild_fastest};
use dwell_explore::rank::goal_time;
use dwell_model::System;
use dwell_model::analysis::ClockFacts;
use dwell_semantics::Transitions;

/// A system with the time as its last clock.
pub(crate) struct Timed {
    pub system: System,
    pub facts: ClockFacts,
}

impl Timed {
    pub fn new(system: &System, facts: &ClockFacts) -> Self {
        Self { system: system.with_time(), facts: facts.with_exact(system.time()) }
    }

    /// The index of the time in zones.
    pub fn clock(&self) -> usize {
        self.system.zone_dimension() - 1
    }

    /// The fastest run that takes these moves, which the search has found to
    /// be one of `rank`.
    pub fn run(
        &self,
        system: &System,
        transitions: &Transitions,
        initial: u32,
        moves: &[u32],
        end: End<'_>,
        rank: i64,
    ) -> Result<(Trace, LeastTime), String> {
        let (trace, least) = rebuild_fastest(system, transitions, &self.system, initial, moves, end)
            .map_err(|error| bug(&error))?;
        let (time, attained) = goal_time(rank);
        if least != (LeastTime { time, attained }) {
            return Err(bug(&format!(
                "a run takes {least:?}, the search found {time}, attained: {attained}"
            )));
        }
        Ok((trace, least))
    }
}
