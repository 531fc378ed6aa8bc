//! Search orders: in which order waiting states are taken.

mod adaptive;
mod best_first;
mod bfs;
mod buckets;
mod depth;
mod dfs;
mod levels;
mod random;
mod random_dfs;
mod ranking;
mod ranks;
mod reversed_depth;
mod tree;

pub use adaptive::Adaptive;
pub use best_first::BestFirst;
pub use bfs::BreadthFirst;
pub use buckets::Buckets;
pub use depth::Depth;
pub use dfs::DepthFirst;
pub use random::Random;
pub use random_dfs::RandomDepthFirst;
pub use ranking::Ranking;
pub use reversed_depth::ReversedDepth;

use dwell_base::persist::Persist;

/// The waiting list: references to stored states, nothing more.
pub trait Order: Persist {
    /// Adds a state; `rank` is what the [`Rank`](crate::Rank) of the run says of it.
    fn push(&mut self, node: u32, rank: i64);
    /// Takes the next state.
    fn pop(&mut self) -> Option<u32>;
    /// Adds a state that came from elsewhere, this many transitions from the
    /// start.
    #[inline]
    fn arrive(&mut self, node: u32, rank: i64, _depth: u32) {
        self.push(node, rank);
    }
    /// How deep the states are that are pushed next, where the order goes by it.
    #[inline]
    fn depth(&self) -> u32 {
        0
    }
    /// How many references it holds, stale ones included.
    fn len(&self) -> usize;
    /// True when it holds none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Bytes of storage held.
    fn bytes(&self) -> u64;

    /// Whether it is to be told what is stored and dropped.
    fn follows(&self) -> bool {
        false
    }
    /// `node` is new, made by `parent`. It is pushed next.
    fn stored(&mut self, _node: u32, _parent: Option<u32>) {}
    /// The state that is stored next takes the place of `node`.
    fn dropped(&mut self, _node: u32) {}
    /// `node`, the state that was taken, has been expanded and is not stored.
    fn left(&mut self, _node: u32) {}
    /// Stored states looked at to find ranks (paper 5, table 1).
    fn ranking_visits(&self) -> u64 {
        0
    }
    /// After how many visited states it changed to another order, if it did.
    fn changed_after(&self) -> Option<u64> {
        None
    }
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
    #[inline]
    fn arrive(&mut self, node: u32, rank: i64, depth: u32) {
        (**self).arrive(node, rank, depth);
    }
    #[inline]
    fn depth(&self) -> u32 {
        (**self).depth()
    }
    fn len(&self) -> usize {
        (**self).len()
    }
    fn bytes(&self) -> u64 {
        (**self).bytes()
    }
    fn follows(&self) -> bool {
        (**self).follows()
    }
    fn stored(&mut self, node: u32, parent: Option<u32>) {
        (**self).stored(node, parent);
    }
    fn dropped(&mut self, node: u32) {
        (**self).dropped(node);
    }
    fn left(&mut self, node: u32) {
        (**self).left(node);
    }
    fn ranking_visits(&self) -> u64 {
        (**self).ranking_visits()
    }
    fn changed_after(&self) -> Option<u64> {
        (**self).changed_after()
    }
}
