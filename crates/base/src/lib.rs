//! What every crate of dwell may lean on: typed ids, hashing, seeded random
//! numbers, growable storage that never moves, limits. Knows nothing of
//! clocks or automata.
#![forbid(unsafe_code)]

mod chunked;
mod hash;
mod id;
pub mod limits;
pub mod persist;
mod rng;

pub use chunked::ChunkedVec;
pub use hash::{hash_bytes, hash_words};
pub use rng::Rng;
