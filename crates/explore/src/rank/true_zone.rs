//! `--order true-zone`: zones that nothing can cover come first.
//!
//! Herbreteau, Tran: *Improving search order for reachability testing in timed
//! automata* (FORMATS 2015, paper 5), section 3: a node whose zone is *true* is
//! never covered by another, so exploring it is no mistake.
//!
//! TZ-1 A zone is true if it says nothing about the active clocks, after
//!      extrapolation. Invariants are no obstacle: their upper bounds are
//!      forgotten wherever no guard needs them later (so in fischer and
//!      lynch, which need no mistakes). A zone with upper bounds on single
//!      clocks and nothing else can be covered by one with larger bounds:
//!      counting those as true makes 1,320 mistakes on dining-philosophers 6
//!      where tw-bfs now makes 42.

use super::{Rank, TRUE};
use dwell_semantics::Discrete;
use dwell_zones::{Bound, Zone};

/// True zones first, then by age.
#[derive(Clone, Copy, Debug, Default)]
pub struct TrueZone;

/// TZ-1
#[inline]
pub(super) fn is_true<B: Bound>(zone: &Zone<B>, active: &[u16]) -> bool {
    let free = |x: &u16| {
        let row = zone.row(usize::from(*x));
        zone.get(0, usize::from(*x)) == B::LE_ZERO
            && active.iter().all(|y| y == x || row[usize::from(*y)] == B::INF)
    };
    active[1..].iter().all(free)
}

impl<B: Bound> Rank<B> for TrueZone {
    #[inline]
    fn of(&self, _state: &mut Discrete, zone: &Zone<B>, active: &[u16]) -> i64 {
        if is_true(zone, active) { TRUE } else { 0 }
    }
}
