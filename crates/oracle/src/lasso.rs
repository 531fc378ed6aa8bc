//! Replays runs that witness `E[] p`, or refute `A<> p` and `p --> q`: those in
//! which a formula holds all along and that nothing can make longer.
//!
//! M-1 From a given state on, the formula holds in every state and at every
//! moment of every delay.
//! M-2 The run ends in a loop: its last state is an earlier one, up to what no
//! constraint can tell apart, and transitions lie in between. Or it ends in a
//! state from which time may go on for ever with the formula, or goes on with
//! it as far as it can to where no transition is possible.
//!
//! Time is looked at in moments: those in which some clock has a whole value up
//! to its cap, and one between each two and after the last. Where there are no
//! caps (differences of clocks, clocks that stand still) or large ones, they are
//! those of [`crate::moments`] in which a comparison may change.

use std::fmt;

use dwell_model::property::Formula;
use dwell_model::{LocationId, Network};

use crate::caps::{caps, classes, collect_constraints, compared};
use crate::delay::delayed;
use crate::fault::{ReplayError, ReplayFault};
use crate::formula::FormulaError;
use crate::moments::{crossings, moments, possible_move};
use crate::rational::{Overflow, Rational};
use crate::region::Region;
use crate::replay::{Replay, Step, Valuation, fired, holds};
use crate::state::{Participants, State};

/// With caps whose sum is larger, moments are those of comparisons.
const MOST_MOMENTS: u64 = 1 << 20;

/// Why a run is not what M-1 and M-2 ask for. States count from 0, the initial
/// one; state `i + 1` is the one after step `i`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MaximalError {
    /// It is no run.
    Replay(ReplayError),
    /// It cannot be said whether the formula holds.
    Formula(FormulaError),
    /// The formula does not hold this long after a state (M-1).
    NotAlways {
        /// The state.
        state: usize,
        /// How long after it.
        after: Rational,
    },
    /// There is no such state, or the loop starts before M-1 does.
    NoSuchState(usize),
    /// The loop has no transition.
    EmptyLoop,
    /// The loop does not end where it started.
    NotClosed,
    /// This long after the last state time may pass and the formula does not
    /// hold.
    GoesOn {
        /// How long after it.
        after: Rational,
    },
    /// Where time ends this transition is possible.
    MayMove(Participants),
}

/// Replays a run from `start` and checks that `always` holds from state `from`
/// on (M-1) and that the run ends in a loop from state `loop_at` on or, for
/// `None`, in a state where it may end (M-2). Gives the initial state and the
/// state after each step. Any step may be a delay alone.
pub fn replay_maximal(
    network: &Network,
    start: &[LocationId],
    steps: &[Step],
    loop_at: Option<usize>,
    from: usize,
    always: &Formula,
) -> Result<Vec<State<Valuation>>, MaximalError> {
    if let Some(state) = [Some(from), loop_at].into_iter().flatten().find(|&state| state > steps.len()) {
        return Err(MaximalError::NoSuchState(state));
    }
    let run = Run { network, always, caps: caps(network, std::slice::from_ref(always)).ok() };
    let mut states = vec![Replay::start(network, start).map_err(MaximalError::Replay)?.state().clone()];
    for (index, taken) in steps.iter().enumerate() {
        let failed = |fault| MaximalError::Replay(ReplayError { step: Some(index), fault });
        let at = &states[index];
        let mut next = delayed(network, at, taken.delay).map_err(failed)?;
        if index >= from {
            run.check_always(index, at, taken.delay)?;
        }
        if !taken.participants.is_empty() {
            next = fired(network, &next, &taken.participants).map_err(failed)?;
        }
        states.push(next);
    }
    let last = &states[steps.len()];
    run.check_always(steps.len(), last, Rational::ZERO)?;
    match loop_at {
        Some(first) if first < from => return Err(MaximalError::NoSuchState(first)),
        Some(first) if steps[first..].iter().all(|step| step.participants.is_empty()) => {
            return Err(MaximalError::EmptyLoop);
        }
        Some(first) if !run.are_alike(&states[first], last) => return Err(MaximalError::NotClosed),
        Some(_) => {}
        None => run.check_end(steps.len(), last)?,
    }
    Ok(states)
}

struct Run<'a> {
    network: &'a Network,
    always: &'a Formula,
    /// Where regions cover the network and the formula.
    caps: Option<Vec<u32>>,
}

impl Run<'_> {
    /// M-1 for a delay that is possible.
    fn check_always(
        &self,
        index: usize,
        state: &State<Valuation>,
        delay: Rational,
    ) -> Result<(), MaximalError> {
        let failed = |fault| MaximalError::Replay(ReplayError { step: Some(index), fault });
        for after in self.moments(state, Some(delay)).map_err(failed)? {
            let later = delayed(self.network, state, after).map_err(failed)?;
            if !holds(self.network, self.always, &later).map_err(MaximalError::Formula)? {
                return Err(MaximalError::NotAlways { state: index, after });
            }
        }
        Ok(())
    }

    /// M-2 for a loop.
    fn are_alike(&self, a: &State<Valuation>, b: &State<Valuation>) -> bool {
        let compared = compared(self.network, std::slice::from_ref(self.always));
        let seen = |clocks: &[Rational]| -> Vec<Rational> { chosen(&compared, clocks).collect() };
        let (before, after) = (seen(&a.clocks), seen(&b.clocks));
        a.discrete == b.discrete
            && match &self.caps {
                Some(caps) => {
                    let caps: Vec<u32> = chosen(&compared, caps).collect();
                    Region::of(&caps, &before).values == Region::of(&caps, &after).values
                }
                None => match classes(self.network, std::slice::from_ref(self.always)) {
                    Some(classes) => {
                        let caps: Vec<u32> = chosen(&compared, &classes.caps).collect();
                        Region::of(&caps, &before).values == Region::of(&caps, &after).values
                            && classes.same_differences(&a.clocks, &b.clocks)
                    }
                    None => before == after,
                },
            }
    }

    /// M-2 for a run that ends.
    fn check_end(&self, index: usize, state: &State<Valuation>) -> Result<(), MaximalError> {
        let failed = |fault| MaximalError::Replay(ReplayError { step: Some(index), fault });
        let mut last = state.clone();
        for after in self.moments(state, None).map_err(failed)? {
            match delayed(self.network, state, after) {
                Ok(later) => last = later,
                Err(
                    ReplayFault::UrgentLocation(_)
                    | ReplayFault::UrgentChannel(_)
                    | ReplayFault::InvariantAfterDelay(_),
                ) => {
                    return possible_move(self.network, &last)
                        .map_err(failed)?
                        .map_or(Ok(()), |possible| Err(MaximalError::MayMove(possible)));
                }
                Err(fault) => return Err(failed(fault)),
            }
            if !holds(self.network, self.always, &last).map_err(MaximalError::Formula)? {
                return Err(MaximalError::GoesOn { after });
            }
        }
        Ok(())
    }

    /// Delays from the state on, in order, none and `until` included, or as
    /// long as anything changes: all that happens happens in one of them.
    fn moments(
        &self,
        state: &State<Valuation>,
        until: Option<Rational>,
    ) -> Result<Vec<Rational>, ReplayFault> {
        if until == Some(Rational::ZERO) {
            return Ok(vec![Rational::ZERO]);
        }
        let changes = match &self.caps {
            Some(caps) if caps.iter().map(|&cap| u64::from(cap)).sum::<u64>() <= MOST_MOMENTS => {
                whole_values(caps, &state.clocks).map_err(|_| ReplayFault::ClockOverflow)?
            }
            _ => {
                let mut asked = Vec::new();
                collect_constraints(self.always, &mut asked);
                crossings(self.network, state, asked)?
            }
        };
        moments(changes, until)
    }
}

/// Those of the items that are marked.
fn chosen<T: Copy>(marks: &[bool], items: &[T]) -> impl Iterator<Item = T> {
    marks.iter().zip(items).filter(|&(&mark, _)| mark).map(|(_, &item)| item)
}

/// After which delays some clock has a whole value up to its cap.
fn whole_values(caps: &[u32], clocks: &[Rational]) -> Result<Vec<Rational>, Overflow> {
    let mut delays = Vec::new();
    for (&cap, &clock) in caps.iter().zip(clocks) {
        for whole in clock.split().0..=i128::from(cap) {
            let whole = Rational::new(whole, 1).ok_or(Overflow)?;
            delays.push(whole.checked_sub(clock)?);
        }
    }
    Ok(delays)
}

impl fmt::Display for MaximalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Replay(error) => error.fmt(f),
            Self::Formula(error) => error.fmt(f),
            Self::NotAlways { state, after } => {
                write!(f, "the formula does not hold {after} after state {state}")
            }
            Self::NoSuchState(state) => write!(f, "state {state} cannot be meant"),
            Self::EmptyLoop => f.write_str("the loop has no transition"),
            Self::NotClosed => f.write_str("the loop does not end where it started"),
            Self::GoesOn { after } => {
                write!(f, "{after} after the last state the formula does not hold, and time may pass")
            }
            Self::MayMove(participants) => write!(f, "where time ends one may move: {participants:?}"),
        }
    }
}

impl std::error::Error for MaximalError {}
