//! Channels with one end.

use std::collections::HashMap;

use dwell_syntax::Diagnostics;
use dwell_syntax::uppaal::tree::Direction;

use super::super::types::Ty;
use super::super::{Checker, codes};

/// How often a channel is named on edges of the system's processes.
#[derive(Clone, Copy, Default)]
struct Ends {
    send: usize,
    receive: usize,
    both: usize,
}

pub(super) fn report(checker: &Checker, out: &mut Diagnostics) {
    let ends = ends(checker);
    for symbol in &checker.context.uses.symbols {
        if !matches!(symbol.ty.innermost(), Ty::Chan(_)) {
            continue;
        }
        let name = &symbol.name;
        let message = match ends.get(&symbol.id) {
            Some(Ends { send: 1.., receive: 0, both: 0 }) => format!("nobody receives on `{name}`"),
            Some(Ends { send: 0, receive: 1.., both: 0 }) => format!("nobody sends on `{name}`"),
            _ => continue,
        };
        out.warning(codes::UNMATCHED_CHANNEL, symbol.span, message);
    }
}

/// The ends of each channel or array of channels, by symbol id.
fn ends(checker: &Checker) -> HashMap<u32, Ends> {
    let mut ends: HashMap<u32, Ends> = HashMap::new();
    for process in checker.context.processes.iter() {
        let Some(facts) = checker.context.facts.templates.get(process.origin) else { continue };
        let bindings: HashMap<u32, u32> = process.bindings.iter().copied().collect();
        for (channel, direction) in facts.edges.iter().filter_map(|edge| edge.channel) {
            let count = ends.entry(bindings.get(&channel).copied().unwrap_or(channel)).or_default();
            match direction {
                Direction::Send => count.send += 1,
                Direction::Receive => count.receive += 1,
                Direction::Csp => count.both += 1,
            }
        }
    }
    ends
}
