//! Variables that nothing writes.

use crate::expr::{Place, Stmt};
use crate::{Network, VarKind, visit};

/// Narrows the range of every variable that no update writes to its initial
/// value: it takes no space in states, and bounds that depend on it are exact.
pub fn narrow_unwritten(network: &mut Network) {
    let mut written = vec![false; network.vars.len()];
    visit::statements(network, |stmt| {
        let Stmt::Assign { place, .. } = stmt else { return };
        match place {
            Place::Var(var) => written[var.index()] = true,
            Place::Element { first, len, .. } => {
                written[first.index()..][..*len as usize].fill(true);
            }
            Place::Local(_) | Place::LocalElement { .. } => {}
        }
    });
    for (var, written) in network.vars.iter_mut().zip(written) {
        if !written && var.kind == VarKind::State {
            (var.min, var.max) = (var.init, var.init);
        }
    }
}
