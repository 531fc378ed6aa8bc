//! Properties of states.

use std::fmt;

use dwell_model::Network;
use dwell_model::expr::RuntimeError;
use dwell_model::property::Formula;

use crate::eval::{self, Clocks, Refusal, all_hold};
use crate::state::{State, Unsupported};
use crate::step;

/// Why it cannot be said whether a formula holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormulaError {
    /// It fails to evaluate.
    RuntimeError(RuntimeError),
    /// It asks for a deadlock, and regions do not cover the network.
    Unsupported(Unsupported),
    /// The clock values need more than 128 bits.
    ClockOverflow,
}

impl From<RuntimeError> for FormulaError {
    fn from(error: RuntimeError) -> Self {
        Self::RuntimeError(error)
    }
}

/// Clock values that can be followed through time.
pub trait Time: Clocks {
    /// Moves on to a later moment, such that no constraint can tell anything
    /// in between from the two. False when nothing new comes.
    fn advance(&mut self) -> bool;
}

/// Whether a formula holds. Members of a conjunction after the first false one
/// are not evaluated, nor are those of a disjunction after the first true one.
pub fn holds<C: Clocks>(
    network: &Network,
    formula: &Formula,
    state: &State<C>,
    is_deadlock: &dyn Fn(&State<C>) -> Result<bool, FormulaError>,
) -> Result<bool, FormulaError> {
    match formula {
        Formula::Discrete(expr) => Ok(eval::value(network, expr, &state.discrete)? != 0),
        Formula::Clock(constraint) => match all_hold(network, std::slice::from_ref(constraint), state) {
            Ok(holds) => Ok(holds),
            Err(Refusal::Error(error)) => Err(error.into()),
            Err(_) => Err(FormulaError::ClockOverflow),
        },
        Formula::And(members) => {
            for member in members {
                if !holds(network, member, state, is_deadlock)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        Formula::Or(members) => {
            for member in members {
                if holds(network, member, state, is_deadlock)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        Formula::Deadlock(wanted) => Ok(is_deadlock(state)? == *wanted),
    }
}

/// Whether no transition is possible, now or after any delay. One that fails is
/// possible: it ends the run otherwise.
pub fn is_deadlock<C: Time>(network: &Network, state: &State<C>) -> bool {
    let transitions = step::transitions(network, &state.discrete);
    let urgency = step::urgency(network, &state.discrete);
    let mut now = state.clone();
    loop {
        let stuck = step::fire_all(network, &now, &transitions, |_, outcome| match outcome {
            Ok(_) | Err(Refusal::Error(_)) => Err(()),
            Err(_) => Ok(()),
        });
        if stuck.is_err() {
            return false;
        }
        let may_wait = matches!(&urgency, Ok(urgency) if urgency.bar(network, &now) == Ok(None));
        if !may_wait || !now.clocks.advance() || step::violated_invariant(network, &now) != Ok(None) {
            return true;
        }
    }
}

impl fmt::Display for FormulaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RuntimeError(error) => write!(f, "run-time error {:?}", error.kind),
            Self::Unsupported(unsupported) => unsupported.fmt(f),
            Self::ClockOverflow => f.write_str("a clock value needs more than 128 bits"),
        }
    }
}

impl std::error::Error for FormulaError {}
