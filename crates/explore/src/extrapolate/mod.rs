//! Extrapolation: widens a zone so that only finitely many can arise.
//!
//! Behrmann, Bouyer, Larsen, Pelánek: *Lower and upper bounds in zone-based
//! abstractions of timed automata* (TACAS 2004). None of them is sound for
//! networks with diagonal constraints (Bouyer 2003) without [`Differences`];
//! the plan sees to that.

mod differences;
mod forgiving;
mod lu;
mod lu_plus;
mod m;
mod m_plus;

pub use differences::Differences;
pub use forgiving::Forgiving;
pub use lu::ExtraLu;
pub use lu_plus::ExtraLuPlus;
pub use m::ExtraM;
pub use m_plus::ExtraMPlus;

use dwell_zones::{Bound, LuBounds, Zone};

/// Widens a zone.
pub trait Extrapolate<B: Bound> {
    /// Contract: `zone` is closed and not empty on entry and on exit, and only
    /// ever grows. `bounds` are those at the zone's location vector.
    fn widen(&self, zone: &mut Zone<B>, bounds: &LuBounds<B>);
}

/// The stage switched off: exact zones, of which there may be infinitely many
/// unless the cover bounds them.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoExtrapolation;

impl<B: Bound> Extrapolate<B> for NoExtrapolation {
    #[inline(always)]
    fn widen(&self, _zone: &mut Zone<B>, _bounds: &LuBounds<B>) {}
}

impl<B: Bound, T: Extrapolate<B> + ?Sized> Extrapolate<B> for Box<T> {
    #[inline]
    fn widen(&self, zone: &mut Zone<B>, bounds: &LuBounds<B>) {
        (**self).widen(zone, bounds);
    }
}
