//! Why something cannot be done, in words.

use dwell_model::expr::RuntimeError;
use dwell_model::{EdgeId, Network, ProcessId};
use dwell_oracle::ReplayFault;
use dwell_oracle::eval::Refusal;
use dwell_semantics::ZoneFault;

/// Why something cannot be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The model fails.
    Runtime(RuntimeError),
    /// Anything else: a sentence without its full stop.
    Refused(String),
}

pub(crate) const TOO_PRECISE: &str = "a clock value needs more than 128 bits";

impl Fault {
    pub(crate) fn refused(why: impl Into<String>) -> Self {
        Self::Refused(why.into())
    }
}

impl From<RuntimeError> for Fault {
    fn from(error: RuntimeError) -> Self {
        Self::Runtime(error)
    }
}

impl From<ZoneFault> for Fault {
    fn from(fault: ZoneFault) -> Self {
        match fault {
            ZoneFault::Runtime(error) => Self::Runtime(error),
            ZoneFault::Overflow => Self::refused("a bound on a clock difference grew beyond 32 bits"),
            ZoneFault::TooManySplits => Self::refused("a constraint has too many alternatives over clocks"),
        }
    }
}

/// What kept a transition from being taken; `None` where it is merely
/// impossible.
pub(crate) fn failure(refusal: Refusal) -> Option<Fault> {
    match refusal {
        Refusal::Guard(..) | Refusal::Invariant(_) | Refusal::OutOfRange { .. } => None,
        Refusal::Error(error) => Some(error.into()),
        Refusal::Inexpressible => Some(Fault::refused(TOO_PRECISE)),
    }
}

/// What the oracle says against a step, with the names of the network.
pub(crate) fn explained(network: &Network, fault: ReplayFault) -> Fault {
    let process = |p: ProcessId| network.processes[p.index()].name.as_str();
    let edge = |p: ProcessId, e: EdgeId| {
        let declared = &network.processes[p.index()];
        let edge = &declared.edges[e.index()];
        let location = |l: dwell_model::LocationId| &declared.locations[l.index()].name;
        format!("{}: {} -> {}", declared.name, location(edge.source), location(edge.target))
    };
    let why = match fault {
        ReplayFault::RuntimeError(error) => return error.into(),
        ReplayFault::InvariantAtStart(p) | ReplayFault::InvariantAfterDelay(p) => {
            format!("the invariant of {} does not hold then", process(p))
        }
        ReplayFault::InvariantAfterTransition(p) => {
            format!("the invariant of {} does not hold afterwards", process(p))
        }
        ReplayFault::UrgentLocation(p) => {
            format!("no time may pass while {} is where it is", process(p))
        }
        ReplayFault::UrgentChannel(c) => {
            format!("{} is urgent and enabled before that delay is over", network.channels[c.index()].name)
        }
        ReplayFault::GuardFalse(p, e) => format!("the guard of {} is false then", edge(p, e)),
        ReplayFault::ReceiverLeftOut(p) => format!("{} can receive the broadcast then", process(p)),
        ReplayFault::BadRate { process: p, clock, rate } => {
            let clock = &network.clocks[clock.index()].name;
            format!("{} gives {clock} the rate {rate}, which is neither 0 nor 1", process(p))
        }
        ReplayFault::RatesDiffer(clock) => {
            format!("{} is to run and to stand still", network.clocks[clock.index()].name)
        }
        ReplayFault::Blocked(by) => {
            let edges: Vec<String> = by.iter().map(|&(p, e)| edge(p, e)).collect();
            format!("{} has a higher priority and is possible then", edges.join(", "))
        }
        ReplayFault::OutOfRange { var, value } => {
            format!("{} cannot hold {value}", network.vars[var.index()].name)
        }
        other => other.to_string(),
    };
    Fault::Refused(why)
}
