//! All reachable discrete states, by exploring the region graph.
//!
//! Nodes are pairs of a discrete state and a clock region; from each, time
//! moves on by one region while S-2 allows it, and every transition is taken.
//! Invariants are unions of regions and are tested in every region on the
//! way, so they hold all along. So are formulas, with caps that cover their
//! constants too. What depends on the discrete state alone is computed once
//! for each.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::rc::Rc;

use dwell_model::expr::RuntimeError;
use dwell_model::property::Formula;
use dwell_model::{EdgeId, LabelId, Network, ProcessId};

use crate::caps::caps;
use crate::eval::Refusal;
use crate::formula::{self, FormulaError, Time};
use crate::rational::Rational;
use crate::region::{Region, Value};
use crate::state::{Discrete, ExploreError, Failure, State, carries_labels};
use crate::step::{self, Transitions};
use crate::support;

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
    support::check(network).map_err(ExploreError::Unsupported)?;
    let caps = caps(network, formulas).map_err(ExploreError::Unsupported)?;
    let start: Vec<Rational> = network.clocks.iter().map(|clock| clock.init.into()).collect();
    let mut search = Search::new(network, formulas, limit_states);
    for discrete in step::initial(network) {
        let state = State { discrete, clocks: Region::of(&caps, &start) };
        match step::violated_invariant(network, &state) {
            Ok(None) => search.insert(&state)?,
            Ok(Some(_)) => {}
            Err(refusal) => search.refused(&state.discrete, &[], refusal),
        }
    }
    while let Some((id, values)) = search.waiting.pop_front() {
        let facts = search.facts(id);
        let at = State { discrete: facts.discrete.clone(), clocks: Region::from_values(&caps, &values) };
        if facts.time_may_pass {
            let mut later = at.clone();
            if later.clocks.advance() && holds(step::violated_invariant(network, &later)) {
                search.insert(&later)?;
            }
        }
        step::fire_all(network, &at, &facts.transitions, |participants, outcome| match outcome {
            Ok(to) => {
                search.transitions += 1;
                search.insert(&to)
            }
            Err(refusal) => {
                search.refused(&at.discrete, participants, refusal);
                Ok(())
            }
        })?;
    }
    Ok(RegionGraph {
        network,
        nodes: search.seen.len(),
        transitions: search.transitions,
        failure: search.failure,
        asked: search.asked,
        discrete: search.ids.into_keys().collect(),
    })
}

/// An invariant that held when the discrete state was entered evaluates
/// without errors for as long as the variables keep their values.
fn holds(violated: Result<Option<ProcessId>, Refusal>) -> bool {
    violated.expect("invariants were evaluated on entry").is_none()
}

/// What is known of a discrete state whatever the clocks are.
struct Facts {
    discrete: Discrete,
    time_may_pass: bool,
    transitions: Transitions,
}

struct Search<'a> {
    network: &'a Network,
    limit: usize,
    ids: HashMap<Discrete, u32>,
    facts: Vec<Rc<Facts>>,
    seen: HashSet<(u32, Vec<Value>)>,
    waiting: VecDeque<(u32, Vec<Value>)>,
    failure: Option<Failure>,
    asked: Vec<Asked>,
    transitions: usize,
}

impl<'a> Search<'a> {
    fn new(network: &'a Network, formulas: &[Formula], limit: usize) -> Self {
        let ask = |formula: &Formula| Asked { formula: formula.clone(), met: false, error: None };
        Self {
            network,
            limit,
            ids: HashMap::new(),
            facts: Vec::new(),
            seen: HashSet::new(),
            waiting: VecDeque::new(),
            failure: None,
            asked: formulas.iter().map(ask).collect(),
            transitions: 0,
        }
    }

    fn facts(&self, id: u32) -> Rc<Facts> {
        self.facts[id as usize].clone()
    }

    fn insert(&mut self, state: &State<Region<'_>>) -> Result<(), ExploreError> {
        let id = match self.ids.get(&state.discrete) {
            Some(&id) => id,
            None => self.discover(&state.discrete),
        };
        let node = (id, state.clocks.values.clone());
        if self.seen.contains(&node) {
            return Ok(());
        }
        if self.seen.len() >= self.limit {
            return Err(ExploreError::Limit { states: self.limit });
        }
        self.seen.insert(node.clone());
        self.waiting.push_back(node);
        self.ask(state);
        Ok(())
    }

    /// Tests the formulas that are still open.
    fn ask(&mut self, state: &State<Region<'_>>) {
        let network = self.network;
        for asked in self.asked.iter_mut().filter(|asked| !asked.met && asked.error.is_none()) {
            let is_deadlock = |state: &State<Region<'_>>| Ok(formula::is_deadlock(network, state));
            match formula::holds(network, &asked.formula, state, &is_deadlock) {
                Ok(met) => asked.met = met,
                Err(FormulaError::RuntimeError(error)) => asked.error = Some(error),
                Err(other) => unreachable!("{other}: caps were found"),
            }
        }
    }

    fn discover(&mut self, discrete: &Discrete) -> u32 {
        let id = u32::try_from(self.facts.len()).expect("node limits are below 2^32");
        self.ids.insert(discrete.clone(), id);
        let mut transitions = step::transitions(self.network, discrete);
        for (participants, error) in std::mem::take(&mut transitions.failing) {
            self.failed(discrete, &participants, error);
        }
        // An error in an urgent guard is also one of a transition.
        let time_may_pass = matches!(step::delay_bar(self.network, discrete), Ok(None));
        self.facts.push(Rc::new(Facts { discrete: discrete.clone(), time_may_pass, transitions }));
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
