//! All reachable discrete states and what holds in them, by exploring the
//! region graph.

use std::collections::BTreeSet;

use dwell_model::expr::RuntimeError;
use dwell_model::property::Formula;
use dwell_model::{LabelId, Network};

use crate::caps::caps;
use crate::graph::Graph;
use crate::state::{Discrete, ExploreError, Failure, carries_labels};

/// What is reachable in a network.
#[derive(Clone, Debug)]
pub struct RegionGraph<'a> {
    network: &'a Network,
    /// The reachable discrete states.
    pub discrete: BTreeSet<Discrete>,
    /// A run-time error that is reachable, a nearest one, if there is any.
    /// Exploration goes on past errors.
    pub failure: Option<Failure>,
    /// What was asked, in the order it was given.
    pub asked: Vec<Asked>,
    /// Number of nodes: discrete states with a region.
    pub nodes: usize,
    /// Number of transitions taken, delays not counted.
    pub transitions: usize,
}

/// A formula that was tested in every reachable state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The formula.
    pub formula: Formula,
    /// Whether it holds in some reachable state.
    pub met: bool,
    /// An error that evaluating it meets. It is not evaluated any more after
    /// that, nor once it is met.
    pub error: Option<RuntimeError>,
}

impl RegionGraph<'_> {
    /// Whether a state is reachable in which every label is carried by an
    /// active location. For no labels: whether there is a state at all.
    pub fn reaches_labels(&self, labels: &[LabelId]) -> bool {
        self.discrete.iter().any(|state| carries_labels(self.network, &state.locations, labels))
    }

    /// Whether a state is reachable in which the formula holds; `None` for a
    /// formula that was not given to [`explore_with`].
    pub fn reaches(&self, formula: &Formula) -> Option<bool> {
        self.asked.iter().find(|asked| asked.formula == *formula).map(|asked| asked.met)
    }
}

/// Explores the region graph, breadth first, up to `limit_states` nodes.
pub fn explore(network: &Network, limit_states: usize) -> Result<RegionGraph<'_>, ExploreError> {
    explore_with(network, &[], limit_states)
}

/// Explores the region graph, breadth first, up to `limit_states` nodes, and
/// tests the formulas in each of them.
pub fn explore_with<'a>(
    network: &'a Network,
    formulas: &[Formula],
    limit_states: usize,
) -> Result<RegionGraph<'a>, ExploreError> {
    let caps = caps(network, formulas).map_err(ExploreError::Unsupported)?;
    let mut graph = Graph::build(network, &caps, limit_states)?;
    Ok(RegionGraph {
        network,
        nodes: graph.nodes.len(),
        transitions: graph.nodes.iter().map(|node| node.targets.len()).sum(),
        failure: graph.failure.take(),
        asked: formulas.iter().map(|formula| ask(&graph, formula)).collect(),
        discrete: graph.into_discrete().collect(),
    })
}

/// Tests a formula in all nodes, up to the first in which it holds or fails to
/// evaluate.
fn ask(graph: &Graph<'_>, formula: &Formula) -> Asked {
    let tested = (0..graph.nodes.len()).map(|node| graph.holds(node, formula));
    let found = tested.into_iter().find(|tested| *tested != Ok(false));
    Asked { formula: formula.clone(), met: found == Some(Ok(true)), error: found.and_then(Result::err) }
}
