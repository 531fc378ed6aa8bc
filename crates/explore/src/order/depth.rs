//! `--order depth`: the fewest transitions from the start first.
//!
//! Behrmann, Hune, Vaandrager: *Distributing timed model checking: how the
//! search order matters* (CAV 2000, paper 4), section 3.2: states that arrive
//! from elsewhere may be out of order, so the waiting list is kept by depth.
//! Where none do the order is breadth first.
//!
//! DP-1 A state is one deeper than the one taken last, which made it, unless it
//!      comes from elsewhere and says how deep it is.
//! DP-2 All buckets below `least` are empty.

use super::Order;
use dwell_base::persist::{Persist, corrupt, put, take};
use std::collections::VecDeque;
use std::io::{self, Read, Write};

/// A queue for each depth.
#[derive(Clone, Debug, Default)]
pub struct Depth {
    queues: Vec<VecDeque<u32>>,
    /// What is pushed next is this deep; DP-1.
    depth: usize,
    least: usize,
    len: usize,
}

impl Depth {
    #[inline]
    fn add(&mut self, node: u32, depth: usize) {
        if self.queues.len() <= depth {
            self.queues.resize_with(depth + 1, VecDeque::new);
        }
        self.queues[depth].push_back(node);
        self.least = self.least.min(depth);
        self.len += 1;
    }
}

impl Order for Depth {
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
        while let Some(queue) = self.queues.get_mut(self.least) {
            if let Some(node) = queue.pop_front() {
                self.depth = self.least + 1;
                self.len -= 1;
                return Some(node);
            }
            *queue = VecDeque::new();
            self.least += 1; // DP-2
        }
        None
    }
    fn len(&self) -> usize {
        self.len
    }
    fn bytes(&self) -> u64 {
        let held = |queue: &VecDeque<u32>| size_of::<VecDeque<u32>>() + queue.capacity() * size_of::<u32>();
        self.queues.iter().map(held).sum::<usize>() as u64
    }
}

impl Persist for Depth {
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        put(out, self.depth as u64)?;
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
        let (last, len) = (take::<u64>(from)?, take::<u64>(from)?);
        for _ in 0..len {
            let depth = take::<u64>(from)?;
            if depth > last {
                return Err(corrupt("a state deeper than those that are pushed"));
            }
            self.add(take(from)?, depth as usize);
        }
        self.depth = last as usize;
        Ok(())
    }
}
