//! `shared`: each distinct zone once (paper 2, section 5.2).
//!
//! Zones of different discrete states are the same block when their cells
//! agree, whichever clocks the cells stand for. Counted references; a zone
//! that nobody refers to is freed.

use super::ZoneStore;
use super::slab::{Slab, Slabs};
use dwell_base::persist::{Persist, corrupt};
use dwell_base::{ChunkedVec, SpillFile, hash_bytes};
use dwell_zones::{Bound, Relation, compact};
use hashbrown::HashTable;
use std::io::{self, Read, Write};

/// Zones shared.
#[derive(Clone, Debug)]
pub struct SharedZones<B> {
    classes: Slabs<Class<B>>,
}

/// All zones with the same number of cells.
#[derive(Clone, Debug)]
struct Class<B> {
    slab: Slab<B>,
    /// References to each block; zero for a free one.
    references: ChunkedVec<u32>,
    table: HashTable<u32>,
}

impl<B: Bound> Class<B> {
    fn new(len: usize) -> Self {
        Self { slab: Slab::new(len), references: ChunkedVec::new(), table: HashTable::new() }
    }

    #[inline]
    fn save(&mut self, cells: &[B]) -> u32 {
        let hash = hash_bytes(bytes_of(cells));
        let slab = &self.slab;
        if let Some(&block) = self.table.find(hash, |&block| slab.cells(block) == cells) {
            *self.references.get_mut(block as usize) += 1;
            return block;
        }
        let block = self.slab.save(cells);
        if self.references.len() < self.slab.used() {
            self.references.push(1);
        } else {
            *self.references.get_mut(block as usize) = 1;
        }
        let slab = &self.slab;
        self.table.insert_unique(hash, block, |&block| hash_bytes(bytes_of(slab.cells(block))));
        block
    }

    fn free(&mut self, block: u32) {
        let references = self.references.get_mut(block as usize);
        *references -= 1;
        if *references == 0 {
            let hash = hash_bytes(bytes_of(self.slab.cells(block)));
            if let Ok(entry) = self.table.find_entry(hash, |&other| other == block) {
                entry.remove();
            }
            self.slab.free(block);
        }
    }

    fn bytes(&self) -> u64 {
        self.slab.bytes() + self.references.bytes() + self.table.allocation_size() as u64
    }
}

impl<B: Bound> Default for SharedZones<B> {
    fn default() -> Self {
        Self { classes: Slabs::new() }
    }
}

/// The memory of the cells.
fn bytes_of<B: Bound>(cells: &[B]) -> &[u8] {
    // SAFETY: `Bound` is sealed to i16 and i32: no padding, every byte is
    // initialised, and `u8` has no alignment to keep.
    unsafe { std::slice::from_raw_parts(cells.as_ptr().cast(), size_of_val(cells)) }
}

impl<B: Bound> SharedZones<B> {
    /// The cells of a kept zone.
    #[inline]
    pub fn cells(&self, key: u32, len: usize) -> &[B] {
        if len == 0 { &[] } else { self.classes.get(len).slab.cells(key) }
    }
}

impl<B: Bound> ZoneStore<B> for SharedZones<B> {
    #[inline]
    fn save(&mut self, cells: &[B]) -> u32 {
        if cells.is_empty() {
            return 0;
        }
        self.classes.get_mut(cells.len(), Class::new).save(cells)
    }

    looks_at_cells!();

    #[inline]
    fn free(&mut self, key: u32, len: usize) {
        if len != 0 {
            self.classes.get_mut(len, Class::new).free(key);
        }
    }

    fn unique(&self) -> Option<u64> {
        Some(self.classes.iter().map(|class| class.table.len() as u64).sum())
    }

    fn bytes(&self) -> u64 {
        self.classes.bytes(Class::bytes)
    }
}

impl<B: Bound> Persist for Class<B> {
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        self.slab.freeze(out)?;
        self.references.freeze(out)
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        self.slab.thaw(from)?;
        self.references.thaw(from)?;
        if self.references.len() != self.slab.used() {
            return Err(corrupt("not as many references as zones"));
        }
        let slab = &self.slab;
        let hash = |block: u32| hash_bytes(bytes_of(slab.cells(block)));
        self.table = HashTable::new();
        for block in (0..slab.used()).filter(|&block| self.references.get(block) > 0) {
            self.table.insert_unique(hash(block as u32), block as u32, |&block| hash(block));
        }
        Ok(())
    }

    fn spill(&mut self, to: &mut SpillFile) -> io::Result<()> {
        self.slab.spill(to)?;
        self.references.spill(to)
    }
}

impl<B: Bound> Persist for SharedZones<B> {
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        self.classes.freeze(out)
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        self.classes.thaw(from, Class::new)
    }

    fn spill(&mut self, to: &mut SpillFile) -> io::Result<()> {
        self.classes.spill(to)
    }
}
