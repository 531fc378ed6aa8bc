//! `bit-state`, `hash-compact` and `hash-compact-zone`: sets of passed states
//! that keep a few bits of each (paper 1, sections 4.3 and 4.4).
//!
//! States are hashed as they are stored: the packed discrete part and the
//! canonical zone over the active clocks. The tables, their formulas and the
//! hash functions are those of `dwell-packing`.

use super::{Omissions, Seen, StateSet};
use dwell_base::persist::Persist;
use dwell_model::layout::Place;
use dwell_packing::limbs::to_bytes;
use dwell_packing::{
    BitTable, BitsCodec, Entered, PaperHash, SignatureTable, Slots, Start, Universal, ZoneDigits, ZoneTable,
};
use dwell_zones::{Bound, compact};
use std::io::{self, Read, Write};

/// Hashes of states with at most so many words and cells.
pub struct StateHash {
    universal: Universal<2>,
}

impl StateHash {
    /// The member `seed` of the family.
    pub fn new(seed: u64, words: usize, cells: usize) -> Self {
        Self { universal: Universal::new(seed, words + cells.div_ceil(2)) }
    }

    /// Of a state; of its discrete part, without cells.
    fn of<B: Bound>(&self, words: &[u64], cells: &[B]) -> [u64; 2] {
        let pair = |cells: &[B]| {
            let low = cells[0].word() as u32;
            let high = cells.get(1).map_or(0, |cell| cell.word() as u32);
            u64::from(high) << 32 | u64::from(low)
        };
        self.universal.hash(words.iter().copied().chain(cells.chunks(2).map(pair)))
    }
}

/// The hash function of paper 1's experiments: the number of the state modulo
/// the size of the table. For comparison.
pub struct PositionalHash {
    places: Vec<Place>,
    digits: ZoneDigits,
}

impl PositionalHash {
    /// For states with these parts and bounds up to `largest`.
    pub fn new(places: impl Iterator<Item = Place>, largest: u32) -> Self {
        Self { places: places.collect(), digits: ZoneDigits::new(largest) }
    }

    fn of<B: Bound>(&self, words: &[u64], cells: &[B], places: u64) -> [u64; 2] {
        let parts = self.places.iter().map(|p| (words[p.word] >> p.shift & p.mask, p.values));
        let radix = u64::from(self.digits.count()) + 1;
        // A bound beyond the digits counts as one more.
        let digit = |cell: &B| self.digits.digit(*cell).map_or(radix - 1, u64::from);
        let paper = PaperHash::new(places);
        let place = paper.of_digits(parts.chain(cells.iter().map(|cell| (digit(cell), radix))));
        [paper.spread(place), 0]
    }
}

/// Which hash a bit table goes by.
pub enum BitHash {
    /// A member of a family.
    Universal(StateHash),
    /// That of the paper; every function of a state is the same.
    Positional(PositionalHash),
}

/// `bit-state`.
pub struct BitStates {
    table: BitTable,
    hash: BitHash,
}

impl BitStates {
    /// A table of so many bytes, with so many functions.
    pub fn new(bytes: u64, functions: u32, hash: BitHash) -> Self {
        Self { table: BitTable::new(usize::try_from(bytes).unwrap_or(usize::MAX), functions), hash }
    }

    fn hash<B: Bound>(&self, words: &[u64], cells: &[B]) -> [u64; 2] {
        match &self.hash {
            BitHash::Universal(hash) => hash.of(words, cells),
            BitHash::Positional(hash) => hash.of(words, cells, self.table.bits()),
        }
    }
}

impl<B: Bound> StateSet<B> for BitStates {
    fn contains(&mut self, words: &[u64], cells: &[B]) -> bool {
        self.table.contains(self.hash(words, cells))
    }

    fn insert(&mut self, words: &[u64], cells: &[B]) -> Seen {
        match self.table.insert(self.hash(words, cells)) {
            true => Seen::New { dropped: 0 },
            false => Seen::Before,
        }
    }

    fn omissions(&self) -> Omissions {
        Omissions::new(self.table.fill(), self.table.expected_omissions())
    }

    fn bytes(&self) -> u64 {
        self.table.bytes()
    }
}

/// `hash-compact`.
pub struct Signatures {
    table: SignatureTable,
    hash: StateHash,
}

impl Signatures {
    /// A table of so many bytes, with signatures of so many bits; their places
    /// come from themselves or from a hash of their own.
    pub fn new(bytes: u64, bits: u32, from_signature: bool, hash: StateHash) -> Self {
        let start = if from_signature { Start::Signature } else { Start::Independent };
        Self { table: SignatureTable::new(bytes, bits, start), hash }
    }
}

impl<B: Bound> StateSet<B> for Signatures {
    fn contains(&mut self, words: &[u64], cells: &[B]) -> bool {
        self.table.contains(self.hash.of(words, cells))
    }

    fn insert(&mut self, words: &[u64], cells: &[B]) -> Seen {
        seen(self.table.insert(self.hash.of(words, cells)), 0)
    }

    fn omissions(&self) -> Omissions {
        Omissions::new(self.table.fill(), self.table.expected_omissions())
    }

    fn bytes(&self) -> u64 {
        self.table.bytes()
    }
}

/// `hash-compact-zone`: signatures of discrete parts, with packed zones.
///
/// A zone that has no code is entered as its cells. The two are never of one
/// length where zones have as many cells, so that they are never compared:
/// where codes would be as long as cells, there are only cells.
pub struct ZonesBySignature<B> {
    table: ZoneTable,
    hash: StateHash,
    /// By the number of active clocks, the reference clock included.
    codecs: Vec<Option<BitsCodec>>,
    limbs: Vec<u64>,
    bytes: Vec<u8>,
    cells: Vec<B>,
}

impl<B: Bound> ZonesBySignature<B> {
    /// For zones of dimension `dim` with bounds up to `largest`, most of them.
    pub fn new(bytes: u64, bits: u32, hash: StateHash, dim: usize, largest: u32) -> Self {
        let digits = ZoneDigits::new(largest);
        let codec = |m: usize| {
            let cells = compact::compact_len(m);
            let codec = BitsCodec::new(digits, Slots::TestBit, cells);
            (cells > 0 && codec.bytes() < cells * size_of::<B>()).then_some(codec)
        };
        let codecs: Vec<Option<BitsCodec>> = (0..=dim).map(codec).collect();
        let plain = (0..=dim).map(|m| compact::compact_len(m) * size_of::<B>());
        let lengths: Vec<usize> = plain.chain(codecs.iter().flatten().map(BitsCodec::bytes)).collect();
        Self {
            table: ZoneTable::new(bytes, bits, &lengths),
            hash,
            codecs,
            limbs: Vec::new(),
            bytes: Vec::new(),
            cells: Vec::new(),
        }
    }
}

impl<B: Bound> StateSet<B> for ZonesBySignature<B> {
    /// Looking costs as much as entering: states are compared when they are taken.
    fn contains(&mut self, _words: &[u64], _cells: &[B]) -> bool {
        false
    }

    fn insert(&mut self, words: &[u64], cells: &[B]) -> Seen {
        let hash = self.hash.of::<B>(words, &[]);
        let Self { table, codecs, limbs, bytes, .. } = self;
        let m = (1 + 4 * cells.len()).isqrt().div_ceil(2);
        let before = table.zones();
        if let Some(codec) = &codecs[m] {
            limbs.resize(codec.limbs(), 0);
            if codec.encode(cells, limbs) {
                bytes.resize(codec.bytes(), 0);
                to_bytes(limbs, bytes);
                let entered = table.insert(hash, bytes, |old| codec.relation(limbs, old));
                return seen(entered, before + 1 - table.zones().min(before + 1));
            }
        }
        bytes.clear();
        cells.iter().for_each(|cell| bytes.extend_from_slice(&cell.word().to_le_bytes()[..size_of::<B>()]));
        let old_cells = &mut self.cells;
        let entered = table.insert(hash, bytes, |old| {
            old_cells.clear();
            old_cells.extend(old.chunks_exact(size_of::<B>()).map(|bytes| {
                let sign = if bytes[bytes.len() - 1] & 0x80 == 0 { 0 } else { 0xff };
                let mut word = [sign; 4];
                word[..bytes.len()].copy_from_slice(bytes);
                B::of(i32::from_le_bytes(word).into())
            }));
            compact::relation(cells, old_cells)
        });
        seen(entered, before + 1 - table.zones().min(before + 1))
    }

    fn omissions(&self) -> Omissions {
        Omissions::new(self.table.fill(), self.table.expected_omissions())
    }

    fn bytes(&self) -> u64 {
        self.table.bytes()
    }
}

fn seen(entered: Entered, dropped: u64) -> Seen {
    match entered {
        Entered::New => Seen::New { dropped: dropped as u32 },
        Entered::Seen => Seen::Before,
        Entered::Full => Seen::Full,
    }
}

impl Omissions {
    /// The number of omissions is that of many rare events: Poisson.
    fn new(fill: f64, expected: f64) -> Self {
        Self { fill, expected, probability: -(-expected).exp_m1(), measured: None }
    }
}

impl Persist for BitStates {
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        self.table.freeze(out)
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        self.table.thaw(from)
    }
}

impl Persist for Signatures {
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        self.table.freeze(out)
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        self.table.thaw(from)
    }
}

impl<B: Send> Persist for ZonesBySignature<B> {
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        self.table.freeze(out)
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        self.table.thaw(from)
    }
}
