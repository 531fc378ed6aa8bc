//! Checks the invariants N-1 … N-6 of a [`Network`].

use crate::{ChannelKind, Network, Sync};
use std::collections::BTreeSet;

impl Network {
    /// The first broken invariant, as a sentence.
    ///
    /// Front ends report mistakes of their users with positions; this is the
    /// last line of defence, and what builders of networks in code meet.
    pub fn validate(&self) -> Result<(), String> {
        for var in &self.vars {
            if !(var.min <= var.init && var.init <= var.max) {
                return Err(format!(
                    "N-3: {} starts at {} outside {}..={}",
                    var.name, var.init, var.min, var.max
                ));
            }
        }
        let mut in_vector = BTreeSet::new();
        for vector in &self.vectors {
            let mut seen = BTreeSet::new();
            for member in &vector.members {
                if member.process.index() >= self.processes.len() || member.event.index() >= self.events.len()
                {
                    return Err("N-1: a synchronisation vector names an unknown process or event".into());
                }
                if !seen.insert(member.process) {
                    let name = &self.processes[member.process.index()].name;
                    return Err(format!("N-4: a synchronisation vector names {name} twice"));
                }
                in_vector.insert((member.process, member.event));
            }
        }
        for (p, process) in self.processes.iter().enumerate() {
            let name = &process.name;
            if process.initial.is_empty() {
                return Err(format!("N-2: {name} has no initial location"));
            }
            if process.initial.iter().any(|l| l.index() >= process.locations.len()) {
                return Err(format!("N-1: {name} starts in an unknown location"));
            }
            for edge in &process.edges {
                if edge.source.index().max(edge.target.index()) >= process.locations.len()
                    || edge.event.index() >= self.events.len()
                {
                    return Err(format!("N-1: an edge of {name} names an unknown location or event"));
                }
                let member = in_vector.contains(&(crate::ProcessId::new(p), edge.event));
                if member != (edge.sync == Sync::Vector) {
                    return Err(format!("N-5: an edge of {name} disagrees with the synchronisation vectors"));
                }
                let (Sync::Send(channel) | Sync::Receive(channel)) = edge.sync else { continue };
                let Some(channel) = self.channels.get(channel.index()) else {
                    return Err(format!("N-1: an edge of {name} names an unknown channel"));
                };
                let broadcast_receiver =
                    channel.kind == ChannelKind::Broadcast && matches!(edge.sync, Sync::Receive(_));
                if (channel.urgent || broadcast_receiver) && !edge.guard.clocks.is_empty() {
                    return Err(format!(
                        "N-6: an edge of {name} on {} may not have a clock guard",
                        channel.name
                    ));
                }
            }
        }
        Ok(())
    }
}
