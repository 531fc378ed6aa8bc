//! The discrete part of `packed-number` and `packed-bits`: bit fields as numbers of one limb
//! each (paper 1, section 3.2).
//!
//! The discrete part of a state comes as bit fields of a few words, each as wide as its
//! values need. One long number of all fields would be the shortest code, but each of its
//! digits takes a long division. So the digits are cut into groups whose radices have a
//! product below 2^63, and a group is a number of its own:
//!
//! ```text
//! words    | a | b | c |   d   | e |     | f | g |   h   | ...
//! digits   |  abc      |   d   | e |     |  fg   |   h   | ...
//! groups   |        g1             |     |      g2       | ...
//! code     ├─ g1 ─────────┤├─ g2 ───────┤├─ g3 ─ ...         bits, without gaps
//! ```
//!
//! - **F-1** Neighbouring fields of at most `LOOKUP_BITS` bits together are one digit; a
//!   table translates between their bits and the digit. Other fields, and neighbours whose
//!   values all are powers of two, are digits as they stand.
//! - **F-2** A group takes as many bits as its largest number, so a code is longer than that
//!   of one number by less than a bit for each group.
//! - **F-3** All digits of a group are found from the group itself, not from what other
//!   digits leave of it: with q(i) the group divided by the radices of digits 1 to i,
//!   digit i is q(i - 1) - q(i) r(i), and no quotient waits for another.

use crate::limbs::Quotient;
use std::collections::HashMap;

/// Most bits of fields that are one digit; F-1. Two tables of this many bits stay small
/// beside the first cache.
const LOOKUP_BITS: u32 = 8;

/// Marks a digit without tables.
const NO_TABLE: usize = usize::MAX;

/// A bit field of a sequence of words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    /// Which word.
    pub word: usize,
    /// From which bit on.
    pub shift: u32,
    /// How many values it has, from 0 on: at least 1 and at most 2^32.
    pub values: u64,
}

impl Field {
    fn bits(self) -> u32 {
        u64::BITS - (self.values - 1).leading_zeros()
    }
}

/// Sequences of words with these fields as codes of one length.
#[derive(Clone, Debug)]
pub struct FieldCodec {
    digits: Vec<Digit>,
    groups: Vec<Group>,
    /// The digit of some bits, and the bits of a digit, for each kind of digit; F-1.
    gather: Vec<u8>,
    spread: Vec<u8>,
    bits: usize,
}

#[derive(Clone, Copy, Debug)]
struct Digit {
    word: usize,
    shift: u32,
    mask: u64,
    /// Where its tables begin, or [`NO_TABLE`].
    gather: usize,
    spread: usize,
    radix: u64,
    /// Product of the radices before it in its group.
    weight: u64,
    quotient: Quotient,
}

#[derive(Clone, Copy, Debug)]
struct Group {
    /// Its digits are `first..end`.
    first: usize,
    end: usize,
    /// The limb and bit it begins with.
    limb: usize,
    shift: u32,
    mask: u64,
    /// Whether it goes on in the next limb.
    crosses: bool,
}

impl FieldCodec {
    /// For words that are made of these fields and zeros; fields without a choice may be
    /// left out.
    pub fn new(fields: &[Field]) -> Self {
        let mut made =
            Self { digits: Vec::new(), groups: Vec::new(), gather: vec![], spread: vec![], bits: 0 };
        let fields: Vec<Field> = fields.iter().copied().filter(|field| field.values > 1).collect();
        assert!(fields.iter().all(|f| f.values <= 1 << 32 && f.shift + f.bits() <= 64), "no such field");
        let mut tables = HashMap::new();
        for run in runs(&fields) {
            made.add_digit(run, &mut tables);
        }
        made.make_groups();
        made
    }

    fn add_digit(&mut self, run: &[Field], tables: &mut HashMap<Vec<u64>, (usize, usize)>) {
        let values: Vec<u64> = run.iter().map(|field| field.values).collect();
        let radix = values.iter().product();
        let width: u32 = run.iter().map(|field| field.bits()).sum();
        let (gather, spread) = if run.len() == 1 || is_plain(&values) {
            (NO_TABLE, NO_TABLE)
        } else {
            *tables.entry(values).or_insert_with(|| self.add_tables(run, width))
        };
        self.digits.push(Digit {
            word: run[0].word,
            shift: run[0].shift,
            mask: u64::MAX >> (64 - width),
            gather,
            spread,
            radix,
            weight: 1,
            quotient: Quotient::ZERO,
        });
    }

    fn add_tables(&mut self, run: &[Field], width: u32) -> (usize, usize) {
        let at = (self.gather.len(), self.spread.len());
        self.gather.resize(at.0 + (1 << width), 0);
        for digit in 0..run.iter().map(|field| field.values).product() {
            let (mut rest, mut bits) = (digit, 0);
            for field in run {
                bits |= (rest % field.values) << (field.shift - run[0].shift);
                rest /= field.values;
            }
            self.gather[at.0 + bits as usize] = digit as u8;
            self.spread.push(bits as u8);
        }
        at
    }

    fn make_groups(&mut self) {
        let mut first = 0;
        while first < self.digits.len() {
            let (mut product, mut end) = (1_u64, first);
            while let Some(digit) = self.digits.get_mut(end)
                && u128::from(product) * u128::from(digit.radix) < 1 << 63
            {
                digit.weight = product;
                product *= digit.radix;
                digit.quotient = Quotient::by(product);
                end += 1;
            }
            // The last digit is all that is left: nothing is above it.
            self.digits[end - 1].quotient = Quotient::ZERO;
            let bits = u64::BITS - (product - 1).leading_zeros();
            let shift = (self.bits % 64) as u32;
            self.groups.push(Group {
                first,
                end,
                limb: self.bits / 64,
                shift,
                mask: u64::MAX >> (64 - bits),
                crosses: shift + bits > 64,
            });
            self.bits += bits as usize;
            first = end;
        }
    }

    /// Bits of a code.
    pub fn bits(&self) -> usize {
        self.bits
    }

    /// Limbs of a code.
    pub fn limbs(&self) -> usize {
        self.bits.div_ceil(64)
    }

    /// Bytes of a code, see [`limbs::to_bytes`](crate::limbs::to_bytes).
    pub fn bytes(&self) -> usize {
        self.bits.div_ceil(8)
    }

    /// Writes the code of `words`, whose fields lie below their numbers of values, to at least
    /// [`Self::limbs`] limbs.
    pub fn pack(&self, words: &[u64], code: &mut [u64]) {
        assert!(code.len() >= self.limbs(), "too few limbs");
        code.fill(0);
        for group in &self.groups {
            let value: u64 = self.digits[group.first..group.end]
                .iter()
                .map(|digit| {
                    let bits = words[digit.word] >> digit.shift & digit.mask;
                    let table = digit.gather != NO_TABLE;
                    let value = if table { self.gather[digit.gather + bits as usize].into() } else { bits };
                    debug_assert!(value < digit.radix, "a field beyond its values");
                    value * digit.weight
                })
                .sum();
            code[group.limb] |= value << group.shift;
            if group.crosses {
                code[group.limb + 1] = value >> (64 - group.shift);
            }
        }
    }

    /// Writes the words of a code; their number is that of the packed ones.
    pub fn unpack(&self, code: &[u64], words: &mut [u64]) {
        assert!(code.len() >= self.limbs(), "too few limbs");
        words.fill(0);
        for group in &self.groups {
            let mut value = code[group.limb] >> group.shift;
            if group.crosses {
                value |= code[group.limb + 1] << (64 - group.shift);
            }
            value &= group.mask;
            let mut before = value;
            for digit in &self.digits[group.first..group.end] {
                let after = digit.quotient.of(value); // F-3
                let found = before - after * digit.radix;
                before = after;
                let table = digit.spread != NO_TABLE;
                let bits = if table { self.spread[digit.spread + found as usize].into() } else { found };
                words[digit.word] |= bits << digit.shift;
            }
        }
    }
}

/// Are the bits of these neighbours the digit that they make?
fn is_plain(values: &[u64]) -> bool {
    values.iter().all(|values| values.is_power_of_two())
}

/// The fields, as long runs as F-1 lets be one digit.
fn runs(fields: &[Field]) -> impl Iterator<Item = &[Field]> {
    let mut rest = fields;
    std::iter::from_fn(move || {
        let (mut len, mut width, mut plain) = (1, rest.first()?.bits(), rest[0].values.is_power_of_two());
        while let Some(&next) = rest.get(len) {
            let touches = next.word == rest[0].word && next.shift == rest[0].shift + width;
            let both_plain = plain && next.values.is_power_of_two();
            let longest = if both_plain { 32 } else { LOOKUP_BITS };
            if !touches || width + next.bits() > longest {
                break;
            }
            (len, width, plain) = (len + 1, width + next.bits(), both_plain);
        }
        let run;
        (run, rest) = rest.split_at(len);
        Some(run)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(values: &[u64]) -> Vec<Field> {
        let (mut word, mut shift) = (0, 0);
        let mut place = |&values: &u64| {
            let bits = Field { word, shift, values }.bits();
            if shift + bits > 64 {
                (word, shift) = (word + 1, 0);
            }
            let field = Field { word, shift, values };
            shift += bits;
            field
        };
        values.iter().map(&mut place).collect()
    }

    fn digits_of(values: &[u64]) -> Vec<usize> {
        runs(&fields(values)).map(<[Field]>::len).collect()
    }

    #[test]
    fn small_neighbours_are_one_digit() {
        assert_eq!(digits_of(&[3, 3, 3, 3, 3]), [4, 1]);
        assert_eq!(digits_of(&[100, 3, 3]), [1, 2]);
        assert_eq!(digits_of(&[2, 4, 256, 1 << 20, 4]), [4, 1]);
        assert_eq!(digits_of(&[1 << 32, 1 << 32, 5]), [1, 1, 1]);
        assert_eq!(digits_of(&[256, 3]), [1, 1]);
        assert_eq!(digits_of(&[]), [0; 0]);
    }

    #[test]
    fn equal_kinds_share_tables() {
        let codec = FieldCodec::new(&fields(&[3; 64]));
        assert_eq!((codec.gather.len(), codec.spread.len()), (256, 81));
        // 3^64 needs 101.4 bits; groups of 36 and 28.
        assert_eq!((codec.groups.len(), codec.bits()), (2, 58 + 45));
    }

    #[test]
    fn sizes_at_the_borders() {
        let size = |values: &[u64]| {
            let codec = FieldCodec::new(&fields(values));
            (codec.bits(), codec.limbs(), codec.bytes())
        };
        assert_eq!(size(&[]), (0, 0, 0));
        assert_eq!(size(&[1, 1]), (0, 0, 0));
        assert_eq!(size(&[1 << 32, 1 << 32]), (64, 1, 8));
        assert_eq!(size(&[1 << 32, 1 << 32, 2]), (65, 2, 9));
        assert_eq!(size(&[3, 5]), (4, 1, 1));
    }
}
