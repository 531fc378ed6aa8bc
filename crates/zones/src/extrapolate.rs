//! Extrapolations: widen a zone so that finitely many arise.
//!
//! Extra_M, Extra_M⁺, Extra_LU and Extra_LU⁺ of Behrmann, Bouyer, Larsen and Pelánek
//! (*Lower and upper bounds in zone-based abstractions of timed automata*, STTT 2006),
//! and the inclusion test for the coarser aLU, which is not convex and so never
//! computed (Herbreteau, Srivathsan, Walukiewicz, *Better abstractions for timed
//! automata*, LICS 2012). All are sound for automata without diagonal constraints.
//!
//! Extra_M is Extra_LU, and Extra_M⁺ is Extra_LU⁺, with both constants of every clock
//! replaced by the larger. O(n²), plus a closure when something changed.

use crate::bound::Bound;
use crate::lu::LuBounds;
use crate::zone::Zone;

/// An extrapolation kernel.
type Widen<B> = unsafe fn(*mut B, usize, usize, *const B, *const B) -> bool;

impl<B: Bound> Zone<B> {
    /// Extra_M: forgets differences beyond the largest constants.
    pub fn extra_m(&mut self, bounds: &LuBounds<B>) {
        self.widen_merged(bounds, self.kernels.extra_lu);
    }

    /// Extra_M⁺: also forgets clocks that are certainly beyond their largest constant.
    pub fn extra_m_plus(&mut self, bounds: &LuBounds<B>) {
        self.widen_merged(bounds, self.kernels.extra_lu_plus);
    }

    /// Extra_LU: tells lower from upper constants.
    pub fn extra_lu(&mut self, bounds: &LuBounds<B>) {
        self.widen(
            bounds,
            self.kernels.extra_lu,
            bounds.lower.cells().as_ptr(),
            bounds.upper.cells().as_ptr(),
        );
    }

    /// Extra_LU⁺: the coarsest of the four.
    pub fn extra_lu_plus(&mut self, bounds: &LuBounds<B>) {
        self.widen(
            bounds,
            self.kernels.extra_lu_plus,
            bounds.lower.cells().as_ptr(),
            bounds.upper.cells().as_ptr(),
        );
    }

    fn widen_merged(&mut self, bounds: &LuBounds<B>, kernel: Widen<B>) {
        assert_eq!(self.dim(), bounds.dim(), "zone and bounds of different dimensions");
        let [lower, upper] = &mut self.merged;
        bounds.merged_into(lower, upper);
        let (lower, upper) = (lower.cells().as_ptr(), upper.cells().as_ptr());
        self.widen(bounds, kernel, lower, upper);
    }

    #[inline(always)]
    fn widen(&mut self, bounds: &LuBounds<B>, kernel: Widen<B>, lower: *const B, upper: *const B) {
        assert_eq!(self.dim(), bounds.dim(), "zone and bounds of different dimensions");
        debug_assert!(!self.is_empty(), "an empty zone cannot be extrapolated");
        let (dim, blocks) = (self.dim(), self.blocks);
        // SAFETY: Z-5, the kernel is from the table for `blocks`, and the arrays are
        // rows of `blocks` blocks since the dimensions agree.
        if unsafe { kernel(self.ptr_mut(), dim, blocks, lower, upper) } {
            let non_empty = self.close();
            debug_assert!(non_empty || self.overflow, "widening only grows");
        }
    }

    /// Is this zone contained in aLU(`other`)? Both closed and not empty. O(n²).
    pub fn included_in_alu(&self, other: &Self, bounds: &LuBounds<B>) -> bool {
        assert!(self.dim() == other.dim() && self.dim() == bounds.dim(), "different dimensions");
        debug_assert!(!self.is_empty() && !other.is_empty());
        let (lower, upper) = (bounds.lower.cells().as_ptr(), bounds.upper.cells().as_ptr());
        // SAFETY: Z-5 for both, same table, arrays as above.
        unsafe { (self.kernels.alu)(self.ptr(), other.ptr(), self.dim(), self.blocks, lower, upper) }
    }
}
