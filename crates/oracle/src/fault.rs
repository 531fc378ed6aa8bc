//! What can be wrong with a trace.

use std::fmt;

use dwell_model::expr::RuntimeError;
use dwell_model::{ChannelId, ClockId, EdgeId, ProcessId, VarId};

use crate::eval::Refusal;
use crate::state::{Participants, Unsupported};

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
    /// No time may pass: a synchronisation on this urgent channel is enabled, or
    /// would be before the delay is over.
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
    /// A clock must run (1) or stand still (0).
    BadRate {
        /// Whose location says otherwise.
        process: ProcessId,
        /// The clock.
        clock: ClockId,
        /// The rate.
        rate: i32,
    },
    /// Two locations want this clock to run and to stand still.
    RatesDiffer(ClockId),
    /// This transition has a higher priority and is possible.
    Blocked(Participants),
    /// The assignment disables the transition.
    OutOfRange {
        /// The variable.
        var: VarId,
        /// What was assigned.
        value: i32,
    },
    /// The model fails.
    RuntimeError(RuntimeError),
    /// The clock values need more than 128 bits.
    ClockOverflow,
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
            Self::BadRate { process, clock, rate } => {
                write!(f, "process {} gives clock {} the rate {rate}", process.0, clock.0)
            }
            Self::RatesDiffer(clock) => write!(f, "locations disagree on the rate of clock {}", clock.0),
            Self::Blocked(by) => write!(f, "a transition of higher priority is possible: {by:?}"),
            Self::OutOfRange { var, value } => {
                write!(f, "variable {} cannot hold {value}: the transition is impossible", var.0)
            }
            Self::RuntimeError(error) => write!(f, "run-time error {:?}", error.kind),
            Self::ClockOverflow => f.write_str("a clock value needs more than 128 bits"),
        }
    }
}
