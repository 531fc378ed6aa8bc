//! `packed-number`: a zone as one number (paper 1, section 3.2, algorithms 2 and 3).
//!
//! A zone is a sequence of digits v1, v2, ... with radices r1, r2, ..., and its number is
//! what multiplying by the next radix and adding the next digit gives. (The discrete part
//! has numbers of its own, [`fields`](crate::fields): the zones of a discrete state share
//! it.) Digits are taken in groups whose radices have a product below 2^63: within a group the arithmetic is
//! that of one word, and the long number is multiplied, or divided, once for each group.
//!
//! ```text
//! v1 v2 v3 | v4 v5 | v6 v7 v8 | v9        number = ((g1 * R2 + g2) * R3 + g3) * R4 + g4
//!    g1       g2        g3      g4        Ri = product of the radices of group i
//! ```
//!
//! - **N-1** Equal sequences and only they have equal numbers (canonical), and every number
//!   below the product of the radices is one of a sequence. It takes ⌈log2 product⌉ bits,
//!   so no fixed-size form is smaller (minimal).
//! - **N-2** The order of numbers is the lexicographic order of digits: where a < b, the
//!   first digit that differs is smaller in a, and a cannot include b.

use crate::digits::ZoneDigits;
use crate::limbs::{Divisor, Quotient, from_bytes, mul_add};
use dwell_zones::{Bound, Relation};

/// Limbs that are copied to the stack: of most zones, and of all but huge ones.
const FEW_LIMBS: usize = 32;
const MANY_LIMBS: usize = 1024;

/// The radices of a sequence of digits, and what follows from them.
#[derive(Clone, Debug)]
pub struct Radices {
    digits: Vec<Digit>,
    groups: Vec<Group>,
    bits: usize,
}

/// One radix.
#[derive(Clone, Copy, Debug)]
struct Digit {
    radix: u64,
    /// Product of the radices after it in its group.
    weight: u64,
    quotient: Quotient,
}

impl Digit {
    fn new(radix: u64) -> Self {
        Self { radix, weight: 1, quotient: Quotient::by(radix) }
    }

    /// Takes the last digit off a group.
    #[inline(always)]
    fn take(self, group: &mut u64) -> u64 {
        let quotient = self.quotient.of(*group);
        let digit = *group - quotient * self.radix;
        *group = quotient;
        digit
    }
}

#[derive(Clone, Copy, Debug)]
struct Group {
    /// Its digits are `first..end`.
    first: usize,
    end: usize,
    product: u64,
    divisor: Divisor,
    /// Limbs of a number that ends with this group.
    limbs: usize,
}

impl Radices {
    /// The largest radix.
    pub const MAX: u64 = 1 << 32;

    /// Radices are at least 1 and at most [`Self::MAX`].
    pub fn new(radices: &[u64]) -> Self {
        assert!(radices.iter().all(|r| (1..=Self::MAX).contains(r)), "no such radix");
        let digits: Vec<Digit> = radices.iter().copied().map(Digit::new).collect();
        let mut made = Self { digits, groups: Vec::new(), bits: 0 };
        made.make_groups();
        made
    }

    fn make_groups(&mut self) {
        let (mut first, last) = (0, self.digits.len());
        // The largest number so far.
        let mut largest = Vec::new();
        while first < last {
            let (mut product, mut end) = (self.digits[first].radix, first + 1);
            while end < last && u128::from(product) * u128::from(self.digits[end].radix) < 1 << 63 {
                product *= self.digits[end].radix;
                end += 1;
            }
            let mut weight = 1;
            for digit in self.digits[first..end].iter_mut().rev() {
                digit.weight = weight;
                weight *= digit.radix;
            }
            let carry = mul_add(&mut largest, product, product - 1);
            largest.push(carry);
            self.bits = bits_of(&largest);
            let limbs = self.bits.div_ceil(64);
            largest.truncate(limbs);
            self.groups.push(Group { first, end, product, divisor: Divisor::new(product), limbs });
            first = end;
        }
    }

    /// Number of digits.
    pub fn digits(&self) -> usize {
        self.digits.len()
    }

    /// Bits of a number.
    pub fn bits(&self) -> usize {
        self.bits
    }

    /// Limbs of a number.
    pub fn limbs(&self) -> usize {
        self.bits.div_ceil(64)
    }

    /// Bytes of a number, see [`limbs::to_bytes`](crate::limbs::to_bytes).
    pub fn bytes(&self) -> usize {
        self.bits.div_ceil(8)
    }

    /// Writes the number of `digits`, each below its radix, to [`Self::limbs`] limbs.
    pub fn pack(&self, digits: &[u32], number: &mut [u64]) {
        assert_eq!(digits.len(), self.digits.len(), "wrong number of digits");
        debug_assert!(digits.iter().zip(&self.digits).all(|(&d, r)| u64::from(d) < r.radix));
        self.pack_with(|i| digits[i], number);
    }

    #[inline(always)]
    fn pack_with(&self, digit: impl Fn(usize) -> u32, number: &mut [u64]) {
        assert_eq!(number.len(), self.limbs(), "wrong number of limbs");
        number.fill(0);
        let mut len = 0;
        for group in &self.groups {
            let range = group.first..group.end;
            // PERF: products that do not wait for each other.
            let value: u64 = self.digits[range.clone()]
                .iter()
                .zip(range)
                .map(|(place, i)| place.weight * u64::from(digit(i)))
                .sum();
            let carry = mul_add(&mut number[..len], group.product, value);
            if group.limbs > len {
                number[len] = carry;
                len = group.limbs;
            }
        }
    }

    /// Writes the digits of a number.
    pub fn unpack(&self, bytes: &[u8], digits: &mut [u32]) {
        assert_eq!(digits.len(), self.digits.len(), "wrong number of digits");
        self.unpack_with(bytes, |i, digit| digits[i] = digit);
    }

    #[inline(always)]
    fn unpack_with(&self, bytes: &[u8], mut put: impl FnMut(usize, u32)) {
        assert_eq!(bytes.len(), self.bytes(), "wrong number of bytes");
        with_room(self.limbs(), |[rest]| {
            from_bytes(bytes, rest);
            for group in self.groups.iter().rev() {
                let mut value = group.divisor.divide(&mut rest[..group.limbs]);
                for i in (group.first..group.end).rev() {
                    put(i, self.digits[i].take(&mut value) as u32);
                }
            }
        });
    }

    /// How the digits of `limbs` stand to those of `bytes`. Neither number is unpacked:
    /// groups are split into digits only where they differ, until one digit contradicts N-2.
    pub fn relation(&self, limbs: &[u64], bytes: &[u8]) -> Relation {
        assert!(limbs.len() == self.limbs() && bytes.len() == self.bytes(), "numbers of another length");
        with_room(self.limbs(), |[a, b]| {
            a.copy_from_slice(limbs);
            from_bytes(bytes, b);
            let (below, above, found) = match a.iter().rev().cmp(b.iter().rev()) {
                std::cmp::Ordering::Equal => return Relation::Equal,
                std::cmp::Ordering::Less => (a, b, Relation::Subset),
                std::cmp::Ordering::Greater => (b, a, Relation::Superset),
            };
            if self.all_below(below, above) { found } else { Relation::Incomparable }
        })
    }

    /// Is every digit at most the other? Both numbers are used up.
    #[inline(always)]
    fn all_below(&self, below: &mut [u64], above: &mut [u64]) -> bool {
        for group in self.groups.iter().rev() {
            let (below, above) = (&mut below[..group.limbs], &mut above[..group.limbs]);
            if below == above {
                return true; // and so are all digits that are left
            }
            let [mut low, mut high] = group.divisor.divide_all([below, above]);
            if low == high {
                continue;
            }
            for digit in self.digits[group.first..group.end].iter().rev() {
                if digit.take(&mut low) > digit.take(&mut high) {
                    return false;
                }
            }
        }
        true
    }
}

/// Bits of a number that may have zero limbs at its end.
fn bits_of(limbs: &[u64]) -> usize {
    let top = limbs.iter().rposition(|&limb| limb != 0);
    top.map_or(0, |top| 64 * top + 64 - limbs[top].leading_zeros() as usize)
}

/// Hands room for numbers of `len` limbs to `then`.
#[inline(always)]
fn with_room<const N: usize, T>(len: usize, then: impl FnOnce([&mut [u64]; N]) -> T) -> T {
    let (mut few, mut many, mut any);
    let mut room: &mut [u64] = if N * len <= FEW_LIMBS {
        few = [0; FEW_LIMBS];
        &mut few
    } else if N * len <= MANY_LIMBS {
        many = [0; MANY_LIMBS];
        &mut many
    } else {
        any = vec![0; N * len];
        &mut any
    };
    then([(); N].map(|()| {
        let number;
        (number, room) = std::mem::take(&mut room).split_at_mut(len);
        number
    }))
}

/// Zones of one number of cells as numbers.
#[derive(Clone, Debug)]
pub struct NumberCodec {
    digits: ZoneDigits,
    radices: Radices,
}

impl NumberCodec {
    /// For zones of `cells` cells.
    pub fn new(digits: ZoneDigits, cells: usize) -> Self {
        Self { digits, radices: Radices::new(&vec![digits.count().into(); cells]) }
    }

    /// The radices, for the size of a number.
    pub fn radices(&self) -> &Radices {
        &self.radices
    }

    /// Writes the number of a zone; false if some bound does not fit.
    pub fn encode<B: Bound>(&self, cells: &[B], number: &mut [u64]) -> bool {
        assert_eq!(cells.len(), self.radices.digits(), "wrong number of cells");
        let fit = self.digits.fit(cells);
        if fit {
            self.radices.pack_with(|i| self.digits.digit_of_fit(cells[i]), number);
        }
        fit
    }

    /// Writes the cells of a zone encoded from the same type of bounds.
    pub fn decode<B: Bound>(&self, bytes: &[u8], cells: &mut [B]) {
        assert_eq!(cells.len(), self.radices.digits(), "wrong number of cells");
        self.radices.unpack_with(bytes, |i, digit| cells[i] = self.digits.cell(digit));
    }

    /// How the zone of `limbs` stands to that of `bytes`.
    pub fn relation(&self, limbs: &[u64], bytes: &[u8]) -> Relation {
        self.radices.relation(limbs, bytes)
    }
}
