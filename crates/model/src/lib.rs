//! The network of timed automata that every front end produces.
//!
//! * [`Network`]: processes, clocks, bounded integers, channels and
//!   synchronisation vectors; expressions as resolved trees ([`expr`]).
//! * [`System`]: a network made ready to run: [`code`], packed states
//!   ([`Layout`]) and what static [`analysis`] knows.
#![forbid(unsafe_code)]

pub mod analysis;
pub mod code;
pub mod expr;
mod formula;
pub mod layout;
mod network;
pub mod property;
mod quantity;
mod simplify;
mod system;
mod table;
pub mod tchecker;
mod timed;
mod validate;
pub mod visit;

pub use dwell_syntax::Span;
pub use formula::{CompiledFormula, CompiledValue, Test};
pub use layout::Layout;
pub use network::*;
pub use quantity::{CompiledQuantities, CompiledQuantity};
pub use system::*;
pub use table::LocationTable;
