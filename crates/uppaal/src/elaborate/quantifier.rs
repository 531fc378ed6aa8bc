//! `forall`, `exists` and `sum`.
//!
//! Short ranges are unrolled, with the variable a constant in every copy: what
//! it selects is then known. Long ones become a loop over a local, unless the
//! body mentions clocks, channels or processes, or sizes a type with the
//! variable: such things must be known now.

use dwell_model::Span;
use dwell_model::expr::{BinaryOp, Expr, Place as Target, Stmt};
use dwell_syntax::uppaal::tree::{self, ExprKind, Ident, Quantifier, Type};

use super::condition::Cond;
use super::expression::Value;
use super::scope::Binding;
use super::walk::type_mentions;
use super::{Elaborator, MAX_COPIES};

/// Nests of quantifiers are unrolled up to this many copies of the innermost body.
const FEW_COPIES: u64 = 512;

impl<'a> Elaborator<'a> {
    #[inline(never)]
    pub(super) fn quantified(
        &mut self,
        quantifier: Quantifier,
        name: &'a Ident,
        ty: &'a Type,
        body: &'a tree::Expr,
    ) -> Value {
        let (low, high) = self.values_of(ty);
        let len = i64::from(high) - i64::from(low) + 1;
        let must = self.must_unroll(name, body);
        let copies = self.frame.copies.saturating_mul(len.max(1) as u64);
        if must && copies > MAX_COPIES {
            self.error("model-too-large", body.span, format!("this would be written out {copies} times"));
            return Value::NOTHING;
        }
        if !must && copies > FEW_COPIES {
            return self.quantified_loop(quantifier, name, (low, high), body);
        }
        let around = std::mem::replace(&mut self.frame.copies, copies);
        let value = match quantifier {
            Quantifier::Forall => self.unrolled(name, (low, high), body, true),
            Quantifier::Exists => self.unrolled(name, (low, high), body, false),
            Quantifier::Sum => self.unrolled_sum(name, (low, high), body),
        };
        self.frame.copies = around;
        value
    }

    #[inline(never)]
    fn unrolled(
        &mut self,
        name: &'a Ident,
        (low, high): (i32, i32),
        body: &'a tree::Expr,
        and: bool,
    ) -> Value {
        let mut conds = Vec::new();
        for value in low..=high {
            self.frame.names.push((&name.name, Binding::Constant(value)));
            let cond = self.cond(body);
            self.frame.names.pop();
            let decides = matches!(&cond, Cond::Discrete(Expr::Const(c)) if (*c == 0) == and);
            conds.push(cond);
            if decides {
                break;
            }
        }
        self.joined(conds, and)
    }

    #[inline(never)]
    fn unrolled_sum(&mut self, name: &'a Ident, (low, high): (i32, i32), body: &'a tree::Expr) -> Value {
        let mut terms = Vec::new();
        for value in low..=high {
            self.frame.names.push((&name.name, Binding::Constant(value)));
            let value = self.value(body);
            self.frame.names.pop();
            if let Value::Double(effects) = value {
                return Value::Double(effects);
            }
            let term = self.as_int(value, body.span);
            if term != Expr::Const(0) {
                terms.push(term);
            }
        }
        Value::Int(self.sum_of(terms, body.span))
    }

    /// The sum of these, from left to right where that can matter.
    fn sum_of(&mut self, terms: Vec<Expr>, span: Span) -> Expr {
        let widened = |(least, most): (i64, i64), term| {
            let (low, high) = self.range(term);
            (least.saturating_add(low.min(0)), most.saturating_add(high.max(0)))
        };
        let (least, most) = terms.iter().fold((0, 0), widened);
        if terms.len() <= 2 || (least >= i32::MIN.into() && most <= i32::MAX.into()) {
            return self.balanced(terms, span);
        }
        let sum = self.local(i32::MIN, i32::MAX);
        let set = |value| Stmt::Assign { place: Target::Local(sum), value, span };
        let mut stmts = vec![set(Expr::Const(0))];
        for term in terms {
            stmts.push(set(self.add(Expr::Local(sum), term, span)));
        }
        Expr::Seq(stmts, Box::new(Expr::Local(sum)))
    }

    /// A tree whose depth is logarithmic.
    fn balanced(&self, mut terms: Vec<Expr>, span: Span) -> Expr {
        match terms.len() {
            0 => Expr::Const(0),
            1 => terms.remove(0),
            len => {
                let right = terms.split_off(len / 2);
                self.add(self.balanced(terms, span), self.balanced(right, span), span)
            }
        }
    }

    #[inline(never)]
    fn quantified_loop(
        &mut self,
        quantifier: Quantifier,
        name: &'a Ident,
        (low, high): (i32, i32),
        body: &'a tree::Expr,
    ) -> Value {
        let span = body.span;
        let slot = self.local(low, high);
        self.frame.names.push((&name.name, Binding::Loop(slot)));
        let value = self.value(body);
        self.frame.names.pop();
        if let Value::Double(effects) = value {
            return Value::Double(effects);
        }
        let value = self.as_int(value, span);
        let result = match quantifier {
            Quantifier::Sum => self.local(i32::MIN, i32::MAX),
            Quantifier::Forall | Quantifier::Exists => self.local(0, 1),
        };
        let start = i32::from(quantifier == Quantifier::Forall);
        let go_on = match quantifier {
            Quantifier::Forall => Some(Expr::Local(result)),
            Quantifier::Exists => Some(Expr::Not(Box::new(Expr::Local(result)))),
            Quantifier::Sum => None,
        };
        let value = match quantifier {
            Quantifier::Sum => self.add(Expr::Local(result), value, span),
            Quantifier::Forall | Quantifier::Exists => self.truth(value),
        };
        let body = vec![Stmt::Assign { place: Target::Local(result), value, span }];
        let mut stmts = vec![Stmt::Assign { place: Target::Local(result), value: Expr::Const(start), span }];
        self.iterate(slot, (low, high), go_on, body, span, &mut stmts);
        Value::Int(Expr::Seq(stmts, Box::new(Expr::Local(result))))
    }

    /// `for (slot = low; go_on && slot <= high; slot++) body`.
    pub(super) fn iterate(
        &mut self,
        slot: u32,
        (low, high): (i32, i32),
        go_on: Option<Expr>,
        mut body: Vec<Stmt>,
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        // Not folded: the local leaves its range at the end.
        let slot_and = |op, right| Expr::Binary(op, Box::new(Expr::Local(slot)), Box::new(right), span);
        let set = |slot, value| Stmt::Assign { place: Target::Local(slot), value, span };
        out.push(set(slot, Expr::Const(low)));
        let more = match high {
            // It could not count on: whether there is more is remembered.
            i32::MAX => {
                let more = self.local(0, 1);
                out.push(set(more, Expr::Const(1)));
                body.push(set(more, slot_and(BinaryOp::Lt, Expr::Const(high))));
                body.push(set(slot, slot_and(BinaryOp::Add, Expr::Local(more))));
                Expr::Local(more)
            }
            _ => {
                body.push(set(slot, slot_and(BinaryOp::Add, Expr::Const(1))));
                slot_and(BinaryOp::Le, Expr::Const(high))
            }
        };
        let condition = match go_on {
            Some(go_on) => Expr::And(Box::new(go_on), Box::new(more)),
            None => more,
        };
        out.push(Stmt::While { condition, body, span });
    }

    fn must_unroll(&self, name: &Ident, body: &tree::Expr) -> bool {
        body.any(&mut |e| match &e.kind {
            ExprKind::Quantified(_, _, ty, _) => type_mentions(ty, &name.name),
            _ => self.needs_constants(e),
        })
    }

    /// True for expressions whose indices should be known now.
    pub(super) fn needs_constants(&self, e: &tree::Expr) -> bool {
        match &e.kind {
            ExprKind::Rate(_) | ExprKind::Deadlock => true,
            ExprKind::Name(name) => match self.frame.lookup(name) {
                Some(binding) => needs(binding),
                None => self.tables.scopes.lookup(self.frame.view, name).is_some_and(needs),
            },
            _ => false,
        }
    }
}

fn needs(binding: &Binding) -> bool {
    match binding {
        Binding::Place(place) => place.ty.has_clocks_or_channels(),
        Binding::Process(_) | Binding::ProcessSet(_) => true,
        _ => false,
    }
}
