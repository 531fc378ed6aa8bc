//! `--order tw-bfs`: true zones first, then the waiting order, then by age.
//!
//! Paper 5, section 5: the combination that makes the fewest mistakes there.

use super::topology::EdgeOrder;
use super::true_zone::is_true;
use super::waiting::Waiting;
use super::{Rank, TRUE};
use dwell_model::System;
use dwell_semantics::Discrete;
use dwell_zones::{Bound, Zone};

/// True zones and the waiting order.
#[derive(Clone, Debug)]
pub struct TrueThenWaiting {
    waiting: Waiting,
}

impl TrueThenWaiting {
    /// For the states of a system.
    pub fn new(system: &System, order: EdgeOrder) -> Self {
        Self { waiting: Waiting::new(system, order) }
    }
}

impl<B: Bound> Rank<B> for TrueThenWaiting {
    #[inline]
    fn of(&self, state: &mut Discrete, zone: &Zone<B>, active: &[u16]) -> i64 {
        if is_true(zone, active) { TRUE } else { self.waiting.position(state) }
    }
}
