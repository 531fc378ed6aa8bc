//! Eight bytes per state: the parent and the number of the move, with the length of
//! a chain behind it ([`crate::unchained`]).
//!
//! The run itself is made again from the initial state by taking the same
//! moves on exact zones: abstractions here are simulations, so the path they
//! found exists.

use super::TraceStore;
use crate::{Origin, unchained};
use dwell_base::persist::{Persist, Plain, corrupt};
use dwell_base::{ChunkedVec, SpillFile};
use std::io::{self, Read, Write};

const NO_PARENT: u32 = u32::MAX;

/// Parent links, by node.
#[derive(Clone, Debug, Default)]
pub struct Parents {
    links: ChunkedVec<Link>,
}

#[derive(Clone, Copy, Debug)]
struct Link {
    parent: u32,
    index: u32,
}

impl TraceStore for Parents {
    fn keeps_nodes(&self) -> bool {
        true
    }

    #[inline]
    fn record(&mut self, node: u32, origin: Origin) {
        debug_assert_eq!(node as usize, self.links.len(), "nodes are numbered in order");
        self.links.push(Link { parent: origin.local().unwrap_or(NO_PARENT), index: origin.index });
    }

    fn path_to(&self, node: u32) -> Option<(u32, Vec<u32>)> {
        let mut moves = Vec::new();
        let mut at = node;
        loop {
            let Link { parent, index } = self.links.get(at as usize);
            if parent == NO_PARENT {
                moves.reverse();
                return Some((index, unchained(moves)));
            }
            moves.push(index);
            at = parent;
        }
    }

    fn bytes(&self) -> u64 {
        self.links.bytes()
    }
}

impl Plain for Link {
    type Bytes = [u8; 8];
    fn to_bytes(self) -> [u8; 8] {
        (u64::from(self.parent) << 32 | u64::from(self.index)).to_bytes()
    }
    fn from_bytes(bytes: [u8; 8]) -> Self {
        let both = u64::from_bytes(bytes);
        Self { parent: (both >> 32) as u32, index: both as u32 }
    }
}

impl Persist for Parents {
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        self.links.freeze(out)
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        self.links.thaw(from)?;
        // A parent is older than its children: every path has an end.
        let older =
            |at| matches!(self.links.get(at).parent, parent if parent == NO_PARENT || (parent as usize) < at);
        if (0..self.links.len()).all(older) {
            Ok(())
        } else {
            Err(corrupt("a parent younger than its child"))
        }
    }

    fn spill(&mut self, to: &mut SpillFile) -> io::Result<()> {
        self.links.spill(to)
    }
}
