//! The unified passed/waiting list (paper 2, section 4).
//!
//! One hash table over discrete states, a list of zones for each, and a
//! waiting list of references:
//!
//! ```text
//!  key store: entry ──► heads[entry] ──► node ──► node ──► node
//!                                         │ zone key
//!  waiting:  node, node, node …           ▼
//!                                       zone store
//! ```
//!
//! An entry with many zones has an array of them with digests instead of the
//! chain ([`crate::digest`]).
//!
//! PW-1 The zones of one entry are an antichain of the cover, but for stored
//!      states that the trace store does not let a larger one replace.
//! PW-2 A node is waiting until it is taken; a node that is dropped while it
//!      waits is taken later and thrown away (a flag, no search in the list).
//!      A taken state may wait once more; then it is handed out once more.
//! PW-3 A new state is dropped if *any* stored state covers it, waiting or
//!      passed; stored states that it covers and may replace are dropped.
//! PW-4 With a trace store node numbers are never used twice.
//! PW-5 The state being expanded keeps its zone until the next one is taken,
//!      even when one of its own successors covers it.

use crate::digest::{Digest, LONG, LongList, Place};
use crate::{Cover, KeyStore, Order, Stats, TraceStore, ZoneStore};
use dwell_base::ChunkedVec;
use dwell_zones::{Bound, LuBounds, Relation};

const NONE: u32 = u32::MAX;

/// Marks a head that is the number of a long list, not of a node.
const LONG_LIST: u32 = 1 << 31;

/// A stored symbolic state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeId(pub u32);

#[derive(Clone, Copy, Debug)]
struct Node {
    /// Next zone of the same discrete state.
    next: u32,
    /// Zone key.
    zone: u32,
    entry: u32,
    status: Status,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Status {
    Waiting,
    Passed,
    /// Dropped while waiting.
    Stale,
}

/// What became of a new state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inserted {
    /// It is stored and is to wait.
    New(NodeId),
    /// A stored state covers it.
    Covered,
}

/// The passed/waiting list.
///
/// `B` bounds · `K` key store · `Z` zone store · `C` cover · `O` order ·
/// `T` trace store.
#[derive(Debug)]
pub struct PwList<B, K, Z, C, O, T> {
    keys: K,
    zones: Z,
    cover: C,
    order: O,
    /// The order wants to know who made whom and who is dropped.
    followed: bool,
    trace: T,
    /// First node of each entry, or its long list.
    heads: ChunkedVec<u32>,
    long: Vec<LongList>,
    nodes: ChunkedVec<Node>,
    free_nodes: Vec<u32>,
    /// The state being expanded; PW-5.
    expanding: u32,
    /// Its zone and cell count, once it has been dropped.
    expanding_dropped: Option<(u32, usize)>,
    words: Vec<u64>,
    bounds: std::marker::PhantomData<B>,
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
    /// An empty list for packed states of `words` words.
    pub fn new(words: usize, keys: K, zones: Z, cover: C, order: O, trace: T) -> Self {
        Self {
            keys,
            zones,
            cover,
            followed: order.follows(),
            order,
            trace,
            heads: ChunkedVec::new(),
            long: Vec::new(),
            nodes: ChunkedVec::new(),
            free_nodes: Vec::new(),
            expanding: NONE,
            expanding_dropped: None,
            words: vec![0; words],
            bounds: std::marker::PhantomData,
        }
    }

    /// Takes the next waiting state; PW-2.
    #[inline]
    pub fn take(&mut self, stats: &mut Stats) -> Option<NodeId> {
        if let Some((zone, len)) = self.expanding_dropped.take() {
            self.zones.free(zone, len);
            self.recycle(self.expanding);
        }
        while let Some(id) = self.order.pop() {
            let node = self.nodes.get_mut(id as usize);
            match node.status {
                Status::Waiting => {
                    node.status = Status::Passed;
                    stats.visited += 1;
                    stats.visited_stored += 1;
                    self.expanding = id;
                    return Some(NodeId(id));
                }
                Status::Passed => return Some(NodeId(id)),
                Status::Stale => self.recycle(id),
            }
        }
        None
    }

    /// Lets a state wait to be taken: once after it was inserted, and once more
    /// after it was taken if node numbers are kept (PW-4).
    #[inline]
    pub fn wait(&mut self, node: NodeId, rank: i64) {
        self.order.push(node.0, rank);
    }

    /// The packed discrete part of a stored state.
    #[inline]
    pub fn key(&mut self, node: NodeId) -> &[u64] {
        let entry = self.nodes.get(node.0 as usize).entry;
        self.keys.load(entry, &mut self.words);
        &self.words
    }

    /// The zone key of a stored state, or of the one being expanded.
    #[inline]
    pub fn zone(&self, node: NodeId) -> u32 {
        self.nodes.get(node.0 as usize).zone
    }

    /// Cells of a zone key.
    #[inline]
    pub fn cells(&self, zone: u32, len: usize) -> &[B] {
        self.zones.cells(zone, len)
    }

    /// Inserts a state; PW-3. `parent` and `index` say where it comes from. A
    /// new state does not [`wait`](Self::wait) by itself.
    #[inline]
    pub fn insert(
        &mut self,
        words: &[u64],
        cells: &[B],
        active: &[u16],
        bounds: &LuBounds<B>,
        origin: (Option<NodeId>, u32),
        stats: &mut Stats,
    ) -> Inserted {
        let (entry, new_entry) = self.keys.save(words);
        if new_entry {
            debug_assert_eq!(entry as usize, self.heads.len());
            self.heads.push(NONE);
            stats.discrete += 1;
        } else if self.covered(entry, cells, active, bounds, origin.0, stats) {
            return Inserted::Covered;
        }

        let zone = self.zones.save(cells);
        stats.zone_copies += 1;
        let head = self.heads.get(entry as usize);
        let node = Node { next: head, zone, entry, status: Status::Waiting };
        let id = match self.free_nodes.pop() {
            Some(id) => {
                *self.nodes.get_mut(id as usize) = node;
                id
            }
            None => {
                assert!(self.nodes.len() < LONG_LIST as usize, "more states than a node number can name");
                self.nodes.push(node);
                self.nodes.len() as u32 - 1
            }
        };
        if head < LONG_LIST || head == NONE {
            *self.heads.get_mut(entry as usize) = id;
        } else {
            self.long[(head - LONG_LIST) as usize].push(Digest::new(cells), id);
        }
        let parent = origin.0.map(|n| n.0);
        self.trace.record(id, parent, origin.1);
        if self.followed {
            self.order.stored(id, parent);
        }
        stats.stored += 1;
        stats.max_stored = stats.max_stored.max(stats.stored);
        Inserted::New(NodeId(id))
    }

    /// Compares with the stored zones of an entry and drops those that the
    /// new one covers. By PW-1 and transitivity none is dropped when it is
    /// itself covered.
    fn covered(
        &mut self,
        entry: u32,
        cells: &[B],
        active: &[u16],
        bounds: &LuBounds<B>,
        parent: Option<NodeId>,
        stats: &mut Stats,
    ) -> bool {
        let mut previous = NONE;
        let mut at = self.heads.get(entry as usize);
        if at != NONE && at >= LONG_LIST {
            return self.covered_long((at - LONG_LIST) as usize, cells, active, bounds, parent, stats);
        }
        let mut length = 0;
        while at != NONE {
            length += 1;
            let node = self.nodes.get(at as usize);
            let old = self.zones.cells(node.zone, cells.len());
            match self.cover.compare(cells, old, active, bounds) {
                Relation::Equal | Relation::Subset => return true,
                Relation::Superset if self.trace.may_replace(at, parent.map(|p| p.0)) => {
                    if previous == NONE {
                        *self.heads.get_mut(entry as usize) = node.next;
                    } else {
                        self.nodes.get_mut(previous as usize).next = node.next;
                    }
                    self.drop_node(at, node, cells.len(), stats);
                }
                Relation::Superset | Relation::Incomparable => previous = at,
            }
            at = node.next;
        }
        if C::CELLWISE && length >= LONG {
            self.lengthen(entry, cells.len());
        }
        false
    }

    /// The same for an entry with a long list.
    fn covered_long(
        &mut self,
        list: usize,
        cells: &[B],
        active: &[u16],
        bounds: &LuBounds<B>,
        parent: Option<NodeId>,
        stats: &mut Stats,
    ) -> bool {
        let digest = Digest::new(cells);
        let mut from = Place::default();
        while let Some((at, id)) = self.long[list].next(&digest, from) {
            let node = self.nodes.get(id as usize);
            let old = self.zones.cells(node.zone, cells.len());
            match self.cover.compare(cells, old, active, bounds) {
                Relation::Equal | Relation::Subset => return true,
                Relation::Superset if self.trace.may_replace(id, parent.map(|p| p.0)) => {
                    from = self.long[list].remove(at);
                    self.drop_node(id, node, cells.len(), stats);
                }
                Relation::Superset | Relation::Incomparable => from = at.after(),
            }
        }
        false
    }

    /// Makes a long list of a chain.
    #[cold]
    fn lengthen(&mut self, entry: u32, len: usize) {
        let mut list = LongList::default();
        let mut at = self.heads.get(entry as usize);
        while at != NONE {
            let node = self.nodes.get(at as usize);
            list.push(Digest::new(self.zones.cells(node.zone, len)), at);
            at = node.next;
        }
        *self.heads.get_mut(entry as usize) = LONG_LIST + self.long.len() as u32;
        self.long.push(list);
    }

    #[cold]
    fn drop_node(&mut self, id: u32, node: Node, len: usize, stats: &mut Stats) {
        stats.stored -= 1;
        if self.followed {
            self.order.dropped(id);
        }
        if id == self.expanding {
            stats.visited_stored -= 1;
            self.expanding_dropped = Some((node.zone, len));
            return;
        }
        self.zones.free(node.zone, len);
        if node.status == Status::Passed {
            stats.visited_stored -= 1;
            self.recycle(id);
        } else {
            self.nodes.get_mut(id as usize).status = Status::Stale;
        }
    }

    /// PW-4.
    fn recycle(&mut self, id: u32) {
        if !self.trace.keeps_nodes() {
            self.free_nodes.push(id);
        }
    }

    /// Length of the waiting list, stale references included.
    pub fn waiting(&self) -> usize {
        self.order.len()
    }

    /// The waiting list.
    pub fn order(&self) -> &O {
        &self.order
    }

    /// The trace store.
    pub fn trace(&self) -> &T {
        &self.trace
    }

    /// The key store.
    pub fn keys(&self) -> &K {
        &self.keys
    }

    /// Number of discrete states.
    pub fn entries(&self) -> usize {
        self.heads.len()
    }

    /// The packed discrete state with this number.
    pub fn load(&self, entry: usize, words: &mut [u64]) {
        self.keys.load(entry as u32, words);
    }

    /// The stored states of a discrete state.
    pub fn nodes_of(&self, entry: usize) -> impl Iterator<Item = NodeId> + '_ {
        let head = self.heads.get(entry);
        let long = (head != NONE && head >= LONG_LIST).then(|| &self.long[(head - LONG_LIST) as usize]);
        let chained = move |at: u32| (at != NONE).then_some(at);
        let first = if long.is_some() { None } else { chained(head) };
        let chain = std::iter::successors(first, move |&at| chained(self.nodes.get(at as usize).next));
        chain.chain(long.into_iter().flat_map(LongList::nodes)).map(NodeId)
    }

    /// Calls `each` with the packed discrete part and the cells of every
    /// stored state (*Enumerate*). `cell_count` tells the number of cells from
    /// the packed discrete part.
    pub fn enumerate(&self, mut cell_count: impl FnMut(&[u64]) -> usize, mut each: impl FnMut(&[u64], &[B])) {
        let mut words = vec![0; self.words.len()];
        for entry in 0..self.entries() {
            self.load(entry, &mut words);
            let len = cell_count(&words);
            for node in self.nodes_of(entry) {
                each(&words, self.zones.cells(self.zone(node), len));
            }
        }
    }

    fn long_bytes(&self) -> u64 {
        self.long.iter().map(LongList::bytes).sum()
    }

    /// Bytes of storage held.
    pub fn bytes(&self) -> u64 {
        self.keys.bytes()
            + self.zones.bytes()
            + self.order.bytes()
            + self.trace.bytes()
            + self.heads.bytes()
            + self.nodes.bytes()
            + self.long_bytes()
            + (self.free_nodes.capacity() * size_of::<u32>()) as u64
    }
}
