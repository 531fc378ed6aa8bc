//! Where searches that share the work start.
//!
//! RO-1 The first states are a tree: breadth first, and a state that was met
//!      before becomes a leaf that is not looked into. So every run that goes on
//!      for ever ends in the tree, or comes by a leaf; if none ends in the tree, and
//!      a search from each leaf finds none, there is none. Which search a leaf
//!      falls to does not matter: each is right about what it has done (V-3).
//! RO-2 Leaves that are neighbours lead to the same states more often than others.
//!      So each worker has leaves beside each other, and one that has done its own
//!      takes the first ones of who has most left. The last come first, as in a
//!      search by one worker: the last worker goes where that one would.

use super::Stages;
use super::expand::{Avoiding, New, Sink};
use crate::KeyStore;
use crate::pipeline::Halt;
use dwell_model::CompiledFormula;
use dwell_semantics::initial_locations;
use dwell_zones::Bound;
use std::collections::{HashSet, VecDeque};
use std::convert::Infallible;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Leaves wanted for each worker.
const LEAVES: usize = 64;
/// States looked into to get them.
const STATES: u64 = 10_000;

/// A state of the tree.
#[derive(Debug)]
pub(super) struct Root<B> {
    /// What it was met from; none of an initial state.
    parent: Option<u32>,
    /// Number of the move to it, or of the initial state.
    via: u32,
    pub words: Box<[u64]>,
    pub cells: Box<[B]>,
}

/// The leaves of the tree, shared out among workers.
#[derive(Debug)]
pub struct Roots<B> {
    nodes: Vec<Root<B>>,
    leaves: Vec<u32>,
    /// What each worker has left of them.
    left: Mutex<Vec<Range<usize>>>,
    /// States looked into.
    pub visited: u64,
    /// Successors computed.
    pub transitions: u64,
}

/// A discrete state and a zone, packed.
type Packed<B> = (Box<[u64]>, Box<[B]>);

/// The tree while it grows.
struct Tree<B> {
    nodes: Vec<Root<B>>,
    known: HashSet<Packed<B>>,
    /// Leaves to be looked into.
    open: VecDeque<u32>,
    /// What is looked into.
    parent: Option<u32>,
}

impl<B: Bound> Sink<B> for Tree<B> {
    type Found = Infallible;
    const EFFECTS: bool = false;

    fn meet(&mut self, new: New<'_, B>) -> Option<Infallible> {
        let (words, cells): Packed<B> = (new.words.into(), new.cells.into());
        let id = self.nodes.len() as u32;
        self.nodes.push(Root {
            parent: self.parent,
            via: new.index,
            words: words.clone(),
            cells: cells.clone(),
        });
        if self.known.insert((words, cells)) {
            self.open.push_back(id);
        }
        None
    }

    fn stored(&self) -> u64 {
        self.nodes.len() as u64
    }

    fn waiting(&self) -> usize {
        self.open.len()
    }

    fn bytes(&self) -> u64 {
        0
    }
}

impl<B> Tree<B> {
    /// All leaves, in the order in which a search of the tree, depth first, comes by
    /// them; RO-2.
    fn leaves(&self) -> Vec<u32> {
        // Whatever has the same parent stands together, in the order of the moves.
        let none = u32::MAX;
        let mut first = vec![none; self.nodes.len()];
        let mut pending = Vec::new();
        for (id, node) in self.nodes.iter().enumerate().rev() {
            match node.parent {
                Some(parent) => first[parent as usize] = id as u32,
                None => pending.push(id as u32),
            }
        }
        let mut leaves = Vec::new();
        while let Some(id) = pending.pop() {
            let start = first[id as usize];
            if start == none {
                leaves.push(id);
                continue;
            }
            let children = self.nodes[start as usize..].iter().take_while(|node| node.parent == Some(id));
            pending.extend((start..start + children.count() as u32).rev());
        }
        leaves
    }
}

impl<B: Bound> Roots<B> {
    /// Where so many workers start; none if a run ends among the first states,
    /// which one worker finds as fast.
    pub fn grow<K: KeyStore, C>(
        stages: Stages<'_, B, K, C>,
        avoid: &CompiledFormula,
        workers: usize,
    ) -> Result<Option<Self>, Halt> {
        let (mut avoiding, ..) = Avoiding::new(stages, avoid);
        let mut tree = Tree { nodes: Vec::new(), known: HashSet::new(), open: VecDeque::new(), parent: None };
        let mut started = false;
        for (index, locations) in initial_locations(avoiding.stepper.system).enumerate() {
            started |= avoiding.start(&locations, index as u32, &mut tree)?.0;
        }
        while tree.open.len() < LEAVES * workers && avoiding.stats.visited < STATES {
            let Some(id) = tree.open.pop_front() else { break };
            avoiding.stats.visited += 1;
            tree.parent = Some(id);
            let node = &tree.nodes[id as usize];
            avoiding.load(&node.words);
            avoiding.unpack(&node.cells);
            if avoiding.look_into(&mut tree)?.is_some() {
                return Ok(None);
            }
        }
        let leaves = tree.leaves();
        let share = |worker: usize| leaves.len() * worker / workers;
        let left = (0..workers).map(|worker| share(worker)..share(worker + 1)).collect();
        let (visited, transitions) = (avoiding.stats.visited, avoiding.stats.transitions);
        let visited = visited.max(u64::from(started));
        Ok(Some(Self { nodes: tree.nodes, leaves, left: Mutex::new(left), visited, transitions }))
    }

    /// The next leaf for a worker.
    pub(super) fn next(&self, worker: usize) -> Option<u32> {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let at = match left.get_mut(worker)?.next_back() {
            Some(at) => at,
            None => left.iter_mut().max_by_key(|left| left.len())?.next()?, // RO-2
        };
        Some(self.leaves[at])
    }

    /// A state of the tree.
    pub(super) fn root(&self, leaf: u32) -> &Root<B> {
        &self.nodes[leaf as usize]
    }

    /// The initial state and the moves to a leaf.
    pub(super) fn path(&self, leaf: u32) -> (u32, Vec<u32>) {
        let mut moves = Vec::new();
        let mut node = self.root(leaf);
        while let Some(parent) = node.parent {
            moves.push(node.via);
            node = self.root(parent);
        }
        moves.reverse();
        (node.via, moves)
    }

    /// Nothing is left for anybody: someone has ended the run.
    pub fn close(&self) {
        self.left.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}
