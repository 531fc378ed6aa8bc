//! Names and what they stand for.
//!
//! Scopes that outlive one expression (the prelude, the global declarations,
//! the system section, every process) are kept for good: functions are lowered
//! on demand and queries come later. The names of blocks, selects and
//! quantifiers live on a stack of the [`Frame`] that is being lowered.
//!
//! A declaration sees what stands before it only, so a reference to a scope is
//! a [`View`]: the scope and how many of its names are visible.

use std::collections::HashMap;

use dwell_model::ProcessId;

use super::function::{Facts, FunctionRef, Returns};
use super::storage::Place;
use super::types::Typed;

/// What a name stands for.
#[derive(Clone, Debug)]
pub(super) enum Binding {
    /// An integer known now: constants, parameters, select variables.
    Constant(i32),
    /// A local slot that only loops write: the variable of an iteration.
    Loop(u32),
    /// A variable, clock, channel, or a constant that has several slots.
    Place(Place),
    Type(Typed),
    Function(FunctionRef, View),
    /// A function of a library.
    Imported,
    /// A floating-point constant.
    Double,
    /// A partial or full instantiation in the system section.
    Instantiation(usize),
    /// A process, in queries.
    Process(ProcessId),
    /// A set of processes, in queries.
    ProcessSet(usize),
    /// A template that processes may start while running.
    Dynamic,
}

/// One scope of [`Scopes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub(super) struct ScopeId(u32);

/// The names of a scope that were declared before some point.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct View {
    pub scope: ScopeId,
    /// Names with a smaller number are visible.
    pub limit: u32,
}

#[derive(Debug, Default)]
struct Scope {
    outer: Option<View>,
    /// What stands before its names when people read them: `P(1).`.
    prefix: String,
    names: HashMap<String, (u32, Binding)>,
}

/// All scopes.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    list: Vec<Scope>,
}

impl Scopes {
    /// A new, empty scope inside `outer`.
    pub fn open(&mut self, outer: Option<View>, prefix: String) -> ScopeId {
        self.list.push(Scope { outer, prefix, names: HashMap::new() });
        ScopeId(self.list.len() as u32 - 1)
    }

    /// What stands before the names of a scope when people read them.
    pub fn prefix(&self, scope: ScopeId) -> &str {
        &self.list[scope.0 as usize].prefix
    }

    /// Declares a name. The first of two equal ones stays.
    pub fn bind(&mut self, scope: ScopeId, name: &str, binding: Binding) {
        let names = &mut self.list[scope.0 as usize].names;
        let number = names.len() as u32;
        names.entry(name.to_owned()).or_insert((number, binding));
    }

    /// All names of the scope so far.
    pub fn view(&self, scope: ScopeId) -> View {
        View { scope, limit: self.list[scope.0 as usize].names.len() as u32 }
    }

    /// What a name stands for.
    pub fn lookup(&self, view: View, name: &str) -> Option<&Binding> {
        let mut view = Some(view);
        while let Some(View { scope, limit }) = view {
            let scope = &self.list[scope.0 as usize];
            if let Some((_, binding)) = scope.names.get(name).filter(|(number, _)| *number < limit) {
                return Some(binding);
            }
            view = scope.outer;
        }
        None
    }

    /// What a name of this scope itself stands for.
    pub fn own(&self, scope: ScopeId, name: &str) -> Option<&Binding> {
        self.list[scope.0 as usize].names.get(name).map(|(_, binding)| binding)
    }
}

/// What is being lowered: an edge, a location, a declaration, a function, a query.
#[derive(Debug, Default)]
pub(super) struct Frame<'a> {
    /// The names around it.
    pub view: View,
    /// The names inside it, the innermost last.
    pub names: Vec<(&'a str, Binding)>,
    /// What `return` does.
    pub returns: Returns,
    /// What was seen so far.
    pub facts: Facts,
    /// How many copies of a body the quantifiers and loops around make.
    pub copies: u64,
    /// How many of the shared temporaries are taken.
    pub temporaries: usize,
}

impl Frame<'_> {
    /// An empty frame in a scope.
    pub fn new(view: View) -> Self {
        Self { view, copies: 1, ..Self::default() }
    }

    /// What one of its own names stands for.
    pub fn lookup(&self, name: &str) -> Option<&Binding> {
        self.names.iter().rev().find(|(n, _)| *n == name).map(|(_, binding)| binding)
    }
}
