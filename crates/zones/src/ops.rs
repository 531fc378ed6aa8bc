//! Operations that move clocks: delay, past, resets, copies, shifts.
//!
//! Each takes a closed, non-empty zone to a closed, non-empty zone without running
//! the closure (Bengtsson and Yi, 2004, §4). O(n), `down` O(n²).

use crate::bound::Bound;
use crate::zone::Zone;

impl<B: Bound> Zone<B> {
    /// Delay: all clocks advance together by any amount.
    #[inline]
    pub fn up(&mut self) {
        debug_assert!(!self.is_empty());
        let (dim, stride) = (self.dim(), self.stride());
        for row in self.cells.cells_mut().chunks_exact_mut(stride).take(dim).skip(1) {
            row[0] = B::INF;
        }
        self.check();
    }

    /// Delay during which some clocks stand still: the smallest zone that holds every
    /// outcome. A running clock may grow beyond any distance from one that stands.
    /// Stays closed: only rows of running clocks change, in columns of standing ones
    /// (the reference clock among them), and every path between such a pair passes
    /// from a running clock to a standing one somewhere.
    pub fn up_but(&mut self, standing: &[u16]) {
        debug_assert!(!self.is_empty());
        let (dim, stride) = (self.dim(), self.stride());
        for (x, row) in self.cells.cells_mut().chunks_exact_mut(stride).take(dim).enumerate().skip(1) {
            if !standing.contains(&(x as u16)) {
                row[0] = B::INF;
                standing.iter().for_each(|&s| row[usize::from(s)] = B::INF);
            }
        }
        self.check();
    }

    /// The past: all valuations from which some delay leads into the zone.
    #[inline]
    pub fn down(&mut self) {
        debug_assert!(!self.is_empty());
        let (dim, blocks, kernels) = (self.dim(), self.blocks, self.kernels);
        // SAFETY: Z-5, and the table was looked up for `blocks`.
        unsafe { (kernels.down)(self.ptr_mut(), dim, blocks) };
        self.check();
    }

    /// x := c, for c ≥ 0.
    #[inline]
    pub fn reset(&mut self, x: usize, c: i32) {
        debug_assert!(c >= 0, "a clock is never negative");
        if c == 0 { self.copy_clock(x, 0) } else { self.assign_sum(x, 0, c) }
    }

    /// x := y.
    #[inline]
    pub fn copy_clock(&mut self, x: usize, y: usize) {
        let (dim, stride) = (self.dim(), self.stride());
        assert!(0 < x && x < dim && y < dim, "no clocks {x} and {y} among {dim}");
        debug_assert!(!self.is_empty());
        let cells = self.cells.cells_mut();
        // Nothing is added, so nothing can leave the range.
        cells.copy_within(y * stride..(y + 1) * stride, x * stride);
        for row in cells.chunks_exact_mut(stride).take(dim) {
            row[x] = row[y];
        }
        cells[x * stride + x] = B::LE_ZERO;
        self.check();
    }

    /// x := x + c. When c is negative, x ≥ -c must hold throughout the zone.
    #[inline]
    pub fn shift(&mut self, x: usize, c: i32) {
        self.assign_sum(x, x, c);
    }

    /// x := y + c, for c ≥ 0 (or y ≥ -c throughout the zone).
    #[inline]
    pub fn assign_sum(&mut self, x: usize, y: usize, c: i32) {
        let (dim, stride) = (self.dim(), self.stride());
        assert!(0 < x && x < dim && y < dim, "no clocks {x} and {y} among {dim}");
        debug_assert!(!self.is_empty());
        debug_assert!(c.unsigned_abs() <= B::MAX_CONSTANT as u32, "constant {c} out of range");
        debug_assert!(c >= 0 || i64::from(self.get(0, y).constant()) <= i64::from(c), "clock {x} < 0");
        if B::weak(c).is_none() {
            self.overflow = true;
            return;
        }
        let step = 2 * i64::from(c);
        let cells = self.cells.cells_mut();
        let mut out_of_range = false;
        // (x, x) and, in the row, the distance to the old x are of no interest; both
        // end up in the one cell that is overwritten at the end.
        for j in 0..dim {
            let (b, wide) = add(cells[y * stride + j], step);
            cells[x * stride + j] = b;
            out_of_range |= wide && j != x;
        }
        for (j, row) in cells.chunks_exact_mut(stride).take(dim).enumerate() {
            let (b, wide) = add(row[y], -step);
            row[x] = b;
            out_of_range |= wide && j != x;
        }
        cells[x * stride + x] = B::LE_ZERO;
        if out_of_range {
            self.overflow = true;
        }
        self.check();
    }

    /// x may also have any larger value, the others being what they are.
    #[inline]
    pub fn free_above(&mut self, x: usize) {
        let (dim, stride) = (self.dim(), self.stride());
        assert!(0 < x && x < dim, "no clock {x} among {dim}");
        debug_assert!(!self.is_empty());
        let row = &mut self.cells.cells_mut()[x * stride..x * stride + dim];
        row.fill(B::INF);
        row[x] = B::LE_ZERO;
        self.check();
    }

    /// Forgets x: it may have any value ≥ 0, whatever the others are.
    #[inline]
    pub fn free(&mut self, x: usize) {
        let (dim, stride) = (self.dim(), self.stride());
        assert!(0 < x && x < dim, "no clock {x} among {dim}");
        debug_assert!(!self.is_empty());
        let cells = self.cells.cells_mut();
        cells[x * stride..x * stride + dim].fill(B::INF);
        for row in cells.chunks_exact_mut(stride).take(dim) {
            row[x] = row[0];
        }
        cells[x * stride + x] = B::LE_ZERO;
        self.check();
    }
}

/// The finite word `b` moved by `step`, and whether it left the range. Two words at
/// rest are added, so the sum fits; beyond that (after an overflow) it is cut.
#[inline(always)]
fn add<B: Bound>(b: B, step: i64) -> (B, bool) {
    if b.is_inf() {
        return (b, false);
    }
    let sum = b.value() + step;
    let cut = sum.clamp(B::FLOOR.value(), B::CEILING.value());
    (B::of(cut), sum < B::LOWEST.value() || sum > B::HIGHEST.value())
}
