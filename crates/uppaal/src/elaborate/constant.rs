//! Constants: expressions whose value is needed now.
//!
//! There is one meaning of expressions, that of the network. A constant
//! expression is lowered like any other and then, unless it folded by itself,
//! run by the small interpreter here; so constant functions with loops work.
//! While declarations are elaborated, variables stand for their initial values.

use dwell_model::expr::{Expr, MAX_PROGRAM_STEPS, Place as Target, Stmt};
use dwell_model::{Network, VarId, VarKind};
use dwell_syntax::uppaal::tree;

use super::Elaborator;
use super::fold::compute;
use super::slots::Slots;

/// Steps that may be spent on a value which is not needed now.
const QUICK: u64 = 10_000;

/// Why there is no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// It depends on the state.
    Unknown,
    /// It fails: a sentence.
    Fails(&'static str),
}

impl<'a> Elaborator<'a> {
    /// The value of an expression, needed now. `None` after a complaint.
    pub(super) fn constant(&mut self, e: &'a tree::Expr) -> Option<i32> {
        let before = self.complaints();
        let expr = self.int(e);
        if self.complaints() != before {
            return None;
        }
        match self.evaluate(&expr) {
            Ok(value) => Some(value),
            Err(failure) => {
                self.not_constant(failure, e.span);
                None
            }
        }
    }

    /// Says that a constant has no value.
    pub(super) fn not_constant(&mut self, failure: Failure, span: dwell_model::Span) {
        match failure {
            Failure::Unknown => self.error("not-constant", span, "this must be known before the model runs"),
            Failure::Fails(why) => self.error("bad-constant", span, format!("this has no value: {why}")),
        }
    }

    /// The value of a lowered expression, if it does not depend on the state.
    pub(super) fn evaluate(&mut self, expr: &Expr) -> Result<i32, Failure> {
        match expr {
            Expr::Const(value) => Ok(*value),
            expr => Ok(self.evaluate_all(&[], std::slice::from_ref(expr))?[0]),
        }
    }

    /// The value of a lowered expression, if it is quickly computed.
    pub(super) fn try_evaluate(&mut self, expr: &Expr) -> Option<i32> {
        Some(self.run_machine(&[], std::slice::from_ref(expr), QUICK).ok()?[0])
    }

    /// The values of expressions after some statements.
    pub(super) fn evaluate_all(&mut self, before: &[Stmt], exprs: &[Expr]) -> Result<Vec<i32>, Failure> {
        self.run_machine(before, exprs, MAX_PROGRAM_STEPS)
    }

    fn run_machine(&mut self, before: &[Stmt], exprs: &[Expr], limit: u64) -> Result<Vec<i32>, Failure> {
        let mut locals = std::mem::take(&mut self.tables.scratch);
        locals.resize(self.network.locals as usize, 0);
        let mut machine =
            Machine { network: &self.network, slots: &self.tables.slots, locals, steps: 0, limit };
        let result = machine.block(before).and_then(|_| exprs.iter().map(|e| machine.value(e)).collect());
        self.tables.scratch = machine.locals;
        result
    }
}

struct Machine<'m> {
    network: &'m Network,
    slots: &'m Slots,
    locals: Vec<i32>,
    steps: u64,
    limit: u64,
}

impl Machine<'_> {
    fn value(&mut self, expr: &Expr) -> Result<i32, Failure> {
        Ok(match expr {
            Expr::Const(value) => *value,
            Expr::Var(var) => self.var(*var)?,
            Expr::Element { first, len, index, .. } => {
                let at = self.index(index, 0, *len)?;
                self.var(VarId(first.0 + at as u32))?
            }
            Expr::Local(slot) => self.local(*slot)?,
            Expr::LocalElement { first, len, index, .. } => {
                let at = self.index(index, 0, *len)?;
                self.local(first + at as u32)?
            }
            Expr::Index { index, low, len, .. } => self.index(index, *low, *len)?,
            Expr::Checked { value, min, max, .. } => {
                let value = self.value(value)?;
                if !(*min..=*max).contains(&value) {
                    return Err(Failure::Fails("a value is outside its range"));
                }
                value
            }
            Expr::Call(function, args, _) => {
                let args = args.iter().map(|arg| self.value(arg)).collect::<Result<Vec<_>, _>>()?;
                let function = self.network.functions.get(function.index()).ok_or(Failure::Unknown)?;
                for (slot, value) in (function.first_param..).zip(args) {
                    *self.locals.get_mut(slot as usize).ok_or(Failure::Unknown)? = value;
                }
                self.block(&function.body)?.unwrap_or(0)
            }
            Expr::Seq(stmts, value) => {
                self.block(stmts)?;
                self.value(value)?
            }
            Expr::At(..) => return Err(Failure::Unknown),
            Expr::Neg(e, _) => self.value(e)?.checked_neg().ok_or(OVERFLOW)?,
            Expr::Not(e) => i32::from(self.value(e)? == 0),
            Expr::Binary(op, l, r, _) => {
                let (l, r) = (self.value(l)?, self.value(r)?);
                compute(*op, l, r).ok_or(OVERFLOW)?
            }
            Expr::And(l, r) => i32::from(self.value(l)? != 0 && self.value(r)? != 0),
            Expr::Or(l, r) => i32::from(self.value(l)? != 0 || self.value(r)? != 0),
            Expr::IfThenElse(c, t, e) => {
                if self.value(c)? != 0 {
                    self.value(t)?
                } else {
                    self.value(e)?
                }
            }
        })
    }

    fn var(&self, id: VarId) -> Result<i32, Failure> {
        match self.slots.var(id, self.network) {
            Some(var) if var.kind == VarKind::Constant || !self.slots.settled() => Ok(var.init),
            _ => Err(Failure::Unknown),
        }
    }

    fn local(&self, slot: u32) -> Result<i32, Failure> {
        self.locals.get(slot as usize).copied().ok_or(Failure::Unknown)
    }

    fn index(&mut self, index: &Expr, low: i32, len: u32) -> Result<i32, Failure> {
        let at = i64::from(self.value(index)?) - i64::from(low);
        if (0..i64::from(len)).contains(&at) {
            Ok(at as i32)
        } else {
            Err(Failure::Fails("an index is outside its array"))
        }
    }

    /// Runs statements; the value where one of them returns.
    fn block(&mut self, stmts: &[Stmt]) -> Result<Option<i32>, Failure> {
        for stmt in stmts {
            self.steps += 1;
            if self.steps > self.limit {
                return Err(Failure::Fails("it takes too long to compute"));
            }
            let returned = match stmt {
                Stmt::Assign { place, value, .. } => {
                    self.assign(place, value)?;
                    None
                }
                Stmt::Reset { .. } => return Err(Failure::Unknown),
                Stmt::If { condition, then, otherwise } => {
                    let taken = if self.value(condition)? != 0 { then } else { otherwise };
                    self.block(taken)?
                }
                Stmt::While { condition, body, .. } => self.repeat(condition, body)?,
                Stmt::Eval(e) => {
                    self.value(e)?;
                    None
                }
                Stmt::Assert { condition, .. } => {
                    if self.value(condition)? == 0 {
                        return Err(Failure::Fails("an assertion does not hold"));
                    }
                    None
                }
                Stmt::Return(None) => Some(0),
                Stmt::Return(Some(value)) => Some(self.value(value)?),
            };
            if returned.is_some() {
                return Ok(returned);
            }
        }
        Ok(None)
    }

    fn repeat(&mut self, condition: &Expr, body: &[Stmt]) -> Result<Option<i32>, Failure> {
        while self.value(condition)? != 0 {
            self.steps += 1;
            if self.steps > self.limit {
                return Err(Failure::Fails("it takes too long to compute"));
            }
            if let Some(value) = self.block(body)? {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }

    fn assign(&mut self, place: &Target, value: &Expr) -> Result<(), Failure> {
        let slot = match place {
            Target::Var(_) | Target::Element { .. } => return Err(Failure::Unknown),
            Target::Local(slot) => *slot,
            Target::LocalElement { first, len, index, .. } => first + self.index(index, 0, *len)? as u32,
        };
        let value = self.value(value)?;
        *self.locals.get_mut(slot as usize).ok_or(Failure::Unknown)? = value;
        Ok(())
    }
}

const OVERFLOW: Failure = Failure::Fails("an operation overflows or divides by zero");
