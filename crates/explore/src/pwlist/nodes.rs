//! The states of a list, twelve bytes each.

use dwell_base::persist::{Persist, Plain, put, take};
use dwell_base::{ChunkedVec, SpillFile};
use std::io::{self, Read, Write};

/// No node.
pub(super) const NONE: u32 = u32::MAX;

/// Entries that fit beside a status.
pub(super) const MAX_ENTRIES: u32 = 1 << 30;

/// What became of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Status {
    Waiting,
    Passed,
    /// Dropped while waiting.
    Stale,
}

/// A stored symbolic state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// Next zone of the same discrete state.
    pub next: u32,
    /// Zone key.
    pub zone: u32,
    /// Number of the discrete state, and the status in the two high bits.
    entry_and_status: u32,
}

impl Node {
    pub fn new(zone: u32, entry: u32) -> Self {
        Self { next: NONE, zone, entry_and_status: entry }
    }

    #[inline]
    pub fn entry(self) -> u32 {
        self.entry_and_status & (MAX_ENTRIES - 1)
    }

    #[inline]
    pub fn status(self) -> Status {
        match self.entry_and_status >> 30 {
            0 => Status::Waiting,
            1 => Status::Passed,
            _ => Status::Stale,
        }
    }
}

/// All nodes, by number. Those that were given up are a chain, so that they take
/// no room beside.
#[derive(Debug)]
pub(super) struct Nodes {
    nodes: ChunkedVec<Node>,
    /// The first of them.
    free: u32,
}

impl Default for Nodes {
    fn default() -> Self {
        Self { nodes: ChunkedVec::new(), free: NONE }
    }
}

impl Nodes {
    /// Gives a node a number below `limit`.
    #[inline]
    pub fn add(&mut self, node: Node, limit: u32) -> u32 {
        if self.free != NONE {
            let id = self.free;
            self.free = self.nodes.get(id as usize).next;
            *self.nodes.get_mut(id as usize) = node;
            return id;
        }
        assert!(self.nodes.len() < limit as usize, "more states than a node number can name");
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    #[inline]
    pub fn get(&self, id: u32) -> Node {
        self.nodes.get(id as usize)
    }

    #[inline]
    pub fn set_next(&mut self, id: u32, next: u32) {
        self.nodes.get_mut(id as usize).next = next;
    }

    #[inline]
    pub fn set_status(&mut self, id: u32, status: Status) {
        let node = self.nodes.get_mut(id as usize);
        node.entry_and_status = node.entry() | (status as u32) << 30;
    }

    /// Gives the number up for another state.
    pub fn recycle(&mut self, id: u32) {
        self.set_next(id, self.free);
        self.free = id;
    }

    /// All of them, with the numbers that were given up.
    pub fn iter(&self) -> impl Iterator<Item = Node> + '_ {
        (0..self.nodes.len()).map(|id| self.nodes.get(id))
    }

    /// Whether the numbers that were given up are a chain with an end.
    pub fn given_up_end(&self) -> bool {
        let mut at = self.free;
        for _ in 0..=self.len() {
            if at == NONE {
                return true;
            }
            if at as usize >= self.len() {
                return false;
            }
            at = self.get(at).next;
        }
        false
    }

    /// Numbers are below.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn bytes(&self) -> u64 {
        self.nodes.bytes()
    }
}

impl Plain for Node {
    type Bytes = [u8; 12];
    fn to_bytes(self) -> [u8; 12] {
        let mut bytes = [0; 12];
        let parts = [self.next, self.zone, self.entry_and_status];
        bytes.chunks_exact_mut(4).zip(parts).for_each(|(to, part)| to.copy_from_slice(&part.to_bytes()));
        bytes
    }
    fn from_bytes(bytes: [u8; 12]) -> Self {
        let part = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        Self { next: part(0), zone: part(4), entry_and_status: part(8) }
    }
}

impl Persist for Nodes {
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        self.nodes.freeze(out)?;
        put(out, self.free)
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        self.nodes.thaw(from)?;
        self.free = take(from)?;
        Ok(())
    }

    fn spill(&mut self, to: &mut SpillFile) -> io::Result<()> {
        self.nodes.spill(to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_leaves_the_entry_alone() {
        let mut nodes = Nodes::default();
        for entry in [0, 1, MAX_ENTRIES - 1] {
            let id = nodes.add(Node::new(7, entry), NONE);
            for status in [Status::Waiting, Status::Passed, Status::Stale, Status::Waiting] {
                nodes.set_status(id, status);
                assert_eq!((nodes.get(id).entry(), nodes.get(id).status()), (entry, status));
            }
        }
        assert_eq!(size_of::<Node>(), 12);
    }
}
