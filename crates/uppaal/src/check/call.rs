//! Calls of functions, arguments of functions and templates, and one process
//! of a set.

use std::rc::Rc;

use dwell_syntax::Span;
use dwell_syntax::uppaal::tree::{Expr, ExprKind, Ident};

use super::codes;
use super::context::{Context, Mode, Wanted};
use super::expr::{Access, Place, Typed};
use super::relate;
use super::scope::{Function, Kind, Owner, Passing, Symbol, Template};
use super::types::{Holds, Ty};

/// Mathematical functions with more than one argument.
const ARITIES: [(&str, usize); 18] = [
    ("atan2", 2),
    ("copysign", 2),
    ("fdim", 2),
    ("fma", 3),
    ("fmax", 2),
    ("fmin", 2),
    ("fmod", 2),
    ("hypot", 2),
    ("isunordered", 2),
    ("ldexp", 2),
    ("nextafter", 2),
    ("pow", 2),
    ("random_arcsine", 2),
    ("random_beta", 2),
    ("random_gamma", 2),
    ("random_normal", 2),
    ("random_tri", 3),
    ("random_weibull", 2),
];

impl Context {
    pub fn call(&mut self, callee: &Expr, args: &[Expr], span: Span) -> Typed {
        let ExprKind::Name(name) = &callee.kind else {
            if let ExprKind::Field(process, function) = &callee.kind
                && self.mode == Mode::Query
            {
                return self.call_member(process, function, args, span);
            }
            let typed = self.expr(callee);
            if !typed.ty.is_error() {
                let message = format!("only functions can be called, and this is of type `{}`", typed.ty);
                self.out.error(codes::NOT_A_FUNCTION, callee.span, message);
            }
            return self.skip_arguments(args);
        };
        let wanted = match self.mode {
            Mode::Model => Wanted::Function,
            Mode::Query => Wanted::Value,
        };
        let symbol = self.lookup(name, callee.span, wanted);
        match &symbol.kind {
            Kind::Function(function) => {
                self.uses.read(symbol.id);
                self.call_function(function, &symbol, args, callee.span, span)
            }
            Kind::Template(template) if self.mode == Mode::Query => {
                self.one_of_set(template, callee, args, span)
            }
            Kind::Missing => self.skip_arguments(args),
            other => {
                let message = format!("`{name}` is {}, not a function", other.describe());
                self.out.error(codes::NOT_A_FUNCTION, callee.span, message);
                self.skip_arguments(args)
            }
        }
    }

    /// Mistakes in the arguments count even when the call makes no sense.
    fn skip_arguments(&mut self, args: &[Expr]) -> Typed {
        for arg in args {
            self.expr(arg);
        }
        Typed::ERROR
    }

    /// `P.f(1)`: a function of a process, in a query.
    fn call_member(&mut self, process: &Expr, name: &Ident, args: &[Expr], span: Span) -> Typed {
        let base = self.base(process, Access::Read);
        if let Ty::Process(template) = &base.ty
            && let Some(symbol) = template.members.get(&name.name).cloned()
            && let Kind::Function(function) = &symbol.kind
        {
            self.uses.read(symbol.id);
            return self.call_function(function, &symbol, args, name.span, span);
        }
        let typed = self.field_of(&base, process.span, name);
        if !typed.ty.is_error() {
            let message = format!("`{}` is of type `{}`, not a function", name.name, typed.ty);
            self.out.error(codes::NOT_A_FUNCTION, name.span, message);
        }
        self.skip_arguments(args)
    }

    fn call_function(
        &mut self,
        function: &Rc<Function>,
        symbol: &Symbol,
        args: &[Expr],
        callee: Span,
        span: Span,
    ) -> Typed {
        match function.effects.get() {
            None => {
                let message = format!("`{}` calls itself, and recursion is not allowed", symbol.name);
                self.out.error(codes::RECURSION, callee, message);
            }
            Some(effects) => {
                self.log.reads.extend(effects.reads.iter().map(|symbol| (symbol.clone(), span)));
                self.log.writes.extend(effects.writes.iter().map(|symbol| (symbol.clone(), span)));
                self.log.external += usize::from(effects.external);
            }
        }
        self.arguments(&function.params, args, &symbol.name, span);
        Typed::value(function.result.clone())
    }

    /// Checks arguments against parameters.
    fn arguments(&mut self, params: &[Rc<Symbol>], args: &[Expr], name: &str, span: Span) {
        self.argument_count(params.len(), args, name, span);
        for (i, arg) in args.iter().enumerate() {
            match params.get(i) {
                Some(param) => self.argument(param, arg),
                None => {
                    self.expr(arg);
                }
            }
        }
    }

    /// Reports too many arguments at the first one too many, too few at the
    /// call.
    pub fn argument_count(&mut self, wanted: usize, args: &[Expr], name: &str, span: Span) -> bool {
        let expects = match wanted {
            0 => "no arguments".to_owned(),
            1 => "one argument".to_owned(),
            n => format!("{n} arguments"),
        };
        let message = format!("`{name}` takes {expects}, not {}", args.len());
        if args.len() < wanted {
            self.out.error(codes::TOO_FEW_ARGUMENTS, span, message);
        } else if let Some(first) = args.get(wanted) {
            self.out.error(codes::TOO_MANY_ARGUMENTS, first.span, message);
        }
        args.len() == wanted
    }

    /// One argument of a function.
    fn argument(&mut self, param: &Symbol, arg: &Expr) {
        let Kind::Parameter(passing, _) = param.kind else { return };
        let changes = passing == Passing::Reference && !param.ty.holds().any(Holds::CHANNEL);
        let typed = self.walk(arg, if changes { Access::ReadWrite } else { Access::Read });
        self.argument_type(param, passing, &typed, arg);
    }

    /// Whether an argument's type fits its parameter's (LANGUAGE 2.3, 5).
    pub fn argument_type(&mut self, param: &Symbol, passing: Passing, typed: &Typed, arg: &Expr) {
        if typed.ty.is_error() || param.ty.is_error() {
            return;
        }
        // The old syntax passes nearly everything by reference, constants
        // and numbers included.
        let by_reference = passing == Passing::Reference && !(self.is_old() && typed.ty.is_integral());
        if by_reference && typed.place != Place::Variable {
            let message = format!("the parameter `{}` is a reference and needs a variable", param.name);
            let report = self.out.error(codes::REFERENCE_ARGUMENT, arg.span, message);
            if typed.place == Place::Fixed {
                report.help("a constant can be passed by value, or to a `const` reference");
            }
            return;
        }
        let fits = match (&param.ty, &typed.ty) {
            (Ty::Chan(wanted), Ty::Chan(given)) => given.capability() >= wanted.capability(),
            (wanted, given) if by_reference => self.same_argument(param, wanted, given),
            (wanted, given) => {
                relate::assignable(wanted, given, relate::Into::Update)
                    || self.same_argument(param, wanted, given)
            }
        };
        if !fits {
            self.wrong_argument(param, by_reference, &typed.ty, arg.span);
        }
    }

    /// Equivalent; for templates up to bounds that depend on their parameters,
    /// which have no value here.
    fn same_argument(&self, param: &Symbol, wanted: &Ty, given: &Ty) -> bool {
        match param.kind {
            Kind::Parameter(_, Owner::Function) => relate::equivalent(wanted, given),
            _ => relate::equivalent_for_some_bounds(wanted, given),
        }
    }

    fn wrong_argument(&mut self, param: &Symbol, by_reference: bool, given: &Ty, span: Span) {
        let message = format!("the parameter `{}` is of type `{}`, not `{given}`", param.name, param.ty);
        let report = self.out.error(codes::INCOMPATIBLE_ARGUMENT, span, message);
        match (&param.ty, given) {
            (Ty::Int(_), Ty::Int(_)) if by_reference => {
                report.help("a reference needs a variable with the very same range");
            }
            (Ty::Chan(_), Ty::Chan(_)) => {
                report.help(
                    "an urgent channel goes only to an urgent parameter, a broadcast one not to a plain one",
                );
            }
            _ => {}
        }
    }

    /// `P(1, 2)` in a query.
    fn one_of_set(&mut self, template: &Rc<Template>, callee: &Expr, args: &[Expr], span: Span) -> Typed {
        let base = self.expr(callee).ty;
        match base {
            Ty::ProcessSet(_) => {}
            Ty::Process(_) => {
                let message = format!("`{}` is one process, not a set", template.name);
                self.out
                    .error(codes::NOT_A_PROCESS, span, message)
                    .help(format!("leave out the arguments: `{}`", template.name));
                return self.skip_arguments(args);
            }
            _ => return self.skip_arguments(args),
        }
        // Which one may depend on the state: `Station(belt.station).busy`.
        self.arguments(&template.params, args, &template.name, span);
        Typed::value(Ty::Process(template.clone()))
    }

    /// A mathematical function.
    pub fn builtin(&mut self, function: &Ident, args: &[Expr], span: Span) -> Typed {
        let name = function.name.as_str();
        let count = ARITIES.iter().find(|(of, _)| *of == name).map_or(1, |(_, count)| *count);
        self.argument_count(count, args, name, span);
        for arg in args {
            let ty = self.expr(arg).ty;
            if name == "abs" && !ty.is_integral() {
                self.wrong_operand(codes::INTEGER_EXPECTED, "an integer", &ty, arg.span);
            } else if !ty.is_arithmetic() {
                self.wrong_operand(codes::NUMBER_EXPECTED, "a number", &ty, arg.span);
            }
        }
        Typed::value(match name {
            "abs" | "fint" | "ilogb" | "fpclassify" => Ty::INT,
            "isfinite" | "isinf" | "isnan" | "isnormal" | "signbit" | "isunordered" => Ty::Bool,
            _ => Ty::Double,
        })
    }
}
