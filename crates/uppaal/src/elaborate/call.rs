//! Calls: arguments, and what becomes of the result.

use dwell_model::Span;
use dwell_model::expr::{Expr, MAX_CALL_DEPTH, Place as Target, Stmt};
use dwell_syntax::uppaal::tree;

use super::Elaborator;
use super::expression::Value;
use super::fold::seq;
use super::function::{FunctionRef, Parameter, Signature};
use super::scope::{Binding, View};
use super::storage::{Dynamic, DynamicIndex, Place, Space};
use super::types::Ty;

/// So many versions of a function are made for known indices of its reference
/// arguments; more share one that is passed the index.
const FEW: usize = 32;

/// The arguments of one call.
#[derive(Default)]
struct Arguments {
    before: Vec<Stmt>,
    values: Vec<Expr>,
    /// What each parameter is bound to; `None` for those passed by value.
    references: Vec<Option<Place>>,
}

impl<'a> Elaborator<'a> {
    /// `callee(args)`: a function, or a process of a set.
    #[inline(never)]
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

    #[inline(never)]
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

    #[inline(never)]
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
    #[inline(never)]
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
        if !place.before.is_empty() {
            self.known_so_far(to, arg.span);
            to.before.append(&mut place.before);
        }
        if many {
            self.loosen(&mut place, arg.span);
        }
        if let Some(dynamic) = &place.dynamic {
            to.values.push(self.flat_index(dynamic));
        }
        Some(place)
    }

    /// Computes the values that are known so far: something with effects comes
    /// next, and arguments are evaluated from left to right.
    fn known_so_far(&mut self, to: &mut Arguments, span: Span) {
        for value in to.values.iter_mut().filter(|value| !matches!(value, Expr::Const(_))) {
            let (low, high) = self.range(value);
            let slot = self.local(low as i32, high as i32);
            let value = std::mem::replace(value, Expr::Local(slot));
            to.before.push(Stmt::Assign { place: Target::Local(slot), value, span });
        }
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

    #[inline(never)]
    fn by_value(&mut self, param: &Parameter, arg: &'a tree::Expr, to: &mut Arguments) {
        match &param.ty {
            Ty::Double | Ty::Text => {
                if self.has_effect(arg) {
                    let value = self.value(arg);
                    self.known_so_far(to, arg.span);
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
}

/// The type of every integer slot of a value.
fn slot_types(ty: &Ty) -> impl Iterator<Item = Ty> {
    let leaves = ty.leaves().into_iter().filter(|leaf| leaf.ty.bounds().is_some());
    leaves.flat_map(|leaf| std::iter::repeat_n(leaf.ty, leaf.count as usize))
}
