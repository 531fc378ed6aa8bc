//! The region graph, node by node.
//!
//! Nodes are pairs of a discrete state and a clock region; from each, time
//! moves on by one region while S-2 allows it, and every transition is taken.
//! Invariants are unions of regions and are tested in every region on the
//! way, so they hold all along. So are formulas, with caps that cover their
//! constants too. What depends on the discrete state alone is computed once
//! for each.

use std::collections::HashMap;
use std::rc::Rc;

use dwell_model::expr::RuntimeError;
use dwell_model::property::Formula;
use dwell_model::{EdgeId, Network, ProcessId};

use crate::eval::Refusal;
use crate::formula::{self, FormulaError, Time};
use crate::rational::Rational;
use crate::region::{Region, Value};
use crate::state::{Discrete, ExploreError, Failure, State};
use crate::step::{self, Transitions, Urgency};

/// The reachable part of the region graph, nodes in breadth-first order.
pub struct Graph<'a> {
    network: &'a Network,
    caps: &'a [u32],
    limit: usize,
    ids: HashMap<Discrete, u32>,
    facts: Vec<Rc<Facts>>,
    indices: HashMap<(u32, Vec<Value>), usize>,
    /// The nodes; an index here is what names a node.
    pub nodes: Vec<Node>,
    /// Those in which runs start.
    pub initial: Vec<usize>,
    /// A run-time error that is reachable, a nearest one, if there is any.
    pub failure: Option<Failure>,
}

/// A discrete state with a region.
pub struct Node {
    discrete: u32,
    /// What is known of each clock.
    pub values: Vec<Value>,
    /// What time does.
    pub delay: Delay,
    /// Where transitions lead, one entry for each.
    pub targets: Vec<usize>,
    /// Whether one of them fails.
    fails: bool,
}

/// How time passes in a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delay {
    /// It comes to this node next.
    To(usize),
    /// It may go on for ever, and no constraint sees it.
    ForEver,
    /// It cannot leave this node: an invariant or urgency keeps it.
    Ends,
}

/// What is known of a discrete state whatever the clocks are.
struct Facts {
    discrete: Discrete,
    /// `None` where a guard that decides it fails to evaluate.
    urgency: Option<Urgency>,
    transitions: Transitions,
}

impl<'a> Graph<'a> {
    /// Builds the graph, up to `limit` nodes, with caps that [`crate::caps`]
    /// found. Goes on past run-time errors.
    pub fn build(network: &'a Network, caps: &'a [u32], limit: usize) -> Result<Self, ExploreError> {
        let mut graph = Self {
            network,
            caps,
            limit,
            ids: HashMap::new(),
            facts: Vec::new(),
            indices: HashMap::new(),
            nodes: Vec::new(),
            initial: Vec::new(),
            failure: None,
        };
        let start: Vec<Rational> = network.clocks.iter().map(|clock| clock.init.into()).collect();
        for discrete in step::initial(network) {
            let state = State { discrete, clocks: Region::of(caps, &start) };
            match step::violated_invariant(network, &state) {
                Ok(None) => {
                    let node = graph.insert(&state)?;
                    graph.initial.push(node);
                }
                Ok(Some(_)) => {}
                Err(refusal) => graph.refused(&state.discrete, &[], refusal),
            }
        }
        let mut next = 0;
        while next < graph.nodes.len() {
            graph.expand(next)?;
            next += 1;
        }
        Ok(graph)
    }

    /// The discrete part of a node.
    pub fn discrete(&self, node: usize) -> &Discrete {
        &self.facts[self.nodes[node].discrete as usize].discrete
    }

    /// The discrete states of all nodes.
    pub fn into_discrete(self) -> impl Iterator<Item = Discrete> {
        self.ids.into_keys()
    }

    /// Whether the formula holds in a node. The caps must cover it.
    pub fn holds(&self, node: usize, formula: &Formula) -> Result<bool, RuntimeError> {
        let is_deadlock = |_: &State<Region<'_>>| Ok(self.is_deadlock(node));
        match formula::holds(self.network, formula, &self.state(node), &is_deadlock) {
            Ok(holds) => Ok(holds),
            Err(FormulaError::RuntimeError(error)) => Err(error),
            Err(other) => unreachable!("{other}: caps were found"),
        }
    }

    /// The nodes from here on that are reached without delays and with one
    /// region of delay.
    pub fn successors(&self, node: usize) -> impl Iterator<Item = usize> {
        let Node { delay, targets, .. } = &self.nodes[node];
        let later = if let Delay::To(later) = *delay { Some(later) } else { None };
        targets.iter().copied().chain(later)
    }

    fn is_deadlock(&self, mut node: usize) -> bool {
        loop {
            match &self.nodes[node] {
                Node { targets, fails, .. } if *fails || !targets.is_empty() => return false,
                Node { delay: Delay::To(later), .. } => node = *later,
                _ => return true,
            }
        }
    }

    fn state(&self, node: usize) -> State<Region<'a>> {
        let clocks = Region::from_values(self.caps, &self.nodes[node].values);
        State { discrete: self.discrete(node).clone(), clocks }
    }

    fn expand(&mut self, node: usize) -> Result<(), ExploreError> {
        let network = self.network;
        let facts = self.facts[self.nodes[node].discrete as usize].clone();
        let at = self.state(node);
        self.nodes[node].delay = self.delay(&facts, &at)?;
        let mut targets = Vec::new();
        let mut fails = false;
        step::fire_all(network, &at, &facts.transitions, |participants, outcome| {
            match outcome {
                Ok(to) => targets.push(self.insert(&to)?),
                Err(refusal) => {
                    fails |= matches!(refusal, Refusal::Error(_));
                    self.refused(&at.discrete, participants, refusal);
                }
            }
            Ok(())
        })?;
        self.nodes[node].targets = targets;
        self.nodes[node].fails = fails;
        Ok(())
    }

    fn delay(&mut self, facts: &Facts, at: &State<Region<'_>>) -> Result<Delay, ExploreError> {
        // An error in a guard that decides urgency is also one of a transition.
        let may_pass = |urgency: &Urgency| urgency.bar(self.network, at) == Ok(None);
        if !facts.urgency.as_ref().is_some_and(may_pass) {
            return Ok(Delay::Ends);
        }
        let mut later = at.clone();
        if !later.clocks.advance() {
            return Ok(Delay::ForEver);
        }
        // An invariant that held when the discrete state was entered evaluates
        // without errors for as long as the variables keep their values.
        match step::violated_invariant(self.network, &later).expect("it was evaluated on entry") {
            None => Ok(Delay::To(self.insert(&later)?)),
            Some(_) => Ok(Delay::Ends),
        }
    }

    fn insert(&mut self, state: &State<Region<'_>>) -> Result<usize, ExploreError> {
        let discrete = match self.ids.get(&state.discrete) {
            Some(&id) => id,
            None => self.discover(&state.discrete),
        };
        let values = state.clocks.values.clone();
        if let Some(&node) = self.indices.get(&(discrete, values.clone())) {
            return Ok(node);
        }
        let node = self.nodes.len();
        if node >= self.limit {
            return Err(ExploreError::Limit { states: self.limit });
        }
        self.indices.insert((discrete, values.clone()), node);
        self.nodes.push(Node { discrete, values, delay: Delay::Ends, targets: Vec::new(), fails: false });
        Ok(node)
    }

    fn discover(&mut self, discrete: &Discrete) -> u32 {
        let id = u32::try_from(self.facts.len()).expect("node limits are below 2^32");
        self.ids.insert(discrete.clone(), id);
        let mut transitions = step::transitions(self.network, discrete);
        for (participants, error) in std::mem::take(&mut transitions.failing) {
            self.failed(discrete, &participants, error);
        }
        let urgency = step::urgency(self.network, discrete).ok();
        self.facts.push(Rc::new(Facts { discrete: discrete.clone(), urgency, transitions }));
        id
    }

    fn refused(&mut self, at: &Discrete, participants: &[(ProcessId, EdgeId)], refusal: Refusal) {
        match refusal {
            Refusal::Error(error) => self.failed(at, participants, error),
            Refusal::Guard(..) | Refusal::Invariant(_) | Refusal::OutOfRange { .. } => {}
            Refusal::Inexpressible => unreachable!("differences of clocks were refused"),
        }
    }

    fn failed(&mut self, at: &Discrete, participants: &[(ProcessId, EdgeId)], error: RuntimeError) {
        self.failure.get_or_insert_with(|| Failure {
            at: at.clone(),
            participants: participants.to_vec(),
            error,
        });
    }
}
