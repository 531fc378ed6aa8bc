//! The passed list as a tree, for orders that look at what became of a state.
//!
//! Paper 5, section 3: who made whom, with left-child and right-sibling links.
//! A third link leads back, to the left sibling or, from a first child, to the
//! parent, so that a node is taken out without a walk along its siblings.
//!
//! ```text
//!   parent                      parent                 without b:
//!    │ ▲                         │ ▲
//!    ▼ │                         ▼ │
//!    a ⇄ b ⇄ c                   a ⇄ d ⇄ e ⇄ c
//!       │▲
//!       ▼│
//!       d ⇄ e
//! ```
//!
//! TR-1 The children of a node that is taken out go to its parent, in its
//!      place; without a parent they become roots.
//! TR-2 Waiting nodes are leaves, but for a node that waits once more.

use dwell_base::ChunkedVec;
use dwell_base::persist::{Persist, Plain, corrupt, put, take};
use std::io::{self, Read, Write};

const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Links {
    first_child: u32,
    right: u32,
    /// Left sibling or parent.
    back: u32,
    /// What a waiting node is ranked; none, if it is passed.
    rank: Option<Rank>,
}

const UNLINKED: Links = Links { first_child: NONE, right: NONE, back: NONE, rank: None };

/// The rank of a waiting node: larger is sooner.
pub(super) type Rank = std::num::NonZeroU32;

/// Who made whom among the stored states.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    links: ChunkedVec<Links>,
    /// Of the walk; empty between two.
    stack: Vec<u32>,
    visits: u64,
}

impl Tree {
    /// There are nodes with all numbers below `nodes`; about new ones nothing is
    /// known.
    #[inline]
    pub fn reach(&mut self, nodes: usize) {
        while self.links.len() < nodes {
            self.links.push(UNLINKED);
        }
    }

    /// A new node, made by `parent`.
    #[inline]
    pub fn add(&mut self, node: u32, parent: Option<u32>) {
        self.reach(node as usize + 1);
        let mut links = UNLINKED;
        if let Some(parent) = parent {
            let first = std::mem::replace(&mut self.links.get_mut(parent as usize).first_child, node);
            links = Links { right: first, back: parent, ..UNLINKED };
            if first != NONE {
                self.links.get_mut(first as usize).back = node;
            }
        }
        *self.links.get_mut(node as usize) = links;
    }

    /// Takes a node out; TR-1.
    pub fn remove(&mut self, node: u32) {
        let Links { first_child, right, back, .. } = self.links.get(node as usize);
        let mut last = back;
        let mut child = first_child;
        while child != NONE {
            last = child;
            child = self.links.get(child as usize).right;
        }
        let next = if first_child == NONE { right } else { first_child };
        if back != NONE {
            let links = self.links.get_mut(back as usize);
            let link = if links.first_child == node { &mut links.first_child } else { &mut links.right };
            *link = next;
        }
        if first_child != NONE {
            self.links.get_mut(first_child as usize).back = back;
            self.links.get_mut(last as usize).right = right;
        }
        if right != NONE {
            self.links.get_mut(right as usize).back = last;
        }
        *self.links.get_mut(node as usize) = UNLINKED;
    }

    /// Whether there is such a node.
    pub fn knows(&self, node: u32) -> bool {
        (node as usize) < self.links.len()
    }

    /// The rank with which a node waits.
    #[inline]
    pub fn rank(&self, node: u32) -> Option<Rank> {
        self.links.get(node as usize).rank
    }

    /// Lets a node wait, or no longer.
    #[inline]
    pub fn set_rank(&mut self, node: u32, rank: Option<Rank>) {
        self.links.get_mut(node as usize).rank = rank;
    }

    /// The largest rank of the waiting nodes below `node`.
    pub fn max_rank_waiting(&mut self, node: u32) -> Option<Rank> {
        let mut largest = None;
        self.stack.push(node);
        while let Some(at) = self.stack.pop() {
            self.visits += 1;
            let links = self.links.get(at as usize);
            largest = largest.max(links.rank);
            let mut child = links.first_child;
            while child != NONE {
                self.stack.push(child);
                child = self.links.get(child as usize).right;
            }
        }
        largest
    }

    /// Nodes looked at by all walks so far.
    pub fn visits(&self) -> u64 {
        self.visits
    }

    /// Bytes of storage held.
    pub fn bytes(&self) -> u64 {
        self.links.bytes() + (self.stack.capacity() * size_of::<u32>()) as u64
    }
}

impl Plain for Links {
    type Bytes = [u8; 16];

    fn to_bytes(self) -> Self::Bytes {
        let rank = self.rank.map_or(0, Rank::get);
        let mut bytes = [0; 16];
        for (bytes, number) in bytes.chunks_exact_mut(4).zip([self.first_child, self.right, self.back, rank])
        {
            bytes.copy_from_slice(&number.to_le_bytes());
        }
        bytes
    }

    fn from_bytes(bytes: Self::Bytes) -> Self {
        let number = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        Self { first_child: number(0), right: number(4), back: number(8), rank: Rank::new(number(12)) }
    }
}

impl Persist for Tree {
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        self.links.freeze(out)?;
        put(out, self.visits)
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        self.links.thaw(from)?;
        self.visits = take(from)?;
        let known = |node: u32| node == NONE || self.knows(node);
        let all = (0..self.links.len()).all(|i| {
            let Links { first_child, right, back, .. } = self.links.get(i);
            known(first_child) && known(right) && known(back)
        });
        if all { Ok(()) } else { Err(corrupt("a tree with links to nowhere")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dwell_base::Rng;

    /// The same with a parent for each node and walks over all of them.
    #[derive(Default)]
    struct Naive {
        nodes: Vec<Option<(Option<u32>, Option<Rank>)>>,
    }

    impl Naive {
        fn remove(&mut self, node: u32) {
            let (parent, _) = self.nodes[node as usize].take().expect("a node");
            for (above, _) in self.nodes.iter_mut().flatten() {
                if *above == Some(node) {
                    *above = parent;
                }
            }
        }

        fn is_below(&self, node: u32, top: u32) -> bool {
            let mut at = Some(node);
            while let Some(node) = at {
                if node == top {
                    return true;
                }
                at = self.nodes[node as usize].expect("a node").0;
            }
            false
        }

        fn below(&self, top: u32) -> impl Iterator<Item = Option<Rank>> + '_ {
            let nodes = (0..self.nodes.len() as u32).filter_map(|n| Some((n, self.nodes[n as usize]?.1)));
            nodes.filter(move |&(node, _)| self.is_below(node, top)).map(|(_, rank)| rank)
        }
    }

    #[test]
    fn walks_see_what_is_below_whatever_was_taken_out() {
        for seed in 0..200 {
            let rng = &mut Rng::new(seed);
            let (mut tree, mut naive) = (Tree::default(), Naive::default());
            let mut inside: Vec<u32> = Vec::new();
            for _ in 0..200 {
                let any = (!inside.is_empty()).then(|| rng.below(inside.len() as u64) as usize);
                match (rng.below(4), any) {
                    (0, Some(at)) => {
                        let node = inside.swap_remove(at);
                        tree.remove(node);
                        naive.remove(node);
                    }
                    (1, Some(at)) => {
                        let before = tree.visits();
                        let largest = naive.below(inside[at]).max().flatten();
                        assert_eq!(tree.max_rank_waiting(inside[at]), largest, "seed {seed}");
                        assert_eq!(tree.visits() - before, naive.below(inside[at]).count() as u64);
                    }
                    (_, any) => {
                        // Numbers are used again.
                        let unused = naive.nodes.iter().position(Option::is_none);
                        let node = unused.unwrap_or(naive.nodes.len()) as u32;
                        naive.nodes.resize(naive.nodes.len().max(node as usize + 1), None);
                        let parent = any.map(|at| inside[at]).filter(|_| rng.percent(95));
                        let rank = Rank::new(rng.below(5) as u32);
                        naive.nodes[node as usize] = Some((parent, rank));
                        tree.add(node, parent);
                        tree.set_rank(node, rank);
                        assert_eq!(tree.rank(node), rank);
                        inside.push(node);
                    }
                }
            }
        }
    }
}
