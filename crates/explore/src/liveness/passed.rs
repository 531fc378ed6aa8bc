//! The states a liveness search has met.
//!
//! Two lists of zones per discrete state: those that are *open* (white or
//! grey), of which there are few, and those that are *done* (black), of which
//! there may be thousands; many of these stand by digest ([`crate::digest`]).

use crate::digest::{Digest, LONG, LongList, Place};
use crate::store::SharedZones;
use crate::{Cover, KeyStore, ZoneStore};
use dwell_base::ChunkedVec;
use dwell_zones::{Bound, LuBounds, Relation};

const NONE: u32 = u32::MAX;

/// Marks the head of a list of done states that is the number of a long list,
/// not of a node.
const LONG_LIST: u32 = 1 << 31;

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
    /// Included in a black one; in no list any more.
    Gone,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    next: u32,
    zone: u32,
    entry: u32,
    colour: Colour,
}

/// The zones of a discrete state: the first of each list.
#[derive(Clone, Copy, Debug)]
struct Heads {
    open: u32,
    /// Or a long list.
    done: u32,
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
    heads: ChunkedVec<Heads>,
    long: Vec<LongList>,
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
            long: Vec::new(),
            nodes: ChunkedVec::new(),
            gone: 0,
            words: vec![0; words],
        }
    }

    pub fn len(&self) -> usize {
        self.nodes.len() - self.gone
    }

    /// How many discrete states there are.
    pub fn discrete(&self) -> usize {
        self.heads.len()
    }

    pub fn colour(&self, id: u32) -> Colour {
        self.nodes.get(id as usize).colour
    }

    /// A state is on the path from now on.
    pub fn put_on_path(&mut self, id: u32) {
        self.nodes.get_mut(id as usize).colour = Colour::Grey;
    }

    /// Whether no other state has its discrete part.
    pub fn is_alone(&self, id: u32) -> bool {
        let node = self.nodes.get(id as usize);
        let Heads { open, done } = self.heads.get(node.entry as usize);
        open == id && node.next == NONE && done == NONE
    }

    /// No run that counts goes through a state that [is alone](Self::is_alone).
    pub fn blacken_alone(&mut self, id: u32) {
        let node = self.nodes.get_mut(id as usize);
        node.colour = Colour::Black;
        *self.heads.get_mut(node.entry as usize) = Heads { open: NONE, done: id };
    }

    /// No run that counts goes through this state, nor through those that it
    /// includes.
    pub fn blacken(&mut self, id: u32, len: usize, active: &[u16], bounds: &LuBounds<B>) {
        let entry = self.nodes.get(id as usize).entry as usize;
        let Heads { open, done } = self.heads.get(entry);
        let (open, _) = self.thin(open, id, len, active, bounds);
        self.nodes.get_mut(id as usize).colour = Colour::Black;
        let done = if is_long(done) {
            self.insert_long((done - LONG_LIST) as usize, id, len, active, bounds);
            done
        } else {
            let (next, left) = self.thin(done, id, len, active, bounds);
            self.nodes.get_mut(id as usize).next = next;
            if C::CELLWISE && left >= LONG { self.lengthen(id, len) } else { id }
        };
        *self.heads.get_mut(entry) = Heads { open, done };
    }

    /// Takes out of a chain what a state includes, and the state itself: the
    /// first node then, and how many there are.
    fn thin(
        &mut self,
        first: u32,
        id: u32,
        len: usize,
        active: &[u16],
        bounds: &LuBounds<B>,
    ) -> (u32, usize) {
        let large = self.nodes.get(id as usize).zone;
        let (mut head, mut before, mut left) = (first, NONE, 0);
        let mut at = first;
        while at != NONE {
            let node = self.nodes.get(at as usize);
            let included = || {
                let (small, large) = (self.zones.cells(node.zone, len), self.zones.cells(large, len));
                self.is_within(small, large, active, bounds)
            };
            if at == id || (node.colour != Colour::Grey && included()) {
                match before {
                    NONE => head = node.next,
                    before => self.nodes.get_mut(before as usize).next = node.next,
                }
                if at != id {
                    self.forget(at, len);
                }
            } else {
                before = at;
                left += 1;
            }
            at = node.next;
        }
        (head, left)
    }

    /// Puts a state into a long list in place of what it includes.
    fn insert_long(&mut self, list: usize, id: u32, len: usize, active: &[u16], bounds: &LuBounds<B>) {
        let zone = self.nodes.get(id as usize).zone;
        let digest = Digest::new(self.zones.cells(zone, len));
        let mut from = Place::default();
        while let Some((at, other)) = self.long[list].next_where(from, |d| d.may_be_within(&digest)) {
            let small = self.nodes.get(other as usize).zone;
            let (small, large) = (self.zones.cells(small, len), self.zones.cells(zone, len));
            if self.is_within(small, large, active, bounds) {
                from = self.long[list].remove(at);
                self.forget(other, len);
            } else {
                from = at.after();
            }
        }
        self.long[list].push(digest, id);
    }

    /// Makes a long list of a chain: its head.
    #[cold]
    fn lengthen(&mut self, first: u32, len: usize) -> u32 {
        let mut list = LongList::default();
        let mut at = first;
        while at != NONE {
            let node = self.nodes.get(at as usize);
            list.push(Digest::new(self.zones.cells(node.zone, len)), at);
            at = node.next;
        }
        self.long.push(list);
        LONG_LIST + self.long.len() as u32 - 1
    }

    /// Of a state that was taken out of its list.
    fn forget(&mut self, id: u32, len: usize) {
        let node = self.nodes.get_mut(id as usize);
        node.colour = Colour::Gone;
        self.gone += 1;
        self.zones.free(node.zone, len);
    }

    /// Whether a zone is covered by another. Inclusion up to a simulation may
    /// hold both ways and says so one way only, so each way is asked for.
    #[inline]
    fn is_within(&self, small: &[B], large: &[B], active: &[u16], bounds: &LuBounds<B>) -> bool {
        matches!(self.cover.compare(small, large, active, bounds), Relation::Equal | Relation::Subset)
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
            self.heads.push(Heads { open: NONE, done: NONE });
        }
        let Heads { open, done } = self.heads.get(entry as usize);
        if self.is_done(done, cells, active, bounds) {
            return Met::Done;
        }
        let mut same = None;
        let mut at = open;
        while at != NONE {
            let node = self.nodes.get(at as usize);
            let old = self.zones.cells(node.zone, cells.len());
            if self.is_within(old, cells, active, bounds) {
                if node.colour == Colour::Grey {
                    return Met::Loop(at);
                }
                if self.is_within(cells, old, active, bounds) {
                    same = Some(at);
                }
            }
            at = node.next;
        }
        if let Some(id) = same {
            return Met::Open(id);
        }
        assert!(self.nodes.len() < LONG_LIST as usize, "more states than a node number can name");
        let id = self.nodes.len() as u32;
        self.nodes.push(Node { next: open, zone: self.zones.save(cells), entry, colour: Colour::White });
        self.heads.get_mut(entry as usize).open = id;
        Met::Open(id)
    }

    /// Whether one of the done states of a list includes a zone.
    fn is_done(&self, done: u32, cells: &[B], active: &[u16], bounds: &LuBounds<B>) -> bool {
        let included =
            |node: Node| self.is_within(cells, self.zones.cells(node.zone, cells.len()), active, bounds);
        if is_long(done) {
            let list = &self.long[(done - LONG_LIST) as usize];
            let digest = Digest::new(cells);
            let mut from = Place::default();
            while let Some((at, id)) = list.next_where(from, |d| digest.may_be_within(d)) {
                if included(self.nodes.get(id as usize)) {
                    return true;
                }
                from = at.after();
            }
            return false;
        }
        let mut at = done;
        while at != NONE {
            let node = self.nodes.get(at as usize);
            if included(node) {
                return true;
            }
            at = node.next;
        }
        false
    }

    /// Bytes of storage held.
    pub fn bytes(&self) -> u64 {
        let long = self.long.iter().map(LongList::bytes).sum::<u64>();
        self.keys.bytes()
            + ZoneStore::<B>::bytes(&self.zones)
            + self.heads.bytes()
            + self.nodes.bytes()
            + long
    }
}

fn is_long(done: u32) -> bool {
    done != NONE && done >= LONG_LIST
}
