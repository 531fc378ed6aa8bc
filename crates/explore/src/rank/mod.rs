//! Ranks: what an order that is not about age alone goes by.

mod heuristic;
mod least_time;

pub use heuristic::Heuristic;
pub(crate) use least_time::goal_rank;
pub use least_time::{LeastTime, goal_time};

use dwell_semantics::Discrete;
use dwell_zones::{Bound, Zone};

/// The rank of a new state, asked for once, when it is stored.
pub trait Rank<B: Bound> {
    /// Smaller is sooner. `zone` is what is stored, over all clocks.
    fn of(&self, state: &mut Discrete, zone: &Zone<B>) -> i64;

    /// Registers that the states it is asked about must have.
    fn registers(&self) -> usize {
        0
    }
}

/// The stage switched off: all are equal.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoRank;

impl<B: Bound> Rank<B> for NoRank {
    #[inline(always)]
    fn of(&self, _state: &mut Discrete, _zone: &Zone<B>) -> i64 {
        0
    }
}

impl<B: Bound, T: Rank<B> + ?Sized> Rank<B> for Box<T> {
    #[inline]
    fn of(&self, state: &mut Discrete, zone: &Zone<B>) -> i64 {
        (**self).of(state, zone)
    }

    fn registers(&self) -> usize {
        (**self).registers()
    }
}
