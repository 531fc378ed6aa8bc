//! The states of a list, twelve bytes each.

use dwell_base::ChunkedVec;

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

/// All nodes, by number.
#[derive(Debug, Default)]
pub(super) struct Nodes {
    nodes: ChunkedVec<Node>,
    free: Vec<u32>,
}

impl Nodes {
    /// Gives a node a number below `limit`.
    #[inline]
    pub fn add(&mut self, node: Node, limit: u32) -> u32 {
        if let Some(id) = self.free.pop() {
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
        self.free.push(id);
    }

    pub fn bytes(&self) -> u64 {
        self.nodes.bytes() + (self.free.capacity() * size_of::<u32>()) as u64
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
