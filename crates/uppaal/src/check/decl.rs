//! Declarations: variables, parameters, functions, channel priorities.

use std::cell::OnceCell;
use std::rc::Rc;

use dwell_syntax::uppaal::tree::{
    ChannelPriority, Decl, Declarator, Function as Written, Import, Initialiser, Param, PriorityItem,
    Variables,
};

use super::codes;
use super::context::Context;
use super::expr::Access;
use super::log::Mark;
use super::resolve::Resolved;
use super::scope::{Constant, Effects, FrameKind, Function, Home, Kind, Owner, Passing, Symbol};
use super::stmt;
use super::types::{Holds, Ty};
use super::value::Value;

impl Context {
    /// Declarations of the model or of a template.
    pub fn declarations(&mut self, items: &[Decl]) {
        for item in items {
            let mark = self.mark();
            self.declaration(item, Home::Model);
            self.forget(mark);
        }
    }

    pub fn declaration(&mut self, item: &Decl, home: Home) {
        match item {
            Decl::Variables(variables) => self.variables(variables, home),
            Decl::Typedef(typedef) => self.typedef(&typedef.ty, &typedef.names),
            Decl::Function(function) => self.function(function),
            Decl::ChannelPriority(priority) => self.channel_priority(priority),
            Decl::BeforeUpdate(updates, _) | Decl::AfterUpdate(updates, _) => {
                for update in updates {
                    self.effect(update);
                }
            }
            Decl::Import(import) => self.import(import),
            Decl::Dynamic(_, params, _) => {
                // The template itself comes later, under the same name.
                self.facts.dynamic = true;
                self.scopes.enter(FrameKind::Inner);
                self.foreign_parameters(params, Owner::Template);
                self.scopes.leave();
            }
            Decl::Instantiation(instantiation) => self.instantiation(instantiation),
        }
    }

    fn variables(&mut self, variables: &Variables, home: Home) {
        let resolved = self.resolve(&variables.ty);
        for (declarator, init) in &variables.names {
            self.variable(&resolved, variables, declarator, init.as_ref(), home);
        }
    }

    fn variable(
        &mut self,
        resolved: &Resolved,
        variables: &Variables,
        declarator: &Declarator,
        init: Option<&Initialiser>,
        home: Home,
    ) {
        let ty = self.dimensions(resolved.ty.clone(), &declarator.dims);
        let ty = self.variable_type(ty, resolved, variables, declarator, home);
        let mark = self.mark();
        let value = self.initialised(&ty, resolved.qualifiers.constant, declarator, init);
        self.require_pure(mark, "an initial value");
        if home == Home::Model {
            self.require_constant(mark, "an initial value");
        }
        let kind = if resolved.qualifiers.constant {
            Kind::Constant(Constant { value, from: self.parameters_since(mark) })
        } else {
            Kind::Variable(home)
        };
        self.declare(&declarator.name, kind, ty);
    }

    /// Reports a type that the variable cannot have.
    fn variable_type(
        &mut self,
        ty: Ty,
        resolved: &Resolved,
        variables: &Variables,
        declarator: &Declarator,
        home: Home,
    ) -> Ty {
        let name = &declarator.name;
        if let Ty::Void = ty.innermost() {
            let message = format!("`{}` cannot be of type `void`", name.name);
            self.out.error(codes::VARIABLE_TYPE, variables.ty.span, message);
            return Ty::Error;
        }
        if ty.holds().any(Holds::STRING) && !resolved.qualifiers.constant {
            let message = format!("the string `{}` must be a constant", name.name);
            self.out.error(codes::STRING_NOT_CONST, variables.ty.span, message).help("write `const string`");
        }
        if home == Home::Function && ty.holds().any(Holds::CHANNEL | Holds::SCALAR_INDEX) {
            let message = format!("`{}` of type `{ty}` cannot be declared in a function", name.name);
            self.out
                .error(codes::LOCAL_TYPE, name.span, message)
                .help("channels and arrays indexed by scalars belong to the model or a template");
        }
        ty
    }

    fn initialised(
        &mut self,
        ty: &Ty,
        constant: bool,
        declarator: &Declarator,
        init: Option<&Initialiser>,
    ) -> Option<Value> {
        let name = &declarator.name;
        let Some(init) = init else {
            if constant && !ty.is_error() {
                let message = format!("the constant `{}` has no value", name.name);
                self.out.error(codes::CONST_WITHOUT_VALUE, name.span, message).help("write `= …` behind it");
            }
            return None;
        };
        if ty.holds().any(Holds::CHANNEL | Holds::SCALAR_INDEX) {
            let message = format!("`{}` of type `{ty}` cannot have an initial value", name.name);
            self.out.error(codes::CANNOT_INITIALISE, init.span(), message);
            return None;
        }
        self.initial(ty, init)
    }

    /// Declares parameters in the innermost scope, one after the other: the
    /// type of one may depend on those before it.
    pub fn parameters(&mut self, params: &[Param], owner: Owner) -> Vec<Rc<Symbol>> {
        params.iter().map(|param| self.parameter(param, owner)).collect()
    }

    /// Parameters of something whose body is elsewhere, and uses them.
    fn foreign_parameters(&mut self, params: &[Param], owner: Owner) -> Vec<Rc<Symbol>> {
        let params = self.parameters(params, owner);
        params.iter().for_each(|param| self.uses.read(param.id));
        params
    }

    fn parameter(&mut self, param: &Param, owner: Owner) -> Rc<Symbol> {
        let resolved = self.resolve(&param.ty);
        let mut ty = self.dimensions(resolved.ty, &param.dims);
        let by_value = ty.holds().any(Holds::CHANNEL | Holds::CLOCK) && !param.reference;
        if let Ty::Void = ty.innermost() {
            let message = format!("the parameter `{}` cannot be of type `void`", param.name.name);
            self.out.error(codes::PARAMETER_TYPE, param.ty.span, message);
            ty = Ty::Error;
        } else if by_value {
            let message = format!("the parameter `{}` of type `{ty}` must be a reference", param.name.name);
            self.out
                .error(codes::PARAMETER_TYPE, param.name.span, message)
                .help(format!("write `&{}`", param.name.name));
        }
        let passing = match (param.reference, resolved.qualifiers.constant) {
            (false, false) => Passing::Value,
            (false, true) => Passing::ConstValue,
            (true, false) => Passing::Reference,
            (true, true) => Passing::ConstReference,
        };
        self.declare(&param.name, Kind::Parameter(passing, owner), ty)
    }

    fn function(&mut self, written: &Written) {
        let mark = self.mark();
        let result = self.resolve(&written.result).ty;
        let good = match &result {
            Ty::Clock(_) | Ty::Chan(_) | Ty::Array(_) | Ty::String => false,
            other => !other.holds().any(Holds::CLOCK | Holds::CHANNEL),
        };
        if !good {
            let message = format!("a function cannot return a `{result}`");
            self.out
                .error(codes::RETURN_TYPE, written.result.span, message)
                .help("integers, `bool`, `double`, scalars, structures of these and `void` can be returned");
        }
        let result = if good { result } else { Ty::Error };
        let first_local = self.next_symbol();
        self.scopes.enter(FrameKind::Function);
        let params = self.parameters(&written.params, Owner::Function);
        let frame = self.scopes.leave();
        let function = Rc::new(Function { params, result: result.clone(), effects: OnceCell::new() });
        // Visible in its own body, where a call is recursion.
        self.declare(&written.name, Kind::Function(function.clone()), Ty::Void);
        self.scopes.reenter(frame);
        let outer = self.result.replace(result.clone());
        self.body(&written.body);
        self.result = outer;
        self.scopes.leave();
        if !matches!(result, Ty::Void | Ty::Error) && !stmt::returns_at_end(&written.body.stmts) {
            let message = format!("`{}` may end without returning a value", written.name.name);
            self.out
                .error(codes::MISSING_RETURN, written.name.span, message)
                .help("end every path through it with `return`");
        }
        let effects = self.effects_since(mark, first_local);
        self.forget(mark);
        // Set here and nowhere else.
        let _ = function.effects.set(effects);
    }

    /// What a function did to symbols that are not its own.
    fn effects_since(&self, mark: Mark, first_local: u32) -> Effects {
        let outside = |log: &[(Rc<Symbol>, _)]| {
            let mut symbols: Vec<Rc<Symbol>> = log
                .iter()
                .map(|(symbol, _)| symbol)
                .filter(|symbol| symbol.id < first_local)
                // Constants matter to nobody unless they come from parameters.
                .filter(
                    |symbol| !matches!(&symbol.kind, Kind::Constant(constant) if constant.from.is_empty()),
                )
                .cloned()
                .collect();
            symbols.sort_unstable_by_key(|symbol| symbol.id);
            symbols.dedup_by_key(|symbol| symbol.id);
            symbols
        };
        Effects {
            reads: outside(self.reads_since(mark)),
            writes: outside(self.writes_since(mark)),
            external: self.called_external_since(mark),
        }
    }

    /// Functions from a library: their types are checked, no more.
    fn import(&mut self, import: &Import) {
        for (result, name, params) in &import.functions {
            let result = self.resolve(result).ty;
            self.scopes.enter(FrameKind::Function);
            let params = self.foreign_parameters(params, Owner::Function);
            self.scopes.leave();
            let effects = OnceCell::from(Effects { external: true, ..Effects::default() });
            let function = Function { params, result, effects };
            self.declare(name, Kind::Function(Rc::new(function)), Ty::Void);
        }
    }

    fn channel_priority(&mut self, priority: &ChannelPriority) {
        if self.facts.priorities {
            let message = "channel priorities are declared more than once";
            self.out.warning(codes::PRIORITY_TWICE, priority.span, message);
        }
        self.facts.priorities = true;
        for item in priority.levels.iter().flatten() {
            let PriorityItem::Channel(channel) = item else { continue };
            let mark = self.mark();
            let ty = self.walk(channel, Access::Lend).ty;
            if !matches!(ty.innermost(), Ty::Error | Ty::Chan(_)) {
                let message = format!("only channels have a priority here, and this is of type `{ty}`");
                self.out.error(codes::CHANNEL_EXPECTED, channel.span, message);
            }
            self.require_pure(mark, "the index of a channel");
            self.require_constant(mark, "the index of a channel");
        }
    }
}
