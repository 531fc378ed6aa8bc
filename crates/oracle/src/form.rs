//! Whether participants form a transition (S-3), checked rather than
//! enumerated: [`crate::step::transitions`] builds what this module takes
//! apart, and the tests hold one against the other.

use dwell_model::{
    ChannelId, ChannelKind, ChannelRef, EdgeId, Network, ProcessId, Strength, Sync, SyncMember, SyncVector,
};

use crate::eval::Clocks;
use crate::fault::ReplayFault;
use crate::state::{Discrete, State};
use crate::step::{clock_guard, discrete_guard, edge, edges, edges_of};
use crate::transitions::{may_hear, offered};

/// Checks that the participants are edges of different processes from their
/// current locations and form a transition in the order given. Guards are
/// looked at only where they decide who must take part, and discrete ones
/// before a channel is computed.
pub fn check<C: Clocks>(
    network: &Network,
    state: &State<C>,
    participants: &[(ProcessId, EdgeId)],
) -> Result<(), ReplayFault> {
    let at = &state.discrete;
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
    match &edge(network, first.0, first.1).sync {
        Sync::Internal if rest.is_empty() => Ok(()),
        Sync::Internal => Err(ReplayFault::NoTransition("an internal edge is taken alone")),
        Sync::Receive(_) => Err(ReplayFault::NoTransition("the sender comes first")),
        Sync::Send(channel) => {
            let channel = channel_of(network, at, first, channel)?;
            match network.channels[channel.index()].kind {
                ChannelKind::Binary => check_pair(network, at, rest, channel),
                ChannelKind::Broadcast => check_broadcast(network, state, first, rest, channel),
            }
        }
        Sync::Vector => {
            if network.vectors.iter().any(|vector| matches(network, at, vector, participants)) {
                Ok(())
            } else {
                Err(ReplayFault::NoTransition("no synchronisation vector has exactly these participants"))
            }
        }
    }
}

/// The channel of a participant, which exists where its discrete guard holds.
fn channel_of(
    network: &Network,
    at: &Discrete,
    (process, id): (ProcessId, EdgeId),
    channel: &ChannelRef,
) -> Result<ChannelId, ReplayFault> {
    match channel {
        ChannelRef::Fixed(channel) => Ok(*channel),
        ChannelRef::Element { .. } => {
            let channel = offered(network, at, (process, id), channel).map_err(ReplayFault::RuntimeError)?;
            channel.ok_or(ReplayFault::GuardFalse(process, id))
        }
    }
}

fn receives(
    network: &Network,
    at: &Discrete,
    participant: (ProcessId, EdgeId),
    channel: ChannelId,
) -> Result<bool, ReplayFault> {
    match &edge(network, participant.0, participant.1).sync {
        Sync::Receive(heard) if may_hear(heard, channel) => {
            Ok(channel_of(network, at, participant, heard)? == channel)
        }
        _ => Ok(false),
    }
}

fn check_pair(
    network: &Network,
    at: &Discrete,
    rest: &[(ProcessId, EdgeId)],
    channel: ChannelId,
) -> Result<(), ReplayFault> {
    match rest {
        &[receiver] if receives(network, at, receiver, channel)? => Ok(()),
        _ => Err(ReplayFault::NoTransition("a sender on a binary channel needs one receiver on it")),
    }
}

fn check_broadcast<C: Clocks>(
    network: &Network,
    state: &State<C>,
    sender: (ProcessId, EdgeId),
    rest: &[(ProcessId, EdgeId)],
    channel: ChannelId,
) -> Result<(), ReplayFault> {
    let at = &state.discrete;
    for &receiver in rest {
        if !receives(network, at, receiver, channel)? {
            return Err(ReplayFault::NoTransition("a participant does not receive on the sender's channel"));
        }
    }
    if !rest.is_sorted_by_key(|&(process, _)| process) {
        return Err(ReplayFault::NoTransition("the receivers of a broadcast come in process order"));
    }
    // Who could hear a sender that cannot send does not matter.
    let sends = discrete_guard(network, at, sender.0, sender.1).map_err(ReplayFault::RuntimeError)?
        && clock_guard(network, state, sender.0, sender.1)?;
    if !sends {
        return Err(ReplayFault::GuardFalse(sender.0, sender.1));
    }
    for (process, id) in edges(network, at) {
        let Sync::Receive(heard) = &edge(network, process, id).sync else { continue };
        if process == sender.0 || !may_hear(heard, channel) {
            continue;
        }
        let hears = offered(network, at, (process, id), heard).map_err(ReplayFault::RuntimeError)?
            == Some(channel)
            && clock_guard(network, state, process, id)?;
        if hears && rest.iter().all(|&(other, _)| other != process) {
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
