//! The elementwise half of the LU extrapolations (the closure follows).
//!
//! Raw words make the conditions single comparisons. With `lower[i]` = (≤, L_i) and
//! `upper[j]` = (<, -U_j): c_ij > L_i iff `cell > lower[i]`; -c_0i > L_i iff
//! `cell_0i < 1 - lower[i]`; -c_0j > U_j iff `cell_0j < upper[j]`. Absent bounds are
//! `MIN` and `INF`, for which the same comparisons always hold. All conditions are on
//! the matrix as it was, so row 0 is written last.

use crate::bound::{Bound, Raw};
use crate::simd::Lanes;

/// Extra_LU; did anything change?
#[inline(always)]
pub unsafe fn extra_lu<V: Lanes<Cell: Bound>>(
    cells: *mut V::Cell,
    dim: usize,
    blocks: usize,
    lower: *const V::Cell,
    upper: *const V::Cell,
) -> bool {
    let stride = blocks * V::N;
    // SAFETY: the caller vouches for the matrix, two rows and the features of `V`.
    unsafe {
        let inf = V::splat(V::Cell::INF);
        let mut changed = V::splat(V::Cell::LT_ZERO);
        for i in 1..dim {
            let low = V::splat(*lower.add(i));
            for q in 0..blocks {
                let at = cells.add(i * stride + q * V::N);
                let old = V::load(at);
                let new = old.gt(low).select(inf, old.max(V::load(upper.add(q * V::N))));
                changed = changed.or(new.gt(old).and(off_diagonal::<V>(i, q)));
                new.store(at);
            }
            *cells.add(i * stride + i) = V::Cell::LE_ZERO;
        }
        changed.or(widen_first_row::<V>(cells, blocks, upper)).any()
    }
}

/// Extra_LU+; did anything change?
#[inline(always)]
pub unsafe fn extra_lu_plus<V: Lanes<Cell: Bound>>(
    cells: *mut V::Cell,
    dim: usize,
    blocks: usize,
    lower: *const V::Cell,
    upper: *const V::Cell,
) -> bool {
    let stride = blocks * V::N;
    // SAFETY: the caller vouches for the matrix, two rows and the features of `V`.
    unsafe {
        let inf = V::splat(V::Cell::INF);
        let mut changed = V::splat(V::Cell::LT_ZERO);
        for i in 1..dim {
            let low = *lower.add(i);
            // -c_0i > L_i: the whole row goes, as if L_i were absent.
            let gone = low == V::Cell::MIN || (*cells.add(i)).value() < 1 - low.value();
            let low = V::splat(if gone { V::Cell::MIN } else { low });
            for q in 0..blocks {
                let at = cells.add(i * stride + q * V::N);
                let old = V::load(at);
                let beyond_upper = V::load(upper.add(q * V::N)).gt(V::load(cells.add(q * V::N)));
                let new = old.gt(low).or(beyond_upper).select(inf, old);
                changed = changed.or(new.gt(old).and(off_diagonal::<V>(i, q)));
                new.store(at);
            }
            *cells.add(i * stride + i) = V::Cell::LE_ZERO;
        }
        changed.or(widen_first_row::<V>(cells, blocks, upper)).any()
    }
}

/// Row 0 of both: at least (<, -U_j), and at least ≤ 0 where U_j is absent, because a
/// clock is never negative. Returns where it changed.
#[inline(always)]
unsafe fn widen_first_row<V: Lanes<Cell: Bound>>(
    cells: *mut V::Cell,
    blocks: usize,
    upper: *const V::Cell,
) -> V {
    // SAFETY: the caller vouches for two rows and the features of `V`.
    unsafe {
        let mut changed = V::splat(V::Cell::LT_ZERO);
        for q in 0..blocks {
            let at = cells.add(q * V::N);
            let old = V::load(at);
            let new = old.max(V::load(upper.add(q * V::N)).min(V::splat(V::Cell::LE_ZERO)));
            changed = changed.or(new.gt(old));
            new.store(at);
        }
        changed
    }
}

/// All ones except in the lane of column `i`, if block `q` has it.
#[inline(always)]
unsafe fn off_diagonal<V: Lanes<Cell: Bound>>(i: usize, q: usize) -> V {
    // SAFETY: the caller has the features of `V`.
    unsafe {
        let (lanes, i) = (V::iota(), V::splat(V::Cell::of(i as i64 - (q * V::N) as i64)));
        lanes.gt(i).or(i.gt(lanes))
    }
}
