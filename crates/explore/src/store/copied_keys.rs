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
    released: Vec<u32>,
    table: HashTable<u32>,
}

impl CopiedKeys {
    /// For states of `words` words.
    pub fn new(words: usize) -> Self {
        Self { words, keys: ChunkedVec::new(), len: 0, released: Vec::new(), table: HashTable::new() }
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
        let (keys, n) = (&self.keys, self.words);
        let same = |&entry: &u32| {
            let start = entry as usize * n;
            words.iter().enumerate().all(|(i, &word)| keys.get(start + i) == word)
        };
        if let Some(&entry) = self.table.find(hash, same) {
            return (entry, false);
        }
        let entry = match self.released.pop() {
            Some(entry) => {
                for (i, &word) in words.iter().enumerate() {
                    *self.keys.get_mut(entry as usize * n + i) = word;
                }
                entry
            }
            None => {
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
            self.released.push(entry);
        }
    }

    fn len(&self) -> usize {
        self.table.len()
    }

    fn bytes(&self) -> u64 {
        let released = self.released.capacity() * size_of::<u32>();
        self.keys.bytes() + (released + self.table.allocation_size()) as u64
    }
}

impl Persist for CopiedKeys {
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        put(out, self.len)?;
        self.keys.freeze(out)?;
        self.released.freeze(out)
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        self.len = take(from)?;
        self.keys.thaw(from)?;
        self.released.thaw(from)?;
        if self.keys.len() != self.len as usize * self.words {
            return Err(corrupt("discrete states of another size"));
        }
        let mut used = vec![true; self.len as usize];
        for &entry in &self.released {
            *used.get_mut(entry as usize).ok_or_else(|| corrupt("a released state that never was"))? = false;
        }
        let (keys, n) = (&self.keys, self.words);
        let hash = |entry: u32| hash_of(keys, entry as usize * n, n);
        self.table = HashTable::with_capacity(used.len() - self.released.len().min(used.len()));
        for entry in (0..self.len).filter(|&entry| used[entry as usize]) {
            self.table.insert_unique(hash(entry), entry, |&entry| hash(entry));
        }
        Ok(())
    }

    fn spill(&mut self, to: &mut SpillFile) -> io::Result<()> {
        self.keys.spill(to)
    }
}
