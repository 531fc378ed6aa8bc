//! `--trace shortest`: parent links and depths, twelve bytes per state.
//!
//! Paper 4, section 3.4: a state is dropped for a larger one only if it has no
//! smaller depth. With the unified list that matters breadth first too: a state
//! of depth d + 1 may otherwise drop a waiting one of depth d, and what that
//! one would have led to comes one transition later.
//!
//! Breadth first, states are made and taken by increasing depth. So a stored
//! state is never deeper than a new one and may always cover it; a new state
//! may replace a stored one only if it is not deeper (ST-1). By induction every
//! state that can be reached by n transitions is covered by a taken state of
//! depth n at most, and the goal is tested in the order of depth.

use super::{Parents, TraceStore};
use crate::Origin;
use dwell_base::persist::Persist;
use dwell_base::{ChunkedVec, SpillFile};
use std::io::{self, Read, Write};

/// Parent links of a strict breadth-first search.
#[derive(Clone, Debug, Default)]
pub struct ShortestPaths {
    parents: Parents,
    depths: ChunkedVec<u32>,
}

impl ShortestPaths {
    fn depth_below(&self, parent: Option<u32>) -> u32 {
        parent.map_or(0, |parent| self.depths.get(parent as usize) + 1)
    }
}

impl TraceStore for ShortestPaths {
    fn keeps_nodes(&self) -> bool {
        true
    }

    #[inline]
    fn record(&mut self, node: u32, origin: Origin) {
        self.depths.push(self.depth_below(origin.local()));
        self.parents.record(node, origin);
    }

    /// ST-1
    #[inline]
    fn may_replace(&self, old: u32, new: Origin) -> bool {
        self.depth_below(new.local()) <= self.depths.get(old as usize)
    }

    fn path_to(&self, node: u32) -> Option<(u32, Vec<u32>)> {
        self.parents.path_to(node)
    }

    fn bytes(&self) -> u64 {
        self.parents.bytes() + self.depths.bytes()
    }
}

impl Persist for ShortestPaths {
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        self.parents.freeze(out)?;
        self.depths.freeze(out)
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        self.parents.thaw(from)?;
        self.depths.thaw(from)
    }

    fn spill(&mut self, to: &mut SpillFile) -> io::Result<()> {
        self.parents.spill(to)?;
        self.depths.spill(to)
    }
}
