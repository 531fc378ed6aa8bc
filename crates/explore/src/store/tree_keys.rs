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
//! K-2 The vector met last is remembered with the key of every part: what is
//!     saved comes from what was loaded by a move that changes little, and a part
//!     that has not changed needs no look-up, in either direction.

use super::{CopiedKeys, KeyStore};
use dwell_base::SpillFile;
use dwell_base::persist::Persist;
use std::cell::RefCell;
use std::io::{self, Read, Write};
use std::ops::Range;

/// Words in a leaf: long enough for few pairs, short enough to be shared.
const LEAF_WORDS: usize = 4;

/// No part.
const NONE: u32 = u32::MAX;

/// Vectors as trees.
#[derive(Clone, Debug)]
pub struct TreeKeys {
    words: usize,
    leaves: CopiedKeys,
    pairs: CopiedKeys,
    /// The numbers of the vectors: what [`KeyStore`] promises to count.
    roots: CopiedKeys,
    last: RefCell<Last>,
}

/// The vector met last; K-2.
#[derive(Clone, Debug, Default)]
struct Last {
    /// Empty before the first one.
    words: Vec<u64>,
    /// Keys of its parts: the parts of part i are 2i + 1 and 2i + 2.
    keys: Vec<u32>,
}

impl TreeKeys {
    /// For vectors of `words` words.
    pub fn new(words: usize) -> Self {
        let store = CopiedKeys::new;
        let parts = 4 * words.div_ceil(LEAF_WORDS);
        Self {
            words,
            leaves: store(LEAF_WORDS),
            pairs: store(1),
            roots: store(1),
            last: RefCell::new(Last { words: Vec::new(), keys: vec![0; parts] }),
        }
    }

    /// Whether a vector is long enough for a tree to pay.
    pub fn pays(words: usize) -> bool {
        words > 2 * LEAF_WORDS
    }

    fn leaf_count(&self) -> usize {
        self.words.div_ceil(LEAF_WORDS)
    }

    fn save_part(&mut self, part: usize, leaves: Range<usize>, words: &[u64]) -> u32 {
        let here = leaves.start * LEAF_WORDS..words.len().min(leaves.end * LEAF_WORDS);
        let last = self.last.get_mut();
        if last.words.get(here.clone()) == Some(&words[here.clone()]) {
            return last.keys[part];
        }
        let key = if leaves.len() == 1 {
            let mut leaf = [0; LEAF_WORDS];
            leaf[..here.len()].copy_from_slice(&words[here]);
            self.leaves.save(&leaf).0
        } else {
            let middle = leaves.start + leaves.len() / 2;
            let left = self.save_part(2 * part + 1, leaves.start..middle, words);
            let right = self.save_part(2 * part + 2, middle..leaves.end, words);
            self.pairs.save(&[u64::from(left) << 32 | u64::from(right)]).0
        };
        self.last.get_mut().keys[part] = key;
        key
    }

    /// Makes a part of the vector met last the one with this key.
    fn load_part(&self, key: u32, part: usize, leaves: Range<usize>, last: &mut Last) {
        if last.keys[part] == key {
            return;
        }
        last.keys[part] = key;
        if leaves.len() == 1 {
            let start = leaves.start * LEAF_WORDS;
            let mut leaf = [0; LEAF_WORDS];
            self.leaves.load(key, &mut leaf);
            let end = self.words.min(start + LEAF_WORDS);
            last.words[start..end].copy_from_slice(&leaf[..end - start]);
            return;
        }
        let mut pair = [0];
        self.pairs.load(key, &mut pair);
        let middle = leaves.start + leaves.len() / 2;
        self.load_part((pair[0] >> 32) as u32, 2 * part + 1, leaves.start..middle, last);
        self.load_part(pair[0] as u32, 2 * part + 2, middle..leaves.end, last);
    }
}

impl KeyStore for TreeKeys {
    fn save(&mut self, words: &[u64]) -> (u32, bool) {
        let root = self.save_part(0, 0..self.leaf_count(), words);
        let last = self.last.get_mut();
        last.words.clear();
        last.words.extend_from_slice(words);
        self.roots.save(&[u64::from(root)])
    }

    fn load(&self, entry: u32, words: &mut [u64]) {
        let mut root = [0];
        self.roots.load(entry, &mut root);
        let last = &mut *self.last.borrow_mut();
        if last.words.is_empty() {
            last.words = vec![0; self.words];
            last.keys.fill(NONE);
        }
        self.load_part(root[0] as u32, 0, 0..self.leaf_count(), last);
        words.copy_from_slice(&last.words);
    }

    fn len(&self) -> usize {
        self.roots.len()
    }

    fn bytes(&self) -> u64 {
        let last = self.last.borrow();
        let last = last.words.capacity() * size_of::<u64>() + last.keys.capacity() * size_of::<u32>();
        self.leaves.bytes() + self.pairs.bytes() + self.roots.bytes() + last as u64
    }
}

impl Persist for TreeKeys {
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        self.leaves.freeze(out)?;
        self.pairs.freeze(out)?;
        self.roots.freeze(out)
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        self.last.get_mut().words.clear();
        self.leaves.thaw(from)?;
        self.pairs.thaw(from)?;
        self.roots.thaw(from)
    }

    fn spill(&mut self, to: &mut SpillFile) -> io::Result<()> {
        self.leaves.spill(to)?;
        self.pairs.spill(to)?;
        self.roots.spill(to)
    }
}
