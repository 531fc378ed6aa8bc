//! `--order dfs`: last in, first out.

use super::Order;
use dwell_base::persist::Persist;
use std::io::{self, Read, Write};

/// A stack.
#[derive(Clone, Debug, Default)]
pub struct DepthFirst {
    stack: Vec<u32>,
}

impl Order for DepthFirst {
    #[inline]
    fn push(&mut self, node: u32, _rank: i64) {
        self.stack.push(node);
    }
    #[inline]
    fn pop(&mut self) -> Option<u32> {
        self.stack.pop()
    }
    fn len(&self) -> usize {
        self.stack.len()
    }
    fn bytes(&self) -> u64 {
        (self.stack.capacity() * size_of::<u32>()) as u64
    }
}

impl Persist for DepthFirst {
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        self.stack.freeze(out)
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        self.stack.thaw(from)
    }
}
