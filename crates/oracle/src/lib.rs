//! The exact semantics of networks, written for obviousness.
//!
//! This crate is the yardstick of the other crates. It walks the trees of
//! [`dwell_model`] and shares no code with the zone engine, so that a mistake
//! there cannot hide behind the same mistake here.
//!
//! * [`eval`]: expressions, guards and updates on plain values.
//! * [`step`]: what a transition is, what it does, and when time may pass.
//! * [`replay()`]: checks a trace with exact rational delays ([`Rational`]).
//! * [`explore`]: all reachable discrete states, by clock regions;
//!   [`explore_with`] tests properties of states on the way.
//! * [`answer()`]: whole properties, liveness included; [`shortest`] and
//!   [`fastest`]: how near a property of states is.
//! * [`replay_maximal`]: checks runs that witness or refute liveness.
//! * [`ticks`]: the same by sampled time, to check the regions.
//!
//! # Semantics
//!
//! A state is a location per process, an integer per variable and a real
//! number, at least zero, per clock. Meta variables and constants have their
//! initial values in every state.
//!
//! * S-1 *Initial states*: every combination of initial locations, variables
//!   and clocks at their initial values, provided all invariants hold.
//! * S-2 *Delay* by `d > 0`: no active location is urgent or committed, no
//!   synchronisation on an urgent channel is enabled before the delay is over,
//!   and all invariants hold all along. A synchronisation is enabled when the
//!   guards of the sender and, on a binary channel, of a receiver in another
//!   process hold; their clock conjuncts must be of the form `x >= e`. Clocks
//!   to which an active location gives rate 0 stand still (not in regions); the
//!   locations that give a clock a rate, 0 or 1, must agree on it.
//! * S-3 *Transitions*: an internal edge alone; a sender and a receiver in
//!   another process on the same binary channel; on a broadcast channel a
//!   sender and, from every other process that has receiving edges whose whole
//!   guards hold, exactly one of them, in process order; the members of a
//!   synchronisation vector that have an edge with their event, where a strong
//!   member without one blocks the vector and one must remain. Which channel
//!   an edge uses is computed in the source state if its discrete guard holds.
//! * S-4 *Committed*: if an active location is committed, a participant must
//!   leave a committed location.
//! * S-5 *Guards* are tested on the source state: first the discrete
//!   conjuncts of all participants in order, up to the first false one; then
//!   the clock conjuncts in order, likewise. A clock conjunct whose condition
//!   is false holds, and its clocks and bound are not evaluated.
//! * S-6 *Updates*: what the network does before every transition, then the
//!   updates of the participants in order, then what the network does after
//!   it, each with fresh locals. Then meta variables get their initial values
//!   back.
//! * S-7 *Invariants* of all processes must hold afterwards: discrete
//!   conjuncts first, then clock conjuncts, each up to the first false one.
//! * S-8 *Run-time errors* are outcomes of the transition whose earlier checks
//!   passed. Guards and channels that are needed to form a transition are
//!   evaluated whatever the clocks are; these are:
//!   the guards of all edges that send, committed locations or not, and the
//!   channels of those that hold; the guards of edges that may receive on one
//!   of these channels, and again the channels of those that hold; the guards
//!   of the edges of a vector's member if each member before it has one that
//!   holds; the guards of internal edges that S-4 allows.
//! * S-9 *Priorities*: a transition whose guards hold is blocked where one of a
//!   higher level is possible, updates and invariants (S-3 to S-7) included. A
//!   level is that of the channel, or of transitions without one, and then the
//!   highest of the participating processes. A transition that fails does not
//!   block; the updates of a blocked one are not run. Delays neither block nor
//!   are blocked, and urgency (S-2) does not ask for levels.
#![forbid(unsafe_code)]

mod answer;
mod caps;
mod delay;
pub mod eval;
mod explore;
mod fault;
mod form;
mod formula;
mod graph;
mod lasso;
mod machine;
mod moments;
mod paths;
mod priority;
mod rational;
mod region;
pub mod replay;
mod state;
pub mod step;
mod support;
pub mod ticks;
mod transitions;
mod urgency;

pub use answer::{Answer, Answers, Endpoint, Extent, answer};
pub use explore::{Asked, RegionGraph, explore, explore_with};
pub use formula::FormulaError;
pub use lasso::{MaximalError, replay_maximal};
pub use paths::{fastest, shortest};
pub use rational::{Overflow, ParseRationalError, Rational};
pub use replay::{Replay, ReplayError, ReplayFault, Step, replay};
pub use state::{Discrete, ExploreError, Failure, Participants, State, Unsupported, carries_labels};
