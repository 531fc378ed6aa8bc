//! Code made shorter: what is known needs no test, what nobody reads is not
//! computed, and short branches become conditional moves.
//!
//! Updates that were written out (`simplify`) count loop variables nobody reads
//! and check values that cannot leave their ranges; and a branch that depends on
//! data costs the interpreter more than the two moves it saves.
//!
//! One piece of code at a time, three passes:
//!
//! 1. `facts`, forwards: ranges of registers. Variables lie in their ranges
//!    (C-2). Checks that cannot fail, branches that are always or never taken
//!    and code that is never reached go.
//! 2. `dead`, backwards: writes to scratch registers that are not read go.
//! 3. `select`: branches over a few moves become the moves, under a condition.
//!
//! OP-1 A piece does what it did: the same value, the same variables, also where
//!      it fails, the same clock assignments, the same fault at the same place.
//!      Scratch registers may differ: an update's own are not read after it.
//! OP-2 Only forward jumps and `Loop` lead anywhere. Where a loop begins nothing
//!      is known, and in pieces with loops nothing is dead.
//! OP-3 A function may use the locals of its caller, so locals are dead only in
//!      an update without calls.

mod dead;
mod effects;
mod facts;
mod select;

use super::{Code, Op, Reg};
use crate::Span;

/// Longer pieces stay as they are.
const MOST_OPS: usize = 1 << 14;

/// What a piece is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// A guard, a value, a clock: often left early, so that branches stay.
    Value,
    /// A function.
    Function,
    /// An update.
    Update,
}

/// Registers by what they are for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Registers {
    /// Number of variables: they come first.
    pub vars: Reg,
    /// First register that only this piece uses, after locals and locations.
    pub temporaries: Reg,
}

/// A piece that is worked on. Jumps are relative to its first operation.
struct Piece {
    ops: Vec<Op>,
    spans: Vec<Span>,
    /// Operations that are left out; whoever jumps there comes to the next one.
    gone: Vec<bool>,
    /// Operations that have been shown not to fail.
    safe: Vec<bool>,
}

impl Piece {
    /// Whether each operation is one that a jump leads to.
    fn labels(&self) -> Vec<bool> {
        let mut labels = vec![false; self.ops.len() + 1];
        for (op, _) in self.ops.iter().zip(&self.gone).filter(|(_, gone)| !**gone) {
            op.target().into_iter().for_each(|to| labels[to as usize] = true);
        }
        labels
    }

    /// One past the last register that is used.
    fn end_of_registers(&self) -> Reg {
        let mut end = 0;
        for op in &self.ops {
            op.reads(|read| end = end.max(read.end));
            end = end.max(op.writes().map_or(0, |dst| dst + 1)).max(op.may_write().end);
        }
        end
    }

    fn has(&self, which: impl Fn(&Op) -> bool) -> bool {
        self.ops.iter().zip(&self.gone).any(|(op, gone)| !gone && which(op))
    }

    /// Leaves out what is gone, and jumps over nothing else.
    fn compact(&mut self) {
        for at in (0..self.ops.len()).rev() {
            if let Op::Jump { to } | Op::JumpUnless { to, .. } = self.ops[at] {
                self.gone[at] |= to as usize > at && self.gone[at + 1..to as usize].iter().all(|gone| *gone);
            }
        }
        let mut to = Vec::with_capacity(self.ops.len() + 1);
        let mut len = 0;
        for gone in &self.gone {
            to.push(len);
            len += u32::from(!gone);
        }
        to.push(len);
        for op in &mut self.ops {
            if let Some(target) = op.target_mut() {
                *target = to[*target as usize];
            }
        }
        let mut gone = self.gone.iter();
        self.ops.retain(|_| gone.next() == Some(&false));
        let mut gone = self.gone.iter();
        self.spans.retain(|_| gone.next() == Some(&false));
        self.gone = vec![false; self.ops.len()];
        self.safe = vec![false; self.ops.len()];
    }
}

impl Code {
    /// Optimises the operations from `start` to the end, one piece.
    pub(super) fn optimise(&mut self, start: usize, purpose: Purpose, registers: Registers) {
        if self.ops.len() - start > MOST_OPS {
            return;
        }
        let (ops, spans) = (self.ops.split_off(start), self.spans.split_off(start));
        let len = ops.len();
        let mut piece = Piece { ops, spans, gone: vec![false; len], safe: vec![false; len] };
        piece.shift(|to| to - start as u32);
        facts::learn(&mut piece, self);
        dead::remove(&mut piece, purpose, registers);
        piece.compact();
        let truth = piece.end_of_registers().max(registers.temporaries);
        if purpose != Purpose::Value && select::branches(&mut piece, truth) {
            self.registers = self.registers.max(truth as usize + 1);
        }
        piece.shift(|to| to + start as u32);
        self.ops.append(&mut piece.ops);
        self.spans.append(&mut piece.spans);
    }
}

impl Piece {
    fn shift(&mut self, by: impl Fn(u32) -> u32) {
        for op in &mut self.ops {
            if let Some(target) = op.target_mut() {
                *target = by(*target);
            }
        }
    }
}

#[cfg(test)]
mod tests;
