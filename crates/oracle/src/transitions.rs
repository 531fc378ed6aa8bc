//! The transitions of a state (S-3, S-4, S-9), as far as its discrete part knows
//! them. Which guards are evaluated, and so can fail, is part of the semantics
//! too (S-8).

use dwell_model::expr::RuntimeError;
use dwell_model::{Channel, ChannelId, ChannelKind, ChannelRef, EdgeId, Network, ProcessId, Strength, Sync};

use crate::eval::{self, Clocks, Refusal};
use crate::priority;
use crate::state::{Discrete, Participants, State};
use crate::step::{
    check_guards, clock_guard, combinations, discrete_guard, edge, edges, edges_of, fire, respects_committed,
};

/// What can be said of the transitions from a state without its clocks.
#[derive(Clone, Debug, Default)]
pub struct Transitions {
    /// Those whose discrete guards hold, [`Transitions::timed`] apart.
    pub enabled: Vec<Participants>,
    /// Broadcasts of which clocks decide who takes part.
    pub timed: Vec<Broadcast>,
    /// Those, as far as they were formed, with a guard or a channel that fails
    /// to evaluate.
    pub failing: Vec<(Participants, RuntimeError)>,
}

/// A sender on a broadcast channel and who may hear it; the discrete guards
/// hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broadcast {
    /// Who sends.
    pub sender: (ProcessId, EdgeId),
    /// The receiving edges of each other process that has some, in process
    /// order.
    pub receivers: Vec<Participants>,
}

impl Broadcast {
    /// All ways to take part: every process with an edge whose clock guard
    /// holds takes one such edge. None where the sender's guard is false.
    pub fn participants<C: Clocks>(
        &self,
        network: &Network,
        state: &State<C>,
    ) -> Result<Vec<Participants>, Refusal> {
        if !clock_guard(network, state, self.sender.0, self.sender.1)? {
            return Ok(Vec::new());
        }
        let mut choices = vec![vec![self.sender]];
        for edges in &self.receivers {
            let mut able = Vec::new();
            for &(process, id) in edges {
                if clock_guard(network, state, process, id)? {
                    able.push((process, id));
                }
            }
            if !able.is_empty() {
                choices.push(able);
            }
        }
        let mut all = combinations(&choices);
        all.retain(|participants| respects_committed(network, &state.discrete, participants));
        Ok(all)
    }

    fn has_clock_guards(&self, network: &Network) -> bool {
        let mut edges = self.receivers.iter().flatten();
        edges.any(|&(process, id)| !edge(network, process, id).guard.clocks.is_empty())
    }
}

/// All transitions (S-3) that respect S-4 and whose discrete guards hold (S-5).
pub fn transitions(network: &Network, at: &Discrete) -> Transitions {
    let mut found = Transitions::default();
    for (process, id) in edges(network, at) {
        let alone = [(process, id)];
        if edge(network, process, id).sync == Sync::Internal && respects_committed(network, at, &alone) {
            offer(network, at, alone.to_vec(), &mut found);
        }
    }
    synchronisations(network, at, &mut found);
    for vector in 0..network.vectors.len() {
        for participants in vector_combinations(network, at, vector) {
            offer(network, at, participants, &mut found);
        }
    }
    found
}

/// Takes every transition of `from` that nothing blocks (S-9) and shows who
/// took part and what came of it, until `see` fails. `transitions` are those of
/// its discrete part.
pub fn fire_all<C: Clocks, E>(
    network: &Network,
    from: &State<C>,
    transitions: &Transitions,
    mut see: impl FnMut(&[(ProcessId, EdgeId)], Result<State<C>, Refusal>) -> Result<(), E>,
) -> Result<(), E> {
    let is_flat = priority::is_flat(network);
    let (formed, failing) = formed(network, from, transitions);
    for participants in &formed {
        if !is_flat && check_guards(network, from, participants).is_ok() {
            match priority::blocker(network, from, participants, &formed) {
                Ok(None) => {}
                Ok(Some(_)) => continue,
                Err(refusal) => {
                    see(participants, Err(refusal))?;
                    continue;
                }
            }
        }
        see(participants, fire(network, from, participants))?;
    }
    for (participants, refusal) in failing {
        see(&participants, Err(refusal))?;
    }
    Ok(())
}

/// Who forms transitions in `from`, guards apart, and the senders of broadcasts
/// of which it cannot be said who hears them.
pub fn formed<C: Clocks>(
    network: &Network,
    from: &State<C>,
    transitions: &Transitions,
) -> (Vec<Participants>, Vec<(Participants, Refusal)>) {
    let (mut formed, mut failing) = (transitions.enabled.clone(), Vec::new());
    for broadcast in &transitions.timed {
        match broadcast.participants(network, from) {
            Ok(all) => formed.extend(all),
            Err(refusal) => failing.push((vec![broadcast.sender], refusal)),
        }
    }
    (formed, failing)
}

fn offer(network: &Network, at: &Discrete, participants: Participants, found: &mut Transitions) {
    for &(process, id) in &participants {
        match discrete_guard(network, at, process, id) {
            Ok(true) => {}
            Ok(false) => return,
            Err(error) => return found.failing.push((participants, error)),
        }
    }
    if respects_committed(network, at, &participants) {
        found.enabled.push(participants);
    }
}

/// Edges whose discrete guards hold, with their channels.
#[derive(Default)]
pub struct Offers {
    /// Those that send.
    pub sends: Vec<(ChannelId, (ProcessId, EdgeId))>,
    /// Those that listen to one of their channels.
    receives: Vec<(ChannelId, (ProcessId, EdgeId))>,
    /// Edges with a guard or a channel that fails to evaluate.
    pub failing: Vec<(Participants, RuntimeError)>,
}

/// The channel of an edge whose discrete guard holds.
pub fn offered(
    network: &Network,
    at: &Discrete,
    (process, id): (ProcessId, EdgeId),
    channel: &ChannelRef,
) -> Result<Option<ChannelId>, RuntimeError> {
    if discrete_guard(network, at, process, id)? {
        eval::channel(network, channel, at).map(Some)
    } else {
        Ok(None)
    }
}

/// Whether the edge may listen to the channel.
pub fn may_hear(reference: &ChannelRef, channel: ChannelId) -> bool {
    let (first, len) = reference.range();
    (first.index()..first.index() + len as usize).contains(&channel.index())
}

impl Offers {
    /// Enabled senders on the channels that matter, and who listens to them.
    pub fn new(network: &Network, at: &Discrete, matters: impl Fn(&Channel) -> bool) -> Self {
        let mut offers = Self::default();
        for participant in edges(network, at) {
            let Sync::Send(channel) = &edge(network, participant.0, participant.1).sync else { continue };
            if matters(&network.channels[channel.range().0.index()]) {
                match offered(network, at, participant, channel) {
                    Ok(sent) => offers.sends.extend(sent.map(|channel| (channel, participant))),
                    Err(error) => offers.failing.push((vec![participant], error)),
                }
            }
        }
        for participant in edges(network, at) {
            let Sync::Receive(channel) = &edge(network, participant.0, participant.1).sync else { continue };
            if offers.sends.iter().any(|&(sent, _)| may_hear(channel, sent)) {
                match offered(network, at, participant, channel) {
                    Ok(heard) => offers.receives.extend(heard.map(|channel| (channel, participant))),
                    Err(error) => offers.failing.push((vec![participant], error)),
                }
            }
        }
        offers
    }

    /// Those on `channel` in processes other than `sender`, in process order.
    pub fn receivers(
        &self,
        sender: ProcessId,
        channel: ChannelId,
    ) -> impl Iterator<Item = (ProcessId, EdgeId)> {
        let all = self.receives.iter();
        all.filter(move |&&(heard, (p, _))| heard == channel && p != sender).map(|&(_, receiver)| receiver)
    }
}

fn synchronisations(network: &Network, at: &Discrete, found: &mut Transitions) {
    let offers = Offers::new(network, at, |_| true);
    let mut add = |participants: Participants| {
        if respects_committed(network, at, &participants) {
            found.enabled.push(participants);
        }
    };
    for &(channel, sender) in &offers.sends {
        let receivers = offers.receivers(sender.0, channel);
        if network.channels[channel.index()].kind == ChannelKind::Binary {
            receivers.for_each(|receiver| add(vec![sender, receiver]));
            continue;
        }
        let receivers: Participants = receivers.collect();
        let receivers = receivers.chunk_by(|a, b| a.0 == b.0).map(<[_]>::to_vec).collect();
        let broadcast = Broadcast { sender, receivers };
        if broadcast.has_clock_guards(network) {
            found.timed.push(broadcast);
        } else {
            let choices: Vec<Participants> =
                std::iter::once(vec![sender]).chain(broadcast.receivers).collect();
            combinations(&choices).into_iter().for_each(&mut add);
        }
    }
    found.failing.extend(offers.failing);
}

fn vector_combinations(network: &Network, at: &Discrete, vector: usize) -> Vec<Participants> {
    let mut choices = Vec::new();
    for member in &network.vectors[vector].members {
        let able: Participants = edges_of(network, at, member.process)
            .filter(|&(process, id)| edge(network, process, id).event == member.event)
            .collect();
        match (able.is_empty(), member.strength) {
            (false, _) => choices.push(able),
            (true, Strength::Weak) => {}
            (true, Strength::Strong) => return Vec::new(),
        }
    }
    if choices.is_empty() { Vec::new() } else { combinations(&choices) }
}
