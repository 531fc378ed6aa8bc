//! Variables that nothing writes.

use super::effects::written;
use crate::{Network, VarKind};

/// Narrows the range of every variable that no update writes to its initial
/// value: it takes no space in states, and bounds that depend on it are exact.
pub fn narrow_unwritten(network: &mut Network) {
    let written = written(network);
    for (var, written) in network.vars.iter_mut().zip(written) {
        if !written && var.kind == VarKind::State {
            (var.min, var.max) = (var.init, var.init);
        }
    }
}
