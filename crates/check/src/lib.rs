//! From the end of an exploration to something a person can believe: traces
//! on exact zones, and one concrete run that the oracle has replayed.
#![forbid(unsafe_code)]

mod concrete;
mod constraints;
mod forever;
mod path;
mod timing;
mod trace;

pub use concrete::LeastTime;
pub use constraints::{ZoneConstraint, zone_constraints};
pub use forever::{Forever, rebuild_forever};
pub use timing::Timing;
pub use trace::{After, End, Trace, TraceError, TraceState, TraceStep, next_move, rebuild, rebuild_fastest};
