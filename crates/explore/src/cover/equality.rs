//! `--cover equality`: a state is dropped for an equal one only. For comparison.

use super::Cover;
use crate::ZoneStore;
use dwell_zones::{Bound, LuBounds, Relation};

/// Equality of zones.
#[derive(Clone, Copy, Debug, Default)]
pub struct Equality;

impl<B: Bound> Cover<B> for Equality {
    const CELLWISE: bool = true;

    #[inline]
    fn compare(&self, new: &[B], old: &[B], _active: &[u16], _bounds: &LuBounds<B>) -> Relation {
        if new == old { Relation::Equal } else { Relation::Incomparable }
    }
    #[inline]
    fn compare_stored<Z: ZoneStore<B> + ?Sized>(
        &self,
        new: &[B],
        (zones, old): (&Z, u32),
        _active: &[u16],
        _bounds: &LuBounds<B>,
        _scratch: &mut [B],
    ) -> Relation {
        if zones.is_equal(new, old) { Relation::Equal } else { Relation::Incomparable }
    }
}
