//! Symbolic semantics of a compiled network: one step at a time.
//!
//! * [`Transitions`]: which moves are enabled by the discrete part of a state;
//! * [`ZoneSystem`]: what a move and the delay after it do to the zone.
//! * [`Stepper`]: both together, a state at a time.
//!
//! The discrete part is always tested first; a zone is touched only for moves
//! whose integer guards hold (paper 2, section 3). Used by the exploration
//! loop, by traces and by whatever steps through a model.
#![forbid(unsafe_code)]

mod channels;
mod discrete;
mod formula;
mod moves;
mod options;
mod quantity;
mod stepper;
mod transitions;
mod zones;

pub use discrete::{Discrete, fire};
pub use formula::{FormulaTest, Truth};
pub use moves::{Moves, Participant, Role};
pub use quantity::{QuantityReader, Reading};
pub use stepper::{Stepper, SymbolicState, initial_locations};
pub use transitions::{Scratch, Transitions};
pub use zones::{Conjunction, ConstantTooLarge, ZoneFault, ZoneSystem};
