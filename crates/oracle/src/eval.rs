//! Expressions, guards and updates, evaluated by walking their trees.
//!
//! Every operator is computed in 64 bits and must fit 32: `MIN / -1` and
//! `-MIN` overflow, `MIN % -1` is 0. `&&` yields 0 or 1. An index is checked
//! as soon as it is known. In a constraint or clock assignment the clocks are
//! determined first, left to right, then the integer.
//!
//! How clocks are represented is left open ([`Clocks`]): exact rationals,
//! regions and sampled time all run through this one evaluator.

use dwell_model::expr::{
    BinaryOp, ClockConstraint, ClockRef, Expr, MAX_PROGRAM_STEPS, Place, Program, Relation, RuntimeError,
    RuntimeErrorKind, Stmt,
};
use dwell_model::{ClockId, EdgeId, Network, OutOfRange, ProcessId, Span, VarId};

use crate::state::State;

/// A representation of clock values.
pub trait Clocks: Clone {
    /// Whether `left ~ bound`, or `left - minus ~ bound`.
    fn holds(
        &self,
        left: ClockId,
        minus: Option<ClockId>,
        relation: Relation,
        bound: i32,
    ) -> Result<bool, Inexpressible>;

    /// `clock = value`, or `clock = from + value`, with `value >= 0`.
    fn assign(&mut self, clock: ClockId, from: Option<ClockId>, value: i32) -> Result<(), Inexpressible>;
}

/// The clock representation cannot answer: a rational outgrew 128 bits, or a
/// region was asked about a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inexpressible;

/// Why a transition was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The guard of this participant does not hold.
    Guard(ProcessId, EdgeId),
    /// The invariant of this process does not hold afterwards.
    Invariant(ProcessId),
    /// An assignment left the range of a variable, which disables the
    /// transition in this network.
    OutOfRange {
        /// The variable.
        var: VarId,
        /// What was assigned.
        value: i32,
    },
    /// The model failed.
    Error(RuntimeError),
    /// The clock representation failed.
    Inexpressible,
}

impl From<RuntimeError> for Refusal {
    fn from(error: RuntimeError) -> Self {
        Self::Error(error)
    }
}

impl From<Inexpressible> for Refusal {
    fn from(_: Inexpressible) -> Self {
        Self::Inexpressible
    }
}

fn fail<T>(kind: RuntimeErrorKind, span: Span) -> Result<T, RuntimeError> {
    Err(RuntimeError { kind, span })
}

fn narrow(wide: i64, span: Span) -> Result<i32, RuntimeError> {
    i32::try_from(wide).or_else(|_| fail(RuntimeErrorKind::Overflow, span))
}

/// The value of `expr`; `locals` are those of the running program.
pub fn value(expr: &Expr, vars: &[i32], locals: &[i32]) -> Result<i32, RuntimeError> {
    match expr {
        Expr::Const(c) => Ok(*c),
        Expr::Var(v) => Ok(vars[v.index()]),
        Expr::Element { first, len, index, span } => {
            Ok(vars[first.index() + position(index, *len, *span, vars, locals)?])
        }
        Expr::Local(slot) => Ok(locals[*slot as usize]),
        Expr::LocalElement { first, len, index, span } => {
            Ok(locals[*first as usize + position(index, *len, *span, vars, locals)?])
        }
        Expr::Neg(e, span) => narrow(-i64::from(value(e, vars, locals)?), *span),
        Expr::Not(e) => Ok(i32::from(value(e, vars, locals)? == 0)),
        Expr::Binary(op, left, right, span) => {
            let left = i64::from(value(left, vars, locals)?);
            let right = i64::from(value(right, vars, locals)?);
            narrow(binary(*op, left, right, *span)?, *span)
        }
        Expr::And(left, right) => {
            Ok(i32::from(value(left, vars, locals)? != 0 && value(right, vars, locals)? != 0))
        }
        Expr::IfThenElse(condition, then, otherwise) => {
            value(if value(condition, vars, locals)? != 0 { then } else { otherwise }, vars, locals)
        }
    }
}

fn binary(op: BinaryOp, left: i64, right: i64, span: Span) -> Result<i64, RuntimeError> {
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
    })
}

/// The value of an index, which must be below `len`.
fn position(index: &Expr, len: u32, span: Span, vars: &[i32], locals: &[i32]) -> Result<usize, RuntimeError> {
    let index = value(index, vars, locals)?;
    match u32::try_from(index) {
        Ok(at) if at < len => Ok(at as usize),
        _ => fail(RuntimeErrorKind::BadIndex { index, len }, span),
    }
}

/// Which clock is meant.
pub fn clock(reference: &ClockRef, vars: &[i32], locals: &[i32]) -> Result<ClockId, RuntimeError> {
    match reference {
        ClockRef::Fixed(clock) => Ok(*clock),
        ClockRef::Element { first, len, index, span } => {
            Ok(ClockId::new(first.index() + position(index, *len, *span, vars, locals)?))
        }
    }
}

/// Whether all conjuncts hold; those after the first false one are not evaluated.
pub fn all_true(conjuncts: &[Expr], vars: &[i32]) -> Result<bool, RuntimeError> {
    for conjunct in conjuncts {
        if value(conjunct, vars, &[])? == 0 {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether all constraints hold; those after the first false one are not evaluated.
pub fn all_hold<C: Clocks>(constraints: &[ClockConstraint], state: &State<C>) -> Result<bool, Refusal> {
    let vars = &state.discrete.vars;
    for constraint in constraints {
        let left = clock(&constraint.left, vars, &[])?;
        let minus = constraint.minus.as_ref().map(|m| clock(m, vars, &[])).transpose()?;
        let bound = value(&constraint.bound, vars, &[])?;
        if !state.clocks.holds(left, minus, constraint.relation, bound)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Runs an update on `state`. What it did before a refusal is not undone.
pub fn run<C: Clocks>(network: &Network, program: &Program, state: &mut State<C>) -> Result<(), Refusal> {
    let locals = vec![0; program.locals as usize];
    Machine { network, state, locals, steps: 0 }.block(&program.body)
}

struct Machine<'a, C> {
    network: &'a Network,
    state: &'a mut State<C>,
    locals: Vec<i32>,
    steps: u64,
}

impl<C: Clocks> Machine<'_, C> {
    fn block(&mut self, body: &[Stmt]) -> Result<(), Refusal> {
        body.iter().try_for_each(|stmt| self.statement(stmt))
    }

    fn statement(&mut self, stmt: &Stmt) -> Result<(), Refusal> {
        self.steps += 1;
        match stmt {
            Stmt::Assign { place, value, span } => self.assign(place, value, *span),
            Stmt::Reset { clock, from, value, span } => self.reset(clock, from.as_ref(), value, *span),
            Stmt::If { condition, then, otherwise } => {
                self.block(if self.value(condition)? != 0 { then } else { otherwise })
            }
            Stmt::While { condition, body, span } => {
                while self.test(condition, *span)? {
                    self.block(body)?;
                }
                Ok(())
            }
        }
    }

    /// A loop test. Only loops can go on for long, so counting is enforced here.
    /// Operations are counted more finely elsewhere, so what ends there ends here.
    fn test(&mut self, condition: &Expr, span: Span) -> Result<bool, RuntimeError> {
        self.steps += 1;
        if self.steps > 2 * MAX_PROGRAM_STEPS {
            return fail(RuntimeErrorKind::Endless, span);
        }
        Ok(self.value(condition)? != 0)
    }

    fn value(&self, expr: &Expr) -> Result<i32, RuntimeError> {
        value(expr, &self.state.discrete.vars, &self.locals)
    }

    fn position(&self, index: &Expr, len: u32, span: Span) -> Result<usize, RuntimeError> {
        position(index, len, span, &self.state.discrete.vars, &self.locals)
    }

    fn assign(&mut self, place: &Place, expr: &Expr, span: Span) -> Result<(), Refusal> {
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
        if (declared.min..=declared.max).contains(&value) {
            self.state.discrete.vars[var.index()] = value;
            return Ok(());
        }
        match self.network.out_of_range {
            OutOfRange::Disable => Err(Refusal::OutOfRange { var, value }),
            OutOfRange::Error => Ok(fail(RuntimeErrorKind::OutOfRange { var, value }, span)?),
        }
    }

    fn reset(
        &mut self,
        to: &ClockRef,
        from: Option<&ClockRef>,
        expr: &Expr,
        span: Span,
    ) -> Result<(), Refusal> {
        let vars = &self.state.discrete.vars;
        let to = clock(to, vars, &self.locals)?;
        let from = from.map(|f| clock(f, vars, &self.locals)).transpose()?;
        let value = self.value(expr)?;
        if value < 0 {
            return Ok(fail(RuntimeErrorKind::NegativeClock { value }, span)?);
        }
        Ok(self.state.clocks.assign(to, from, value)?)
    }
}
