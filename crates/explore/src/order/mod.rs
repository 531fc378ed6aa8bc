//! Search orders: in which order waiting states are taken.

mod best_first;
mod bfs;
mod dfs;
mod random_dfs;

pub use best_first::BestFirst;
pub use bfs::BreadthFirst;
pub use dfs::DepthFirst;
pub use random_dfs::RandomDepthFirst;

use dwell_base::persist::Persist;

/// The waiting list: references to stored states, nothing more.
pub trait Order: Persist {
    /// Adds a state; `rank` is what the [`Rank`](crate::Rank) of the run says of it.
    fn push(&mut self, node: u32, rank: i64);
    /// Takes the next state.
    fn pop(&mut self) -> Option<u32>;
    /// How many references it holds, stale ones included.
    fn len(&self) -> usize;
    /// True when it holds none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Bytes of storage held.
    fn bytes(&self) -> u64;
}

impl<T: Order + ?Sized> Order for Box<T> {
    #[inline]
    fn push(&mut self, node: u32, rank: i64) {
        (**self).push(node, rank);
    }
    #[inline]
    fn pop(&mut self) -> Option<u32> {
        (**self).pop()
    }
    fn len(&self) -> usize {
        (**self).len()
    }
    fn bytes(&self) -> u64 {
        (**self).bytes()
    }
}
