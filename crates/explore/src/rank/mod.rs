//! Ranks: what an order that is not about age alone goes by.

mod control;
mod heuristic;
mod least_time;
mod topology;
mod true_zone;
mod tw_bfs;
mod waiting;

pub use control::passes_values;
pub use heuristic::Heuristic;
pub(crate) use least_time::goal_rank;
pub use least_time::{LeastTime, goal_time};
pub use topology::EdgeOrder;
pub use true_zone::TrueZone;
pub use tw_bfs::TrueThenWaiting;
pub use waiting::Waiting;

use dwell_semantics::Discrete;
use dwell_zones::{Bound, Zone};

/// The rank of a state that nothing can cover.
pub const TRUE: i64 = i64::MIN;

/// The rank of a new state, asked for once, when it is stored.
pub trait Rank<B: Bound> {
    /// Smaller is sooner. `zone` is over all clocks; only the `active` ones, the
    /// reference clock first among them, are stored.
    fn of(&self, state: &mut Discrete, zone: &Zone<B>, active: &[u16]) -> i64;

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
    fn of(&self, _state: &mut Discrete, _zone: &Zone<B>, _active: &[u16]) -> i64 {
        0
    }
}

impl<B: Bound, T: Rank<B> + ?Sized> Rank<B> for Box<T> {
    #[inline]
    fn of(&self, state: &mut Discrete, zone: &Zone<B>, active: &[u16]) -> i64 {
        (**self).of(state, zone, active)
    }

    fn registers(&self) -> usize {
        (**self).registers()
    }
}
