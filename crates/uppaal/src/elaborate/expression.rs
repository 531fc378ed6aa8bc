//! Expressions: what a tree denotes in the current frame.
//!
//! [`Elaborator::path`] follows names, indices and fields and may end at a
//! place; [`Elaborator::value`] reads it. Side effects inside an expression
//! become statements of an [`Expr::Seq`] (or wait in [`Place::before`]), so
//! the order of evaluation is that of the text.
//!
//! Everything here yields something: after an error or where something is not
//! supported the result is a stand-in, and the network is not handed out or
//! not analysed.

use dwell_model::expr::{BinaryOp, ClockRef, Expr, Stmt};
use dwell_model::{ProcessId, Span};
use dwell_syntax::uppaal::tree::{self, ExprKind, UnaryOp};

use super::address::Offset;
use super::condition::{Cond, Linear};
use super::fold::{is_plain, seq};
use super::scope::Binding;
use super::storage::Place;
use super::types::Ty;
use super::{Elaborator, MAX_DEPTH};

/// What an expression denotes.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// An integer, truth value or scalar.
    Int(Expr),
    /// Something with an address. After [`Elaborator::value`] only arrays,
    /// structures and channels.
    Place(Place),
    /// A clock, a difference, or one of them plus a number.
    Clock(Linear),
    /// A condition with clocks.
    Cond(Cond),
    /// `x'`; no clock for those that symbolic analysis ignores.
    Rate(Option<ClockRef>),
    /// A floating-point number, unknown; its side effects.
    Double(Vec<Stmt>),
    Text,
    Process(ProcessId),
    /// A process of a set picked while running: the first whose condition
    /// holds, the last one where none does.
    OneOf(Vec<(Expr, ProcessId)>),
    /// A call without result.
    Void(Expr),
}

impl Value {
    /// The integer 0, in place of a value there is none of.
    pub const NOTHING: Self = Self::Int(Expr::Const(0));
}

impl<'a> Elaborator<'a> {
    /// What a name stands for.
    pub(super) fn lookup(&self, name: &str) -> Option<Binding> {
        self.frame.lookup(name).or_else(|| self.tables.scopes.lookup(self.frame.view, name)).cloned()
    }

    /// The value of an expression.
    pub(super) fn value(&mut self, e: &'a tree::Expr) -> Value {
        let value = self.path(e);
        self.read(value, e.span)
    }

    /// The value of an integral or scalar expression.
    pub(super) fn int(&mut self, e: &'a tree::Expr) -> Expr {
        // Clocks are set to `0.0` in real models.
        if let ExprKind::Double(number) = e.kind
            && number == f64::from(number as i32)
        {
            return Expr::Const(number as i32);
        }
        let value = self.value(e);
        self.as_int(value, e.span)
    }

    /// An integer out of a value.
    #[inline(never)]
    pub(super) fn as_int(&mut self, value: Value, span: Span) -> Expr {
        match value {
            Value::Int(e) => e,
            Value::Cond(Cond::Discrete(e)) => e,
            Value::Cond(_) => self.instead("a clock constraint that is used as a number", span),
            Value::Clock(_) | Value::Rate(_) => self.instead("a clock whose value is used as a number", span),
            Value::Double(_) => self.instead("a floating-point number in what symbolic analysis needs", span),
            Value::Place(_) | Value::Text | Value::Process(_) | Value::OneOf(_) | Value::Void(_) => {
                self.error("bad-type", span, "an integer is expected here");
                Expr::Const(0)
            }
        }
    }

    fn instead(&mut self, what: &str, span: Span) -> Expr {
        self.unsupported(what, span);
        Expr::Const(0)
    }

    /// A condition out of a value.
    pub(super) fn as_cond(&mut self, value: Value, span: Span) -> Cond {
        match value {
            Value::Cond(cond) => cond,
            other => Cond::Discrete(self.as_int(other, span)),
        }
    }

    /// The condition an expression denotes.
    pub(super) fn cond(&mut self, e: &'a tree::Expr) -> Cond {
        let value = self.value(e);
        self.as_cond(value, e.span)
    }

    /// The place an expression denotes, if it denotes one.
    pub(super) fn place(&mut self, e: &'a tree::Expr) -> Option<Place> {
        match self.path(e) {
            Value::Place(place) => Some(place),
            _ => None,
        }
    }

    /// Reads a scalar at a place; leaves other values alone.
    #[inline(never)]
    pub(super) fn read(&mut self, value: Value, span: Span) -> Value {
        let Value::Place(place) = value else { return value };
        match &place.ty {
            Ty::Int { .. } | Ty::Bool | Ty::Scalar(_) => Value::Int(self.load_place(place)),
            Ty::Clock => {
                if !place.before.is_empty() {
                    self.unsupported("a clock behind a side effect", span);
                }
                let plus = self.clock_at(self.address(&place, 0, 1, Offset::Known(0)));
                Value::Clock(Linear { plus: Some(plus), minus: None, offset: Expr::Const(0) })
            }
            Ty::Double => Value::Double(place.before),
            Ty::Text => Value::Text,
            Ty::Void => Value::NOTHING,
            Ty::Channel { .. } | Ty::Array(_) | Ty::Struct(_) => Value::Place(place),
        }
    }

    /// The integer at a place.
    pub(super) fn load_place(&mut self, mut place: Place) -> Expr {
        let before = std::mem::take(&mut place.before);
        let address = self.address(&place, 0, 1, Offset::Known(0));
        let value = self.load(address);
        seq(before, value)
    }

    /// What an expression denotes, places not read.
    pub(super) fn path(&mut self, e: &'a tree::Expr) -> Value {
        if !self.deeper(e.span) {
            return Value::NOTHING;
        }
        let value = self.path_inside(e);
        self.depth -= 1;
        value
    }

    /// Goes one level down, as far as the stack allows; false after an error.
    pub(super) fn deeper(&mut self, span: Span) -> bool {
        if self.depth >= MAX_DEPTH {
            self.error("nested-too-deep", span, "this is nested too deeply, together with what it calls");
            return false;
        }
        self.depth += 1;
        true
    }

    fn path_inside(&mut self, e: &'a tree::Expr) -> Value {
        let span = e.span;
        match &e.kind {
            ExprKind::Int(value) => Value::Int(Expr::Const(*value)),
            ExprKind::Bool(value) => Value::Int(Expr::Const(i32::from(*value))),
            ExprKind::Double(_) => Value::Double(Vec::new()),
            ExprKind::String(_) => Value::Text,
            ExprKind::Name(name) => self.name(name, span),
            ExprKind::Index(base, index) => self.index_path(base, index, span),
            ExprKind::Field(base, field) => self.field_path(base, &field.name, span),
            ExprKind::Call(callee, args) => self.call_path(callee, args, span),
            ExprKind::Rate(clock) => self.rate_path(clock),
            ExprKind::Builtin(name, args) => self.builtin(&name.name, args, span),
            ExprKind::Unary(op, operand) => self.unary_path(*op, operand, span),
            ExprKind::Step { prefix, up, place } => self.step_value(place, *prefix, *up, span),
            ExprKind::Binary(op, left, right) => self.binary_value(e, *op, left, right),
            ExprKind::Assign(op, left, right) => self.assign_value(*op, left, right, span),
            ExprKind::Conditional(condition, then, otherwise) => {
                self.conditional(condition, then, otherwise, span)
            }
            ExprKind::Quantified(quantifier, name, ty, body) => self.quantified(*quantifier, name, ty, body),
            ExprKind::Deadlock => Value::Cond(Cond::Deadlock(true)),
            ExprKind::Location(_) => {
                self.unsupported("`.location`", span);
                Value::NOTHING
            }
            ExprKind::Unsupported(what) => {
                self.unsupported(what, span);
                Value::NOTHING
            }
            ExprKind::Error => self.bad("this expression was not understood", span),
        }
    }

    #[inline(never)]
    fn index_path(&mut self, base: &'a tree::Expr, index: &'a tree::Expr, span: Span) -> Value {
        match self.path(base) {
            Value::Place(place) if matches!(place.ty, Ty::Array(_)) => {
                let index = self.int(index);
                Value::Place(self.element(place, index, span))
            }
            _ => self.bad("an array is expected here", base.span),
        }
    }

    #[inline(never)]
    fn field_path(&mut self, base: &'a tree::Expr, field: &str, span: Span) -> Value {
        let before = self.complaints;
        match self.path(base) {
            Value::Place(place) if place.ty.field(field).is_some() => Value::Place(self.field(place, field)),
            Value::Process(process) => self.member(process, field, span),
            Value::OneOf(processes) => self.member_of_one(processes, field, span),
            // What is wrong with the base has been said.
            _ if self.complaints > before => Value::NOTHING,
            _ => self.bad("there is no such member", span),
        }
    }

    #[inline(never)]
    fn rate_path(&mut self, clock: &'a tree::Expr) -> Value {
        match self.value(clock) {
            Value::Clock(Linear { plus, minus: None, offset: Expr::Const(0) }) => Value::Rate(plus),
            Value::Double(_) => Value::Rate(None),
            _ => self.bad("a clock is expected here", clock.span),
        }
    }

    #[inline(never)]
    fn unary_path(&mut self, op: UnaryOp, operand: &'a tree::Expr, span: Span) -> Value {
        let value = self.value(operand);
        self.unary(op, value, operand.span, span)
    }

    /// Reports an error; a stand-in for the value.
    pub(super) fn bad(&mut self, message: &str, span: Span) -> Value {
        self.error("bad-expression", span, message);
        Value::NOTHING
    }

    #[inline(never)]
    fn name(&mut self, name: &str, span: Span) -> Value {
        match self.lookup(name) {
            Some(binding) => self.bound(binding, name, span),
            None => {
                self.error("unknown-name", span, format!("`{name}` is not declared"));
                Value::NOTHING
            }
        }
    }

    /// The value of what a name stands for.
    pub(super) fn bound(&mut self, binding: Binding, name: &str, span: Span) -> Value {
        match binding {
            Binding::Constant(value) => Value::Int(Expr::Const(value)),
            Binding::Loop(slot) => Value::Int(Expr::Local(slot)),
            Binding::Place(place) => Value::Place(place),
            Binding::Double => Value::Double(Vec::new()),
            Binding::Process(process) => Value::Process(process),
            Binding::Type(_)
            | Binding::Function(..)
            | Binding::Imported
            | Binding::Instantiation(_)
            | Binding::ProcessSet(_)
            | Binding::Dynamic => {
                self.error("bad-expression", span, format!("`{name}` has no value"));
                Value::NOTHING
            }
        }
    }

    #[inline(never)]
    fn unary(&mut self, op: UnaryOp, value: Value, operand: Span, span: Span) -> Value {
        match (op, value) {
            (UnaryOp::Plus, value) => value,
            (UnaryOp::Neg, Value::Double(effects)) => Value::Double(effects),
            (UnaryOp::Neg, Value::Clock(Linear { plus, minus, offset })) => {
                let offset = self.negative(offset, span);
                Value::Clock(Linear { plus: minus, minus: plus, offset })
            }
            (UnaryOp::Neg, value) => {
                let e = self.as_int(value, operand);
                Value::Int(self.negative(e, span))
            }
            (UnaryOp::Not, Value::Cond(cond)) => Value::Cond(self.negate(cond)),
            (UnaryOp::Not, Value::Double(effects)) => Value::Double(effects),
            (UnaryOp::Not, value) => {
                let e = self.as_int(value, operand);
                Value::Int(self.not(e))
            }
        }
    }

    /// Only `abs` of integers has an integer result that symbolic analysis can use.
    #[inline(never)]
    fn builtin(&mut self, name: &str, args: &'a [tree::Expr], span: Span) -> Value {
        let mut effects = Vec::new();
        let mut values = Vec::new();
        for arg in args {
            values.push(self.value(arg));
        }
        if name == "abs"
            && values.len() == 1
            && matches!(values[0], Value::Int(_))
            && let Some(Value::Int(e)) = values.pop()
        {
            let (low, _) = self.range(&e);
            if low >= 0 {
                return Value::Int(e);
            }
            let e = if is_plain(&e) { e } else { self.keep(e, &mut effects, span) };
            let minus = self.negative(e.clone(), span);
            return Value::Int(seq(effects, self.binary(BinaryOp::Max, e, minus, span)));
        }
        for value in values {
            effects.extend(self.effects_of(value));
        }
        Value::Double(effects)
    }

    /// Puts a value into a local and returns that.
    pub(super) fn keep(&mut self, value: Expr, out: &mut Vec<Stmt>, span: Span) -> Expr {
        let (min, max) = self.range(&value);
        let slot = self.local(min as i32, max as i32);
        out.push(Stmt::Assign { place: dwell_model::expr::Place::Local(slot), value, span });
        Expr::Local(slot)
    }

    /// What computing a value does besides, for values that are not used.
    pub(super) fn effects_of(&mut self, value: Value) -> Vec<Stmt> {
        match value {
            Value::Int(e) | Value::Void(e) if !is_plain(&e) => vec![Stmt::Eval(e)],
            Value::Double(effects) => effects,
            Value::Place(place) => place.before,
            Value::Int(_)
            | Value::Void(_)
            | Value::Clock(_)
            | Value::Cond(_)
            | Value::Rate(_)
            | Value::Text
            | Value::Process(_)
            | Value::OneOf(_) => Vec::new(),
        }
    }
}
