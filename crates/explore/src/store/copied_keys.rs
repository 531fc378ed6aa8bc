//! Discrete states as words in one array, found by hash.

use super::KeyStore;
use dwell_base::persist::{Persist, corrupt, put, take};
use dwell_base::{ChunkedVec, SpillFile, hash_words};
use hashbrown::HashTable;
use std::io::{self, Read, Write};

/// Most words that are gathered without allocating.
const INLINE_WORDS: usize = 8;

/// Packed states, each once.
#[derive(Clone, Debug)]
pub struct CopiedKeys {
    words: usize,
    keys: ChunkedVec<u64>,
    /// Numbers handed out, released ones included.
    len: u32,
    /// The first of those that were released; each has the next one in its first
    /// word, so that they take no room beside.
    released: u32,
    table: HashTable<u32>,
}

/// No entry.
const NONE: u32 = u32::MAX;

impl CopiedKeys {
    /// For states of `words` words.
    pub fn new(words: usize) -> Self {
        Self { words, keys: ChunkedVec::new(), len: 0, released: NONE, table: HashTable::new() }
    }

    /// States that left leave marks in the table. Where it is full of them it is
    /// made anew in its size, not doubled, unless that would soon be full again.
    #[inline]
    fn make_room(&mut self) {
        let (len, most) = (self.table.len(), self.table.num_buckets() / 8 * 7);
        if len == self.table.capacity()
            && len >= most / 2
            && len < most / 8 * 7
            && let Some(released) = self.released()
        {
            self.fill(&released);
        }
    }

    /// A bit for each entry that was released; `None` if the chain of them is
    /// broken.
    fn released(&self) -> Option<Vec<u64>> {
        let mut released = vec![0_u64; (self.len as usize).div_ceil(64)];
        let mut at = self.released;
        while at != NONE {
            let word = released.get_mut(at as usize / 64).filter(|_| at < self.len)?;
            let bit = 1 << (at % 64);
            if *word & bit != 0 {
                return None;
            }
            *word |= bit;
            at = self.keys.get(at as usize * self.words) as u32;
        }
        Some(released)
    }

    /// Makes the table anew, in place: there need not be room for a second one.
    #[cold]
    fn fill(&mut self, released: &[u64]) {
        let (keys, n) = (&self.keys, self.words);
        let hash = |entry: u32| hash_of(keys, entry as usize * n, n);
        self.table.clear();
        for entry in (0..self.len).filter(|entry| released[*entry as usize / 64] >> (entry % 64) & 1 == 0) {
            self.table.insert_unique(hash(entry), entry, |&entry| hash(entry));
        }
    }
}

impl CopiedKeys {
    /// Whether these are the words of an entry.
    #[inline]
    pub(super) fn holds(&self, entry: u32, words: &[u64]) -> bool {
        let start = entry as usize * self.words;
        words.iter().enumerate().all(|(i, &word)| self.keys.get(start + i) == word)
    }
}

/// Hash of the words `start..start + words` of `keys`.
fn hash_of(keys: &ChunkedVec<u64>, start: usize, words: usize) -> u64 {
    if words == 1 {
        return hash_words(&[keys.get(start)]);
    }
    if words <= INLINE_WORDS {
        let mut gathered = [0; INLINE_WORDS];
        for (i, word) in gathered[..words].iter_mut().enumerate() {
            *word = keys.get(start + i);
        }
        return hash_words(&gathered[..words]);
    }
    hash_words(&(start..start + words).map(|i| keys.get(i)).collect::<Vec<_>>())
}

impl KeyStore for CopiedKeys {
    #[inline]
    fn save(&mut self, words: &[u64]) -> (u32, bool) {
        let hash = hash_words(words);
        if let Some(&entry) = self.table.find(hash, |&entry| self.holds(entry, words)) {
            return (entry, false);
        }
        let n = self.words;
        self.make_room();
        let entry = match self.released {
            entry if entry != NONE => {
                self.released = self.keys.get(entry as usize * n) as u32;
                for (i, &word) in words.iter().enumerate() {
                    *self.keys.get_mut(entry as usize * n + i) = word;
                }
                entry
            }
            _ => {
                assert!(self.len < u32::MAX, "more discrete states than a key can name");
                self.len += 1;
                words.iter().for_each(|&word| self.keys.push(word));
                self.len - 1
            }
        };
        let keys = &self.keys;
        self.table.insert_unique(hash, entry, |&entry| hash_of(keys, entry as usize * n, n));
        (entry, true)
    }

    #[inline]
    fn load(&self, entry: u32, words: &mut [u64]) {
        let start = entry as usize * self.words;
        for (i, word) in words.iter_mut().enumerate() {
            *word = self.keys.get(start + i);
        }
    }

    fn release(&mut self, entry: u32) {
        let hash = hash_of(&self.keys, entry as usize * self.words, self.words);
        if let Ok(found) = self.table.find_entry(hash, |&other| other == entry) {
            found.remove();
            *self.keys.get_mut(entry as usize * self.words) = self.released.into();
            self.released = entry;
        }
    }

    fn len(&self) -> usize {
        self.table.len()
    }

    fn bytes(&self) -> u64 {
        self.keys.bytes() + self.table.allocation_size() as u64
    }
}

impl Persist for CopiedKeys {
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        put(out, self.len)?;
        self.keys.freeze(out)?;
        put(out, self.released)
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        self.len = take(from)?;
        self.keys.thaw(from)?;
        self.released = take(from)?;
        if self.keys.len() != self.len as usize * self.words {
            return Err(corrupt("discrete states of another size"));
        }
        let released = self.released().ok_or_else(|| corrupt("a released state that never was"))?;
        let left: u32 = released.iter().map(|word| word.count_ones()).sum();
        self.table = HashTable::with_capacity((self.len - left) as usize);
        self.fill(&released);
        Ok(())
    }

    fn spill(&mut self, to: &mut SpillFile) -> io::Result<()> {
        self.keys.spill(to)
    }
}
