//! `--order reversed-depth`: the most transitions from the start first.
//!
//! For comparison: Behrmann, Hune, Vaandrager (CAV 2000, paper 4), section 3.2,
//! reverse their order by depth, and find many more states. It is near to depth
//! first, but goes by the length of ways and not by when a state was made.
//!
//! RD-1 A state is one deeper than the one taken last, which made it, unless it
//!      comes from elsewhere and says how deep it is.
//! RD-2 The last queue is not empty.

use super::Order;
use dwell_base::persist::{Persist, corrupt, put, take};
use std::collections::VecDeque;
use std::io::{self, Read, Write};

/// A queue for each depth.
#[derive(Clone, Debug, Default)]
pub struct ReversedDepth {
    queues: Vec<VecDeque<u32>>,
    /// What is pushed next is this deep; RD-1.
    depth: usize,
    len: usize,
}

impl ReversedDepth {
    #[inline]
    fn add(&mut self, node: u32, depth: usize) {
        if self.queues.len() <= depth {
            self.queues.resize_with(depth + 1, VecDeque::new);
        }
        self.queues[depth].push_back(node);
        self.len += 1;
    }
}

impl Order for ReversedDepth {
    #[inline]
    fn push(&mut self, node: u32, _rank: i64) {
        self.add(node, self.depth);
    }
    #[inline]
    fn arrive(&mut self, node: u32, _rank: i64, depth: u32) {
        self.add(node, depth as usize);
    }
    #[inline]
    fn depth(&self) -> u32 {
        self.depth as u32
    }
    #[inline]
    fn pop(&mut self) -> Option<u32> {
        let node = self.queues.last_mut()?.pop_front();
        self.depth = self.queues.len();
        self.len -= 1;
        while self.queues.last().is_some_and(VecDeque::is_empty) {
            self.queues.pop(); // RD-2
        }
        node
    }
    fn len(&self) -> usize {
        self.len
    }
    fn bytes(&self) -> u64 {
        let held: usize = self.queues.iter().map(|queue| queue.capacity() * size_of::<u32>()).sum();
        (held + self.queues.capacity() * size_of::<VecDeque<u32>>()) as u64
    }
}

impl Persist for ReversedDepth {
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        put(out, self.depth as u64)?;
        put(out, self.queues.len() as u64)?;
        put(out, self.len as u64)?;
        for (depth, queue) in self.queues.iter().enumerate() {
            for &node in queue {
                put(out, depth as u64)?;
                put(out, node)?;
            }
        }
        Ok(())
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        *self = Self::default();
        let (next, depths, len) = (take::<u64>(from)?, take::<u64>(from)?, take::<u64>(from)?);
        for _ in 0..len {
            let depth = take::<u64>(from)?;
            if depth >= depths || depths > u64::from(u32::MAX) {
                return Err(corrupt("a state deeper than any"));
            }
            self.add(take(from)?, depth as usize);
        }
        self.depth = next as usize;
        Ok(())
    }
}
