//! Several workers on a random graph of numbers: the loop of the pipeline without states, clocks and stores.

use dwell_base::Rng;
use dwell_explore::{Pace, Rest, Worker};
use dwell_parallel::{Post, Transport, Tuning};
use std::collections::BTreeSet;

/// Successors by node.
#[derive(Clone, Debug)]
pub struct Graph(Vec<Vec<u32>>);

impl Graph {
    /// At most so many nodes with at most so many successors each.
    pub fn random(rng: &mut Rng, nodes: u64, degree: u64) -> Self {
        let nodes = 1 + rng.below(nodes);
        let successors = |rng: &mut Rng| {
            let count = rng.below(degree + 1);
            (0..count).map(|_| rng.below(nodes) as u32).collect()
        };
        Self((0..nodes).map(|_| successors(rng)).collect())
    }

    /// All nodes that node 0 leads to.
    pub fn reachable(&self) -> BTreeSet<u32> {
        let (mut seen, mut waiting) = (BTreeSet::from([0]), vec![0u32]);
        while let Some(node) = waiting.pop() {
            waiting.extend(self.0[node as usize].iter().copied().filter(|next| seen.insert(*next)));
        }
        seen
    }
}

/// Batches of a node or two, so that even small graphs fill some.
pub fn tight(rng: &mut Rng) -> Tuning {
    let batch = 4 + rng.below(9) as usize;
    let credits = 1 + rng.below(2) as u32;
    Tuning { batch, credits, full: 2 * batch, patience: 1 + rng.below(4) as u32 }
}

/// The same with credits that come in lots (PO-2); two is the largest that a graph here fills often.
pub fn lots(rng: &mut Rng) -> Tuning {
    Tuning { credits: 4 + rng.below(2) as u32, ..tight(rng) }
}

/// What a worker does next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    TakeIn,
    Work,
}

/// One worker.
pub struct Toy<T: Transport> {
    graph: Graph,
    workers: Worker,
    /// Its letter boxes.
    pub post: Post<T>,
    seen: BTreeSet<u32>,
    waiting: Vec<u32>,
    /// What it has expanded, in order.
    pub expanded: Vec<u32>,
    keeps_up: bool,
    next: Next,
}

impl<T: Transport> Toy<T> {
    /// Before its first step.
    pub fn new(graph: &Graph, transport: T, tuning: Tuning) -> Self {
        let workers = transport.workers();
        let post = Post::new(transport, tuning);
        let (seen, expanded) = (BTreeSet::new(), Vec::new());
        let mut toy = Self {
            graph: graph.clone(),
            workers,
            post,
            seen,
            waiting: Vec::new(),
            expanded,
            keeps_up: true,
            next: Next::TakeIn,
        };
        if toy.post.me() == 0 {
            toy.made(0);
        }
        toy
    }

    /// Takes one step; how the run has ended, if it has.
    pub fn step(&mut self) -> Option<Rest> {
        if self.next == Next::TakeIn {
            self.next = Next::Work;
            return self.take_in();
        }
        self.next = Next::TakeIn;
        let mut rest = Rest::Look;
        if self.keeps_up {
            match self.waiting.pop() {
                Some(node) => self.expand(node),
                None => rest = self.post.rest(),
            }
        }
        self.keeps_up = self.post.pace() != Pace::Hold;
        (rest != Rest::Look).then_some(rest)
    }

    fn take_in(&mut self) -> Option<Rest> {
        let mut arrived = Vec::new();
        let _ = self.post.receive(|_, batch| {
            let nodes = batch.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes));
            arrived.extend(nodes);
            Ok::<(), ()>(())
        });
        arrived.into_iter().for_each(|node| self.wait(node));
        self.post.ended().filter(|end| *end == Rest::Stopped)
    }

    fn expand(&mut self, node: u32) {
        self.expanded.push(node);
        for next in self.graph.0[node as usize].clone() {
            self.made(next);
        }
    }

    fn made(&mut self, node: u32) {
        let owner = (node.wrapping_mul(0x9E37_79B9) >> 16) as Worker % self.workers;
        if owner == self.post.me() {
            self.wait(node);
        } else {
            self.post.batch(owner).extend(node.to_le_bytes());
            self.post.filled(owner);
        }
    }

    fn wait(&mut self, node: u32) {
        if self.seen.insert(node) {
            self.waiting.push(node);
        }
    }

    /// Bytes that wait to be sent, for the worker with the most.
    pub fn kept(&mut self) -> usize {
        (0..self.workers).map(|to| self.post.batch(to).len()).max().unwrap_or(0)
    }

    /// Whether it has anything to expand or to send.
    pub fn busy(&mut self) -> bool {
        !self.waiting.is_empty() || self.kept() > 0
    }
}
