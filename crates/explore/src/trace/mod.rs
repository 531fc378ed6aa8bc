//! Where stored states came from.

mod across;
mod parents;
mod shortest;

pub use across::{Across, Depths, Past};
pub use parents::Parents;
pub use shortest::ShortestPaths;

use crate::{Origin, Worker};
use dwell_base::persist::Persist;
use std::io::{self, Read, Write};

/// Remembers the move that made each stored state.
pub trait TraceStore: Persist {
    /// Node numbers must not be used again: a trace may go through a state
    /// that was dropped for a larger one.
    fn keeps_nodes(&self) -> bool;
    /// Where `node` comes from.
    fn record(&mut self, node: u32, origin: Origin);
    /// Whether a new state may take the place of the stored state `old`, which
    /// it covers.
    #[inline]
    fn may_replace(&self, _old: u32, _new: Origin) -> bool {
        true
    }
    /// Whether a new state need not be explored because of the stored state
    /// `old`, which covers it.
    #[inline]
    fn may_cover(&self, _old: u32, _new: Origin) -> bool {
        true
    }
    /// Which initial state leads to `node`, and by which moves; `None` if that
    /// is not known here.
    fn path_to(&self, node: u32) -> Option<(u32, Vec<u32>)>;
    /// What was [recorded](Self::record) of a state, where states come from
    /// several workers.
    fn origin(&self, _node: u32) -> Option<Origin> {
        None
    }
    /// Takes what was recorded by a run that was written down.
    fn remember(&mut self, _past: Past) {}
    /// What is remembered of a state of such a run, whose workers have other
    /// numbers than those of this one.
    fn past(&self, _worker: Worker, _node: u32) -> Option<Origin> {
        None
    }
    /// All of that, as bytes, by worker.
    fn past_links(&self) -> Vec<(Worker, Vec<u8>)> {
        Vec::new()
    }
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
    fn record(&mut self, _node: u32, _origin: Origin) {}
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
    fn record(&mut self, node: u32, origin: Origin) {
        (**self).record(node, origin);
    }
    fn may_replace(&self, old: u32, new: Origin) -> bool {
        (**self).may_replace(old, new)
    }
    fn may_cover(&self, old: u32, new: Origin) -> bool {
        (**self).may_cover(old, new)
    }
    fn origin(&self, node: u32) -> Option<Origin> {
        (**self).origin(node)
    }
    fn remember(&mut self, past: Past) {
        (**self).remember(past);
    }
    fn past(&self, worker: Worker, node: u32) -> Option<Origin> {
        (**self).past(worker, node)
    }
    fn past_links(&self) -> Vec<(Worker, Vec<u8>)> {
        (**self).past_links()
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
