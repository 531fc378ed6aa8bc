//! `packed-bits`: zones as bit strings that are compared by subtraction (paper 1, section
//! 3.3, algorithm 4; the idea of many comparisons in one subtraction is from Paul, Simon,
//! *Decision trees and random access machines*, 1980).
//!
//! Every cell has a slot of m bits for its digit and one more, the test bit:
//!
//! ```text
//! limb 0                                                       limb 1
//! bit 0                                                  63    bit 0
//! ├─ digit 0 ─┤T├─ digit 1 ─┤T├─ digit 2 ─┤T├─ ... ─┤unused┤   ├─ digit j ─┤T├─ ...    aligned
//! ├─ digit 0 ─┤T├─ digit 1 ─┤T├─ digit 2 ─┤T├─ ... ─┤T├─ dig   it j ─┤T├─ ...          dense
//! ```
//!
//! Test bits are stored as zero. With M the mask of all test bits, (M | E(D')) - E(D) keeps
//! a test bit exactly where the digit of D is at most that of D': the bit lends what the
//! digit lacks, so slots do not disturb each other. D ⊆ D' iff all bits of M are left.
//!
//! [`Slots::Tight`] stores no test bit. The top bit of a digit takes its place: with H the
//! mask of top bits, (H | y) - (x & !H) compares the bits below the top, and the top bits
//! are compared by logic. Two operations more for each limb, one bit less for each cell.
//!
//! - **S-1** Unused bits are zero, and so is the result of comparing them: equal zones have
//!   equal limbs.
//! - **S-2** Aligned slots do not cross limbs, nothing is borrowed between them, and the
//!   compiler makes vectors of the loop. Dense slots do, and one borrow bit goes from limb to
//!   limb. Slots are aligned where that takes no more limbs.
//! - **S-3** A slot has at most 31 bits, so it lies in at most two limbs, and every limb
//!   has a test bit.
//! - **S-4** The first test bit of a limb pays what the limb before it borrowed. So whether
//!   a limb borrows depends on that limb alone, and limbs need not wait for each other.

use crate::digits::ZoneDigits;
use dwell_zones::{Bound, Relation};

/// Limbs looked at between two tests for an early end.
const GROUP: usize = 4;

/// What a slot holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slots {
    /// A digit and a test bit, as in the paper.
    TestBit,
    /// A digit.
    Tight,
}

/// Zones of one number of cells as bit strings.
#[derive(Clone, Debug)]
pub struct BitsCodec {
    digits: ZoneDigits,
    slots: Slots,
    cells: usize,
    /// Bits of a slot.
    width: u32,
    layout: Layout,
}

#[derive(Clone, Debug)]
enum Layout {
    /// The same mask for every limb.
    Aligned { per_limb: usize, mask: u64 },
    /// A mask for each limb.
    Dense { masks: Vec<u64> },
}

impl BitsCodec {
    /// For zones of `cells` cells.
    pub fn new(digits: ZoneDigits, slots: Slots, cells: usize) -> Self {
        let width = (digits.count() - 1).ilog2() + 1 + u32::from(slots == Slots::TestBit);
        let per_limb = (u64::BITS / width) as usize;
        let layout = if cells.div_ceil(per_limb) <= (cells * width as usize).div_ceil(64) {
            let mask = (1..=per_limb as u32).fold(0, |mask, slot| mask | 1 << (slot * width - 1));
            Layout::Aligned { per_limb, mask }
        } else {
            let mut masks = vec![0; (cells * width as usize).div_ceil(64)];
            for slot in 1..=cells {
                let bit = slot * width as usize - 1;
                masks[bit / 64] |= 1 << (bit % 64);
            }
            Layout::Dense { masks }
        };
        Self { digits, slots, cells, width, layout }
    }

    /// Bits of a zone.
    pub fn bits(&self) -> usize {
        let width = self.width as usize;
        match self.layout {
            Layout::Aligned { per_limb, .. } => self.cells / per_limb * 64 + self.cells % per_limb * width,
            Layout::Dense { .. } => self.cells * width,
        }
    }

    /// Limbs of a zone.
    pub fn limbs(&self) -> usize {
        self.bits().div_ceil(64)
    }

    /// Bytes of a zone, see [`limbs::to_bytes`](crate::limbs::to_bytes).
    pub fn bytes(&self) -> usize {
        self.bits().div_ceil(8)
    }

    /// Writes the bit string of a zone; false if some bound does not fit.
    pub fn encode<B: Bound>(&self, cells: &[B], limbs: &mut [u64]) -> bool {
        assert_eq!(cells.len(), self.cells, "wrong number of cells");
        let fit = self.digits.fit(cells);
        if fit {
            self.write(cells, |&cell| self.digits.digit_of_fit(cell), limbs);
        }
        fit
    }

    /// Writes the cells of a zone encoded from the same type of bounds.
    pub fn decode<B: Bound>(&self, limbs: &[u64], cells: &mut [B]) {
        assert_eq!(cells.len(), self.cells, "wrong number of cells");
        let mut cells = cells.iter_mut();
        self.read(limbs, |digit| {
            if let Some(cell) = cells.next() {
                *cell = self.digits.cell(digit);
            }
        });
    }

    #[inline(always)]
    fn write<T>(&self, cells: &[T], digit: impl Fn(&T) -> u32, limbs: &mut [u64]) {
        assert_eq!(limbs.len(), self.limbs(), "wrong number of limbs");
        let width = self.width;
        if let Layout::Aligned { per_limb, .. } = self.layout {
            for (limb, cells) in limbs.iter_mut().zip(cells.chunks(per_limb)) {
                // From the last, so that every step is the same shift.
                *limb = cells.iter().rev().fold(0, |limb, cell| limb << width | u64::from(digit(cell)));
            }
            return;
        }
        let (mut limb, mut used, mut at) = (0, 0, 0);
        for cell in cells {
            let digit = u64::from(digit(cell));
            limb |= digit << used;
            used += width;
            if used >= 64 {
                limbs[at] = limb;
                at += 1;
                used -= 64;
                limb = digit >> (width - used); // S-3
            }
        }
        if used > 0 {
            limbs[at] = limb;
        }
    }

    #[inline(always)]
    fn read(&self, limbs: &[u64], mut put: impl FnMut(u32)) {
        assert_eq!(limbs.len(), self.limbs(), "wrong number of limbs");
        let (width, low) = (self.width, (1 << self.width) - 1);
        if let Layout::Aligned { per_limb, .. } = self.layout {
            let mut left = self.cells;
            for &limb in limbs {
                for place in 0..per_limb.min(left) as u32 {
                    put((limb >> (place * width)) as u32 & low);
                }
                left = left.saturating_sub(per_limb);
            }
            return;
        }
        let mut bit = 0;
        for _ in 0..self.cells {
            let (at, from) = (bit / 64, bit as u32 % 64);
            let mut digit = limbs[at] >> from;
            if from + width > 64 {
                digit |= limbs[at + 1] << (64 - from);
            }
            put(digit as u32 & low);
            bit += width as usize;
        }
    }

    /// How the zone of `a` stands to that of `b`, in one pass.
    pub fn relation(&self, a: &[u64], b: &[u64]) -> Relation {
        assert!(a.len() == self.limbs() && b.len() == self.limbs(), "wrong number of limbs");
        let (above, below) = match (&self.layout, self.slots) {
            (&Layout::Aligned { mask, .. }, Slots::TestBit) => compare_aligned::<false>(a, b, mask),
            (&Layout::Aligned { mask, .. }, Slots::Tight) => compare_aligned::<true>(a, b, mask),
            (Layout::Dense { masks }, Slots::TestBit) => compare_dense::<false>(a, b, masks),
            (Layout::Dense { masks }, Slots::Tight) => compare_dense::<true>(a, b, masks),
        };
        match (above, below) {
            (false, false) => Relation::Equal,
            (false, true) => Relation::Subset,
            (true, false) => Relation::Superset,
            (true, true) => Relation::Incomparable,
        }
    }

    /// Is the zone of `a` contained in that of `b`?
    pub fn included(&self, a: &[u64], b: &[u64]) -> bool {
        assert!(a.len() == self.limbs() && b.len() == self.limbs(), "wrong number of limbs");
        match (&self.layout, self.slots) {
            (&Layout::Aligned { mask, .. }, Slots::TestBit) => included_aligned::<false>(a, b, mask),
            (&Layout::Aligned { mask, .. }, Slots::Tight) => included_aligned::<true>(a, b, mask),
            (Layout::Dense { masks }, Slots::TestBit) => included_dense::<false>(a, b, masks),
            (Layout::Dense { masks }, Slots::Tight) => included_dense::<true>(a, b, masks),
        }
    }
}

/// The test bits of the slots where `x` is above `y`, and whether the slot at the end of
/// the limb borrows from the next (S-4).
#[inline(always)]
fn above<const TIGHT: bool>(x: u64, y: u64, mask: u64, borrow: bool) -> (u64, bool) {
    let (low, high) = (if TIGHT { x & !mask } else { x }, y | mask);
    let difference = high.wrapping_sub(low).wrapping_sub(borrow.into());
    let least = if TIGHT { (y & !x) | (!(y ^ x) & difference) } else { difference };
    (!least & mask, high < low)
}

/// Is some slot of `a` above, is some below that of `b`? Stops once both are.
#[inline(always)]
fn compare_aligned<const TIGHT: bool>(a: &[u64], b: &[u64], mask: u64) -> (bool, bool) {
    let (mut over, mut under) = (0, 0);
    for (a, b) in a.chunks(GROUP).zip(b.chunks(GROUP)) {
        for (&x, &y) in a.iter().zip(b) {
            over |= above::<TIGHT>(x, y, mask, false).0;
            under |= above::<TIGHT>(y, x, mask, false).0;
        }
        if over != 0 && under != 0 {
            break;
        }
    }
    (over != 0, under != 0)
}

#[inline(always)]
fn compare_dense<const TIGHT: bool>(a: &[u64], b: &[u64], masks: &[u64]) -> (bool, bool) {
    let (mut over, mut under) = (0, 0);
    let mut borrow = (false, false);
    for ((a, b), masks) in a.chunks(GROUP).zip(b.chunks(GROUP)).zip(masks.chunks(GROUP)) {
        for ((&x, &y), &mask) in a.iter().zip(b).zip(masks) {
            let first = above::<TIGHT>(x, y, mask, borrow.0);
            let second = above::<TIGHT>(y, x, mask, borrow.1);
            borrow = (first.1, second.1);
            over |= first.0;
            under |= second.0;
        }
        if over != 0 && under != 0 {
            break;
        }
    }
    (over != 0, under != 0)
}

#[inline(always)]
fn included_aligned<const TIGHT: bool>(a: &[u64], b: &[u64], mask: u64) -> bool {
    a.chunks(GROUP).zip(b.chunks(GROUP)).all(|(a, b)| {
        let slots = a.iter().zip(b).map(|(&x, &y)| above::<TIGHT>(x, y, mask, false).0);
        slots.fold(0, |over, slots| over | slots) == 0
    })
}

/// Algorithm 4.
#[inline(always)]
fn included_dense<const TIGHT: bool>(a: &[u64], b: &[u64], masks: &[u64]) -> bool {
    let mut borrow = false;
    a.iter().zip(b).zip(masks).all(|((&x, &y), &mask)| {
        let (over, next) = above::<TIGHT>(x, y, mask, borrow);
        borrow = next;
        over == 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Slots of three bits and a test bit, as in the examples of the paper.
    fn example(cells: usize) -> BitsCodec {
        let codec = BitsCodec::new(ZoneDigits::new(1), Slots::TestBit, cells);
        assert_eq!(codec.width, 4);
        codec
    }

    /// The paper writes the first bound in the most significant slot.
    const D: [u32; 6] = [3, 3, 3, 1, 3, 1];
    const E: [u32; 6] = [3, 3, 3, 1, 3, 2];

    fn string(bounds: [u32; 6]) -> u64 {
        let mut limbs = [0];
        let mut slots = bounds;
        slots.reverse();
        example(6).write(&slots, |&digit| digit, &mut limbs);
        limbs[0]
    }

    #[test]
    fn example_1() {
        assert_eq!(string(D), 0b0011_0011_0011_0001_0011_0001);
        assert_eq!(string(E), 0b0011_0011_0011_0001_0011_0010);
        let mask = 0b1000_1000_1000_1000_1000_1000;
        assert_eq!(string(E) | mask, 0b1011_1011_1011_1001_1011_1010);
        assert_eq!((string(E) | mask) - string(D), 0b1000_1000_1000_1000_1000_1001);
        let codec = example(6);
        assert!(codec.included(&[string(D)], &[string(E)]) && !codec.included(&[string(E)], &[string(D)]));
        assert_eq!(codec.relation(&[string(D)], &[string(E)]), Relation::Subset);
    }

    /// A machine of nine bits, and on it algorithm 4 with its borrow.
    #[test]
    fn example_2() {
        let nine = |bits: u64| [bits & 511, bits >> 9 & 511, bits >> 18];
        assert_eq!(nine(string(E)), [0b1_0011_0010, 0b1_1001_1000, 0b0_0000_1100]);
        let mask = nine(0b1000_1000_1000_1000_1000_1000);
        let algorithm_4 = |d: [u64; 3], e: [u64; 3]| {
            let mut b = 0;
            (0..3).all(|i| {
                let (with, without) = (mask[i] | e[i], d[i] + b);
                b = u64::from(with < without);
                (with + 512 - without) & mask[i] == mask[i]
            })
        };
        for x in [D, E, [0; 6], [7; 6], [3, 3, 4, 1, 3, 2], [3, 3, 3, 0, 7, 0]] {
            for y in [D, E, [0; 6], [7; 6], [3, 2, 4, 7, 3, 2]] {
                let all = x.iter().zip(y).all(|(&x, y)| x <= y);
                assert_eq!(algorithm_4(nine(string(x)), nine(string(y))), all, "{x:?} {y:?}");
                assert_eq!(example(6).included(&[string(x)], &[string(y)]), all);
            }
        }
    }

    #[test]
    fn slots_are_aligned_where_it_costs_nothing() {
        let of = |k, slots, cells| {
            let codec = BitsCodec::new(ZoneDigits::new(k), slots, cells);
            (codec.width, matches!(codec.layout, Layout::Aligned { .. }), codec.limbs(), codec.bytes())
        };
        assert_eq!(of(10, Slots::TestBit, 30), (7, true, 4, 27));
        assert_eq!(of(10, Slots::Tight, 30), (6, true, 3, 24));
        assert_eq!(of(10, Slots::Tight, 132), (6, false, 13, 99));
        assert_eq!(of(1000, Slots::TestBit, 30), (13, false, 7, 49));
        assert_eq!(of(0, Slots::TestBit, 2), (3, true, 1, 1));
        assert_eq!(of(0, Slots::Tight, 0), (2, true, 0, 0));
        assert_eq!(of(u32::MAX, Slots::TestBit, 2), (31, true, 1, 8));
    }
}
