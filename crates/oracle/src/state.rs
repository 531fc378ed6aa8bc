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
    /// The value of each variable.
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
    /// The network has a feature that regions do not cover.
    Unsupported(Unsupported),
    /// More states than allowed.
    Limit {
        /// The number of states that was allowed.
        states: usize,
    },
}

/// What regions do not cover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unsupported {
    /// A constraint on the difference of two clocks.
    Diagonal {
        /// Where it stands.
        span: Span,
    },
    /// A local of an update in the bound of a clock constraint.
    LocalInBound {
        /// Where the constraint stands.
        span: Span,
    },
}

impl fmt::Display for ExploreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported(Unsupported::Diagonal { .. }) => {
                f.write_str("diagonal clock constraints are not supported")
            }
            Self::Unsupported(Unsupported::LocalInBound { .. }) => {
                f.write_str("a clock bound uses a local slot")
            }
            Self::Limit { states } => write!(f, "more than {states} states"),
        }
    }
}

impl std::error::Error for ExploreError {}
