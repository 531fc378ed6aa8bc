//! What the tests of several crates share.
//!
//! * [`random`]: small random networks, smaller variants of a failing one,
//!   and a dump to read it by.
#![forbid(unsafe_code)]

pub mod random;
pub mod shared;
