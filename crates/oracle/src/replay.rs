//! Replays a trace with exact delays.
//!
//! Every rule S-1 to S-8 is checked at every step, in this order: delay
//! allowed, invariants after the delay, participants form a transition,
//! committed rule, guards, updates, invariants. The first that fails is the
//! [`ReplayFault`]. Invariants are convex, so they hold during a delay when
//! they hold at both ends; they hold at its start because every state that
//! replay passes through satisfies them.

use std::fmt;

use dwell_model::expr::{Relation, RuntimeError};
use dwell_model::property::Formula;
use dwell_model::{ChannelId, ClockId, EdgeId, LabelId, LocationId, Network, ProcessId, VarId};

use crate::caps::caps;
use crate::eval::{Clocks, Inexpressible, Refusal};
use crate::formula::{self, FormulaError};
use crate::rational::Rational;
use crate::region::Region;
use crate::state::{Discrete, Participants, State, Unsupported, carries_labels};
use crate::step::{self, DelayBar};
use crate::{form, support};

/// Let time pass, then take a transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// How long to wait first.
    pub delay: Rational,
    /// Who moves, in the order of their updates. Empty only in a last step,
    /// which is then a delay alone.
    pub participants: Participants,
}

/// Why a trace is not one of the network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayError {
    /// The step, from 0; `None` for the initial state.
    pub step: Option<usize>,
    /// What is wrong with it.
    pub fault: ReplayFault,
}

/// What can be wrong with a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayFault {
    /// The network has a feature that is not covered.
    Unsupported(Unsupported),
    /// The start does not name one location per process.
    WrongLocationCount(usize),
    /// The process does not start there.
    NotInitial(ProcessId),
    /// The delay is negative.
    NegativeDelay,
    /// No time may pass: the process is in an urgent or committed location.
    UrgentLocation(ProcessId),
    /// No time may pass: a synchronisation on this urgent channel is enabled.
    UrgentChannel(ChannelId),
    /// The invariant of the process does not hold in the initial state.
    InvariantAtStart(ProcessId),
    /// The invariant of the process does not hold after the delay.
    InvariantAfterDelay(ProcessId),
    /// The invariant of the process does not hold after the transition.
    InvariantAfterTransition(ProcessId),
    /// There is no such edge.
    NoSuchEdge(ProcessId, EdgeId),
    /// The process is not in the source location of the edge.
    NotAtSource(ProcessId, EdgeId),
    /// A process takes part twice.
    ProcessTwice(ProcessId),
    /// The participants do not form a transition, for this reason.
    NoTransition(&'static str),
    /// A broadcast without a process that can receive it.
    ReceiverLeftOut(ProcessId),
    /// A location is committed and the transition leaves none.
    CommittedNotLeft,
    /// The guard of a participant does not hold.
    GuardFalse(ProcessId, EdgeId),
    /// The assignment disables the transition.
    OutOfRange {
        /// The variable.
        var: VarId,
        /// What was assigned.
        value: i32,
    },
    /// The model fails.
    RuntimeError(RuntimeError),
    /// A step without participants was not the last one.
    StepAfterEnd,
    /// The clock values need more than 128 bits.
    ClockOverflow,
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
    ended: bool,
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
            Ok(None) => Ok(Self { network, state, steps: 0, ended: false }),
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
        if self.ended {
            return Err(failed(ReplayFault::StepAfterEnd));
        }
        let mut state = delayed(self.network, &self.state, step.delay).map_err(failed)?;
        if step.participants.is_empty() {
            self.ended = true;
        } else {
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
    /// are looked for in regions, which do not cover differences of clocks.
    pub fn holds(&self, formula: &Formula) -> Result<bool, FormulaError> {
        formula::holds(self.network, formula, &self.state, &|state| {
            let caps = caps(self.network, &[]).map_err(FormulaError::Unsupported)?;
            let clocks = Region::of(&caps, &state.clocks);
            Ok(formula::is_deadlock(self.network, &State { discrete: state.discrete.clone(), clocks }))
        })
    }
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

/// The state after time has passed (S-2). A delay of zero is always possible.
pub fn delayed(
    network: &Network,
    state: &State<Valuation>,
    delay: Rational,
) -> Result<State<Valuation>, ReplayFault> {
    if delay.is_negative() {
        return Err(ReplayFault::NegativeDelay);
    }
    let mut later = state.clone();
    if delay.is_zero() {
        return Ok(later);
    }
    match step::delay_bar(network, &state.discrete).map_err(ReplayFault::RuntimeError)? {
        Some(DelayBar::Location(process)) => return Err(ReplayFault::UrgentLocation(process)),
        Some(DelayBar::Channel(channel)) => return Err(ReplayFault::UrgentChannel(channel)),
        None => {}
    }
    for value in &mut later.clocks {
        *value = value.checked_add(delay).map_err(|_| ReplayFault::ClockOverflow)?;
    }
    match step::violated_invariant(network, &later)? {
        None => Ok(later),
        Some(process) => Err(ReplayFault::InvariantAfterDelay(process)),
    }
}

/// The state after a transition (S-3 to S-7).
pub fn fired(
    network: &Network,
    state: &State<Valuation>,
    participants: &[(ProcessId, EdgeId)],
) -> Result<State<Valuation>, ReplayFault> {
    form::check(network, state, participants)?;
    if !step::respects_committed(network, &state.discrete, participants) {
        return Err(ReplayFault::CommittedNotLeft);
    }
    Ok(step::fire(network, state, participants)?)
}

impl From<Refusal> for ReplayFault {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Guard(process, edge) => Self::GuardFalse(process, edge),
            Refusal::Invariant(process) => Self::InvariantAfterTransition(process),
            Refusal::OutOfRange { var, value } => Self::OutOfRange { var, value },
            Refusal::Error(error) => Self::RuntimeError(error),
            Refusal::Inexpressible => Self::ClockOverflow,
        }
    }
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.step {
            None => write!(f, "initial state: {}", self.fault),
            Some(step) => write!(f, "step {step}: {}", self.fault),
        }
    }
}

impl std::error::Error for ReplayError {}

impl fmt::Display for ReplayFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported(unsupported) => unsupported.fmt(f),
            Self::WrongLocationCount(given) => write!(f, "{given} locations given, one per process needed"),
            Self::NotInitial(p) => write!(f, "process {} does not start there", p.0),
            Self::NegativeDelay => f.write_str("the delay is negative"),
            Self::UrgentLocation(p) => {
                write!(f, "no time may pass: process {} is in an urgent location", p.0)
            }
            Self::UrgentChannel(c) => write!(f, "no time may pass: urgent channel {} is enabled", c.0),
            Self::InvariantAtStart(p) => write!(f, "the invariant of process {} does not hold", p.0),
            Self::InvariantAfterDelay(p) => write!(f, "the delay violates the invariant of process {}", p.0),
            Self::InvariantAfterTransition(p) => {
                write!(f, "the target invariant of process {} is violated", p.0)
            }
            Self::NoSuchEdge(p, e) => write!(f, "process {} has no edge {}", p.0, e.0),
            Self::NotAtSource(p, e) => write!(f, "process {} is not at the source of its edge {}", p.0, e.0),
            Self::ProcessTwice(p) => write!(f, "process {} takes part twice", p.0),
            Self::NoTransition(why) => write!(f, "not a transition: {why}"),
            Self::ReceiverLeftOut(p) => {
                write!(f, "process {} can receive the broadcast and is left out", p.0)
            }
            Self::CommittedNotLeft => f.write_str("no participant leaves a committed location"),
            Self::GuardFalse(p, e) => write!(f, "the guard of edge {} of process {} is false", e.0, p.0),
            Self::OutOfRange { var, value } => {
                write!(f, "variable {} cannot hold {value}: the transition is impossible", var.0)
            }
            Self::RuntimeError(error) => write!(f, "run-time error {:?}", error.kind),
            Self::StepAfterEnd => f.write_str("a step without participants must be the last"),
            Self::ClockOverflow => f.write_str("a clock value needs more than 128 bits"),
        }
    }
}
