//! What every crate of dwell may lean on: typed ids, hashing, seeded random
//! numbers, growable storage that never moves, limits, units. Knows nothing of
//! clocks or automata.
#![deny(unsafe_code)]

#[allow(unsafe_code)]
mod chunk;
mod chunked;
pub mod effort;
mod hash;
mod id;
pub mod limits;
pub mod persist;
mod rng;
#[allow(unsafe_code)]
mod spill;
pub mod units;

pub use chunk::Chunk;
pub use chunked::ChunkedVec;
pub use hash::{hash_bytes, hash_masked, hash_words};
pub use rng::Rng;
pub use spill::{SpillFile, release_free_memory};
