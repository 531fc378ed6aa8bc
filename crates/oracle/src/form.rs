//! Whether participants form a transition (S-3), checked rather than
//! enumerated: [`crate::step::transitions`] builds what this module takes
//! apart, and the tests hold one against the other.

use dwell_model::{
    ChannelId, ChannelKind, EdgeId, Network, ProcessId, Strength, Sync, SyncMember, SyncVector,
};

use crate::replay::ReplayFault;
use crate::state::Discrete;
use crate::step::{discrete_guard, edge, edges_of, receivers};

/// Checks that the participants are edges of different processes from their
/// current locations and form a transition in the order given. Guards are
/// looked at only where they decide who must take part.
pub fn check(
    network: &Network,
    at: &Discrete,
    participants: &[(ProcessId, EdgeId)],
) -> Result<(), ReplayFault> {
    for (position, &(process, id)) in participants.iter().enumerate() {
        let known = network.processes.get(process.index()).and_then(|p| p.edges.get(id.index()));
        let Some(edge) = known else { return Err(ReplayFault::NoSuchEdge(process, id)) };
        if edge.source != at.locations[process.index()] {
            return Err(ReplayFault::NotAtSource(process, id));
        }
        if participants[..position].iter().any(|&(earlier, _)| earlier == process) {
            return Err(ReplayFault::ProcessTwice(process));
        }
    }
    let Some(&first) = participants.first() else {
        return Err(ReplayFault::NoTransition("nobody takes part"));
    };
    let rest = &participants[1..];
    match edge(network, first.0, first.1).sync {
        Sync::Internal if rest.is_empty() => Ok(()),
        Sync::Internal => Err(ReplayFault::NoTransition("an internal edge is taken alone")),
        Sync::Receive(_) => Err(ReplayFault::NoTransition("the sender comes first")),
        Sync::Send(channel) => match network.channels[channel.index()].kind {
            ChannelKind::Binary => check_pair(network, rest, channel),
            ChannelKind::Broadcast => check_broadcast(network, at, first, rest, channel),
        },
        Sync::Vector => {
            if network.vectors.iter().any(|vector| matches(network, at, vector, participants)) {
                Ok(())
            } else {
                Err(ReplayFault::NoTransition("no synchronisation vector has exactly these participants"))
            }
        }
    }
}

fn receives(network: &Network, participant: (ProcessId, EdgeId), channel: ChannelId) -> bool {
    edge(network, participant.0, participant.1).sync == Sync::Receive(channel)
}

fn check_pair(
    network: &Network,
    rest: &[(ProcessId, EdgeId)],
    channel: ChannelId,
) -> Result<(), ReplayFault> {
    match rest {
        &[receiver] if receives(network, receiver, channel) => Ok(()),
        _ => Err(ReplayFault::NoTransition("a sender on a binary channel needs one receiver on it")),
    }
}

fn check_broadcast(
    network: &Network,
    at: &Discrete,
    sender: (ProcessId, EdgeId),
    rest: &[(ProcessId, EdgeId)],
    channel: ChannelId,
) -> Result<(), ReplayFault> {
    if !rest.iter().all(|&receiver| receives(network, receiver, channel)) {
        return Err(ReplayFault::NoTransition("a participant does not receive on the sender's channel"));
    }
    if !rest.is_sorted_by_key(|&(process, _)| process) {
        return Err(ReplayFault::NoTransition("the receivers of a broadcast come in process order"));
    }
    // Who could hear a sender that cannot send does not matter.
    if !discrete_guard(network, at, sender.0, sender.1).map_err(ReplayFault::RuntimeError)? {
        return Err(ReplayFault::GuardFalse(sender.0, sender.1));
    }
    for (process, id) in receivers(network, at, sender.0, channel) {
        let enabled = discrete_guard(network, at, process, id).map_err(ReplayFault::RuntimeError)?;
        if enabled && rest.iter().all(|&(other, _)| other != process) {
            return Err(ReplayFault::ReceiverLeftOut(process));
        }
    }
    Ok(())
}

/// Whether the vector's members, less the weak ones that have no edge with
/// their event, are these participants.
fn matches(
    network: &Network,
    at: &Discrete,
    vector: &SyncVector,
    mut participants: &[(ProcessId, EdgeId)],
) -> bool {
    let suits = |member: &SyncMember, (process, id): (ProcessId, EdgeId)| {
        process == member.process && edge(network, process, id).event == member.event
    };
    for member in &vector.members {
        if let [first, rest @ ..] = participants
            && suits(member, *first)
        {
            participants = rest;
            continue;
        }
        let is_able = edges_of(network, at, member.process).any(|participant| suits(member, participant));
        if member.strength == Strength::Strong || is_able {
            return false;
        }
    }
    participants.is_empty()
}
