//! `extra-lu`: upper bounds are dropped above L, lower bounds cut at U.

use super::Extrapolate;
use dwell_zones::{Bound, LuBounds, Zone};

/// Lower and upper constants apart.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExtraLu;

impl<B: Bound> Extrapolate<B> for ExtraLu {
    #[inline]
    fn widen(&self, zone: &mut Zone<B>, bounds: &LuBounds<B>) {
        zone.extra_lu(bounds);
    }
}
