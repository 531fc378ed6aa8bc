//! `words`: a 32-bit word for every location, variable and bound (paper 1,
//! section 3.1). What papers 1 and 2 compare with; for comparison only.
//!
//! A matrix is stored whole, with its diagonal and all clocks, active or not:
//! the store of the time knew no others. Only the cells of active clocks are
//! looked at.

use super::slab::Slab;
use super::{CopiedKeys, KeyStore, ZoneStore};
use dwell_base::SpillFile;
use dwell_base::persist::Persist;
use dwell_model::layout::Place;
use dwell_zones::{Bound, Relation};
use std::cell::Cell;
use std::io::{self, Read, Write};

/// Discrete states, a word for each part.
pub struct WordKeys {
    places: Vec<Place>,
    keys: CopiedKeys,
    /// Two parts to an element.
    pairs: Vec<u64>,
    /// The same while they are unpacked.
    loaded: Cell<Vec<u64>>,
}

impl WordKeys {
    /// For states with these parts.
    pub fn new(places: impl Iterator<Item = Place>) -> Self {
        let places: Vec<Place> = places.collect();
        let pairs = places.len().div_ceil(2).max(1);
        Self {
            places,
            keys: CopiedKeys::new(pairs),
            pairs: vec![0; pairs],
            loaded: Cell::new(vec![0; pairs]),
        }
    }
}

impl KeyStore for WordKeys {
    fn save(&mut self, words: &[u64]) -> (u32, bool) {
        self.pairs.fill(0);
        for (i, place) in self.places.iter().enumerate() {
            self.pairs[i / 2] |= ((words[place.word] >> place.shift) & place.mask) << (i % 2 * 32);
        }
        self.keys.save(&self.pairs)
    }

    fn load(&self, entry: u32, words: &mut [u64]) {
        words.fill(0);
        let mut pairs = self.loaded.take();
        self.keys.load(entry, &mut pairs);
        for (i, place) in self.places.iter().enumerate() {
            words[place.word] |= (pairs[i / 2] >> (i % 2 * 32) & place.mask) << place.shift;
        }
        self.loaded.set(pairs);
    }

    fn release(&mut self, entry: u32) {
        self.keys.release(entry);
    }

    fn len(&self) -> usize {
        self.keys.len()
    }

    fn bytes(&self) -> u64 {
        self.keys.bytes()
    }
}

/// Zones as whole matrices.
pub struct WordZones {
    slab: Slab<i32>,
    matrix: Vec<i32>,
}

impl WordZones {
    /// For zones over `dim` clocks, the reference clock included.
    pub fn new(dim: usize) -> Self {
        let cells = (dim * dim).max(1);
        Self { slab: Slab::new(cells), matrix: vec![0; cells] }
    }
}

impl<B: Bound> ZoneStore<B> for WordZones {
    fn save(&mut self, cells: &[B]) -> u32 {
        self.matrix.iter_mut().zip(cells).for_each(|(word, cell)| *word = cell.value() as i32);
        self.slab.save(&self.matrix)
    }

    fn read(&self, key: u32, cells: &mut [B]) {
        cells.iter_mut().zip(self.slab.cells(key)).for_each(|(cell, &word)| *cell = B::of(word.into()));
    }

    fn relation(&self, cells: &[B], key: u32) -> Relation {
        let (mut below, mut above) = (true, true);
        for (cell, &old) in cells.iter().zip(self.slab.cells(key)) {
            below &= cell.value() <= old.into();
            above &= cell.value() >= old.into();
            if !(below || above) {
                return Relation::Incomparable;
            }
        }
        match (below, above) {
            (true, true) => Relation::Equal,
            (true, false) => Relation::Subset,
            (false, _) => Relation::Superset,
        }
    }

    fn is_equal(&self, cells: &[B], key: u32) -> bool {
        cells.iter().zip(self.slab.cells(key)).all(|(cell, &old)| cell.value() == i64::from(old))
    }

    fn free(&mut self, key: u32, _len: usize) {
        self.slab.free(key);
    }

    fn bytes(&self) -> u64 {
        self.slab.bytes()
    }
}

impl Persist for WordKeys {
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        self.keys.freeze(out)
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        self.keys.thaw(from)
    }

    fn spill(&mut self, to: &mut SpillFile) -> io::Result<()> {
        self.keys.spill(to)
    }
}

impl Persist for WordZones {
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        self.slab.freeze(out)
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        self.slab.thaw(from)
    }

    fn spill(&mut self, to: &mut SpillFile) -> io::Result<()> {
        self.slab.spill(to)
    }
}
