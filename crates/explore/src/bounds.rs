//! Clock bounds at a location vector.

use dwell_model::analysis::{ClockFacts, LocationBounds};
use dwell_zones::{Bound, LuBounds};

/// L and U per location vector: the maximum over the processes of the bounds
/// at their locations, or one pair for the whole network.
#[derive(Clone, Debug)]
pub struct BoundsMap {
    /// `local[process][location]`: zone index, L, U; empty when global.
    local: Vec<Vec<Vec<Entry>>>,
    global: Vec<Entry>,
}

type Entry = (u16, Option<i32>, Option<i32>);

fn entries(bounds: &LocationBounds) -> Vec<Entry> {
    bounds.clocks.iter().map(|&(clock, l, u)| (clock.0 as u16 + 1, l, u)).collect()
}

impl BoundsMap {
    /// Bounds per location.
    pub fn local(facts: &ClockFacts) -> Self {
        let local = facts.local.iter().map(|p| p.iter().map(entries).collect()).collect();
        Self { local, global: Vec::new() }
    }

    /// One bound per clock.
    pub fn global(facts: &ClockFacts) -> Self {
        Self { local: Vec::new(), global: entries(&facts.global) }
    }

    /// The bounds at `locations`.
    #[inline]
    pub fn at<B: Bound>(&self, locations: &[u32], bounds: &mut LuBounds<B>) {
        bounds.clear();
        raise(&self.global, bounds);
        for (process, &location) in self.local.iter().zip(locations) {
            raise(&process[location as usize], bounds);
        }
    }
}

#[inline(always)]
fn raise<B: Bound>(entries: &[Entry], bounds: &mut LuBounds<B>) {
    for &(x, lower, upper) in entries {
        // No comparison uses a constant above the limit (the run would stop),
        // so a bound above it may be lowered to it.
        if let Some(lower) = lower {
            bounds.raise_lower(x.into(), lower.min(B::MAX_CONSTANT));
        }
        if let Some(upper) = upper {
            bounds.raise_upper(x.into(), upper.min(B::MAX_CONSTANT));
        }
    }
}
