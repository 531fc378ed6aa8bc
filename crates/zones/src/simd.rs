//! Vectors of bounds: the few lane operations the kernels are written in.
//!
//! One implementation uses AVX2 intrinsics, the other plain arrays (which the
//! compiler turns into whatever the target has). The kernels are not left to the
//! auto-vectoriser as a whole, because short rows of constant length are unrolled
//! before it sees them, and what comes out then changes with every edit.

use crate::bound::Raw;

/// A vector of `N` cells.
///
/// # Safety
///
/// Every method may only run on a machine that has the features of the
/// implementation; `load` and `store` touch `N` cells at the pointer, in any alignment.
pub trait Lanes: Copy {
    /// The cell type.
    type Cell: Raw;
    /// Cells per vector.
    const N: usize;
    /// Packing with inactive clocks, where there is a way faster than cell by cell.
    const SOME_ACTIVE: Option<SomeActive<Self::Cell>> = None;

    /// `N` cells from memory.
    unsafe fn load(from: *const Self::Cell) -> Self;
    /// `N` cells to memory.
    unsafe fn store(self, to: *mut Self::Cell);
    /// The same cell in every lane.
    unsafe fn splat(cell: Self::Cell) -> Self;
    /// 0, 1, 2, ...
    unsafe fn iota() -> Self;
    /// Wrapping sum.
    unsafe fn add(self, other: Self) -> Self;
    /// Lane-wise minimum.
    unsafe fn min(self, other: Self) -> Self;
    /// Lane-wise maximum.
    unsafe fn max(self, other: Self) -> Self;
    /// Bitwise and.
    unsafe fn and(self, other: Self) -> Self;
    /// Bitwise or.
    unsafe fn or(self, other: Self) -> Self;
    /// Bitwise exclusive or.
    unsafe fn xor(self, other: Self) -> Self;
    /// `!self & other`.
    unsafe fn not_and(self, other: Self) -> Self;
    /// All ones in the lanes where `self > other`, else zero.
    unsafe fn gt(self, other: Self) -> Self;
    /// `yes` in the lanes where `self` is all ones, `no` where it is zero.
    unsafe fn select(self, yes: Self, no: Self) -> Self;
    /// How many lanes are all ones; the others are zero.
    unsafe fn count(self) -> u32;
    /// Is any lane not zero? Lanes are all ones or zero.
    unsafe fn any(self) -> bool;
    /// The smallest lane.
    unsafe fn least(self) -> Self::Cell;
}

/// Moves rows of at most [`SomeActive::LONGEST`] cells to and from the compact form.
///
/// # Safety
///
/// As the functions of [`crate::kernels::shuffle`] say.
#[derive(Clone, Copy)]
pub struct SomeActive<C> {
    /// `pack(cells, stride, active, out)`.
    pub pack: unsafe fn(*const C, usize, &[u16], &mut [C]),
    /// `unpack(packed, active, cells, dim, stride)`.
    pub unpack: unsafe fn(&[C], &[u16], *mut C, usize, usize),
}

impl<C> SomeActive<C> {
    /// Cells in the longest row these work on.
    pub const LONGEST: usize = 64;
}

/// Plain arrays, for machines without a hand-written version.
#[derive(Clone, Copy)]
pub struct Portable<T, const N: usize>([T; N]);

macro_rules! portable {
    ($word:ty, $n:literal) => {
        impl Portable<$word, $n> {
            #[inline(always)]
            fn zip(self, other: Self, f: impl Fn($word, $word) -> $word) -> Self {
                let mut out = self;
                for (x, y) in out.0.iter_mut().zip(other.0) {
                    *x = f(*x, y);
                }
                out
            }
        }

        impl Lanes for Portable<$word, $n> {
            type Cell = $word;
            const N: usize = $n;

            #[inline(always)]
            unsafe fn load(from: *const $word) -> Self {
                // SAFETY: the caller vouches for `N` cells at `from`.
                Self(unsafe { from.cast::<[$word; $n]>().read_unaligned() })
            }
            #[inline(always)]
            unsafe fn store(self, to: *mut $word) {
                // SAFETY: the caller vouches for `N` cells at `to`.
                unsafe { to.cast::<[$word; $n]>().write_unaligned(self.0) }
            }
            #[inline(always)]
            unsafe fn splat(cell: $word) -> Self {
                Self([cell; $n])
            }
            #[inline(always)]
            unsafe fn iota() -> Self {
                Self(std::array::from_fn(|lane| lane as $word))
            }
            #[inline(always)]
            unsafe fn add(self, other: Self) -> Self {
                self.zip(other, <$word>::wrapping_add)
            }
            #[inline(always)]
            unsafe fn min(self, other: Self) -> Self {
                self.zip(other, <$word>::min)
            }
            #[inline(always)]
            unsafe fn max(self, other: Self) -> Self {
                self.zip(other, <$word>::max)
            }
            #[inline(always)]
            unsafe fn and(self, other: Self) -> Self {
                self.zip(other, |x, y| x & y)
            }
            #[inline(always)]
            unsafe fn or(self, other: Self) -> Self {
                self.zip(other, |x, y| x | y)
            }
            #[inline(always)]
            unsafe fn xor(self, other: Self) -> Self {
                self.zip(other, |x, y| x ^ y)
            }
            #[inline(always)]
            unsafe fn not_and(self, other: Self) -> Self {
                self.zip(other, |x, y| !x & y)
            }
            #[inline(always)]
            unsafe fn gt(self, other: Self) -> Self {
                self.zip(other, |x, y| -<$word>::from(x > y))
            }
            #[inline(always)]
            unsafe fn select(self, yes: Self, no: Self) -> Self {
                // SAFETY: plain arrays need no feature.
                unsafe { self.and(yes).or(self.not_and(no)) }
            }
            #[inline(always)]
            unsafe fn count(self) -> u32 {
                self.0.iter().map(|&x| (x & 1) as u32).sum()
            }
            #[inline(always)]
            unsafe fn any(self) -> bool {
                self.0.iter().fold(0, |all, &x| all | x) != 0
            }
            #[inline(always)]
            unsafe fn least(self) -> $word {
                self.0.iter().fold(<$word>::MAX, |least, &x| least.min(x))
            }
        }
    };
}

portable!(i16, 16);
portable!(i32, 8);

#[cfg(target_arch = "x86_64")]
pub use avx2::{Avx2I16, Avx2I32};

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;

    use super::{Lanes, SomeActive};
    use crate::kernels::shuffle;

    /// The machine finds the least of eight unsigned words: flip the signs.
    #[inline(always)]
    unsafe fn least_i16(v: __m256i) -> i16 {
        // SAFETY: the caller has AVX2.
        unsafe {
            let eight = _mm_min_epi16(_mm256_castsi256_si128(v), _mm256_extracti128_si256::<1>(v));
            let flipped = _mm_xor_si128(eight, _mm_set1_epi16(i16::MIN));
            (_mm_cvtsi128_si32(_mm_minpos_epu16(flipped)) as i16) ^ i16::MIN
        }
    }

    #[inline(always)]
    unsafe fn least_i32(v: __m256i) -> i32 {
        // SAFETY: the caller has AVX2.
        unsafe {
            let four = _mm_min_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256::<1>(v));
            let two = _mm_min_epi32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
            _mm_cvtsi128_si32(_mm_min_epi32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two)))
        }
    }

    macro_rules! avx2 {
        ($name:ident, $word:ty, $n:literal, $set1:ident, $iota:expr, $add:ident, $min:ident, $max:ident, $gt:ident, $least:ident, $some:expr) => {
            /// A 256-bit vector.
            #[derive(Clone, Copy)]
            pub struct $name(__m256i);

            // SAFETY (of every block below): the contract of `Lanes`, AVX2 and
            // POPCNT are there and the pointers are good for one vector.
            impl Lanes for $name {
                type Cell = $word;
                const N: usize = $n;
                const SOME_ACTIVE: Option<SomeActive<$word>> = $some;

                #[inline(always)]
                unsafe fn load(from: *const $word) -> Self {
                    // SAFETY: contract of `Lanes`.
                    Self(unsafe { _mm256_loadu_si256(from.cast()) })
                }
                #[inline(always)]
                unsafe fn store(self, to: *mut $word) {
                    // SAFETY: contract of `Lanes`.
                    unsafe { _mm256_storeu_si256(to.cast(), self.0) }
                }
                #[inline(always)]
                unsafe fn splat(cell: $word) -> Self {
                    // SAFETY: contract of `Lanes`.
                    Self(unsafe { $set1(cell) })
                }
                #[inline(always)]
                unsafe fn iota() -> Self {
                    // SAFETY: contract of `Lanes`.
                    Self(unsafe { $iota })
                }
                #[inline(always)]
                unsafe fn add(self, other: Self) -> Self {
                    // SAFETY: contract of `Lanes`.
                    Self(unsafe { $add(self.0, other.0) })
                }
                #[inline(always)]
                unsafe fn min(self, other: Self) -> Self {
                    // SAFETY: contract of `Lanes`.
                    Self(unsafe { $min(self.0, other.0) })
                }
                #[inline(always)]
                unsafe fn max(self, other: Self) -> Self {
                    // SAFETY: contract of `Lanes`.
                    Self(unsafe { $max(self.0, other.0) })
                }
                #[inline(always)]
                unsafe fn and(self, other: Self) -> Self {
                    // SAFETY: contract of `Lanes`.
                    Self(unsafe { _mm256_and_si256(self.0, other.0) })
                }
                #[inline(always)]
                unsafe fn or(self, other: Self) -> Self {
                    // SAFETY: contract of `Lanes`.
                    Self(unsafe { _mm256_or_si256(self.0, other.0) })
                }
                #[inline(always)]
                unsafe fn xor(self, other: Self) -> Self {
                    // SAFETY: contract of `Lanes`.
                    Self(unsafe { _mm256_xor_si256(self.0, other.0) })
                }
                #[inline(always)]
                unsafe fn not_and(self, other: Self) -> Self {
                    // SAFETY: contract of `Lanes`.
                    Self(unsafe { _mm256_andnot_si256(self.0, other.0) })
                }
                #[inline(always)]
                unsafe fn gt(self, other: Self) -> Self {
                    // SAFETY: contract of `Lanes`.
                    Self(unsafe { $gt(self.0, other.0) })
                }
                #[inline(always)]
                unsafe fn select(self, yes: Self, no: Self) -> Self {
                    // SAFETY: contract of `Lanes`.
                    Self(unsafe { _mm256_blendv_epi8(no.0, yes.0, self.0) })
                }
                #[inline(always)]
                unsafe fn count(self) -> u32 {
                    // SAFETY: contract of `Lanes`.
                    let bytes = unsafe { _mm256_movemask_epi8(self.0) };
                    bytes.count_ones() / size_of::<$word>() as u32
                }
                #[inline(always)]
                unsafe fn any(self) -> bool {
                    // SAFETY: contract of `Lanes`.
                    unsafe { _mm256_movemask_epi8(self.0) != 0 }
                }
                #[inline(always)]
                unsafe fn least(self) -> $word {
                    // SAFETY: contract of `Lanes`.
                    unsafe { $least(self.0) }
                }
            }
        };
    }

    avx2!(
        Avx2I16,
        i16,
        16,
        _mm256_set1_epi16,
        _mm256_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
        _mm256_add_epi16,
        _mm256_min_epi16,
        _mm256_max_epi16,
        _mm256_cmpgt_epi16,
        least_i16,
        Some(SomeActive { pack: shuffle::pack, unpack: shuffle::unpack })
    );
    avx2!(
        Avx2I32,
        i32,
        8,
        _mm256_set1_epi32,
        _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7),
        _mm256_add_epi32,
        _mm256_min_epi32,
        _mm256_max_epi32,
        _mm256_cmpgt_epi32,
        least_i32,
        None
    );
}
