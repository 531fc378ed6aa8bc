//! Storage of the two parts of a state, behind keys (paper 2, section 5).
//!
//! A [`KeyStore`] numbers discrete states; a [`ZoneStore`] keeps zones. Both
//! hand out small keys; comparisons work on what a key stands for without
//! unpacking it. They are orthogonal to each other and to the search order.

/// Looking at zones that are kept as cells, for a store with a function
/// `cells`: a part of its [`ZoneStore`].
macro_rules! looks_at_cells {
    () => {
        #[inline]
        fn read(&self, key: u32, cells: &mut [B]) {
            cells.copy_from_slice(self.cells(key, cells.len()));
        }

        #[inline]
        fn unpacked<'a>(&'a self, key: u32, scratch: &'a mut [B]) -> &'a [B] {
            self.cells(key, scratch.len())
        }

        #[inline]
        fn relation(&self, cells: &[B], key: u32) -> Relation {
            compact::relation(cells, self.cells(key, cells.len()))
        }

        #[inline]
        fn is_equal(&self, cells: &[B], key: u32) -> bool {
            cells == self.cells(key, cells.len())
        }
    };
}

mod approximate;
mod arena;
mod audited;
mod coded_zones;
mod copied_keys;
mod copied_zones;
mod minimal_zones;
mod packed_keys;
mod shared_keys;
mod shared_zones;
mod slab;
mod tree_keys;
mod words;

pub use approximate::{BitHash, BitStates, PositionalHash, Signatures, StateHash, ZonesBySignature};
pub use audited::Audited;
pub use coded_zones::{CodedZones, ZoneCode};
pub use copied_keys::CopiedKeys;
pub use copied_zones::CopiedZones;
pub use dwell_packing::{BitsCodec, NumberCodec};
pub use minimal_zones::MinimalZones;
pub use packed_keys::PackedKeys;
pub use shared_keys::SharedKeys;
pub use shared_zones::SharedZones;
use tree_keys::TreeKeys;
pub use words::{WordKeys, WordZones};

use dwell_base::persist::Persist;
use dwell_zones::{Bound, Relation};
use std::ops::AddAssign;

/// Numbers packed discrete states in the order they first come.
pub trait KeyStore: Persist {
    /// The number of `words`, and whether it is new.
    fn save(&mut self, words: &[u64]) -> (u32, bool);
    /// Writes the words of a numbered state.
    fn load(&self, entry: u32, words: &mut [u64]);
    /// Nobody will ask for this state again: its room and its number may be
    /// given to another. Stores that share parts keep them.
    fn release(&mut self, _entry: u32) {}
    /// How many there are, released ones included where they are kept.
    fn len(&self) -> usize;
    /// True when there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Distinct location vectors and variable vectors, where they are told
    /// apart (paper 2, table 2).
    fn unique_parts(&self) -> Option<(u64, u64)> {
        None
    }
    /// Bytes of storage held.
    fn bytes(&self) -> u64;
}

/// Keeps zones that come as compact cells. A key is valid together with the
/// number of cells only, which the discrete state determines.
///
/// Comparing and saving a zone starts with [`prepare`](Self::prepare).
pub trait ZoneStore<B: Bound>: Persist {
    /// Makes ready for comparing this zone and for saving it.
    #[inline]
    fn prepare(&mut self, _cells: &[B]) {}
    /// Keeps the prepared zone.
    fn save(&mut self, cells: &[B]) -> u32;
    /// Writes the cells of a kept zone.
    fn read(&self, key: u32, cells: &mut [B]);
    /// The cells of a kept zone; where they must be made, in `scratch`, which
    /// has as many.
    fn unpacked<'a>(&'a self, key: u32, scratch: &'a mut [B]) -> &'a [B] {
        self.read(key, scratch);
        scratch
    }
    /// How the prepared zone stands to a kept one.
    fn relation(&self, cells: &[B], key: u32) -> Relation;
    /// Whether the prepared zone equals a kept one.
    fn is_equal(&self, cells: &[B], key: u32) -> bool;
    /// Gives a zone up.
    fn free(&mut self, key: u32, len: usize);
    /// Distinct zones, where equal ones are kept once.
    fn unique(&self) -> Option<u64> {
        None
    }
    /// Bytes of storage held.
    fn bytes(&self) -> u64;
}

/// How many different parts the stored states have, where equal ones are kept
/// once (paper 2, table 2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unique {
    /// Location vectors and variable vectors.
    pub discrete: Option<(u64, u64)>,
    /// Zones.
    pub zones: Option<u64>,
}

/// Of several workers: what two of them have counts twice.
impl AddAssign for Unique {
    fn add_assign(&mut self, other: Self) {
        if let Some((locations, variables)) = other.discrete {
            let (l, v) = self.discrete.unwrap_or_default();
            self.discrete = Some((l + locations, v + variables));
        }
        if let Some(zones) = other.zones {
            self.zones = Some(self.zones.unwrap_or_default() + zones);
        }
    }
}

impl Unique {
    /// Those of two stores.
    pub fn of<B: Bound>(keys: &impl KeyStore, zones: &impl ZoneStore<B>) -> Self {
        Self { discrete: keys.unique_parts(), zones: zones.unique() }
    }
}

/// What a set of passed states says to a state that passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// It was not there; it is now, and so many that it covers are not.
    New {
        /// How many.
        dropped: u32,
    },
    /// It, or one that is taken for it, was there.
    Before,
    /// It was not there, and there is no room for it.
    Full,
}

/// How much a set of passed states may have left out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Omissions {
    /// How much of the table is used, from 0 to 1.
    pub fill: f64,
    /// Expected number of states that were taken for others.
    pub expected: f64,
    /// Probability that there was at least one.
    pub probability: f64,
    /// How many there were, where they are counted ([`Audited`]).
    pub measured: Option<u64>,
}

/// Passed states by what little is kept of them (paper 1, sections 4.3 and
/// 4.4). Takes states for others, with a small probability; never says `New`
/// of a state that it said `New` of before, unless a larger one took its place.
pub trait StateSet<B>: Persist {
    /// Whether it holds a state, as far as it can tell.
    fn contains(&mut self, words: &[u64], cells: &[B]) -> bool;
    /// Puts a state into it.
    fn insert(&mut self, words: &[u64], cells: &[B]) -> Seen;
    /// What is to be expected of it, by its formulas.
    fn omissions(&self) -> Omissions;
    /// Bytes of storage held.
    fn bytes(&self) -> u64;
}

impl<B: Bound, T: ZoneStore<B> + ?Sized> ZoneStore<B> for Box<T> {
    fn prepare(&mut self, cells: &[B]) {
        (**self).prepare(cells);
    }
    fn save(&mut self, cells: &[B]) -> u32 {
        (**self).save(cells)
    }
    fn read(&self, key: u32, cells: &mut [B]) {
        (**self).read(key, cells);
    }
    fn unpacked<'a>(&'a self, key: u32, scratch: &'a mut [B]) -> &'a [B] {
        (**self).unpacked(key, scratch)
    }
    fn relation(&self, cells: &[B], key: u32) -> Relation {
        (**self).relation(cells, key)
    }
    fn is_equal(&self, cells: &[B], key: u32) -> bool {
        (**self).is_equal(cells, key)
    }
    fn free(&mut self, key: u32, len: usize) {
        (**self).free(key, len);
    }
    fn unique(&self) -> Option<u64> {
        (**self).unique()
    }
    fn bytes(&self) -> u64 {
        (**self).bytes()
    }
}

impl<T: KeyStore + ?Sized> KeyStore for Box<T> {
    #[inline]
    fn save(&mut self, words: &[u64]) -> (u32, bool) {
        (**self).save(words)
    }
    #[inline]
    fn load(&self, entry: u32, words: &mut [u64]) {
        (**self).load(entry, words);
    }
    fn release(&mut self, entry: u32) {
        (**self).release(entry);
    }
    fn len(&self) -> usize {
        (**self).len()
    }
    fn unique_parts(&self) -> Option<(u64, u64)> {
        (**self).unique_parts()
    }
    fn bytes(&self) -> u64 {
        (**self).bytes()
    }
}
