//! Slots of any width up to 64 bits in one array, and the order in which they are tried.

use crate::universal::{mix, place};
use dwell_base::persist::{Persist, corrupt};
use std::io::{self, Read, Write};

/// Equal slots without gaps; a slot may cross two words.
#[derive(Clone, Debug)]
pub(crate) struct SlotArray {
    words: Vec<u64>,
    width: u32,
}

impl SlotArray {
    /// `count` slots of `width` bits, all zero.
    pub fn new(count: u64, width: u32) -> Self {
        debug_assert!((1..=64).contains(&width));
        Self { words: vec![0; (u128::from(count) * u128::from(width)).div_ceil(64) as usize], width }
    }

    /// The largest value.
    #[inline(always)]
    pub fn largest(&self) -> u64 {
        u64::MAX >> (64 - self.width)
    }

    #[inline(always)]
    pub fn get(&self, slot: u64) -> u64 {
        let (at, from, crosses) = self.at(slot);
        let mut value = self.words[at] >> from;
        if crosses {
            value |= self.words[at + 1] << (64 - from);
        }
        value & self.largest()
    }

    #[inline(always)]
    pub fn set(&mut self, slot: u64, value: u64) {
        let (at, from, crosses) = self.at(slot);
        let largest = self.largest();
        self.words[at] = self.words[at] & !(largest << from) | value << from;
        if crosses {
            let after = &mut self.words[at + 1];
            *after = *after & !(largest >> (64 - from)) | value >> (64 - from);
        }
    }

    pub fn bytes(&self) -> u64 {
        8 * self.words.len() as u64
    }

    /// Word, first bit, and whether the slot goes on in the next word; then the first bit
    /// is not zero.
    #[inline(always)]
    fn at(&self, slot: u64) -> (usize, u32, bool) {
        let bit = slot * u64::from(self.width);
        let from = (bit % 64) as u32;
        ((bit / 64) as usize, from, from + self.width > 64)
    }
}

impl Persist for SlotArray {
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        self.words.freeze(out)
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        let size = self.words.len();
        self.words.thaw(from)?;
        if self.words.len() == size { Ok(()) } else { Err(corrupt("a table of another size")) }
    }
}

/// The slots of a table in the order of double hashing: from a place on in equal steps,
/// each slot once. The number of slots is prime, so that every step will do.
pub(crate) struct Probes {
    next: u64,
    step: u64,
    left: u64,
    slots: u64,
}

impl Probes {
    #[inline(always)]
    pub fn new(hash: u64, slots: u64) -> Self {
        let step = 1 + place(mix(hash), slots.saturating_sub(1));
        Self { next: place(hash, slots), step, left: slots, slots }
    }
}

impl Iterator for Probes {
    type Item = u64;

    #[inline(always)]
    fn next(&mut self) -> Option<u64> {
        self.left = self.left.checked_sub(1)?;
        let slot = self.next;
        // At most twice the number of slots: far from the end of the word.
        self.next += self.step;
        if self.next >= self.slots {
            self.next -= self.slots;
        }
        Some(slot)
    }
}

/// The largest prime up to `n`, or 1.
pub(crate) fn prime_up_to(n: u64) -> u64 {
    let prime = |&n: &u64| n >= 2 && (2..).take_while(|d| d * d <= n).all(|d| n % d != 0);
    (2..=n).rev().find(prime).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dwell_base::Rng;

    #[test]
    fn slots_do_not_disturb_each_other() {
        let mut rng = Rng::new(1);
        for width in [1, 7, 8, 13, 31, 32, 33, 48, 63, 64] {
            let (mut slots, mut twin) = (SlotArray::new(101, width), vec![0; 101]);
            for _ in 0..2000 {
                let at = rng.below(101);
                let value = rng.next_u64() & slots.largest();
                slots.set(at, value);
                twin[at as usize] = value;
            }
            assert!((0..101).all(|i| slots.get(i) == twin[i as usize]), "{width}");
            assert_eq!(slots.bytes(), (101 * u64::from(width)).div_ceil(64) * 8);
        }
    }

    #[test]
    fn probes_meet_each_slot_once() {
        for slots in [1, 2, 3, 101] {
            for hash in [0, 1, u64::MAX, 0x1234_5678_9ABC_DEF0] {
                let mut met: Vec<u64> = Probes::new(hash, slots).collect();
                met.sort_unstable();
                assert!(met.into_iter().eq(0..slots));
            }
        }
    }

    #[test]
    fn primes() {
        let found: Vec<u64> = [0, 1, 2, 3, 4, 10, 100, 1 << 20].map(prime_up_to).into();
        assert_eq!(found, [1, 1, 2, 3, 3, 7, 97, 1_048_573]);
    }
}
