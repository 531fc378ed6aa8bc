//! `--cover inclusion`: a state is dropped for a stored one with a larger zone.

use super::Cover;
use crate::ZoneStore;
use dwell_zones::{Bound, LuBounds, Relation, compact};

/// Plain set inclusion.
#[derive(Clone, Copy, Debug, Default)]
pub struct Inclusion;

impl<B: Bound> Cover<B> for Inclusion {
    const CELLWISE: bool = true;

    #[inline]
    fn compare(&self, new: &[B], old: &[B], _active: &[u16], _bounds: &LuBounds<B>) -> Relation {
        compact::relation(new, old)
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
        zones.relation(new, old)
    }
}
