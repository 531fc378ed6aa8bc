//! Long vectors as trees of shared parts.
//!
//! Two states of a run differ in few places. So a long vector is cut into
//! leaves of a few words, and a balanced tree stands above them; leaves and nodes
//! are kept once each. A new state costs the nodes on the ways to the leaves that
//! changed, whatever its length (Laarman, van de Pol, Weber, *Parallel recursive
//! state compression for free*, SPIN 2011).
//!
//! K-1 The shape of the tree depends on the number of words only, so equal
//!     vectors have equal roots. Leaves and nodes are shared by all positions
//!     and levels.
//! K-2 The vector met last is remembered with the key of every part: what is
//!     saved comes from what was loaded by a move that changes little, and a part
//!     that has not changed needs no look-up, in either direction.
//!
//! Nodes have four parts, not two as in the paper: every level is a look-up in a
//! large table, for which the next one has to wait.

use super::{CopiedKeys, KeyStore};
use dwell_base::SpillFile;
use dwell_base::persist::{Persist, put, put_each, take, take_each};
use std::cell::RefCell;
use std::io::{self, Read, Write};
use std::ops::Range;

/// Words in a leaf: long enough for few nodes, short enough to be shared.
const LEAF_WORDS: usize = 4;

/// Parts of a node.
const PARTS: usize = 4;

/// No part.
const NONE: u32 = u32::MAX;

/// Vectors as trees.
#[derive(Clone, Debug)]
pub(super) struct TreeKeys {
    words: usize,
    leaves: CopiedKeys,
    nodes: CopiedKeys,
    /// A bit for each node: whether it is a root, and how many are.
    roots: Vec<u64>,
    vectors: usize,
    last: RefCell<Last>,
}

/// The vector met last; K-2.
#[derive(Clone, Debug, Default)]
struct Last {
    /// Empty before the first one.
    words: Vec<u64>,
    /// Keys of its parts: the first part of part i is `PARTS * i + 1`.
    keys: Vec<u32>,
}

/// The leaves of each part of some leaves.
fn parts(leaves: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let len = leaves.len();
    let bound = move |part: usize| leaves.start + len * part / PARTS;
    (0..PARTS).map(move |part| bound(part)..bound(part + 1))
}

/// Four keys as a node.
fn node(keys: [u32; PARTS]) -> [u64; PARTS / 2] {
    let [a, b, c, d] = keys.map(u64::from);
    [a << 32 | b, c << 32 | d]
}

impl TreeKeys {
    /// For vectors of `words` words, so many that they [pay](Self::pays).
    pub fn new(words: usize) -> Self {
        assert!(Self::pays(words), "a tree without nodes");
        let (mut leaves, mut all, mut level) = (words.div_ceil(LEAF_WORDS), 1, 1);
        while leaves > 1 {
            leaves = leaves.div_ceil(PARTS);
            level *= PARTS;
            all += level;
        }
        Self {
            words,
            leaves: CopiedKeys::new(LEAF_WORDS),
            nodes: CopiedKeys::new(PARTS / 2),
            roots: Vec::new(),
            vectors: 0,
            last: RefCell::new(Last { words: Vec::new(), keys: vec![0; all] }),
        }
    }

    /// Whether a vector is long enough for a tree to pay.
    pub fn pays(words: usize) -> bool {
        words > 2 * LEAF_WORDS
    }

    fn all_leaves(&self) -> Range<usize> {
        0..self.words.div_ceil(LEAF_WORDS)
    }

    fn save_part(&mut self, part: usize, leaves: Range<usize>, words: &[u64]) -> u32 {
        if leaves.is_empty() {
            return NONE;
        }
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
            let mut keys = [NONE; PARTS];
            for (at, (key, leaves)) in keys.iter_mut().zip(parts(leaves)).enumerate() {
                *key = self.save_part(PARTS * part + 1 + at, leaves, words);
            }
            self.nodes.save(&node(keys)).0
        };
        self.last.get_mut().keys[part] = key;
        key
    }

    /// Makes a part of the vector met last the one with this key.
    fn load_part(&self, key: u32, part: usize, leaves: Range<usize>, last: &mut Last) {
        if leaves.is_empty() || last.keys[part] == key {
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
        let mut node = [0; PARTS / 2];
        self.nodes.load(key, &mut node);
        for (at, leaves) in parts(leaves).enumerate() {
            let key = (node[at / 2] >> (32 - at % 2 * 32)) as u32;
            self.load_part(key, PARTS * part + 1 + at, leaves, last);
        }
    }

    /// The number of a vector.
    pub fn save(&mut self, words: &[u64]) -> u32 {
        let root = self.save_part(0, self.all_leaves(), words);
        let last = self.last.get_mut();
        last.words.clear();
        last.words.extend_from_slice(words);
        let (word, bit) = (root as usize / 64, 1 << (root % 64));
        if word >= self.roots.len() {
            self.roots.resize(word + 1, 0);
        }
        self.vectors += usize::from(self.roots[word] & bit == 0);
        self.roots[word] |= bit;
        root
    }

    /// Writes the words of a numbered vector.
    pub fn load(&self, root: u32, words: &mut [u64]) {
        let last = &mut *self.last.borrow_mut();
        if last.words.is_empty() {
            last.words = vec![0; self.words];
            last.keys.fill(NONE);
        }
        self.load_part(root, 0, self.all_leaves(), last);
        words.copy_from_slice(&last.words);
    }

    /// How many vectors there are.
    pub fn len(&self) -> usize {
        self.vectors
    }

    /// Bytes of storage held.
    pub fn bytes(&self) -> u64 {
        let last = self.last.borrow();
        let last = last.words.capacity() * size_of::<u64>() + last.keys.capacity() * size_of::<u32>();
        let roots = self.roots.capacity() * size_of::<u64>();
        self.leaves.bytes() + self.nodes.bytes() + (roots + last) as u64
    }
}

impl Persist for TreeKeys {
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        self.leaves.freeze(out)?;
        self.nodes.freeze(out)?;
        put(out, self.roots.len() as u64)?;
        put_each(out, &self.roots)
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        self.last.get_mut().words.clear();
        self.leaves.thaw(from)?;
        self.nodes.thaw(from)?;
        self.roots.clear();
        let count = take(from)?;
        take_each(from, count, |block| self.roots.extend_from_slice(block))?;
        self.vectors = self.roots.iter().map(|word| word.count_ones() as usize).sum();
        Ok(())
    }

    fn spill(&mut self, to: &mut SpillFile) -> io::Result<()> {
        self.leaves.spill(to)?;
        self.nodes.spill(to)
    }
}
