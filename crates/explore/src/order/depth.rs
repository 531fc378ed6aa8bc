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
use super::levels::Levels;
use dwell_base::persist::{Persist, put, take};
use std::io::{self, Read, Write};

/// A queue for each depth.
#[derive(Clone, Debug, Default)]
pub struct Depth {
    levels: Levels,
    /// What is pushed next is this deep; DP-1.
    depth: usize,
    least: usize,
}

impl Depth {
    #[inline]
    fn add(&mut self, node: u32, depth: usize) {
        self.levels.add(node, depth);
        self.least = self.least.min(depth);
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
        while self.least < self.levels.depths() {
            if let Some(node) = self.levels.take(self.least) {
                self.depth = self.least + 1;
                return Some(node);
            }
            self.levels.release(self.least);
            self.least += 1; // DP-2
        }
        None
    }
    fn len(&self) -> usize {
        self.levels.len()
    }
    fn bytes(&self) -> u64 {
        self.levels.bytes()
    }
}

impl Persist for Depth {
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        put(out, self.depth as u64)?;
        self.levels.freeze(out)
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        self.depth = take::<u64>(from)? as usize;
        self.least = 0; // empty depths are passed over
        self.levels.thaw(from)
    }
}
