//! The states a liveness search has met.
//!
//! One list of zones per discrete state, as in the passed/waiting list, with a
//! colour for each instead of a place in a waiting list.

use crate::store::SharedZones;
use crate::{Cover, KeyStore, ZoneStore};
use dwell_base::ChunkedVec;
use dwell_zones::{Bound, LuBounds, Relation};

const NONE: u32 = u32::MAX;

/// What is known of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Colour {
    /// Met, not looked into.
    White,
    /// On the path that is being followed.
    Grey,
    /// No run that counts goes through it.
    Black,
    /// Included in a black one; not in the list any more.
    Gone,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    next: u32,
    zone: u32,
    entry: u32,
    colour: Colour,
    /// Of its zone.
    digest: u64,
}

/// Which cells of a zone are above `<= 0`, folded into a word: the digest of a
/// zone is among that of every zone that includes it, cell by cell (see
/// `crate::digest`). Where covers do not go by cells it says nothing.
fn digest<B: Bound, C: Cover<B>>(cells: &[B]) -> u64 {
    if !C::CELLWISE {
        return 0;
    }
    cells.iter().enumerate().fold(0, |bits, (k, &cell)| bits | (u64::from(cell > B::LE_ZERO) << (k % 64)))
}

/// What became of a state that was met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Met {
    /// It must be looked into.
    Open(u32),
    /// It includes a state on the path: the path can be repeated for ever.
    Loop(u32),
    /// It is included in a black one.
    Done,
}

/// The states met so far.
pub(crate) struct Passed<B, K, C> {
    keys: K,
    zones: SharedZones<B>,
    cover: C,
    heads: ChunkedVec<u32>,
    nodes: ChunkedVec<Node>,
    /// Nodes that are not in a list any more.
    gone: usize,
    words: Vec<u64>,
}

impl<B: Bound, K: KeyStore, C: Cover<B>> Passed<B, K, C> {
    pub fn new(words: usize, keys: K, cover: C) -> Self {
        Self {
            keys,
            zones: SharedZones::default(),
            cover,
            heads: ChunkedVec::new(),
            nodes: ChunkedVec::new(),
            gone: 0,
            words: vec![0; words],
        }
    }

    pub fn len(&self) -> usize {
        self.nodes.len() - self.gone
    }

    pub fn colour(&self, id: u32) -> Colour {
        self.nodes.get(id as usize).colour
    }

    pub fn paint(&mut self, id: u32, colour: Colour) {
        self.nodes.get_mut(id as usize).colour = colour;
    }

    /// Whether no other state has its discrete part.
    pub fn is_alone(&self, id: u32) -> bool {
        let node = self.nodes.get(id as usize);
        self.heads.get(node.entry as usize) == id && node.next == NONE
    }

    /// No run that counts goes through this state, nor through those that it
    /// includes.
    pub fn blacken(&mut self, id: u32, len: usize, active: &[u16], bounds: &LuBounds<B>) {
        self.paint(id, Colour::Black);
        let Node { entry, zone, digest, .. } = self.nodes.get(id as usize);
        let mut before = NONE;
        let mut at = self.heads.get(entry as usize);
        while at != NONE {
            let node = self.nodes.get(at as usize);
            let candidate = at != id && node.colour != Colour::Grey && node.digest & !digest == 0;
            let included = candidate && {
                let (small, large) = (self.zones.cells(node.zone, len), self.zones.cells(zone, len));
                matches!(self.cover.compare(small, large, active, bounds), Relation::Equal | Relation::Subset)
            };
            if included {
                match before {
                    NONE => *self.heads.get_mut(entry as usize) = node.next,
                    before => self.nodes.get_mut(before as usize).next = node.next,
                }
                self.paint(at, Colour::Gone);
                self.gone += 1;
                self.zones.free(node.zone, len);
            } else {
                before = at;
            }
            at = node.next;
        }
    }

    /// The packed discrete part.
    pub fn key(&mut self, id: u32) -> &[u64] {
        self.keys.load(self.nodes.get(id as usize).entry, &mut self.words);
        &self.words
    }

    /// The zone, of `len` cells.
    pub fn cells(&self, id: u32, len: usize) -> &[B] {
        self.zones.cells(self.nodes.get(id as usize).zone, len)
    }

    /// Meets a state coming from the end of the path.
    pub fn meet(&mut self, words: &[u64], cells: &[B], active: &[u16], bounds: &LuBounds<B>) -> Met {
        let (entry, new) = self.keys.save(words);
        if new {
            self.heads.push(NONE);
        }
        let digest = digest::<B, C>(cells);
        let mut same = None;
        let mut at = self.heads.get(entry as usize);
        while at != NONE {
            let node = self.nodes.get(at as usize);
            let old = self.zones.cells(node.zone, cells.len());
            // Inclusion up to a simulation may hold both ways and says so one way
            // only, so each way is asked for.
            let within = |a: &[B], b: &[B]| {
                matches!(self.cover.compare(a, b, active, bounds), Relation::Equal | Relation::Subset)
            };
            let (fits, holds) = (digest & !node.digest == 0, node.digest & !digest == 0);
            match node.colour {
                Colour::Black if fits && within(cells, old) => return Met::Done,
                Colour::Grey if holds && within(old, cells) => return Met::Loop(at),
                Colour::White if fits && holds && within(cells, old) && within(old, cells) => same = Some(at),
                _ => {}
            }
            at = node.next;
        }
        if let Some(id) = same {
            return Met::Open(id);
        }
        assert!(self.nodes.len() < NONE as usize, "more states than a node number can name");
        let node = Node {
            next: self.heads.get(entry as usize),
            zone: self.zones.save(cells),
            entry,
            colour: Colour::White,
            digest,
        };
        self.nodes.push(node);
        let id = self.nodes.len() as u32 - 1;
        *self.heads.get_mut(entry as usize) = id;
        Met::Open(id)
    }

    /// Bytes of storage held.
    pub fn bytes(&self) -> u64 {
        self.keys.bytes() + ZoneStore::<B>::bytes(&self.zones) + self.heads.bytes() + self.nodes.bytes()
    }
}
