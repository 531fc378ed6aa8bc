//! `--order bfs`: first in, first out.

use super::Order;
use std::collections::VecDeque;

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
