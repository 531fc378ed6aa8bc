//! What is not covered: by nothing here ([`check`]), or by regions and sampled
//! time ([`check_regions`]), which let all clocks run.

use dwell_model::expr::{ClockConstraint, Relation};
use dwell_model::{ChannelKind, Edge, LocationId, Network, ProcessId, Sync};

use crate::state::Unsupported;

/// The first thing that no part of the oracle covers, if any.
pub fn check(network: &Network) -> Result<(), Unsupported> {
    if let Some(first) = network.unsupported.first() {
        return Err(Unsupported::Network { message: first.message.clone(), span: first.span });
    }
    let mut edges = network.processes.iter().flat_map(|process| &process.edges);
    match edges.find(|edge| decides_urgency(network, edge) && !edge.guard.clocks.iter().all(is_from_on)) {
        Some(edge) => Err(Unsupported::UrgentClockGuard { span: edge.span }),
        None => Ok(()),
    }
}

/// The first thing that regions do not cover, differences of clocks and bounds
/// without a range apart.
pub fn check_regions(network: &Network) -> Result<(), Unsupported> {
    check(network)?;
    for (p, process) in network.processes.iter().enumerate() {
        if let Some(l) = process.locations.iter().position(|location| !location.rates.is_empty()) {
            return Err(Unsupported::Rate(ProcessId::new(p), LocationId::new(l)));
        }
    }
    Ok(())
}

/// Whether a synchronisation on an urgent channel needs the guard of the edge.
/// A broadcast does not need its receivers.
fn decides_urgency(network: &Network, edge: &Edge) -> bool {
    let (channel, is_sender) = match &edge.sync {
        Sync::Send(channel) => (channel, true),
        Sync::Receive(channel) => (channel, false),
        Sync::Internal | Sync::Vector => return false,
    };
    let channel = &network.channels[channel.range().0.index()];
    channel.urgent && (is_sender || channel.kind == ChannelKind::Binary)
}

/// `x >= e`: there is a first instant at which it holds, and it holds from
/// then on.
fn is_from_on(constraint: &ClockConstraint) -> bool {
    constraint.minus.is_none() && constraint.relation == Relation::Ge
}
