//! For `--trace fastest`: arriving later is never better, so a zone may be
//! closed upwards in the time.
//!
//! The time is a clock that is never reset nor compared. Closed upwards, a
//! state that can be reached earlier includes one that can be reached later,
//! and inclusion is the cover that keeps the earliest. Bounds from below, which
//! tell the least time for given values of the other clocks, stay; by
//! Dickson's lemma only finitely many zones are not included in earlier ones.

use super::Extrapolate;
use dwell_zones::{Bound, LuBounds, Zone};

/// Another extrapolation, then no upper bound on one clock.
#[derive(Clone, Copy, Debug)]
pub struct Forgiving<E> {
    /// The other one. Must leave `clock` as it is: give it the largest bounds.
    pub inner: E,
    /// The index of the time in the zones.
    pub clock: usize,
}

impl<B: Bound, E: Extrapolate<B>> Extrapolate<B> for Forgiving<E> {
    fn widen(&self, zone: &mut Zone<B>, bounds: &LuBounds<B>) {
        self.inner.widen(zone, bounds);
        zone.free_above(self.clock);
    }
}
