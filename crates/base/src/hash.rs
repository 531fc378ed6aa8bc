//! Hashing of packed states. Fixed seed: runs are repeatable.

use foldhash::fast::FixedState;
use std::hash::{BuildHasher, Hasher};

const STATE: FixedState = FixedState::with_seed(0x6477_656C_6C00_0001);

/// Hash of a sequence of words.
#[inline]
pub fn hash_words(words: &[u64]) -> u64 {
    let mut hasher = STATE.build_hasher();
    for &word in words {
        hasher.write_u64(word);
    }
    hasher.finish()
}

/// Hash of those bits of a sequence of words that the masks have.
#[inline]
pub fn hash_masked(words: &[u64], masks: &[u64]) -> u64 {
    let mut hasher = STATE.build_hasher();
    for (word, mask) in words.iter().zip(masks).filter(|(_, mask)| **mask != 0) {
        hasher.write_u64(word & mask);
    }
    hasher.finish()
}

/// Hash of a sequence of bytes.
#[inline]
pub fn hash_bytes(bytes: &[u8]) -> u64 {
    let mut hasher = STATE.build_hasher();
    hasher.write(bytes);
    hasher.finish()
}
