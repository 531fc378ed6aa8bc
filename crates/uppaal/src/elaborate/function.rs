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

use dwell_model::FunctionId;
use dwell_model::expr::{self, Expr, Stmt};
use dwell_syntax::uppaal::tree;

use super::Elaborator;
use super::scope::{Binding, Frame, ScopeId, View};
use super::storage::{Dynamic, DynamicIndex, Place, StorageId};
use super::types::Ty;

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
    /// Takes over what is known of a function that is called.
    pub fn absorb_call(&mut self, callee: Facts) {
        self.writes |= callee.writes;
        self.reads |= callee.reads;
        self.depth = self.depth.max(callee.depth + 1);
    }
}

/// Types of parameters and result.
#[derive(Debug)]
pub(super) struct Signature {
    pub params: Vec<Parameter>,
    pub result: Ty,
}

/// A parameter of a function.
#[derive(Debug)]
pub(super) struct Parameter {
    pub ty: Ty,
    pub reference: bool,
    pub constant: bool,
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
    pub id: FunctionId,
    pub facts: Facts,
    /// Where a structure is returned.
    pub result: Option<Place>,
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

    /// The types of a function, as its scope makes them.
    pub(super) fn signature(
        &mut self,
        function: FunctionRef,
        view: View,
        decl: &'a tree::Function,
    ) -> Arc<Signature> {
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

    /// The function of the network for a declaration and its references.
    #[inline(never)]
    pub(super) fn lowered(
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

    #[inline(never)]
    fn lower(
        &mut self,
        view: View,
        decl: &'a tree::Function,
        signature: &Signature,
        references: Vec<Option<Place>>,
    ) -> Lowered {
        let outer = self.enter(view);
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
