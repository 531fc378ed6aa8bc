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
//!   limb. Slots are aligned where that takes no more bytes.
//! - **S-3** A slot has at most 31 bits, so it lies in at most two limbs, and every limb
//!   has a test bit.
//! - **S-4** The first test bit of a limb pays what the limb before it borrowed. So whether
//!   a limb borrows depends on that limb alone, and limbs need not wait for each other.
//! - **S-5** Slots of at most 16 bits are written and read four at a time: the compiler makes
//!   vectors of the steps between four bounds and their digits, and four digits in one word
//!   move together, pairs first. Aligned limbs have a multiple of four of them.

use crate::digits::{LANES, ZoneDigits};
use crate::limbs;
use dwell_zones::{Bound, Relation};

/// Limbs looked at between two tests for an early end.
const GROUP: usize = 4;

/// Slots that are written and read together; S-5.
const QUAD: usize = 4;

/// Cells whose digits are read before they are made bounds.
const BLOCK: usize = 64;

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
    /// Slots that are written and read together: [`QUAD`] or one; S-5.
    together: usize,
    aligned: bool,
    /// Slots of an aligned limb.
    per_limb: usize,
    bits: usize,
    /// The test bits of each limb.
    masks: Vec<u64>,
}

impl BitsCodec {
    /// For zones of `cells` cells.
    pub fn new(digits: ZoneDigits, slots: Slots, cells: usize) -> Self {
        let width = (digits.count() - 1).ilog2() + 1 + u32::from(slots == Slots::TestBit);
        let together = if width <= 16 { QUAD } else { 1 };
        let per_limb = 64 / (width as usize * together) * together;
        let dense = cells * width as usize;
        let with_gaps = cells / per_limb * 64 + cells % per_limb * width as usize;
        let aligned = with_gaps.div_ceil(8) <= dense.div_ceil(8);
        let bits = if aligned { with_gaps } else { dense };
        let mut masks = vec![0; bits.div_ceil(64)];
        for slot in 0..cells {
            let first = match aligned {
                true => slot / per_limb * 64 + slot % per_limb * width as usize,
                false => slot * width as usize,
            };
            let test = first + width as usize - 1;
            masks[test / 64] |= 1 << (test % 64);
        }
        Self { digits, slots, cells, width, together, aligned, per_limb, bits, masks }
    }

    /// Bits of a zone.
    pub fn bits(&self) -> usize {
        self.bits
    }

    /// Limbs of a zone.
    #[inline(always)]
    pub fn limbs(&self) -> usize {
        self.masks.len()
    }

    /// Bytes of a zone, see [`limbs::to_bytes`].
    pub fn bytes(&self) -> usize {
        self.bits.div_ceil(8)
    }

    /// Writes the bit string of a zone; false if some bound does not fit, and what is
    /// written then is of no use.
    pub fn encode<B: Bound>(&self, cells: &[B], limbs: &mut [u64]) -> bool {
        assert_eq!(cells.len(), self.cells, "wrong number of cells");
        assert_eq!(limbs.len(), self.limbs(), "wrong number of limbs");
        let mut slots = Writer::new(self.together as u32 * self.width, self.end());
        if self.together == 1 {
            let fit = self.digits.fit(cells);
            cells.iter().for_each(|&cell| slots.push(self.digits.digit_of_fit(cell).into(), limbs));
            slots.flush(limbs);
            return fit;
        }
        let mut range = Extremes::new();
        let (blocks, rest) = cells.as_chunks::<LANES>();
        for block in blocks {
            range.add(block);
            for quad in halves(self.digits.of_fit(block)) {
                slots.push(join(quad, self.width), limbs);
            }
        }
        let mut fit = range.fit(self.digits);
        if !rest.is_empty() {
            let mut digits = [0; LANES];
            for (digit, &cell) in digits.iter_mut().zip(rest) {
                fit &= self.digits.fit(&[cell]);
                *digit = self.digits.digit_of_fit(cell) as u16;
            }
            for quad in &halves(digits)[..rest.len().div_ceil(QUAD)] {
                slots.push(join(*quad, self.width), limbs);
            }
        }
        slots.flush(limbs);
        fit
    }

    /// Writes the cells of a zone encoded from the same type of bounds.
    pub fn decode<B: Bound>(&self, bytes: &[u8], cells: &mut [B]) {
        assert_eq!(cells.len(), self.cells, "wrong number of cells");
        assert_eq!(bytes.len(), self.bytes(), "wrong number of bytes");
        let mut slots = Reader::new(bytes, self.end());
        if self.together == 1 {
            cells.iter_mut().for_each(|cell| *cell = self.digits.cell(slots.pull(self.width) as u32));
            return;
        }
        // PERF: first all digits and then all bounds, so that the latter make vectors.
        for cells in cells.chunks_mut(BLOCK) {
            let mut digits = [0; BLOCK];
            for quad in &mut digits.as_chunks_mut().0[..cells.len().div_ceil(QUAD)] {
                *quad = split(slots.pull_quad(self.width), self.width);
            }
            let (blocks, rest) = cells.as_chunks_mut::<LANES>();
            for (block, digits) in blocks.iter_mut().zip(digits.as_chunks().0) {
                *block = self.digits.cells(digits);
            }
            let last = digits.as_chunks().0.get(blocks.len()).map(|digits| self.digits.cells(digits));
            rest.iter_mut().zip(last.into_iter().flatten()).for_each(|(cell, last)| *cell = last);
        }
    }

    /// The bit of a limb that its slots reach up to.
    #[inline(always)]
    fn end(&self) -> u32 {
        if self.aligned { self.per_limb as u32 * self.width } else { 64 }
    }

    /// How the zone of `limbs` stands to that of `bytes`, in one pass.
    pub fn relation(&self, limbs: &[u64], bytes: &[u8]) -> Relation {
        assert!(limbs.len() == self.limbs() && bytes.len() == self.bytes(), "codes of another length");
        let (above, below) = match (self.aligned, self.slots) {
            (true, Slots::TestBit) => compare::<false, false>(limbs, bytes, &self.masks),
            (true, Slots::Tight) => compare::<true, false>(limbs, bytes, &self.masks),
            (false, Slots::TestBit) => compare::<false, true>(limbs, bytes, &self.masks),
            (false, Slots::Tight) => compare::<true, true>(limbs, bytes, &self.masks),
        };
        match (above, below) {
            (false, false) => Relation::Equal,
            (false, true) => Relation::Subset,
            (true, false) => Relation::Superset,
            (true, true) => Relation::Incomparable,
        }
    }
}

/// The tightest bounds and the loosest finite ones, lane by lane.
struct Extremes<B> {
    least: [B; LANES],
    most: [B; LANES],
}

impl<B: Bound> Extremes<B> {
    #[inline(always)]
    fn new() -> Self {
        Self { least: [B::INF; LANES], most: [B::MIN; LANES] }
    }

    #[inline(always)]
    fn add(&mut self, block: &[B; LANES]) {
        for ((least, most), &cell) in self.least.iter_mut().zip(&mut self.most).zip(block) {
            *least = (*least).min(cell);
            *most = (*most).max(if cell.is_inf() { B::MIN } else { cell });
        }
    }

    /// Do all of them fit?
    #[inline(always)]
    fn fit(&self, digits: ZoneDigits) -> bool {
        let (low, high) = digits.finite();
        let least = self.least.iter().fold(B::INF, |least, &cell| least.min(cell));
        let most = self.most.iter().fold(B::MIN, |most, &cell| most.max(cell));
        low <= least && most <= high
    }
}

/// Writes slots. Those that are handled together are `width` bits here, and a limb takes
/// them up to its bit `end`.
struct Writer {
    width: u32,
    end: u32,
    /// The bits of the limb that are written already.
    limb: u64,
    used: u32,
    at: usize,
}

impl Writer {
    #[inline(always)]
    fn new(width: u32, end: u32) -> Self {
        Self { width, end, limb: 0, used: 0, at: 0 }
    }

    #[inline(always)]
    fn push(&mut self, slots: u64, limbs: &mut [u64]) {
        self.limb |= slots << self.used;
        self.used += self.width;
        if self.used >= self.end {
            limbs[self.at] = self.limb;
            self.at += 1;
            self.used -= self.end;
            // What goes on in the next limb: nothing where slots are aligned.
            self.limb = slots >> 1 >> (self.width - self.used - 1);
        }
    }

    /// Writes what is left; slots beyond the last cell are zero and may lie beyond the
    /// last limb.
    #[inline(always)]
    fn flush(self, limbs: &mut [u64]) {
        if let Some(limb) = limbs.get_mut(self.at) {
            *limb = self.limb;
        }
    }
}

/// Reads slots, from the eight bytes that begin with the first of them.
struct Reader<'a> {
    bytes: &'a [u8],
    end: usize,
    bit: usize,
    /// The last bytes, at most eight, and the bit they begin with.
    last: u64,
    last_bit: usize,
}

impl<'a> Reader<'a> {
    #[inline(always)]
    fn new(bytes: &'a [u8], end: u32) -> Self {
        let last_bit = 8 * bytes.len().saturating_sub(8);
        let last = match bytes.last_chunk() {
            Some(last) => u64::from_le_bytes(*last),
            None => limbs::get(bytes, 0),
        };
        Self { bytes, end: end as usize, bit: 0, last, last_bit }
    }

    /// The next bits, at most 57; zeros after the last.
    #[inline(always)]
    fn pull(&mut self, width: u32) -> u64 {
        let slots = match self.bytes.get(self.bit / 8..).and_then(<[u8]>::first_chunk) {
            Some(bytes) => u64::from_le_bytes(*bytes) >> (self.bit % 8),
            None => self.last.checked_shr((self.bit - self.last_bit) as u32).unwrap_or(0),
        };
        self.bit += width as usize;
        if self.bit % 64 >= self.end {
            self.bit = self.bit.next_multiple_of(64);
        }
        slots & u64::MAX >> (64 - width)
    }

    /// The next four slots.
    #[inline(always)]
    fn pull_quad(&mut self, width: u32) -> u64 {
        if 4 * width <= 57 {
            self.pull(4 * width)
        } else {
            self.pull(2 * width) | self.pull(2 * width) << (2 * width)
        }
    }
}

/// The quads of a block.
#[inline(always)]
fn halves([a, b, c, d, e, f, g, h]: [u16; LANES]) -> [[u16; QUAD]; LANES / QUAD] {
    [[a, b, c, d], [e, f, g, h]]
}

/// Both halves of both halves of a word.
const LOW_HALVES: u64 = 0x0000_FFFF_0000_FFFF;

/// Digits of at most 16 bits side by side, in slots of `width` bits; S-5.
#[inline(always)]
fn join(quad: [u16; QUAD], width: u32) -> u64 {
    let lanes = quad.iter().rev().fold(0, |lanes, &digit| lanes << 16 | u64::from(digit));
    let pairs = lanes & LOW_HALVES | (lanes >> 16 & LOW_HALVES) << width;
    pairs & u64::from(u32::MAX) | (pairs >> 32) << (2 * width)
}

/// The inverse of [`join`].
#[inline(always)]
fn split(slots: u64, width: u32) -> [u16; QUAD] {
    let pairs = slots & !(u64::MAX << (2 * width)) | slots >> (2 * width) << 32;
    let low = (u64::from(u32::MAX) >> (32 - width)) * 0x1_0000_0001;
    let lanes = pairs & low | (pairs >> width & low) << 16;
    [0, 16, 32, 48].map(|shift| (lanes >> shift) as u16)
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
fn compare<const TIGHT: bool, const BORROW: bool>(a: &[u64], b: &[u8], masks: &[u64]) -> (bool, bool) {
    let mut found = Found::<TIGHT, BORROW>::default();
    let (whole, _) = b.as_chunks::<8>();
    let (fours, rest) = whole.as_chunks::<GROUP>();
    for ((b, a), masks) in fours.iter().zip(a.as_chunks().0).zip(masks.as_chunks().0) {
        let a: &[u64; GROUP] = a;
        let masks: &[u64; GROUP] = masks;
        (0..GROUP).for_each(|i| found.look(a[i], u64::from_le_bytes(b[i]), masks[i]));
        if found.both() {
            return (true, true);
        }
    }
    let done = fours.len() * GROUP;
    for ((b, &a), &mask) in rest.iter().zip(&a[done..]).zip(&masks[done..]) {
        found.look(a, u64::from_le_bytes(*b), mask);
        if found.both() {
            return (true, true);
        }
    }
    if let (Some(&a), Some(&mask)) = (a.get(whole.len()), masks.get(whole.len())) {
        found.look(a, limbs::get(b, whole.len()), mask);
    }
    (found.over != 0, found.under != 0)
}

/// What is known after some limbs.
#[derive(Default)]
struct Found<const TIGHT: bool, const BORROW: bool> {
    over: u64,
    under: u64,
    borrow: (bool, bool),
}

impl<const TIGHT: bool, const BORROW: bool> Found<TIGHT, BORROW> {
    #[inline(always)]
    fn look(&mut self, x: u64, y: u64, mask: u64) {
        let (over, first) = above::<TIGHT>(x, y, mask, BORROW && self.borrow.0);
        let (under, second) = above::<TIGHT>(y, x, mask, BORROW && self.borrow.1);
        self.borrow = (first, second);
        self.over |= over;
        self.under |= under;
    }

    #[inline(always)]
    fn both(&self) -> bool {
        self.over != 0 && self.under != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Slots of three bits and a test bit, as in the examples of the paper, and digits up
    /// to six for a constant of one.
    fn example() -> BitsCodec {
        let codec = BitsCodec::new(ZoneDigits::new(1), Slots::TestBit, 6);
        assert_eq!((codec.width, codec.masks[0]), (4, MASK));
        codec
    }

    const MASK: u64 = 0b1000_1000_1000_1000_1000_1000;

    /// The paper writes the first bound in the most significant slot.
    const D: [u32; 6] = [3, 3, 3, 1, 3, 1];
    const E: [u32; 6] = [3, 3, 3, 1, 3, 2];

    fn string(bounds: [u32; 6]) -> u64 {
        let mut limbs = [0];
        let mut cells = bounds.map(|digit| ZoneDigits::new(1).cell::<i16>(digit));
        cells.reverse();
        assert!(example().encode(&cells, &mut limbs));
        limbs[0]
    }

    fn included(d: [u32; 6], e: [u32; 6]) -> bool {
        let relation = example().relation(&[string(d)], &string(e).to_le_bytes()[..3]);
        matches!(relation, Relation::Equal | Relation::Subset)
    }

    #[test]
    fn example_1() {
        assert_eq!(string(D), 0b0011_0011_0011_0001_0011_0001);
        assert_eq!(string(E), 0b0011_0011_0011_0001_0011_0010);
        assert_eq!(string(E) | MASK, 0b1011_1011_1011_1001_1011_1010);
        assert_eq!((string(E) | MASK) - string(D), 0b1000_1000_1000_1000_1000_1001);
        assert!(included(D, E) && !included(E, D));
    }

    /// A machine of nine bits, and on it algorithm 4 with its borrow.
    #[test]
    fn example_2() {
        let nine = |bits: u64| [bits & 511, bits >> 9 & 511, bits >> 18];
        assert_eq!(nine(string(E)), [0b1_0011_0010, 0b1_1001_1000, 0b0_0000_1100]);
        let mask = nine(MASK);
        let algorithm_4 = |d: [u64; 3], e: [u64; 3]| {
            let mut b = 0;
            (0..3).all(|i| {
                let (with, without) = (mask[i] | e[i], d[i] + b);
                b = u64::from(with < without);
                (with + 512 - without) & mask[i] == mask[i]
            })
        };
        for x in [D, E, [0; 6], [6; 6], [3, 3, 4, 1, 3, 2], [3, 3, 3, 0, 6, 0]] {
            for y in [D, E, [0; 6], [6; 6], [3, 2, 4, 6, 3, 2]] {
                let all = x.iter().zip(y).all(|(&x, y)| x <= y);
                assert_eq!(algorithm_4(nine(string(x)), nine(string(y))), all, "{x:?} {y:?}");
                assert_eq!(included(x, y), all);
            }
        }
    }

    #[test]
    fn slots_are_aligned_where_it_costs_nothing() {
        let of = |k, slots, cells| {
            let codec = BitsCodec::new(ZoneDigits::new(k), slots, cells);
            (codec.width, codec.aligned, codec.limbs(), codec.bytes())
        };
        assert_eq!(of(10, Slots::TestBit, 30), (7, false, 4, 27));
        assert_eq!(of(10, Slots::Tight, 30), (6, false, 3, 23));
        assert_eq!(of(10, Slots::Tight, 132), (6, false, 13, 99));
        assert_eq!(of(1000, Slots::TestBit, 30), (13, false, 7, 49));
        assert_eq!(of(0, Slots::TestBit, 2), (3, true, 1, 1));
        assert_eq!(of(0, Slots::Tight, 0), (2, true, 0, 0));
        assert_eq!(of(u32::MAX, Slots::TestBit, 2), (31, true, 1, 8));
    }
}
