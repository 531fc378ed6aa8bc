//! Discrete states as numbers in a mixed radix, in as few bytes as the largest
//! number needs (paper 1, section 3.2).
//!
//! The paper makes one number of the discrete part and the zone. Here the
//! number is cut between the two: the zones of a discrete state share its
//! part, and the digits of a zone are as many as there are active clocks.

use super::KeyStore;
use super::slab::Slab;
use dwell_base::persist::Persist;
use dwell_base::{SpillFile, hash_bytes};
use dwell_model::layout::Place;
use dwell_packing::Radices;
use dwell_packing::limbs::{from_bytes, to_bytes};
use hashbrown::HashTable;
use std::cell::Cell;
use std::io::{self, Read, Write};

/// Numbers, each once.
pub struct PackedKeys {
    /// What has more than one value.
    places: Vec<Place>,
    radices: Radices,
    slab: Slab<u8>,
    table: HashTable<u32>,
    digits: Vec<u32>,
    number: Vec<u64>,
    bytes: Vec<u8>,
    /// A number while it is unpacked, and its digits.
    loaded: Cell<(Vec<u64>, Vec<u32>)>,
}

impl PackedKeys {
    /// For states with these parts.
    pub fn new(places: impl Iterator<Item = Place>) -> Self {
        let places: Vec<Place> = places.filter(|place| place.values > 1).collect();
        let values: Vec<u64> = places.iter().map(|place| place.values).collect();
        let radices = Radices::new(&values, &[]);
        // A model may have one discrete state only.
        let bytes = radices.bytes().max(1);
        Self {
            slab: Slab::new(bytes),
            table: HashTable::new(),
            digits: vec![0; places.len()],
            number: vec![0; radices.limbs()],
            bytes: vec![0; bytes],
            loaded: Cell::new((vec![0; radices.limbs()], vec![0; places.len()])),
            places,
            radices,
        }
    }
}

impl KeyStore for PackedKeys {
    fn save(&mut self, words: &[u64]) -> (u32, bool) {
        for (digit, place) in self.digits.iter_mut().zip(&self.places) {
            *digit = ((words[place.word] >> place.shift) & place.mask) as u32;
        }
        if !self.number.is_empty() {
            self.radices.pack(&self.digits, &mut self.number);
            to_bytes(&self.number, &mut self.bytes);
        }
        let hash = hash_bytes(&self.bytes);
        let slab = &self.slab;
        if let Some(&entry) = self.table.find(hash, |&entry| slab.cells(entry) == self.bytes) {
            return (entry, false);
        }
        let entry = self.slab.save(&self.bytes);
        let slab = &self.slab;
        self.table.insert_unique(hash, entry, |&entry| hash_bytes(slab.cells(entry)));
        (entry, true)
    }

    fn load(&self, entry: u32, words: &mut [u64]) {
        words.fill(0);
        let (mut number, mut digits) = self.loaded.take();
        if !number.is_empty() {
            from_bytes(self.slab.cells(entry), &mut number);
            self.radices.unpack(&number, &mut digits);
        }
        for (&digit, place) in digits.iter().zip(&self.places) {
            words[place.word] |= u64::from(digit) << place.shift;
        }
        self.loaded.set((number, digits));
    }

    fn release(&mut self, entry: u32) {
        let hash = hash_bytes(self.slab.cells(entry));
        if let Ok(found) = self.table.find_entry(hash, |&other| other == entry) {
            found.remove();
            self.slab.free(entry);
        }
    }

    fn len(&self) -> usize {
        self.table.len()
    }

    fn bytes(&self) -> u64 {
        self.slab.bytes() + self.table.allocation_size() as u64
    }
}

impl Persist for PackedKeys {
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        self.slab.freeze(out)
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        self.slab.thaw(from)?;
        let slab = &self.slab;
        self.table = HashTable::with_capacity(slab.used());
        for entry in slab.blocks() {
            self.table
                .insert_unique(hash_bytes(slab.cells(entry)), entry, |&entry| hash_bytes(slab.cells(entry)));
        }
        Ok(())
    }

    fn spill(&mut self, to: &mut SpillFile) -> io::Result<()> {
        self.slab.spill(to)
    }
}
