//! `--order bfs`: first in, first out.

use super::Order;
use dwell_base::persist::{Persist, put, put_each};
use std::collections::VecDeque;
use std::io::{self, Read, Write};

/// A queue.
#[derive(Clone, Debug, Default)]
pub struct BreadthFirst {
    queue: VecDeque<u32>,
}

impl Order for BreadthFirst {
    #[inline]
    fn push(&mut self, node: u32, _rank: i64) {
        self.queue.push_back(node);
    }
    #[inline]
    fn pop(&mut self) -> Option<u32> {
        self.queue.pop_front()
    }
    fn len(&self) -> usize {
        self.queue.len()
    }
    fn bytes(&self) -> u64 {
        (self.queue.capacity() * size_of::<u32>()) as u64
    }
}

impl Persist for BreadthFirst {
    /// As a vector.
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        let (first, second) = self.queue.as_slices();
        put(out, self.queue.len() as u64)?;
        put_each(out, first)?;
        put_each(out, second)
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        let mut queue = Vec::new();
        queue.thaw(from)?;
        self.queue = queue.into();
        Ok(())
    }
}
