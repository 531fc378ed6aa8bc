//! `hash-compact-zone`: a signature of the discrete part, and the packed zone beside it
//! (paper 1, section 4.4, the second table).
//!
//! A slot is a signature of b + 1 bits, the number of the zone's length among the lengths
//! that occur, and a block of bytes that has room for the longest. The zones of one discrete
//! state take slots on one way of double hashing.
//!
//! ```text
//! bit 0                      b + 1
//! ├─ signature ────────────────┤ ├─ length ─┤   0 empty, 1 removed, else used
//! ```
//!
//! - **W-1** On the way of a hash, up to the first empty slot, lie all zones entered with it
//!   that were not removed.
//! - **W-2** No two zones of one signature contain each other: a new one that is covered is
//!   not entered, and those that it covers are removed.
//! - **W-3** A removed slot is not empty, for ways may lead through it; it is used again by
//!   the next new zone on its way. Once all but 1 / 128 of the slots are no longer empty,
//!   only such slots are left.
//! - **W-4** Zones of different lengths are never compared, so that comparison is a partial
//!   order even where signatures agree by chance, and what is covered once stays covered.
//! - **W-5** A state is omitted only if another discrete state has its signature *and* a zone
//!   there covers its own. Each unlike signature on the way of an entered zone could have
//!   been alike with probability 1 / (2^(b+1) - 2), so their number times that bounds the
//!   expected omissions from above.

use crate::signatures::{Entered, SIGNATURE_BITS, capacity, slots_in};
use crate::slots::{Probes, SlotArray};
use crate::universal::place;
use dwell_base::persist::{Persist, corrupt, put, take};
use dwell_zones::Relation;
use std::io::{self, Read, Write};

const EMPTY: u64 = 0;
const REMOVED: u64 = 1;

/// A table of signatures with zones.
#[derive(Clone, Debug)]
pub struct ZoneTable {
    table: SlotArray,
    slots: u64,
    /// Bits of a signature in its slot.
    width: u32,
    /// Lengths of zones in bytes, ascending; W-4.
    lengths: Vec<usize>,
    block: usize,
    blocks: Vec<u8>,
    zones: u64,
    /// Slots that are not empty; removed ones are among them.
    used: u64,
    compared: u64,
}

impl ZoneTable {
    /// A table of at most `bytes` bytes, with signatures of `bits` bits, brought into
    /// [`SIGNATURE_BITS`], and zones of the given lengths in bytes. It has one slot at least.
    pub fn new(bytes: u64, bits: u32, lengths: &[usize]) -> Self {
        let mut lengths = lengths.to_vec();
        lengths.sort_unstable();
        lengths.dedup();
        let block = lengths.last().copied().unwrap_or(0);
        let length_bits = lengths.len().max(1).next_power_of_two().ilog2();
        let width = bits.clamp(*SIGNATURE_BITS.start(), *SIGNATURE_BITS.end()) + 1;
        // No model has so many lengths that fewer than seven bits are left.
        let width = width.min(64 - length_bits);
        let slots = slots_in(bytes, u64::from(width + length_bits) + 8 * block as u64);
        Self {
            table: SlotArray::new(slots, width + length_bits),
            slots,
            width,
            lengths,
            block,
            blocks: vec![0; slots as usize * block],
            zones: 0,
            used: 0,
            compared: 0,
        }
    }

    /// Enters a zone by two hashes of its discrete part. `relation` says how the new zone
    /// stands to a zone of the table of the same length.
    #[inline]
    pub fn insert(
        &mut self,
        hash: [u64; 2],
        zone: &[u8],
        mut relation: impl FnMut(&[u8]) -> Relation,
    ) -> Entered {
        let length = self.lengths.binary_search(&zone.len()).expect("a zone of a length that was announced");
        let signature =
            (length as u64).checked_shl(self.width).unwrap_or(0) | (2 + place(hash[1], self.values()));
        let (mut target, mut unlike) = (None, 0);
        for slot in Probes::new(hash[0], self.slots) {
            match self.table.get(slot) {
                EMPTY => {
                    if target.is_none() && self.used < capacity(self.slots) {
                        target = Some(slot);
                        self.used += 1;
                    }
                    break;
                }
                REMOVED => target = target.or(Some(slot)),
                other if other == signature => {
                    let from = slot as usize * self.block;
                    match relation(&self.blocks[from..from + zone.len()]) {
                        Relation::Equal | Relation::Subset => return Entered::Seen,
                        Relation::Superset => {
                            self.table.set(slot, REMOVED);
                            self.zones -= 1;
                            target = target.or(Some(slot));
                        }
                        Relation::Incomparable => {}
                    }
                }
                _ => unlike += 1,
            }
        }
        let Some(slot) = target else { return Entered::Full };
        self.table.set(slot, signature);
        let from = slot as usize * self.block;
        self.blocks[from..from + zone.len()].copy_from_slice(zone);
        self.zones += 1;
        self.compared += unlike;
        Entered::New
    }

    /// Signatures there are.
    #[inline(always)]
    fn values(&self) -> u64 {
        (u64::MAX >> (64 - self.width)) - 1
    }

    /// Zones in the table.
    pub fn zones(&self) -> u64 {
        self.zones
    }

    /// Number of slots.
    pub fn slots(&self) -> u64 {
        self.slots
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        self.table.bytes() + self.blocks.len() as u64
    }

    /// The fraction of slots that are not empty.
    pub fn fill(&self) -> f64 {
        self.used as f64 / self.slots as f64
    }

    /// At most so many states were probably taken for others; W-5.
    pub fn expected_omissions(&self) -> f64 {
        self.compared as f64 / self.values() as f64
    }
}

impl Persist for ZoneTable {
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        self.table.freeze(out)?;
        self.blocks.freeze(out)?;
        put(out, self.zones)?;
        put(out, self.used)?;
        put(out, self.compared)
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        let size = self.blocks.len();
        self.table.thaw(from)?;
        self.blocks.thaw(from)?;
        (self.zones, self.used, self.compared) = (take(from)?, take(from)?, take(from)?);
        if self.blocks.len() == size { Ok(()) } else { Err(corrupt("a table of another size")) }
    }
}
