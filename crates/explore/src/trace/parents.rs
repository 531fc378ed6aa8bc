//! Eight bytes per state: the parent and the number of the move.
//!
//! The run itself is made again from the initial state by taking the same
//! moves on exact zones: abstractions here are simulations, so the path they
//! found exists.

use super::TraceStore;
use dwell_base::ChunkedVec;

const NO_PARENT: u32 = u32::MAX;

/// Parent links, by node.
#[derive(Clone, Debug, Default)]
pub struct Parents {
    links: ChunkedVec<(u32, u32)>,
}

impl TraceStore for Parents {
    fn keeps_nodes(&self) -> bool {
        true
    }

    #[inline]
    fn record(&mut self, node: u32, parent: Option<u32>, index: u32) {
        debug_assert_eq!(node as usize, self.links.len(), "nodes are numbered in order");
        self.links.push((parent.unwrap_or(NO_PARENT), index));
    }

    fn path_to(&self, node: u32) -> Option<(u32, Vec<u32>)> {
        let mut moves = Vec::new();
        let mut at = node;
        loop {
            let (parent, index) = self.links.get(at as usize);
            if parent == NO_PARENT {
                moves.reverse();
                return Some((index, moves));
            }
            moves.push(index);
            at = parent;
        }
    }

    fn bytes(&self) -> u64 {
        self.links.bytes()
    }
}
