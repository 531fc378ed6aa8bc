//! One bound "≤ c", "< c" or "< ∞" in one machine word.
//!
//! The raw word of ≤ c is 2c + 1, of < c is 2c, of < ∞ the largest word. So a
//! smaller word is a tighter bound and comparing bounds is comparing words (the
//! encoding of UDBM; Bengtsson and Yi, *Timed automata: semantics, algorithms and
//! tools*, 2004). The sum of two finite bounds is weak only if both are:
//! a + b - ((a | b) & 1).
//!
//! Constants at rest lie in ±`MAX_CONSTANT`, an eighth of the word, so that the sum
//! of four of them still fits.

use std::fmt::Debug;
use std::hash::Hash;

use crate::kernels::Kernels;
use dwell_base::persist::Plain;

/// What the kernels need of a word and users do not. Private, so it also seals [`Bound`].
pub trait Raw: Copy + Ord + Eq + Debug + 'static {
    /// One vector's worth of cells, aligned for it.
    type Block: Copy + Debug + Send + Sync;
    /// A block of `< ∞`.
    const INF_BLOCK: Self::Block;
    /// Cells per block.
    const LANES: usize;
    /// The loosest finite bound an entry may have at rest.
    const HIGHEST: Self;
    /// The tightest bound an entry may have at rest.
    const LOWEST: Self;
    /// Twice `HIGHEST`: above it, a word read while closing counts as infinite.
    const CEILING: Self;
    /// Twice `LOWEST`: no candidate is stored below it while closing.
    const FLOOR: Self;
    /// The word of `value`, which must fit.
    fn of(value: i64) -> Self;
    /// The word as a number.
    fn value(self) -> i64;
    /// The kernels for rows of `blocks` blocks on this machine.
    fn kernels(blocks: usize) -> &'static Kernels<Self>;
    /// Blocks per row for `dim` clocks: a count that has its own kernels where possible.
    fn blocks(dim: usize) -> usize {
        match dim.div_ceil(Self::LANES) {
            0 => 1,
            5 => 6,
            n => n,
        }
    }
}

/// A bound on the difference of two clocks; implemented by `i16` and `i32`.
pub trait Bound: Raw + Plain + Default + Hash + Send + Sync {
    /// No bound: < ∞.
    const INF: Self;
    /// ≤ 0.
    const LE_ZERO: Self;
    /// < 0.
    const LT_ZERO: Self;
    /// Below every bound; marks absence in [`LuBounds`](crate::LuBounds).
    const MIN: Self;
    /// The largest magnitude a constant may have.
    const MAX_CONSTANT: i32;
    /// Width of the word in bits.
    const BITS: u32;

    /// The bound ≤ c, or `None` when |c| exceeds [`Self::MAX_CONSTANT`].
    fn weak(c: i32) -> Option<Self>;
    /// The bound < c, or `None` when |c| exceeds [`Self::MAX_CONSTANT`].
    fn strict(c: i32) -> Option<Self>;
    /// Another name of [`Self::weak`]. Because `PartialOrd` has an `le` too, it must be
    /// called as `<B as Bound>::le(c)`.
    #[inline(always)]
    fn le(c: i32) -> Option<Self> {
        Self::weak(c)
    }
    /// Another name of [`Self::strict`], to be called as `<B as Bound>::lt(c)`.
    #[inline(always)]
    fn lt(c: i32) -> Option<Self> {
        Self::strict(c)
    }
    /// The constant of a finite bound.
    fn constant(self) -> i32;
    /// Is it a strict bound? `INF` counts as strict.
    fn is_strict(self) -> bool;
    /// Is it < ∞?
    fn is_inf(self) -> bool;
    /// The word: 2c for < c, 2c + 1 for ≤ c, the largest for < ∞.
    #[inline(always)]
    fn word(self) -> i32 {
        self.value() as i32
    }
    /// The bound with this word, which must be one of this width.
    #[inline(always)]
    fn from_word(word: i32) -> Self {
        Self::of(word.into())
    }
    /// The sum; `INF` absorbs, and sums beyond the word stop at its ends.
    fn plus(self, other: Self) -> Self;
    /// The bound on y - x that says that this bound on x - y does not hold.
    /// `INF` has no complement.
    fn complement(self) -> Self;
}

macro_rules! bound {
    ($word:ty, $block:ident, $lanes:literal, $kernels:path) => {
        /// One vector of cells.
        #[derive(Clone, Copy, Debug)]
        #[repr(C, align(32))]
        pub struct $block([$word; $lanes]);

        const _: () = assert!(size_of::<$block>() == 32);

        impl Raw for $word {
            type Block = $block;
            const INF_BLOCK: $block = $block([<$word>::MAX; $lanes]);
            const LANES: usize = $lanes;
            const HIGHEST: Self = 2 * (<$word as Bound>::MAX_CONSTANT as $word) + 1;
            const LOWEST: Self = -2 * (<$word as Bound>::MAX_CONSTANT as $word);
            const CEILING: Self = 4 * (<$word as Bound>::MAX_CONSTANT as $word) + 1;
            const FLOOR: Self = -4 * (<$word as Bound>::MAX_CONSTANT as $word);

            #[inline(always)]
            fn of(value: i64) -> Self {
                value as $word
            }
            #[inline(always)]
            fn value(self) -> i64 {
                i64::from(self)
            }
            #[inline(always)]
            fn kernels(blocks: usize) -> &'static Kernels<Self> {
                $kernels(blocks)
            }
        }

        impl Bound for $word {
            const INF: Self = <$word>::MAX;
            const LE_ZERO: Self = 1;
            const LT_ZERO: Self = 0;
            const MIN: Self = <$word>::MIN;
            const MAX_CONSTANT: i32 = (<$word>::MAX / 8 - 1) as i32;
            const BITS: u32 = <$word>::BITS;

            #[inline]
            fn weak(c: i32) -> Option<Self> {
                (c.unsigned_abs() <= Self::MAX_CONSTANT as u32).then(|| 2 * (c as $word) + 1)
            }
            #[inline]
            fn strict(c: i32) -> Option<Self> {
                (c.unsigned_abs() <= Self::MAX_CONSTANT as u32).then(|| 2 * (c as $word))
            }
            #[inline(always)]
            fn constant(self) -> i32 {
                (self >> 1) as i32
            }
            #[inline(always)]
            fn is_strict(self) -> bool {
                self & 1 == 0 || self == Self::INF
            }
            #[inline(always)]
            fn is_inf(self) -> bool {
                self == Self::INF
            }
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                if self == Self::INF || other == Self::INF {
                    return Self::INF;
                }
                let sum = i64::from(self) + i64::from(other) - i64::from((self | other) & 1);
                // A finite sum stays finite: the largest word means something else.
                sum.clamp(i64::from(Self::MIN), i64::from(Self::INF) - 1) as $word
            }
            #[inline(always)]
            fn complement(self) -> Self {
                debug_assert!(self != Self::INF, "every difference is below infinity");
                (1 as $word).wrapping_sub(self)
            }
        }
    };
}

bound!(i16, Block16, 16, crate::kernels::table_i16);
bound!(i32, Block32, 8, crate::kernels::table_i32);

#[cfg(test)]
mod tests {
    use super::*;

    /// All sums and complements of small bounds, against the meaning on numbers.
    #[test]
    fn sums_and_complements_mean_what_they_say() {
        let all: Vec<i16> = (-9..=9).chain([i16::INF]).collect();
        let meets = |b: i16, v: f64| {
            b.is_inf()
                || if b.is_strict() { v < f64::from(b.constant()) } else { v <= f64::from(b.constant()) }
        };
        for &a in &all {
            for v in -40..40 {
                let v = f64::from(v) / 4.0;
                if a != i16::INF {
                    assert_eq!(meets(a, v), !meets(a.complement(), -v), "{a} at {v}");
                }
            }
            for &b in &all {
                let sum = a.plus(b);
                assert_eq!(sum.is_inf(), a.is_inf() || b.is_inf());
                if !sum.is_inf() {
                    assert_eq!(sum.constant(), a.constant() + b.constant());
                    assert_eq!(sum.is_strict(), a.is_strict() || b.is_strict());
                }
            }
        }
    }

    #[test]
    fn limits_leave_room_for_four() {
        assert_eq!(<i16 as Bound>::MAX_CONSTANT, 4094);
        assert_eq!(i16::weak(4095), None);
        assert_eq!(i16::strict(-4095), None);
        assert_eq!(i16::weak(i32::MIN), None);
        assert!(4 * i64::from(i16::HIGHEST) < i64::from(i16::INF));
        assert!(4 * i64::from(i32::HIGHEST) < i64::from(i32::INF));
        assert_eq!(i16::weak(4094).unwrap().complement(), i16::LOWEST);
        assert_eq!(i32::CEILING.plus(i32::CEILING).constant(), 4 * <i32 as Bound>::MAX_CONSTANT);
    }
}
