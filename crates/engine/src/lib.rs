//! The library face of dwell: load a model, choose a plan, ask a question.
//!
//! A worked example: two lamps that must not be lit at once, and the run in which they are.
//!
//! ```
//! use dwell_engine::syntax::uppaal::parse_query;
//! use dwell_engine::{Format, Model, Options, Verdict, check};
//!
//! // Load a model. What is wrong with its text comes as diagnostics with places.
//! let text = "
//!     process Lamp(const int[0,1] id) {
//!         clock x;
//!         state off, lit { x <= 5 };
//!         init off;
//!         trans off -> lit { guard x >= 2; assign x = 0; }, lit -> off { };
//!     }
//!     system Lamp;";
//! let model = Model::read(text, Format::Xta, &Default::default())
//!     .map_err(|error| error.diagnostics[0].message.clone())?;
//!
//! // Ask a query. Options become a plan, or a sentence about why that makes no sense.
//! let (query, _) = parse_query("A[] not (Lamp(0).lit and Lamp(1).lit)");
//! let question = model.questions(&[query]).remove(0).map_err(|error| error.why)?;
//! let mut options = Options::default();
//! options.set("trace", "shortest")?;
//! let plan = options.plan(&model, &question)?;
//! let report = check(&model, &question, &plan, Default::default());
//! assert_eq!(report.verdict, Verdict::NotSatisfied);
//!
//! // Walk the trace: exact delays, and who moves from where to where.
//! let network = model.network();
//! let trace = report.trace.expect("asked for");
//! let mut lines = Vec::new();
//! for step in &trace.steps {
//!     for &(process, edge) in &step.participants {
//!         let process = &network.processes[process.index()];
//!         let edge = &process.edges[edge.index()];
//!         let target = &process.locations[edge.target.index()].name;
//!         lines.push(format!("after {} {} is {target}", step.delay, process.name));
//!     }
//! }
//! assert_eq!(lines, ["after 2 Lamp(0) is lit", "after 0 Lamp(1) is lit"]);
//!
//! // And its last state: locations, variables, the zone, the clocks of this run.
//! let last = trace.states.last().expect("a trace has a state");
//! assert_eq!(last.clocks.iter().map(ToString::to_string).collect::<Vec<_>>(), ["0", "0"]);
//! # Ok::<(), String>(())
//! ```
//!
//! TChecker's format is read the same way ([`Format::Tck`]); its questions are [`Question::labels`] and
//! [`Question::space`].
//!
//! Several questions about one model go to a [`Session`], which may answer one
//! from the states of another.
//!
//! `Options` (what the user asked for) become a [`Plan`] (what will be done,
//! and why), which becomes a pipeline.
#![forbid(unsafe_code)]

mod approximate;
mod aside;
mod chains;
mod checkpoint;
mod cluster;
mod covering;
mod fastest;
mod heuristic;
mod keep;
mod live;
mod live_workers;
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
mod spread;
mod stages;
mod stored;
mod table;
mod uppaal;
mod variables;
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
    Abstraction, BoundsScope, Chains, CoverRule, OrderName, Plan, Reason, SideProof, StoreName, Switch,
    TraceKind, Width,
};
pub use question::Question;
pub use report::{Report, Reused, Verdict};
pub use run::{Control, check};
pub use sanity::{Sanity, sanity};
pub use session::Session;
pub use stored::{StoredState, UniqueParts, stored_states, unique_parts};
pub use table::Table;
pub use uppaal::QueryError;
pub use variables::share_observed;
pub use verdict::explain;
pub use walk::random_walk;
