//! `extra-m`: a bound above the maximal constant of its clock is dropped, one below minus the constant is cut.

use super::Extrapolate;
use dwell_zones::{Bound, LuBounds, Zone};

/// Classic maximal-constant extrapolation, with M = max(L, U).
#[derive(Clone, Copy, Debug, Default)]
pub struct ExtraM;

impl<B: Bound> Extrapolate<B> for ExtraM {
    #[inline]
    fn widen(&self, zone: &mut Zone<B>, bounds: &LuBounds<B>) {
        zone.extra_m(bounds);
    }
}
