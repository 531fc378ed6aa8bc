//! Long vectors as trees of shared parts.
//!
//! Two states of a run differ in few places. So a long vector is cut into
//! leaves of a few words, and a balanced tree of pairs stands above them;
//! leaves and pairs are kept once each. A new state costs the pairs on the
//! ways to the leaves that changed, whatever its length (Laarman, van de Pol,
//! Weber, *Parallel recursive state compression for free*, SPIN 2011).
//!
//! K-1 The shape of the tree depends on the number of words only, so equal
//!     vectors have equal roots. Leaves and pairs are shared by all positions
//!     and levels.

use super::{CopiedKeys, KeyStore};
use std::ops::Range;

/// Words in a leaf: long enough for few pairs, short enough to be shared.
const LEAF_WORDS: usize = 4;

/// Vectors as trees.
#[derive(Clone, Debug)]
pub struct TreeKeys {
    words: usize,
    leaves: CopiedKeys,
    pairs: CopiedKeys,
    /// The numbers of the vectors: what [`KeyStore`] promises to count.
    roots: CopiedKeys,
}

impl TreeKeys {
    /// For vectors of `words` words.
    pub fn new(words: usize) -> Self {
        let store = CopiedKeys::new;
        Self { words, leaves: store(LEAF_WORDS), pairs: store(1), roots: store(1) }
    }

    /// Whether a vector is long enough for a tree to pay.
    pub fn pays(words: usize) -> bool {
        words > 2 * LEAF_WORDS
    }

    fn leaf_count(&self) -> usize {
        self.words.div_ceil(LEAF_WORDS)
    }

    fn save_part(&mut self, leaves: Range<usize>, words: &[u64]) -> u32 {
        if leaves.len() == 1 {
            let start = leaves.start * LEAF_WORDS;
            let mut leaf = [0; LEAF_WORDS];
            let part = &words[start..words.len().min(start + LEAF_WORDS)];
            leaf[..part.len()].copy_from_slice(part);
            return self.leaves.save(&leaf).0;
        }
        let middle = leaves.start + leaves.len() / 2;
        let left = self.save_part(leaves.start..middle, words);
        let right = self.save_part(middle..leaves.end, words);
        self.pairs.save(&[u64::from(left) << 32 | u64::from(right)]).0
    }

    fn load_part(&self, key: u32, leaves: Range<usize>, words: &mut [u64]) {
        if leaves.len() == 1 {
            let start = leaves.start * LEAF_WORDS;
            let mut leaf = [0; LEAF_WORDS];
            self.leaves.load(key, &mut leaf);
            let end = words.len().min(start + LEAF_WORDS);
            words[start..end].copy_from_slice(&leaf[..end - start]);
            return;
        }
        let mut pair = [0];
        self.pairs.load(key, &mut pair);
        let middle = leaves.start + leaves.len() / 2;
        self.load_part((pair[0] >> 32) as u32, leaves.start..middle, words);
        self.load_part(pair[0] as u32, middle..leaves.end, words);
    }
}

impl KeyStore for TreeKeys {
    fn save(&mut self, words: &[u64]) -> (u32, bool) {
        let root = self.save_part(0..self.leaf_count(), words);
        self.roots.save(&[u64::from(root)])
    }

    fn load(&self, entry: u32, words: &mut [u64]) {
        let mut root = [0];
        self.roots.load(entry, &mut root);
        self.load_part(root[0] as u32, 0..self.leaf_count(), words);
    }

    fn len(&self) -> usize {
        self.roots.len()
    }

    fn bytes(&self) -> u64 {
        self.leaves.bytes() + self.pairs.bytes() + self.roots.bytes()
    }
}
