//! Cover: when a new state need not be explored because of a stored one.

mod alu;
mod equality;
mod inclusion;

pub use alu::AluInclusion;
pub use equality::Equality;
pub use inclusion::Inclusion;

use crate::ZoneStore;
use dwell_zones::{Bound, LuBounds, Relation};

/// Compares two zones of the same discrete state, both as compact cells over
/// the same active clocks.
///
/// Contract: the relation "covered by" is reflexive and transitive, and a
/// covered zone has no behaviour that its cover lacks.
pub trait Cover<B: Bound>: Send + Sync {
    /// Whether a zone that is covered has no cell above that of its cover.
    const CELLWISE: bool;

    /// `Subset`: the new zone is covered by the old one; `Superset`: it covers
    /// the old one; `Equal`: both.
    fn compare(&self, new: &[B], old: &[B], active: &[u16], bounds: &LuBounds<B>) -> Relation;

    /// The same with a stored zone, without unpacking it where that can be.
    /// The new zone is the one that the store was prepared for; `scratch` has
    /// as many cells.
    #[inline]
    fn compare_stored<Z: ZoneStore<B> + ?Sized>(
        &self,
        new: &[B],
        (zones, old): (&Z, u32),
        active: &[u16],
        bounds: &LuBounds<B>,
        scratch: &mut [B],
    ) -> Relation {
        self.compare(new, zones.unpacked(old, scratch), active, bounds)
    }
}
