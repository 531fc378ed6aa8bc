//! Clock constants that no run can hold, found before any run.

use crate::code::constant;
use crate::expr::{Guard, Stmt};
use crate::visit::statements;
use crate::{Network, Span};

/// Every literal constant above `limit` that a clock is compared with or set
/// to, with its place. Values that depend on variables show only while running.
pub fn oversized_constants(network: &Network, limit: i32) -> Vec<(Span, i32)> {
    let mut found = Vec::new();
    let mut note = |span, value: Option<i32>| {
        found.extend(value.filter(|c| c.unsigned_abs() > limit.unsigned_abs()).map(|c| (span, c)));
    };
    let guards = |guard: &Guard, note: &mut dyn FnMut(Span, Option<i32>)| {
        guard.clocks.iter().for_each(|c| note(c.span, constant(&c.bound)));
    };
    for process in &network.processes {
        process.locations.iter().for_each(|location| guards(&location.invariant, &mut note));
        for edge in &process.edges {
            guards(&edge.guard, &mut note);
        }
    }
    statements(network, |stmt| {
        if let Stmt::Reset { value, span, .. } = stmt {
            note(*span, constant(value));
        }
    });
    network.clocks.iter().for_each(|clock| note(Span::default(), Some(clock.init)));
    found
}
