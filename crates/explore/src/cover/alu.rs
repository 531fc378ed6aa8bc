//! `--abstraction a-lu`: inclusion in the abstraction aLU of the stored zone.
//!
//! Herbreteau, Srivathsan, Walukiewicz: *Better abstractions for timed
//! automata* (LICS 2012). Zones stay exact: aLU(Z) is not convex and is never
//! stored; `Z ⊆ aLU(Z')` takes O(n²) with the bounds at the common discrete
//! state. Must not be combined with extrapolated zones.

use super::Cover;
use dwell_zones::{Bound, LuBounds, Relation, compact};

/// Inclusion up to the LU-simulation.
#[derive(Clone, Copy, Debug, Default)]
pub struct AluInclusion;

impl<B: Bound> Cover<B> for AluInclusion {
    const CELLWISE: bool = false;

    #[inline]
    fn compare(&self, new: &[B], old: &[B], active: &[u16], bounds: &LuBounds<B>) -> Relation {
        if compact::included_in_alu(new, old, active, bounds) {
            return Relation::Subset;
        }
        if compact::included_in_alu(old, new, active, bounds) {
            Relation::Superset
        } else {
            Relation::Incomparable
        }
    }
}
