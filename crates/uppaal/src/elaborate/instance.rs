//! From the system line to processes: arguments, partial instantiations, sets.

use std::collections::{HashMap, HashSet};

use dwell_model::expr::Expr;
use dwell_model::{LocationId, ProcessId, Span};
use dwell_syntax::uppaal::tree::{self, Decl, ExprKind, Ident, Instantiation, Param, Template};

use super::constant::Failure;
use super::expression::Value;
use super::function::Home;
use super::scope::{Binding, ScopeId, View};
use super::storage::Space;
use super::types::Ty;
use super::walk::any_in_stmt;
use super::{Elaborator, MAX_PROCESSES};

/// An instantiation and what it sees.
#[derive(Clone, Copy, Debug)]
pub(super) struct Definition<'a> {
    pub instantiation: &'a Instantiation,
    pub view: View,
}

/// What processes are made of.
#[derive(Clone, Copy, Debug)]
enum Maker {
    Template(usize),
    Definition(usize),
}

/// A process whose declarations are elaborated.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    pub name: String,
    pub template: usize,
    pub scope: ScopeId,
    pub priority: u32,
}

/// A set of processes: which one has which arguments.
#[derive(Debug, Default)]
pub(super) struct ProcessSet {
    pub members: HashMap<Vec<i32>, ProcessId>,
}

impl<'a> Elaborator<'a> {
    /// Makes all processes of the system line, up to their declarations, and
    /// the scope in which queries see them.
    pub(super) fn instantiate(&mut self, system: ScopeId) {
        let view = self.tables.scopes.view(system);
        let queries = self.tables.scopes.open(Some(view), String::new());
        let document = self.document;
        for (level, names) in document.system.levels.iter().enumerate() {
            for name in names {
                let Some(maker) = self.maker(&name.name, view) else {
                    self.error("unknown-template", name.span, format!("`{}` is not a template", name.name));
                    continue;
                };
                let binding = self.make(maker, name, level as u32);
                self.tables.scopes.bind(queries, &name.name, binding);
            }
        }
        if self.tables.instances.is_empty() {
            self.error("no-processes", document.system.span, "the system has no processes");
        }
        self.tables.queries = queries;
    }

    fn maker(&self, name: &str, view: View) -> Option<Maker> {
        match self.tables.scopes.lookup(view, name) {
            Some(Binding::Instantiation(at)) => Some(Maker::Definition(*at)),
            _ => self.tables.templates.get(name).map(|at| Maker::Template(*at)),
        }
    }

    fn params(&self, maker: Maker) -> &'a [Param] {
        match maker {
            Maker::Template(at) => &self.document.templates[at].params,
            Maker::Definition(at) => &self.definitions[at].instantiation.params,
        }
    }

    /// What the body of a template or the arguments of an instantiation see.
    fn surroundings(&self, maker: Maker) -> View {
        match maker {
            Maker::Template(_) => self.tables.scopes.view(self.tables.globals),
            Maker::Definition(at) => self.definitions[at].view,
        }
    }

    /// One process, or a set with one for each combination of the parameters.
    fn make(&mut self, maker: Maker, name: &'a Ident, priority: u32) -> Binding {
        let first = self.tables.instances.len();
        let outer = self.enter(self.surroundings(maker));
        let mut set = ProcessSet::default();
        self.combinations(maker, name, priority, &mut Vec::new(), &mut set);
        self.leave(outer);
        if self.params(maker).is_empty() {
            return Binding::Process(ProcessId::new(first));
        }
        self.tables.sets.push(set);
        Binding::ProcessSet(self.tables.sets.len() - 1)
    }

    /// All values of the parameters from the `values.len()`-th on. Those
    /// before it are names of the frame: types may depend on them.
    fn combinations(
        &mut self,
        maker: Maker,
        name: &'a Ident,
        priority: u32,
        values: &mut Vec<i32>,
        set: &mut ProcessSet,
    ) {
        let Some(param) = self.params(maker).get(values.len()) else {
            self.process(maker, name, priority, values, set);
            return;
        };
        let (low, high) = self.values_of(&param.ty);
        if param.reference || !param.dims.is_empty() {
            let message = format!("the parameter `{}` cannot be left open", param.name.name);
            self.error("open-parameter", name.span, message);
            return;
        }
        for value in low..=high {
            if self.tables.instances.len() >= MAX_PROCESSES {
                let message = format!("`{}` makes it more than {MAX_PROCESSES} processes", name.name);
                self.error("model-too-large", name.span, message);
                return;
            }
            values.push(value);
            self.frame.names.push((&param.name.name, Binding::Constant(value)));
            self.combinations(maker, name, priority, values, set);
            self.frame.names.pop();
            values.pop();
        }
    }

    fn process(
        &mut self,
        maker: Maker,
        name: &'a Ident,
        priority: u32,
        values: &[i32],
        set: &mut ProcessSet,
    ) {
        let mut full = name.name.clone();
        if !values.is_empty() {
            let list: Vec<_> = values.iter().map(i32::to_string).collect();
            full = format!("{full}({})", list.join(","));
        }
        let process = ProcessId::new(self.tables.instances.len());
        set.members.insert(values.to_vec(), process);
        let scope = self.tables.scopes.open(Some(self.surroundings(maker)), format!("{full}."));
        for (param, value) in self.params(maker).iter().zip(values) {
            let outer = self.enter(self.tables.scopes.view(scope));
            let ty = self.typed(&param.ty).ty;
            self.leave(outer);
            let binding = self.value_parameter(maker, param, &ty, vec![vec![*value]], scope);
            self.tables.scopes.bind(scope, &param.name.name, binding);
        }
        self.instance(maker, scope, full, priority);
    }

    /// Elaborates the declarations of a process whose parameters are bound.
    fn instance(&mut self, maker: Maker, scope: ScopeId, name: String, priority: u32) {
        match maker {
            Maker::Template(template) => {
                let items = &self.document.templates[template].declarations.items;
                self.declare_block(Home::Template(template as u32), scope, items);
                self.tables.instances.push(Instance { name, template, scope, priority });
            }
            Maker::Definition(at) => {
                let Definition { instantiation, view } = self.definitions[at];
                let Some(target) = self.maker(&instantiation.template.name, view) else {
                    let template = &instantiation.template;
                    self.error(
                        "unknown-template",
                        template.span,
                        format!("`{}` is not a template", template.name),
                    );
                    return;
                };
                let params = self.params(target);
                if params.len() != instantiation.args.len() {
                    let message = "the number of arguments is not that of the parameters";
                    self.error("wrong-arguments", instantiation.span, message);
                    return;
                }
                let inner = self.tables.scopes.open(Some(self.surroundings(target)), format!("{name}."));
                for (param, arg) in params.iter().zip(&instantiation.args) {
                    let binding = self.argument(target, param, arg, scope, inner);
                    self.tables.scopes.bind(inner, &param.name.name, binding);
                }
                self.instance(target, inner, name, priority);
            }
        }
    }

    /// What a parameter of a template is bound to: the argument is looked up
    /// in `from`, the type of the parameter in `to`.
    fn argument(
        &mut self,
        target: Maker,
        param: &'a Param,
        arg: &'a tree::Expr,
        from: ScopeId,
        to: ScopeId,
    ) -> Binding {
        let outer = self.enter(self.tables.scopes.view(to));
        let typed = self.typed(&param.ty);
        let ty = self.with_dims(&typed.ty, &param.dims);
        self.frame.view = self.tables.scopes.view(from);
        let binding = self.argument_value(target, param, &ty, arg, to);
        self.leave(outer);
        binding
    }

    fn argument_value(
        &mut self,
        target: Maker,
        param: &'a Param,
        ty: &Ty,
        arg: &'a tree::Expr,
        to: ScopeId,
    ) -> Binding {
        let value = self.path(arg);
        let mut values = vec![Vec::new(); ty.leaf_count() as usize];
        match value {
            Value::Place(place) if param.reference || place.ty.has_clocks_or_channels() => {
                if place.dynamic.is_some() || !place.before.is_empty() {
                    self.error("not-constant", arg.span, "this must be known before the model runs");
                }
                return Binding::Place(place);
            }
            Value::Place(place) if place.ty.is_aggregate() => self.known_slots(place, arg.span, &mut values),
            value => match ty {
                Ty::Double | Ty::Text => {}
                ty => {
                    let value = self.read(value, arg.span);
                    let before = self.complaints();
                    let value = self.as_int(value, arg.span);
                    let known = self.complaints() == before;
                    let value = known.then(|| self.known(&value, arg.span)).flatten();
                    values[0].push(self.in_range(ty, value, arg.span));
                }
            },
        }
        self.value_parameter(target, param, ty, values, to)
    }

    fn known(&mut self, value: &Expr, span: Span) -> Option<i32> {
        match self.evaluate(value) {
            Ok(value) => Some(value),
            // One process of a set may be wrong where the template is right: the
            // model can be read and written, but nothing can be said of its runs.
            Err(Failure::Fails(why)) => {
                self.unsupported(&format!("an argument without a value ({why})"), span);
                None
            }
            Err(failure) => {
                self.not_constant(failure, span);
                None
            }
        }
    }

    /// A value parameter is a constant, unless the template assigns to it.
    fn value_parameter(
        &mut self,
        target: Maker,
        param: &'a Param,
        ty: &Ty,
        values: Vec<Vec<i32>>,
        scope: ScopeId,
    ) -> Binding {
        let space = match target {
            Maker::Template(template) if self.is_assigned(template, &param.name.name) => Space::State,
            _ => Space::Constant,
        };
        let name = format!("{}{}", self.tables.scopes.prefix(scope), param.name.name);
        self.stored(&name, ty, space, values, param.span)
    }

    fn is_assigned(&mut self, template: usize, name: &str) -> bool {
        let document = self.document;
        let assigned = self
            .assigned
            .entry(template)
            .or_insert_with(|| assigned_names(document, &document.templates[template]));
        assigned.contains(name)
    }
}

/// The names of a template's locations.
pub(super) fn location_names(template: &Template) -> HashMap<String, LocationId> {
    let names = template.locations.iter().enumerate();
    names.map(|(at, location)| (location_name(location), LocationId::new(at))).collect()
}

/// A location's name, or one made of its id.
pub(super) fn location_name(location: &tree::Location) -> String {
    match &location.name {
        Some(name) => name.name.clone(),
        None => format!("_{}", location.id),
    }
}

/// The names that edges and functions of a template assign to, step, or pass
/// by reference.
fn assigned_names<'a>(document: &'a tree::Document, template: &'a Template) -> HashSet<&'a str> {
    let mut names = HashSet::new();
    let mut see = |e: &'a tree::Expr| {
        match &e.kind {
            ExprKind::Assign(_, place, _) | ExprKind::Step { place, .. } => roots(place, &mut names),
            ExprKind::Call(callee, args) => {
                let ExprKind::Name(name) = &callee.kind else { return false };
                let blocks = [&template.declarations, &document.declarations];
                for decl in blocks.into_iter().flat_map(|block| &block.items) {
                    let Decl::Function(function) = decl else { continue };
                    if function.name.name != *name {
                        continue;
                    }
                    for (param, arg) in function.params.iter().zip(args) {
                        if param.reference && !param.ty.prefix.constant {
                            roots(arg, &mut names);
                        }
                    }
                }
            }
            _ => {}
        }
        false
    };
    for e in template.edges.iter().flat_map(|edge| &edge.update) {
        e.any(&mut see);
    }
    for decl in &template.declarations.items {
        let Decl::Function(function) = decl else { continue };
        for stmt in &function.body.stmts {
            any_in_stmt(stmt, &mut see);
        }
    }
    names
}

/// The variables an assignment may write to.
fn roots<'t>(place: &'t tree::Expr, names: &mut HashSet<&'t str>) {
    match &place.kind {
        ExprKind::Name(name) => {
            names.insert(name);
        }
        ExprKind::Index(base, _) | ExprKind::Field(base, _) => roots(base, names),
        ExprKind::Conditional(_, then, otherwise) => {
            roots(then, names);
            roots(otherwise, names);
        }
        _ => {}
    }
}
