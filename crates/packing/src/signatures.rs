//! `hash-compact`: a signature for each state (paper 1, section 4.4).
//!
//! An open-addressing table of signatures of b bits in slots of b + 1. Where to look first
//! follows from the signature itself (Wolper, Leroy, *Reliable hashing without collision
//! detection*, CAV 1993) or from an independent hash (Stern, Dill, *Improved probabilistic
//! verification by hash compaction*, CHARME 1995); [`Start`]. A state whose signature is met
//! on the way to an empty slot counts as seen. The paper gives one bit of a slot away to
//! mark it as used; here only the value zero is lost, so there are V = 2^(b+1) - 1
//! signatures, almost twice as many.
//!
//! - **C-1** No state is new twice.
//! - **C-2** Signatures cannot be entered again elsewhere, so a table never grows: once all
//!   but 1 / 128 of its slots are used, a new state is refused ([`Entered::Full`]), and
//!   seen ones are still recognised. The rest stays empty to keep the way to an empty slot
//!   short, 128 probes at the end.
//! - **C-3** Expected omissions of n states with Wolper and Leroy: states are omitted if and
//!   only if signatures agree, so n - V (1 - (1 - 1/V)^n), about n² / 2V.
//! - **C-4** With Stern and Dill, in m slots: the i-th state is compared with i / (m - i + 1)
//!   others on average (uniform probing), each alike with probability 1 / V; in all
//!   ((m + 1) (H(m+1) - H(m-n+1)) - n) / V with H(i) = 1 + 1/2 + ... + 1/i.
//! - **C-5** After a run, the comparisons that were made on the way of states let in take the
//!   place of the averages; [`SignatureTable::expected_omissions`].

use crate::slots::{Probes, SlotArray, prime_up_to};
use crate::universal::{mix, place};
use dwell_base::persist::{Persist, put, take};
use std::io::{self, Read, Write};

/// What the first place to look at follows from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    /// From the signature: Wolper and Leroy.
    Signature,
    /// From another hash of the state: Stern and Dill.
    Independent,
}

/// What became of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entered {
    /// It is in the table now.
    New,
    /// It was, or another one that cannot be told apart.
    Seen,
    /// It was not, and there is no room left.
    Full,
}

/// Bits of a signature: the least and the most.
pub const SIGNATURE_BITS: std::ops::RangeInclusive<u32> = 7..=63;

/// Slots of `bits` bits that fit `bytes` bytes: a prime number.
pub(crate) fn slots_in(bytes: u64, bits: u64) -> u64 {
    prime_up_to((u128::from(bytes) * 8 / u128::from(bits)) as u64)
}

/// Slots that may be used; C-2.
pub(crate) fn capacity(slots: u64) -> u64 {
    slots - slots / 128
}

/// A table of signatures.
#[derive(Clone, Debug)]
pub struct SignatureTable {
    table: SlotArray,
    slots: u64,
    start: Start,
    states: u64,
    /// Unlike signatures met by states that were let in.
    compared: u64,
}

impl SignatureTable {
    /// A table of at most `bytes` bytes, with signatures of `bits` bits, brought into
    /// [`SIGNATURE_BITS`]. It has one slot at least.
    pub fn new(bytes: u64, bits: u32, start: Start) -> Self {
        let width = bits.clamp(*SIGNATURE_BITS.start(), *SIGNATURE_BITS.end()) + 1;
        let slots = slots_in(bytes, width.into());
        Self { table: SlotArray::new(slots, width), slots, start, states: 0, compared: 0 }
    }

    /// The signature of a state, and where to look for it.
    #[inline]
    fn way(&self, hash: [u64; 2]) -> (u64, Probes) {
        let signature = 1 + place(hash[1], self.table.largest());
        let start = match self.start {
            Start::Signature => mix(signature),
            Start::Independent => hash[0],
        };
        (signature, Probes::new(start, self.slots))
    }

    /// Whether a state counts as seen.
    #[inline]
    pub fn contains(&self, hash: [u64; 2]) -> bool {
        let (signature, mut way) = self.way(hash);
        let end = way.find_map(|slot| {
            let found = self.table.get(slot);
            (found == 0 || found == signature).then_some(found)
        });
        end.is_some_and(|found| found != 0)
    }

    /// Enters a state by two hashes of it.
    #[inline]
    pub fn insert(&mut self, hash: [u64; 2]) -> Entered {
        let (signature, way) = self.way(hash);
        for (compared, slot) in (0..).zip(way) {
            match self.table.get(slot) {
                0 if self.states >= capacity(self.slots) => return Entered::Full,
                0 => {
                    self.table.set(slot, signature);
                    self.states += 1;
                    self.compared += compared;
                    return Entered::New;
                }
                other if other == signature => return Entered::Seen,
                _ => {}
            }
        }
        Entered::Full
    }

    /// States in the table.
    pub fn states(&self) -> u64 {
        self.states
    }

    /// Number of slots.
    pub fn slots(&self) -> u64 {
        self.slots
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        self.table.bytes()
    }

    /// The fraction of slots that are used.
    pub fn fill(&self) -> f64 {
        self.states as f64 / self.slots as f64
    }

    /// States that were probably taken for seen ones although they were new.
    pub fn expected_omissions(&self) -> f64 {
        let values = self.table.largest() as f64;
        match self.start {
            // The number n of distinct states that leaves this many signatures; C-3.
            Start::Signature => {
                let states = (self.states as f64).min(values - 1.0);
                -values * (-states / values).ln_1p() - states
            }
            Start::Independent => self.compared as f64 / (values - 1.0), // C-5
        }
    }
}

impl Persist for SignatureTable {
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        self.table.freeze(out)?;
        put(out, self.states)?;
        put(out, self.compared)
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        self.table.thaw(from)?;
        (self.states, self.compared) = (take(from)?, take(from)?);
        Ok(())
    }
}

/// Omissions to expect of `states` states in `slots` slots for signatures of `bits` bits;
/// C-3, C-4. What does not fit is not counted.
pub fn expected_omissions(start: Start, slots: u64, bits: u32, states: u64) -> f64 {
    let values = 2.0_f64.powi(bits as i32 + 1) - 1.0;
    let (slots, states) = (slots as f64, states.min(slots) as f64);
    match start {
        Start::Signature => {
            let all_differ = states * (-1.0 / values).ln_1p();
            states + values * all_differ.exp_m1()
        }
        // H(i) is about ln(i + 1/2) + γ.
        Start::Independent => {
            let harmonic = ((slots + 1.5) / (slots - states + 1.5)).ln();
            (((slots + 1.0) * harmonic - states) / values).max(0.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Universal;

    #[test]
    fn seen_states_are_never_new_again() {
        let hash = Universal::<2>::new(1, 1);
        for start in [Start::Signature, Start::Independent] {
            for bits in [0, 7, 12, 31, 47, 63, 99] {
                let mut table = SignatureTable::new(1 << 12, bits, start);
                assert!(table.bytes() <= (1 << 12));
                let mut full = false;
                for i in 0..5000 {
                    let entered = table.insert(hash.hash([i]));
                    full |= entered == Entered::Full;
                    assert!(!full || entered != Entered::New);
                    if !full {
                        assert_eq!(table.insert(hash.hash([i / 2])), Entered::Seen);
                    }
                }
                assert!(table.fill() <= 1.0 && table.states() <= capacity(table.slots()));
                assert!(full || start == Start::Signature && bits <= 12);
            }
        }
    }

    /// Distinct states up to a fill; omissions measured and foretold.
    fn omissions(start: Start, bits: u32, fill: f64) -> (f64, f64, f64) {
        let hash = Universal::<2>::new(11, 2);
        let mut table = SignatureTable::new(1 << 18, bits, start);
        let states = (fill * table.slots() as f64) as u64;
        let omitted = (0..states).filter(|&i| table.insert(hash.hash([i, i])) == Entered::Seen).count();
        let before = expected_omissions(start, table.slots(), bits, states);
        (omitted as f64, before, table.expected_omissions())
    }

    #[test]
    fn omissions_are_as_predicted() {
        for (start, bits, fill) in [
            (Start::Signature, 15, 0.3),
            (Start::Signature, 19, 0.9),
            (Start::Signature, 24, 0.9),
            (Start::Independent, 7, 0.5),
            (Start::Independent, 7, 0.9),
            (Start::Independent, 11, 0.95),
        ] {
            let (measured, before, after) = omissions(start, bits, fill);
            let error = 5.0 * measured.max(1.0).sqrt() + 0.05 * measured;
            assert!((before - measured).abs() < error, "{start:?} {bits}: {before} for {measured}");
            assert!((after - measured).abs() < error, "{start:?} {bits}: {after} for {measured}");
        }
        assert_eq!(omissions(Start::Signature, 47, 0.9).0, 0.0);
        assert_eq!(omissions(Start::Independent, 47, 0.9).0, 0.0);
    }

    /// The sum that C-4 closes.
    #[test]
    fn harmonic_numbers_close_the_sum() {
        let (slots, states, values) = (1009, 900, 2.0_f64.powi(8) - 1.0);
        let sum: f64 = (0..states).map(|i| f64::from(i) / f64::from(slots - i + 1) / values).sum();
        let closed = expected_omissions(Start::Independent, slots as u64, 7, states as u64);
        assert!((sum - closed).abs() < 0.001 * sum, "{sum} {closed}");
    }

    #[test]
    fn the_smallest_table_has_a_slot() {
        let mut table = SignatureTable::new(0, 47, Start::Independent);
        assert_eq!(table.slots(), 1);
        assert_eq!(table.insert([1, 2]), Entered::New);
        assert_eq!(table.insert([1, 2]), Entered::Seen);
        assert_eq!(table.insert([1, u64::MAX]), Entered::Full);
    }
}
