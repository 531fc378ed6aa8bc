//! Storage of the two parts of a state, behind keys (paper 2, section 5).
//!
//! A [`KeyStore`] numbers discrete states; a [`ZoneStore`] keeps zones. Both
//! hand out small keys; comparisons work on what a key stands for without
//! unpacking it. They are orthogonal to each other and to the search order.

mod copied_keys;
mod copied_zones;
mod shared_keys;
mod shared_zones;
mod slab;
mod tree_keys;

pub use copied_keys::CopiedKeys;
pub use copied_zones::CopiedZones;
pub use shared_keys::SharedKeys;
pub use shared_zones::SharedZones;
pub use tree_keys::TreeKeys;

use dwell_zones::Bound;

/// Numbers packed discrete states in the order they first come.
pub trait KeyStore {
    /// The number of `words`, and whether it is new.
    fn save(&mut self, words: &[u64]) -> (u32, bool);
    /// Writes the words of a numbered state.
    fn load(&self, entry: u32, words: &mut [u64]);
    /// How many there are.
    fn len(&self) -> usize;
    /// True when there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Bytes of storage held.
    fn bytes(&self) -> u64;
}

/// Keeps zones as compact cells. A key is valid together with the number of
/// cells only, which the discrete state determines.
pub trait ZoneStore<B: Bound> {
    /// Keeps a zone.
    fn save(&mut self, cells: &[B]) -> u32;
    /// The cells of a kept zone.
    fn cells(&self, key: u32, len: usize) -> &[B];
    /// Gives a zone up.
    fn free(&mut self, key: u32, len: usize);
    /// Bytes of storage held.
    fn bytes(&self) -> u64;
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
    fn len(&self) -> usize {
        (**self).len()
    }
    fn bytes(&self) -> u64 {
        (**self).bytes()
    }
}
