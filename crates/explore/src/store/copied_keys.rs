//! Discrete states as words in one array, found by hash.

use super::KeyStore;
use dwell_base::{ChunkedVec, hash_words};
use hashbrown::HashTable;

/// Most words that are gathered without allocating.
const INLINE_WORDS: usize = 8;

/// Packed states, each once.
#[derive(Clone, Debug)]
pub struct CopiedKeys {
    words: usize,
    keys: ChunkedVec<u64>,
    len: u32,
    table: HashTable<u32>,
}

impl CopiedKeys {
    /// For states of `words` words.
    pub fn new(words: usize) -> Self {
        Self { words, keys: ChunkedVec::new(), len: 0, table: HashTable::new() }
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
        let entry = self.len;
        assert!(entry < u32::MAX, "more discrete states than a key can name");
        self.len += 1;
        for &word in words {
            self.keys.push(word);
        }
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

    fn len(&self) -> usize {
        self.len as usize
    }

    fn bytes(&self) -> u64 {
        self.keys.bytes() + self.table.allocation_size() as u64
    }
}
