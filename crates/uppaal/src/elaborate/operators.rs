//! Operators: arithmetic, comparisons, logic.

use dwell_model::Span;
use dwell_model::expr::{BinaryOp, Expr, Stmt};
use dwell_syntax::uppaal::tree::{self, ExprKind};

use super::Elaborator;
use super::condition::{Cond, Linear};
use super::expression::Value;
use super::fold::seq;

/// The operator of the network, for those that evaluate both sides.
pub(super) fn strict(op: tree::BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        tree::BinaryOp::Add => BinaryOp::Add,
        tree::BinaryOp::Sub => BinaryOp::Sub,
        tree::BinaryOp::Mul => BinaryOp::Mul,
        tree::BinaryOp::Div => BinaryOp::Div,
        tree::BinaryOp::Rem => BinaryOp::Rem,
        tree::BinaryOp::Pow => BinaryOp::Pow,
        tree::BinaryOp::BitAnd => BinaryOp::BitAnd,
        tree::BinaryOp::BitOr => BinaryOp::BitOr,
        tree::BinaryOp::BitXor => BinaryOp::BitXor,
        tree::BinaryOp::Shl => BinaryOp::Shl,
        tree::BinaryOp::Shr => BinaryOp::Shr,
        tree::BinaryOp::Min => BinaryOp::Min,
        tree::BinaryOp::Max => BinaryOp::Max,
        tree::BinaryOp::Lt => BinaryOp::Lt,
        tree::BinaryOp::Le => BinaryOp::Le,
        tree::BinaryOp::Ge => BinaryOp::Ge,
        tree::BinaryOp::Gt => BinaryOp::Gt,
        tree::BinaryOp::Eq => BinaryOp::Eq,
        tree::BinaryOp::Ne => BinaryOp::Ne,
        tree::BinaryOp::And | tree::BinaryOp::Or | tree::BinaryOp::Xor | tree::BinaryOp::Imply => {
            return None;
        }
    })
}

fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
    matches!(op, Eq | Ne | Lt | Le | Ge | Gt)
}

impl<'a> Elaborator<'a> {
    #[inline(never)]
    pub(super) fn binary_value(
        &mut self,
        whole: &'a tree::Expr,
        op: tree::BinaryOp,
        left: &'a tree::Expr,
        right: &'a tree::Expr,
    ) -> Value {
        match (op, strict(op)) {
            (_, Some(_)) => self.strict_chain(whole),
            (tree::BinaryOp::And | tree::BinaryOp::Or, _) => {
                let operands = spine(whole, op);
                let and = op == tree::BinaryOp::And;
                self.logic(operands.into_iter(), and)
            }
            (tree::BinaryOp::Imply, _) => {
                let condition = self.cond(left);
                let not = self.negate(condition);
                if matches!(not, Cond::Discrete(Expr::Const(c)) if c != 0) {
                    return Value::Int(Expr::Const(1));
                }
                let then = self.cond(right);
                self.joined(vec![not, then], false)
            }
            _ => self.xor(left, right),
        }
    }

    /// `a + b - c`: chains to the left can be long, so they are walked in a loop.
    #[inline(never)]
    fn strict_chain(&mut self, whole: &'a tree::Expr) -> Value {
        let mut pending = Vec::new();
        let mut e = whole;
        while let ExprKind::Binary(op, left, right) = &e.kind
            && let Some(op) = strict(*op)
        {
            pending.push((op, &**right, e.span));
            e = left;
        }
        let mut value = self.value(e);
        let mut left = e.span;
        while let Some((op, right, span)) = pending.pop() {
            let other = self.value(right);
            value = self.strict_value(op, (value, left), (other, right.span), span);
            left = span;
        }
        value
    }

    /// `a && b && c`, or the same with `||`; what cannot be reached is not looked at.
    #[inline(never)]
    fn logic(&mut self, operands: impl Iterator<Item = &'a tree::Expr>, and: bool) -> Value {
        let mut conds = Vec::new();
        for operand in operands {
            let cond = self.cond(operand);
            let decides = matches!(&cond, Cond::Discrete(Expr::Const(c)) if (*c == 0) == and);
            conds.push(cond);
            if decides {
                break;
            }
        }
        self.joined(conds, and)
    }

    /// All or one of some conditions: an integer where no clock takes part.
    pub(super) fn joined(&mut self, conds: Vec<Cond>, and: bool) -> Value {
        if conds.iter().all(|c| matches!(c, Cond::Discrete(_))) {
            let list = conds.into_iter().map(|c| match c {
                Cond::Discrete(e) => e,
                _ => Expr::Const(0),
            });
            return Value::Int(self.chain(list.collect(), and));
        }
        match self.join(conds, and) {
            Cond::Discrete(e) => Value::Int(e),
            cond => Value::Cond(cond),
        }
    }

    #[inline(never)]
    fn xor(&mut self, left: &'a tree::Expr, right: &'a tree::Expr) -> Value {
        let (l, r) = (self.cond(left), self.cond(right));
        if let (Cond::Discrete(l), Cond::Discrete(r)) = (&l, &r) {
            let (l, r) = (self.truth(l.clone()), self.truth(r.clone()));
            return Value::Int(self.binary(BinaryOp::Ne, l, r, left.span.to(right.span)));
        }
        let (not_l, not_r) = (self.negate(l.clone()), self.negate(r.clone()));
        let one = self.join(vec![l, not_r], true);
        let other = self.join(vec![not_l, r], true);
        self.joined(vec![one, other], false)
    }

    #[inline(never)]
    pub(super) fn strict_value(
        &mut self,
        op: BinaryOp,
        (left, left_span): (Value, Span),
        (right, right_span): (Value, Span),
        span: Span,
    ) -> Value {
        match (left, right) {
            (Value::Int(l), Value::Int(r)) => Value::Int(self.binary(op, l, r, span)),
            (l @ Value::Double(_), r) | (l, r @ Value::Double(_)) => {
                if let (Value::Rate(_), _) | (_, Value::Rate(_)) = (&l, &r) {
                    return self.rate_equation(l, r, span);
                }
                let mut effects = self.effects_of(l);
                effects.extend(self.effects_of(r));
                Value::Double(effects)
            }
            (l @ Value::Rate(_), r) | (l, r @ Value::Rate(_)) if op == BinaryOp::Eq => {
                self.rate_equation(l, r, span)
            }
            (l @ Value::Clock(_), r @ (Value::Clock(_) | Value::Int(_)))
            | (l @ Value::Int(_), r @ Value::Clock(_)) => self.clock_value(op, l, r, span),
            (Value::Place(l), Value::Place(r)) if matches!(op, BinaryOp::Eq | BinaryOp::Ne) => {
                let mut before = Vec::new();
                let equal = self.equal(l, r, &mut before, span);
                let equal = if op == BinaryOp::Eq { equal } else { self.not(equal) };
                Value::Int(seq(before, equal))
            }
            (Value::Process(l), Value::Process(r)) if matches!(op, BinaryOp::Eq | BinaryOp::Ne) => {
                Value::Int(Expr::Const(i32::from((l == r) == (op == BinaryOp::Eq))))
            }
            // `(x < 5) == b`: a condition compared with an integer.
            (Value::Cond(cond), Value::Int(Expr::Const(c)))
            | (Value::Int(Expr::Const(c)), Value::Cond(cond))
                if matches!(op, BinaryOp::Eq | BinaryOp::Ne) && (c == 0 || c == 1) =>
            {
                Value::Cond(if (c == 1) == (op == BinaryOp::Eq) { cond } else { self.negate(cond) })
            }
            (l, r) => {
                let l = self.as_int(l, left_span);
                let r = self.as_int(r, right_span);
                Value::Int(self.binary(op, l, r, span))
            }
        }
    }

    /// `x' == e`.
    fn rate_equation(&mut self, left: Value, right: Value, span: Span) -> Value {
        let (clock, rate) = match (left, right) {
            (Value::Rate(clock), rate) | (rate, Value::Rate(clock)) => (clock, rate),
            _ => return Value::NOTHING,
        };
        let rate = match (&clock, rate) {
            (None, _) => Expr::Const(1),
            (Some(_), Value::Int(rate)) => rate,
            (Some(_), _) => {
                self.unsupported("a clock rate other than 0 and 1", span);
                Expr::Const(1)
            }
        };
        Value::Cond(Cond::Rate(clock, rate, span))
    }

    fn clock_value(&mut self, op: BinaryOp, left: Value, right: Value, span: Span) -> Value {
        let linear = |value| match value {
            Value::Clock(linear) => linear,
            Value::Int(offset) => Linear::number(offset),
            _ => Linear::number(Expr::Const(0)),
        };
        let (l, r) = (linear(left), linear(right));
        if is_comparison(op) {
            return match self.compare_clocks(op, l, r, span) {
                Some(Cond::Discrete(e)) => Value::Int(e),
                Some(cond) => Value::Cond(cond),
                None => {
                    self.unsupported("a comparison of more than two clocks", span);
                    Value::Int(Expr::Const(1))
                }
            };
        }
        let sum = match op {
            BinaryOp::Add => self.add_clocks(true, l, r, span),
            BinaryOp::Sub => self.add_clocks(false, l, r, span),
            // A product or quotient of clocks is a floating-point number.
            _ => None,
        };
        sum.map_or(Value::Double(Vec::new()), Value::Clock)
    }

    /// `condition ? then : otherwise`; only the branch that can be taken is looked at.
    #[inline(never)]
    pub(super) fn conditional(
        &mut self,
        condition: &'a tree::Expr,
        then: &'a tree::Expr,
        otherwise: &'a tree::Expr,
        span: Span,
    ) -> Value {
        let condition = match self.cond(condition) {
            Cond::Discrete(Expr::Const(0)) => return self.path(otherwise),
            Cond::Discrete(Expr::Const(_)) => return self.path(then),
            other => other,
        };
        let (t, e) = (self.value(then), self.value(otherwise));
        match (condition, t, e) {
            (Cond::Discrete(c), Value::Int(t), Value::Int(e)) => Value::Int(self.if_then_else(c, t, e)),
            (Cond::Discrete(c), Value::Place(t), Value::Place(e)) if t.ty.is_aggregate() => {
                let temporary = self.temporary(&t.ty, span);
                let (mut yes, mut no) = (Vec::new(), Vec::new());
                self.copy(temporary.clone(), t, span, &mut yes);
                self.copy(temporary.clone(), e, span, &mut no);
                let mut place = temporary;
                place.before.push(Stmt::If { condition: c, then: yes, otherwise: no });
                Value::Place(place)
            }
            (c, t @ (Value::Int(_) | Value::Cond(_)), e @ (Value::Int(_) | Value::Cond(_))) => {
                let (t, e) = (self.as_cond(t, then.span), self.as_cond(e, otherwise.span));
                let not = self.negate(c.clone());
                let yes = self.join(vec![not, t], false);
                let no = self.join(vec![c, e], false);
                self.joined(vec![yes, no], true)
            }
            (c, t, e) if matches!(t, Value::Double(_)) || matches!(e, Value::Double(_)) => {
                let (then, otherwise) = (self.effects_of(t), self.effects_of(e));
                if then.is_empty() && otherwise.is_empty() {
                    return Value::Double(Vec::new());
                }
                let condition = self.as_int(Value::Cond(c), span);
                Value::Double(vec![Stmt::If { condition, then, otherwise }])
            }
            (_, Value::Clock(_), _) | (_, _, Value::Clock(_)) => {
                self.unsupported("a choice between clocks", span);
                Value::NOTHING
            }
            _ => self.bad("the two branches do not fit together", span),
        }
    }
}

/// The operands of a chain of one operator: such chains can be very long.
fn spine(whole: &tree::Expr, op: tree::BinaryOp) -> Vec<&tree::Expr> {
    let mut operands = Vec::new();
    let mut e = whole;
    while let ExprKind::Binary(inner, left, right) = &e.kind
        && *inner == op
    {
        operands.push(&**right);
        e = left;
    }
    operands.push(e);
    operands.reverse();
    operands
}
