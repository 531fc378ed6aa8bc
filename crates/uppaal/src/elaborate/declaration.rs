//! Declarations of a scope: types, variables, functions.
//!
//! All declarations are elaborated before anything else is lowered, because
//! the ids of variables depend on how many there are of each kind.

use dwell_model::Span;
use dwell_syntax::uppaal::tree::{Decl, Initialiser, Variables};

use super::Elaborator;
use super::address::Offset;
use super::expression::Value;
use super::function::{FunctionRef, Home};
use super::instance::Definition;
use super::scope::{Binding, ScopeId};
use super::statement::by_field;
use super::storage::{Place, Space};
use super::types::{Ty, Typed};

/// Functions the engine of UPPAAL calls on occasions of its own.
const OCCASIONS: [&str; 4] = ["__ON_CONSTRUCT__", "__ON_DESTRUCT__", "__ON_BEGIN__", "__ON_END__"];

impl<'a> Elaborator<'a> {
    /// Elaborates the declarations of a block into a scope.
    pub(super) fn declare_block(&mut self, home: Home, scope: ScopeId, items: &'a [Decl]) {
        let outer = self.enter(self.tables.scopes.view(scope));
        for (item, decl) in items.iter().enumerate() {
            self.frame.view = self.tables.scopes.view(scope);
            let view = self.frame.view;
            match decl {
                Decl::Variables(variables) => self.declare_variables(scope, variables),
                Decl::Typedef(typedef) => {
                    let typed = self.typed(&typedef.ty);
                    for declarator in &typedef.names {
                        let ty = self.with_dims(&typed.ty, &declarator.dims);
                        self.bind(scope, &declarator.name.name, Binding::Type(Typed { ty, ..typed.clone() }));
                    }
                }
                Decl::Function(function) => {
                    let name = &function.name.name;
                    if OCCASIONS.contains(&name.as_str()) && !function.body.stmts.is_empty() {
                        self.unsupported(&format!("`{name}`"), function.name.span);
                    }
                    let function = FunctionRef { home, item: item as u32 };
                    self.bind(scope, name, Binding::Function(function, view));
                }
                Decl::Instantiation(instantiation) => {
                    self.definitions.push(Definition { instantiation, view });
                    let binding = Binding::Instantiation(self.definitions.len() - 1);
                    self.bind(scope, &instantiation.name.name, binding);
                }
                Decl::ChannelPriority(priority) => self.priorities.push((priority, view)),
                Decl::BeforeUpdate(list, _) => self.before_update.push((list, view)),
                Decl::AfterUpdate(list, _) => self.after_update.push((list, view)),
                Decl::Import(import) => {
                    for (_, name, _) in &import.functions {
                        self.bind(scope, &name.name, Binding::Imported);
                    }
                }
                Decl::Dynamic(name, _, _) => self.bind(scope, &name.name, Binding::Dynamic),
            }
        }
        self.leave(outer);
    }

    /// Declares a name; the rest of the block sees it.
    pub(super) fn bind(&mut self, scope: ScopeId, name: &str, binding: Binding) {
        self.tables.scopes.bind(scope, name, binding);
        self.frame.view = self.tables.scopes.view(scope);
    }

    fn declare_variables(&mut self, scope: ScopeId, variables: &'a Variables) {
        let typed = self.typed(&variables.ty);
        for (declarator, init) in &variables.names {
            let ty = self.with_dims(&typed.ty, &declarator.dims);
            let name = format!("{}{}", self.tables.scopes.prefix(scope), declarator.name.name);
            let binding = self.variable(&name, ty, &typed, init.as_ref(), declarator.name.span);
            self.bind(scope, &declarator.name.name, binding);
        }
    }

    fn variable(
        &mut self,
        name: &str,
        ty: Ty,
        typed: &Typed,
        init: Option<&'a Initialiser>,
        span: Span,
    ) -> Binding {
        let mut values = vec![Vec::new(); ty.leaf_count() as usize];
        self.initial(&ty, init, &mut values);
        let space = match (typed.constant, typed.meta) {
            (true, _) => Space::Constant,
            (false, true) => Space::Meta,
            (false, false) => Space::State,
        };
        self.stored(name, &ty, space, values, span)
    }

    /// A constant or a new variable with these initial values.
    pub(super) fn stored(
        &mut self,
        name: &str,
        ty: &Ty,
        space: Space,
        values: Vec<Vec<i32>>,
        span: Span,
    ) -> Binding {
        match (space, ty) {
            (Space::Constant, Ty::Double) => Binding::Double,
            (Space::Constant, ty) if ty.bounds().is_some() => {
                Binding::Constant(values.first().and_then(|v| v.first()).copied().unwrap_or_default())
            }
            _ => Binding::Place(self.allocate(name, ty, space, Some(values), span)),
        }
    }

    /// Appends the initial values of a variable to those of its leaves.
    fn initial(&mut self, ty: &Ty, init: Option<&'a Initialiser>, values: &mut [Vec<i32>]) {
        match (ty, init) {
            (Ty::Double | Ty::Text | Ty::Channel { .. } | Ty::Void, _) => {}
            (_, None) => {
                for (leaf, values) in ty.leaves().into_iter().zip(values) {
                    // Too large types are refused when room is made for them.
                    let count = leaf.count.min(super::MAX_SLOTS) as usize;
                    values.extend(std::iter::repeat_n(leaf.ty.default_value(), count));
                }
            }
            (Ty::Array(array), Some(Initialiser::List(list, _))) => {
                for at in 0..array.len as usize {
                    self.initial(&array.element, list.get(at).map(|(_, init)| init), values);
                }
            }
            (Ty::Struct(s), Some(Initialiser::List(list, _))) => {
                let mut values = values;
                for ((_, ty), init) in s.fields.iter().zip(by_field(list, &s.fields)) {
                    let (own, rest) = values.split_at_mut(ty.leaf_count() as usize);
                    self.initial(ty, init, own);
                    values = rest;
                }
            }
            (Ty::Array(_) | Ty::Struct(_), Some(Initialiser::Expr(e))) => match self.value(e) {
                Value::Place(place) => self.known_slots(place, e.span, values),
                _ => {
                    self.bad("an array or structure is expected here", e.span);
                }
            },
            (_, Some(Initialiser::Expr(e))) => {
                let value = self.constant(e);
                values[0].push(self.in_range(ty, value, e.span));
            }
            (_, Some(Initialiser::List(_, span))) => {
                self.bad("one value is expected here", *span);
            }
        }
    }

    /// Appends the constants at a place to the values of its leaves.
    pub(super) fn known_slots(&mut self, mut place: Place, span: Span, values: &mut [Vec<i32>]) {
        let mut before = Vec::new();
        self.freeze(&mut place, &mut before);
        for (number, (leaf, values)) in place.ty.leaves().into_iter().zip(values).enumerate() {
            if leaf.ty.bounds().is_none() {
                continue;
            }
            let rest = leaf.count as u32;
            let slots: Vec<_> = (0..rest)
                .map(|k| {
                    let address = self.address(&place, number as u32, rest, Offset::Known(k));
                    self.load(address)
                })
                .collect();
            match self.evaluate_all(&before, &slots) {
                Ok(slots) => values.extend(slots),
                Err(failure) => {
                    self.not_constant(failure, span);
                    return;
                }
            }
        }
    }

    /// An initial value, which must be one of its type; the default where there is none.
    pub(super) fn in_range(&mut self, ty: &Ty, value: Option<i32>, span: Span) -> i32 {
        let Some(value) = value else { return ty.default_value() };
        let (min, max) = match ty {
            Ty::Bool => return i32::from(value != 0),
            Ty::Clock => (0, i32::MAX),
            ty => ty.bounds().unwrap_or((i32::MIN, i32::MAX)),
        };
        if !(min..=max).contains(&value) {
            let message = match ty {
                Ty::Clock => format!("a clock cannot start at {value}"),
                _ => format!("{value} is outside the range {min}..{max}"),
            };
            self.error("out-of-range", span, message);
        }
        value
    }
}
