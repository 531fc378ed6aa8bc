//! `--order true-zone`: zones that nothing can cover come first.
//!
//! Herbreteau, Tran: *Improving search order for reachability testing in timed
//! automata* (FORMATS 2015, paper 5), section 3: a node whose zone is *true* is
//! never covered by another, so exploring it is no mistake.
//!
//! TZ-1 Where locations have invariants no zone is all of clock space. A zone
//!      counts as true if it says nothing but upper bounds on single clocks:
//!      each clock is anything from 0 to its bound, whatever the others are.

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
        let x = usize::from(*x);
        let (row, upper) = (zone.row(x), zone.get(x, 0));
        zone.get(0, x) == B::LE_ZERO
            && active.iter().all(|&y| usize::from(y) == x || row[usize::from(y)] == upper)
    };
    active[1..].iter().all(free)
}

impl<B: Bound> Rank<B> for TrueZone {
    #[inline]
    fn of(&self, _state: &mut Discrete, zone: &Zone<B>, active: &[u16]) -> i64 {
        if is_true(zone, active) { TRUE } else { 0 }
    }
}
