//! The exact semantics of networks, written for obviousness.
//!
//! This crate is the yardstick of the other crates. It walks the trees of
//! [`dwell_model`] and shares no code with the zone engine, so that a mistake
//! there cannot hide behind the same mistake here.
//!
//! * [`eval`]: expressions, guards and updates on plain values.
//! * [`step`]: what a transition is, what it does, and when time may pass.
//! * [`replay()`]: checks a trace with exact rational delays ([`Rational`]).
//! * [`explore`]: all reachable discrete states, by clock regions.
//! * [`ticks`]: the same by sampled time, to check the regions.
//!
//! # Semantics
//!
//! A state is a location per process, an integer per variable and a real
//! number, at least zero, per clock.
//!
//! * S-1 *Initial states*: every combination of initial locations, variables
//!   at their initial values, clocks at zero, provided all invariants hold.
//! * S-2 *Delay* by `d > 0`: no active location is urgent or committed, no
//!   synchronisation on an urgent channel is enabled, and all invariants hold
//!   all along. A synchronisation is enabled when the discrete guards of the
//!   sender and, on a binary channel, of a receiver in another process hold.
//! * S-3 *Transitions*: an internal edge alone; a sender and a receiver on a
//!   binary channel; a sender and, from every other process that has enabled
//!   receiving edges, exactly one of them on a broadcast channel; the members
//!   of a synchronisation vector that have an edge with their event, where a
//!   strong member without one blocks the vector and one must remain.
//! * S-4 *Committed*: if an active location is committed, a participant must
//!   leave a committed location.
//! * S-5 *Guards* are tested on the source state: first the discrete
//!   conjuncts of all participants in order, up to the first false one; then
//!   the clock conjuncts in order, likewise.
//! * S-6 *Updates* run participant after participant, each with fresh locals.
//! * S-7 *Invariants* of all processes must hold afterwards: discrete
//!   conjuncts first, then clock conjuncts, each up to the first false one.
//! * S-8 *Run-time errors* are outcomes of the transition whose earlier checks
//!   passed. Guards that are needed to form a transition are evaluated
//!   whatever the clocks are.
#![forbid(unsafe_code)]

mod caps;
pub mod eval;
mod explore;
mod form;
mod rational;
mod region;
pub mod replay;
mod state;
pub mod step;
pub mod ticks;

pub use explore::{RegionGraph, explore};
pub use rational::{Overflow, ParseRationalError, Rational};
pub use replay::{Replay, ReplayError, ReplayFault, Step, replay};
pub use state::{Discrete, ExploreError, Failure, Participants, State, Unsupported, carries_labels};
