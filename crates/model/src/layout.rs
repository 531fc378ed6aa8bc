//! Packed discrete states.
//!
//! A discrete state is a location per process and a value per variable. Each
//! field takes as many bits as its range needs; fields do not straddle words:
//!
//! ```text
//! word 0: | P0.loc | P1.loc | … | unused |     location words first,
//! word k: | v0-min | v1-min | … | unused |     then variable words
//! ```
//!
//! Locations and variables share a word only when everything fits into one,
//! so that a store may keep location vectors and variable vectors apart
//! (paper 2, section 5.2) without repacking. A variable with one value takes
//! no bits and is neither packed nor unpacked: whoever unpacks starts from the
//! initial values.

use crate::{Network, VarKind};
use std::ops::Range;

#[derive(Clone, Copy, Debug)]
struct Field {
    word: u32,
    shift: u32,
    mask: u64,
    min: i32,
    values: u64,
}

/// Neighbouring variables of one width and least value: arrays, mostly. They are in
/// one word; or they begin at the bottom of one and fill as many as they need.
#[derive(Clone, Copy, Debug)]
struct Run {
    slot: u32,
    len: u32,
    word: u32,
    shift: u32,
    bits: u32,
    min: i32,
}

impl Run {
    /// Runs of all variables.
    fn all(vars: &[(u32, Field)]) -> Vec<Self> {
        let mut runs: Vec<Self> = Vec::new();
        for &(slot, Field { word, shift, min, values, .. }) in vars {
            let bits = bits_for(values);
            match runs.last_mut() {
                Some(run) if run.goes_on(slot, word, bits, min) => run.len += 1,
                _ => runs.push(Self { slot, len: 1, word, shift, bits, min }),
            }
        }
        runs
    }

    fn goes_on(&self, slot: u32, word: u32, bits: u32, min: i32) -> bool {
        let full = if self.shift == 0 { self.len / self.per_word() as u32 } else { 0 };
        (self.slot + self.len, self.word + full, self.bits, self.min) == (slot, word, bits, min)
    }

    /// The most in one word.
    fn per_word(&self) -> usize {
        (64 / self.bits) as usize
    }

    fn slots(&self) -> Range<usize> {
        self.slot as usize..(self.slot + self.len) as usize
    }

    #[inline(always)]
    fn offset(&self, value: i32) -> u64 {
        let offset = u64::from(value.wrapping_sub(self.min) as u32);
        debug_assert!(offset >> self.bits == 0, "value {value} outside its range");
        offset
    }

    /// Adds the values of its variables to the words of the state.
    #[inline(always)]
    fn pack(&self, vars: &[i32], out: &mut [u64]) {
        let vars = &vars[self.slots()];
        let out = &mut out[self.word as usize..];
        match (self.shift, self.bits) {
            (0, 8) => return self.pack_by::<8>(vars, out),
            (0, 16) => return self.pack_by::<16>(vars, out),
            (0, 32) => return self.pack_by::<32>(vars, out),
            _ => {}
        }
        for (mut values, out) in vars.chunks(self.per_word()).zip(out) {
            let (mut word, mut shift) = (0, self.shift);
            // Arrays of bits: eight at once.
            while let (1, Some((eight, rest))) = (self.bits, values.split_first_chunk::<8>()) {
                word |= gathered(eight.map(|value| self.offset(value) as u8)) << shift;
                (values, shift) = (rest, shift + 8);
            }
            for &value in values {
                word |= self.offset(value) << shift;
                shift += self.bits;
            }
            *out |= word;
        }
    }

    /// The same, from the bottom of a word on and with shifts that are known; others may
    /// be in the last word too.
    #[inline(always)]
    fn pack_by<const BITS: usize>(&self, vars: &[i32], out: &mut [u64]) {
        let word = |values: &[i32]| {
            values.iter().enumerate().fold(0, |word, (i, &value)| word | self.offset(value) << (i * BITS))
        };
        let (whole, rest) = vars.split_at(vars.len() / (64 / BITS) * (64 / BITS));
        let (full, left) = out.split_at_mut(whole.len() / (64 / BITS));
        whole.chunks_exact(64 / BITS).zip(full).for_each(|(values, out)| *out = word(values));
        if let (false, Some(out)) = (rest.is_empty(), left.first_mut()) {
            *out |= word(rest);
        }
    }

    /// The other way round.
    #[inline(always)]
    fn unpack(&self, words: &[u64], vars: &mut [i32]) {
        let vars = &mut vars[self.slots()];
        let words = &words[self.word as usize..];
        match (self.shift, self.bits) {
            (0, 8) => return self.unpack_by::<8>(words, vars),
            (0, 16) => return self.unpack_by::<16>(words, vars),
            (0, 32) => return self.unpack_by::<32>(words, vars),
            _ => {}
        }
        let mask = (1_u64 << self.bits) - 1;
        for (values, word) in vars.chunks_mut(self.per_word()).zip(words) {
            // In two steps, so that no shift is by 64.
            let (mut values, mut word) = (values, word >> self.shift);
            while self.bits == 1 && values.len() >= 8 {
                let (eight, rest) = values.split_at_mut(8);
                for (value, bit) in eight.iter_mut().zip(scattered(word as u8)) {
                    *value = self.min.wrapping_add(bit.into());
                }
                word >>= 8;
                values = rest;
            }
            for value in values {
                *value = self.min.wrapping_add((word & mask) as i32);
                word >>= self.bits;
            }
        }
    }

    /// The other way round, with shifts that are known.
    #[inline(always)]
    fn unpack_by<const BITS: usize>(&self, words: &[u64], vars: &mut [i32]) {
        let value = |word: u64, i: usize| {
            self.min.wrapping_add((word >> (i * BITS) & (u64::MAX >> (64 - BITS))) as i32)
        };
        let unpack = |word: u64, values: &mut [i32]| {
            values.iter_mut().enumerate().for_each(|(i, to)| *to = value(word, i));
        };
        let mut values = vars.chunks_exact_mut(64 / BITS);
        let full = values.len();
        values.by_ref().zip(words).for_each(|(values, &word)| unpack(word, values));
        if let (rest @ [_, ..], Some(&word)) = (values.into_remainder(), words.get(full)) {
            unpack(word, rest);
        }
    }
}

/// Eight bytes that are 0 or 1 as the bits of one. The product has byte i at bits
/// 8i + 7, 8i + 14, … 8i + 56, no two of which meet: those from 56 to 63 are wanted.
#[inline(always)]
fn gathered(bits: [u8; 8]) -> u64 {
    u64::from_le_bytes(bits).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// The other way round: byte i has bit i, at its place, and becomes 1 if that is set.
#[inline(always)]
fn scattered(byte: u8) -> [u8; 8] {
    let bits = u64::from_le_bytes([byte; 8]) & 0x8040_2010_0804_0201;
    ((bits + 0x7f7f_7f7f_7f7f_7f7f) >> 7 & 0x0101_0101_0101_0101).to_le_bytes()
}

/// Where a packed state holds a location or a variable.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Which word.
    pub word: usize,
    /// From which bit on.
    pub shift: u32,
    /// Its bits, at the bottom of the word.
    pub mask: u64,
    /// How many values it may have; they count from 0.
    pub values: u64,
}

/// How discrete states of one network are packed.
#[derive(Clone, Debug)]
pub struct Layout {
    locations: Vec<Field>,
    /// Of the variables that are part of the state, by slot.
    vars: Vec<(u32, Field)>,
    /// The same, packed and unpacked by.
    runs: Vec<Run>,
    /// Slot of the first meta variable.
    first_meta: usize,
    /// What the meta variables are reset to.
    meta: Vec<i32>,
    location_words: usize,
    words: usize,
}

fn bits_for(values: u64) -> u32 {
    64 - values.saturating_sub(1).leading_zeros()
}

/// Hands out bit fields word by word.
struct Allocator {
    word: u32,
    used: u32,
}

impl Allocator {
    fn field(&mut self, values: u64, min: i32) -> Field {
        let bits = bits_for(values);
        if self.used + bits > 64 {
            self.word += 1;
            self.used = 0;
        }
        let field = Field { word: self.word, shift: self.used, mask: (1u64 << bits) - 1, min, values };
        // A field without bits must not shift by 64.
        self.used += bits;
        if bits == 0 { Field { shift: 0, ..field } } else { field }
    }
}

impl Layout {
    /// The layout for `network`.
    pub fn new(network: &Network) -> Self {
        let locations: Vec<u64> = network.processes.iter().map(|p| p.locations.len() as u64).collect();
        let kind = |kind| network.vars.iter().filter(move |v| v.kind == kind);
        let vars: Vec<u64> =
            kind(VarKind::State).map(|v| (i64::from(v.max) - i64::from(v.min)) as u64 + 1).collect();
        let one_word = locations.iter().chain(&vars).map(|&values| bits_for(values)).sum::<u32>() <= 64;

        let mut allocator = Allocator { word: 0, used: 0 };
        let locations: Vec<Field> = locations.iter().map(|&values| allocator.field(values, 0)).collect();
        let location_words = allocator.word as usize + 1;
        if !one_word && vars.iter().any(|&values| values > 1) {
            allocator = Allocator { word: location_words as u32, used: 0 };
        }
        let meta = kind(VarKind::Meta).map(|v| v.init).collect();
        let first_meta = vars.len();
        let vars: Vec<(u32, Field)> = kind(VarKind::State)
            .zip(vars)
            .enumerate()
            .filter(|(_, (_, values))| *values > 1)
            .map(|(slot, (v, values))| (slot as u32, allocator.field(values, v.min)))
            .collect();
        let runs = Run::all(&vars);
        Self { locations, vars, runs, meta, first_meta, location_words, words: allocator.word as usize + 1 }
    }

    /// Words in a packed state: at least one.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Of these, the words that hold locations; equal to [`Layout::words`]
    /// when locations and variables share one word.
    pub fn location_words(&self) -> usize {
        self.location_words
    }

    /// Where everything is: the locations, then the variables with more than
    /// one value.
    pub fn places(&self) -> impl Iterator<Item = Place> + '_ {
        let fields = self.locations.iter().chain(self.vars.iter().map(|(_, field)| field));
        fields.map(|f| Place { word: f.word as usize, shift: f.shift, mask: f.mask, values: f.values })
    }

    /// Packs a state. Every value must lie in its range.
    #[inline]
    pub fn pack(&self, locations: &[u32], vars: &[i32], out: &mut [u64]) {
        out.fill(0);
        for (field, &location) in self.locations.iter().zip(locations) {
            out[field.word as usize] |= u64::from(location) << field.shift;
        }
        self.runs.iter().for_each(|run| run.pack(vars, out));
    }

    /// Inverse of [`Layout::pack`]; meta variables get their initial values.
    #[inline]
    pub fn unpack(&self, words: &[u64], locations: &mut [u32], vars: &mut [i32]) {
        for (field, location) in self.locations.iter().zip(locations) {
            *location = ((words[field.word as usize] >> field.shift) & field.mask) as u32;
        }
        self.runs.iter().for_each(|run| run.unpack(words, vars));
        self.forget_meta(vars);
    }

    /// Gives meta variables their initial values, which they have in every
    /// state.
    #[inline]
    pub fn forget_meta(&self, vars: &mut [i32]) {
        if !self.meta.is_empty() {
            vars[self.first_meta..][..self.meta.len()].copy_from_slice(&self.meta);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Location, Process, Var};
    use dwell_base::Rng;

    fn network(locations: &[usize], vars: &[(i32, i32)]) -> Network {
        Network {
            processes: locations
                .iter()
                .map(|&n| Process { locations: vec![Location::default(); n], ..Process::default() })
                .collect(),
            vars: vars.iter().map(|&(min, max)| Var { min, max, init: min, ..Var::default() }).collect(),
            ..Network::default()
        }
    }

    #[test]
    fn small_states_take_one_word_and_large_ones_keep_the_parts_apart() {
        let small = Layout::new(&network(&[4; 10], &[(0, 10)]));
        assert_eq!((small.location_words(), small.words()), (1, 1));
        let large = Layout::new(&network(&[4; 10], &[(i32::MIN, i32::MAX), (0, 255), (0, 255)]));
        assert_eq!((large.location_words(), large.words()), (1, 2));
        assert_eq!(Layout::new(&network(&[], &[])).words(), 1);
    }

    #[test]
    fn eight_bits_are_a_byte() {
        for byte in 0..=u8::MAX {
            let bits = scattered(byte);
            assert!((0..8).all(|i| bits[i] == byte >> i & 1));
            assert_eq!(gathered(bits), byte.into());
        }
    }

    #[test]
    fn what_is_packed_comes_back() {
        let mut rng = Rng::new(3);
        for round in 0..500 {
            let sizes: Vec<usize> = (0..rng.below(20)).map(|_| 1 + rng.below(9) as usize).collect();
            let mut ranges = Vec::new();
            for _ in 0..rng.below(12) {
                let range = match rng.below(6) {
                    0 => (i32::MIN, i32::MAX),
                    1 => (5, 5),
                    2 => (-3, rng.range(-3, 300)),
                    3 => (7, 8),
                    4 => (-2, 12),
                    _ => (0, rng.range(0, 70_000)),
                };
                let array = 1 + rng.below(100) as usize;
                ranges.extend(vec![range; array]);
            }
            let layout = Layout::new(&network(&sizes, &ranges));
            let locations: Vec<u32> = sizes.iter().map(|&n| rng.below(n as u64) as u32).collect();
            let vars: Vec<i32> = ranges.iter().map(|&(a, b)| rng.range(a, b)).collect();
            let mut words = vec![0; layout.words()];
            layout.pack(&locations, &vars, &mut words);
            let initial: Vec<i32> = ranges.iter().map(|r| r.0).collect();
            let (mut l, mut v) = (vec![0; locations.len()], initial);
            layout.unpack(&words, &mut l, &mut v);
            assert_eq!((l, v), (locations, vars), "round {round}");
        }
    }
}
