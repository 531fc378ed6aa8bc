//! The inner loops of the zone operations, one table of entry points per row length.
//!
//! A zone looks its table up once, when it is made; an operation then costs one
//! indirect call. Every kernel is one body, generic over the vector type and over
//! `CH`, the number of vectors in a row (0: only known at run time); it is compiled
//! once with AVX2 and once without.
//!
//! # Range
//!
//! Let C be `MAX_CONSTANT`. Write c(P) for the sum of the constants along a path P
//! of the constraint graph; in a matrix at rest every finite edge has |c| ≤ C.
//! Closing must not wrap, and must say so when its true result does not fit.
//!
//! - **R-1** A word with constant above 2C counts as infinite when it is *read*, and
//!   no candidate below -2C is *written* (it is raised to "< -2C"). So both terms of
//!   an addition lie in ±2C, the sum in ±4C, and that fits the word: nothing wraps.
//! - **R-2** Every word written is at least the weight of some real walk, because R-1
//!   only loses candidates or raises them. So a negative diagonal proves emptiness.
//! - **R-3** An operation ends with one pass over what it wrote; a finite word with
//!   constant outside ±C there sets the overflow flag. Words only shrink while
//!   closing, so a candidate that was raised to -2C is always seen.
//!
//! *Closing a non-empty zone is exact or flagged, and flagged only if it must be.*
//! If all entries of the true closure are within ±C, so is every part of every
//! shortest path; Floyd and Warshall's induction composes them from parts that are
//! never lost, and the result is exact. Otherwise take, over all pairs whose true
//! entry is outside ±C, a shortest path with the fewest edges. Its proper parts are
//! shortest paths with fewer edges, hence within ±C; so it weighs within ±2C, is
//! computed exactly, and R-3 sees it.
//!
//! *An empty zone is recognised or flagged.* Suppose a simple path weighs less than
//! -C, and take such a P with the fewest edges. A part Q of P = XQY has
//! c(Q) = c(P) - c(X) - c(Y) < -C + C + C = C, as X and Y weigh at least -C by choice
//! of P; so no part of P is lost and a word below -C is written. If there is no such
//! path, let N be a simple negative cycle. A part Q of N and its complement Q' have
//! c(Q) ≤ -c(Q') ≤ C, so no part is lost, and the diagonal goes negative.
//!
//! The incremental closure adds three words at rest, within ±3C, and is checked the
//! same way; the single additions of reset, copy and shift lie within ±2C.

mod closure;
mod compare;
mod pack;
#[cfg(target_arch = "x86_64")]
pub mod shuffle;
#[cfg(test)]
mod tests;
mod widen;

use crate::bound::Bound;
use crate::simd::{Lanes, Portable, SomeActive};

/// How a closing kernel ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// No valuation is left; the cells are in no particular state.
    Empty,
    /// Closed, not empty, all cells in range.
    Closed,
    /// Some cell left the range.
    Overflow,
}

/// `compare` found a cell of the first matrix above that of the second.
pub const ABOVE: u8 = 1;
/// `compare` found a cell of the first matrix below that of the second.
pub const BELOW: u8 = 2;

/// Entry points for one row length.
///
/// # Safety
///
/// A matrix argument is `dim` rows of `blocks` blocks, aligned or not, with
/// `blocks` the count the table was looked up for; `LuBounds` arrays are one such row.
/// Two matrices do not overlap unless both are only read.
pub struct Kernels<B> {
    /// All-pairs shortest paths (Floyd and Warshall).
    pub close: unsafe fn(*mut B, dim: usize, blocks: usize) -> Outcome,
    /// `close_after(cells, dim, blocks, i, j)`: closure after (i, j) alone got tighter.
    pub close_after: unsafe fn(*mut B, dim: usize, blocks: usize, i: usize, j: usize) -> Outcome,
    /// `meet_box(cells, dim, blocks, upper, lower)`: bounds on single clocks, closed.
    pub meet_box: unsafe fn(*mut B, dim: usize, blocks: usize, *const B, *const B) -> Outcome,
    /// Past: row 0 becomes the minimum over all rows.
    pub down: unsafe fn(*mut B, dim: usize, blocks: usize),
    /// Elementwise minimum into the first; true if it changed.
    pub meet: unsafe fn(*mut B, *const B, cells: usize) -> bool,
    /// Elementwise maximum into the first.
    pub join: unsafe fn(*mut B, *const B, cells: usize),
    /// `ABOVE | BELOW` flags over flat arrays of any length.
    pub compare: unsafe fn(*const B, *const B, cells: usize) -> u8,
    /// Is every cell of the first at most that of the second?
    pub below: unsafe fn(*const B, *const B, cells: usize) -> bool,
    /// Extra_LU given the arrays of `LuBounds`; true if it changed. Does not close.
    pub extra_lu: unsafe fn(*mut B, dim: usize, blocks: usize, *const B, *const B) -> bool,
    /// Extra_LU+, likewise.
    pub extra_lu_plus: unsafe fn(*mut B, dim: usize, blocks: usize, *const B, *const B) -> bool,
    /// Is the first included in aLU of the second?
    pub alu: unsafe fn(*const B, *const B, dim: usize, blocks: usize, *const B, *const B) -> bool,
    /// The same for compact cells of `m` clocks; see [`compare::alu_compact`].
    pub alu_compact: unsafe fn(*const B, *const B, gate: *const B, minus_lower: *const B, m: usize) -> bool,
    /// For row i, all ones in the lanes j where some k of `count` indices other than i
    /// and j has d_ik + d_kj ≤ d_ij.
    pub detours: unsafe fn(*const B, blocks: usize, i: usize, *const u16, count: usize, *mut B),
    /// All rows without padding and diagonal into `dim * (dim - 1)` cells.
    pub pack: unsafe fn(*const B, dim: usize, blocks: usize, *mut B),
    /// The inverse; writes whole rows, diagonal and padding included.
    pub unpack: unsafe fn(*const B, dim: usize, blocks: usize, *mut B),
    /// The same with some clocks inactive, if there is a fast way.
    pub some_active: Option<SomeActive<B>>,
}

/// Compiles every body once, with the given target feature added.
macro_rules! tables {
    ($module:ident $(, #[$feature:meta])?) => {
        mod $module {
            use super::*;

            $(#[$feature])?
            unsafe fn close<V: Lanes<Cell: Bound>, const CH: usize>(
                cells: *mut V::Cell, dim: usize, blocks: usize,
            ) -> Outcome {
                // SAFETY: the caller's promise, passed on.
                unsafe { closure::close::<V, CH>(cells, dim, blocks) }
            }
            $(#[$feature])?
            unsafe fn close_after<V: Lanes<Cell: Bound>, const CH: usize>(
                cells: *mut V::Cell, dim: usize, blocks: usize, i: usize, j: usize,
            ) -> Outcome {
                // SAFETY: the caller's promise, passed on.
                unsafe { closure::close_after::<V, CH>(cells, dim, blocks, i, j) }
            }
            $(#[$feature])?
            unsafe fn meet_box<V: Lanes<Cell: Bound>, const CH: usize>(
                cells: *mut V::Cell, dim: usize, blocks: usize, upper: *const V::Cell, lower: *const V::Cell,
            ) -> Outcome {
                // SAFETY: the caller's promise, passed on.
                unsafe { closure::meet_box::<V, CH>(cells, dim, blocks, upper, lower) }
            }
            $(#[$feature])?
            unsafe fn down<V: Lanes<Cell: Bound>>(cells: *mut V::Cell, dim: usize, blocks: usize) {
                // SAFETY: the caller's promise, passed on.
                unsafe { closure::down::<V>(cells, dim, blocks) }
            }
            $(#[$feature])?
            unsafe fn meet<V: Lanes<Cell: Bound>>(a: *mut V::Cell, b: *const V::Cell, cells: usize) -> bool {
                // SAFETY: the caller's promise, passed on.
                unsafe { compare::meet::<V>(a, b, cells) }
            }
            $(#[$feature])?
            unsafe fn join<V: Lanes<Cell: Bound>>(a: *mut V::Cell, b: *const V::Cell, cells: usize) {
                // SAFETY: the caller's promise, passed on.
                unsafe { compare::join::<V>(a, b, cells) }
            }
            $(#[$feature])?
            unsafe fn compare<V: Lanes<Cell: Bound>>(a: *const V::Cell, b: *const V::Cell, cells: usize) -> u8 {
                // SAFETY: the caller's promise, passed on.
                unsafe { compare::compare::<V>(a, b, cells) }
            }
            $(#[$feature])?
            unsafe fn below<V: Lanes<Cell: Bound>>(a: *const V::Cell, b: *const V::Cell, cells: usize) -> bool {
                // SAFETY: the caller's promise, passed on.
                unsafe { compare::below::<V>(a, b, cells) }
            }
            $(#[$feature])?
            unsafe fn extra_lu<V: Lanes<Cell: Bound>>(
                cells: *mut V::Cell, dim: usize, blocks: usize, lower: *const V::Cell, upper: *const V::Cell,
            ) -> bool {
                // SAFETY: the caller's promise, passed on.
                unsafe { widen::extra_lu::<V>(cells, dim, blocks, lower, upper) }
            }
            $(#[$feature])?
            unsafe fn extra_lu_plus<V: Lanes<Cell: Bound>>(
                cells: *mut V::Cell, dim: usize, blocks: usize, lower: *const V::Cell, upper: *const V::Cell,
            ) -> bool {
                // SAFETY: the caller's promise, passed on.
                unsafe { widen::extra_lu_plus::<V>(cells, dim, blocks, lower, upper) }
            }
            $(#[$feature])?
            unsafe fn alu<V: Lanes<Cell: Bound>>(
                a: *const V::Cell, b: *const V::Cell, dim: usize, blocks: usize,
                lower: *const V::Cell, upper: *const V::Cell,
            ) -> bool {
                // SAFETY: the caller's promise, passed on.
                unsafe { compare::alu::<V>(a, b, dim, blocks, lower, upper) }
            }
            $(#[$feature])?
            unsafe fn alu_compact<V: Lanes<Cell: Bound>>(
                a: *const V::Cell, b: *const V::Cell, gate: *const V::Cell, minus_lower: *const V::Cell, m: usize,
            ) -> bool {
                // SAFETY: the caller's promise, passed on.
                unsafe { compare::alu_compact::<V>(a, b, gate, minus_lower, m) }
            }
            $(#[$feature])?
            unsafe fn detours<V: Lanes<Cell: Bound>>(
                cells: *const V::Cell,
                blocks: usize,
                i: usize,
                over: *const u16,
                count: usize,
                out: *mut V::Cell,
            ) {
                // SAFETY: the caller's promise, passed on.
                unsafe { closure::detours::<V>(cells, blocks, i, over, count, out) }
            }
            $(#[$feature])?
            unsafe fn pack<V: Lanes<Cell: Bound>>(cells: *const V::Cell, dim: usize, blocks: usize, out: *mut V::Cell) {
                // SAFETY: the caller's promise, passed on.
                unsafe { pack::pack::<V>(cells, dim, blocks, out) }
            }
            $(#[$feature])?
            unsafe fn unpack<V: Lanes<Cell: Bound>>(packed: *const V::Cell, dim: usize, blocks: usize, cells: *mut V::Cell) {
                // SAFETY: the caller's promise, passed on.
                unsafe { pack::unpack::<V>(packed, dim, blocks, cells) }
            }

            pub const fn table<V: Lanes<Cell: Bound>, const CH: usize>() -> &'static Kernels<V::Cell> {
                const {
                    &Kernels {
                        close: close::<V, CH>,
                        close_after: close_after::<V, CH>,
                        meet_box: meet_box::<V, CH>,
                        down: down::<V>,
                        meet: meet::<V>,
                        join: join::<V>,
                        compare: compare::<V>,
                        below: below::<V>,
                        extra_lu: extra_lu::<V>,
                        extra_lu_plus: extra_lu_plus::<V>,
                        alu: alu::<V>,
                        alu_compact: alu_compact::<V>,
                        detours: detours::<V>,
                        pack: pack::<V>,
                        unpack: unpack::<V>,
                        some_active: V::SOME_ACTIVE,
                    }
                }
            }

            /// The table for rows of `blocks` blocks.
            pub fn select<V: Lanes<Cell: Bound>>(blocks: usize) -> &'static Kernels<V::Cell> {
                match blocks {
                    1 => table::<V, 1>(),
                    2 => table::<V, 2>(),
                    3 => table::<V, 3>(),
                    4 => table::<V, 4>(),
                    6 => table::<V, 6>(),
                    _ => table::<V, 0>(),
                }
            }
        }
    };
}

tables!(plain);
#[cfg(target_arch = "x86_64")]
tables!(avx2, #[target_feature(enable = "avx2,popcnt")]);

macro_rules! lookup {
    ($name:ident, $word:ty, $lanes:literal, $vector:ident) => {
        /// The kernels for rows of `blocks` blocks on this machine.
        #[inline]
        pub fn $name(blocks: usize) -> &'static Kernels<$word> {
            #[cfg(target_arch = "x86_64")]
            if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("popcnt") {
                return avx2::select::<crate::simd::$vector>(blocks);
            }
            plain::select::<Portable<$word, $lanes>>(blocks)
        }
    };
}

lookup!(table_i16, i16, 16, Avx2I16);
lookup!(table_i32, i32, 8, Avx2I32);
