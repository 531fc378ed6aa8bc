//! Walks the trees of expressions and statements.
//!
//! Every operator is computed in 64 bits and must fit 32, or the upper half is
//! dropped where the network wraps around: `MIN / -1` and `-MIN` overflow,
//! `MIN % -1` is 0. `&&` and `||` yield 0 or 1.
//!
//! Operands are evaluated left to right, each one whole before the next, for
//! calls and sequences write. An index is checked as soon as it is known: that
//! of a place before the value that goes there. In a clock assignment the
//! clocks are determined first, left to right, then the integer.

use std::borrow::Cow;

use dwell_model::expr::{
    BinaryOp, ClockRef, Expr, MAX_CALL_DEPTH, MAX_PROGRAM_STEPS, Place, RuntimeError, RuntimeErrorKind, Stmt,
};
use dwell_model::{ClockId, FunctionId, LocationId, Network, Overflow, Span, VarId};

use crate::eval::{Clocks, Inexpressible};

/// Rounds of loops and calls after which an update counts as endless. Elsewhere
/// their operations are counted; but rounds and calls that come to nothing may
/// cost none there, and what ends there should end here.
const MOST_STEPS: u64 = 4 * MAX_PROGRAM_STEPS;

/// Why evaluation does not go on.
pub enum Stop {
    /// A function returns this: the rest of its body is left out, whatever
    /// statements and expressions are around.
    Returned(i32),
    /// The model failed.
    Failed(RuntimeError),
    /// The clock representation failed.
    Inexpressible,
}

impl From<Inexpressible> for Stop {
    fn from(_: Inexpressible) -> Self {
        Self::Inexpressible
    }
}

fn fail<T>(kind: RuntimeErrorKind, span: Span) -> Result<T, Stop> {
    Err(Stop::Failed(RuntimeError { kind, span }))
}

/// What a run of code works on.
pub struct Machine<'a, C> {
    network: &'a Network,
    locations: &'a [LocationId],
    vars: Cow<'a, [i32]>,
    clocks: &'a mut C,
    locals: Vec<i32>,
    /// Rounds of loops and calls so far.
    steps: u64,
    /// Calls under way.
    depth: usize,
}

impl<'a, C: Clocks> Machine<'a, C> {
    /// Starts with all local slots at zero.
    pub fn new(
        network: &'a Network,
        locations: &'a [LocationId],
        vars: Cow<'a, [i32]>,
        clocks: &'a mut C,
        locals: u32,
    ) -> Self {
        Self { network, locations, vars, clocks, locals: vec![0; locals as usize], steps: 0, depth: 0 }
    }

    /// The variables as they are now.
    pub fn into_vars(self) -> Vec<i32> {
        self.vars.into_owned()
    }

    /// The value of `expr`.
    pub fn value(&mut self, expr: &Expr) -> Result<i32, Stop> {
        match expr {
            Expr::Const(c) => Ok(*c),
            Expr::Var(v) => Ok(self.vars[v.index()]),
            Expr::Element { first, len, index, span } => {
                let position = self.position(index, *len, *span)?;
                Ok(self.vars[first.index() + position])
            }
            Expr::Local(slot) => Ok(self.locals[*slot as usize]),
            Expr::LocalElement { first, len, index, span } => {
                let position = self.position(index, *len, *span)?;
                Ok(self.locals[*first as usize + position])
            }
            Expr::Index { index, low, len, span } => {
                self.offset(index, *low, *len, *span).map(|offset| offset as i32)
            }
            Expr::Checked { value, min, max, span } => {
                let (min, max, value) = (*min, *max, self.value(value)?);
                if (min..=max).contains(&value) {
                    Ok(value)
                } else {
                    fail(RuntimeErrorKind::ValueOutOfRange { value, min, max }, *span)
                }
            }
            Expr::Call(function, args, span) => self.call(*function, args, *span),
            Expr::Seq(body, value) => {
                self.block(body)?;
                self.value(value)
            }
            Expr::At(process, location) => Ok(i32::from(self.locations[process.index()] == *location)),
            Expr::Neg(e, span) => {
                let value = -i64::from(self.value(e)?);
                narrow(value, self.network.overflow, *span)
            }
            Expr::Not(e) => Ok(i32::from(!self.truth(e)?)),
            Expr::Binary(op, left, right, span) => {
                let left = i64::from(self.value(left)?);
                let right = i64::from(self.value(right)?);
                let overflow = self.network.overflow;
                narrow(binary(*op, left, right, overflow, *span)?, overflow, *span)
            }
            Expr::And(left, right) => Ok(i32::from(self.truth(left)? && self.truth(right)?)),
            Expr::Or(left, right) => Ok(i32::from(self.truth(left)? || self.truth(right)?)),
            Expr::IfThenElse(condition, then, otherwise) => {
                let chosen = if self.truth(condition)? { then } else { otherwise };
                self.value(chosen)
            }
        }
    }

    fn truth(&mut self, expr: &Expr) -> Result<bool, Stop> {
        Ok(self.value(expr)? != 0)
    }

    /// `index - low`, which must be at least 0 and below `len`.
    fn offset(&mut self, index: &Expr, low: i32, len: u32, span: Span) -> Result<usize, Stop> {
        let index = self.value(index)?;
        let offset = i64::from(index) - i64::from(low);
        if (0..i64::from(len)).contains(&offset) {
            Ok(offset as usize)
        } else {
            fail(RuntimeErrorKind::BadIndex { index, low, len }, span)
        }
    }

    /// The value of an index, which must be below `len`.
    pub fn position(&mut self, index: &Expr, len: u32, span: Span) -> Result<usize, Stop> {
        self.offset(index, 0, len, span)
    }

    /// Which clock is meant.
    pub fn clock(&mut self, reference: &ClockRef) -> Result<ClockId, Stop> {
        match reference {
            ClockRef::Fixed(clock) => Ok(*clock),
            ClockRef::Element { first, len, index, span } => {
                Ok(ClockId::new(first.index() + self.position(index, *len, *span)?))
            }
        }
    }

    fn call(&mut self, function: FunctionId, args: &[Expr], span: Span) -> Result<i32, Stop> {
        // All of them first: an argument may call the same function.
        let args = args.iter().map(|arg| self.value(arg)).collect::<Result<Vec<i32>, Stop>>()?;
        self.count(span)?;
        if self.depth == MAX_CALL_DEPTH {
            return fail(RuntimeErrorKind::Endless, span);
        }
        let function = &self.network.functions[function.index()];
        let first = function.first_param as usize;
        self.locals[first..first + args.len()].copy_from_slice(&args);
        self.depth += 1;
        let outcome = self.block(&function.body);
        self.depth -= 1;
        match outcome {
            Ok(()) => Ok(0),
            Err(Stop::Returned(value)) => Ok(value),
            Err(other) => Err(other),
        }
    }

    /// Without loops and calls nothing goes on for long.
    fn count(&mut self, span: Span) -> Result<(), Stop> {
        self.steps += 1;
        if self.steps > MOST_STEPS { fail(RuntimeErrorKind::Endless, span) } else { Ok(()) }
    }

    /// Executes statements in order.
    pub fn block(&mut self, body: &[Stmt]) -> Result<(), Stop> {
        body.iter().try_for_each(|stmt| self.statement(stmt))
    }

    fn statement(&mut self, stmt: &Stmt) -> Result<(), Stop> {
        match stmt {
            Stmt::Assign { place, value, span } => self.assign(place, value, *span),
            Stmt::Reset { clock, from, value, span } => self.reset(clock, from.as_ref(), value, *span),
            Stmt::If { condition, then, otherwise } => {
                let chosen = if self.truth(condition)? { then } else { otherwise };
                self.block(chosen)
            }
            Stmt::While { condition, body, span } => {
                while self.truth(condition)? {
                    self.count(*span)?;
                    self.block(body)?;
                }
                Ok(())
            }
            Stmt::Eval(expr) => self.value(expr).map(|_| ()),
            Stmt::Assert { condition, span } => {
                if self.truth(condition)? {
                    Ok(())
                } else {
                    fail(RuntimeErrorKind::AssertionFailed, *span)
                }
            }
            Stmt::Return(None) => Err(Stop::Returned(0)),
            Stmt::Return(Some(expr)) => Err(Stop::Returned(self.value(expr)?)),
        }
    }

    fn assign(&mut self, place: &Place, expr: &Expr, span: Span) -> Result<(), Stop> {
        let var = match place {
            Place::Var(var) => *var,
            Place::Element { first, len, index, span } => {
                VarId::new(first.index() + self.position(index, *len, *span)?)
            }
            Place::Local(slot) => {
                self.locals[*slot as usize] = self.value(expr)?;
                return Ok(());
            }
            Place::LocalElement { first, len, index, span } => {
                let slot = *first as usize + self.position(index, *len, *span)?;
                self.locals[slot] = self.value(expr)?;
                return Ok(());
            }
        };
        let value = self.value(expr)?;
        let declared = &self.network.vars[var.index()];
        if !(declared.min..=declared.max).contains(&value) {
            return fail(RuntimeErrorKind::OutOfRange { var, value }, span);
        }
        self.vars.to_mut()[var.index()] = value;
        Ok(())
    }

    fn reset(&mut self, to: &ClockRef, from: Option<&ClockRef>, expr: &Expr, span: Span) -> Result<(), Stop> {
        let to = self.clock(to)?;
        let from = from.map(|from| self.clock(from)).transpose()?;
        let value = self.value(expr)?;
        if value < 0 {
            return fail(RuntimeErrorKind::NegativeClock { value }, span);
        }
        Ok(self.clocks.assign(to, from, value)?)
    }
}

fn narrow(wide: i64, overflow: Overflow, span: Span) -> Result<i32, Stop> {
    match (i32::try_from(wide), overflow) {
        (Ok(value), _) => Ok(value),
        (Err(_), Overflow::Wrap) => Ok(wide as i32),
        (Err(_), Overflow::Error) => fail(RuntimeErrorKind::Overflow, span),
    }
}

fn binary(op: BinaryOp, left: i64, right: i64, overflow: Overflow, span: Span) -> Result<i64, Stop> {
    Ok(match op {
        BinaryOp::Add => left + right,
        BinaryOp::Sub => left - right,
        BinaryOp::Mul => left * right,
        BinaryOp::Div | BinaryOp::Rem if right == 0 => return fail(RuntimeErrorKind::DivisionByZero, span),
        BinaryOp::Div => left / right,
        BinaryOp::Rem => left % right,
        BinaryOp::Eq => i64::from(left == right),
        BinaryOp::Ne => i64::from(left != right),
        BinaryOp::Lt => i64::from(left < right),
        BinaryOp::Le => i64::from(left <= right),
        BinaryOp::Ge => i64::from(left >= right),
        BinaryOp::Gt => i64::from(left > right),
        BinaryOp::BitAnd => left & right,
        BinaryOp::BitOr => left | right,
        BinaryOp::BitXor => left ^ right,
        BinaryOp::Shl | BinaryOp::Shr if !(0..=31).contains(&right) => {
            return fail(RuntimeErrorKind::BadShift { count: right as i32 }, span);
        }
        // The lower half of the 64 bits: what left the 32 at the top is gone.
        BinaryOp::Shl => i64::from((left << right) as i32),
        BinaryOp::Shr => left >> right,
        BinaryOp::Min => left.min(right),
        BinaryOp::Max => left.max(right),
        BinaryOp::Pow if right < 0 => return fail(RuntimeErrorKind::NegativeExponent, span),
        BinaryOp::Pow => power(left, right, overflow, span)?,
    })
}

fn power(base: i64, exponent: i64, overflow: Overflow, span: Span) -> Result<i64, Stop> {
    // From the second on the powers of 0 and 1 repeat, and those of -1 in
    // turns; all others grow until they overflow. So the loop is short, or
    // what it multiplies with may be squared: the lower half is the same.
    if overflow == Overflow::Wrap && exponent > 32 {
        let half = power(base, exponent / 2, overflow, span)?;
        let square = i64::from(narrow(half * half, overflow, span)?);
        return if exponent % 2 == 0 { Ok(square) } else { Ok(i64::from((square * base) as i32)) };
    }
    let rounds = if base.abs() <= 1 { exponent.min(2 + exponent % 2) } else { exponent };
    let mut result = 1;
    for _ in 0..rounds {
        result = i64::from(narrow(result * base, overflow, span)?);
    }
    Ok(result)
}
