//! The library face of dwell: load a model, choose a plan, ask a question.
//!
//! ```
//! use dwell_engine::{Model, Options, Question, check};
//!
//! let text = "system:lamp\nevent:press\nprocess:L\nlocation:L:off{initial:}\n\
//!             location:L:on{labels:lit}\nedge:L:off:on:press\n";
//! let model = Model::from_tchecker(text, &Default::default()).expect("a correct model");
//! let question = Question::labels(&model, &["lit"])?;
//! let plan = Options::default().plan(&model, &question)?;
//! let report = check(&model, &question, &plan, Default::default());
//! assert_eq!(report.verdict, dwell_engine::Verdict::Satisfied);
//! # Ok::<(), String>(())
//! ```
//!
//! Several questions about one model go to a [`Session`], which may answer one
//! from the states of another.
//!
//! `Options` (what the user asked for) become a [`Plan`] (what will be done,
//! and why), which becomes a pipeline.
#![forbid(unsafe_code)]

mod approximate;
mod aside;
mod checkpoint;
mod cluster;
mod covering;
mod fastest;
mod heuristic;
mod keep;
mod live;
mod measure;
mod model;
mod options;
mod plan;
mod question;
mod refusals;
mod report;
mod run;
mod sanity;
mod session;
mod stages;
mod stored;
mod table;
mod uppaal;
mod verdict;
mod walk;
mod workers;

pub use checkpoint::Disk;
pub use covering::Covering;
pub use dwell_base::{limits, units};
pub use dwell_check::{After, LeastTime, Trace, TraceState, TraceStep, ZoneConstraint};
pub use dwell_covering as covering_sets;
pub use dwell_explore::rank::EdgeOrder;
pub use dwell_explore::store::{Omissions, Unique};
pub use dwell_explore::{Observer, Stats};
pub use dwell_model::{self as model_ir, Network, OutOfRange, Overflow, Span, System};
pub use dwell_parallel::Cluster;
pub use dwell_simulate as simulate;
pub use dwell_syntax as syntax;
pub use heuristic::Heuristic;
pub use keep::{Keep, KeepName};
pub use measure::Value;
pub use model::{Format, LoadOptions, Model, ModelError};
pub use options::{OPTIONS, OptionSpec, Options};
pub use plan::{
    Abstraction, BoundsScope, CoverRule, OrderName, Plan, Reason, SideProof, StoreName, Switch, TraceKind,
    Width,
};
pub use question::Question;
pub use report::{Report, Reused, Verdict};
pub use run::{Control, check};
pub use sanity::{Sanity, sanity};
pub use session::Session;
pub use stored::{StoredState, UniqueParts, stored_states, unique_parts};
pub use table::Table;
pub use uppaal::QueryError;
pub use verdict::explain;
pub use walk::random_walk;
