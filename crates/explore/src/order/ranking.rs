//! `--order ranking`: a state that took the place of another overtakes what
//! that other one led to (R-BFS, [`super::ranks`]). Among equal ranks the older
//! state comes first.

use super::Order;
use super::buckets::Buckets;
use super::ranks::Ranks;
use crate::rank::TRUE;
use dwell_base::persist::Persist;
use std::io::{self, Read, Write};

/// Queues by rank.
#[derive(Clone, Debug, Default)]
pub struct Ranking {
    /// By minus the rank.
    queues: Buckets,
    ranks: Ranks,
}

impl Ranking {
    /// For a search that has stored states with numbers below `nodes` at most.
    pub(super) fn from_here(nodes: usize) -> Self {
        Self { ranks: Ranks::from_here(nodes), ..Self::default() }
    }
}

impl Order for Ranking {
    #[inline]
    fn push(&mut self, node: u32, rank: i64) {
        let rank = self.ranks.wait(node, rank == TRUE);
        self.queues.add(-i64::from(rank.get()), node);
    }
    #[inline]
    fn pop(&mut self) -> Option<u32> {
        let node = self.queues.take();
        self.ranks.take(node);
        node
    }
    fn len(&self) -> usize {
        self.queues.count()
    }
    fn bytes(&self) -> u64 {
        self.ranks.bytes() + self.queues.held()
    }
    fn follows(&self) -> bool {
        true
    }
    fn stored(&mut self, node: u32, parent: Option<u32>) {
        self.ranks.stored(node, parent);
    }
    fn dropped(&mut self, node: u32) {
        self.ranks.dropped(node);
    }
    fn left(&mut self, node: u32) {
        self.ranks.left(node);
    }
    fn ranking_visits(&self) -> u64 {
        self.ranks.visits()
    }
}

impl Persist for Ranking {
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        self.queues.freeze(out)?;
        self.ranks.freeze(out)
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        self.queues.thaw(from)?;
        self.ranks.thaw(from)
    }
}
