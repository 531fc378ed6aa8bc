//! `--order random-dfs`: last in, first out, the successors of a state in
//! random order.
//!
//! What is pushed between two pops are the successors of one state. Each new
//! one changes places with one of them, itself included, chosen evenly: every
//! order of them is equally likely (the shuffle of Fisher and Yates, inside
//! out). The seed decides, so a run can be made again.

use super::Order;
use dwell_base::Rng;
use dwell_base::persist::{Persist, corrupt, put, take};
use std::io::{self, Read, Write};

/// A stack whose top is shuffled.
#[derive(Clone, Debug)]
pub struct RandomDepthFirst {
    stack: Vec<u32>,
    /// Where the successors of the state taken last begin.
    siblings: usize,
    rng: Rng,
}

impl RandomDepthFirst {
    /// An empty list.
    pub fn new(seed: u64) -> Self {
        Self { stack: Vec::new(), siblings: 0, rng: Rng::new(seed) }
    }
}

impl Order for RandomDepthFirst {
    #[inline]
    fn push(&mut self, node: u32, _rank: i64) {
        let top = self.stack.len();
        self.stack.push(node);
        let with = self.siblings + self.rng.below((top - self.siblings) as u64 + 1) as usize;
        self.stack.swap(with, top);
    }
    #[inline]
    fn pop(&mut self) -> Option<u32> {
        let node = self.stack.pop();
        self.siblings = self.stack.len();
        node
    }
    fn len(&self) -> usize {
        self.stack.len()
    }
    fn bytes(&self) -> u64 {
        (self.stack.capacity() * size_of::<u32>()) as u64
    }
}

impl Persist for RandomDepthFirst {
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        self.stack.freeze(out)?;
        put(out, self.siblings as u64)?;
        put(out, self.rng.state())
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        self.stack.thaw(from)?;
        self.siblings = take::<u64>(from)? as usize;
        self.rng = Rng::new(take(from)?);
        if self.siblings <= self.stack.len() { Ok(()) } else { Err(corrupt("siblings above the stack")) }
    }
}
