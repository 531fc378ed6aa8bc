//! Writes that nobody reads.

use super::{Piece, Purpose, Registers};
use crate::code::{Op, Reg};
use std::collections::BTreeSet;
use std::ops::Range;

/// Removes operations whose only effect is on a register that is not read after
/// them (OP-2, OP-3).
pub(super) fn remove(piece: &mut Piece, purpose: Purpose, registers: Registers) {
    if piece.has(|op| matches!(op, Op::Loop { .. })) {
        return;
    }
    let own = purpose == Purpose::Update && !piece.has(|op| matches!(op, Op::Call { .. }));
    let first = if own { registers.vars } else { registers.temporaries };
    let labels = piece.labels();
    // Registers from `first` on that are read later: here, and at the labels.
    let mut live: BTreeSet<Reg> = BTreeSet::new();
    let mut at_labels: Vec<Option<BTreeSet<Reg>>> = vec![None; piece.ops.len() + 1];
    for at in (0..piece.ops.len()).rev() {
        if labels[at + 1] {
            at_labels[at + 1] = Some(live.clone());
        }
        if piece.gone[at] {
            continue;
        }
        let op = piece.ops[at];
        if !op.falls_through() {
            live.clear();
        }
        if let Some(to) = op.target() {
            live.extend(at_labels[to as usize].iter().flatten());
        }
        if let Some(dst) = op.writes() {
            if dst >= first && piece.safe[at] && !live.contains(&dst) {
                piece.gone[at] = true;
                continue;
            }
            live.remove(&dst);
        }
        op.reads(|read: Range<Reg>| live.extend(read.start.max(first)..read.end));
    }
}
