//! `minimal`: a zone as the bytes of its minimal constraint graph.
//!
//! Larsen, Larsson, Pettersson, Yi, *Efficient verification of real-time systems: compact
//! data structure and state-space reduction*, RTSS 1997. Of n cells, c are kept; they are
//! named by a bitmap or by a list of their numbers, whichever is shorter:
//!
//! ```text
//! bit 0         0 bitmap, 1 list
//! bits 1..6     w, the bits of a bound
//! bitmap        n bits, the first cell first
//! or list       c in ⌈log2 (n + 1)⌉ bits, then c numbers of ⌈log2 n⌉ bits, ascending
//! bounds        c words of w bits each, signed, in the order of the cells
//! padding       zeros up to a whole byte
//! ```
//!
//! w is the least that holds the largest of them, so every zone has a code and small
//! constants take few bits.
//!
//! - **G-1** The code determines the zone and the zone its code: equal zones have equal bytes.
//! - **G-2** A kept bound is the bound of the closed zone. So a zone is inside iff its cells
//!   are at most the kept bounds, and the zone is not inside another if one of them is above
//!   the other's cell. Only what neither decides needs the closed zone back, in O(m³).

use dwell_zones::{Bound, MinimalGraph, Relation, Zone, compact};

/// Bits of the head: form and width.
const HEAD: usize = 6;

/// Minimal graphs of zones of one number of cells, with the room to make them.
#[derive(Clone, Debug)]
pub struct MinimalCodec<B: Bound> {
    zone: Zone<B>,
    active: Vec<u16>,
    graph: MinimalGraph<B>,
    /// (cell, word) of the edges, in the order of the code.
    edges: Vec<(u32, i32)>,
    cells: Vec<B>,
}

impl<B: Bound> MinimalCodec<B> {
    /// For zones of `cells` cells: m (m - 1) for m active indices.
    pub fn new(cells: usize) -> Self {
        let m = (1 + 4 * cells).isqrt().div_ceil(2);
        assert_eq!(compact::compact_len(m), cells, "no zone has so many cells");
        Self {
            zone: Zone::new(m),
            active: (0..m as u16).collect(),
            graph: MinimalGraph::with_capacity(m),
            edges: Vec::with_capacity(cells),
            cells: vec![B::INF; cells],
        }
    }

    /// Makes `code` the code of a zone.
    pub fn encode(&mut self, cells: &[B], code: &mut Vec<u8>) {
        compact::unpack(cells, &self.active, &mut self.zone);
        self.graph.reduce(&self.zone);
        let width = self.active.len().saturating_sub(1);
        self.edges.clear();
        self.edges.extend(self.graph.edges().iter().map(|&(i, j, b)| {
            let cell = usize::from(i) * width + usize::from(j) - usize::from(j > i);
            (cell as u32, b.word())
        }));
        self.edges.sort_unstable();
        code.clear();
        write(&self.edges, cells.len(), code);
    }

    /// Writes the cells of a zone.
    pub fn decode(&mut self, code: &[u8], cells: &mut [B]) {
        assert_eq!(cells.len(), self.cells.len(), "wrong number of cells");
        self.close(code);
        cells.copy_from_slice(&self.cells);
    }

    /// Unpacks a zone to `self.cells`.
    fn close(&mut self, code: &[u8]) {
        let width = self.active.len().saturating_sub(1);
        self.zone.set_universe();
        for (cell, b) in Edges::<B>::new(code, self.cells.len()) {
            let (i, j) = (cell / width, cell % width);
            self.zone.tighten(i, j + usize::from(j >= i), b);
        }
        let non_empty = self.zone.close();
        debug_assert!(non_empty && !self.zone.overflowed(), "a graph comes from a zone");
        compact::pack(&self.zone, &self.active, &mut self.cells);
    }

    /// Is the zone of `cells` contained in that of a code? Unpacks nothing; G-2.
    pub fn included(&self, cells: &[B], code: &[u8]) -> bool {
        assert_eq!(cells.len(), self.cells.len(), "wrong number of cells");
        Edges::<B>::new(code, cells.len()).all(|(cell, b)| cells[cell] <= b)
    }

    /// How the zone of `cells` stands to that of a code. Unpacks it only where its bounds
    /// leave open whether it is contained in the other. Who has the code of `cells` too
    /// finds equal zones sooner by comparing codes; G-1.
    pub fn relation(&mut self, cells: &[B], code: &[u8]) -> Relation {
        assert_eq!(cells.len(), self.cells.len(), "wrong number of cells");
        let (mut above, mut below) = (false, false);
        for (cell, b) in Edges::<B>::new(code, cells.len()) {
            above |= cells[cell] > b;
            below |= cells[cell] < b;
            if above && below {
                return Relation::Incomparable;
            }
        }
        if below {
            return Relation::Subset;
        }
        self.close(code);
        compact::relation(cells, &self.cells)
    }
}

/// Bits for a number up to `largest`.
fn bits_for(largest: usize) -> usize {
    (usize::BITS - largest.leading_zeros()) as usize
}

fn write(edges: &[(u32, i32)], cells: usize, code: &mut Vec<u8>) {
    let (count_bits, index_bits) = (bits_for(cells), bits_for(cells.saturating_sub(1)));
    let list = count_bits + edges.len() * index_bits < cells;
    let needed = |word: i32| bits_for((if word < 0 { !word } else { word }) as usize) + 1;
    let width = edges.iter().map(|&(_, word)| needed(word)).max().unwrap_or(0);
    let mut out = Writer { code, last: 0, used: 0 };
    out.put(u64::from(list) | (width as u64) << 1, HEAD);
    if list {
        out.put(edges.len() as u64, count_bits);
        for &(cell, _) in edges {
            out.put(cell.into(), index_bits);
        }
    } else {
        let mut left = edges;
        for first in (0..cells).step_by(32) {
            let here = left.partition_point(|&(cell, _)| (cell as usize) < first + 32);
            let map = left[..here].iter().fold(0, |map, &(cell, _)| map | 1 << (cell as usize - first));
            out.put(map, (cells - first).min(32));
            left = &left[here..];
        }
    }
    for &(_, word) in edges {
        out.put(word as u64 & ((1 << width) - 1), width);
    }
    out.finish();
}

struct Writer<'a> {
    code: &'a mut Vec<u8>,
    last: u64,
    used: usize,
}

impl Writer<'_> {
    /// Appends the low `width` bits of `value`, at most 32; the others are zero.
    #[inline(always)]
    fn put(&mut self, value: u64, width: usize) {
        self.last |= value << self.used;
        self.used += width;
        if self.used >= 32 {
            self.code.extend_from_slice(&(self.last as u32).to_le_bytes());
            self.last >>= 32;
            self.used -= 32;
        }
    }

    fn finish(self) {
        self.code.extend_from_slice(&self.last.to_le_bytes()[..self.used.div_ceil(8)]);
    }
}

/// `width` bits at `bit`, at most 32; zeros beyond the end.
#[inline(always)]
fn read(code: &[u8], bit: usize, width: usize) -> u64 {
    let from = code.get(bit / 8..).unwrap_or(&[]);
    let word = match from.first_chunk() {
        Some(&eight) => u64::from_le_bytes(eight),
        None => from.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
    };
    word >> (bit % 8) & ((1 << width) - 1)
}

/// The kept cells and their bounds.
struct Edges<'a, B> {
    code: &'a [u8],
    left: usize,
    names: Names,
    bound_bit: usize,
    width: usize,
    bounds: std::marker::PhantomData<B>,
}

enum Names {
    /// Where the next number is, and its bits.
    List { bit: usize, width: usize },
    /// What is left of the part of the map whose first cell is `first`.
    Map { map: u64, first: usize },
}

impl<'a, B: Bound> Edges<'a, B> {
    #[inline(always)]
    fn new(code: &'a [u8], cells: usize) -> Self {
        let head = read(code, 0, HEAD);
        let (count_bits, index_bits) = (bits_for(cells), bits_for(cells.saturating_sub(1)));
        let (left, names, bound_bit) = if head & 1 == 1 {
            let count = read(code, HEAD, count_bits) as usize;
            let bit = HEAD + count_bits;
            (count, Names::List { bit, width: index_bits }, bit + count * index_bits)
        } else {
            let part = |first: usize| read(code, HEAD + first, (cells - first).min(32));
            let count = (0..cells).step_by(32).map(|first| part(first).count_ones() as usize).sum();
            (count, Names::Map { map: if cells == 0 { 0 } else { part(0) }, first: 0 }, HEAD + cells)
        };
        Self { code, left, names, bound_bit, width: (head >> 1) as usize, bounds: std::marker::PhantomData }
    }
}

impl<B: Bound> Iterator for Edges<'_, B> {
    type Item = (usize, B);

    #[inline(always)]
    fn next(&mut self) -> Option<(usize, B)> {
        self.left = self.left.checked_sub(1)?;
        let cell = match &mut self.names {
            Names::List { bit, width } => {
                let cell = read(self.code, *bit, *width) as usize;
                *bit += *width;
                cell
            }
            Names::Map { map, first } => {
                while *map == 0 {
                    *first += 32;
                    // Bits after the map are bounds, but the last cell of the map comes first.
                    *map = read(self.code, HEAD + *first, 32);
                }
                let cell = *first + map.trailing_zeros() as usize;
                *map &= *map - 1;
                cell
            }
        };
        let word = read(self.code, self.bound_bit, self.width);
        self.bound_bit += self.width;
        let unused = 64 - self.width as u32;
        Some((cell, B::from_word(((word << unused) as i64 >> unused) as i32)))
    }
}
