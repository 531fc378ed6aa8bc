//! Closure: full (Floyd and Warshall), incremental, after a box, and the past operator.
//!
//! A row is relaxed against a *pivot* row: `row[q] = min(row[q], a + pivot[q])` for one
//! scalar a. With raw words, a + b - ((a | b) & 1) = a + (b - 1) + (!a & !b & 1), so
//! what depends on the pivot alone is prepared once and a lane costs five operations.

use super::Outcome;
use crate::bound::{Bound, Raw};
use crate::simd::Lanes;

/// One vector of a pivot row, ready to have scalars added.
#[derive(Clone, Copy)]
struct Pivot<V> {
    /// b - 1.
    less_one: V,
    /// 1 where b is strict.
    strict: V,
    /// `INF` where b counts as infinite, else the lowest word to be written.
    floor: V,
}

impl<V: Lanes<Cell: Bound>> Pivot<V> {
    #[inline(always)]
    unsafe fn new(b: V) -> Self {
        // SAFETY: the caller has the features of `V`.
        unsafe {
            let one = V::splat(V::Cell::LE_ZERO);
            let infinite = b.gt(V::splat(V::Cell::CEILING));
            Self {
                less_one: b.add(V::splat(V::Cell::of(-1))),
                strict: b.not_and(one),
                floor: infinite.select(V::splat(V::Cell::INF), V::splat(V::Cell::FLOOR)),
            }
        }
    }

    /// a + b in every lane, for `a` not infinite.
    #[inline(always)]
    unsafe fn plus(self, a: V) -> V {
        // SAFETY: the caller has the features of `V`.
        unsafe { a.add(self.less_one).add(a.not_and(self.strict)).max(self.floor) }
    }

    #[inline(always)]
    unsafe fn load<const CH: usize>(row: *const V::Cell) -> [Self; CH] {
        // SAFETY: the caller has the features of `V` and at least one vector at `row`,
        // and `CH` if that is more.
        unsafe {
            // PERF: not `array::from_fn`, whose closure is compiled without the
            // features of `V` and not inlined; that made closing three to six times slower.
            let mut pivot = [Self::new(V::load(row)); CH];
            for (q, vector) in pivot.iter_mut().enumerate().skip(1) {
                *vector = Self::new(V::load(row.add(q * V::N)));
            }
            pivot
        }
    }
}

/// The smallest word, and the largest finite word plus one, of what was seen.
/// Adding one turns `INF` into the smallest word, so it never counts as large.
struct Extremes<V> {
    low: V,
    high: V,
}

impl<V: Lanes<Cell: Bound>> Extremes<V> {
    #[inline(always)]
    unsafe fn new() -> Self {
        // SAFETY: the caller has the features of `V`.
        unsafe { Self { low: V::splat(V::Cell::LE_ZERO), high: V::splat(V::Cell::LE_ZERO) } }
    }

    #[inline(always)]
    unsafe fn see(&mut self, words: V) {
        // SAFETY: the caller has the features of `V`.
        unsafe {
            self.low = self.low.min(words);
            self.high = self.high.max(words.add(V::splat(V::Cell::LE_ZERO)));
        }
    }

    ///
    #[inline(always)]
    unsafe fn outcome(self) -> Outcome {
        // SAFETY: the caller has the features of `V`.
        unsafe {
            let below = V::splat(V::Cell::LOWEST).gt(self.low);
            let above = self.high.gt(V::splat(V::Cell::of(V::Cell::HIGHEST.value() + 1)));
            if below.or(above).any() { Outcome::Overflow } else { Outcome::Closed }
        }
    }
}

/// Up to this many vectors per row, an infinite scalar is masked instead of tested.
///
/// PERF: closing 12 clocks of 16 bits after Extra_LU+, on more zones than the branch
/// predictor can learn, takes 200 ns masked and 310 ns tested; with two vectors masking
/// still gains a tenth, from three on it loses.
const MASKED: usize = 2;

/// Closes the matrix, or finds it empty.
#[inline(always)]
pub unsafe fn close<V: Lanes<Cell: Bound>, const CH: usize>(
    cells: *mut V::Cell,
    dim: usize,
    blocks: usize,
) -> Outcome {
    let blocks = if CH > 0 { CH } else { blocks };
    let stride = blocks * V::N;
    // SAFETY: the caller vouches for `dim` rows of `blocks` vectors and the features of `V`.
    unsafe {
        for k in 0..dim {
            let pivot_row = cells.add(k * stride);
            if *pivot_row.add(k) < V::Cell::LE_ZERO {
                return Outcome::Empty;
            }
            // A row with no finite entry but the diagonal relaxes nothing. After an
            // extrapolation that is common.
            let mut finite = 0;
            for q in 0..blocks {
                let b = V::load(pivot_row.add(q * V::N));
                finite += V::splat(V::Cell::INF).gt(b).count();
            }
            if finite < 2 {
                continue;
            }
            let pivot = Pivot::<V>::load::<CH>(pivot_row);
            let mut row = cells;
            for _ in 0..dim {
                let a = *row.add(k);
                if CH > 0 && CH <= MASKED {
                    let a = V::splat(a);
                    let wall = a.gt(V::splat(V::Cell::CEILING)).xor(V::splat(V::Cell::MIN));
                    for (q, pivot) in pivot.iter().enumerate() {
                        let at = row.add(q * V::N);
                        V::load(at).min(pivot.plus(a).max(wall)).store(at);
                    }
                } else if a <= V::Cell::CEILING {
                    let a = V::splat(a);
                    for q in 0..blocks {
                        let pivot =
                            if CH > 0 { pivot[q] } else { Pivot::new(V::load(pivot_row.add(q * V::N))) };
                        let at = row.add(q * V::N);
                        V::load(at).min(pivot.plus(a)).store(at);
                    }
                }
                row = row.add(stride);
            }
        }
        let mut extremes = Extremes::<V>::new();
        for i in 0..dim {
            let row = cells.add(i * stride);
            if *row.add(i) < V::Cell::LE_ZERO {
                return Outcome::Empty;
            }
            for q in 0..blocks {
                extremes.see(V::load(row.add(q * V::N)));
            }
        }
        extremes.outcome()
    }
}

/// Closes a matrix that was closed and not empty before entry (i, j) got tighter.
///
/// Row p can only change if p → i → j beats p → j, since p → j → q was no better
/// than p → q before (Rokicki's incremental closure).
#[inline(always)]
pub unsafe fn close_after<V: Lanes<Cell: Bound>, const CH: usize>(
    cells: *mut V::Cell,
    dim: usize,
    blocks: usize,
    i: usize,
    j: usize,
) -> Outcome {
    let blocks = if CH > 0 { CH } else { blocks };
    let stride = blocks * V::N;
    // SAFETY: the caller vouches for `dim` rows of `blocks` vectors, for i, j < dim
    // and for the features of `V`.
    unsafe {
        let pivot_row = cells.add(j * stride);
        let b = *cells.add(i * stride + j);
        if (*pivot_row.add(i)).plus(b) < V::Cell::LE_ZERO {
            return Outcome::Empty;
        }
        let pivot = Pivot::<V>::load::<CH>(pivot_row);
        let mut extremes = Extremes::<V>::new();
        let mut row = cells;
        for p in 0..dim {
            let a = if p == i { b } else { (*row.add(i)).plus(b) };
            // Row i already carries its new entry (i, j) and must not be passed over.
            if a < *row.add(j) || p == i {
                let a = V::splat(a);
                for q in 0..blocks {
                    let pivot = if CH > 0 { pivot[q] } else { Pivot::new(V::load(pivot_row.add(q * V::N))) };
                    let at = row.add(q * V::N);
                    let new = V::load(at).min(pivot.plus(a));
                    new.store(at);
                    extremes.see(new);
                }
            }
            row = row.add(stride);
        }
        extremes.outcome()
    }
}

/// Intersects a closed, non-empty matrix with a box: `upper[j]` bounds xj, `lower[k]`
/// bounds -xk, `INF` is no bound; both are rows with `INF` at index 0.
///
/// A simple path visits the reference clock once, so it uses at most one edge of
/// `upper` (which ends there) and one of `lower` (which starts there). Hence the new
/// column 0 is the least way over `upper`, the new row 0 the least way over `lower`,
/// and everything else the least way over the reference clock: one pass, O(n²), for
/// any number of bounds. Terms lie in ±2C as R-1 asks.
#[inline(always)]
pub unsafe fn meet_box<V: Lanes<Cell: Bound>, const CH: usize>(
    cells: *mut V::Cell,
    dim: usize,
    blocks: usize,
    upper: *const V::Cell,
    lower: *const V::Cell,
) -> Outcome {
    let blocks = if CH > 0 { CH } else { blocks };
    let stride = blocks * V::N;
    // SAFETY: the caller vouches for the matrix, two rows and the features of `V`.
    unsafe {
        let mut extremes = Extremes::<V>::new();
        // The least way from the reference clock, over one edge of `lower`.
        let mut lowered = false;
        for k in 1..dim {
            let a = *lower.add(k);
            // A bound that is there already changes nothing: the matrix is closed.
            if a < *cells.add(k) {
                lowered = true;
                let a = V::splat(a);
                let row = cells.add(k * stride);
                for q in 0..blocks {
                    let at = cells.add(q * V::N);
                    let new = V::load(at).min(Pivot::new(V::load(row.add(q * V::N))).plus(a));
                    new.store(at);
                }
            }
        }
        for q in 0..blocks {
            extremes.see(V::load(cells.add(q * V::N)));
        }
        let pivot = Pivot::<V>::load::<CH>(cells);
        let above = Pivot::<V>::load::<CH>(upper);
        for i in 0..dim {
            let row = cells.add(i * stride);
            let mut least = V::splat(V::Cell::INF);
            for q in 0..blocks {
                let above = if CH > 0 { above[q] } else { Pivot::new(V::load(upper.add(q * V::N))) };
                let a = V::load(row.add(q * V::N));
                let wall = a.gt(V::splat(V::Cell::CEILING)).xor(V::splat(V::Cell::MIN));
                least = least.min(above.plus(a).max(wall));
            }
            let (old, over) = (*row, least.least());
            let a = old.min(over);
            if i == 0 {
                if a < V::Cell::LE_ZERO {
                    return Outcome::Empty;
                }
                continue;
            }
            if (over < old || lowered) && a <= V::Cell::CEILING {
                let a = V::splat(a);
                for q in 0..blocks {
                    let pivot = if CH > 0 { pivot[q] } else { Pivot::new(V::load(cells.add(q * V::N))) };
                    let at = row.add(q * V::N);
                    let new = V::load(at).min(pivot.plus(a));
                    new.store(at);
                    extremes.see(new);
                }
                if *row.add(i) < V::Cell::LE_ZERO {
                    return Outcome::Empty;
                }
            }
        }
        extremes.outcome()
    }
}

/// Row 0 becomes the minimum of all rows, at most ≤ 0; padding stays infinite.
#[inline(always)]
pub unsafe fn down<V: Lanes<Cell: Bound>>(cells: *mut V::Cell, dim: usize, blocks: usize) {
    let stride = blocks * V::N;
    // SAFETY: the caller vouches for `dim` rows of `blocks` vectors and the features of `V`.
    unsafe {
        for q in 0..blocks {
            let first = V::load(cells.add(q * V::N));
            let padding = first.gt(V::splat(V::Cell::LE_ZERO));
            let mut low = V::splat(V::Cell::LE_ZERO);
            for i in 1..dim {
                low = low.min(V::load(cells.add(i * stride + q * V::N)));
            }
            padding.select(first, low).store(cells.add(q * V::N));
        }
    }
}

/// Marks the entries of row `i` that a detour over one of `count` indices makes
/// redundant. All infinite entries are marked, given an index to go over.
#[inline(always)]
pub unsafe fn detours<V: Lanes<Cell: Bound>>(
    cells: *const V::Cell,
    blocks: usize,
    i: usize,
    over: *const u16,
    count: usize,
    out: *mut V::Cell,
) {
    let stride = blocks * V::N;
    // SAFETY: the caller vouches for the matrix, for `count` indices of it at `over`,
    // for one row at `out` and for the features of `V`.
    unsafe {
        let row = cells.add(i * stride);
        for q in 0..blocks {
            let direct = V::load(row.add(q * V::N));
            let mut longer = V::splat(V::Cell::of(-1));
            for at in 0..count {
                let k = *over.add(at) as usize;
                let a = *row.add(k);
                if k == i || a.is_inf() {
                    continue;
                }
                let pivot = Pivot::new(V::load(cells.add(k * stride + q * V::N)));
                let (lanes, k) = (V::iota(), V::splat(V::Cell::of(k as i64 - (q * V::N) as i64)));
                let at_k = lanes.gt(k).or(k.gt(lanes)).xor(V::splat(V::Cell::of(-1)));
                longer = longer.and(pivot.plus(V::splat(a)).gt(direct).or(at_k));
            }
            longer.xor(V::splat(V::Cell::of(-1))).store(out.add(q * V::N));
        }
    }
}
