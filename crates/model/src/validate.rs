//! Checks the invariants N-1 … N-7 of a [`Network`].

use crate::{Network, Sync};
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
        if !self.vars.is_sorted_by_key(|v| v.kind) {
            return Err("N-6: variables are not in the order of their kinds".into());
        }
        if let Some(clock) = self.clocks.iter().find(|c| c.init < 0) {
            return Err(format!("N-7: {} starts below zero", clock.name));
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
                let (Sync::Send(channel) | Sync::Receive(channel)) = &edge.sync else { continue };
                let (first, len) = channel.range();
                if first.index() + len as usize > self.channels.len() {
                    return Err(format!("N-1: an edge of {name} names an unknown channel"));
                }
            }
        }
        Ok(())
    }
}
