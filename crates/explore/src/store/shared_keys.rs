//! `shared`: location vectors and variable vectors each once, a discrete state
//! is a pair of their numbers (paper 2, section 5.2). Long variable vectors
//! share their parts too.
//!
//! A move seldom changes the variables, and what it comes from was loaded before:
//! the variable vector met last needs no look-up.

use super::{CopiedKeys, KeyStore, TreeKeys};
use dwell_base::SpillFile;
use dwell_base::persist::Persist;
use std::cell::Cell;
use std::io::{self, Read, Write};

/// Pairs of shared parts.
#[derive(Clone, Debug)]
pub struct SharedKeys {
    location_words: usize,
    locations: CopiedKeys,
    vars: Vars,
    pairs: CopiedKeys,
}

#[derive(Clone, Debug)]
enum Vars {
    /// With the number of the vector met last.
    Whole(CopiedKeys, Cell<Option<u32>>),
    Tree(Box<TreeKeys>),
}

impl Vars {
    fn len(&self) -> usize {
        match self {
            Self::Whole(store, _) => store.len(),
            Self::Tree(store) => store.len(),
        }
    }

    fn bytes(&self) -> u64 {
        match self {
            Self::Whole(store, _) => store.bytes(),
            Self::Tree(store) => store.bytes(),
        }
    }

    fn persist(&self) -> &dyn Persist {
        match self {
            Self::Whole(store, _) => store,
            Self::Tree(store) => &**store,
        }
    }

    fn persist_mut(&mut self) -> &mut dyn Persist {
        match self {
            Self::Whole(store, _) => store,
            Self::Tree(store) => &mut **store,
        }
    }
}

impl SharedKeys {
    /// For states of `words` words of which the first `location_words` hold
    /// the locations. There must be words for the variables.
    pub fn new(location_words: usize, words: usize) -> Self {
        assert!(location_words < words, "nothing to share: one part only");
        let var_words = words - location_words;
        Self {
            location_words,
            locations: CopiedKeys::new(location_words),
            vars: match TreeKeys::pays(var_words) {
                true => Vars::Tree(Box::new(TreeKeys::new(var_words))),
                false => Vars::Whole(CopiedKeys::new(var_words), Cell::new(None)),
            },
            pairs: CopiedKeys::new(1),
        }
    }
}

impl KeyStore for SharedKeys {
    #[inline]
    fn save(&mut self, words: &[u64]) -> (u32, bool) {
        let (locations, vars) = words.split_at(self.location_words);
        let (l, _) = self.locations.save(locations);
        let v = match &mut self.vars {
            Vars::Whole(store, last) => match last.get() {
                Some(entry) if store.holds(entry, vars) => entry,
                _ => store.save(vars).0,
            },
            Vars::Tree(store) => store.save(vars),
        };
        self.pairs.save(&[u64::from(l) << 32 | u64::from(v)])
    }

    #[inline]
    fn load(&self, entry: u32, words: &mut [u64]) {
        let mut pair = [0];
        self.pairs.load(entry, &mut pair);
        let (locations, vars) = words.split_at_mut(self.location_words);
        self.locations.load((pair[0] >> 32) as u32, locations);
        match &self.vars {
            Vars::Whole(store, last) => {
                store.load(pair[0] as u32, vars);
                last.set(Some(pair[0] as u32));
            }
            Vars::Tree(store) => store.load(pair[0] as u32, vars),
        }
    }

    fn release(&mut self, entry: u32) {
        self.pairs.release(entry);
    }

    fn len(&self) -> usize {
        self.pairs.len()
    }

    fn unique_parts(&self) -> Option<(u64, u64)> {
        Some((self.locations.len() as u64, self.vars.len() as u64))
    }

    fn bytes(&self) -> u64 {
        self.locations.bytes() + self.vars.bytes() + self.pairs.bytes()
    }
}

impl Persist for SharedKeys {
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        self.locations.freeze(out)?;
        self.vars.persist().freeze(out)?;
        self.pairs.freeze(out)
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        self.locations.thaw(from)?;
        if let Vars::Whole(_, last) = &self.vars {
            last.set(None);
        }
        self.vars.persist_mut().thaw(from)?;
        self.pairs.thaw(from)
    }

    fn spill(&mut self, to: &mut SpillFile) -> io::Result<()> {
        self.locations.spill(to)?;
        self.vars.persist_mut().spill(to)?;
        self.pairs.spill(to)
    }
}
