//! States with exact clock values: what may happen in them, and after which
//! delays.
//!
//! The rules are the oracle's (S-1 to S-8 of its crate). Which delays a
//! transition allows is found by taking it once with clocks that have not
//! decided yet how long they waited ([`Moving`]). Where clocks decide who
//! hears a broadcast, the delays of those left out are taken away, so the
//! delays of one transition may have gaps.

use crate::fault::{TOO_PRECISE, explained, failure};
use crate::interval::{Delays, Interval};
use crate::moving::Moving;
use crate::{Fault, Listing, Passage, Transition};
use dwell_model::expr::{MAX_MOVES, RuntimeError, RuntimeErrorKind};
use dwell_model::{EdgeId, LocationId, Network, ProcessId};
use dwell_oracle::eval::Refusal;
use dwell_oracle::replay::{Valuation, delayed, fired};
use dwell_oracle::step::{self, Broadcast};
use dwell_oracle::{Participants, Rational, Replay, ReplayFault, State};

pub(crate) type Concrete = State<Valuation>;

/// The initial state at `locations`.
pub(crate) fn initial(network: &Network, locations: &[LocationId]) -> Result<Concrete, Fault> {
    match Replay::start(network, locations) {
        Ok(replay) => Ok(replay.state().clone()),
        Err(error) => Err(explained(network, error.fault)),
    }
}

/// The state after a delay and, if anyone takes part, a transition.
pub(crate) fn step(
    network: &Network,
    state: &Concrete,
    delay: Rational,
    participants: &[(ProcessId, EdgeId)],
) -> Result<Concrete, Fault> {
    let taken = || -> Result<Concrete, ReplayFault> {
        let later = delayed(network, state, delay)?;
        if participants.is_empty() { Ok(later) } else { fired(network, &later, participants) }
    };
    taken().map_err(|fault| explained(network, fault))
}

/// What may happen in a state.
pub(crate) fn listing(network: &Network, state: &Concrete) -> Listing {
    let time = passage(network, state);
    let may_wait = match &time {
        Passage::Free(interval) => *interval,
        Passage::Barred(_) | Passage::Fails(_) => Interval::NOW,
    };
    let possible = step::transitions(network, &state.discrete);
    let mut transitions = Vec::new();
    for participants in possible.enabled {
        transitions.extend(transition(network, state, participants, Delays::of(may_wait)));
    }
    let mut failures: Vec<(Participants, Fault)> =
        possible.failing.into_iter().map(|(participants, error)| (participants, error.into())).collect();
    for broadcast in &possible.timed {
        match hearings(network, state, broadcast, may_wait) {
            Ok(all) => {
                for (participants, delays) in all {
                    transitions.extend(transition(network, state, participants, delays));
                }
            }
            Err(refusal) => {
                failures.extend(failure(refusal).map(|fault| (vec![broadcast.sender], fault)));
            }
        }
    }
    transitions.sort_by(|a, b| a.participants.cmp(&b.participants));
    Listing { transitions, failures, time }
}

fn passage(network: &Network, state: &Concrete) -> Passage {
    match step::delay_bar(network, state) {
        Err(refusal) => return Passage::Fails(failure(refusal).unwrap_or(Fault::refused(TOO_PRECISE))),
        Ok(Some(bar)) => return Passage::Barred(bar),
        Ok(None) => {}
    }
    let moving = moving(state, Interval::ALL);
    match step::violated_invariant(network, &moving) {
        Ok(_) => Passage::Free(moving.clocks.delays()),
        Err(refusal) => Passage::Fails(failure(refusal).unwrap_or(Fault::refused(TOO_PRECISE))),
    }
}

fn moving(state: &Concrete, delays: Interval) -> State<Moving> {
    State { discrete: state.discrete.clone(), clocks: Moving::new(&state.clocks, delays) }
}

/// The transition of these participants after one of `delays`, if it is
/// possible.
fn transition(
    network: &Network,
    state: &Concrete,
    participants: Participants,
    delays: Delays,
) -> Option<Transition> {
    let (first, last) = (delays.0.first()?, delays.0.last()?);
    let moving = moving(state, Interval { low: first.low, high: last.high });
    let failure = match step::fire(network, &moving, &participants) {
        Ok(_) => None,
        Err(refusal) => Some(failure(refusal)?),
    };
    let delays = delays.and(moving.clocks.delays());
    (!delays.is_empty()).then_some(Transition { participants, delays: Some(delays), failure })
}

/// Who can take part in a broadcast, after which delays.
fn hearings(
    network: &Network,
    state: &Concrete,
    broadcast: &Broadcast,
    may_wait: Interval,
) -> Result<Vec<(Participants, Delays)>, Refusal> {
    let guard = |(process, id): (ProcessId, EdgeId)| -> Result<Interval, Refusal> {
        let moving = moving(state, may_wait);
        // A guard that never holds may still leave the interval as it was.
        let holds = step::clock_guard(network, &moving, process, id)?;
        let none = Interval { high: Some(crate::interval::End { open: true, ..may_wait.low }), ..may_wait };
        Ok(if holds { moving.clocks.delays() } else { none })
    };
    let mut all = vec![(vec![broadcast.sender], Delays::of(guard(broadcast.sender)?))];
    for edges in &broadcast.receivers {
        let heard =
            edges.iter().map(|&edge| Ok((edge, guard(edge)?))).collect::<Result<Vec<_>, Refusal>>()?;
        let mut longer = Vec::new();
        for (participants, delays) in all {
            for &(edge, interval) in &heard {
                longer.push(([&participants[..], &[edge]].concat(), delays.and(interval)));
            }
            let silent = heard.iter().fold(delays, |delays, (_, interval)| delays.minus(*interval));
            longer.push((participants, silent));
            longer.retain(|(_, delays)| !delays.is_empty());
            if longer.len() > MAX_MOVES {
                let span = step::edge(network, broadcast.sender.0, broadcast.sender.1).span;
                return Err(Refusal::Error(RuntimeError { kind: RuntimeErrorKind::TooManyMoves, span }));
            }
        }
        all = longer;
    }
    all.retain(|(participants, _)| step::respects_committed(network, &state.discrete, participants));
    Ok(all)
}
