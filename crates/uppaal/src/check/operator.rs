//! Types of operators and assignments.

use dwell_syntax::Span;
use dwell_syntax::uppaal::tree::{BinaryOp, Expr, ExprKind};

use super::codes;
use super::context::Context;
use super::expr::{Access, Place, Typed};
use super::log::ClockBound;
use super::relate;
use super::types::{Holds, Ty};
use super::value;

impl Context {
    pub fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr, span: Span) -> Typed {
        let a = self.expr(left).ty;
        let b = self.expr(right).ty;
        // Both sides are looked at: two mistakes are two mistakes.
        let fit = (self.operand(op, &a, left.span), self.operand(op, &b, right.span));
        if fit != (true, true) {
            return Typed::ERROR;
        }
        match relate::binary(op, &a, &b) {
            Some(ty) => {
                if let Ty::Constraint(_) = ty {
                    self.log_clock(op, (left, &a), (right, &b), span);
                }
                Typed::value(ty)
            }
            None => {
                self.incompatible(op, &a, &b, span);
                Typed::ERROR
            }
        }
    }

    /// Reports an operand of a kind that the operator never takes.
    fn operand(&mut self, op: BinaryOp, ty: &Ty, span: Span) -> bool {
        use BinaryOp as B;
        let (fits, code, wanted) = match op {
            B::Rem | B::BitAnd | B::BitOr | B::BitXor | B::Shl | B::Shr | B::Xor => {
                (ty.is_integral(), codes::INTEGER_EXPECTED, "an integer")
            }
            B::And | B::Or | B::Imply => return self.expect_condition(ty, span),
            B::Eq | B::Ne => (!matches!(ty, Ty::Void), codes::NUMBER_EXPECTED, "a value"),
            _ => (ty.is_arithmetic(), codes::NUMBER_EXPECTED, "a number"),
        };
        if !fits {
            self.wrong_operand(code, wanted, ty, span);
        }
        fits
    }

    fn incompatible(&mut self, op: BinaryOp, a: &Ty, b: &Ty, span: Span) {
        let message = format!("`{}` does not go between `{a}` and `{b}`", value::symbol_of(op));
        let report = self.out.error(codes::INCOMPATIBLE_TYPES, span, message);
        match (a, b) {
            (Ty::Scalar(_), Ty::Scalar(_)) => {
                report.help("each `scalar[n]` is a type of its own: name it once with `typedef`");
            }
            (Ty::Difference, _) | (_, Ty::Difference) => {
                report.help("compare the difference of two clocks with a number");
            }
            (Ty::Constraint(_), _) | (_, Ty::Constraint(_)) => {
                report.help("conditions on clocks are joined with `&&`, `||`, `!` and `imply`");
            }
            _ => {}
        }
    }

    /// Notes a comparison of a clock or difference with a number.
    fn log_clock(&mut self, op: BinaryOp, left: (&Expr, &Ty), right: (&Expr, &Ty), span: Span) {
        use BinaryOp as B;
        let on_the_left = matches!(left.1, Ty::Clock(_) | Ty::Difference);
        let on_the_right = matches!(right.1, Ty::Clock(_) | Ty::Difference);
        let (clock, bound, op) = match (on_the_left, on_the_right) {
            (true, false) => (left, right.0, op),
            (false, true) => {
                let mirrored = match op {
                    B::Lt => B::Gt,
                    B::Le => B::Ge,
                    B::Ge => B::Le,
                    B::Gt => B::Lt,
                    other => other,
                };
                (right, left.0, mirrored)
            }
            _ => return,
        };
        let id = match clock.1 {
            Ty::Clock(_) => root(clock.0).and_then(|name| self.scopes.get(name)).map(|symbol| symbol.id),
            _ => None,
        };
        self.log.clocks.push(ClockBound {
            span,
            clock: id,
            lower: matches!(op, B::Ge | B::Gt | B::Eq),
            upper: matches!(op, B::Le | B::Lt | B::Eq),
            strict: matches!(op, B::Lt | B::Gt),
            bound: value::integer(&self.scopes, bound),
        });
    }

    pub fn step(&mut self, prefix: bool, place: &Expr) -> Typed {
        let typed = self.walk(place, Access::Write);
        if !self.expect_place(&typed, place) {
            return Typed::ERROR;
        }
        // A `double` is let pass: it belongs to the statistical parts.
        if !matches!(typed.ty, Ty::Error | Ty::Int(_) | Ty::Double) {
            let message =
                format!("only integers can be counted up or down, and this is of type `{}`", typed.ty);
            self.out.error(codes::INCREMENT_TYPE, place.span, message);
            return Typed::ERROR;
        }
        Typed { ty: typed.ty, place: if prefix { Place::Variable } else { Place::Nowhere } }
    }

    pub fn assign(&mut self, op: Option<BinaryOp>, left: &Expr, right: &Expr, span: Span) -> Typed {
        let target = self.walk(left, Access::Write);
        let source = self.expr(right).ty;
        if !self.expect_place(&target, left) {
            return Typed::ERROR;
        }
        let fits = match op {
            None => {
                let fits = relate::assignable(&target.ty, &source, relate::Into::Update);
                if !fits {
                    let message = format!("a `{source}` cannot be assigned to a `{}`", target.ty);
                    self.out.error(codes::INCOMPATIBLE_TYPES, span, message);
                }
                fits
            }
            Some(op) => self.compound(op, &target.ty, &source, left, right),
        };
        if fits { Typed { ty: target.ty, place: Place::Variable } } else { Typed::ERROR }
    }

    /// `l op= r`
    fn compound(&mut self, op: BinaryOp, target: &Ty, source: &Ty, left: &Expr, right: &Expr) -> bool {
        let integers = target.is_integral() && source.is_integral();
        let floating = matches!(target, Ty::Double) && (source.is_number() || source.is_clock());
        if integers || floating {
            return true;
        }
        let symbol = value::symbol_of(op);
        if target.is_integral() {
            self.wrong_operand(codes::INTEGER_EXPECTED, "an integer", source, right.span);
            return false;
        }
        let (code, message) = match op {
            BinaryOp::Add | BinaryOp::Sub => (
                codes::INCREMENT_TYPE,
                format!("`{symbol}=` is for integers, and this is of type `{target}`"),
            ),
            _ => (
                codes::PLAIN_ASSIGNMENT,
                format!("only `=` assigns to a `{target}`, and `{symbol}=` is for integers"),
            ),
        };
        self.out.error(code, left.span, message);
        false
    }

    /// Reports what cannot be changed.
    fn expect_place(&mut self, typed: &Typed, e: &Expr) -> bool {
        // A place in error was reported; what is no place at all was not.
        if typed.ty.is_error() && typed.place != Place::Nowhere {
            return true;
        }
        if typed.place == Place::Variable && !typed.ty.holds().any(Holds::CHANNEL) {
            return true;
        }
        let name = root(e).unwrap_or("this");
        let described = match self.scopes.get(name) {
            _ if typed.ty.holds().any(Holds::CHANNEL) => Some("a channel"),
            Some(symbol) if typed.place == Place::Fixed => Some(symbol.kind.describe()),
            _ => None,
        };
        let message = match described {
            Some(what) => format!("`{name}` cannot be changed: it is {what}"),
            None => "only variables can be changed".to_owned(),
        };
        let report = self.out.error(codes::NOT_ASSIGNABLE, e.span, message);
        if let ExprKind::Binary(..) = e.kind {
            report.help("`=` assigns; `==` compares");
        }
        false
    }
}

/// The name that an expression is about: of the array whose element it is,
/// of the clock something is added to.
pub(super) fn root(e: &Expr) -> Option<&str> {
    let mut e = e;
    loop {
        match &e.kind {
            ExprKind::Name(name) => return Some(name),
            ExprKind::Index(base, _) | ExprKind::Field(base, _) => e = base,
            ExprKind::Assign(_, base, _) | ExprKind::Step { place: base, .. } => e = base,
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, base, _) => e = base,
            _ => return None,
        }
    }
}
