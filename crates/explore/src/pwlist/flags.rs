//! What waiting states carry where not all are stored, and how transient ones
//! leave ([`crate::keep`]).

use super::nodes::NONE;
use super::{NodeId, PwList};
use crate::keep::{Flag, MAX_FLAG};
use crate::{Cover, KeyStore, Order, Stats, TraceStore, ZoneStore};
use dwell_base::ChunkedVec;
use dwell_base::persist::Persist;
use dwell_zones::{Bound, Relation};
use std::collections::BTreeMap;
use std::io::{self, Read, Write};

/// Set where a state must be stored; KS-1.
const HEIR: Flag = MAX_FLAG + 1;
/// Set where a state is stored as a sample of those that are not.
const SAMPLE: Flag = HEIR << 1;

/// Flags by node.
#[derive(Clone, Debug, Default)]
pub(super) struct Flags {
    flags: ChunkedVec<Flag>,
    /// How many states will have been visited when a sample would not be
    /// waiting any more, had it returned.
    samples: BTreeMap<u32, u64>,
    /// Flags of samples that would have been explored once more.
    returned: Vec<Flag>,
    /// The state that is added next takes the place of a stored one.
    replaces_stored: bool,
    /// The state being expanded may be stored.
    expanding_may_stay: bool,
}

impl Flags {
    /// A state with this number is new.
    pub fn open(&mut self, id: u32) {
        let flag = if std::mem::take(&mut self.replaces_stored) { HEIR } else { 0 };
        if id as usize == self.flags.len() {
            self.flags.push(flag);
        } else {
            *self.flags.get_mut(id as usize) = flag;
        }
    }

    /// The state that is added next takes the place of this one.
    pub fn replaced(&mut self, id: u32, passed: bool, expanding: bool) {
        let stored = passed && (!expanding || self.expanding_may_stay);
        self.replaces_stored |= stored || self.flags.get(id as usize) & HEIR != 0;
        self.samples.remove(&id);
    }

    /// A state comes that this one covers. If this is a sample, it would have
    /// been explored once more, unless all of it came a short while ago and
    /// would be waiting still.
    #[inline]
    pub fn covered_by(&mut self, id: u32, relation: Relation, visited: u64, waiting: usize) {
        let flag = self.flags.get(id as usize);
        if flag & SAMPLE == 0 {
            return;
        }
        let Some(until) = self.samples.get_mut(&id) else { return };
        if *until <= visited {
            if relation == Relation::Equal {
                *until = visited + waiting as u64;
            }
            self.returned.push(flag);
        }
    }

    pub fn len(&self) -> usize {
        self.flags.len()
    }

    pub fn bytes(&self) -> u64 {
        // The nodes of the tree are at least half full.
        let samples = 2 * self.samples.len() * size_of::<(u32, u64)>();
        self.flags.bytes() + samples as u64
    }
}

/// Between two states nothing is being replaced or expanded.
impl Persist for Flags {
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        self.flags.freeze(out)?;
        self.samples.keys().copied().collect::<Vec<_>>().freeze(out)?;
        self.samples.values().copied().collect::<Vec<_>>().freeze(out)
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        self.flags.thaw(from)?;
        let (mut ids, mut until) = (Vec::<u32>::new(), Vec::<u64>::new());
        ids.thaw(from)?;
        until.thaw(from)?;
        self.samples = ids.into_iter().zip(until).collect();
        Ok(())
    }
}

impl<B, K, Z, C, O, T> PwList<B, K, Z, C, O, T>
where
    B: Bound,
    K: KeyStore,
    Z: ZoneStore<B>,
    C: Cover<B>,
    O: Order,
    T: TraceStore,
{
    /// The flag of a state, and whether it must be stored whatever the flag; KS-1.
    pub fn flag(&self, node: NodeId) -> (Flag, bool) {
        let flag = self.flags.as_ref().map_or(0, |flags| flags.flags.get(node.0 as usize));
        (flag & MAX_FLAG, flag & HEIR != 0)
    }

    /// Sets the flag of a waiting state.
    pub fn set_flag(&mut self, node: NodeId, flag: Flag) {
        if let Some(flags) = &mut self.flags {
            let place = flags.flags.get_mut(node.0 as usize);
            *place = *place & HEIR | flag;
        }
    }

    /// The state that was taken stays, as a sample with this flag.
    pub fn stay_as_sample(&mut self, node: NodeId, flag: Flag) {
        if let Some(flags) = &mut self.flags
            && !self.expanding_dropped
        {
            *flags.flags.get_mut(node.0 as usize) = SAMPLE | flag;
            flags.samples.insert(node.0, 0);
            // Before the next state is taken, others may arrive.
            flags.expanding_may_stay = true;
        }
    }

    /// The flag of a sample that would have been explored once more by now; each
    /// is handed out once.
    pub fn returned(&mut self) -> Option<Flag> {
        Some(self.flags.as_mut()?.returned.pop()? & MAX_FLAG)
    }

    /// Whether the state that was taken may be stored, to be said before its
    /// successors are inserted.
    pub fn may_stay(&mut self, stays: bool) {
        if let Some(flags) = &mut self.flags {
            flags.expanding_may_stay = stays;
        }
    }

    /// The state that was taken, with this zone, has been expanded and leaves,
    /// unless a larger one has taken its place already.
    pub fn leave(&mut self, node: NodeId, cells: &[B], stats: &mut Stats) {
        if self.expanding_dropped {
            return;
        }
        if self.followed {
            self.order.left(node.0);
        }
        let stored = self.nodes.get(node.0);
        let entry = stored.entry();
        self.unlink(node.0, entry, cells);
        self.zones.free(stored.zone, cells.len());
        self.expanding_dropped = true;
        stats.stored -= 1;
        stats.visited_stored -= 1;
        stats.transient += 1;
        if self.heads.get(entry as usize) == NONE {
            self.keys.release(entry);
        }
    }
}
