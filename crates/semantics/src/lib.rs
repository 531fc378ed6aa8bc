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
mod constraints;
mod discrete;
mod enabling;
mod formula;
mod moves;
mod options;
mod priorities;
mod quantity;
mod stays;
mod stepper;
mod transitions;
mod urgency;
mod zones;

pub use constraints::{Conjunction, Difference};
pub use discrete::{Discrete, fire};
pub use enabling::Workspace;
pub use formula::{FormulaTest, Truth, value_at};
pub use moves::{Moves, Participant, Role};
pub use priorities::Turn;
pub use quantity::{QuantityReader, Reading};
pub use stays::Stay;
pub use stepper::{Stepper, SymbolicState, initial_locations};
pub use transitions::{Scratch, Transitions, has_deadlines};
pub use urgency::Delay;
pub use zones::{ConstantTooLarge, ZoneFault, ZoneSystem};
