//! `bit-state`: one bit, or a few, for each state (paper 1, section 4.3; Holzmann, *Design and
//! validation of computer protocols*, 1991; the general case is Bloom's filter, 1970).
//!
//! A state sets k bits chosen by its hash and counts as seen if all of them are set already.
//! A state that was seen is always recognised; a new one may be mistaken for a seen one: an
//! *omission*. With a fraction f of the bits set this happens with probability f^k.
//!
//! - **T-1** No state is new twice.
//! - **T-2** Expected omissions before a run: after i of n states, f is about
//!   1 - e^(-k i / m) for m bits, so their number is ∫₀ⁿ (1 - e^(-k i / m))^k di; for k = 1
//!   this is n - m (1 - e^(-n / m)).
//! - **T-3** Expected omissions after a run: while f stands, a new state is let in with
//!   probability 1 - f^k, so for each that was let in f^k / (1 - f^k) were not. The sum of
//!   that over the states let in is what [`BitTable::expected_omissions`] gives. It counts
//!   states that were met and taken for others, not those that could only be met through them.
//! - **T-4** The k places are h1 + i h2 (Kirsch, Mitzenmacher, *Less hashing, same
//!   performance*, 2006), two hashes for any k.

use crate::universal::place;
use dwell_base::persist::{Persist, corrupt, put, take};
use std::io::{self, Read, Write};

/// A table of bits.
#[derive(Clone, Debug)]
pub struct BitTable {
    words: Vec<u64>,
    functions: u32,
    set: u64,
    states: u64,
    omissions: f64,
}

impl BitTable {
    /// A table of `bytes` bytes, at least eight, in which a state sets `functions` bits, at
    /// least one.
    pub fn new(bytes: usize, functions: u32) -> Self {
        let words = vec![0; (bytes / 8).max(1)];
        Self { words, functions: functions.max(1), set: 0, states: 0, omissions: 0.0 }
    }

    /// Whether a state counts as seen.
    #[inline]
    pub fn contains(&self, hash: [u64; 2]) -> bool {
        let bits = self.bits();
        (0..u64::from(self.functions)).all(|i| {
            let at = place(hash[0].wrapping_add(i.wrapping_mul(hash[1])), bits); // T-4
            self.words[(at / 64) as usize] >> (at % 64) & 1 != 0
        })
    }

    /// Enters a state by two hashes of it; true if it is new.
    #[inline]
    pub fn insert(&mut self, hash: [u64; 2]) -> bool {
        let (bits, fill) = (self.bits(), self.fill());
        let mut new = 0;
        for i in 0..u64::from(self.functions) {
            let at = place(hash[0].wrapping_add(i.wrapping_mul(hash[1])), bits); // T-4
            let word = &mut self.words[(at / 64) as usize];
            let bit = 1 << (at % 64);
            new += u64::from(*word & bit == 0);
            *word |= bit;
        }
        if new == 0 {
            return false;
        }
        self.set += new;
        self.states += 1;
        let omitted = fill.powi(self.functions as i32);
        self.omissions += omitted / (1.0 - omitted); // T-3: a zero bit was found, so it is below 1
        true
    }

    /// Size in bits.
    pub fn bits(&self) -> u64 {
        64 * self.words.len() as u64
    }

    /// Size in bytes.
    pub fn bytes(&self) -> u64 {
        8 * self.words.len() as u64
    }

    /// States that were new.
    pub fn states(&self) -> u64 {
        self.states
    }

    /// The fraction of bits that are set.
    pub fn fill(&self) -> f64 {
        self.set as f64 / self.bits() as f64
    }

    /// States that were probably taken for seen ones although they were new; T-3.
    pub fn expected_omissions(&self) -> f64 {
        self.omissions
    }
}

impl Persist for BitTable {
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        self.words.freeze(out)?;
        put(out, self.set)?;
        put(out, self.states)?;
        put(out, self.omissions.to_bits())
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        let size = self.words.len();
        self.words.thaw(from)?;
        (self.set, self.states) = (take(from)?, take(from)?);
        self.omissions = f64::from_bits(take(from)?);
        if self.words.len() == size { Ok(()) } else { Err(corrupt("a table of another size")) }
    }
}

/// Omissions to expect of `states` states in a table of `bits` bits; T-2.
pub fn expected_omissions(bits: u64, functions: u32, states: u64) -> f64 {
    let (bits, functions, states) = (bits as f64, functions as f64, states as f64);
    let omitted = |i: f64| (-(-functions * i / bits).exp_m1()).powf(functions);
    // Simpson's rule: the integrand is smooth and grows all the way.
    const PARTS: u32 = 1000;
    let step = states / f64::from(2 * PARTS);
    let sum: f64 = (0..PARTS).map(|part| f64::from(2 * part)).fold(0.0, |sum, at| {
        sum + omitted(at * step) + 4.0 * omitted((at + 1.0) * step) + omitted((at + 2.0) * step)
    });
    sum * step / 3.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Universal;

    /// Enters distinct states; how many were taken for seen.
    fn omitted(table: &mut BitTable, states: u64, seed: u64) -> u64 {
        let hash = Universal::<2>::new(seed, 2);
        (0..states).filter(|&i| !table.insert(hash.hash([i, i / 3]))).count() as u64
    }

    #[test]
    fn seen_states_are_never_new_again() {
        let hash = Universal::<2>::new(1, 1);
        for functions in [1, 2, 5] {
            let mut table = BitTable::new(1 << 12, functions);
            for i in 0..5000 {
                table.insert(hash.hash([i]));
                assert!(!table.insert(hash.hash([i / 2])));
            }
        }
    }

    #[test]
    fn omissions_are_as_predicted() {
        for (functions, states) in [(1, 4_000), (1, 30_000), (1, 200_000), (2, 60_000), (3, 60_000)] {
            let mut table = BitTable::new(1 << 15, functions);
            let measured = omitted(&mut table, states, 5) as f64;
            let before = expected_omissions(table.bits(), functions, states);
            let after = table.expected_omissions();
            let error = 5.0 * measured.max(1.0).sqrt() + 0.05 * measured;
            assert!((before - measured).abs() < error, "k = {functions}: {before} for {measured}");
            assert!((after - measured).abs() < error, "k = {functions}: {after} for {measured}");
            assert_eq!(table.states() + measured as u64, states);
        }
    }

    #[test]
    fn one_function_has_a_closed_form() {
        let (bits, states) = (1_000_000.0_f64, 300_000.0);
        let closed = states - bits * (1.0 - (-states / bits).exp());
        assert!((expected_omissions(1_000_000, 1, 300_000) - closed).abs() < 1e-3);
        assert_eq!(expected_omissions(64, 1, 0), 0.0);
    }

    #[test]
    fn the_smallest_table_fills() {
        let mut table = BitTable::new(0, 0);
        assert_eq!((table.bits(), table.bytes()), (64, 8));
        assert!(omitted(&mut table, 10_000, 2) == 10_000 - 64);
        assert!(table.fill() == 1.0 && table.expected_omissions().is_finite());
    }
}
