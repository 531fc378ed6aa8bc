//! Functions, lowered when they are first called.
//!
//! A function of the network belongs to one declaration in one scope (that of
//! a process, or the global one) and to one choice of what its reference
//! parameters are bound to: those are resolved now, only computed indices are
//! passed, flattened and checked, as hidden parameters. So a call needs no
//! addresses at run time.
//!
//! Value parameters take one slot per integer they hold. A structure is
//! returned in locals of the function, which the caller copies at once.

use std::sync::Arc;

use dwell_model::expr::{self, Expr, MAX_CALL_DEPTH, Stmt};
use dwell_model::{FunctionId, Span};
use dwell_syntax::uppaal::tree;

use super::Elaborator;
use super::expression::Value;
use super::fold::seq;
use super::scope::{Binding, Frame, ScopeId, View};
use super::storage::{Dynamic, DynamicIndex, Place, Space, StorageId};
use super::types::Ty;

/// So many versions of a function are made for known indices of its reference
/// arguments; more share one that is passed the index.
const FEW: usize = 32;

/// Where a function is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Home {
    Global,
    System,
    Template(u32),
}

/// A function declaration: which item of which block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct FunctionRef {
    pub home: Home,
    pub item: u32,
}

/// What `return` does in a frame.
#[derive(Clone, Debug, Default)]
pub(super) enum Returns {
    /// The frame is not a function.
    #[default]
    Never,
    Nothing,
    Int(Ty),
    /// Copies to a place.
    Place(Place),
    /// A floating-point number, which is forgotten.
    Double,
}

impl Returns {
    /// True outside functions.
    pub fn is_none(&self) -> bool {
        matches!(self, Self::Never)
    }
}

/// What was seen while lowering.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Facts {
    /// It writes to variables or clocks.
    pub writes: bool,
    /// Its result may depend on more than its value parameters.
    pub reads: bool,
    /// How deep its calls nest.
    pub depth: usize,
}

impl Facts {
    fn absorb_call(&mut self, callee: Facts) {
        self.writes |= callee.writes;
        self.reads |= callee.reads;
        self.depth = self.depth.max(callee.depth + 1);
    }
}

/// Types of parameters and result.
#[derive(Debug)]
pub(super) struct Signature {
    params: Vec<Parameter>,
    result: Ty,
}

#[derive(Debug)]
struct Parameter {
    ty: Ty,
    reference: bool,
    constant: bool,
}

/// Where a reference parameter points to: storage, first leaf, known index,
/// number of values of the computed index.
type Reference = (StorageId, u32, u32, Option<u32>);

/// What a lowered function is known by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    function: FunctionRef,
    scope: ScopeId,
    references: Vec<Option<Reference>>,
}

/// A lowered function.
#[derive(Clone, Debug)]
pub(super) struct Lowered {
    id: FunctionId,
    facts: Facts,
    /// Where a structure is returned.
    result: Option<Place>,
}

/// The arguments of one call.
#[derive(Default)]
struct Arguments {
    before: Vec<Stmt>,
    values: Vec<Expr>,
    /// What each parameter is bound to; `None` for those passed by value.
    references: Vec<Option<Place>>,
}

impl<'a> Elaborator<'a> {
    /// The declaration of a function.
    pub(super) fn function(&self, function: FunctionRef) -> Option<&'a tree::Function> {
        let block = match function.home {
            Home::Global => &self.document.declarations,
            Home::System => &self.document.system.declarations,
            Home::Template(at) => &self.document.templates.get(at as usize)?.declarations,
        };
        match block.items.get(function.item as usize) {
            Some(tree::Decl::Function(function)) => Some(function),
            _ => None,
        }
    }

    /// `callee(args)`: a function, or a process of a set.
    pub(super) fn call_path(&mut self, callee: &'a tree::Expr, args: &'a [tree::Expr], span: Span) -> Value {
        let (binding, name) = match &callee.kind {
            tree::ExprKind::Name(name) => (self.lookup(name), name),
            tree::ExprKind::Field(base, field) => match self.path(base) {
                Value::Process(process) => (self.own_binding(process, &field.name), &field.name),
                _ => return self.bad("a function is expected here", callee.span),
            },
            _ => return self.bad("a function is expected here", callee.span),
        };
        match binding {
            Some(Binding::Function(function, view)) => self.call(function, view, args, span),
            Some(Binding::ProcessSet(set)) => self.process_of_set(set, args, span),
            Some(Binding::Imported) => {
                self.unsupported(&format!("the library function `{name}`"), span);
                Value::NOTHING
            }
            _ => {
                self.error("bad-expression", callee.span, format!("`{name}` cannot be called"));
                Value::NOTHING
            }
        }
    }

    fn signature(&mut self, function: FunctionRef, view: View, decl: &'a tree::Function) -> Arc<Signature> {
        if let Some(signature) = self.tables.signatures.get(&(function, view.scope)) {
            return signature.clone();
        }
        let outer = self.enter(view);
        let params = decl.params.iter().map(|param| {
            let typed = self.typed(&param.ty);
            let ty = self.with_dims(&typed.ty, &param.dims);
            Parameter { ty, reference: param.reference, constant: typed.constant }
        });
        let params = params.collect();
        let result = self.typed(&decl.result).ty;
        self.leave(outer);
        let signature = Arc::new(Signature { params, result });
        self.tables.signatures.insert((function, view.scope), signature.clone());
        signature
    }

    /// Starts a frame; returns the one around it.
    pub(super) fn enter(&mut self, view: View) -> Frame<'a> {
        let mut frame = Frame::new(view);
        // Shared temporaries in use around it must keep their ranges.
        frame.temporaries = self.frame.temporaries;
        std::mem::replace(&mut self.frame, frame)
    }

    /// Ends a frame; returns it.
    pub(super) fn leave(&mut self, outer: Frame<'a>) -> Frame<'a> {
        std::mem::replace(&mut self.frame, outer)
    }

    fn call(&mut self, function: FunctionRef, view: View, args: &'a [tree::Expr], span: Span) -> Value {
        let Some(decl) = self.function(function) else {
            return self.bad("a function is expected here", span);
        };
        let signature = self.signature(function, view, decl);
        if signature.params.len() != args.len() {
            return self.bad("the number of arguments is not that of the parameters", span);
        }
        if signature.result == Ty::Double
            && !self.function_has_effect(function, view)
            && !args.iter().any(|arg| self.has_effect(arg))
        {
            return Value::Double(Vec::new());
        }
        let many = self.tables.specialised.get(&(function, view.scope)).is_some_and(|n| *n >= FEW);
        let Arguments { mut before, values, references } = self.arguments(&signature, args, many);
        let Some(callee) = self.lowered(function, view, decl, &signature, references) else {
            return Value::NOTHING;
        };
        self.frame.facts.absorb_call(callee.facts);
        if self.frame.facts.depth > MAX_CALL_DEPTH {
            self.error(
                "calls-too-deep",
                span,
                format!("calls are nested more than {MAX_CALL_DEPTH} levels deep"),
            );
            self.frame.facts.depth = 0;
            return Value::NOTHING;
        }
        let known = values.iter().all(|value| matches!(value, Expr::Const(_)));
        let call = Expr::Call(callee.id, values, span);
        match (&signature.result, callee.result) {
            (Ty::Void, _) => Value::Void(seq(before, call)),
            (Ty::Double, _) => {
                before.push(Stmt::Eval(call));
                Value::Double(before)
            }
            (_, Some(result)) => {
                before.push(Stmt::Eval(call));
                let mut place = self.temporary(&result.ty, span);
                self.copy(place.clone(), result, span, &mut before);
                place.before = before;
                Value::Place(place)
            }
            (_, None) => {
                if known
                    && before.is_empty()
                    && !callee.facts.reads
                    && !callee.facts.writes
                    && let Some(value) = self.try_evaluate(&call)
                {
                    return Value::Int(Expr::Const(value));
                }
                Value::Int(seq(before, call))
            }
        }
    }

    fn arguments(&mut self, signature: &Signature, args: &'a [tree::Expr], many: bool) -> Arguments {
        let mut result = Arguments::default();
        for (param, arg) in signature.params.iter().zip(args) {
            let reference =
                if param.reference { self.reference(param, arg, many, &mut result) } else { None };
            if reference.is_none() {
                self.by_value(param, arg, &mut result);
            }
            result.references.push(reference);
        }
        result
    }

    /// Binds a reference parameter. `None` where the argument is only a value.
    fn reference(
        &mut self,
        param: &Parameter,
        arg: &'a tree::Expr,
        many: bool,
        to: &mut Arguments,
    ) -> Option<Place> {
        let Some(mut place) = self.place(arg) else {
            if !param.constant {
                self.unsupported("an argument passed by reference that is no variable", arg.span);
            }
            return None;
        };
        to.before.append(&mut place.before);
        if many {
            self.loosen(&mut place, arg.span);
        }
        if let Some(dynamic) = &place.dynamic {
            to.values.push(self.flat_index(dynamic));
        }
        Some(place)
    }

    /// Passes a known index at run time all the same.
    fn loosen(&mut self, place: &mut Place, span: Span) {
        if place.dynamic.is_some() || place.fixed == 0 || place.ty.has_clocks_or_channels() {
            return;
        }
        let leaf = place.ty.leaves().into_iter().next();
        let rest = leaf.map_or(1, |leaf| leaf.count.max(1)) as u32;
        let count = self.tables.storages.block(place.storage, place.leaf).len / rest;
        let index = DynamicIndex::Flat(Expr::Const(std::mem::take(&mut place.fixed) as i32));
        place.dynamic = Some(Box::new(Dynamic { count, index, span }));
    }

    fn by_value(&mut self, param: &Parameter, arg: &'a tree::Expr, to: &mut Arguments) {
        match &param.ty {
            Ty::Double | Ty::Text => {
                if self.has_effect(arg) {
                    let value = self.value(arg);
                    to.before.extend(self.effects_of(value));
                }
            }
            Ty::Array(_) | Ty::Struct(_) => {
                let Value::Place(mut place) = self.value(arg) else {
                    self.bad("an array or structure is expected here", arg.span);
                    return;
                };
                if place.ty.has_clocks_or_channels() {
                    self.unsupported("a clock or channel passed by value", arg.span);
                    return;
                }
                let mut before = Vec::new();
                self.freeze(&mut place, &mut before);
                let slots = self.slots_of(&place).into_iter().zip(slot_types(&param.ty));
                let slots = slots.map(|(slot, ty)| self.fitting(&ty, slot, Space::Local, arg.span));
                let mut slots: Vec<_> = slots.collect();
                match slots.first_mut() {
                    Some(first) => *first = seq(before, first.clone()),
                    None => to.before.extend(before),
                }
                to.values.extend(slots);
            }
            Ty::Clock | Ty::Channel { .. } => {
                self.unsupported("a clock or channel passed by value", arg.span)
            }
            Ty::Void => {}
            ty => {
                let value = self.int(arg);
                to.values.push(self.fitting(ty, value, Space::Local, arg.span));
            }
        }
    }

    /// The function of the network for a declaration and its references.
    fn lowered(
        &mut self,
        function: FunctionRef,
        view: View,
        decl: &'a tree::Function,
        signature: &Signature,
        references: Vec<Option<Place>>,
    ) -> Option<Lowered> {
        let key = Key {
            function,
            scope: view.scope,
            references: references
                .iter()
                .map(|r| {
                    r.as_ref().map(|p| (p.storage, p.leaf, p.fixed, p.dynamic.as_ref().map(|d| d.count)))
                })
                .collect(),
        };
        match self.tables.functions.get(&key) {
            Some(Some(lowered)) => return Some(lowered.clone()),
            Some(None) => {
                self.error("recursion", decl.name.span, format!("`{}` calls itself", decl.name.name));
                return None;
            }
            None => {}
        }
        *self.tables.specialised.entry((function, view.scope)).or_default() += 1;
        self.tables.functions.insert(key.clone(), None);
        let lowered = self.lower(view, decl, signature, references);
        self.tables.functions.insert(key, Some(lowered.clone()));
        Some(lowered)
    }

    fn lower(
        &mut self,
        view: View,
        decl: &'a tree::Function,
        signature: &Signature,
        references: Vec<Option<Place>>,
    ) -> Lowered {
        let outer = self.enter(view);
        let depth = std::mem::replace(&mut self.depth, 0);
        self.frame.returns = Returns::Nothing;
        let first_param = self.network.locals;
        for ((param, decl), reference) in signature.params.iter().zip(&decl.params).zip(references) {
            let place = match reference {
                Some(place) => self.bind_reference(place),
                // Refused where it was called.
                None if param.ty.has_clocks_or_channels() => {
                    self.frame.names.push((&decl.name.name, Binding::Double));
                    continue;
                }
                None => self.temporary(&param.ty, decl.span),
            };
            self.frame.names.push((&decl.name.name, Binding::Place(place)));
        }
        let params = self.network.locals - first_param;
        let mut result = None;
        self.frame.returns = match &signature.result {
            Ty::Void => Returns::Nothing,
            Ty::Double | Ty::Text => Returns::Double,
            ty if ty.is_aggregate() => {
                let place = self.temporary(ty, decl.span);
                result = Some(place.clone());
                Returns::Place(place)
            }
            ty => Returns::Int(ty.clone()),
        };
        let (min, max) = signature.result.bounds().unwrap_or((0, 0));
        let mut body = Vec::new();
        let ends = self.body(&decl.body, &mut body);
        if !ends && signature.result.bounds().is_some() {
            body.push(Stmt::Return(Some(Expr::Const(0.clamp(min, max.max(min))))));
        }
        let inner = self.leave(outer);
        self.depth = depth;
        let name = format!("{}{}", self.tables.scopes.prefix(view.scope), decl.name.name);
        let writes = inner.facts.writes;
        self.network.functions.push(expr::Function { name, first_param, params, body, min, max, writes });
        Lowered { id: FunctionId::new(self.network.functions.len() - 1), facts: inner.facts, result }
    }

    /// What a reference parameter is inside the function.
    fn bind_reference(&mut self, mut place: Place) -> Place {
        // Whatever it refers to is not of the function's own making.
        self.frame.facts.reads = true;
        if let Some(dynamic) = &place.dynamic {
            let Dynamic { count, span, .. } = **dynamic;
            let slot = self.local(0, (count as i32).saturating_sub(1));
            let index = DynamicIndex::Flat(Expr::Local(slot));
            place.dynamic = Some(Box::new(Dynamic { count, index, span }));
        }
        place
    }
}

/// The type of every integer slot of a value.
fn slot_types(ty: &Ty) -> impl Iterator<Item = Ty> {
    let leaves = ty.leaves().into_iter().filter(|leaf| leaf.ty.bounds().is_some());
    leaves.flat_map(|leaf| std::iter::repeat_n(leaf.ty, leaf.count as usize))
}
