//! Where states come from when there are several workers: 14 bytes per state.
//!
//! A parent may be another worker's, so a path is put together from what all
//! workers recorded (paper 4).
//!
//! With [`Depths::Respected`] the depth rule of paper 4, section 3.4, holds,
//! for shortest traces in any order: a state is dropped for another one only if
//! it has no smaller depth. So every state that can be reached by n transitions
//! is covered by a state of depth n at most that is expanded at some time, or
//! is as deep as what was found.

use super::TraceStore;
use crate::{NodeId, Origin, Parent, Worker};
use dwell_base::persist::{Persist, Plain};
use dwell_base::{ChunkedVec, SpillFile};
use std::io::{self, Read, Write};

/// No worker: the parent is in the same list.
const HERE: Worker = Worker::MAX;
/// No worker: there is no parent.
const NOWHERE: Worker = Worker::MAX - 1;

/// Whether depths matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depths {
    /// Any trace will do.
    Ignored,
    /// The shortest one is looked for.
    Respected,
}

/// Links to parents, by node.
#[derive(Clone, Debug)]
pub struct Across {
    depths: Depths,
    links: ChunkedVec<Link>,
    workers: ChunkedVec<Worker>,
    past: Past,
}

/// Links of runs that this one goes on from.
///
/// Their workers have numbers from `first` on, in the order they were written;
/// so have the workers of runs before those.
#[derive(Clone, Debug, Default)]
pub struct Past {
    first: Worker,
    tables: Vec<Across>,
}

impl Past {
    /// From what each of them [froze](Persist::freeze).
    pub fn read(first: Worker, links: &[Vec<u8>]) -> io::Result<Self> {
        let table = |bytes: &Vec<u8>| {
            let mut table = Across::new(Depths::Ignored);
            table.thaw(&mut &bytes[..])?;
            Ok(table)
        };
        Ok(Self { first, tables: links.iter().map(table).collect::<io::Result<_>>()? })
    }

    fn origin(&self, worker: Worker, node: u32) -> Option<Origin> {
        let table = self.tables.get(usize::from(worker.checked_sub(self.first)?))?;
        if node as usize >= table.links.len() {
            return None;
        }
        let origin = table.origin(node)?;
        let parent = match origin.parent {
            Parent::None => Parent::None,
            Parent::Here(parent) => Parent::Elsewhere { worker, node: parent.0 },
            Parent::Elsewhere { worker, node } => {
                Parent::Elsewhere { worker: worker.checked_add(self.first)?, node }
            }
        };
        Some(Origin { parent, ..origin })
    }
}

#[derive(Clone, Copy, Debug)]
struct Link {
    parent: u32,
    index: u32,
    depth: u32,
}

impl Across {
    /// Nothing is recorded yet.
    pub fn new(depths: Depths) -> Self {
        Self { depths, links: ChunkedVec::new(), workers: ChunkedVec::new(), past: Past::default() }
    }

    fn depth(&self, node: u32) -> u32 {
        self.links.get(node as usize).depth
    }
}

impl TraceStore for Across {
    fn keeps_nodes(&self) -> bool {
        true
    }

    #[inline]
    fn record(&mut self, node: u32, origin: Origin) {
        debug_assert_eq!(node as usize, self.links.len(), "nodes are numbered in order");
        let (worker, parent) = match origin.parent {
            Parent::None => (NOWHERE, 0),
            Parent::Here(parent) => (HERE, parent.0),
            Parent::Elsewhere { worker, node } => (worker, node),
        };
        self.links.push(Link { parent, index: origin.index, depth: origin.depth });
        self.workers.push(worker);
    }

    #[inline]
    fn may_replace(&self, old: u32, new: Origin) -> bool {
        self.depths == Depths::Ignored || new.depth <= self.depth(old)
    }

    #[inline]
    fn may_cover(&self, old: u32, new: Origin) -> bool {
        self.depths == Depths::Ignored || self.depth(old) <= new.depth
    }

    fn path_to(&self, _node: u32) -> Option<(u32, Vec<u32>)> {
        None
    }

    fn origin(&self, node: u32) -> Option<Origin> {
        let Link { parent, index, depth } = self.links.get(node as usize);
        let parent = match self.workers.get(node as usize) {
            NOWHERE => Parent::None,
            HERE => Parent::Here(NodeId(parent)),
            worker => Parent::Elsewhere { worker, node: parent },
        };
        Some(Origin { parent, index, depth })
    }

    fn remember(&mut self, past: Past) {
        self.past = past;
    }

    fn past(&self, worker: Worker, node: u32) -> Option<Origin> {
        self.past.origin(worker, node)
    }

    fn past_links(&self) -> Vec<(Worker, Vec<u8>)> {
        let frozen = |table: &Self| {
            let mut bytes = Vec::new();
            table.freeze(&mut bytes).map_or_else(|_| Vec::new(), |()| bytes)
        };
        (self.past.first..).zip(&self.past.tables).map(|(worker, table)| (worker, frozen(table))).collect()
    }

    fn bytes(&self) -> u64 {
        let past: u64 = self.past.tables.iter().map(TraceStore::bytes).sum();
        self.links.bytes() + self.workers.bytes() + past
    }
}

impl Plain for Link {
    type Bytes = [u8; 12];
    fn to_bytes(self) -> [u8; 12] {
        let mut bytes = [0; 12];
        let parts = [self.parent, self.index, self.depth];
        bytes.chunks_exact_mut(4).zip(parts).for_each(|(to, part)| to.copy_from_slice(&part.to_bytes()));
        bytes
    }
    fn from_bytes(bytes: [u8; 12]) -> Self {
        let part = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        Self { parent: part(0), index: part(4), depth: part(8) }
    }
}

impl Persist for Across {
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        self.links.freeze(out)?;
        self.workers.freeze(out)
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        self.links.thaw(from)?;
        self.workers.thaw(from)
    }

    fn spill(&mut self, to: &mut SpillFile) -> io::Result<()> {
        self.links.spill(to)?;
        self.workers.spill(to)
    }
}
