//! Zones without padding, diagonal and inactive clocks, for stores.
//!
//! Given the sorted list of active indices (0 first), row after row:
//!
//! ```text
//! active = [0, a, b]      (0,a) (0,b) | (a,0) (a,b) | (b,0) (b,a)
//! ```
//!
//! m active indices take m (m - 1) cells. Comparing two such arrays cell by cell
//! compares the zones, so inclusion is one linear pass.

use crate::bound::Bound;
use crate::lu::LuBounds;
use crate::simd::SomeActive;
use crate::zone::{Relation, Zone};

/// Cells for `m` active indices, the reference clock included.
#[inline(always)]
pub const fn compact_len(m: usize) -> usize {
    m * m.saturating_sub(1)
}

/// Writes the entries of `zone` between `active` indices to `out`, which has
/// [`compact_len`] cells.
pub fn pack<B: Bound>(zone: &Zone<B>, active: &[u16], out: &mut [B]) {
    check_active(active, zone.dim());
    assert_eq!(out.len(), compact_len(active.len()), "wrong number of cells");
    if active.len() == zone.dim() {
        // SAFETY: the zone ends in a spare block (Z-5) and `out` has dim (dim - 1) cells.
        unsafe { (zone.kernels.pack)(zone.ptr(), zone.dim(), zone.blocks, out.as_mut_ptr()) };
        return;
    }
    if let Some(kernels) = zone.kernels.some_active
        && zone.stride() <= SomeActive::<B>::LONGEST
    {
        // SAFETY: the zone was given these kernels because the machine has what they
        // need; its rows are whole blocks (Z-5); `active` and `out` were checked.
        unsafe { (kernels.pack)(zone.ptr(), zone.stride(), active, out) };
        return;
    }
    let width = active.len() - 1;
    if width == 0 {
        return;
    }
    for ((rank, &i), out) in active.iter().enumerate().zip(out.chunks_exact_mut(width)) {
        let row = zone.row(i as usize);
        let (before, after) = out.split_at_mut(rank);
        for (cell, &j) in before.iter_mut().zip(active) {
            *cell = row[j as usize];
        }
        for (cell, &j) in after.iter_mut().zip(&active[rank + 1..]) {
            *cell = row[j as usize];
        }
    }
}

/// The inverse of [`pack`]; inactive clocks become free. The result is closed.
pub fn unpack<B: Bound>(cells: &[B], active: &[u16], zone: &mut Zone<B>) {
    check_active(active, zone.dim());
    assert_eq!(cells.len(), compact_len(active.len()), "wrong number of cells");
    let dim = zone.dim();
    zone.overflow = false;
    if active.len() == dim {
        let (blocks, kernels) = (zone.blocks, zone.kernels);
        // SAFETY: `cells` has dim (dim - 1) cells and the zone the rows of its table.
        unsafe { (kernels.unpack)(cells.as_ptr(), dim, blocks, zone.ptr_mut()) };
        zone.check();
        return;
    }
    let (stride, width) = (zone.stride(), active.len() - 1);
    if let Some(kernels) = zone.kernels.some_active
        && stride <= SomeActive::<B>::LONGEST
    {
        // SAFETY: as in `pack`.
        unsafe { (kernels.unpack)(cells, active, zone.ptr_mut(), dim, stride) };
        zone.check();
        return;
    }
    let out = zone.cells.cells_mut();
    let mut next = 0;
    for i in 0..dim {
        let row = &mut out[i * stride..i * stride + dim];
        if active.get(next).is_some_and(|&a| a as usize == i) {
            let from = &cells[next * width..(next + 1) * width];
            // Distance to an inactive clock is distance to zero: it may be zero.
            row.fill(if i == 0 { B::LE_ZERO } else { from[0] });
            for (&j, &b) in active.iter().zip(&from[..next]) {
                row[j as usize] = b;
            }
            for (&j, &b) in active[next + 1..].iter().zip(&from[next..]) {
                row[j as usize] = b;
            }
            next += 1;
        } else {
            row.fill(B::INF);
        }
        row[i] = B::LE_ZERO;
    }
    zone.check();
}

/// How the zone of `a` stands to the zone of `b`, over the same active indices.
#[inline]
pub fn relation<B: Bound>(a: &[B], b: &[B]) -> Relation {
    assert_eq!(a.len(), b.len(), "compact zones of different sizes");
    // SAFETY: both have `len` cells.
    Relation::from_flags(unsafe { (B::kernels(1).compare)(a.as_ptr(), b.as_ptr(), a.len()) })
}

/// Is the zone of `a` contained in that of `b`, over the same active indices?
#[inline]
pub fn included<B: Bound>(a: &[B], b: &[B]) -> bool {
    assert_eq!(a.len(), b.len(), "compact zones of different sizes");
    // SAFETY: both have `len` cells.
    unsafe { (B::kernels(1).below)(a.as_ptr(), b.as_ptr(), a.len()) }
}

/// Entry between the indices of ranks `i` and `j` among `m` active ones.
#[inline]
pub fn entry<B: Bound>(cells: &[B], m: usize, i: usize, j: usize) -> B {
    debug_assert!(cells.len() == compact_len(m) && i < m && j < m);
    match j {
        _ if j < i => cells[i * (m - 1) + j],
        _ if j > i => cells[i * (m - 1) + j - 1],
        _ => B::LE_ZERO,
    }
}

/// Indices that fit the arrays of [`included_in_alu`] on the stack.
const SMALL: usize = 96;

/// Is the zone of `a` contained in aLU of the zone of `b`? Inactive clocks, free in
/// both, do not matter.
pub fn included_in_alu<B: Bound>(a: &[B], b: &[B], active: &[u16], bounds: &LuBounds<B>) -> bool {
    let m = active.len();
    assert!(a.len() == compact_len(m) && b.len() == compact_len(m), "wrong number of cells");
    check_active(active, bounds.dim());
    let (lower, upper) = (bounds.lower.cells(), bounds.upper.cells());
    // (<, -L) from (≤, L), or no condition.
    let minus_lower = |y: u16| match lower[y as usize] {
        low if low == B::MIN => B::INF,
        low => B::of(1 - low.value()),
    };
    let gate = |rank: usize| {
        let first = entry(a, m, 0, rank);
        if first > upper[active[rank] as usize] { first } else { B::MIN }
    };
    if m > SMALL {
        return (0..m).all(|y| {
            let low = minus_lower(active[y]);
            low.is_inf()
                || (0..m).all(|x| {
                    let (ours, theirs, first) = (entry(a, m, y, x), entry(b, m, y, x), gate(x));
                    theirs >= ours || first == B::MIN || theirs.plus(low) >= first
                })
        });
    }
    let mut gates = [B::MIN; SMALL + 2 * 16];
    let mut lows = [B::INF; SMALL];
    for (rank, &x) in active.iter().enumerate() {
        gates[rank] = gate(rank);
        lows[rank] = minus_lower(x);
    }
    // SAFETY: `a` and `b` have m (m - 1) cells, `gates` more than a vector beyond m,
    // and `lows` at least m.
    unsafe { (B::kernels(1).alu_compact)(a.as_ptr(), b.as_ptr(), gates.as_ptr(), lows.as_ptr(), m) }
}

#[inline(always)]
fn check_active(active: &[u16], dim: usize) {
    assert!(active.first() == Some(&0), "the reference clock is always active");
    assert!(active.iter().all(|&i| (i as usize) < dim), "active clock beyond the zone");
    debug_assert!(active.is_sorted_by(|x, y| x < y), "active indices are sorted");
}
