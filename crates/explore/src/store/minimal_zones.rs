//! `minimal` and `shared-minimal`: zones as minimal constraint graphs, each in
//! a block of its own, or each distinct one once (paper 2, sections 5 and 5.2;
//! Larsen, Larsson, Pettersson, Yi, RTSS 1997).
//!
//! ```text
//! minimal          | length | code …      |      a granule has four bytes;
//! shared-minimal   | references   | length | code …     the length is in granules
//! ```
//!
//! N-1 Equal zones have equal blocks, but for the references.
//! N-2 Inclusion in a stored zone is read off its few bounds. Only if they
//!     leave open whether the stored zone is the smaller one is it unpacked.
//! N-3 A graph too long for a block is kept as the cells of its zone, with a
//!     mark in its key.

use super::arena::{Arena, GRANULE};
use super::slab::Slabs;
use super::{CopiedZones, ZoneStore};
use dwell_base::persist::{Persist, corrupt};
use dwell_base::{SpillFile, hash_bytes};
use dwell_packing::MinimalCodec;
use dwell_zones::{Bound, Relation};
use hashbrown::HashTable;
use std::cell::RefCell;
use std::io::{self, Read, Write};

/// Marks the key of a zone that is kept as cells; N-3.
const PLAIN: u32 = 1 << 31;

/// Minimal graphs; shared, if there is a table.
pub struct MinimalZones<B: Bound> {
    codecs: Slabs<RefCell<MinimalCodec<B>>>,
    arena: Arena,
    /// Shared blocks, each once.
    table: Option<HashTable<u32>>,
    plain: CopiedZones<B>,
    code: Vec<u8>,
    /// The block of the prepared zone, with room for the references where there
    /// are any; empty: N-3.
    prepared: Vec<u8>,
}

impl<B: Bound> MinimalZones<B> {
    /// Every graph in a block of its own.
    pub fn copied() -> Self {
        Self {
            codecs: Slabs::new(),
            arena: Arena::default(),
            table: None,
            plain: CopiedZones::default(),
            code: Vec::new(),
            prepared: Vec::new(),
        }
    }

    /// Every distinct graph once.
    pub fn shared() -> Self {
        Self { table: Some(HashTable::new()), ..Self::copied() }
    }

    /// Bytes before the length.
    fn head(&self) -> usize {
        if self.table.is_some() { GRANULE } else { 0 }
    }

    /// The block of a key, without references.
    #[inline]
    fn block(&self, key: u32) -> &[u8] {
        block(&self.arena, key, self.head())
    }

    /// The same of the prepared zone.
    #[inline]
    fn prepared(&self) -> &[u8] {
        self.prepared.get(self.head()..).unwrap_or_default()
    }
}

fn block(arena: &Arena, key: u32, head: usize) -> &[u8] {
    let from = &arena.from(key)[head..];
    &from[..GRANULE * usize::from(from[0])]
}

/// Counts the references of a shared block; the new number.
fn count(arena: &mut Arena, key: u32, by: i32) -> u32 {
    let bytes = arena.block_mut(key, GRANULE);
    let references = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]).wrapping_add_signed(by);
    bytes.copy_from_slice(&references.to_le_bytes());
    references
}

impl<B: Bound> ZoneStore<B> for MinimalZones<B> {
    fn prepare(&mut self, cells: &[B]) {
        if cells.is_empty() {
            return;
        }
        let codec = self.codecs.get_mut(cells.len(), |cells| RefCell::new(MinimalCodec::new(cells)));
        codec.get_mut().encode(cells, &mut self.code);
        self.prepared.clear();
        let granules = (1 + self.code.len()).div_ceil(GRANULE);
        if let Ok(length) = u8::try_from(granules) {
            let head = self.head();
            self.prepared.resize(head, 0);
            self.prepared.push(length);
            self.prepared.extend_from_slice(&self.code);
            self.prepared.resize(head + GRANULE * granules, 0);
        }
    }

    fn save(&mut self, cells: &[B]) -> u32 {
        if cells.is_empty() {
            return 0;
        }
        if self.prepared.is_empty() {
            return self.plain.save(cells) | PLAIN;
        }
        let Self { arena, prepared, table, .. } = self;
        let Some(table) = table else {
            let key = arena.save(prepared);
            assert!(key < PLAIN, "more zones than a key can name");
            return key;
        };
        let code = &prepared[GRANULE..];
        let hash = hash_bytes(code);
        if let Some(&key) = table.find(hash, |&key| block(arena, key, GRANULE) == code) {
            count(arena, key, 1);
            return key;
        }
        let key = arena.save(prepared);
        assert!(key < PLAIN, "more zones than a key can name");
        count(arena, key, 1);
        table.insert_unique(hash, key, |&key| hash_bytes(block(arena, key, GRANULE)));
        key
    }

    fn read(&self, key: u32, cells: &mut [B]) {
        if cells.is_empty() {
        } else if key & PLAIN != 0 {
            self.plain.read(key & !PLAIN, cells);
        } else {
            self.codecs.get(cells.len()).borrow_mut().decode(&self.block(key)[1..], cells);
        }
    }

    fn relation(&self, cells: &[B], key: u32) -> Relation {
        if cells.is_empty() {
            return Relation::Equal;
        }
        if key & PLAIN != 0 {
            return self.plain.relation(cells, key & !PLAIN);
        }
        if self.block(key) == self.prepared() {
            return Relation::Equal; // N-1
        }
        self.codecs.get(cells.len()).borrow_mut().relation(cells, &self.block(key)[1..])
    }

    fn is_equal(&self, cells: &[B], key: u32) -> bool {
        if cells.is_empty() {
            return true;
        }
        match key & PLAIN != 0 {
            true => self.prepared.is_empty() && self.plain.is_equal(cells, key & !PLAIN),
            false => self.block(key) == self.prepared(),
        }
    }

    fn free(&mut self, key: u32, len: usize) {
        if len == 0 {
            return;
        }
        if key & PLAIN != 0 {
            return self.plain.free(key & !PLAIN, len);
        }
        let len = self.block(key).len();
        let Some(table) = &mut self.table else {
            return self.arena.free(key, len);
        };
        if count(&mut self.arena, key, -1) == 0 {
            let hash = hash_bytes(block(&self.arena, key, GRANULE));
            if let Ok(entry) = table.find_entry(hash, |&other| other == key) {
                entry.remove();
            }
            self.arena.free(key, GRANULE + len);
        }
    }

    fn unique(&self) -> Option<u64> {
        self.table.as_ref().map(|table| table.len() as u64)
    }

    fn bytes(&self) -> u64 {
        let table = self.table.as_ref().map_or(0, HashTable::allocation_size);
        self.arena.bytes() + self.plain.bytes() + table as u64
    }
}

impl<B: Bound> Persist for MinimalZones<B> {
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        self.codecs.lengths().freeze(out)?;
        self.arena.freeze(out)?;
        self.plain.freeze(out)
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        let mut lengths = Vec::<u64>::new();
        lengths.thaw(from)?;
        for len in lengths {
            if !is_cell_count(len) {
                return Err(corrupt("zones of an impossible size"));
            }
            self.codecs.get_mut(len as usize, |cells| RefCell::new(MinimalCodec::new(cells)));
        }
        self.arena.thaw(from)?;
        if let Some(table) = &mut self.table {
            let arena = &self.arena;
            let length = |from: &[u8]| from.get(GRANULE).map_or(0, |&n| GRANULE * (1 + usize::from(n)));
            for key in arena.blocks(length)? {
                let hash = hash_bytes(block(arena, key, GRANULE));
                table.insert_unique(hash, key, |&key| hash_bytes(block(arena, key, GRANULE)));
            }
        }
        self.plain.thaw(from)
    }

    fn spill(&mut self, to: &mut SpillFile) -> io::Result<()> {
        self.arena.spill(to)?;
        self.plain.spill(to)
    }
}

/// Whether there are zones with so many cells.
fn is_cell_count(cells: u64) -> bool {
    let m = (1 + 4 * cells.min(1 << 40)).isqrt().div_ceil(2);
    m < 1 << 16 && m * (m - 1) == cells
}
