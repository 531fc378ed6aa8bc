//! States with exact clock values: what may happen in them, and after which
//! delays.
//!
//! The rules are the oracle's (S-1 to S-9 of its crate). Which delays a
//! transition allows is found by taking it once with clocks that have not
//! decided yet how long they waited ([`Moving`]). Where clocks decide who
//! hears a broadcast, the delays of those left out are taken away, and so are
//! the delays after which a transition of a higher priority is possible: the
//! delays of one transition may have gaps.

use crate::fault::{TOO_PRECISE, explained, failure};
use crate::interval::{Delays, End, Interval};
use crate::moving::Moving;
use crate::{Fault, Listing, Passage, Transition};
use dwell_model::expr::{MAX_MOVES, RuntimeError, RuntimeErrorKind};
use dwell_model::{EdgeId, LocationId, Network, ProcessId};
use dwell_oracle::eval::{self, Refusal};
use dwell_oracle::replay::{Valuation, delayed, fired, running};
use dwell_oracle::step::{self, Broadcast, DelayBar, Level, UrgentSync};
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
    let mut waiting = Waiting { network, state, running: vec![true; network.clocks.len()] };
    let time = waiting.passage();
    let may_wait = match &time {
        Passage::Free(interval) => *interval,
        Passage::Barred(_) | Passage::Fails(_) => Interval::NOW,
    };
    let possible = step::transitions(network, &state.discrete);
    let mut failures: Vec<(Participants, Fault)> =
        possible.failing.into_iter().map(|(participants, error)| (participants, error.into())).collect();
    let mut formed: Vec<(Participants, Delays)> =
        possible.enabled.into_iter().map(|participants| (participants, Delays::of(may_wait))).collect();
    for broadcast in &possible.timed {
        match waiting.hearings(broadcast, may_wait) {
            Ok(all) => formed.extend(all),
            Err(refusal) => {
                failures.extend(failure(refusal).map(|fault| (vec![broadcast.sender], fault)));
            }
        }
    }
    let candidates =
        formed.into_iter().filter_map(|(participants, delays)| waiting.candidate(participants, delays));
    let mut transitions = unblocked(candidates.collect());
    transitions.sort_by(|a, b| a.participants.cmp(&b.participants));
    Listing { transitions, failures, time }
}

/// A transition before priorities are looked at.
struct Candidate {
    transition: Transition,
    level: Level,
    /// Its guards can be evaluated. Where they cannot, nothing blocks it.
    guarded: bool,
}

/// What is left of transitions where those of higher levels are possible (S-9).
fn unblocked(candidates: Vec<Candidate>) -> Vec<Transition> {
    let left = |candidate: &Candidate| {
        let mut transition = candidate.transition.clone();
        if candidate.guarded {
            let higher = candidates
                .iter()
                .filter(|other| other.level > candidate.level && other.transition.failure.is_none());
            let delays = higher.filter_map(|other| other.transition.delays.as_ref());
            transition.delays = transition.delays.map(|all| delays.fold(all, |rest, d| rest.without(d)));
        }
        transition.delays.as_ref().is_some_and(|delays| !delays.is_empty()).then_some(transition)
    };
    candidates.iter().filter_map(left).collect()
}

/// A state in which time is about to pass.
struct Waiting<'a> {
    network: &'a Network,
    state: &'a Concrete,
    /// Which clocks time moves; of no account where none can pass.
    running: Vec<bool>,
}

impl Waiting<'_> {
    /// Whether time may pass, and for how long (S-2).
    fn passage(&mut self) -> Passage {
        let urgency = match step::urgency(self.network, &self.state.discrete) {
            Ok(urgency) => urgency,
            Err(error) => return Passage::Fails(error.into()),
        };
        if let Some(process) = urgency.location {
            return Passage::Barred(DelayBar::Location(process));
        }
        match running(self.network, &self.state.discrete) {
            Ok(running) => self.running = running,
            Err(fault) => return Passage::Fails(explained(self.network, fault)),
        }
        let mut most = Interval::ALL;
        for sync in &urgency.syncs {
            match self.until_enabled(sync) {
                Ok(None) => {}
                Ok(Some(after)) if after.is_zero() => {
                    return Passage::Barred(DelayBar::Channel(sync.channel));
                }
                Ok(Some(at)) => most.lower(End { at, open: false }),
                Err(fault) => return Passage::Fails(fault),
            }
        }
        let moving = self.moving(most);
        match step::violated_invariant(self.network, &moving) {
            Ok(_) => Passage::Free(moving.clocks.delays()),
            Err(refusal) => Passage::Fails(failure(refusal).unwrap_or(Fault::refused(TOO_PRECISE))),
        }
    }

    /// After how long an urgent synchronisation is enabled; `None` if it never
    /// is. A guard that fails to evaluate does so once those before it hold.
    fn until_enabled(&self, sync: &UrgentSync) -> Result<Option<Rational>, Fault> {
        let mut after = Rational::ZERO;
        for &(process, id) in &sync.deciding {
            for constraint in &step::edge(self.network, process, id).guard.clocks {
                let comparison = match eval::comparison(self.network, constraint, &self.state.discrete) {
                    Ok(None) => continue,
                    Ok(Some(comparison)) => comparison,
                    Err(error) if after.is_zero() => return Err(error.into()),
                    Err(_) => return Ok(Some(after)),
                };
                let clock = comparison.left.index();
                let missing = Rational::from(comparison.bound).checked_sub(self.state.clocks[clock]);
                let missing = missing.map_err(|_| Fault::refused(TOO_PRECISE))?;
                if missing > Rational::ZERO && !self.running[clock] {
                    return Ok(None);
                }
                after = after.max(missing);
            }
        }
        Ok(Some(after))
    }

    fn moving(&self, delays: Interval) -> State<Moving> {
        let clocks = Moving::new(&self.state.clocks, &self.running, delays);
        State { discrete: self.state.discrete.clone(), clocks }
    }

    /// The transition of these participants after one of `delays`, if it is
    /// possible or fails.
    fn candidate(&self, participants: Participants, delays: Delays) -> Option<Candidate> {
        let (first, last) = (delays.0.first()?, delays.0.last()?);
        let moving = self.moving(Interval { low: first.low, high: last.high });
        let guarded = step::check_guards(self.network, &moving, &participants).is_ok();
        let failure = match step::fire(self.network, &moving, &participants) {
            Ok(_) => None,
            Err(refusal) => Some(failure(refusal)?),
        };
        let delays = Some(delays.and(moving.clocks.delays()));
        let level = step::level(self.network, &self.state.discrete, &participants);
        Some(Candidate { transition: Transition { participants, delays, failure }, level, guarded })
    }

    /// Who can take part in a broadcast, after which delays.
    fn hearings(
        &self,
        broadcast: &Broadcast,
        may_wait: Interval,
    ) -> Result<Vec<(Participants, Delays)>, Refusal> {
        let guard = |(process, id): (ProcessId, EdgeId)| -> Result<Interval, Refusal> {
            let moving = self.moving(may_wait);
            // A guard that never holds may still leave the interval as it was.
            let holds = step::clock_guard(self.network, &moving, process, id)?;
            let none = Interval { high: Some(End { open: true, ..may_wait.low }), ..may_wait };
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
                    let span = step::edge(self.network, broadcast.sender.0, broadcast.sender.1).span;
                    return Err(Refusal::Error(RuntimeError { kind: RuntimeErrorKind::TooManyMoves, span }));
                }
            }
            all = longer;
        }
        all.retain(|(participants, _)| {
            step::respects_committed(self.network, &self.state.discrete, participants)
        });
        Ok(all)
    }
}
