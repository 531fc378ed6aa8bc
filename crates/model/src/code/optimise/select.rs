//! Conditional moves for short branches.
//!
//! ```text
//!     jump to 4 unless a == 0             t := a == 0
//!     a := b                        ⇒     a := b   if t
//!     b := 0                              b := 0   if t
//! 4:
//! ```
//!
//! Where the branch goes depends on data, so it is foretold badly; the moves cost
//! as much as a foretold branch.

use super::Piece;
use crate::code::{Op, Reg};

/// The most moves that are worth doing for nothing.
const MOST_MOVES: usize = 3;

/// Replaces branches over a few moves; `truth` is for their conditions. False if
/// there are none.
pub(super) fn branches(piece: &mut Piece, truth: Reg) -> bool {
    let labels = piece.labels();
    let mut found = false;
    for at in 0..piece.ops.len() {
        let Op::JumpUnless { op, left, value, to } = piece.ops[at] else { continue };
        let body = at + 1..to as usize;
        let plain = |op: &Op| matches!(op, Op::Const { .. } | Op::Move { .. });
        if to as usize <= at
            || body.len() > MOST_MOVES
            || labels[body.clone()].contains(&true)
            || !piece.ops[body.clone()].iter().all(plain)
        {
            continue;
        }
        piece.ops[at] = Op::Test { op, dst: truth, left, value };
        for op in &mut piece.ops[body] {
            *op = match *op {
                Op::Const { dst, value } => Op::ConstIf { when: truth, dst, value },
                Op::Move { dst, src } => Op::MoveIf { when: truth, dst, src },
                other => unreachable!("{other:?} is no plain move"),
            };
        }
        found = true;
    }
    found
}
