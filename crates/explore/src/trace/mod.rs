//! Where stored states came from.

mod parents;
mod shortest;

pub use parents::Parents;
pub use shortest::ShortestPaths;

use dwell_base::persist::Persist;
use std::io::{self, Read, Write};

/// Remembers the move that made each stored state.
pub trait TraceStore: Persist {
    /// Node numbers must not be used again: a trace may go through a state
    /// that was dropped for a larger one.
    fn keeps_nodes(&self) -> bool;
    /// `node` was made from `parent` by its move number `index`; an initial
    /// state has no parent and `index` says which one it is.
    fn record(&mut self, node: u32, parent: Option<u32>, index: u32);
    /// Whether a new state that `parent` makes may take the place of the stored
    /// state `old`, which it covers.
    #[inline]
    fn may_replace(&self, _old: u32, _parent: Option<u32>) -> bool {
        true
    }
    /// Which initial state leads to `node`, and by which moves.
    fn path_to(&self, node: u32) -> Option<(u32, Vec<u32>)>;
    /// Bytes of storage held.
    fn bytes(&self) -> u64;
}

/// The stage switched off.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTrace;

impl TraceStore for NoTrace {
    fn keeps_nodes(&self) -> bool {
        false
    }
    #[inline(always)]
    fn record(&mut self, _node: u32, _parent: Option<u32>, _index: u32) {}
    fn path_to(&self, _node: u32) -> Option<(u32, Vec<u32>)> {
        None
    }
    fn bytes(&self) -> u64 {
        0
    }
}

impl<T: TraceStore + ?Sized> TraceStore for Box<T> {
    fn keeps_nodes(&self) -> bool {
        (**self).keeps_nodes()
    }
    #[inline]
    fn record(&mut self, node: u32, parent: Option<u32>, index: u32) {
        (**self).record(node, parent, index);
    }
    fn may_replace(&self, old: u32, parent: Option<u32>) -> bool {
        (**self).may_replace(old, parent)
    }
    fn path_to(&self, node: u32) -> Option<(u32, Vec<u32>)> {
        (**self).path_to(node)
    }
    fn bytes(&self) -> u64 {
        (**self).bytes()
    }
}

impl Persist for NoTrace {
    fn freeze(&self, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
    fn thaw(&mut self, _from: &mut dyn Read) -> io::Result<()> {
        Ok(())
    }
}
