//! What can be said about a network without exploring it.

mod bounds;
mod constants;
mod interval;
mod updates;

pub use bounds::{ClockFacts, LocationBounds, clock_facts};
pub use constants::oversized_constants;
pub use interval::Interval;
