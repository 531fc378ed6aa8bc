//! `copy`: every zone in a block of its own, without the diagonal
//! (paper 2, section 5.1).

use super::ZoneStore;
use super::slab::{Slab, Slabs};
use dwell_base::SpillFile;
use dwell_base::persist::Persist;
use dwell_zones::{Bound, Relation, compact};
use std::io::{self, Read, Write};

/// Zones copied.
#[derive(Clone, Debug)]
pub struct CopiedZones<B> {
    slabs: Slabs<Slab<B>>,
}

impl<B: Bound> Default for CopiedZones<B> {
    fn default() -> Self {
        Self { slabs: Slabs::new() }
    }
}

impl<B: Bound> CopiedZones<B> {
    #[inline]
    fn cells(&self, key: u32, len: usize) -> &[B] {
        if len == 0 { &[] } else { self.slabs.get(len).cells(key) }
    }
}

impl<B: Bound> ZoneStore<B> for CopiedZones<B> {
    #[inline]
    fn save(&mut self, cells: &[B]) -> u32 {
        if cells.is_empty() {
            return 0;
        }
        self.slabs.get_mut(cells.len(), Slab::new).save(cells)
    }

    looks_at_cells!();

    #[inline]
    fn free(&mut self, key: u32, len: usize) {
        if len != 0 {
            self.slabs.get_mut(len, Slab::new).free(key);
        }
    }

    fn bytes(&self) -> u64 {
        self.slabs.bytes(Slab::bytes)
    }
}

impl<B: Bound> Persist for CopiedZones<B> {
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        self.slabs.freeze(out)
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        self.slabs.thaw(from, Slab::new)
    }

    fn spill(&mut self, to: &mut SpillFile) -> io::Result<()> {
        self.slabs.spill(to)
    }
}
