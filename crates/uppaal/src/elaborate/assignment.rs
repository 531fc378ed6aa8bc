//! Assignments, steps, and expressions used for their effect.

use dwell_model::Span;
use dwell_model::expr::{BinaryOp, ClockRef, Expr, Stmt};
use dwell_syntax::uppaal::tree::{self, ExprKind};

use super::Elaborator;
use super::address::Offset;
use super::condition::{Cond, Linear};
use super::expression::Value;
use super::fold::seq;
use super::operators::strict;
use super::storage::{Place, Space};
use super::types::Ty;

/// Whether the place is read again after the assignment.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Again {
    Yes,
    No,
}

impl<'a> Elaborator<'a> {
    /// Executes an expression and forgets its value.
    #[inline(never)]
    pub(super) fn effect(&mut self, e: &'a tree::Expr, out: &mut Vec<Stmt>) {
        match &e.kind {
            ExprKind::Assign(op, left, right) => {
                self.assign(*op, left, right, e.span, Again::No, out);
            }
            ExprKind::Step { up, place, .. } => {
                if let Some(mut place) = self.integer_place(place) {
                    self.freeze_if_needed(&mut place, out);
                    self.step(&place, *up, e.span, out);
                }
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let condition = match self.cond(condition) {
                    Cond::Discrete(Expr::Const(0)) => return self.effect(otherwise, out),
                    Cond::Discrete(Expr::Const(_)) => return self.effect(then, out),
                    other => self.as_int(Value::Cond(other), condition.span),
                };
                let (mut yes, mut no) = (Vec::new(), Vec::new());
                self.effect(then, &mut yes);
                self.effect(otherwise, &mut no);
                out.push(Stmt::If { condition, then: yes, otherwise: no });
            }
            _ => match self.value(e) {
                Value::Int(e) if self.is_total(&e) => {}
                Value::Int(e) | Value::Void(e) => out.push(Stmt::Eval(e)),
                other => out.extend(self.effects_of(other)),
            },
        }
    }

    /// A list of expressions, the last of which counts.
    pub(super) fn list_condition(&mut self, list: &'a [tree::Expr]) -> Expr {
        let Some((last, first)) = list.split_last() else { return Expr::Const(1) };
        let mut before = Vec::new();
        for e in first {
            self.effect(e, &mut before);
        }
        let value = self.int(last);
        seq(before, value)
    }

    /// `left = right`, or `left op= right`. Returns the place, indices
    /// computed, where it is wanted again and there is one.
    #[inline(never)]
    fn assign(
        &mut self,
        op: Option<tree::BinaryOp>,
        left: &'a tree::Expr,
        right: &'a tree::Expr,
        span: Span,
        again: Again,
        out: &mut Vec<Stmt>,
    ) -> Option<Place> {
        if let ExprKind::Conditional(condition, then, otherwise) = &left.kind {
            let condition = self.int(condition);
            let (mut yes, mut no) = (Vec::new(), Vec::new());
            self.assign(op, then, right, span, Again::No, &mut yes);
            self.assign(op, otherwise, right, span, Again::No, &mut no);
            out.push(Stmt::If { condition, then: yes, otherwise: no });
            if again == Again::Yes {
                self.unsupported("the value of an assignment to a choice of variables", span);
            }
            return None;
        }
        let Some(mut place) = self.place(left) else {
            self.bad("this cannot be assigned to", left.span);
            return None;
        };
        if again == Again::Yes {
            self.freeze(&mut place, out);
        }
        out.append(&mut place.before);
        match &place.ty {
            Ty::Clock => self.assign_clock(op, &place, right, span, out),
            Ty::Double | Ty::Text => {
                // Symbolic analysis knows no such values; what happens on the way counts.
                if self.has_effect(right) {
                    let value = self.value(right);
                    out.extend(self.effects_of(value));
                }
            }
            Ty::Int { .. } | Ty::Bool | Ty::Scalar(_) => {
                let value = match op.and_then(strict) {
                    None => self.int(right),
                    Some(op) => {
                        self.freeze_if_needed(&mut place, out);
                        let old = self.load_place(place.clone());
                        let value = self.int(right);
                        self.binary(op, old, value, span)
                    }
                };
                self.write(&place, value, span, out);
            }
            Ty::Array(_) | Ty::Struct(_) => match self.value(right) {
                Value::Place(from) => self.copy(place.clone(), from, span, out),
                _ => {
                    self.bad("an array or structure is expected here", right.span);
                }
            },
            Ty::Channel { .. } | Ty::Void => {
                self.bad("this cannot be assigned to", left.span);
            }
        }
        Some(place)
    }

    fn assign_clock(
        &mut self,
        op: Option<tree::BinaryOp>,
        place: &Place,
        right: &'a tree::Expr,
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        let clock = self.clock_at(self.address(place, 0, 1, Offset::Known(0)));
        let mut value = self.value(right);
        if let Some(op) = op.and_then(strict) {
            let old = Linear { plus: Some(clock.clone()), minus: None, offset: Expr::Const(0) };
            value = self.strict_value(op, (Value::Clock(old), span), (value, right.span), span);
        }
        let (from, value) = match value {
            Value::Int(value) => (None, value),
            Value::Clock(Linear { plus, minus: None, offset }) => (plus, offset),
            Value::Clock(_) => {
                self.unsupported("a difference of clocks assigned to a clock", span);
                return;
            }
            other => (None, self.as_int(other, right.span)),
        };
        self.reset(clock, from, value, span, out);
    }

    /// `clock = from + value`.
    pub(super) fn reset(
        &mut self,
        clock: ClockRef,
        from: Option<ClockRef>,
        value: Expr,
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        self.frame.facts.writes = true;
        out.push(Stmt::Reset { clock, from, value, span });
    }

    /// Stores an integer at a place whose indices may be computed again.
    pub(super) fn write(&mut self, place: &Place, value: Expr, span: Span, out: &mut Vec<Stmt>) {
        let address = self.address(place, 0, 1, Offset::Known(0));
        let value = self.fitting(&place.ty, value, address.space, span);
        match address.space {
            Space::Constant => {
                self.bad("a constant cannot be assigned to", span);
            }
            Space::State | Space::Meta | Space::Local => {
                let place = self.target(address);
                out.push(Stmt::Assign { place, value, span });
            }
            // Only after an error.
            Space::Clock | Space::Channel | Space::Nowhere => {}
        }
    }

    /// The value as a variable of this type holds it; variables of the network
    /// check their range themselves.
    pub(super) fn fitting(&self, ty: &Ty, value: Expr, space: Space, span: Span) -> Expr {
        match ty {
            Ty::Bool => self.truth(value),
            ty => match ty.bounds() {
                Some((min, max)) if space == Space::Local => self.checked(value, min, max, span),
                _ => value,
            },
        }
    }

    fn integer_place(&mut self, e: &'a tree::Expr) -> Option<Place> {
        match self.place(e) {
            Some(place) if place.ty.bounds().is_some() => Some(place),
            _ => {
                self.bad("an integer variable is expected here", e.span);
                None
            }
        }
    }

    fn step(&mut self, place: &Place, up: bool, span: Span, out: &mut Vec<Stmt>) {
        let op = if up { BinaryOp::Add } else { BinaryOp::Sub };
        let old = self.load_place(place.clone());
        let value = self.binary(op, old, Expr::Const(1), span);
        self.write(place, value, span, out);
    }

    /// `++e`, `e++` … as a value.
    #[inline(never)]
    pub(super) fn step_value(&mut self, e: &'a tree::Expr, prefix: bool, up: bool, span: Span) -> Value {
        let Some(mut place) = self.integer_place(e) else { return Value::NOTHING };
        let mut before = Vec::new();
        self.freeze(&mut place, &mut before);
        if prefix {
            self.step(&place, up, span, &mut before);
            place.before = before;
            return Value::Place(place);
        }
        let old = self.load_place(place.clone());
        let old = self.keep(old, &mut before, span);
        self.step(&place, up, span, &mut before);
        Value::Int(seq(before, old))
    }

    /// `(l = r)` as a value: the place after the assignment.
    #[inline(never)]
    pub(super) fn assign_value(
        &mut self,
        op: Option<tree::BinaryOp>,
        left: &'a tree::Expr,
        right: &'a tree::Expr,
        span: Span,
    ) -> Value {
        let mut before = Vec::new();
        match self.assign(op, left, right, span, Again::Yes, &mut before) {
            Some(mut place) => {
                place.before = before;
                Value::Place(place)
            }
            None => Value::Int(seq(before, Expr::Const(0))),
        }
    }
}
