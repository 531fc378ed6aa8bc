//! `--order reversed-depth`: the most transitions from the start first.
//!
//! For comparison: Behrmann, Hune, Vaandrager (CAV 2000, paper 4), section 3.2,
//! reverse their order by depth, and find many more states. It is near to depth
//! first, but goes by the length of ways and not by when a state was made.
//!
//! RD-1 A state is one deeper than the one taken last, which made it, unless it
//!      comes from elsewhere and says how deep it is.

use super::Order;
use super::levels::Levels;
use dwell_base::persist::{Persist, put, take};
use std::io::{self, Read, Write};

/// A queue for each depth.
#[derive(Clone, Debug, Default)]
pub struct ReversedDepth {
    levels: Levels,
    /// What is pushed next is this deep; RD-1.
    depth: usize,
}

impl Order for ReversedDepth {
    #[inline]
    fn push(&mut self, node: u32, _rank: i64) {
        self.levels.add(node, self.depth);
    }
    #[inline]
    fn arrive(&mut self, node: u32, _rank: i64, depth: u32) {
        self.levels.add(node, depth as usize);
    }
    #[inline]
    fn depth(&self) -> u32 {
        self.depth as u32
    }
    #[inline]
    fn pop(&mut self) -> Option<u32> {
        let deepest = self.levels.deepest()?;
        self.depth = deepest + 1;
        self.levels.take(deepest)
    }
    fn len(&self) -> usize {
        self.levels.len()
    }
    fn bytes(&self) -> u64 {
        self.levels.bytes()
    }
}

impl Persist for ReversedDepth {
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        put(out, self.depth as u64)?;
        self.levels.freeze(out)
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        self.depth = take::<u64>(from)? as usize;
        self.levels.thaw(from)
    }
}
