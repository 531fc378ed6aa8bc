//! Ranks: what took the place of another goes before what that other one led to.
//!
//! Herbreteau, Tran: *Improving search order for reachability testing in timed
//! automata* (FORMATS 2015, paper 5), algorithm 1.2. When a larger zone comes
//! late, the descendants of the smaller one still wait. Taken before them, it
//! brings larger zones to their places, and they need not be explored.
//!
//! RK-1 A new state has rank 0, or infinity if nothing can cover it
//!      ([`TRUE`]).
//! RK-2 A new state that takes the place of a *passed* one is ranked above all
//!      waiting states below that one, if there are any; the new state is not
//!      yet among them.
//! RK-3 The state being expanded stays in the tree until the next one is
//!      taken, even when one of its successors takes its place, or when it is
//!      not stored: the others are its children all the same, and go to its
//!      parent with it.
//!
//! Line 24 of the algorithm makes the rank 1 where nothing waits below. Its
//! figures do not: so read, csmacd-full 10 visits 204,904 states and the paper
//! 59,371; as in RK-2 it is 60,508, with the paper's 52,210 stored at most, and
//! critical-region's mistakes are the paper's.
//!
//! The text of the paper's example ranks a state above a *waiting* one whose
//! place it takes as well; its algorithm does not. With the text, csmacd makes
//! no mistakes and critical-region fewer, but fddi 8 makes 209 for 96, and
//! processes in parallel, which need none, make thousands.

use super::tree::{Rank, Tree};
use dwell_base::persist::{Persist, corrupt, put, take};
use std::io::{self, Read, Write};

/// Of a state that was ranked by nobody.
const ZERO: Rank = Rank::MIN;
const INFINITY: Rank = Rank::MAX;

/// The ranks of waiting states, and the tree that they come from.
#[derive(Clone, Debug, Default)]
pub(super) struct Ranks {
    tree: Tree,
    /// The node taken last, and whether it was dropped since; RK-3.
    expanding: Option<(u32, bool)>,
    /// What the states that the next one took the place of demand; RK-2.
    demanded: Option<Rank>,
}

impl Ranks {
    /// For a search that has stored states with numbers below `nodes` at most.
    pub fn from_here(nodes: usize) -> Self {
        let mut ranks = Self::default();
        ranks.tree.reach(nodes);
        ranks
    }

    /// A state waits; `is_true` if nothing can cover it.
    #[inline]
    pub fn wait(&mut self, node: u32, is_true: bool) -> Rank {
        let own = if is_true { INFINITY } else { ZERO }; // RK-1
        let rank = self.demanded.take().map_or(own, |demanded| own.max(demanded));
        self.tree.set_rank(node, Some(rank));
        rank
    }

    /// A state is taken.
    #[inline]
    pub fn take(&mut self, node: Option<u32>) {
        if let Some((dropped, true)) = self.expanding {
            self.tree.remove(dropped); // RK-3
        }
        self.expanding = node.map(|node| (node, false));
        if let Some(node) = node {
            self.tree.set_rank(node, None);
        }
    }

    /// A state is new.
    #[inline]
    pub fn stored(&mut self, node: u32, parent: Option<u32>) {
        self.tree.add(node, parent);
    }

    /// The state that is stored next takes the place of `node`.
    pub fn dropped(&mut self, node: u32) {
        if self.tree.rank(node).is_none() {
            let below = self.tree.max_rank_waiting(node);
            self.demanded = self.demanded.max(below.map(|below| below.saturating_add(1))); // RK-2
        }
        match &mut self.expanding {
            Some((expanding, dropped)) if *expanding == node => *dropped = true,
            _ => self.tree.remove(node),
        }
    }

    /// The state being expanded is not stored; RK-3.
    pub fn left(&mut self, node: u32) {
        debug_assert!(self.expanding.is_some_and(|(expanding, _)| expanding == node));
        self.expanding = Some((node, true));
    }

    /// Nodes looked at for the ranks so far.
    pub fn visits(&self) -> u64 {
        self.tree.visits()
    }

    /// Bytes of storage held.
    pub fn bytes(&self) -> u64 {
        self.tree.bytes()
    }
}

impl Persist for Ranks {
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        debug_assert!(self.demanded.is_none(), "between two states");
        self.tree.freeze(out)?;
        let (node, dropped) = self.expanding.unwrap_or((u32::MAX, false));
        put(out, node)?;
        put(out, u8::from(dropped))
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        self.tree.thaw(from)?;
        let (node, dropped) = (take::<u32>(from)?, take::<u8>(from)? != 0);
        self.expanding = (node != u32::MAX).then_some((node, dropped));
        self.demanded = None;
        let known = self.expanding.is_none_or(|(node, _)| self.tree.knows(node));
        if known { Ok(()) } else { Err(corrupt("a state that is not in the tree")) }
    }
}
