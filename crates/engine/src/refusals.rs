//! What a network may need that no analysis here can do yet: better no
//! verdict than a wrong one.

use dwell_model::expr::{ClockConstraint, Relation};
use dwell_model::{ChannelKind, Network, Sync, Unsupported};

/// Every reason not to answer questions about a network.
pub(crate) fn refusals(network: &Network) -> Vec<Unsupported> {
    let mut found = network.unsupported.clone();
    let mut refuse = |message: String, span| found.push(Unsupported { message, span });
    for process in &network.processes {
        for edge in &process.edges {
            let (channel, decides) = match &edge.sync {
                Sync::Send(channel) => (channel, true),
                Sync::Receive(channel) => {
                    let kind = network.channels[channel.range().0.index()].kind;
                    (channel, kind == ChannelKind::Binary)
                }
                Sync::Internal | Sync::Vector => continue,
            };
            let channel = &network.channels[channel.range().0.index()];
            let closed_lower_bound = |c: &ClockConstraint| c.minus.is_none() && c.relation == Relation::Ge;
            if channel.urgent && decides && !edge.guard.clocks.iter().all(closed_lower_bound) {
                let name = &channel.name;
                refuse(
                    format!(
                        "on an edge with the urgent channel {name} clocks may only be compared as in x >= c: \
                         time passes until such a guard holds, and nothing says what other guards would mean"
                    ),
                    edge.span,
                );
            }
        }
    }
    found
}
