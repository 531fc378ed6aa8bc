//! The exploration pipeline (David, Behrmann, Larsen, Yi: *A next-generation
//! architecture for UPPAAL*, paper 2).
//!
//! ```text
//!  PwList ──take──► Goal ──► Transitions ──► fire ──► delay ──► Extrapolate ──► pack active clocks ──► PwList
//!  (Order + Cover + stores)                                                                            │ new
//!                                                                             TraceStore ◄─────────────┘
//! ```
//!
//! One loop ([`Pipeline::run`]); each box is a file; what is switched off is a
//! type of size zero. A symbolic state is copied twice at most: from the store
//! into the memory of its successor, and from there into the store.
//!
//! The stages of the paper's figure 3 and where they are: *Transition* and
//! *Successor* in `dwell-semantics`, *Delay* there too ([`ZoneSystem::enter`]),
//! *Normalisation* is [`Extrapolate`], *ActiveClockReduction* is [`Reduce`],
//! *PWList* is [`PwList`], whose [`Order`] may ask for a [`Rank`], *TraceStore* is [`TraceStore`], *Query* is [`Goal`],
//! *Progress* is [`Observer`], *Fork* is the point in the loop where a taken
//! state goes both to the query and to its successors, *Enumerate* is
//! [`PwList::enumerate`] and, for the next query, [`Scan`]; *Expand* is [`Stepper`].
//!
//! [`ZoneSystem::enter`]: dwell_semantics::ZoneSystem::enter
//! [`Stepper`]: dwell_semantics::Stepper

mod bounds;
mod chains;
mod checkpoint;
mod countdown;
pub mod cover;
mod digest;
mod earliest;
mod exchange;
pub mod extrapolate;
mod goal;
pub mod keep;
pub mod liveness;
pub mod measure;
mod observer;
pub mod order;
mod pipeline;
mod pwlist;
pub mod rank;
pub mod reduce;
mod reuse;
mod spill;
mod stats;
pub mod store;
pub mod trace;

pub use bounds::BoundsMap;
pub use chains::{ChainCounts, ChainsFrom, unchained};
pub use checkpoint::{Keeper, NoKeeper};
pub use cover::Cover;
pub use earliest::EarliestGoal;
pub use exchange::{Exchange, Origin, Pace, Parcel, Parent, Pausing, Progress, Rest, SAME, Worker};
pub use extrapolate::Extrapolate;
pub use goal::{Chance, FormulaGoal, Goal, LabelGoal, Met, NoGoal, ZoneOf};
pub use observer::{NoObserver, Observer};
pub use order::Order;
pub use pipeline::{Halt, Outcome, Pipeline};
pub use pwlist::{At, Inserted, NodeId, Passing, PwList};
pub use rank::Rank;
pub use reduce::Reduce;
pub use reuse::Scan;
pub use stats::Stats;
pub use store::{KeyStore, ZoneStore};
pub use trace::TraceStore;
