//! Bounds on single clocks, gathered and applied together.
//!
//! Guards and invariants are mostly conjunctions of such bounds. Applied one by one
//! each costs an incremental closure; a box costs one (see the kernel `meet_box`).

use crate::bound::Bound;
use crate::zone::{Row, Zone};

/// A box: for every clock at most one upper and one lower bound.
#[derive(Clone, Debug)]
pub struct ClockBox<B: Bound> {
    dim: usize,
    /// Bounds on xj.
    upper: Row<B>,
    /// Bounds on -xj.
    lower: Row<B>,
    bounded: bool,
}

impl<B: Bound> ClockBox<B> {
    /// No bounds. `dim` counts the reference clock.
    pub fn new(dim: usize) -> Self {
        let row = || Row::new(B::blocks(dim));
        Self { dim, upper: row(), lower: row(), bounded: false }
    }

    /// Takes every bound away.
    #[inline]
    pub fn clear(&mut self) {
        if self.bounded {
            self.upper.cells_mut().fill(B::INF);
            self.lower.cells_mut().fill(B::INF);
            self.bounded = false;
        }
    }

    /// Becomes a copy of `other`, which has the same dimension.
    #[inline]
    pub fn copy_from(&mut self, other: &Self) {
        if self.bounded || other.bounded {
            self.upper.copy_from(&other.upper);
            self.lower.copy_from(&other.lower);
            self.bounded = other.bounded;
        }
    }

    /// Adds x ⋈ b, which is no bound where `b` is infinite.
    #[inline(always)]
    pub fn limit(&mut self, x: usize, b: B) {
        let cell = &mut self.upper.cells_mut()[x];
        *cell = b.min(*cell);
        self.bounded |= b != B::INF;
    }

    /// Adds xi - xj ⋈ b, where one of i and j is the reference clock and the other
    /// is not.
    #[inline]
    pub fn constrain(&mut self, i: usize, j: usize, b: B) {
        assert!((i == 0) != (j == 0) && i.max(j) < self.dim, "not a bound on a single clock");
        let cell = if j == 0 { &mut self.upper.cells_mut()[i] } else { &mut self.lower.cells_mut()[j] };
        *cell = b.min(*cell);
        self.bounded = true;
    }
}

impl<B: Bound> Zone<B> {
    /// Whether a closed zone lies in a box.
    #[inline]
    pub fn within_box(&self, bounds: &ClockBox<B>) -> bool {
        assert_eq!(self.dim(), bounds.dim, "zone and box of different dimensions");
        let (upper, lower) = (bounds.upper.cells(), bounds.lower.cells());
        !bounds.bounded || (1..self.dim()).all(|x| self.get(x, 0) <= upper[x] && self.get(0, x) <= lower[x])
    }

    /// Intersects a closed, non-empty zone with a box; false if nothing is left. O(n²).
    #[inline]
    pub fn constrain_box(&mut self, bounds: &ClockBox<B>) -> bool {
        assert_eq!(self.dim(), bounds.dim, "zone and box of different dimensions");
        debug_assert!(!self.is_empty());
        if !bounds.bounded {
            return true;
        }
        let (dim, blocks, kernels) = (self.dim(), self.blocks, self.kernels);
        let (upper, lower) = (bounds.upper.cells().as_ptr(), bounds.lower.cells().as_ptr());
        // SAFETY: Z-5, the table was looked up for `blocks`, and the arrays are rows of
        // `blocks` blocks since the dimensions agree.
        let outcome = unsafe { (kernels.meet_box)(self.ptr_mut(), dim, blocks, upper, lower) };
        self.settle(outcome)
    }
}
