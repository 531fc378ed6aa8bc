//! A simulator: one step after the other, chosen by hand or at random.
//!
//! A [`Simulation`] holds the path so far and a state for each of its points.
//! It runs in one of two modes ([`Mode`]):
//!
//! * *zone*: a state has all clock values that the path allows, as exact
//!   zones, or larger ones where clocks may stand still (`symbolic.rs`, on
//!   [`dwell_semantics::Stepper`]);
//! * *concrete*: a state has one exact value for each clock, and every
//!   transition comes with the delays after which it can be taken
//!   (`concrete.rs`, on the semantics of [`dwell_oracle`]).
//!
//! Both modes name a transition by who takes part with which edge, and list
//! transitions in that order, so that a path and a number mean the same in
//! both.
//!
//! The crate reads and prints nothing.
#![forbid(unsafe_code)]

mod concrete;
mod fault;
mod follow;
mod interval;
mod moving;
mod runs;
mod simulation;
mod symbolic;

pub use dwell_check::{Trace, TraceState, TraceStep};
pub use dwell_oracle::step::DelayBar;
pub use dwell_oracle::{Participants, Rational};
pub use fault::Fault;
pub use follow::{Landmark, Stopped, Waypoint};
pub use interval::{Delays, End, Interval};
pub use runs::Kept;
pub use simulation::{Simulation, Step};

/// How clocks are shown and time is treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// All clock values at once.
    Zone,
    /// One value for each clock.
    Concrete,
}

/// What a state looks like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// Location of each process.
    pub locations: Vec<dwell_model::LocationId>,
    /// Value of each variable.
    pub vars: Vec<i32>,
    /// Values of the clocks.
    pub clocks: ClockView,
}

/// What the clocks of a state look like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClockView {
    /// One of these zones.
    Zones(Vec<ZoneView>),
    /// The value of each clock.
    Values(Vec<Rational>),
}

/// What a zone looks like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZoneView {
    /// Its fewest constraints, as traces have them.
    pub constraints: Vec<String>,
    /// The same for people: two constraints that fix a value are one equation.
    pub equations: Vec<String>,
}

/// What may happen in a state.
#[derive(Clone, Debug)]
pub struct Listing {
    /// Transitions, ordered by their participants.
    pub transitions: Vec<Transition>,
    /// Guards and channels that fail to evaluate, with whose they are.
    pub failures: Vec<(Participants, Fault)>,
    /// Whether time may pass.
    pub time: Passage,
}

/// A transition that can be taken, or that fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// Who takes part, with which edge, in the order of the updates.
    pub participants: Participants,
    /// In concrete mode, after which delays.
    pub delays: Option<Delays>,
    /// What goes wrong when it is taken, for some or all clock values.
    pub failure: Option<Fault>,
}

/// Whether time may pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Passage {
    /// It may; in concrete mode for as long as the invariants allow and until
    /// an urgent synchronisation becomes enabled.
    Free(Interval),
    /// It may not, and why.
    Barred(DelayBar),
    /// It cannot be told.
    Fails(Fault),
}
