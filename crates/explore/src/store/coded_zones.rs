//! `packed-number` and `packed-bits`: zones of one size as codes of one size
//! (paper 1, sections 3.2 and 3.3).
//!
//! C-1 A code is compared with codes; the new zone is coded once, when the
//!     store is prepared for it.
//! C-2 A zone with a bound beyond the digits has no code. It is kept as it is,
//!     with a mark in its key; sums of bounds seldom leave the constants of the
//!     model, exact zones often do.

use super::slab::{Slab, Slabs};
use super::{CopiedZones, ZoneStore};
use dwell_base::SpillFile;
use dwell_base::persist::Persist;
use dwell_packing::limbs::{is_equal, to_bytes};
use dwell_packing::{BitsCodec, NumberCodec, Slots, ZoneDigits};
use dwell_zones::{Bound, Relation, compact};
use std::cell::Cell;
use std::io::{self, Read, Write};

/// Marks the key of a zone without a code; C-2.
const PLAIN: u32 = 1 << 31;

/// A way to code the zones of one size.
pub trait ZoneCode: Send {
    /// For zones of so many cells.
    fn new(digits: ZoneDigits, cells: usize) -> Self;
    /// Bytes of a code.
    fn bytes(&self) -> usize;
    /// Writes a code; false if there is none.
    fn encode<B: Bound>(&self, cells: &[B], limbs: &mut [u64]) -> bool;
    /// Writes the cells of a stored code.
    fn decode<B: Bound>(&self, bytes: &[u8], cells: &mut [B]);
    /// How the zone of a code stands to that of a stored one.
    fn relation(&self, limbs: &[u64], bytes: &[u8]) -> Relation;
}

/// Codes as blocks of bytes.
pub struct CodedZones<B, C> {
    digits: ZoneDigits,
    classes: Slabs<Class<C>>,
    plain: CopiedZones<B>,
    /// The prepared zone, if it has a code; C-1.
    prepared: Vec<u64>,
    has_code: bool,
    /// The prepared code as it is stored.
    bytes: Vec<u8>,
    /// A stored zone while it is compared with one that has no code.
    cells: Cell<Vec<B>>,
}

/// All zones with the same number of cells.
struct Class<C> {
    code: C,
    bytes: usize,
    limbs: usize,
    slab: Slab<u8>,
}

impl<C: ZoneCode> Class<C> {
    fn new(digits: ZoneDigits, cells: usize) -> Self {
        let code = C::new(digits, cells);
        let bytes = code.bytes();
        Self { bytes, limbs: bytes.div_ceil(8), slab: Slab::new(bytes), code }
    }
}

impl<B: Bound, C: ZoneCode> CodedZones<B, C> {
    /// For zones whose bounds lie within `-largest..=largest`, most of them.
    pub fn new(largest: u32) -> Self {
        Self {
            digits: ZoneDigits::new(largest),
            classes: Slabs::new(),
            plain: CopiedZones::default(),
            prepared: Vec::new(),
            has_code: false,
            bytes: Vec::new(),
            cells: Cell::default(),
        }
    }
}

impl<B: Bound, C: ZoneCode> ZoneStore<B> for CodedZones<B, C> {
    fn prepare(&mut self, cells: &[B]) {
        if cells.is_empty() {
            return;
        }
        let class = self.classes.get_mut(cells.len(), |len| Class::new(self.digits, len));
        self.prepared.resize(class.limbs, 0);
        self.has_code = class.code.encode(cells, &mut self.prepared);
    }

    fn save(&mut self, cells: &[B]) -> u32 {
        if cells.is_empty() {
            return 0;
        }
        if !self.has_code {
            return self.plain.save(cells) | PLAIN;
        }
        let class = self.classes.get_mut(cells.len(), |len| Class::new(self.digits, len));
        self.bytes.resize(class.bytes, 0);
        to_bytes(&self.prepared, &mut self.bytes);
        let key = class.slab.save(&self.bytes);
        assert!(key < PLAIN, "more zones of one size than a key can name");
        key
    }

    fn read(&self, key: u32, cells: &mut [B]) {
        if cells.is_empty() {
        } else if key & PLAIN != 0 {
            self.plain.read(key & !PLAIN, cells);
        } else {
            let class = self.classes.get(cells.len());
            class.code.decode(class.slab.cells(key), cells);
        }
    }

    fn relation(&self, cells: &[B], key: u32) -> Relation {
        if cells.is_empty() {
            return Relation::Equal;
        }
        if key & PLAIN != 0 {
            return self.plain.relation(cells, key & !PLAIN);
        }
        if !self.has_code {
            let mut old = self.cells.take();
            old.resize(cells.len(), B::INF);
            self.read(key, &mut old);
            let relation = compact::relation(cells, &old);
            self.cells.set(old);
            return relation;
        }
        let class = self.classes.get(cells.len());
        class.code.relation(&self.prepared, class.slab.cells(key))
    }

    /// Codes are canonical.
    fn is_equal(&self, cells: &[B], key: u32) -> bool {
        if cells.is_empty() {
            return true;
        }
        match (key & PLAIN != 0, self.has_code) {
            (true, false) => self.plain.is_equal(cells, key & !PLAIN),
            (false, true) => is_equal(self.classes.get(cells.len()).slab.cells(key), &self.prepared),
            _ => false,
        }
    }

    fn free(&mut self, key: u32, len: usize) {
        if len == 0 {
        } else if key & PLAIN != 0 {
            self.plain.free(key & !PLAIN, len);
        } else {
            self.classes.get_mut(len, |len| Class::new(self.digits, len)).slab.free(key);
        }
    }

    fn bytes(&self) -> u64 {
        self.plain.bytes() + self.classes.bytes(|class| class.slab.bytes())
    }
}

impl<C: Send> Persist for Class<C> {
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

impl<B: Bound, C: ZoneCode> Persist for CodedZones<B, C> {
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        self.classes.freeze(out)?;
        self.plain.freeze(out)
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        self.classes.thaw(from, |len| Class::new(self.digits, len))?;
        self.plain.thaw(from)
    }

    fn spill(&mut self, to: &mut SpillFile) -> io::Result<()> {
        self.classes.spill(to)?;
        self.plain.spill(to)
    }
}

impl ZoneCode for NumberCodec {
    fn new(digits: ZoneDigits, cells: usize) -> Self {
        Self::new(digits, cells)
    }
    fn bytes(&self) -> usize {
        self.radices().bytes()
    }
    fn encode<B: Bound>(&self, cells: &[B], limbs: &mut [u64]) -> bool {
        self.encode(cells, limbs)
    }
    fn decode<B: Bound>(&self, bytes: &[u8], cells: &mut [B]) {
        self.decode(bytes, cells);
    }
    fn relation(&self, limbs: &[u64], bytes: &[u8]) -> Relation {
        self.relation(limbs, bytes)
    }
}

impl ZoneCode for BitsCodec {
    fn new(digits: ZoneDigits, cells: usize) -> Self {
        Self::new(digits, Slots::TestBit, cells)
    }
    fn bytes(&self) -> usize {
        self.bytes()
    }
    fn encode<B: Bound>(&self, cells: &[B], limbs: &mut [u64]) -> bool {
        self.encode(cells, limbs)
    }
    fn decode<B: Bound>(&self, bytes: &[u8], cells: &mut [B]) {
        self.decode(bytes, cells);
    }
    fn relation(&self, limbs: &[u64], bytes: &[u8]) -> Relation {
        self.relation(limbs, bytes)
    }
}
