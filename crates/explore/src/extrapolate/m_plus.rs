//! `extra-m+`: Extra-M refined by the position of the whole zone.

use super::Extrapolate;
use dwell_zones::{Bound, LuBounds, Zone};

/// Extra⁺M: also drops everything about a clock that is above its maximal constant throughout the zone.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExtraMPlus;

impl<B: Bound> Extrapolate<B> for ExtraMPlus {
    #[inline]
    fn widen(&self, zone: &mut Zone<B>, bounds: &LuBounds<B>) {
        zone.extra_m_plus(bounds);
    }
}
