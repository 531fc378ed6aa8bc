//! What becomes of a state when it is taken.

use super::nodes::{NONE, Status};
use super::{At, NodeId, PwList};
use crate::store::{Omissions, Seen, StateSet};
use crate::{Cover, KeyStore, Order, Stats, TraceStore, ZoneStore};
use dwell_base::limits::Stop;
use dwell_zones::Bound;

/// States that are explored and not remembered, for each that is, before the
/// search is given up: cycles of them have no end.
const SKIPS: u64 = 100;

/// How waiting states become passed ones.
pub enum Passing<B> {
    /// The unified list of paper 2: waiting and passed states are compared
    /// alike, and taking a state changes a flag.
    Unified,
    /// The two lists of paper 1, section 4.1, before its improvement
    /// (`--waiting-inclusion off`): waiting states are not looked at; a state
    /// is compared with the passed ones when it is taken.
    TwoLists,
    /// The passed states are a set that may hold more than was put into it
    /// (paper 1, sections 4.3 and 4.4). Only waiting states are stored.
    Approximate {
        /// The passed states.
        passed: Box<dyn StateSet<B>>,
        /// Whether waiting states are compared with each other.
        compare_waiting: bool,
        /// Whether a state that finds no room is explored all the same, and
        /// perhaps again.
        skip_when_full: bool,
    },
}

impl<B> Passing<B> {
    /// Whether taking a state changes a flag and nothing else.
    #[inline]
    pub fn is_unified(&self) -> bool {
        matches!(self, Self::Unified)
    }

    /// Whether passed states are not kept.
    #[inline]
    pub(super) fn forgets(&self) -> bool {
        matches!(self, Self::Approximate { .. })
    }

    /// Whether a new state is compared with those that wait.
    #[inline]
    pub(super) fn compares_waiting(&self) -> bool {
        match self {
            Self::Unified => true,
            Self::TwoLists => false,
            Self::Approximate { compare_waiting, .. } => *compare_waiting,
        }
    }

    /// Whether waiting states stand among the zones of their entry.
    #[inline]
    pub(super) fn links_waiting(&self) -> bool {
        !matches!(self, Self::TwoLists)
    }

    /// What an approximate passed list may have left out.
    pub fn omissions(&self) -> Option<Omissions> {
        match self {
            Self::Approximate { passed, .. } => Some(passed.omissions()),
            _ => None,
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        match self {
            Self::Unified | Self::TwoLists => 0,
            Self::Approximate { passed, .. } => passed.bytes(),
        }
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
    /// Makes the state that was taken a passed one. False if it need not be
    /// expanded after all. `cells` is its zone as [read](Self::read).
    #[inline]
    pub fn admit(
        &mut self,
        node: NodeId,
        cells: &[B],
        at: At<'_, B>,
        stats: &mut Stats,
    ) -> Result<bool, Stop> {
        self.expanding = node.0;
        let admitted = match self.passing {
            Passing::Unified => {
                self.nodes.set_status(node.0, Status::Passed);
                stats.visited_stored += 1;
                true
            }
            Passing::TwoLists => self.admit_late(node.0, cells, at, stats),
            Passing::Approximate { .. } => self.admit_to_set(node.0, cells, stats)?,
        };
        stats.visited += u64::from(admitted);
        Ok(admitted)
    }

    /// Whether an approximate passed list knows this state.
    #[inline]
    pub(super) fn has_passed(&mut self, words: &[u64], cells: &[B]) -> bool {
        match &mut self.passing {
            Passing::Approximate { passed, .. } => passed.contains(words, cells),
            _ => false,
        }
    }

    #[cold]
    fn admit_late(&mut self, id: u32, cells: &[B], at: At<'_, B>, stats: &mut Stats) -> bool {
        let entry = self.nodes.get(id).entry();
        self.zones.prepare(cells);
        // Passed states may be replaced, whatever the trace: all they lead to is known.
        if self.covered(entry, cells, at, None, stats) {
            self.zones.free(self.nodes.get(id).zone, cells.len());
            stats.stored -= 1;
            self.expanding_dropped = true;
            return false;
        }
        self.nodes.set_status(id, Status::Passed);
        self.link(id, entry, cells);
        stats.visited_stored += 1;
        true
    }

    #[cold]
    fn admit_to_set(&mut self, id: u32, cells: &[B], stats: &mut Stats) -> Result<bool, Stop> {
        let node = self.nodes.get(id);
        let entry = node.entry();
        self.keys.load(entry, &mut self.words);
        let Passing::Approximate { passed, skip_when_full, .. } = &mut self.passing else {
            return Ok(true);
        };
        let (seen, skips) = (passed.insert(&self.words, cells), *skip_when_full);
        self.unlink(id, entry, cells);
        self.zones.free(node.zone, cells.len());
        self.nodes.set_status(id, Status::Passed);
        self.expanding_dropped = true;
        match seen {
            Seen::New { dropped } => {
                stats.stored -= u64::from(dropped);
                stats.visited_stored = stats.visited_stored + 1 - u64::from(dropped);
                stats.replaced += u64::from(dropped);
            }
            Seen::Before => {
                stats.stored -= 1;
                stats.covered += 1;
            }
            Seen::Full if skips && stats.skipped < SKIPS * (stats.visited_stored + 1) => {
                stats.stored -= 1;
                stats.skipped += 1;
            }
            Seen::Full => return Err(Stop::TableFull),
        }
        // Nothing waits here any more: the discrete part may go.
        if self.heads.get(entry as usize) == NONE {
            self.keys.release(entry);
        }
        Ok(seen != Seen::Before)
    }
}
