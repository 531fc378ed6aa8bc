//! The system section: instantiations, the system line, progress measures.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use dwell_syntax::Span;
use dwell_syntax::uppaal::tree::{Document, Expr, ExprKind, Ident, Instantiation};

use crate::prelude;

use super::codes;
use super::context::{Context, Mode, Wanted};
use super::expr::{Access, Place, Typed};
use super::operator::root;
use super::scope::{Frame, FrameKind, Kind, Owner, Passing, Symbol, Template};
use super::types::Ty;

impl Context {
    /// Everything after the templates.
    pub fn system(&mut self, document: &Document) {
        self.declarations(&document.system.declarations.items);
        let mut processes = Vec::new();
        let mut seen = HashSet::new();
        for name in document.system.levels.iter().flatten() {
            if !seen.insert(name.name.as_str()) {
                let message = format!("`{}` is on the system line twice", name.name);
                self.out.error(codes::PROCESS_TWICE, name.span, message);
            } else {
                processes.extend(self.system_process(name));
            }
        }
        self.processes = processes.into();
        self.mode = Mode::Query;
        for (guard, measure) in &document.system.progress {
            let mark = self.mark();
            if let Some(guard) = guard {
                let ty = self.expr(guard).ty;
                self.expect_condition(&ty, guard.span);
            }
            let ty = self.expr(measure).ty;
            if !ty.is_integral() {
                self.wrong_operand(codes::INTEGER_EXPECTED, "an integer", &ty, measure.span);
            }
            self.require_pure(mark, "a progress measure");
            self.forget(mark);
        }
        self.mode = Mode::Model;
    }

    /// A name on the system line.
    fn system_process(&mut self, name: &Ident) -> Option<Rc<Template>> {
        let symbol = self.lookup(&name.name, name.span, Wanted::Process);
        self.uses.read(symbol.id);
        let template = match &symbol.kind {
            Kind::Template(template) => template.clone(),
            Kind::Missing => return None,
            other => {
                let message = format!("`{}` is {}, not a process", name.name, other.describe());
                self.out.error(codes::NOT_A_PROCESS, name.span, message);
                return None;
            }
        };
        for param in &template.params {
            self.free_parameter(param, &template, name.span);
        }
        Some(template)
    }

    /// Free parameters make a process for each of their values.
    fn free_parameter(&mut self, param: &Symbol, template: &Template, span: Span) {
        let by_reference = matches!(param.kind, Kind::Parameter(passing, _) if passing.is_reference());
        let bounded = match &param.ty {
            Ty::Int(Some(range)) => range.bounds() != Some(prelude::INT),
            ty => matches!(ty, Ty::Scalar(_) | Ty::Error),
        };
        if by_reference || !bounded {
            let message = format!("`{}` needs a value for its parameter `{}`", template.name, param.name);
            self.out.error(codes::FREE_PARAMETER_TYPE, span, message).help(
                "only bounded integers and scalars passed by value may be left open on the system line",
            );
        } else if template.sizing.contains(&param.id) {
            let message = format!(
                "`{}` needs a value for its parameter `{}`: the size of an array, a scalar set or a selection \
                 depends on it",
                template.name, param.name
            );
            self.out
                .error(codes::FREE_PARAMETER_SIZE, span, message)
                .help(format!("instantiate it: `{0}1 = {0}(…);`", template.name));
        }
    }

    pub fn instantiation(&mut self, written: &Instantiation) {
        let symbol = self.lookup(&written.template.name, written.template.span, Wanted::Template);
        self.uses.read(symbol.id);
        let template = match &symbol.kind {
            Kind::Template(template) => Some(template.clone()),
            Kind::Missing => None,
            other => {
                let message = format!("`{}` is {}, not a template", written.template.name, other.describe());
                self.out.error(codes::NOT_A_TEMPLATE, written.template.span, message);
                None
            }
        };
        self.scopes.enter(FrameKind::Inner);
        let params = self.parameters(&written.params, Owner::Instantiation);
        let Some(template) = template else {
            for arg in &written.args {
                self.expr(arg);
            }
            self.scopes.leave();
            // What uses it has been told enough.
            let symbol = self.symbol(&written.name, Kind::Missing, Ty::Error);
            self.scopes.declare(symbol);
            return;
        };
        let instance = self.instance(&template, written, params);
        self.scopes.leave();
        self.declare(&written.name, Kind::Template(Rc::new(instance)), Ty::Void);
    }

    /// Checks the arguments, and makes a template of what is left open.
    fn instance(
        &mut self,
        template: &Template,
        written: &Instantiation,
        params: Vec<Rc<Symbol>>,
    ) -> Template {
        self.argument_count(template.params.len(), &written.args, &template.name, written.span);
        let mut sizing = HashSet::new();
        let mut bindings = HashMap::new();
        for (i, arg) in written.args.iter().enumerate() {
            let Some(param) = template.params.get(i) else {
                self.expr(arg);
                continue;
            };
            let mark = self.mark();
            self.template_argument(param, arg);
            if template.sizing.contains(&param.id) {
                sizing.extend(self.parameters_since(mark).iter().map(|symbol| symbol.id));
            }
            if let Some(symbol) = root(arg).and_then(|name| self.scopes.get(name)) {
                bindings.insert(param.id, symbol.id);
            }
            self.forget(mark);
        }
        // References handed through by a partial instantiation.
        let mut all: Vec<(u32, u32)> = template
            .bindings
            .iter()
            .map(|&(param, arg)| (param, bindings.get(&arg).copied().unwrap_or(arg)))
            .collect();
        all.extend(bindings);
        Template {
            name: written.name.name.as_str().into(),
            params,
            members: Rc::<Frame>::clone(&template.members),
            sizing,
            origin: template.origin,
            bindings: all,
        }
    }

    fn template_argument(&mut self, param: &Symbol, arg: &Expr) {
        let Kind::Parameter(passing, _) = param.kind else { return };
        let mark = self.mark();
        let lend = passing == Passing::Reference;
        let typed = self.walk(arg, if lend { Access::Lend } else { Access::Read });
        self.require_pure(mark, "an argument of a template");
        let errors = self.out.error_count();
        self.argument_type(param, passing, &typed, arg);
        if self.out.error_count() == errors && lend {
            self.unique_reference(param, &typed, arg);
        }
        // For a reference only the indices were read.
        if self.out.error_count() == errors {
            self.require_constant(mark, "an argument of a template");
        }
    }

    /// A reference of a template must always be to the same variable.
    fn unique_reference(&mut self, param: &Symbol, typed: &Typed, arg: &Expr) {
        let mut e = arg;
        while let ExprKind::Index(base, _) | ExprKind::Field(base, _) = &e.kind {
            e = base;
        }
        let named = matches!(e.kind, ExprKind::Name(_));
        if typed.place == Place::Variable && !named && !typed.ty.is_error() {
            let message =
                format!("the parameter `{}` is a reference and needs a variable by its name", param.name);
            self.out.error(codes::REFERENCE_ARGUMENT, arg.span, message);
        }
    }
}
