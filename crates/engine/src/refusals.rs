//! What a network may need that no analysis here can do yet: better no
//! verdict than a wrong one.

use dwell_model::expr::Expr;
use dwell_model::{Network, Sync, Unsupported};

/// Every reason not to answer questions about a network.
pub(crate) fn refusals(network: &Network) -> Vec<Unsupported> {
    let mut found = network.unsupported.clone();
    let mut refuse = |message: String, span| found.push(Unsupported { message, span });
    for process in &network.processes {
        for edge in &process.edges {
            let (Sync::Send(channel) | Sync::Receive(channel)) = &edge.sync else { continue };
            let channel = &network.channels[channel.range().0.index()];
            if channel.urgent && !edge.guard.clocks.is_empty() {
                let name = &channel.name;
                refuse(
                    format!("a clock guard on an edge with the urgent channel {name} is not supported yet"),
                    edge.span,
                );
            }
        }
        for location in &process.locations {
            if location.rates.iter().any(|(_, rate)| *rate != Expr::Const(1)) {
                refuse(
                    format!("a clock that stops in {}.{} is not supported yet", process.name, location.name),
                    Default::default(),
                );
            }
        }
    }
    if network.processes.windows(2).any(|pair| pair[0].priority != pair[1].priority) {
        refuse("process priorities are not supported yet".into(), Default::default());
    }
    if network.channels.iter().any(|channel| channel.priority != network.internal_priority) {
        refuse("channel priorities are not supported yet".into(), Default::default());
    }
    found
}
