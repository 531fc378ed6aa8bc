//! Types of expressions: names, elements, quantifiers.

use std::rc::Rc;

use dwell_syntax::Span;
use dwell_syntax::uppaal::tree::{Expr, ExprKind, Ident, Quantifier, Type, UnaryOp};

use super::codes;
use super::context::{Context, Mode, Wanted};
use super::relate;
use super::scope::{FrameKind, Kind, Symbol};
use super::types::{Array, Class, ClockKind, Level, Ty};
use super::value;

/// An expression's type, and whether it can be assigned to.
pub(super) struct Typed {
    pub ty: Ty,
    pub place: Place,
}

/// What an expression stands for besides its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Nothing.
    Nowhere,
    /// Something that keeps its value.
    Fixed,
    /// Something that can be changed.
    Variable,
}

/// What is done to a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    Write,
    /// Both, in this order: `+=`, reference arguments of functions.
    ReadWrite,
    /// A template gets a reference: nothing is read or written yet.
    Lend,
}

impl Typed {
    pub const ERROR: Self = Self { ty: Ty::Error, place: Place::Variable };

    pub fn value(ty: Ty) -> Self {
        Self { ty, place: Place::Nowhere }
    }
}

impl Context {
    /// The type of an expression whose value is used.
    pub fn expr(&mut self, e: &Expr) -> Typed {
        self.walk(e, Access::Read)
    }

    /// The type of an expression, logging what is done to it.
    pub fn walk(&mut self, e: &Expr, access: Access) -> Typed {
        let typed = match &e.kind {
            ExprKind::Int(_) => Typed::value(Ty::INT),
            ExprKind::Double(_) => Typed::value(Ty::Double),
            ExprKind::String(_) => Typed::value(Ty::String),
            ExprKind::Bool(_) => Typed::value(Ty::Bool),
            ExprKind::Name(name) => self.name(name, e.span, access),
            ExprKind::Index(array, index) => self.index(array, index, access),
            ExprKind::Field(base, field) => self.field(base, field, access),
            ExprKind::Location(process) => self.location_of(process),
            ExprKind::Rate(clock) => self.rate(clock),
            ExprKind::Call(function, args) => self.call(function, args, e.span),
            ExprKind::Builtin(function, args) => self.builtin(function, args, e.span),
            ExprKind::Unary(op, operand) => self.unary(*op, operand),
            ExprKind::Step { prefix, place, .. } => self.step(*prefix, place),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, e.span),
            ExprKind::Assign(op, left, right) => self.assign(*op, left, right, e.span),
            ExprKind::Conditional(test, then, otherwise) => {
                self.conditional(test, then, otherwise, e.span, access)
            }
            ExprKind::Quantified(which, name, ty, body) => self.quantified(*which, name, ty, body),
            ExprKind::Deadlock => {
                self.deadlock.get_or_insert(e.span);
                Typed::value(Ty::Constraint(Class::FORMULA))
            }
            ExprKind::Unsupported(_) | ExprKind::Error => Typed::ERROR,
        };
        if self.mode == Mode::Query
            && self.floating.is_none()
            && matches!(typed.ty, Ty::Double | Ty::Clock(ClockKind::Hybrid))
        {
            self.floating = Some((typed.ty.clone(), e.span));
        }
        typed
    }

    fn name(&mut self, name: &str, span: Span, access: Access) -> Typed {
        let symbol = self.lookup(name, span, Wanted::Value);
        self.touch(&symbol, span, access);
        match &symbol.kind {
            Kind::Variable(_) => Typed { ty: symbol.ty.clone(), place: Place::Variable },
            Kind::Constant(_) | Kind::Chosen => Typed { ty: symbol.ty.clone(), place: Place::Fixed },
            Kind::Parameter(passing, _) => {
                let place = if passing.is_constant() { Place::Fixed } else { Place::Variable };
                Typed { ty: symbol.ty.clone(), place }
            }
            Kind::Missing => Typed::ERROR,
            Kind::Template(template) if self.mode == Mode::Query => self.process(template, span),
            kind => {
                let message = format!("`{name}` is {}, not a value", kind.describe());
                let report = self.out.error(codes::NOT_A_VALUE, span, message);
                if let Kind::Function(_) = kind {
                    report.help(format!("call it: `{name}(…)`"));
                }
                Typed::ERROR
            }
        }
    }

    /// Logs what is done to a symbol.
    pub fn touch(&mut self, symbol: &Rc<Symbol>, span: Span, access: Access) {
        if let Kind::Missing = symbol.kind {
            return;
        }
        if matches!(access, Access::Read | Access::ReadWrite) {
            self.uses.read(symbol.id);
            self.log.reads.push((symbol.clone(), span));
        }
        if matches!(access, Access::Write | Access::ReadWrite) {
            self.uses.write(symbol.id);
            self.log.writes.push((symbol.clone(), span));
        }
        if access == Access::Lend {
            self.uses.read(symbol.id);
            self.uses.write(symbol.id);
        }
    }

    /// What stands before a dot or an argument list: in a query an unknown
    /// name is there most likely a process.
    pub fn base(&mut self, e: &Expr, access: Access) -> Typed {
        if let ExprKind::Name(name) = &e.kind
            && self.mode == Mode::Query
            && self.scopes.get(name).is_none()
        {
            self.lookup(name, e.span, Wanted::Process);
            return Typed::ERROR;
        }
        self.walk(e, access)
    }

    fn index(&mut self, array: &Expr, index: &Expr, access: Access) -> Typed {
        let base = self.walk(array, access);
        let at = self.expr(index);
        match &base.ty {
            Ty::Error => Typed::ERROR,
            Ty::Array(shape) => {
                self.index_type(shape, &at.ty, index);
                Typed { ty: shape.element.clone(), place: base.place }
            }
            other => {
                let message = format!("only arrays have elements, and this is of type `{other}`");
                self.out.error(codes::ARRAY_EXPECTED, array.span, message);
                Typed::ERROR
            }
        }
    }

    fn index_type(&mut self, array: &Array, found: &Ty, index: &Expr) {
        let fits = match &array.index {
            Ty::Scalar(_) => relate::equivalent(&array.index, found),
            _ => found.is_integral(),
        };
        if !fits {
            let message = format!("the array is indexed by `{}`, not by `{found}`", array.index);
            self.out.error(codes::INDEX_TYPE, index.span, message);
        } else if let Ty::Int(Some(range)) = &array.index
            && let Some((low, high)) = range.bounds()
            && let Some(at) = value::integer(&self.scopes, index)
            && !(low..=high).contains(&at)
        {
            let message = format!("the index {at} is outside `{}`", array.index);
            self.out.warning(codes::OUT_OF_RANGE, index.span, message);
        }
    }

    fn location_of(&mut self, process: &Expr) -> Typed {
        let typed = self.base(process, Access::Read);
        if !matches!(typed.ty, Ty::Error | Ty::Process(_)) {
            let message = format!("only a process has a `location`, and this is of type `{}`", typed.ty);
            self.out.error(codes::NOT_A_PROCESS, process.span, message);
        }
        Typed::value(Ty::INT)
    }

    fn rate(&mut self, clock: &Expr) -> Typed {
        let typed = self.expr(clock);
        if typed.ty.is_clock() {
            return Typed::value(if typed.ty.is_error() { Ty::Error } else { Ty::Rate });
        }
        let message = format!("only clocks have a rate, and this is of type `{}`", typed.ty);
        self.out.error(codes::CLOCK_EXPECTED, clock.span, message);
        Typed::ERROR
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr) -> Typed {
        let ty = self.expr(operand).ty;
        match op {
            UnaryOp::Not => match self.expect_condition(&ty, operand.span) {
                true => Typed::value(relate::negated(&ty)),
                false => Typed::ERROR,
            },
            UnaryOp::Neg | UnaryOp::Plus => match ty {
                Ty::Error => Typed::ERROR,
                Ty::Double => Typed::value(Ty::Double),
                _ if ty.is_integral() => Typed::value(Ty::INT),
                _ => {
                    self.wrong_operand(codes::NUMBER_EXPECTED, "a number", &ty, operand.span);
                    Typed::ERROR
                }
            },
        }
    }

    fn conditional(
        &mut self,
        test: &Expr,
        then: &Expr,
        otherwise: &Expr,
        span: Span,
        access: Access,
    ) -> Typed {
        let condition = self.expr(test).ty;
        self.expect_condition(&condition, test.span);
        let a = self.walk(then, access);
        let b = self.walk(otherwise, access);
        let Some(ty) = relate::common(&a.ty, &b.ty) else {
            let message = format!("the branches are of types `{}` and `{}`", a.ty, b.ty);
            self.out
                .error(codes::INCOMPATIBLE_BRANCHES, span, message)
                .help("both must be of one type, or numbers");
            return Typed::ERROR;
        };
        let both =
            a.place == Place::Variable && b.place == Place::Variable && relate::equivalent(&a.ty, &b.ty);
        Typed { ty, place: if both { Place::Variable } else { Place::Nowhere } }
    }

    fn quantified(&mut self, which: Quantifier, name: &Ident, ty: &Type, body: &Expr) -> Typed {
        let range = self.range(ty, "a quantifier");
        self.scopes.enter(FrameKind::Inner);
        self.declare_chosen(name, range);
        let mark = self.mark();
        let of = self.expr(body).ty;
        self.require_pure(mark, "the body of a quantifier");
        self.scopes.leave();
        match which {
            Quantifier::Sum => match of {
                Ty::Double => Typed::value(Ty::Double),
                _ if of.is_integral() => Typed::value(Ty::INT),
                _ => {
                    let message = format!("only numbers can be summed up, and this is of type `{of}`");
                    self.out.error(codes::SUM_TYPE, body.span, message);
                    Typed::ERROR
                }
            },
            Quantifier::Forall | Quantifier::Exists => match of {
                Ty::Error => Typed::ERROR,
                // A union of zones is no zone.
                Ty::Constraint(class) if which == Quantifier::Exists => {
                    Typed::value(Ty::Constraint(class.at_least(Level::Constraint)))
                }
                Ty::Constraint(_) => Typed::value(of),
                _ => match self.expect_condition(&of, body.span) {
                    true => Typed::value(Ty::Bool),
                    false => Typed::ERROR,
                },
            },
        }
    }

    /// Reports what is neither boolean nor about clocks.
    pub fn expect_condition(&mut self, ty: &Ty, span: Span) -> bool {
        if !ty.is_condition() {
            self.wrong_operand(codes::BOOLEAN_EXPECTED, "a condition", ty, span);
        }
        ty.is_condition()
    }

    pub fn wrong_operand(&mut self, code: &'static str, wanted: &str, found: &Ty, span: Span) {
        let report =
            self.out.error(code, span, format!("{wanted} is needed here, and this is of type `{found}`"));
        match found {
            Ty::Scalar(_) => report.help("scalars can only be assigned and compared for equality"),
            Ty::Rate => report.help("a rate can only be compared: `x' == 0`"),
            Ty::Process(_) | Ty::ProcessSet(_) => {
                report.help("ask about one of its locations or variables: `P.x`");
            }
            _ => {}
        }
    }
}
