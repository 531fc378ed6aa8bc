//! Clock bounds at a location vector.

use dwell_model::LocationTable;
use dwell_model::analysis::{ClockFacts, LocationBounds};
use dwell_zones::{Bound, ClockWords, LuBounds};

/// L and U per location vector: the maximum over the processes of the bounds
/// at their locations, or one pair for the whole network.
///
/// A bound above the largest constant of the width is cut to that: no
/// comparison uses a larger one, or the run stops.
#[derive(Clone, Debug)]
pub struct BoundsMap<B> {
    local: LocationTable<(u16, ClockWords<B>)>,
    global: Vec<(u16, ClockWords<B>)>,
}

fn entries<B: Bound>(bounds: &LocationBounds) -> Vec<(u16, ClockWords<B>)> {
    bounds.clocks.iter().map(|&(clock, l, u)| (clock.0 as u16 + 1, ClockWords::new(l, u))).collect()
}

impl<B: Bound> BoundsMap<B> {
    /// Bounds per location.
    pub fn local(facts: &ClockFacts) -> Self {
        let lists = facts.local.iter().map(|p| p.iter().map(entries));
        Self { local: LocationTable::filled(lists, (1, ClockWords::new(None, None))), global: Vec::new() }
    }

    /// One bound per clock.
    pub fn global(facts: &ClockFacts) -> Self {
        let none: [[Vec<_>; 0]; 0] = [];
        Self { local: LocationTable::new(none), global: entries(&facts.global) }
    }

    /// The bounds at `locations`.
    #[inline]
    pub fn at(&self, locations: &[u32], bounds: &mut LuBounds<B>) {
        bounds.clear();
        for &(x, words) in &self.global {
            bounds.raise(x.into(), words);
        }
        self.local.for_each(locations, |&(x, words)| bounds.raise(x.into(), words));
    }
}
