//! Discrete states as numbers in a mixed radix, in as few bytes as the largest
//! number needs (paper 1, section 3.2).
//!
//! The paper makes one number of the discrete part and the zone. Here the
//! number is cut between the two: the zones of a discrete state share its
//! part, and the digits of a zone are as many as there are active clocks. And
//! it is cut into numbers of one word each, which cost a bit at most
//! ([`dwell_packing::fields`]).

use super::KeyStore;
use super::slab::Slab;
use dwell_base::persist::Persist;
use dwell_base::{SpillFile, hash_bytes};
use dwell_model::layout::Place;
use dwell_packing::limbs::{from_bytes, to_bytes};
use dwell_packing::{Field, FieldCodec};
use hashbrown::HashTable;
use std::cell::Cell;
use std::io::{self, Read, Write};

/// Numbers, each once.
pub struct PackedKeys {
    codec: FieldCodec,
    slab: Slab<u8>,
    table: HashTable<u32>,
    code: Vec<u64>,
    bytes: Vec<u8>,
    /// A code while it is unpacked.
    loaded: Cell<Vec<u64>>,
}

impl PackedKeys {
    /// For states with these parts.
    pub fn new(places: impl Iterator<Item = Place>) -> Self {
        let field = |place: Place| Field { word: place.word, shift: place.shift, values: place.values };
        let codec = FieldCodec::new(&places.map(field).collect::<Vec<_>>());
        // A model may have one discrete state only.
        let bytes = codec.bytes().max(1);
        let limbs = bytes.div_ceil(8);
        Self {
            slab: Slab::new(bytes),
            table: HashTable::new(),
            code: vec![0; limbs],
            bytes: vec![0; bytes],
            loaded: Cell::new(vec![0; limbs]),
            codec,
        }
    }
}

impl KeyStore for PackedKeys {
    fn save(&mut self, words: &[u64]) -> (u32, bool) {
        self.codec.pack(words, &mut self.code);
        to_bytes(&self.code, &mut self.bytes);
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
        let mut code = self.loaded.take();
        from_bytes(self.slab.cells(entry), &mut code);
        self.codec.unpack(&code, words);
        self.loaded.set(code);
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
