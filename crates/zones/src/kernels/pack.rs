//! Moving a whole matrix to and from the compact form, a vector at a time.
//!
//! Row i of compact cells lacks column i: position p is column p before i and p + 1
//! from there on. So a vector of one form is a lane-wise choice between two
//! neighbouring loads of the other.

use crate::bound::{Bound, Raw};
use crate::simd::Lanes;

/// Rows of `dim` cells, without the diagonal, one after the other.
///
/// A row goes out in whole vectors; what spills over its end is overwritten by the
/// next row, and near the end of `out` single cells take over.
#[inline(always)]
pub unsafe fn pack<V: Lanes<Cell: Bound>>(
    cells: *const V::Cell,
    dim: usize,
    blocks: usize,
    out: *mut V::Cell,
) {
    let stride = blocks * V::N;
    let width = dim - 1;
    let total = dim * width;
    // SAFETY: the caller vouches for the matrix (which is followed by one more
    // vector), for `total` cells at `out` and for the features of `V`.
    unsafe {
        for i in 0..dim {
            let row = cells.add(i * stride);
            let mut p = 0;
            while p < width {
                let at = i * width + p;
                if at + V::N <= total {
                    let before = V::splat(V::Cell::of(i as i64 - p as i64)).gt(V::iota());
                    before.select(V::load(row.add(p)), V::load(row.add(p + 1))).store(out.add(at));
                    p += V::N;
                } else {
                    *out.add(at) = *row.add(p + usize::from(p >= i));
                    p += 1;
                }
            }
        }
    }
}

/// The inverse of [`pack`].
///
/// Vectors that would be read across an end of `packed` are read from a copy of its
/// last cells (or, at the start, shifted by one in the writing).
#[inline(always)]
pub unsafe fn unpack<V: Lanes<Cell: Bound>>(
    packed: *const V::Cell,
    dim: usize,
    blocks: usize,
    cells: *mut V::Cell,
) {
    let stride = blocks * V::N;
    let width = dim - 1;
    let total = dim * width;
    // SAFETY: the caller vouches for `total` cells at `packed`, for the matrix (which
    // is followed by one more vector) and for the features of `V`. A read from `tail`
    // is at most at `total` - `tail_from` ≤ N + 1 and takes N cells of 3 N.
    unsafe {
        let inf = V::splat(V::Cell::INF);
        let mut tail = [V::Cell::INF; 3 * 16];
        let tail_from = total.saturating_sub(V::N + 1);
        packed.add(tail_from).copy_to_nonoverlapping(tail.as_mut_ptr(), total - tail_from);
        for i in 0..dim {
            let row = cells.add(i * stride);
            for q in 0..blocks {
                let p = q * V::N;
                let at = i * width + p;
                let inside = V::splat(V::Cell::of(dim as i64 - p as i64)).gt(V::iota());
                let after = V::iota().gt(V::splat(V::Cell::of(i as i64 - p as i64)));
                let moved = if at > 0 && at + V::N <= total {
                    after.select(V::load(packed.add(at - 1)), V::load(packed.add(at)))
                } else if at > tail_from {
                    let from = tail.as_ptr().add(at.min(total) - tail_from);
                    after.select(V::load(from.sub(1)), V::load(from))
                } else {
                    // The very first vector. Lane 0 is the diagonal; what spills beyond
                    // the block is written again by the next.
                    let from = if V::N <= total { packed } else { tail.as_ptr() };
                    V::load(from).store(row.add(1));
                    V::load(row)
                };
                inside.select(moved, inf).store(row.add(p));
            }
            *row.add(i) = V::Cell::LE_ZERO;
        }
    }
}
