//! What operations read and write.

use crate::code::{Op, Reg};
use std::ops::Range;

impl Op {
    /// Where a jump leads.
    pub(super) fn target(&self) -> Option<u32> {
        match self {
            Op::Jump { to } | Op::JumpIfZero { to, .. } | Op::JumpUnless { to, .. } | Op::Loop { to } => {
                Some(*to)
            }
            _ => None,
        }
    }

    pub(super) fn target_mut(&mut self) -> Option<&mut u32> {
        match self {
            Op::Jump { to } | Op::JumpIfZero { to, .. } | Op::JumpUnless { to, .. } | Op::Loop { to } => {
                Some(to)
            }
            _ => None,
        }
    }

    /// Whether the next operation may follow.
    pub(super) fn falls_through(&self) -> bool {
        !matches!(
            self,
            Op::Jump { .. } | Op::Loop { .. } | Op::Return { .. } | Op::ReturnConst { .. } | Op::Fail
        )
    }

    /// The register that is written for certain.
    pub(super) fn writes(&self) -> Option<Reg> {
        match *self {
            Op::Const { dst, .. }
            | Op::Move { dst, .. }
            | Op::Binary { dst, .. }
            | Op::BinaryConst { dst, .. }
            | Op::Neg { dst, .. }
            | Op::Not { dst, .. }
            | Op::Load { dst, .. }
            | Op::Index { dst, .. }
            | Op::Call { dst, .. }
            | Op::Pick { dst, .. }
            | Op::Test { dst, .. } => Some(dst),
            Op::Store { var, .. } => Some(var),
            _ => None,
        }
    }

    /// Registers one of which is written.
    pub(super) fn may_write(&self) -> Range<Reg> {
        match *self {
            Op::Put { first, len, .. } | Op::StoreElement { first, len, .. } => first..first + len,
            Op::MoveIf { dst, .. } | Op::ConstIf { dst, .. } => dst..dst + 1,
            _ => 0..0,
        }
    }

    /// Tells the registers that are read, neighbours together. What a call reads
    /// is not told.
    pub(super) fn reads(&self, mut tell: impl FnMut(Range<Reg>)) {
        let mut one = |register: Reg| tell(register..register + 1);
        match *self {
            Op::Const { .. }
            | Op::Call { .. }
            | Op::Fail
            | Op::Jump { .. }
            | Op::Loop { .. }
            | Op::ResetConst { .. }
            | Op::ReturnConst { .. } => {}
            Op::Move { src, .. }
            | Op::Neg { src, .. }
            | Op::Not { src, .. }
            | Op::Store { src, .. }
            | Op::Index { src, .. }
            | Op::Check { src, .. }
            | Op::JumpIfZero { src, .. }
            | Op::Return { src } => one(src),
            Op::Binary { left, right, .. } => [left, right].into_iter().for_each(one),
            Op::BinaryConst { left, .. } | Op::JumpUnless { left, .. } | Op::Test { left, .. } => one(left),
            Op::Load { first, len, index, .. } => {
                one(index);
                tell(first..first + len);
            }
            Op::Put { index, src, .. } | Op::StoreElement { index, src, .. } => {
                [index, src].into_iter().for_each(one);
            }
            Op::Pick { index, .. } => one(index),
            Op::Reset { clock, value } => [clock, value].into_iter().for_each(one),
            Op::ResetSum { clock, from, value } => [clock, from, value].into_iter().for_each(one),
            Op::MoveIf { when, src, .. } => [when, src].into_iter().for_each(one),
            Op::ConstIf { when, .. } => one(when),
        }
    }
}
