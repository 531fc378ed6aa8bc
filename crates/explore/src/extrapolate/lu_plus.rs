//! `extra-lu+`: Extra-LU refined by the position of the whole zone. Not monotone: the final number of zones may depend on the order.

use super::Extrapolate;
use dwell_zones::{Bound, LuBounds, Zone};

/// Extra⁺LU: the coarsest of the four; the default.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExtraLuPlus;

impl<B: Bound> Extrapolate<B> for ExtraLuPlus {
    #[inline]
    fn widen(&self, zone: &mut Zone<B>, bounds: &LuBounds<B>) {
        zone.extra_lu_plus(bounds);
    }
}
