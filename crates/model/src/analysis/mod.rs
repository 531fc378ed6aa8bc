//! What can be said about a network without exploring it.

mod bounds;
mod constants;
mod dominance;
mod effects;
mod interval;
mod solver;
mod updates;
mod variables;
mod written;

pub use bounds::{ClockFacts, ComparedDifference, LocationBounds, clock_facts, clock_unknowns};
pub use constants::oversized_constants;
pub use effects::{Effects, Slots, edge_effects, function_effects};
pub use interval::Interval;
pub use variables::{VariableFacts, variable_facts};
pub use written::narrow_unwritten;
