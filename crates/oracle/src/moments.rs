//! Moments: the delays from a state with exact clock values that matter.
//!
//! During a delay every comparison changes at one instant at most. Between two
//! neighbouring instants at which some comparison changes, of the current
//! invariants and guards or of the invariants behind a transition, the same
//! transitions are possible; so one moment stands for all between the two. What
//! a transition does to clocks does not depend on their values: each of them is
//! then a constant, or an earlier one and a constant.

use dwell_model::expr::{ClockConstraint, Relation};
use dwell_model::{ClockId, Network};

use crate::delay::{delayed, running};
use crate::eval::{self, Clocks, Comparison, Inexpressible, Refusal};
use crate::fault::ReplayFault;
use crate::rational::{Overflow, Rational};
use crate::replay::Valuation;
use crate::state::{Participants, State};
use crate::step;
use crate::transitions::formed;

/// Delays in order, none and `until` included, or as long as anything changes:
/// at the changes given and once between each two.
pub fn moments(mut changes: Vec<Rational>, until: Option<Rational>) -> Result<Vec<Rational>, ReplayFault> {
    changes.retain(|&change| change > Rational::ZERO && until.is_none_or(|until| change < until));
    changes.sort_unstable();
    changes.dedup();
    let last = changes.last().copied().unwrap_or(Rational::ZERO);
    changes.push(match until {
        Some(until) => until,
        None => last.checked_add(1.into()).map_err(overflow)?,
    });
    let mut moments = vec![Rational::ZERO];
    for change in changes {
        let before = moments[moments.len() - 1];
        moments.push(before.checked_middle(change).map_err(overflow)?);
        moments.push(change);
    }
    Ok(moments)
}

fn overflow(_: Overflow) -> ReplayFault {
    ReplayFault::ClockOverflow
}

/// When comparisons that matter may change, past or future, and those asked for.
pub fn crossings(
    network: &Network,
    state: &State<Valuation>,
    asked: Vec<&ClockConstraint>,
) -> Result<Vec<Rational>, ReplayFault> {
    let at = &state.discrete;
    let mut constraints = asked;
    for (process, location) in step::active(network, at) {
        constraints.extend(&location.invariant.clocks);
        for (_, id) in step::edges_of(network, at, process) {
            constraints.extend(&step::edge(network, process, id).guard.clocks);
        }
    }
    let runs = running(network, at)?;
    let now = Origins { of: (0..network.clocks.len()).map(|c| (Some(c), 0)).collect() };
    let mut found = Vec::new();
    for constraint in constraints {
        // One that fails to evaluate fails where it is needed.
        if let Ok(Some(compared)) = eval::comparison(network, constraint, at) {
            found.extend(now.crossing(&compared, &state.clocks, &runs).map_err(overflow)?);
        }
    }
    // Who takes part depends on guards alone: these moments show everyone.
    let transitions = step::transitions(network, at);
    let mut seen: Vec<Participants> = Vec::new();
    for after in moments(found.clone(), None)? {
        let mut later = state.clone();
        for (value, _) in later.clocks.iter_mut().zip(&runs).filter(|&(_, &runs)| runs) {
            *value = value.checked_add(after).map_err(overflow)?;
        }
        for participants in formed(network, &later, &transitions).0 {
            if !seen.contains(&participants) {
                seen.push(participants);
            }
        }
    }
    for participants in seen {
        let mut to = State { discrete: at.clone(), clocks: now.clone() };
        if step::update(network, &mut to, &participants).is_err() {
            continue;
        }
        for constraint in step::active(network, &to.discrete).flat_map(|(_, l)| &l.invariant.clocks) {
            if let Ok(Some(compared)) = eval::comparison(network, constraint, &to.discrete) {
                found.extend(to.clocks.crossing(&compared, &state.clocks, &runs).map_err(overflow)?);
            }
        }
    }
    Ok(found)
}

/// Whether no transition is possible, now or after any delay. One that fails is
/// possible: it ends the run otherwise.
pub fn is_deadlock(network: &Network, state: &State<Valuation>) -> Result<bool, ReplayFault> {
    for after in moments(crossings(network, state, Vec::new())?, None)? {
        match delayed(network, state, after) {
            Ok(later) if possible_move(network, &later)?.is_some() => return Ok(false),
            Ok(_) => {}
            Err(
                ReplayFault::UrgentLocation(_)
                | ReplayFault::UrgentChannel(_)
                | ReplayFault::InvariantAfterDelay(_),
            ) => return Ok(true),
            Err(fault) => return Err(fault),
        }
    }
    Ok(true)
}

/// A transition that is possible in the state, if only to fail.
pub fn possible_move(
    network: &Network,
    state: &State<Valuation>,
) -> Result<Option<Participants>, ReplayFault> {
    let transitions = step::transitions(network, &state.discrete);
    let found = step::fire_all(network, state, &transitions, |participants, outcome| match outcome {
        Ok(_) | Err(Refusal::Error(_)) => Err(Ok(participants.to_vec())),
        Err(Refusal::Inexpressible) => Err(Err(ReplayFault::ClockOverflow)),
        Err(_) => Ok(()),
    });
    found.err().transpose()
}

/// Of each clock where its value comes from: an earlier clock, if any, and what
/// is added to it.
#[derive(Clone)]
struct Origins {
    of: Vec<(Option<usize>, i64)>,
}

impl Origins {
    /// When a comparison of these clocks changes, for values that the earlier
    /// ones have and whether time moves them.
    fn crossing(
        &self,
        compared: &Comparison,
        clocks: &[Rational],
        runs: &[bool],
    ) -> Result<Option<Rational>, Overflow> {
        let of = |clock: ClockId| {
            let (from, plus) = self.of[clock.index()];
            let plus = Rational::new(plus.into(), 1).ok_or(Overflow)?;
            from.map_or(Ok((plus, false)), |from| Ok((clocks[from].checked_add(plus)?, runs[from])))
        };
        let (left, left_runs) = of(compared.left)?;
        let (minus, minus_runs) = compared.minus.map_or(Ok((Rational::ZERO, false)), of)?;
        let (value, bound) = (left.checked_sub(minus)?, Rational::from(compared.bound));
        match (left_runs, minus_runs) {
            (true, false) => bound.checked_sub(value).map(Some),
            (false, true) => value.checked_sub(bound).map(Some),
            _ => Ok(None),
        }
    }
}

impl Clocks for Origins {
    fn holds(&self, _: ClockId, _: Option<ClockId>, _: Relation, _: i32) -> Result<bool, Inexpressible> {
        Err(Inexpressible)
    }

    fn assign(&mut self, clock: ClockId, from: Option<ClockId>, value: i32) -> Result<(), Inexpressible> {
        let (source, plus) = from.map_or((None, 0), |from| self.of[from.index()]);
        self.of[clock.index()] = (source, plus + i64::from(value));
        Ok(())
    }
}
