//! The matrix itself: storage, closure, comparison.
//!
//! Invariants of a [`Zone`] between operations (unless `tighten` left it open):
//!
//! - **Z-1** closed: d_ij ≤ d_ik + d_kj for all i, j, k, and the diagonal is ≤ 0;
//! - **Z-2** clocks are not negative: d_0j ≤ (≤, 0);
//! - **Z-3** in range: a finite entry has a constant within ±`MAX_CONSTANT`, or the
//!   zone has overflowed and its contents mean nothing;
//! - **Z-4** an empty zone has d_00 < (≤, 0), and no other cell of it means anything;
//! - **Z-5** rows are padded with `INF` to whole blocks, and one more block follows
//!   the last row so that kernels may read past it.

use std::fmt;

use crate::bound::Bound;
use crate::kernels::{ABOVE, BELOW, Kernels, Outcome};

/// Whole blocks of cells, aligned for vectors.
#[derive(Clone, Debug)]
pub(crate) struct Row<B: Bound>(Vec<B::Block>);

impl<B: Bound> Row<B> {
    pub(crate) fn new(blocks: usize) -> Self {
        Self(vec![B::INF_BLOCK; blocks])
    }

    #[inline(always)]
    pub(crate) fn cells(&self) -> &[B] {
        // SAFETY: a block is an array of `LANES` cells without padding.
        unsafe { std::slice::from_raw_parts(self.0.as_ptr().cast(), self.0.len() * B::LANES) }
    }

    #[inline(always)]
    pub(crate) fn cells_mut(&mut self) -> &mut [B] {
        // SAFETY: as above, and the borrow is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.0.as_mut_ptr().cast(), self.0.len() * B::LANES) }
    }

    #[inline(always)]
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.0.copy_from_slice(&other.0);
    }
}

/// How one zone stands to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    /// The same set.
    Equal,
    /// Strictly contained in the other.
    Subset,
    /// Strictly contains the other.
    Superset,
    /// Neither contains the other.
    Incomparable,
}

impl Relation {
    #[inline(always)]
    pub(crate) fn from_flags(flags: u8) -> Self {
        match (flags & ABOVE != 0, flags & BELOW != 0) {
            (false, false) => Self::Equal,
            (false, true) => Self::Subset,
            (true, false) => Self::Superset,
            (true, true) => Self::Incomparable,
        }
    }
}

/// A zone over clocks `1..dim`; entry (i, j) bounds xi - xj.
pub struct Zone<B: Bound> {
    pub(crate) cells: Row<B>,
    pub(crate) kernels: &'static Kernels<B>,
    dim: usize,
    pub(crate) blocks: usize,
    pub(crate) overflow: bool,
    /// Scratch of Extra_M: L and U with both replaced by M.
    pub(crate) merged: [Row<B>; 2],
}

impl<B: Bound> Zone<B> {
    /// All valuations of `dim - 1` clocks.
    pub fn new(dim: usize) -> Self {
        assert!(dim > 0, "a zone has at least the reference clock");
        assert!(dim <= i16::MAX as usize, "too many clocks");
        let blocks = B::blocks(dim);
        let cells = Row::new(dim * blocks + 1);
        let mut zone = Self {
            cells,
            kernels: B::kernels(blocks),
            dim,
            blocks,
            overflow: false,
            merged: [Row::new(blocks), Row::new(blocks)],
        };
        zone.set_universe();
        zone
    }

    /// The number of clocks, the reference clock included.
    #[inline(always)]
    pub fn dim(&self) -> usize {
        self.dim
    }

    #[inline(always)]
    pub(crate) fn stride(&self) -> usize {
        self.blocks * B::LANES
    }

    /// The bound on xi - xj.
    #[inline(always)]
    pub fn get(&self, i: usize, j: usize) -> B {
        debug_assert!(i < self.dim && j < self.dim);
        self.cells.cells()[i * self.stride() + j]
    }

    #[inline(always)]
    pub(crate) fn set(&mut self, i: usize, j: usize, b: B) {
        debug_assert!(i < self.dim && j < self.dim);
        let at = i * self.stride() + j;
        self.cells.cells_mut()[at] = b;
    }

    /// The bounds on xi - x0, xi - x1, ...
    #[inline(always)]
    pub fn row(&self, i: usize) -> &[B] {
        let from = i * self.stride();
        &self.cells.cells()[from..from + self.dim]
    }

    #[inline(always)]
    pub(crate) fn ptr(&self) -> *const B {
        self.cells.cells().as_ptr()
    }

    #[inline(always)]
    pub(crate) fn ptr_mut(&mut self) -> *mut B {
        self.cells.cells_mut().as_mut_ptr()
    }

    /// Cells in all rows, padding included.
    #[inline(always)]
    fn len(&self) -> usize {
        self.dim * self.stride()
    }

    /// Becomes the single valuation that is zero everywhere.
    pub fn set_zero(&mut self) {
        let (dim, stride) = (self.dim, self.stride());
        for row in self.cells.cells_mut().chunks_exact_mut(stride).take(dim) {
            row[..dim].fill(B::LE_ZERO);
        }
        self.overflow = false;
    }

    /// Becomes the set of all valuations.
    pub fn set_universe(&mut self) {
        let (dim, stride) = (self.dim, self.stride());
        let cells = self.cells.cells_mut();
        cells.fill(B::INF);
        cells[..dim].fill(B::LE_ZERO);
        for i in 1..dim {
            cells[i * stride + i] = B::LE_ZERO;
        }
        self.overflow = false;
    }

    /// Becomes a copy of `other`, which has the same dimension.
    #[inline]
    pub fn copy_from(&mut self, other: &Self) {
        assert_eq!(self.dim, other.dim, "zones of different dimensions");
        self.cells.copy_from(&other.cells);
        self.overflow = other.overflow;
    }

    /// Notes how a kernel ended; false means empty.
    #[inline(always)]
    pub(crate) fn settle(&mut self, outcome: Outcome) -> bool {
        match outcome {
            Outcome::Empty => {
                self.set(0, 0, B::LT_ZERO); // Z-4
                return false;
            }
            Outcome::Closed => {}
            Outcome::Overflow => self.overflow = true,
        }
        self.check();
        true
    }

    /// Z-1 to Z-3, in debug builds.
    #[inline(always)]
    pub(crate) fn check(&self) {
        debug_assert!(self.overflow || self.is_closed(), "not closed: {self:?}");
    }

    /// Makes every bound as tight as the others imply; false means empty. O(n³).
    pub fn close(&mut self) -> bool {
        let (dim, blocks, kernels) = (self.dim, self.blocks, self.kernels);
        // SAFETY: Z-5, and the table was looked up for `blocks`.
        let outcome = unsafe { (kernels.close)(self.ptr_mut(), dim, blocks) };
        self.settle(outcome)
    }

    /// Lowers entry (i, j) to `b` without closing; true if that was lower.
    #[inline]
    pub fn tighten(&mut self, i: usize, j: usize, b: B) -> bool {
        let tighter = b < self.get(i, j);
        if tighter {
            self.set(i, j, b);
            self.overflow |= b < B::LOWEST || (b > B::HIGHEST && !b.is_inf());
        }
        tighter
    }

    /// Closes a zone that was closed and not empty until `tighten(i, j, _)`; false
    /// means empty. O(n²).
    #[inline]
    pub fn close_after(&mut self, i: usize, j: usize) -> bool {
        assert!(i < self.dim && j < self.dim && i != j, "no entry ({i}, {j})");
        let (dim, blocks, kernels) = (self.dim, self.blocks, self.kernels);
        // SAFETY: Z-5, the table was looked up for `blocks`, and i, j < dim.
        let outcome = unsafe { (kernels.close_after)(self.ptr_mut(), dim, blocks, i, j) };
        self.settle(outcome)
    }

    /// Intersects with xi - xj ⋈ c given as `b`; false means empty. O(n²).
    #[inline]
    pub fn constrain(&mut self, i: usize, j: usize, b: B) -> bool {
        debug_assert!(!self.is_empty());
        if b >= self.get(i, j) {
            return true;
        }
        if !self.allows(i, j, b) {
            self.set(0, 0, B::LT_ZERO); // Z-4
            return false;
        }
        self.tighten(i, j, b);
        self.close_after(i, j)
    }

    /// Would `constrain(i, j, b)` leave anything? O(1).
    #[inline(always)]
    pub fn allows(&self, i: usize, j: usize, b: B) -> bool {
        self.get(j, i).plus(b) >= B::LE_ZERO
    }

    /// Has the last closing operation found no valuation?
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.get(0, 0) < B::LE_ZERO
    }

    /// Z-1 to Z-3 and Z-5, checked the long way. O(n³).
    pub fn is_closed(&self) -> bool {
        let clocks = 0..self.dim;
        let in_range = |b: B| b.is_inf() || (B::LOWEST..=B::HIGHEST).contains(&b);
        clocks.clone().all(|i| {
            self.get(i, i) == B::LE_ZERO
                && self.get(0, i) <= B::LE_ZERO
                && self.row(i).iter().all(|&b| in_range(b))
                && self.cells.cells()[i * self.stride()..][self.dim..self.stride()].iter().all(|b| b.is_inf())
                && clocks.clone().all(|k| {
                    let ik = self.get(i, k);
                    ik.is_inf() || self.row(i).iter().zip(self.row(k)).all(|(&ij, &kj)| ij <= ik.plus(kj))
                })
        })
    }

    /// How this closed, non-empty zone stands to `other`, likewise.
    #[inline]
    pub fn relation(&self, other: &Self) -> Relation {
        assert_eq!(self.dim, other.dim, "zones of different dimensions");
        debug_assert!(!self.is_empty() && !other.is_empty());
        // SAFETY: both have `len` cells; padding is equal (Z-5).
        Relation::from_flags(unsafe { (self.kernels.compare)(self.ptr(), other.ptr(), self.len()) })
    }

    /// Is this closed, non-empty zone contained in `other`, likewise?
    #[inline]
    pub fn included_in(&self, other: &Self) -> bool {
        assert_eq!(self.dim, other.dim, "zones of different dimensions");
        debug_assert!(!self.is_empty() && !other.is_empty());
        // SAFETY: both have `len` cells; padding is equal (Z-5).
        unsafe { (self.kernels.below)(self.ptr(), other.ptr(), self.len()) }
    }

    /// Intersects two closed, non-empty zones; false means empty. O(n³).
    pub fn intersect(&mut self, other: &Self) -> bool {
        assert_eq!(self.dim, other.dim, "zones of different dimensions");
        debug_assert!(!self.is_empty() && !other.is_empty());
        self.overflow |= other.overflow;
        let (len, kernels) = (self.len(), self.kernels);
        // SAFETY: both have `len` cells, and `other` is borrowed apart from `self`.
        let changed = unsafe { (kernels.meet)(self.ptr_mut(), other.ptr(), len) };
        !changed || self.close()
    }

    /// The smallest zone that contains two closed, non-empty zones. The maximum of
    /// two closed matrices is closed. O(n²).
    pub fn hull(&mut self, other: &Self) {
        assert_eq!(self.dim, other.dim, "zones of different dimensions");
        debug_assert!(!self.is_empty() && !other.is_empty());
        self.overflow |= other.overflow;
        let (len, kernels) = (self.len(), self.kernels);
        // SAFETY: both have `len` cells, and `other` is borrowed apart from `self`.
        unsafe { (kernels.join)(self.ptr_mut(), other.ptr(), len) };
        self.check();
    }

    /// Does the zone contain the point `values[i] / denominator`? `values[0]` is 0.
    pub fn contains_scaled(&self, values: &[i64], denominator: i64) -> bool {
        assert_eq!(values.len(), self.dim, "a point has one value per clock");
        debug_assert!(values[0] == 0 && denominator > 0);
        (0..self.dim).all(|i| {
            self.row(i).iter().zip(values).all(|(&b, &vj)| {
                let (difference, limit) = (values[i] - vj, i64::from(b.constant()) * denominator);
                b.is_inf() || difference < limit || (difference == limit && !b.is_strict())
            })
        })
    }

    /// Has a bound left the range of the word since the last `clear_overflow`? Then
    /// the contents mean nothing; start again with wider bounds.
    #[inline(always)]
    pub fn overflowed(&self) -> bool {
        self.overflow
    }

    /// Forgets that a bound left the range.
    pub fn clear_overflow(&mut self) {
        self.overflow = false;
    }
}

impl<B: Bound> Clone for Zone<B> {
    fn clone(&self) -> Self {
        Self { cells: self.cells.clone(), merged: self.merged.clone(), ..*self }
    }

    fn clone_from(&mut self, other: &Self) {
        if self.dim == other.dim {
            self.copy_from(other);
        } else {
            *self = other.clone();
        }
    }
}

impl<B: Bound> PartialEq for Zone<B> {
    fn eq(&self, other: &Self) -> bool {
        self.dim == other.dim && (0..self.dim).all(|i| self.row(i) == other.row(i))
    }
}

impl<B: Bound> Eq for Zone<B> {}

impl<B: Bound> fmt::Debug for Zone<B> {
    /// The finite entries, as constraints.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut list = f.debug_set();
        for i in 0..self.dim {
            for (j, &b) in self.row(i).iter().enumerate() {
                let sign = if b.is_strict() { "<" } else { "<=" };
                if !b.is_inf() && (i != j || b != B::LE_ZERO) {
                    list.entry(&format_args!("x{i} - x{j} {sign} {}", b.constant()));
                }
            }
        }
        list.finish()
    }
}
