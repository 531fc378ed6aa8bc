//! Replays a trace with exact delays.
//!
//! Every rule S-1 to S-9 is checked at every step, in this order: delay
//! allowed, invariants after the delay, participants form a transition,
//! committed rule, guards, priorities, updates, invariants. The first that
//! fails is the [`ReplayFault`].

use dwell_model::expr::Relation;
use dwell_model::property::Formula;
use dwell_model::{ClockId, EdgeId, LabelId, LocationId, Network, ProcessId};

use crate::caps::caps;
use crate::eval::{Clocks, Inexpressible};
use crate::formula::{self, FormulaError};
use crate::rational::Rational;
use crate::region::Region;
use crate::state::{Discrete, Participants, State, carries_labels};
use crate::{form, moments, priority, step, support, transitions};

pub use crate::delay::{delayed, running};
pub use crate::fault::{ReplayError, ReplayFault};

/// Let time pass, then take a transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// How long to wait first.
    pub delay: Rational,
    /// Who moves, in the order of their updates. Empty only in a last step,
    /// which is then a delay alone.
    pub participants: Participants,
}

/// Exact clock values.
pub type Valuation = Vec<Rational>;

impl Clocks for Valuation {
    fn holds(
        &self,
        left: ClockId,
        minus: Option<ClockId>,
        relation: Relation,
        bound: i32,
    ) -> Result<bool, Inexpressible> {
        let mut value = self[left.index()];
        if let Some(minus) = minus {
            value = value.checked_sub(self[minus.index()]).map_err(|_| Inexpressible)?;
        }
        let order = value.cmp(&bound.into());
        Ok(match relation {
            Relation::Lt => order.is_lt(),
            Relation::Le => order.is_le(),
            Relation::Eq => order.is_eq(),
            Relation::Ge => order.is_ge(),
            Relation::Gt => order.is_gt(),
        })
    }

    fn assign(&mut self, clock: ClockId, from: Option<ClockId>, value: i32) -> Result<(), Inexpressible> {
        let from = from.map_or(Rational::ZERO, |from| self[from.index()]);
        self[clock.index()] = from.checked_add(value.into()).map_err(|_| Inexpressible)?;
        Ok(())
    }
}

/// A trace in the course of being replayed.
#[derive(Clone, Debug)]
pub struct Replay<'a> {
    network: &'a Network,
    state: State<Valuation>,
    steps: usize,
}

impl<'a> Replay<'a> {
    /// Starts in the initial state with these locations.
    pub fn start(network: &'a Network, locations: &[LocationId]) -> Result<Self, ReplayError> {
        let at_start = |fault| ReplayError { step: None, fault };
        support::check(network).map_err(|unsupported| at_start(ReplayFault::Unsupported(unsupported)))?;
        if locations.len() != network.processes.len() {
            return Err(at_start(ReplayFault::WrongLocationCount(locations.len())));
        }
        for (process, (declared, at)) in network.processes.iter().zip(locations).enumerate() {
            if !declared.initial.contains(at) {
                return Err(at_start(ReplayFault::NotInitial(ProcessId::new(process))));
            }
        }
        let vars = network.vars.iter().map(|v| v.init).collect();
        let discrete = Discrete { locations: locations.to_vec(), vars };
        let clocks = network.clocks.iter().map(|clock| clock.init.into()).collect();
        let state = State { discrete, clocks };
        match step::violated_invariant(network, &state) {
            Ok(None) => Ok(Self { network, state, steps: 0 }),
            Ok(Some(process)) => Err(at_start(ReplayFault::InvariantAtStart(process))),
            Err(refusal) => Err(at_start(refusal.into())),
        }
    }

    /// Where the trace has come to.
    pub fn state(&self) -> &State<Valuation> {
        &self.state
    }

    /// Takes a step. After an error the replay is where it was before.
    pub fn step(&mut self, step: &Step) -> Result<&State<Valuation>, ReplayError> {
        let failed = |fault| ReplayError { step: Some(self.steps), fault };
        let mut state = delayed(self.network, &self.state, step.delay).map_err(failed)?;
        if !step.participants.is_empty() {
            state = fired(self.network, &state, &step.participants).map_err(failed)?;
        }
        self.state = state;
        self.steps += 1;
        Ok(&self.state)
    }

    /// Whether every label is carried by a location the trace has come to.
    pub fn ends_with_labels(&self, labels: &[LabelId]) -> bool {
        carries_labels(self.network, &self.state.discrete.locations, labels)
    }

    /// Whether the formula holds in the state the trace has come to. Deadlocks
    /// are looked for in regions, or in moments where regions do not cover the
    /// network.
    pub fn holds(&self, formula: &Formula) -> Result<bool, FormulaError> {
        holds(self.network, formula, &self.state)
    }
}

/// With caps whose sum is larger, deadlocks are looked for in moments instead of
/// regions.
const MOST_REGIONS: u64 = 1 << 10;

/// Whether the formula holds in a state with exact clock values.
pub(crate) fn holds(
    network: &Network,
    formula: &Formula,
    state: &State<Valuation>,
) -> Result<bool, FormulaError> {
    formula::holds(network, formula, state, &|state| match caps(network, &[]) {
        Ok(caps) if caps.iter().map(|&cap| u64::from(cap)).sum::<u64>() <= MOST_REGIONS => {
            let clocks = Region::of(&caps, &state.clocks);
            Ok(formula::is_deadlock(network, &State { discrete: state.discrete.clone(), clocks }))
        }
        _ => match moments::is_deadlock(network, state) {
            Ok(is_deadlock) => Ok(is_deadlock),
            Err(ReplayFault::RuntimeError(error)) => Err(error.into()),
            Err(ReplayFault::ClockOverflow) => Err(FormulaError::ClockOverflow),
            // Rates that are none: no time passes.
            Err(_) => Ok(moments::possible_move(network, state).is_ok_and(|found| found.is_none())),
        },
    })
}

/// Replays a whole trace: the initial state and the state after each step.
pub fn replay(
    network: &Network,
    start: &[LocationId],
    steps: &[Step],
) -> Result<Vec<State<Valuation>>, ReplayError> {
    let mut replay = Replay::start(network, start)?;
    let mut states = vec![replay.state().clone()];
    for step in steps {
        states.push(replay.step(step)?.clone());
    }
    Ok(states)
}

/// The state after a transition (S-3 to S-7, S-9).
pub fn fired(
    network: &Network,
    state: &State<Valuation>,
    participants: &[(ProcessId, EdgeId)],
) -> Result<State<Valuation>, ReplayFault> {
    form::check(network, state, participants)?;
    if !step::respects_committed(network, &state.discrete, participants) {
        return Err(ReplayFault::CommittedNotLeft);
    }
    step::check_guards(network, state, participants)?;
    if !priority::is_flat(network) {
        let transitions = step::transitions(network, &state.discrete);
        let (formed, _) = transitions::formed(network, state, &transitions);
        if let Some(higher) = priority::blocker(network, state, participants, &formed)? {
            return Err(ReplayFault::Blocked(higher.clone()));
        }
    }
    Ok(step::fire(network, state, participants)?)
}
