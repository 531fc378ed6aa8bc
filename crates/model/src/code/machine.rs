//! The interpreter.

use super::{Code, CodeRef, Op};
use crate::expr::{BinaryOp, MAX_PROGRAM_STEPS, RuntimeError, RuntimeErrorKind};
use crate::{ClockId, VarId};
use dwell_base::effort;

/// What an update did to a clock: `clock := value` or `clock := from + value`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockReset {
    /// The clock that is set.
    pub clock: ClockId,
    /// The clock that is copied, if any.
    pub from: Option<ClockId>,
    /// The value, or what is added.
    pub value: i32,
}

/// Runs code.
#[derive(Clone, Copy, Debug)]
pub struct Machine<'c> {
    code: &'c Code,
}

type Fault = RuntimeErrorKind;

/// Truth of a comparison; `None` for arithmetic.
#[inline(always)]
pub(super) fn compare(op: BinaryOp, left: i32, right: i32) -> Option<bool> {
    Some(match op {
        BinaryOp::Eq => left == right,
        BinaryOp::Ne => left != right,
        BinaryOp::Lt => left < right,
        BinaryOp::Le => left <= right,
        BinaryOp::Ge => left >= right,
        BinaryOp::Gt => left > right,
        _ => return None,
    })
}

/// Applies an operator with checks.
#[inline(always)]
pub(crate) fn binary(op: BinaryOp, left: i32, right: i32) -> Result<i32, Fault> {
    if let Some(truth) = compare(op, left, right) {
        return Ok(i32::from(truth));
    }
    let result = match op {
        BinaryOp::Add => left.checked_add(right),
        BinaryOp::Sub => left.checked_sub(right),
        BinaryOp::Mul => left.checked_mul(right),
        BinaryOp::BitAnd => Some(left & right),
        BinaryOp::BitOr => Some(left | right),
        BinaryOp::BitXor => Some(left ^ right),
        BinaryOp::Min => Some(left.min(right)),
        BinaryOp::Max => Some(left.max(right)),
        BinaryOp::Shl | BinaryOp::Shr if !(0..32).contains(&right) => {
            return Err(Fault::BadShift { count: right });
        }
        BinaryOp::Shl => Some(left << right),
        BinaryOp::Shr => Some(left >> right),
        BinaryOp::Pow if right < 0 => return Err(Fault::NegativeExponent),
        BinaryOp::Pow => left.checked_pow(right as u32),
        _ if right == 0 => return Err(Fault::DivisionByZero),
        BinaryOp::Div => left.checked_div(right),
        // The remainder by -1 is 0 even where the quotient would overflow.
        _ => Some(left.wrapping_rem(right)),
    };
    result.ok_or(Fault::Overflow)
}

/// The result of an operation that overflows, modulo 2^32.
#[cold]
fn wrapping(op: BinaryOp, left: i32, right: i32) -> i32 {
    match op {
        BinaryOp::Add => left.wrapping_add(right),
        BinaryOp::Sub => left.wrapping_sub(right),
        BinaryOp::Mul => left.wrapping_mul(right),
        BinaryOp::Div => left.wrapping_div(right),
        BinaryOp::Pow => left.wrapping_pow(right as u32),
        other => unreachable!("{other:?} does not overflow"),
    }
}

#[inline(always)]
fn element(first: u32, len: u32, index: i32) -> Result<usize, Fault> {
    if (index as u32) < len && index >= 0 {
        Ok((first + index as u32) as usize)
    } else {
        Err(Fault::BadIndex { index, low: 0, len })
    }
}

impl<'c> Machine<'c> {
    /// A machine for `code`.
    pub fn new(code: &'c Code) -> Self {
        Self { code }
    }

    /// Runs from `entry` to a return and yields the returned value.
    /// `registers` is the state's register file; clock assignments are
    /// appended to `resets` in order.
    #[inline]
    pub fn run(
        &self,
        entry: CodeRef,
        registers: &mut [i32],
        resets: &mut Vec<ClockReset>,
    ) -> Result<i32, RuntimeError> {
        let mut pc = entry.0 as usize;
        let mut steps = MAX_PROGRAM_STEPS;
        let result = self.execute(&mut pc, registers, resets, &mut steps);
        if steps != MAX_PROGRAM_STEPS {
            effort::spend(MAX_PROGRAM_STEPS - steps);
        }
        result.map_err(|kind| RuntimeError { kind, span: self.code.spans[pc] })
    }

    /// Whether the guard at `entry` holds. Most guards compare variables with
    /// constants and nothing else; those never fail and need no dispatch.
    #[inline]
    pub fn holds(&self, entry: CodeRef, registers: &mut [i32]) -> Result<bool, RuntimeError> {
        let mut pc = entry.0 as usize;
        loop {
            match self.code.ops[pc] {
                Op::JumpUnless { op, left, value, to } => {
                    let holds = compare(op, registers[left as usize], value) == Some(true);
                    pc = if holds { pc + 1 } else { to as usize };
                }
                Op::ReturnConst { value } => return Ok(value != 0),
                // Something else: start again, in full. Nothing was written yet.
                _ => return self.run(entry, registers, &mut Vec::new()).map(|value| value != 0),
            }
        }
    }

    /// Leaves `pc` at the operation that faulted. Calls are calls: their depth
    /// is bounded by [`crate::expr::MAX_CALL_DEPTH`].
    fn execute(
        &self,
        pc: &mut usize,
        r: &mut [i32],
        resets: &mut Vec<ClockReset>,
        steps: &mut u64,
    ) -> Result<i32, Fault> {
        let mut at = *pc; // one that stays in a register
        let result = self.dispatch(&mut at, r, resets, steps);
        *pc = at;
        result
    }

    #[inline(always)]
    fn dispatch(
        &self,
        pc: &mut usize,
        r: &mut [i32],
        resets: &mut Vec<ClockReset>,
        steps: &mut u64,
    ) -> Result<i32, Fault> {
        let ops = self.code.ops.as_slice();
        loop {
            let mut next = *pc + 1;
            match ops[*pc] {
                Op::JumpUnless { op, left, value, to } => {
                    if compare(op, r[left as usize], value) != Some(true) {
                        next = to as usize;
                    }
                }
                Op::ReturnConst { value } => return Ok(value),
                Op::Const { dst, value } => r[dst as usize] = value,
                Op::Move { dst, src } => r[dst as usize] = r[src as usize],
                Op::Binary { op, dst, left, right } => {
                    let (left, right) = (r[left as usize], r[right as usize]);
                    r[dst as usize] = match binary(op, left, right) {
                        Err(Fault::Overflow) if self.code.wraps => wrapping(op, left, right),
                        result => result?,
                    };
                }
                Op::BinaryConst { op, dst, left, value } => {
                    let left = r[left as usize];
                    r[dst as usize] = match binary(op, left, value) {
                        Err(Fault::Overflow) if self.code.wraps => wrapping(op, left, value),
                        result => result?,
                    };
                }
                Op::Test { op, dst, left, value } => {
                    r[dst as usize] = i32::from(compare(op, r[left as usize], value) == Some(true));
                }
                Op::MoveIf { when, dst, src } => {
                    let mask = r[when as usize].wrapping_neg();
                    r[dst as usize] = r[src as usize] & mask | r[dst as usize] & !mask;
                }
                Op::ConstIf { when, dst, value } => {
                    let mask = r[when as usize].wrapping_neg();
                    r[dst as usize] = value & mask | r[dst as usize] & !mask;
                }
                Op::Neg { dst, src } => {
                    let value = r[src as usize];
                    r[dst as usize] = match value.checked_neg() {
                        Some(negated) => negated,
                        None if self.code.wraps => value,
                        None => return Err(Fault::Overflow),
                    };
                }
                Op::Not { dst, src } => r[dst as usize] = i32::from(r[src as usize] == 0),
                Op::Load { dst, first, len, index } => {
                    r[dst as usize] = r[element(first, len, r[index as usize])?];
                }
                Op::Put { first, len, index, src } => {
                    r[element(first, len, r[index as usize])?] = r[src as usize];
                }
                Op::Store { var, src } => self.store(var as usize, r[src as usize], r)?,
                Op::StoreElement { first, len, index, src } => {
                    self.store(element(first, len, r[index as usize])?, r[src as usize], r)?;
                }
                Op::Pick { dst, first, len, index } => {
                    r[dst as usize] = element(first, len, r[index as usize])? as i32;
                }
                Op::Jump { to } => next = to as usize,
                Op::JumpIfZero { src, to } => {
                    if r[src as usize] == 0 {
                        next = to as usize;
                    }
                }
                Op::Loop { to } => {
                    *steps = steps.checked_sub((*pc - to as usize + 1) as u64).ok_or(Fault::Endless)?;
                    next = to as usize;
                }
                Op::Call { dst, entry } => {
                    *steps = steps.checked_sub(1).ok_or(Fault::Endless)?;
                    let mut inner = entry as usize;
                    let result = self.execute(&mut inner, r, resets, steps);
                    r[dst as usize] = result.inspect_err(|_| *pc = inner)?;
                }
                Op::Index { dst, src, low, len } => {
                    let index = r[src as usize];
                    let at = index.wrapping_sub(low);
                    if at as u32 >= len || index < low {
                        return Err(Fault::BadIndex { index, low, len });
                    }
                    r[dst as usize] = at;
                }
                Op::Check { src, min, max } => {
                    let value = r[src as usize];
                    if value < min || value > max {
                        return Err(Fault::ValueOutOfRange { value, min, max });
                    }
                }
                Op::Fail => return Err(Fault::AssertionFailed),
                Op::ResetConst { clock, value } => {
                    resets.push(ClockReset { clock: ClockId(clock), from: None, value });
                }
                Op::Reset { clock, value } => {
                    let clock = ClockId(r[clock as usize] as u32);
                    let value = non_negative(r[value as usize])?;
                    resets.push(ClockReset { clock, from: None, value });
                }
                Op::ResetSum { clock, from, value } => {
                    let clock = ClockId(r[clock as usize] as u32);
                    let from = Some(ClockId(r[from as usize] as u32));
                    let value = non_negative(r[value as usize])?;
                    resets.push(ClockReset { clock, from, value });
                }
                Op::Return { src } => return Ok(r[src as usize]),
            }
            *pc = next;
        }
    }

    #[inline(always)]
    fn store(&self, var: usize, value: i32, r: &mut [i32]) -> Result<(), Fault> {
        let (min, max) = self.code.ranges[var];
        if value < min || value > max {
            return Err(Fault::OutOfRange { var: VarId::new(var), value });
        }
        r[var] = value;
        Ok(())
    }
}

#[inline(always)]
fn non_negative(value: i32) -> Result<i32, Fault> {
    if value < 0 { Err(Fault::NegativeClock { value }) } else { Ok(value) }
}
