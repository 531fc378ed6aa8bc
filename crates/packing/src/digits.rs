//! A bound as a digit (paper 1, section 3).
//!
//! With constants in [-k, k] there are 2 (2k + 1) finite bounds and one infinite one.
//! The paper counts 2 (2k + 2): it has a weak infinity too, which never occurs.
//!
//! ```text
//! bound   < -k   ≤ -k   < -k+1   ...   < k    ≤ k    < ∞
//! digit      0      1        2   ...    4k   4k+1   4k+2
//! ```
//!
//! - **D-1** A tighter bound is a smaller digit, so zones compare as digits do.
//! - **D-2** A bound that fits is found again from its digit; one that does not fit has
//!   none, and its zone has to be kept in some other way.

use dwell_zones::Bound;

/// Bounds that become digits together: a vector of the narrow ones.
pub(crate) const LANES: usize = 8;

/// Digits of bounds with constants in [-k, k].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ZoneDigits {
    k: i32,
}

impl ZoneDigits {
    /// For constants up to `k`; more than 32 bits can hold is never needed.
    pub fn new(k: u32) -> Self {
        Self { k: k.min(<i32 as Bound>::MAX_CONSTANT as u32) as i32 }
    }

    /// How many digits there are.
    #[inline(always)]
    pub fn count(self) -> u32 {
        self.infinite() + 1
    }

    /// The digit of "< ∞", the largest.
    #[inline(always)]
    fn infinite(self) -> u32 {
        4 * self.k as u32 + 2
    }

    /// The digit of a bound, if it fits.
    #[inline(always)]
    pub fn digit<B: Bound>(self, cell: B) -> Option<u32> {
        self.fit(&[cell]).then(|| self.digit_of_fit(cell))
    }

    /// The digit of a bound that fits.
    #[inline(always)]
    pub(crate) fn digit_of_fit<B: Bound>(self, cell: B) -> u32 {
        (cell.word().min(2 * self.k + 2) + 2 * self.k) as u32
    }

    /// The digits of bounds that fit, where there are at most 2^16.
    #[inline(always)]
    pub(crate) fn of_fit<B: Bound>(self, block: &[B; LANES]) -> [u16; LANES] {
        // PERF: the least of two words of the bounds' own width, so that they make a vector.
        let infinite = B::from_word((2 * self.k + 2).min(B::INF.word()));
        block.map(|cell| (cell.min(infinite).word() + 2 * self.k) as u16)
    }

    /// The inverse of [`Self::of_fit`].
    #[inline(always)]
    pub(crate) fn cells<B: Bound>(self, digits: &[u16; LANES]) -> [B; LANES] {
        let infinite = self.infinite() as u16;
        digits.map(|digit| {
            let finite = B::from_word(i32::from(digit) - 2 * self.k);
            if digit == infinite { B::INF } else { finite }
        })
    }

    /// The bound of a digit made from a bound of the same type.
    #[inline(always)]
    pub fn cell<B: Bound>(self, digit: u32) -> B {
        debug_assert!(digit < self.count());
        if digit >= self.infinite() { B::INF } else { B::from_word(digit as i32 - 2 * self.k) }
    }

    /// The tightest and the loosest finite bound that fit.
    #[inline(always)]
    pub(crate) fn finite<B: Bound>(self) -> (B, B) {
        let most = self.k.min(B::MAX_CONSTANT);
        (B::from_word(-2 * most), B::from_word(2 * most + 1))
    }

    /// Do all bounds fit?
    #[inline]
    pub fn fit<B: Bound>(self, cells: &[B]) -> bool {
        // PERF: a loop without branches, of which the compiler makes vectors.
        let (low, high) = self.finite();
        cells.iter().fold(true, |fit, &cell| fit & (cell >= low) & ((cell <= high) | cell.is_inf()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order_is_kept<B: Bound>(k: u32) {
        let digits = ZoneDigits::new(k);
        let k = k as i32;
        let mut next = 0;
        for c in -k..=k {
            for cell in [B::strict(c), B::weak(c)] {
                let cell = cell.expect("small");
                assert_eq!(digits.digit(cell), Some(next));
                assert_eq!(digits.cell::<B>(next), cell);
                next += 1;
            }
        }
        assert_eq!(digits.digit(B::INF), Some(next));
        assert_eq!(digits.cell::<B>(next), B::INF);
        assert_eq!(digits.count(), next + 1);
        for c in [-k - 1, k + 1] {
            assert_eq!(digits.digit(B::strict(c).expect("small")), None);
            assert_eq!(digits.digit(B::weak(c).expect("small")), None);
        }
    }

    #[test]
    fn digits_are_in_the_order_of_bounds() {
        for k in [0, 1, 2, 10, 1000] {
            order_is_kept::<i16>(k);
            order_is_kept::<i32>(k);
        }
    }

    #[test]
    fn the_largest_constants_fit() {
        let (max16, max32) = (<i16 as Bound>::MAX_CONSTANT, <i32 as Bound>::MAX_CONSTANT);
        for digits in [ZoneDigits::new(max32 as u32), ZoneDigits::new(u32::MAX)] {
            for cell in [i32::strict(-max32), i32::weak(max32), Some(i32::INF)] {
                let cell = cell.expect("in range");
                assert_eq!(digits.cell::<i32>(digits.digit(cell).expect("fits")), cell);
            }
            let cell = i16::weak(max16).expect("in range");
            assert_eq!(digits.cell::<i16>(digits.digit(cell).expect("fits")), cell);
        }
    }
}
