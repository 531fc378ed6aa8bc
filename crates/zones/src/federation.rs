//! Finite unions of zones.
//!
//! Subtraction splits along the minimal constraint graph of the subtrahend (David,
//! Håkansson, Larsen, Pettersson, *Model checking timed automata with priorities using
//! DBM subtraction*, FORMATS 2006): for constraints g1, g2, … of Y,
//! Z \ Y = (Z ∧ ¬g1) ∪ (Z ∧ g1 ∧ ¬g2) ∪ …, and the pieces are disjoint.
//!
//! - **F-1** Members are closed, not empty and of one dimension.
//! - **F-2** Zones once allocated stay for reuse; only growth allocates.

use crate::bound::Bound;
use crate::minimal::MinimalGraph;
use crate::zone::Zone;

/// A union of zones.
#[derive(Clone, Debug)]
pub struct Federation<B: Bound> {
    dim: usize,
    /// The members are the first `len`; the others wait for reuse.
    zones: Vec<Zone<B>>,
    len: usize,
    graph: MinimalGraph<B>,
    rest: Zone<B>,
    overflow: bool,
}

impl<B: Bound> Federation<B> {
    /// The empty union over `dim - 1` clocks.
    pub fn new(dim: usize) -> Self {
        let (graph, rest) = (MinimalGraph::with_capacity(dim), Zone::new(dim));
        Self { dim, zones: Vec::new(), len: 0, graph, rest, overflow: false }
    }

    /// The number of clocks, the reference clock included.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// The members.
    pub fn zones(&self) -> &[Zone<B>] {
        &self.zones[..self.len]
    }

    /// Does it contain no valuation?
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Has a bound left the range of the word in any operation since `clear`?
    pub fn overflowed(&self) -> bool {
        self.overflow
    }

    /// Becomes the empty union; keeps its memory.
    pub fn clear(&mut self) {
        self.len = 0;
        self.overflow = false;
    }

    /// Becomes a copy of `other`.
    pub fn copy_from(&mut self, other: &Self) {
        self.clear();
        other.zones().iter().for_each(|zone| self.push(zone));
        self.overflow = other.overflow;
    }

    /// Adds the closed, non-empty `zone`, unless one member contains it; members that
    /// it contains go.
    pub fn union_with(&mut self, zone: &Zone<B>) {
        assert_eq!(zone.dim(), self.dim, "zones of different dimensions");
        self.overflow |= zone.overflowed();
        if self.zones().iter().any(|member| zone.included_in(member)) {
            return;
        }
        let mut at = 0;
        while at < self.len {
            if self.zones[at].included_in(zone) { self.remove(at) } else { at += 1 }
        }
        self.push(zone);
    }

    /// Takes the closed, non-empty `zone` away from every member.
    pub fn subtract(&mut self, zone: &Zone<B>) {
        assert_eq!(zone.dim(), self.dim, "zones of different dimensions");
        self.overflow |= zone.overflowed();
        // What lies inside needs no splitting, and often all does.
        for at in (0..self.len).rev() {
            if self.zones[at].included_in(zone) {
                self.remove(at);
            }
        }
        if self.is_empty() {
            return;
        }
        self.graph.reduce(zone);
        let old = self.len;
        // Members that meet `zone` are replaced by pieces; those go behind `old`.
        for at in (0..old).rev() {
            if self.graph.edges().iter().any(|&(i, j, b)| !self.zones[at].allows(i.into(), j.into(), b)) {
                continue;
            }
            std::mem::swap(&mut self.zones[at], &mut self.rest);
            self.remove(at);
            self.split_rest();
        }
        debug_assert!(self.zones().iter().all(|zone| self.overflow || zone.is_closed()));
    }

    /// Adds the pieces of `rest` outside the zone of `graph`.
    fn split_rest(&mut self) {
        for at in 0..self.graph.edges().len() {
            let (i, j, b) = self.graph.edges()[at];
            let (i, j) = (i.into(), j.into());
            if self.rest.get(i, j) <= b {
                continue;
            }
            let piece = self.spare();
            self.zones[piece].copy_from(&self.rest);
            let outside = self.zones[piece].constrain(j, i, b.complement());
            debug_assert!(outside, "rest has valuations beyond the bound");
            self.overflow |= self.zones[piece].overflowed();
            self.len += usize::from(outside);
            if !self.rest.constrain(i, j, b) {
                return;
            }
            self.overflow |= self.rest.overflowed();
        }
    }

    /// Is the closed, non-empty `zone` contained in the union?
    ///
    /// Answers at once if a single member contains it; otherwise subtracts all members
    /// from it, in memory of its own. If that leaves the range of the word, the answer
    /// is no.
    pub fn includes(&self, zone: &Zone<B>) -> bool {
        self.includes_with(zone, None)
    }

    /// [`Self::includes`], with memory to reuse.
    pub fn includes_in(&self, zone: &Zone<B>, scratch: &mut Self) -> bool {
        self.includes_with(zone, Some(scratch))
    }

    fn includes_with(&self, zone: &Zone<B>, scratch: Option<&mut Self>) -> bool {
        if self.zones().iter().any(|member| zone.included_in(member)) {
            return true;
        }
        if self.len < 2 {
            return false;
        }
        let mut own;
        let rest = match scratch {
            Some(scratch) => scratch,
            None => {
                own = Self::new(self.dim);
                &mut own
            }
        };
        rest.clear();
        rest.push(zone);
        for member in self.zones() {
            rest.subtract(member);
            if rest.overflow || rest.is_empty() {
                return !rest.overflow;
            }
        }
        false
    }

    /// Keeps what every member shares with the closed, non-empty `zone`.
    pub fn intersect(&mut self, zone: &Zone<B>) {
        let mut at = 0;
        while at < self.len {
            let met = self.zones[at].intersect(zone);
            self.overflow |= self.zones[at].overflowed();
            if met { at += 1 } else { self.remove(at) }
        }
    }

    /// Does some member contain the point `values[i] / denominator`?
    pub fn contains_scaled(&self, values: &[i64], denominator: i64) -> bool {
        self.zones().iter().any(|zone| zone.contains_scaled(values, denominator))
    }

    fn remove(&mut self, at: usize) {
        self.len -= 1;
        self.zones.swap(at, self.len);
    }

    /// The place after the last member.
    fn spare(&mut self) -> usize {
        if self.len == self.zones.len() {
            self.zones.push(Zone::new(self.dim)); // F-2
        }
        self.len
    }

    fn push(&mut self, zone: &Zone<B>) {
        debug_assert!(!zone.is_empty());
        let at = self.spare();
        self.zones[at].copy_from(zone);
        self.overflow |= zone.overflowed();
        self.len += 1;
    }
}
