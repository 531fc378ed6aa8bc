//! What the tests of several crates share.
//!
//! * [`random`]: small random networks, smaller variants of a failing one,
//!   and a dump to read it by.
//! * [`plans`]: every sound mix of options, and a pairwise cover of them.
//! * [`differential`]: the engine against the region oracle.
//! * [`properties`]: the same for properties of states.
//! * [`answers`]: the same for whole properties, liveness included.
//! * [`naive`]: zones and successors without the engine.
//! * [`pages`]: pages of the documents against what they are printed from.
//! * [`seeds`]: which random cases a test runs.
#![forbid(unsafe_code)]

pub mod answers;
pub mod differential;
pub mod naive;
pub mod pages;
pub mod plans;
pub mod properties;
pub mod random;
pub mod seeds;
pub mod shared;
