//! `--order bfs`: first in, first out.
//!
//! The queue is made of blocks, so that it takes the room of what waits: an array
//! that doubles takes up to twice that, and three times while it moves.

use super::Order;
use dwell_base::persist::{Persist, put, put_each};
use std::collections::VecDeque;
use std::io::{self, Read, Write};

/// Nodes of a block.
const BLOCK: usize = 4096;

/// A queue.
#[derive(Clone, Debug, Default)]
pub struct BreadthFirst {
    /// None is longer than [`BLOCK`], and all but the last have been full.
    blocks: VecDeque<Vec<u32>>,
    /// How many of the first block have been taken.
    taken: usize,
    len: usize,
    /// One that was used up.
    spare: Option<Vec<u32>>,
}

impl BreadthFirst {
    #[cold]
    fn add_block(&mut self, node: u32) {
        let mut block = self.spare.take().unwrap_or_else(|| Vec::with_capacity(BLOCK));
        block.push(node);
        self.blocks.push_back(block);
    }

    #[cold]
    fn drop_block(&mut self) {
        self.taken = 0;
        self.spare = self.blocks.pop_front();
        if let Some(block) = &mut self.spare {
            block.clear();
        }
    }
}

impl Order for BreadthFirst {
    #[inline]
    fn push(&mut self, node: u32, _rank: i64) {
        self.len += 1;
        match self.blocks.back_mut() {
            Some(block) if block.len() < BLOCK => block.push(node),
            _ => self.add_block(node),
        }
    }
    #[inline]
    fn pop(&mut self) -> Option<u32> {
        let block = self.blocks.front()?;
        let node = block.get(self.taken).copied()?;
        self.len -= 1;
        self.taken += 1;
        if self.taken == block.len() {
            self.drop_block();
        }
        Some(node)
    }
    fn len(&self) -> usize {
        self.len
    }
    fn bytes(&self) -> u64 {
        let blocks = self.blocks.iter().chain(&self.spare).map(Vec::capacity).sum::<usize>();
        (blocks * size_of::<u32>() + self.blocks.capacity() * size_of::<Vec<u32>>()) as u64
    }
}

impl Persist for BreadthFirst {
    /// As a vector.
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        put(out, self.len as u64)?;
        let mut skip = self.taken;
        for block in &self.blocks {
            put_each(out, &block[std::mem::take(&mut skip)..])?;
        }
        Ok(())
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        let mut queue = Vec::<u32>::new();
        queue.thaw(from)?;
        *self = Self::default();
        queue.into_iter().for_each(|node| self.push(node, 0));
        Ok(())
    }
}
