//! `--order best-first`: the smallest rank first, among equals the oldest.
//!
//! Behrmann, Fehnker, Hune, Larsen, Pettersson, Romijn: *Efficient guiding
//! towards cost-optimality in UPPAAL* (TACAS 2001; *guiding* in paper 2). The
//! waiting list is a heap, everything else stays as it is. A state that is dropped while it
//! waits stays in the heap and is thrown away when its turn comes (PW-2).

use super::Order;
use dwell_base::persist::{Persist, put, take};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::{self, Read, Write};

/// A heap by rank and age.
#[derive(Clone, Debug, Default)]
pub struct BestFirst {
    heap: BinaryHeap<Reverse<(i64, u64, u32)>>,
    pushed: u64,
}

impl Order for BestFirst {
    #[inline]
    fn push(&mut self, node: u32, rank: i64) {
        self.pushed += 1;
        self.heap.push(Reverse((rank, self.pushed, node)));
    }
    #[inline]
    fn pop(&mut self) -> Option<u32> {
        self.heap.pop().map(|Reverse((_, _, node))| node)
    }
    fn len(&self) -> usize {
        self.heap.len()
    }
    fn bytes(&self) -> u64 {
        (self.heap.capacity() * size_of::<(i64, u64, u32)>()) as u64
    }
}

impl Persist for BestFirst {
    /// No two elements are equal, so their places in the heap do not matter.
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        put(out, self.pushed)?;
        put(out, self.heap.len() as u64)?;
        for &Reverse((rank, age, node)) in &self.heap {
            put(out, rank)?;
            put(out, age)?;
            put(out, node)?;
        }
        Ok(())
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        self.pushed = take(from)?;
        self.heap.clear();
        for _ in 0..take::<u64>(from)? {
            self.heap.push(Reverse((take(from)?, take(from)?, take(from)?)));
        }
        Ok(())
    }
}
