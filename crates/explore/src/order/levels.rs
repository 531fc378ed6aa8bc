//! Waiting states by their number of transitions from the start.

use dwell_base::persist::{corrupt, put, take};
use std::collections::VecDeque;
use std::io::{self, Read, Write};

/// A queue for each depth.
#[derive(Clone, Debug, Default)]
pub(super) struct Levels {
    queues: Vec<VecDeque<u32>>,
    len: usize,
}

impl Levels {
    #[inline]
    pub fn add(&mut self, node: u32, depth: usize) {
        if self.queues.len() <= depth {
            self.queues.resize_with(depth + 1, VecDeque::new);
        }
        self.queues[depth].push_back(node);
        self.len += 1;
    }

    /// The first of a depth.
    #[inline]
    pub fn take(&mut self, depth: usize) -> Option<u32> {
        let node = self.queues.get_mut(depth)?.pop_front();
        self.len -= usize::from(node.is_some());
        node
    }

    /// Gives up the memory of a depth, of which there is none.
    pub fn release(&mut self, depth: usize) {
        self.queues[depth] = VecDeque::new();
    }

    /// The greatest depth of which there is one; what is beyond it is given up.
    pub fn deepest(&mut self) -> Option<usize> {
        while self.queues.last().is_some_and(VecDeque::is_empty) {
            self.queues.pop();
        }
        self.queues.len().checked_sub(1)
    }

    /// How many depths there are, empty ones included.
    pub fn depths(&self) -> usize {
        self.queues.len()
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn bytes(&self) -> u64 {
        let held: usize = self.queues.iter().map(|queue| queue.capacity() * size_of::<u32>()).sum();
        (held + self.queues.capacity() * size_of::<VecDeque<u32>>()) as u64
    }

    pub fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
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

    pub fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        *self = Self::default();
        let (depths, len) = (take::<u64>(from)?, take::<u64>(from)?);
        for _ in 0..len {
            let depth = take::<u64>(from)?;
            if depth >= depths || depths > u64::from(u32::MAX) {
                return Err(corrupt("a state deeper than any"));
            }
            self.add(take(from)?, depth as usize);
        }
        Ok(())
    }
}
