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
//! PW-4 With a trace store node numbers are never used twice; else the number
//!      of the state being expanded is not used again before the next one is
//!      taken.
//!
//! That is the list as it is meant. [`Passing`] says how it may be less: two
//! lists, or a set of passed states that forgets. With [`crate::keep`] it is
//! less too: states leave when they have been expanded (`flags.rs`).

mod flags;
mod nodes;
mod passing;
mod persist;
mod zones;

pub use passing::Passing;

use crate::digest::LongList;
use crate::{Cover, KeyStore, Order, Origin, Stats, TraceStore, ZoneStore};
use dwell_base::ChunkedVec;
use dwell_zones::{Bound, LuBounds};
use flags::Flags;
use nodes::{MAX_ENTRIES, NONE, Node, Nodes, Status};

/// Marks a head that is the number of a long list, not of a node.
const LONG_LIST: u32 = 1 << 31;

/// A stored symbolic state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeId(pub u32);

/// What became of a new state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inserted {
    /// It is stored and is to wait.
    New(NodeId),
    /// A stored state covers it.
    Covered,
}

/// What zones are compared by, beside their cells.
#[derive(Clone, Copy, Debug)]
pub struct At<'a, B: Bound> {
    /// Active clocks at the discrete state.
    pub active: &'a [u16],
    /// L and U there.
    pub bounds: &'a LuBounds<B>,
}

/// The passed/waiting list.
///
/// `B` bounds · `K` key store · `Z` zone store · `C` cover · `O` order ·
/// `T` trace store.
pub struct PwList<B, K, Z, C, O, T> {
    keys: K,
    zones: Z,
    cover: C,
    order: O,
    /// The order wants to know who made whom and who is dropped.
    followed: bool,
    trace: T,
    passing: Passing<B>,
    /// One zone for each entry, that includes all that came.
    convex_hull: bool,
    /// First node of each entry, or its long list.
    heads: ChunkedVec<u32>,
    long: Vec<LongList>,
    /// Long lists that are empty and have no entry.
    unused_long: Vec<u32>,
    nodes: Nodes,
    /// Where not all states are stored.
    flags: Option<Flags>,
    /// The state being expanded; PW-4.
    expanding: u32,
    expanding_dropped: bool,
    words: Vec<u64>,
    /// As large as a zone can be.
    scratch: Vec<B>,
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
    /// An empty list for packed states of `words` words and zones of at most
    /// `cells` cells.
    pub fn new((words, cells): (usize, usize), keys: K, zones: Z, cover: C, order: O, trace: T) -> Self {
        Self {
            keys,
            zones,
            cover,
            followed: order.follows(),
            order,
            trace,
            passing: Passing::Unified,
            convex_hull: false,
            heads: ChunkedVec::new(),
            long: Vec::new(),
            unused_long: Vec::new(),
            nodes: Nodes::default(),
            flags: None,
            expanding: NONE,
            expanding_dropped: false,
            words: vec![0; words],
            scratch: vec![B::INF; cells],
        }
    }

    /// The same with something else done when a state is taken.
    pub fn with_passing(self, passing: Passing<B>) -> Self {
        Self { passing, ..self }
    }

    /// The same with one zone for each discrete state: the convex hull of all
    /// zones that came.
    pub fn with_convex_hull(self, convex_hull: bool) -> Self {
        Self { convex_hull, ..self }
    }

    /// The same with states that may leave when they have been expanded.
    pub fn with_transients(self, transients: bool) -> Self {
        Self { flags: transients.then(Flags::default), ..self }
    }

    /// Takes the next waiting state; PW-2. It is to be
    /// [admitted](Self::admit) before it is expanded.
    #[inline]
    pub fn take(&mut self) -> Option<NodeId> {
        if std::mem::take(&mut self.expanding_dropped) {
            self.recycle(self.expanding);
        }
        self.expanding = NONE;
        while let Some(id) = self.order.pop() {
            if self.nodes.get(id).status() != Status::Stale {
                return Some(NodeId(id));
            }
            self.recycle(id);
        }
        None
    }

    /// Whether this state was taken before; PW-2.
    #[inline]
    pub fn was_taken(&self, node: NodeId) -> bool {
        self.nodes.get(node.0).status() == Status::Passed
    }

    /// Lets a state wait to be taken: once after it was inserted, and once more
    /// after it was taken if node numbers are kept (PW-4).
    #[inline]
    pub fn wait(&mut self, node: NodeId, rank: i64) {
        self.order.push(node.0, rank);
    }

    /// Lets a state wait that came from elsewhere and is this deep.
    #[inline]
    pub fn wait_at(&mut self, node: NodeId, rank: i64, depth: u32) {
        self.order.arrive(node.0, rank, depth);
    }

    /// The packed discrete part of a stored state.
    #[inline]
    pub fn key(&mut self, node: NodeId) -> &[u64] {
        let entry = self.nodes.get(node.0).entry();
        self.keys.load(entry, &mut self.words);
        &self.words
    }

    /// Copies the zone of a stored state.
    #[inline]
    pub fn read(&self, node: NodeId, cells: &mut [B]) {
        self.zones.read(self.nodes.get(node.0).zone, cells);
    }

    /// Inserts a state; PW-3. A new state does not [`wait`](Self::wait) by itself.
    #[inline]
    pub fn insert(
        &mut self,
        words: &[u64],
        cells: &[B],
        at: At<'_, B>,
        origin: Origin,
        stats: &mut Stats,
    ) -> Inserted {
        if self.has_passed(words, cells) {
            stats.covered += 1;
            return Inserted::Covered;
        }
        let (entry, new_entry) = self.keys.save(words);
        self.zones.prepare(cells);
        if new_entry {
            self.open(entry);
            // Sets that forget let discrete states go, and meet them again.
            stats.discrete += u64::from(!self.passing.forgets() && self.flags.is_none());
        } else if self.convex_hull {
            return self.insert_hull(entry, cells, origin, stats);
        } else if self.passing.compares_waiting() && self.covered(entry, cells, at, Some(origin), stats) {
            return Inserted::Covered;
        }
        self.add(entry, cells, origin, stats)
    }

    /// An entry of its own for a discrete state.
    #[inline]
    fn open(&mut self, entry: u32) {
        if entry as usize == self.heads.len() {
            assert!(entry < MAX_ENTRIES, "more discrete states than an entry can name");
            self.heads.push(NONE);
        } else {
            *self.heads.get_mut(entry as usize) = NONE;
        }
    }

    /// Stores a state that nothing covers.
    #[inline]
    fn add(&mut self, entry: u32, cells: &[B], origin: Origin, stats: &mut Stats) -> Inserted {
        let zone = self.zones.save(cells);
        stats.zone_copies += 1;
        let id = self.nodes.add(Node::new(zone, entry), LONG_LIST);
        if let Some(flags) = &mut self.flags {
            flags.open(id);
        }
        if self.passing.links_waiting() {
            self.link(id, entry, cells);
        }
        self.trace.record(id, origin);
        if self.followed {
            self.order.stored(id, origin.local());
        }
        stats.stored += 1;
        stats.max_stored = stats.max_stored.max(stats.stored);
        Inserted::New(NodeId(id))
    }

    /// PW-4.
    fn recycle(&mut self, id: u32) {
        if !self.trace.keeps_nodes() {
            self.nodes.recycle(id);
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

    /// The same, to be changed.
    pub fn trace_mut(&mut self) -> &mut T {
        &mut self.trace
    }

    /// A new state was expanded by a run before this one.
    pub fn pass(&mut self, node: NodeId, stats: &mut Stats) {
        self.nodes.set_status(node.0, Status::Passed);
        stats.visited_stored += 1;
    }

    /// The key store.
    pub fn keys(&self) -> &K {
        &self.keys
    }

    /// The zone store.
    pub fn zones(&self) -> &Z {
        &self.zones
    }

    /// What is done when a state is taken.
    pub fn passing(&self) -> &Passing<B> {
        &self.passing
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
        let chain = std::iter::successors(first, move |&at| chained(self.nodes.get(at).next));
        chain.chain(long.into_iter().flat_map(LongList::nodes)).map(NodeId)
    }

    /// Calls `each` with the packed discrete part and the cells of every
    /// stored state (*Enumerate*). `cell_count` tells the number of cells from
    /// the packed discrete part.
    pub fn enumerate(&self, mut cell_count: impl FnMut(&[u64]) -> usize, mut each: impl FnMut(&[u64], &[B])) {
        let mut words = vec![0; self.words.len()];
        let mut scratch = self.scratch.clone();
        for entry in 0..self.entries() {
            if self.heads.get(entry) == NONE {
                continue;
            }
            self.load(entry, &mut words);
            let len = cell_count(&words);
            for node in self.nodes_of(entry) {
                let zone = self.nodes.get(node.0).zone;
                each(&words, self.zones.unpacked(zone, &mut scratch[..len]));
            }
        }
    }

    /// Bytes of storage held.
    pub fn bytes(&self) -> u64 {
        self.keys.bytes()
            + self.zones.bytes()
            + self.order.bytes()
            + self.trace.bytes()
            + self.heads.bytes()
            + self.nodes.bytes()
            + self.passing.bytes()
            + self.flags.as_ref().map_or(0, Flags::bytes)
            + self.long.iter().map(LongList::bytes).sum::<u64>()
            + (self.long.capacity() * size_of::<LongList>()) as u64
            + (self.unused_long.capacity() * size_of::<u32>()) as u64
    }
}
