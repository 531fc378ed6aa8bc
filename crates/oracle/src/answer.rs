//! Answers to whole properties, by regions.
//!
//! * L-1 `E<> p`: some reachable node satisfies p. `A[] p`: none violates it.
//! * L-2 a *lasting* run for ψ stays in nodes that satisfy ψ and has infinitely
//!   many transitions, Zeno or not; or ends in a node in which time may go on
//!   for ever; or ends in one that time cannot leave and no transition leaves,
//!   wherever to.
//! * L-3 `E[] ψ`: a lasting run for ψ starts in an initial node. `A<> p`: none
//!   does for not p.
//! * L-4 `p --> q`: no lasting run for not q starts in a reachable node that
//!   satisfies p.
//! * L-5 `sup`, `inf`, `bounds`: least and greatest values over the reachable
//!   nodes that satisfy a formula.
//!
//! A formula that fails to evaluate where it is needed is an answer too. For
//! L-1 nodes are looked at breadth first, up to the first that decides; for the
//! others all that their definitions reach, so that an error there prevails.

use std::collections::HashMap;

use dwell_model::expr::RuntimeError;
use dwell_model::property::{Formula, Measured, Property, Quantity};
use dwell_model::{Network, expr};

use crate::caps::{caps_from, clocks_of};
use crate::eval;
use crate::graph::{Delay, Graph};
use crate::region::Value;
use crate::state::{ExploreError, Failure};

/// The answers to some properties.
#[derive(Clone, Debug)]
pub struct Answers {
    /// One for each property.
    pub answers: Vec<Answer>,
    /// A run-time error that is reachable, a nearest one, if there is any.
    /// Answers are those of the network without what fails.
    pub failure: Option<Failure>,
}

/// The answer to a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Whether it holds.
    Holds(bool),
    /// What values each quantity has; `None` where it has none, since the
    /// formula holds in no reachable state.
    Values(Vec<Option<Extent>>),
    /// It fails to evaluate.
    Error(RuntimeError),
}

/// Between which values a quantity lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The infimum; `None` if it is not known: beyond the horizon.
    pub least: Option<Endpoint>,
    /// The supremum; `None` if there are values beyond the horizon.
    pub greatest: Option<Endpoint>,
}

/// An infimum or supremum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// Its value.
    pub value: i32,
    /// Whether it is a minimum or maximum.
    pub attained: bool,
}

/// Answers properties, with up to `limit_states` nodes. Clocks that are
/// measured are followed up to `horizon`.
pub fn answer(
    network: &Network,
    properties: &[Property],
    horizon: u32,
    limit_states: usize,
) -> Result<Answers, ExploreError> {
    let mut formulas = Vec::new();
    let mut least_caps = vec![0; network.clocks.len()];
    for property in properties {
        match property {
            Property::Possibly(f) | Property::PotentiallyAlways(f) => formulas.push(f.clone()),
            Property::Invariantly { violation: f } | Property::Eventually { avoiding: f } => {
                formulas.push(f.clone());
            }
            Property::LeadsTo(p, not_q) => formulas.extend([p.clone(), not_q.clone()]),
            Property::Extremum(_, f, quantities) => {
                formulas.push(f.clone());
                let measured = quantities.iter().filter_map(|quantity| match &quantity.value {
                    Measured::Clock(clock) => Some(clocks_of(clock)),
                    Measured::Integer(_) => None,
                });
                measured.flatten().for_each(|clock| least_caps[clock] = horizon);
            }
        }
    }
    let caps = caps_from(network, &formulas, least_caps).map_err(ExploreError::Unsupported)?;
    let graph = Graph::build(network, &caps, limit_states)?;
    let answer = |property| answer_on(network, &graph, property).unwrap_or_else(Answer::Error);
    Ok(Answers { answers: properties.iter().map(answer).collect(), failure: graph.failure.clone() })
}

fn answer_on(network: &Network, graph: &Graph<'_>, property: &Property) -> Result<Answer, RuntimeError> {
    let all = 0..graph.nodes.len();
    Ok(Answer::Holds(match property {
        Property::Possibly(formula) => is_reachable(graph, formula)?,
        Property::Invariantly { violation } => !is_reachable(graph, violation)?,
        Property::PotentiallyAlways(formula) => lasts(graph, &graph.initial, formula)?,
        Property::Eventually { avoiding } => !lasts(graph, &graph.initial, avoiding)?,
        Property::LeadsTo(p, not_q) => !lasts(graph, &satisfying(graph, all, p)?, not_q)?,
        Property::Extremum(_, formula, quantities) => {
            let nodes = satisfying(graph, all, formula)?;
            let values = quantities.iter().map(|quantity| extent(network, graph, &nodes, quantity));
            return Ok(Answer::Values(values.collect::<Result<_, _>>()?));
        }
    }))
}

fn is_reachable(graph: &Graph<'_>, formula: &Formula) -> Result<bool, RuntimeError> {
    for node in 0..graph.nodes.len() {
        if graph.holds(node, formula)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn satisfying(
    graph: &Graph<'_>,
    nodes: impl Iterator<Item = usize>,
    formula: &Formula,
) -> Result<Vec<usize>, RuntimeError> {
    let mut found = Vec::new();
    for node in nodes {
        if graph.holds(node, formula)? {
            found.push(node);
        }
    }
    Ok(found)
}

/// Whether a lasting run for `formula` starts in one of the nodes (L-2): what
/// is left of those that satisfy it after all were taken away, again and again,
/// in which a run cannot end and from which it cannot go on.
fn lasts(graph: &Graph<'_>, starts: &[usize], formula: &Formula) -> Result<bool, RuntimeError> {
    // Each node that is reached, and whether it satisfies the formula and was
    // not taken away.
    let mut remains: HashMap<usize, bool> = HashMap::new();
    let mut before: HashMap<usize, Vec<usize>> = HashMap::new();
    let mut waiting = starts.to_vec();
    while let Some(node) = waiting.pop() {
        if remains.contains_key(&node) {
            continue;
        }
        let holds = graph.holds(node, formula)?;
        remains.insert(node, holds);
        if holds {
            for next in graph.successors(node) {
                before.entry(next).or_default().push(node);
                waiting.push(next);
            }
        }
    }
    let mut suspects: Vec<usize> = remains.keys().copied().collect();
    while let Some(node) = suspects.pop() {
        let goes_on = || may_end(graph, node) || graph.successors(node).any(|next| remains[&next]);
        if remains[&node] && !goes_on() {
            remains.insert(node, false);
            suspects.extend(before.get(&node).into_iter().flatten());
        }
    }
    Ok(starts.iter().any(|start| remains[start]))
}

/// Whether a run that comes to the node may have ended (L-2).
fn may_end(graph: &Graph<'_>, node: usize) -> bool {
    let node = &graph.nodes[node];
    match node.delay {
        Delay::ForEver => true,
        Delay::Ends => node.targets.is_empty(),
        Delay::To(_) => false,
    }
}

fn extent(
    network: &Network,
    graph: &Graph<'_>,
    nodes: &[usize],
    quantity: &Quantity,
) -> Result<Option<Extent>, RuntimeError> {
    let mut all: Option<Extent> = None;
    for &node in nodes {
        let one = match &quantity.value {
            Measured::Integer(expr) => integer(network, graph, node, expr)?,
            Measured::Clock(clock) => {
                let clock = eval::clock(network, clock, graph.discrete(node))?;
                span(graph.nodes[node].values[clock.index()])
            }
        };
        all = Some(all.map_or(one, |all| union(all, one)));
    }
    Ok(all)
}

fn integer(
    network: &Network,
    graph: &Graph<'_>,
    node: usize,
    expr: &expr::Expr,
) -> Result<Extent, RuntimeError> {
    let value = eval::value(network, expr, graph.discrete(node))?;
    let end = Some(Endpoint { value, attained: true });
    Ok(Extent { least: end, greatest: end })
}

/// What a region says of a clock, as an extent.
pub fn span(value: Value) -> Extent {
    let Some((whole, attained)) = value.known() else { return Extent { least: None, greatest: None } };
    let end = |whole: u32| Some(Endpoint { value: whole.cast_signed(), attained });
    Extent { least: end(whole), greatest: end(if attained { whole } else { whole + 1 }) }
}

fn union(a: Extent, b: Extent) -> Extent {
    // Where both have the same value it is attained if one attains it.
    let low = |end: &Endpoint| (end.value, !end.attained);
    let high = |end: &Endpoint| (end.value, end.attained);
    Extent {
        least: [a.least, b.least].into_iter().flatten().min_by_key(low),
        greatest: a.greatest.zip(b.greatest).map(|(a, b)| if high(&a) < high(&b) { b } else { a }),
    }
}
