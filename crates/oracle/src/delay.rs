//! Delays with exact clock values (S-2).
//!
//! A clock runs unless a current location gives it rate 0. Constraints are
//! linear in time then, and a guard that decides urgency holds from a first
//! instant on: a delay may reach that instant and not go beyond it. Invariants
//! are convex, so they hold during a delay when they hold at both ends.

use dwell_model::expr::RuntimeError;
use dwell_model::{ClockId, Network};

use crate::eval;
use crate::fault::ReplayFault;
use crate::rational::Rational;
use crate::replay::Valuation;
use crate::state::{Discrete, State};
use crate::step::{self, UrgentSync};

/// The state after time has passed. A delay of zero is always possible, and
/// one that is allowed leads from a state whose invariants hold to another.
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
    let urgency = step::urgency(network, &state.discrete).map_err(ReplayFault::RuntimeError)?;
    if let Some(process) = urgency.location {
        return Err(ReplayFault::UrgentLocation(process));
    }
    let runs = running(network, &state.discrete)?;
    for sync in &urgency.syncs {
        if is_enabled_before(network, state, &runs, sync, delay)? {
            return Err(ReplayFault::UrgentChannel(sync.channel));
        }
    }
    for (value, _) in later.clocks.iter_mut().zip(&runs).filter(|&(_, &runs)| runs) {
        *value = value.checked_add(delay).map_err(|_| ReplayFault::ClockOverflow)?;
    }
    match step::violated_invariant(network, &later)? {
        None => Ok(later),
        Some(process) => Err(ReplayFault::InvariantAfterDelay(process)),
    }
}

/// For each clock whether time moves it. Locations that say so must agree.
pub fn running(network: &Network, at: &Discrete) -> Result<Vec<bool>, ReplayFault> {
    let mut said: Vec<Option<bool>> = vec![None; network.clocks.len()];
    for (process, location) in step::active(network, at) {
        for (clock, rate) in &location.rates {
            let evaluated: Result<(ClockId, i32), RuntimeError> =
                eval::clock(network, clock, at).and_then(|c| Ok((c, eval::value(network, rate, at)?)));
            let (clock, rate) = evaluated.map_err(ReplayFault::RuntimeError)?;
            let runs = match rate {
                0 => false,
                1 => true,
                _ => return Err(ReplayFault::BadRate { process, clock, rate }),
            };
            if said[clock.index()].replace(runs).is_some_and(|other| other != runs) {
                return Err(ReplayFault::RatesDiffer(clock));
            }
        }
    }
    Ok(said.into_iter().map(|said| said.unwrap_or(true)).collect())
}

/// Whether the synchronisation is enabled after less than `delay`.
fn is_enabled_before(
    network: &Network,
    state: &State<Valuation>,
    runs: &[bool],
    sync: &UrgentSync,
    delay: Rational,
) -> Result<bool, ReplayFault> {
    for &(process, id) in &sync.deciding {
        for constraint in &step::edge(network, process, id).guard.clocks {
            let comparison = eval::comparison(network, constraint, &state.discrete);
            let Some(comparison) = comparison.map_err(ReplayFault::RuntimeError)? else { continue };
            let clock = comparison.left.index();
            let missing = Rational::from(comparison.bound).checked_sub(state.clocks[clock]);
            let missing = missing.map_err(|_| ReplayFault::ClockOverflow)?;
            if missing >= delay || (missing > Rational::ZERO && !runs[clock]) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}
