//! Ranges of registers, and what follows from them.
//!
//! Facts go forwards; where jumps meet, what holds on all ways holds. A fact
//! about a variable is one beyond its declared range, about another register one
//! beyond all integers.

use super::Piece;
use crate::code::machine::{binary, compare};
use crate::code::{Code, Op, Reg};
use crate::expr::BinaryOp;
use std::collections::BTreeMap;

/// Facts that are kept; forgetting one is always right.
const MOST_FACTS: usize = 1 << 9;

/// Longer arrays are not looked through.
const MOST_ELEMENTS: u32 = 1 << 10;

/// Least and greatest value.
type Values = (i32, i32);

const ALL: Values = (i32::MIN, i32::MAX);

#[derive(Clone)]
struct Facts<'c> {
    code: &'c Code,
    known: BTreeMap<Reg, Values>,
}

impl Facts<'_> {
    fn declared(&self, register: Reg) -> Values {
        self.code.ranges.get(register as usize).copied().unwrap_or(ALL)
    }

    /// What one of some neighbours is: those that nothing writes have narrow ranges.
    fn any_of(&self, first: Reg, len: u32) -> Values {
        if len == 0 || len > MOST_ELEMENTS {
            return ALL;
        }
        let elements = (first..first + len).map(|register| self.declared(register));
        elements.fold((i32::MAX, i32::MIN), |all, one| (all.0.min(one.0), all.1.max(one.1)))
    }

    fn of(&self, register: Reg) -> Values {
        self.known.get(&register).copied().unwrap_or_else(|| self.declared(register))
    }

    fn constant(&self, register: Reg) -> Option<i32> {
        let (min, max) = self.of(register);
        (min == max).then_some(min)
    }

    fn set(&mut self, register: Reg, values: Values) {
        if values == self.declared(register) || self.known.len() >= MOST_FACTS {
            self.known.remove(&register);
        } else {
            self.known.insert(register, values);
        }
    }

    /// What holds here or there.
    fn join(&mut self, other: &Self) {
        let here = std::mem::take(&mut self.known);
        for (register, (min, max)) in here {
            let (low, high) = other.of(register);
            self.set(register, (min.min(low), max.max(high)));
        }
    }

    /// What is known where `left op value` holds; false if it cannot.
    fn assume(&mut self, op: BinaryOp, left: Reg, value: i32) -> bool {
        let (min, max) = self.of(left);
        let (low, high) = match op {
            BinaryOp::Eq => (value, value),
            BinaryOp::Lt if value == i32::MIN => return false,
            BinaryOp::Gt if value == i32::MAX => return false,
            BinaryOp::Lt => (i32::MIN, value - 1),
            BinaryOp::Le => (i32::MIN, value),
            BinaryOp::Ge => (value, i32::MAX),
            BinaryOp::Gt => (value + 1, i32::MAX),
            BinaryOp::Ne if min == max && min == value => return false,
            BinaryOp::Ne if min == value => (min + 1, max),
            BinaryOp::Ne if max == value => (min, max - 1),
            _ => ALL,
        };
        self.narrow(left, (min, max), (low, high))
    }

    /// Both ranges hold of a register; false if they cannot.
    fn narrow(&mut self, register: Reg, (min, max): Values, (low, high): Values) -> bool {
        let (min, max) = (min.max(low), max.min(high));
        self.set(register, (min, max));
        min <= max
    }
}

/// The comparison that holds where this one does not.
fn opposite(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Eq => BinaryOp::Ne,
        BinaryOp::Ne => BinaryOp::Eq,
        BinaryOp::Lt => BinaryOp::Ge,
        BinaryOp::Le => BinaryOp::Gt,
        BinaryOp::Ge => BinaryOp::Lt,
        BinaryOp::Gt => BinaryOp::Le,
        other => unreachable!("{other:?} is no comparison"),
    }
}

/// What an operator yields, and whether it may fail or not fit.
fn result(op: BinaryOp, left: Values, right: Values) -> (Values, bool) {
    if left.0 == left.1 && right.0 == right.1 {
        return match binary(op, left.0, right.0) {
            Ok(value) => ((value, value), false),
            Err(_) => (ALL, true),
        };
    }
    if compare(op, 0, 0).is_some() {
        let (never, always) = match op {
            BinaryOp::Lt => (left.0 >= right.1, left.1 < right.0),
            BinaryOp::Le => (left.0 > right.1, left.1 <= right.0),
            BinaryOp::Ge => (left.1 < right.0, left.0 >= right.1),
            BinaryOp::Gt => (left.1 <= right.0, left.0 > right.1),
            BinaryOp::Eq => (left.1 < right.0 || right.1 < left.0, false),
            _ => (false, left.1 < right.0 || right.1 < left.0),
        };
        return ((i32::from(always), i32::from(!never)), false);
    }
    let wide = |value: i32| i64::from(value);
    let corners = |apply: fn(i64, i64) -> i64| {
        let all = [left.0, left.1].map(|l| [right.0, right.1].map(|r| apply(wide(l), wide(r))));
        let all = all.as_flattened();
        let ends =
            (all.iter().copied().fold(i64::MAX, i64::min), all.iter().copied().fold(i64::MIN, i64::max));
        match (i32::try_from(ends.0), i32::try_from(ends.1)) {
            (Ok(min), Ok(max)) => ((min, max), false),
            _ => (ALL, true),
        }
    };
    match op {
        BinaryOp::Add => corners(|l, r| l + r),
        BinaryOp::Sub => corners(|l, r| l - r),
        BinaryOp::Mul => corners(|l, r| l * r),
        BinaryOp::Min => ((left.0.min(right.0), left.1.min(right.1)), false),
        BinaryOp::Max => ((left.0.max(right.0), left.1.max(right.1)), false),
        BinaryOp::BitAnd if right.0 >= 0 => ((0, right.1), false),
        BinaryOp::BitAnd if left.0 >= 0 => ((0, left.1), false),
        BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => (ALL, false),
        BinaryOp::Rem if left.0 >= 0 && right.0 > 0 => ((0, left.1.min(right.1 - 1)), false),
        BinaryOp::Div if left.0 >= 0 && right.0 > 0 => ((left.0 / right.1, left.1 / right.0), false),
        _ => (ALL, true),
    }
}

/// Learns the facts of a piece and uses them.
pub(super) fn learn<'c>(piece: &mut Piece, code: &'c Code) {
    let nothing = Facts { code, known: BTreeMap::new() };
    let mut begins = vec![false; piece.ops.len() + 1];
    for op in &piece.ops {
        if let Op::Loop { to } = op {
            begins[*to as usize] = true;
        }
    }
    // What is known on the jumps that lead to an operation further on.
    let mut ahead: BTreeMap<u32, Facts<'c>> = BTreeMap::new();
    let mut here = Some(nothing.clone());
    for (at, begins) in begins.iter().enumerate().take(piece.ops.len()) {
        here = match (here, ahead.remove(&(at as u32))) {
            (Some(mut here), Some(other)) => {
                here.join(&other);
                Some(here)
            }
            (here, other) => here.or(other),
        };
        let Some(facts) = &mut here else {
            piece.gone[at] = true;
            continue;
        };
        if *begins {
            facts.known.clear();
        }
        if !rewrite(piece, at, facts) {
            here = None;
            continue;
        }
        let op = piece.ops[at];
        let mut jump = |to: u32, facts: Facts<'c>| match ahead.get_mut(&to) {
            Some(other) => other.join(&facts),
            None => _ = ahead.insert(to, facts),
        };
        match op {
            Op::JumpUnless { to, .. } if to as usize == at + 1 => {} // over nothing: it tells nothing
            Op::JumpUnless { op, left, value, to } => {
                let mut other = facts.clone();
                if other.assume(opposite(op), left, value) {
                    jump(to, other);
                } else {
                    piece.gone[at] = true;
                }
                if !facts.assume(op, left, value) {
                    piece.ops[at] = Op::Jump { to };
                    here = None;
                }
            }
            Op::JumpIfZero { to, .. } => jump(to, facts.clone()),
            Op::Jump { to } => {
                jump(to, facts.clone());
                here = None;
            }
            op if op.falls_through() => {}
            _ => here = None,
        }
    }
}

/// Writes an operation in a shorter way, and learns what it does. False where it
/// always fails.
fn rewrite(piece: &mut Piece, at: usize, facts: &mut Facts<'_>) -> bool {
    let wraps = facts.code.wraps;
    let within = |(min, max): Values, (low, high): Values| low <= min && max <= high;
    let inside = |index: Values, len: u32| index.0 >= 0 && (index.1 as u32) < len;
    let op = &mut piece.ops[at];
    let mut safe = false;
    match *op {
        Op::Const { dst, value } => {
            facts.set(dst, (value, value));
            safe = true;
        }
        Op::Move { dst, src } => {
            if let Some(value) = facts.constant(src) {
                *op = Op::Const { dst, value };
            }
            facts.set(dst, facts.of(src));
            safe = true;
        }
        Op::Store { var, src } => {
            let (values, declared) = (facts.of(src), facts.declared(var));
            if within(values, declared) {
                *op = match facts.constant(src) {
                    Some(value) => Op::Const { dst: var, value },
                    None => Op::Move { dst: var, src },
                };
                safe = true;
            }
            // Past this, the value was in range.
            if !facts.narrow(var, values, declared) {
                return false;
            }
        }
        Op::Check { src, min, max } => {
            let values = facts.of(src);
            if within(values, (min, max)) {
                piece.gone[at] = true;
            } else if !facts.narrow(src, values, (min, max)) {
                return false;
            }
        }
        Op::Binary { op: operator, dst, left, right } => {
            let (values, may_fail) = result(operator, facts.of(left), facts.of(right));
            safe = !may_fail || wraps && is_wrapping(operator);
            let commutes = matches!(operator, BinaryOp::Add | BinaryOp::Mul | BinaryOp::Eq | BinaryOp::Ne);
            if !may_fail && values.0 == values.1 {
                *op = Op::Const { dst, value: values.0 };
            } else if let Some(value) = facts.constant(right) {
                *op = Op::BinaryConst { op: operator, dst, left, value };
            } else if let Some(value) = facts.constant(left).filter(|_| commutes) {
                *op = Op::BinaryConst { op: operator, dst, left: right, value };
            }
            facts.set(dst, values);
        }
        Op::BinaryConst { op: operator, dst, left, value } => {
            let (values, may_fail) = result(operator, facts.of(left), (value, value));
            safe = !may_fail || wraps && is_wrapping(operator);
            facts.set(dst, values);
        }
        Op::Not { dst, .. } | Op::Test { dst, .. } => {
            facts.set(dst, (0, 1));
            safe = true;
        }
        Op::Neg { dst, src } => {
            let (min, max) = facts.of(src);
            match min.checked_neg() {
                Some(negated) => {
                    facts.set(dst, (-max, negated));
                    safe = true;
                }
                None => {
                    facts.set(dst, ALL);
                    safe = wraps;
                }
            }
        }
        Op::Load { dst, first, len, index } => {
            safe = inside(facts.of(index), len);
            if let (true, Some(index)) = (safe, facts.constant(index)) {
                *op = Op::Move { dst, src: first + index as u32 };
                return rewrite(piece, at, facts);
            }
            facts.set(dst, facts.any_of(first, len));
        }
        Op::Index { dst, src, low, len } => {
            let (min, max) = facts.of(src);
            if let (Some(min), Some(max)) = (min.checked_sub(low), max.checked_sub(low)) {
                safe = inside((min, max), len);
            }
            if !facts.narrow(dst, (0, i32::MAX), (0, i32::try_from(len).map_or(i32::MAX, |len| len - 1))) {
                return false;
            }
        }
        Op::Pick { dst, index, len, .. } => {
            safe = inside(facts.of(index), len);
            facts.set(dst, ALL);
        }
        Op::Call { dst, .. } => {
            facts.known.clear();
            facts.set(dst, ALL);
        }
        Op::Put { .. } | Op::StoreElement { .. } | Op::MoveIf { .. } | Op::ConstIf { .. } => {
            let written = op.may_write();
            facts.known.retain(|register, _| !written.contains(register));
        }
        Op::Fail
        | Op::Jump { .. }
        | Op::JumpIfZero { .. }
        | Op::JumpUnless { .. }
        | Op::Loop { .. }
        | Op::ResetConst { .. }
        | Op::Reset { .. }
        | Op::ResetSum { .. }
        | Op::ReturnConst { .. }
        | Op::Return { .. } => {}
    }
    piece.safe[at] = safe;
    true
}

/// Operators that never fail where results wrap around.
fn is_wrapping(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul)
}
