//! Long lists of zones, searched by digest.
//!
//! Some discrete states have thousands of zones, none of which covers
//! another, and every new zone must be compared with all of them. A digest has
//! a bit for every cell (folded where there are more cells than bits): is the
//! bound above `<= 0`? If `Z ⊆ Z'` then every cell of `Z` is at most that of
//! `Z'`, so the bits of `Z` are among those of `Z'`: zones whose digests are
//! not ordered need no comparison. Zones of a large antichain differ above all
//! in the order in which the clocks were reset, and that is what the bits of
//! the differences say.
//!
//! Zones with the same digest stand together, so that a search looks at each
//! digest once.
//!
//! Only for covers that order cell by cell ([`crate::Cover::CELLWISE`]).

use dwell_base::limits::allocated_bytes;
use dwell_base::persist::{Persist, Plain, corrupt};
use dwell_zones::Bound;
use std::io::{self, Read, Write};

/// Digests that are looked at together.
const BLOCK: usize = 8;

/// Zones of one discrete state before digests are made for them.
pub(crate) const LONG: usize = 24;

/// Which cells of a zone are above `<= 0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Digest([u64; 2]);

impl Digest {
    /// The digest of a zone.
    pub fn new<B: Bound>(cells: &[B]) -> Self {
        let mut bits = [0; 2];
        for (k, &cell) in cells.iter().enumerate() {
            bits[(k / 64) % 2] |= u64::from(cell > B::LE_ZERO) << (k % 64);
        }
        Self(bits)
    }

    /// Whether a zone with this digest may be included in one with the other,
    /// or the other way round.
    #[inline(always)]
    pub fn may_be_ordered(&self, other: &Self) -> bool {
        let Self([a, b]) = self;
        let Self([c, d]) = other;
        (a & !c | b & !d == 0) | (c & !a | d & !b == 0)
    }

    /// Whether a zone with this digest may be included in one with the other.
    #[inline(always)]
    pub fn may_be_within(&self, other: &Self) -> bool {
        let Self([a, b]) = self;
        let Self([c, d]) = other;
        a & !c | b & !d == 0
    }
}

/// The nodes of one discrete state by digest.
#[derive(Clone, Debug, Default)]
pub(crate) struct LongList {
    digests: Vec<Digest>,
    /// In the order of `digests`; none is empty.
    groups: Vec<Vec<u32>>,
    /// Where a search met a digest equal to what it was looking for.
    last_equal: u32,
}

/// A place in a [`LongList`].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place {
    group: usize,
    index: usize,
}

impl LongList {
    pub fn push(&mut self, digest: Digest, node: u32) {
        // The search for covers has just come by, and left its mark.
        let seen = self.digests.get(self.last_equal as usize) == Some(&digest);
        let group = if seen {
            Some(self.last_equal as usize)
        } else {
            self.digests.iter().position(|d| *d == digest)
        };
        match group {
            Some(group) => self.groups[group].push(node),
            None => {
                self.digests.push(digest);
                self.groups.push(vec![node]);
            }
        }
    }

    /// The first node from a place on whose digest may be ordered with
    /// `digest`, and its place.
    #[inline]
    pub fn next(&mut self, digest: &Digest, from: Place) -> Option<(Place, u32)> {
        let found = self.next_where(from, |d| d.may_be_ordered(digest));
        if let Some((Place { group, index: 0 }, _)) = found
            && self.digests[group] == *digest
        {
            self.last_equal = group as u32;
        }
        found
    }

    /// The first node from a place on whose digest is `wanted`, and its place.
    #[inline]
    pub fn next_where(&self, mut from: Place, wanted: impl Fn(&Digest) -> bool) -> Option<(Place, u32)> {
        if from.index > 0 {
            if let Some(&node) = self.groups[from.group].get(from.index) {
                return Some((from, node));
            }
            from = Place { group: from.group + 1, index: 0 };
        }
        let group = self.find(from.group, wanted)?;
        Some((Place { group, index: 0 }, self.groups[group][0]))
    }

    /// The first digest from `start` on that is `wanted`.
    #[inline]
    fn find(&self, start: usize, wanted: impl Fn(&Digest) -> bool) -> Option<usize> {
        let mut at = start;
        let mut blocks = self.digests.get(start..)?.chunks_exact(BLOCK);
        for block in &mut blocks {
            // Without a branch for each: the compiler makes vectors of it.
            let hits = block.iter().fold(false, |any, d| any | wanted(d));
            if hits {
                break;
            }
            at += BLOCK;
        }
        self.digests[at..].iter().position(wanted).map(|i| at + i)
    }

    /// Removes the node at a place; the place to go on from.
    pub fn remove(&mut self, at: Place) -> Place {
        let group = &mut self.groups[at.group];
        group.swap_remove(at.index);
        if group.is_empty() {
            self.groups.swap_remove(at.group);
            self.digests.swap_remove(at.group);
            return Place { group: at.group, index: 0 };
        }
        at
    }

    /// True when there is no node.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// All nodes.
    pub fn nodes(&self) -> impl Iterator<Item = u32> + '_ {
        self.groups.iter().flatten().copied()
    }

    pub fn bytes(&self) -> u64 {
        let groups =
            self.groups.iter().map(|g| allocated_bytes(g.capacity() * size_of::<u32>())).sum::<u64>();
        let headers = allocated_bytes(self.groups.capacity() * size_of::<Vec<u32>>());
        groups + headers + allocated_bytes(self.digests.capacity() * size_of::<Digest>())
    }
}

impl Place {
    /// The place after this one.
    pub fn after(self) -> Self {
        Self { index: self.index + 1, ..self }
    }
}

impl Plain for Digest {
    type Bytes = [u8; 16];
    fn to_bytes(self) -> [u8; 16] {
        (u128::from(self.0[1]) << 64 | u128::from(self.0[0])).to_le_bytes()
    }
    fn from_bytes(bytes: [u8; 16]) -> Self {
        let both = u128::from_le_bytes(bytes);
        Self([both as u64, (both >> 64) as u64])
    }
}

impl Persist for LongList {
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        self.digests.freeze(out)?;
        self.groups.iter().try_for_each(|group| group.freeze(out))
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        self.digests.thaw(from)?;
        for _ in 0..self.digests.len() {
            let mut group = Vec::new();
            group.thaw(from)?;
            if group.is_empty() {
                return Err(corrupt("a digest of no zone"));
            }
            self.groups.push(group);
        }
        Ok(())
    }
}
