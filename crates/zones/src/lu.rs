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
}

impl<B: Bound> LuBounds<B> {
    /// No clock has any bound. `dim` counts the reference clock.
    pub fn new(dim: usize) -> Self {
        let row = || Row::new(B::blocks(dim));
        let mut bounds = Self { dim, lower: row(), upper: row() };
        bounds.clear();
        bounds
    }

    /// The number of clocks, the reference clock included.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// Takes every bound away.
    #[inline]
    pub fn clear(&mut self) {
        self.lower.cells_mut().fill(B::MIN);
        self.lower.cells_mut()[0] = B::LE_ZERO;
        self.upper.cells_mut().fill(B::INF);
        self.upper.cells_mut()[0] = B::LT_ZERO;
    }

    /// L_x becomes at least `c`, which lies in 0..=`MAX_CONSTANT`.
    pub fn raise_lower(&mut self, x: usize, c: i32) {
        self.raise(x, ClockWords::new(Some(c), None));
    }

    /// U_x becomes at least `c`, which lies in 0..=`MAX_CONSTANT`.
    pub fn raise_upper(&mut self, x: usize, c: i32) {
        self.raise(x, ClockWords::new(None, Some(c)));
    }

    /// L_x and U_x become at least those of `words`.
    #[inline]
    pub fn raise(&mut self, x: usize, words: ClockWords<B>) {
        assert!(0 < x && x < self.dim, "no clock {x} among {}", self.dim);
        let lower = &mut self.lower.cells_mut()[x];
        *lower = words.lower.max(*lower);
        let upper = &mut self.upper.cells_mut()[x];
        *upper = words.upper.min(*upper);
    }

    /// Both constants of every clock become the larger of the two.
    pub(crate) fn merged_into(&self, lower: &mut Row<B>, upper: &mut Row<B>) {
        let both = self.lower.cells().iter().zip(self.upper.cells());
        let out = lower.cells_mut().iter_mut().zip(upper.cells_mut());
        for ((&l, &u), (low, up)) in both.zip(out) {
            // (<, -c) and (≤, c) are one minus each other.
            let other =
                |word: B, absent: B, none: B| if word == absent { none } else { B::of(1 - word.value()) };
            *low = l.max(other(u, B::INF, B::MIN));
            *up = u.min(other(l, B::MIN, B::INF));
        }
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
    }
}

/// L and U of one clock as [`LuBounds`] keeps them, to be made once and used often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockWords<B> {
    lower: B,
    upper: B,
}

impl<B: Bound> ClockWords<B> {
    /// From constants, which are not negative. One too large for the word is cut to
    /// the largest, which is sound: no entry at rest exceeds that either.
    pub fn new(lower: Option<i32>, upper: Option<i32>) -> Self {
        let word = |c: i32| B::weak(c.clamp(0, B::MAX_CONSTANT)).expect("cut to the range");
        Self {
            lower: lower.map_or(B::MIN, word),
            upper: upper.map_or(B::INF, |c| B::of(1 - word(c).value())),
        }
    }
}

impl<B: Bound> PartialEq for LuBounds<B> {
    fn eq(&self, other: &Self) -> bool {
        self.dim == other.dim
            && self.lower.cells() == other.lower.cells()
            && self.upper.cells() == other.upper.cells()
    }
}

impl<B: Bound> Eq for LuBounds<B> {}
