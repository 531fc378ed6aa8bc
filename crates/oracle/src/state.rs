//! States, and how explorations end early.

use std::fmt;

use dwell_model::expr::RuntimeError;
use dwell_model::{EdgeId, LabelId, LocationId, Network, ProcessId, Span};

/// Who takes part in a transition, in the order in which the updates run.
pub type Participants = Vec<(ProcessId, EdgeId)>;

/// A state over some representation of clock values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State<C> {
    /// Locations and variables.
    pub discrete: Discrete,
    /// Clock values.
    pub clocks: C,
}

/// The part of a state without the clocks.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Discrete {
    /// Where each process is.
    pub locations: Vec<LocationId>,
    /// The value of each variable. Meta variables and constants have their
    /// initial values, so that they do not tell states apart.
    pub vars: Vec<i32>,
}

/// True if every label is carried by some location of `locations`, which
/// holds of no labels at all.
pub fn carries_labels(network: &Network, locations: &[LocationId], labels: &[LabelId]) -> bool {
    labels.iter().all(|label| {
        network.processes.iter().zip(locations).any(|(p, at)| p.locations[at.index()].labels.contains(label))
    })
}

/// A run-time error that some run of the network meets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Where the failing transition starts.
    pub at: Discrete,
    /// The transition, as far as it was formed; empty if an invariant fails
    /// in an initial state.
    pub participants: Participants,
    /// What happened.
    pub error: RuntimeError,
}

/// Why an exploration gave no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExploreError {
    /// The network has a feature that is not covered.
    Unsupported(Unsupported),
    /// More states than allowed.
    Limit {
        /// The number of states that was allowed.
        states: usize,
    },
}

/// What the oracle, or its regions, do not cover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unsupported {
    /// A constraint on the difference of two clocks; only in regions.
    Diagonal {
        /// Where it stands.
        span: Span,
    },
    /// The bound of a clock constraint is a local without a known range; only
    /// in regions.
    LocalInBound {
        /// Where the constraint stands.
        span: Span,
    },
    /// A clock guard that decides whether a synchronisation on an urgent
    /// channel is enabled, and does not do so from a first instant on.
    UrgentClockGuard {
        /// Where the edge stands.
        span: Span,
    },
    /// A clock that may stand still in this location; only in regions.
    Rate(ProcessId, LocationId),
    /// The network itself says that it needs something nobody here can do.
    Network {
        /// What it needs.
        message: String,
        /// Where.
        span: Span,
    },
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Diagonal { .. } => f.write_str("diagonal clock constraints are not supported"),
            Self::LocalInBound { .. } => f.write_str("a clock bound uses a local slot"),
            Self::UrgentClockGuard { .. } => {
                f.write_str("clock guards on urgent channels other than x >= e are not supported")
            }
            Self::Rate(process, location) => {
                write!(f, "a clock has a rate in location {} of process {}", location.0, process.0)
            }
            Self::Network { message, .. } => f.write_str(message),
        }
    }
}

impl fmt::Display for ExploreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported(unsupported) => unsupported.fmt(f),
            Self::Limit { states } => write!(f, "more than {states} states"),
        }
    }
}

impl std::error::Error for ExploreError {}
