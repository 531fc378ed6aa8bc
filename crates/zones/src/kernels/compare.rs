//! Elementwise kernels: comparison, meet, join, the aLU test.

use super::{ABOVE, BELOW};
use crate::bound::{Bound, Raw};
use crate::simd::Lanes;

/// Vectors looked at between two tests for an early exit.
const GROUP: usize = 4;

/// Which of `ABOVE` and `BELOW` occur; stops once both do.
#[inline(always)]
pub unsafe fn compare<V: Lanes<Cell: Bound>>(a: *const V::Cell, b: *const V::Cell, cells: usize) -> u8 {
    // SAFETY: the caller vouches for `cells` cells at both and the features of `V`.
    unsafe {
        if cells < V::N {
            return compare_cells(a, b, 0, cells);
        }
        let mut above = V::splat(V::Cell::LT_ZERO);
        let mut below = above;
        let mut at = 0;
        while at + GROUP * V::N <= cells {
            for lane in 0..GROUP {
                let (x, y) = (V::load(a.add(at + lane * V::N)), V::load(b.add(at + lane * V::N)));
                above = above.or(x.gt(y));
                below = below.or(y.gt(x));
            }
            at += GROUP * V::N;
            if above.any() && below.any() {
                return ABOVE | BELOW;
            }
        }
        while at < cells {
            // The last vector overlaps the one before instead of leaving a tail.
            let from = at.min(cells - V::N);
            let (x, y) = (V::load(a.add(from)), V::load(b.add(from)));
            above = above.or(x.gt(y));
            below = below.or(y.gt(x));
            at += V::N;
        }
        (u8::from(above.any()) * ABOVE) | (u8::from(below.any()) * BELOW)
    }
}

#[inline(always)]
unsafe fn compare_cells<B: Bound>(a: *const B, b: *const B, from: usize, to: usize) -> u8 {
    let mut seen = 0;
    for at in from..to {
        // SAFETY: the caller vouches for `to` cells at both.
        let (x, y) = unsafe { (*a.add(at), *b.add(at)) };
        seen |= (u8::from(x > y) * ABOVE) | (u8::from(x < y) * BELOW);
    }
    seen
}

/// Is no cell of `a` above that of `b`?
#[inline(always)]
pub unsafe fn below<V: Lanes<Cell: Bound>>(a: *const V::Cell, b: *const V::Cell, cells: usize) -> bool {
    // SAFETY: the caller vouches for `cells` cells at both and the features of `V`.
    unsafe {
        if cells < V::N {
            return compare_cells(a, b, 0, cells) & ABOVE == 0;
        }
        let mut at = 0;
        while at + GROUP * V::N <= cells {
            let mut above = V::splat(V::Cell::LT_ZERO);
            for lane in 0..GROUP {
                above = above.or(V::load(a.add(at + lane * V::N)).gt(V::load(b.add(at + lane * V::N))));
            }
            if above.any() {
                return false;
            }
            at += GROUP * V::N;
        }
        let mut above = V::splat(V::Cell::LT_ZERO);
        while at < cells {
            let from = at.min(cells - V::N);
            above = above.or(V::load(a.add(from)).gt(V::load(b.add(from))));
            at += V::N;
        }
        !above.any()
    }
}

/// a = min(a, b); did a change? `cells` is a multiple of the vector.
#[inline(always)]
pub unsafe fn meet<V: Lanes<Cell: Bound>>(a: *mut V::Cell, b: *const V::Cell, cells: usize) -> bool {
    // SAFETY: the caller vouches for `cells` cells at both and the features of `V`.
    unsafe {
        let mut changed = V::splat(V::Cell::LT_ZERO);
        for at in (0..cells).step_by(V::N) {
            let (x, y) = (V::load(a.add(at)), V::load(b.add(at)));
            changed = changed.or(x.gt(y));
            x.min(y).store(a.add(at));
        }
        changed.any()
    }
}

/// a = max(a, b). `cells` is a multiple of the vector.
#[inline(always)]
pub unsafe fn join<V: Lanes<Cell: Bound>>(a: *mut V::Cell, b: *const V::Cell, cells: usize) {
    // SAFETY: the caller vouches for `cells` cells at both and the features of `V`.
    unsafe {
        for at in (0..cells).step_by(V::N) {
            V::load(a.add(at)).max(V::load(b.add(at))).store(a.add(at));
        }
    }
}

/// a ⊆ aLU(b), by the criterion of Herbreteau, Srivathsan and Walukiewicz (LICS 2012):
/// it fails iff some x ≠ y have a_0x ≥ (≤, -U_x), b_yx < a_yx and b_yx + (<, -L_y) < a_0x.
///
/// The first condition is `a_0x > upper[x]` on raw words, false for absent U and for
/// padding. x = y never satisfies the second.
#[inline(always)]
pub unsafe fn alu<V: Lanes<Cell: Bound>>(
    a: *const V::Cell,
    b: *const V::Cell,
    dim: usize,
    blocks: usize,
    lower: *const V::Cell,
    upper: *const V::Cell,
) -> bool {
    let stride = blocks * V::N;
    // SAFETY: the caller vouches for two matrices, two rows and the features of `V`.
    unsafe {
        let even = V::splat(V::Cell::of(-2));
        for y in 0..dim {
            let low = *lower.add(y);
            if low == V::Cell::MIN {
                continue;
            }
            // (<, -L) from (≤, L).
            let minus_lower = V::splat(V::Cell::of(1 - low.value()));
            let mut fails = V::splat(V::Cell::LT_ZERO);
            for q in 0..blocks {
                let first = V::load(a.add(q * V::N));
                let ours = V::load(a.add(y * stride + q * V::N));
                let theirs = V::load(b.add(y * stride + q * V::N));
                let relevant = first.gt(V::load(upper.add(q * V::N)));
                let sum = theirs.and(even).add(minus_lower);
                fails = fails.or(ours.gt(theirs).and(first.gt(sum)).and(relevant));
            }
            if fails.any() {
                return false;
            }
        }
        true
    }
}

/// The same on compact cells of `m` clocks.
///
/// `gate[x]` is a_0x where the first condition holds, else `MIN` (then the third
/// cannot hold); it has `m` cells and then at least one vector and a cell more of
/// `MIN`. `minus_lower[y]` is (<, -L_y), `INF` when absent. Row y of compact cells
/// lacks column y, so its position p is column p before y and p + 1 from there on.
#[inline(always)]
pub unsafe fn alu_compact<V: Lanes<Cell: Bound>>(
    a: *const V::Cell,
    b: *const V::Cell,
    gate: *const V::Cell,
    minus_lower: *const V::Cell,
    m: usize,
) -> bool {
    let width = m - 1;
    let cells = m * width;
    // SAFETY: the caller vouches for the four arrays and the features of `V`.
    unsafe {
        let even = V::splat(V::Cell::of(-2));
        for y in 0..m {
            let low = *minus_lower.add(y);
            if low == V::Cell::INF {
                continue;
            }
            let mut p = 0;
            while p < width {
                let at = y * width + p;
                if at + V::N <= cells {
                    // Lanes beyond the row read the next one; the gate is shut there.
                    let before = V::splat(V::Cell::of(y as i64 - p as i64)).gt(V::iota());
                    let first = before.select(V::load(gate.add(p)), V::load(gate.add(p + 1)));
                    let (ours, theirs) = (V::load(a.add(at)), V::load(b.add(at)));
                    let sum = theirs.and(even).add(V::splat(low));
                    if ours.gt(theirs).and(first.gt(sum)).any() {
                        return false;
                    }
                    p += V::N;
                } else {
                    let first = *gate.add(p + usize::from(p >= y));
                    let (ours, theirs) = (*a.add(at), *b.add(at));
                    if theirs < ours && first != V::Cell::MIN && theirs.plus(low) < first {
                        return false;
                    }
                    p += 1;
                }
            }
        }
        true
    }
}
