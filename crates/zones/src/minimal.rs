//! Minimal constraint graphs: the fewest bounds whose closure is the zone.
//!
//! Larsen, Larsson, Pettersson, Yi, *Efficient verification of real-time systems:
//! compact data structure and state-space reduction*, RTSS 1997. Clocks at a fixed
//! distance from each other (on a zero cycle) form classes. Between representatives
//! an edge is redundant if a detour is as short; within a class one cycle suffices.
//! The bounds x ≥ 0 hold in every zone and are left out.
//!
//! - **M-1** Expanding a graph gives the zone it was made from.
//! - **M-2** A closed zone is in the graph's zone iff it satisfies every edge.

use crate::bound::Bound;
use crate::zone::{Row, Zone};

/// The constraint xi - xj ⋈ c, as (i, j, bound).
pub type Edge<B> = (u16, u16, B);

/// A minimal constraint graph in a buffer that can be used again.
#[derive(Clone, Debug)]
pub struct MinimalGraph<B: Bound> {
    edges: Vec<Edge<B>>,
    /// Smallest member of the class of each index.
    class: Vec<u16>,
    /// Indices that are their own class.
    heads: Vec<u16>,
    /// Not zero where the entry of the current row is redundant.
    detours: Row<B>,
}

impl<B: Bound> Default for MinimalGraph<B> {
    fn default() -> Self {
        Self::new()
    }
}

impl<B: Bound> MinimalGraph<B> {
    /// The graph of a zone without bounds.
    pub fn new() -> Self {
        Self::with_capacity(0)
    }

    /// Buffers large enough that zones of `dim` never make them grow.
    pub fn with_capacity(dim: usize) -> Self {
        let edges = Vec::with_capacity(dim * dim);
        let (class, heads) = (Vec::with_capacity(dim), Vec::with_capacity(dim));
        Self { edges, class, heads, detours: Row::new(B::blocks(dim)) }
    }

    /// The constraints.
    pub fn edges(&self) -> &[Edge<B>] {
        &self.edges
    }

    /// Becomes the graph of a closed, non-empty zone. O(n³).
    pub fn reduce(&mut self, zone: &Zone<B>) {
        debug_assert!(!zone.is_empty());
        let dim = zone.dim();
        self.edges.clear();
        self.find_classes(zone);
        if self.detours.cells().len() < zone.stride() {
            self.detours = Row::new(zone.blocks);
        }
        for &i in &self.heads {
            let (over, out) = (&self.heads, self.detours.cells_mut());
            // SAFETY: the heads are indices of the zone and `out` is one of its rows.
            unsafe {
                let kernel = zone.kernels.detours;
                kernel(zone.ptr(), zone.blocks, i.into(), over.as_ptr(), over.len(), out.as_mut_ptr());
            }
            for &j in &self.heads {
                let kept = i != j && self.detours.cells()[j as usize] == B::LT_ZERO;
                if kept && !zone.get(i.into(), j.into()).is_inf() && !(i == 0 && self.at_zero(zone, j)) {
                    push(&mut self.edges, zone, i, j);
                }
            }
        }
        // One cycle through each class with more than one member: every member
        // points to the next, the last back to the head.
        for i in 0..dim as u16 {
            let head = self.class[i as usize];
            let next = (i + 1..dim as u16).find(|&k| self.class[k as usize] == head).unwrap_or(head);
            if next != i {
                push(&mut self.edges, zone, i, next);
            }
        }
    }

    fn find_classes(&mut self, zone: &Zone<B>) {
        self.class.clear();
        self.heads.clear();
        for j in 0..zone.dim() as u16 {
            let together = |&&i: &&u16| {
                let (ij, ji) = (zone.get(i as usize, j as usize), zone.get(j as usize, i as usize));
                ij.plus(ji) == B::LE_ZERO
            };
            let head = self.heads.iter().find(together).copied().unwrap_or(j);
            if head == j {
                self.heads.push(j);
            }
            self.class.push(head);
        }
    }

    /// Does the lower bound of `head` follow from some x ≥ 0 within its class?
    fn at_zero(&self, zone: &Zone<B>, head: u16) -> bool {
        zone.row(0).iter().zip(&self.class).any(|(&b, &class)| class == head && b == B::LE_ZERO)
    }

    /// Becomes a copy of edges made elsewhere, such as those kept by a store.
    pub fn set_edges(&mut self, edges: &[Edge<B>]) {
        self.edges.clear();
        self.edges.extend_from_slice(edges);
    }

    /// Makes `zone` the zone of this graph; M-1. O(n³).
    pub fn expand(&self, zone: &mut Zone<B>) {
        expand(&self.edges, zone);
    }
}

/// Makes `zone` the zone of the graph with these edges. O(n³).
pub fn expand<B: Bound>(edges: &[Edge<B>], zone: &mut Zone<B>) {
    zone.set_universe();
    for &(i, j, b) in edges {
        zone.tighten(i as usize, j as usize, b);
    }
    let non_empty = zone.close();
    debug_assert!(non_empty, "a graph comes from a non-empty zone");
}

/// Is the closed, non-empty `zone` contained in the zone of the graph? M-2.
#[inline]
pub fn included<B: Bound>(zone: &Zone<B>, edges: &[Edge<B>]) -> bool {
    edges.iter().all(|&(i, j, b)| zone.get(i as usize, j as usize) <= b)
}

fn push<B: Bound>(edges: &mut Vec<Edge<B>>, zone: &Zone<B>, i: u16, j: u16) {
    let b = zone.get(i as usize, j as usize);
    if i != 0 || b < B::LE_ZERO {
        edges.push((i, j, b));
    }
}
