//! How near a property of states is: in transitions and in time.

use std::collections::VecDeque;

use dwell_model::property::Formula;
use dwell_model::{Clock, Network};

use crate::answer::{Endpoint, span};
use crate::caps::{caps, caps_from};
use crate::graph::{Delay, Graph};
use crate::state::ExploreError;

/// The fewest transitions of a run to a state in which the formula holds;
/// delays are not counted. Where it fails to evaluate it does not hold.
pub fn shortest(
    network: &Network,
    formula: &Formula,
    limit_states: usize,
) -> Result<Option<usize>, ExploreError> {
    let caps = caps(network, std::slice::from_ref(formula)).map_err(ExploreError::Unsupported)?;
    let graph = Graph::build(network, &caps, limit_states)?;
    // Breadth first, with the nodes that cost nothing more in front.
    let mut is_done = vec![false; graph.nodes.len()];
    let mut waiting: VecDeque<(usize, usize)> = graph.initial.iter().map(|&node| (node, 0)).collect();
    while let Some((node, taken)) = waiting.pop_front() {
        if std::mem::replace(&mut is_done[node], true) {
            continue;
        }
        if graph.holds(node, formula) == Ok(true) {
            return Ok(Some(taken));
        }
        waiting.extend(graph.nodes[node].targets.iter().map(|&target| (target, taken + 1)));
        if let Delay::To(later) = graph.nodes[node].delay {
            waiting.push_front((later, taken));
        }
    }
    Ok(None)
}

/// The infimum of the durations of runs to states in which the formula holds,
/// read off a clock that nobody resets; `None` if there is none up to the
/// horizon. Where the formula fails to evaluate it does not hold.
pub fn fastest(
    network: &Network,
    formula: &Formula,
    horizon: u32,
    limit_states: usize,
) -> Result<Option<Endpoint>, ExploreError> {
    let mut timed = network.clone();
    timed.clocks.push(Clock { name: "total time".to_owned(), init: 0 });
    let mut least_caps = vec![0; timed.clocks.len()];
    let total = network.clocks.len();
    least_caps[total] = horizon;
    let caps =
        caps_from(&timed, std::slice::from_ref(formula), least_caps).map_err(ExploreError::Unsupported)?;
    let graph = Graph::build(&timed, &caps, limit_states)?;
    let holding = (0..graph.nodes.len()).filter(|&node| graph.holds(node, formula) == Ok(true));
    let durations = holding.filter_map(|node| span(graph.nodes[node].values[total]).least);
    Ok(durations.min_by_key(|end| (end.value, !end.attained)))
}
