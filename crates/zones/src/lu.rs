//! Lower and upper constants per clock, in the form the kernels compare with.
//!
//! L_x is the largest c in a constraint c < x or c ≤ x that matters from here on,
//! U_x the same for x < c or x ≤ c; absent means that no such constraint exists
//! (Behrmann, Bouyer, Larsen, Pelánek, *Lower and upper bounds in zone-based
//! abstractions of timed automata*, STTT 2006). M_x is the larger of the two.

use crate::bound::Bound;
use crate::zone::Row;

/// Lower and upper bounds of all clocks of a zone.
///
/// Kept as words: `lower[x]` is (≤, L_x) or `MIN` when absent, `upper[x]` is
/// (<, -U_x) or `INF` when absent; the reference clock has L = U = 0. The arrays
/// are padded like a row of a zone of the same dimension.
#[derive(Clone, Debug)]
pub struct LuBounds<B: Bound> {
    dim: usize,
    pub(crate) lower: Row<B>,
    pub(crate) upper: Row<B>,
    /// The same with both constants replaced by M.
    pub(crate) m_lower: Row<B>,
    pub(crate) m_upper: Row<B>,
}

impl<B: Bound> LuBounds<B> {
    /// No clock has any bound. `dim` counts the reference clock.
    pub fn new(dim: usize) -> Self {
        let row = || Row::new(B::blocks(dim));
        let mut bounds = Self { dim, lower: row(), upper: row(), m_lower: row(), m_upper: row() };
        bounds.clear();
        bounds
    }

    /// The number of clocks, the reference clock included.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// Takes every bound away.
    pub fn clear(&mut self) {
        for row in [&mut self.lower, &mut self.m_lower] {
            row.cells_mut().fill(B::MIN);
            row.cells_mut()[0] = B::LE_ZERO;
        }
        for row in [&mut self.upper, &mut self.m_upper] {
            row.cells_mut().fill(B::INF);
            row.cells_mut()[0] = B::LT_ZERO;
        }
    }

    /// L_x becomes at least `c`, which lies in 0..=`MAX_CONSTANT`.
    #[inline]
    pub fn raise_lower(&mut self, x: usize, c: i32) {
        let word = self.word(x, c);
        raise(&mut self.lower.cells_mut()[x], word);
        self.raise_m(x, word);
    }

    /// U_x becomes at least `c`, which lies in 0..=`MAX_CONSTANT`.
    #[inline]
    pub fn raise_upper(&mut self, x: usize, c: i32) {
        let word = self.word(x, c);
        sink(&mut self.upper.cells_mut()[x], word);
        self.raise_m(x, word);
    }

    /// L_x, if there is one.
    pub fn lower(&self, x: usize) -> Option<i32> {
        let word = self.lower.cells()[x];
        (x < self.dim && word != B::MIN).then(|| word.constant())
    }

    /// U_x, if there is one.
    pub fn upper(&self, x: usize) -> Option<i32> {
        let word = self.upper.cells()[x];
        (x < self.dim && word != B::INF).then(|| -word.constant())
    }

    /// Becomes a copy of `other`, which has the same dimension.
    pub fn copy_from(&mut self, other: &Self) {
        assert_eq!(self.dim, other.dim, "bounds of different dimensions");
        self.lower.copy_from(&other.lower);
        self.upper.copy_from(&other.upper);
        self.m_lower.copy_from(&other.m_lower);
        self.m_upper.copy_from(&other.m_upper);
    }

    /// (≤, c). A constant too large for the word is cut to the largest, which is
    /// sound: no entry at rest exceeds that either.
    fn word(&self, x: usize, c: i32) -> B {
        assert!(0 < x && x < self.dim, "no clock {x} among {}", self.dim);
        debug_assert!((0..=B::MAX_CONSTANT).contains(&c), "bound {c} of clock {x} out of range");
        B::weak(c.clamp(0, B::MAX_CONSTANT)).expect("cut to the range")
    }

    fn raise_m(&mut self, x: usize, word: B) {
        raise(&mut self.m_lower.cells_mut()[x], word);
        sink(&mut self.m_upper.cells_mut()[x], word);
    }
}

fn raise<B: Bound>(cell: &mut B, word: B) {
    *cell = word.max(*cell);
}

/// (<, -c) from (≤, c).
fn sink<B: Bound>(cell: &mut B, word: B) {
    *cell = B::of(1 - word.value()).min(*cell);
}

impl<B: Bound> PartialEq for LuBounds<B> {
    fn eq(&self, other: &Self) -> bool {
        self.dim == other.dim
            && self.lower.cells() == other.lower.cells()
            && self.upper.cells() == other.upper.cells()
    }
}

impl<B: Bound> Eq for LuBounds<B> {}
