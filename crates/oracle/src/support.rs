//! What no part of the oracle covers.

use dwell_model::{ChannelKind, Edge, LocationId, Network, ProcessId, Sync};

use crate::state::Unsupported;

/// The first thing that is not covered, if any.
pub fn check(network: &Network) -> Result<(), Unsupported> {
    if let Some(first) = network.unsupported.first() {
        return Err(Unsupported::Network { message: first.message.clone(), span: first.span });
    }
    let level = network.internal_priority;
    let one_level = network.channels.iter().all(|channel| channel.priority == level)
        && network.processes.windows(2).all(|pair| pair[0].priority == pair[1].priority);
    if !one_level {
        return Err(Unsupported::Priorities);
    }
    for (p, process) in network.processes.iter().enumerate() {
        if let Some(l) = process.locations.iter().position(|location| !location.rates.is_empty()) {
            return Err(Unsupported::Rate(ProcessId::new(p), LocationId::new(l)));
        }
        if let Some(edge) = process.edges.iter().find(|edge| clocks_decide_urgency(network, edge)) {
            return Err(Unsupported::UrgentClockGuard { span: edge.span });
        }
    }
    Ok(())
}

/// Whether the edge has a clock guard that a synchronisation on an urgent
/// channel needs. A broadcast does not need its receivers.
fn clocks_decide_urgency(network: &Network, edge: &Edge) -> bool {
    let (channel, is_sender) = match &edge.sync {
        Sync::Send(channel) => (channel, true),
        Sync::Receive(channel) => (channel, false),
        Sync::Internal | Sync::Vector => return false,
    };
    let channel = &network.channels[channel.range().0.index()];
    channel.urgent && !edge.guard.clocks.is_empty() && (is_sender || channel.kind == ChannelKind::Binary)
}
