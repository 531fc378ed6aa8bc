//! What each edge reads and writes.
//!
//! Over-approximate: an element picked by an index is every element of its
//! array, and both branches of a conditional count. Functions that an edge
//! calls count as part of it.

use crate::expr::{ClockRef, Expr, Place, Stmt};
use crate::visit::{self, Node};
use crate::{Edge, Network, VarId};
use std::collections::BTreeSet;
use std::ops::Range;

/// Neighbouring slots: a variable, or a whole array. Arrays may be long, so
/// their elements are not listed one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Slots {
    /// The first one.
    pub first: u32,
    /// How many.
    pub len: u32,
}

impl Slots {
    /// As a range of indices.
    pub fn range(self) -> Range<usize> {
        self.first as usize..(self.first + self.len) as usize
    }
}

/// What an edge, a function or any piece of a network reads and writes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// Variables whose values may matter.
    pub reads: BTreeSet<Slots>,
    /// Variables that may be written.
    pub writes: BTreeSet<Slots>,
    /// Clocks that are compared or copied.
    pub tests: BTreeSet<Slots>,
    /// Clocks that may be set.
    pub resets: BTreeSet<Slots>,
}

impl Effects {
    fn add(&mut self, other: &Self) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.tests.extend(&other.tests);
        self.resets.extend(&other.resets);
    }

    pub(super) fn see(&mut self, node: Node<'_>, functions: &[Self]) {
        match node {
            Node::Expr(Expr::Var(var)) => _ = self.reads.insert(slots(*var, 1)),
            Node::Expr(Expr::Element { first, len, .. }) => _ = self.reads.insert(slots(*first, *len)),
            Node::Expr(Expr::Call(function, ..)) => self.add(&functions[function.index()]),
            Node::Expr(_) => {}
            Node::Stmt(Stmt::Assign { place, .. }) => match place {
                Place::Var(var) => _ = self.writes.insert(slots(*var, 1)),
                Place::Element { first, len, .. } => _ = self.writes.insert(slots(*first, *len)),
                Place::Local(_) | Place::LocalElement { .. } => {}
            },
            // The clock that is set is met as a clock, too.
            Node::Stmt(Stmt::Reset { clock, .. }) => _ = self.resets.insert(clocks(clock)),
            Node::Stmt(_) => {}
            Node::Clock(clock) => _ = self.tests.insert(clocks(clock)),
        }
    }
}

fn slots(first: VarId, len: u32) -> Slots {
    Slots { first: first.0, len }
}

fn clocks(clock: &ClockRef) -> Slots {
    match clock {
        ClockRef::Fixed(clock) => Slots { first: clock.0, len: 1 },
        ClockRef::Element { first, len, .. } => Slots { first: first.0, len: *len },
    }
}

/// The effects of every function; callees come before their callers.
pub fn function_effects(network: &Network) -> Vec<Effects> {
    let mut all: Vec<Effects> = Vec::new();
    for function in &network.functions {
        let mut effects = Effects::default();
        visit::block(&function.body, &mut |node| effects.see(node, &all));
        all.push(effects);
    }
    all
}

/// The effects of an edge: guard, channel and update.
pub fn edge_effects(edge: &Edge, functions: &[Effects]) -> Effects {
    let mut effects = Effects::default();
    visit::edge(edge, &mut |node| effects.see(node, functions));
    effects
}

/// For every variable whether some transition may write it.
pub fn written(network: &Network) -> Vec<bool> {
    let functions = function_effects(network);
    let mut all = Effects::default();
    for process in &network.processes {
        process.edges.iter().for_each(|edge| all.add(&edge_effects(edge, &functions)));
    }
    for update in [&network.before_update, &network.after_update] {
        visit::block(&update.body, &mut |node| all.see(node, &functions));
    }
    let mut written = vec![false; network.vars.len()];
    all.writes.into_iter().for_each(|slots| written[slots.range()].fill(true));
    written
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::{Function, Guard, Program};
    use crate::{FunctionId, LocationId, Span, Sync};

    #[test]
    fn functions_and_arrays_count_for_the_edges_that_use_them() {
        let nowhere = Span::default();
        let assign = |var, value| Stmt::Assign { place: Place::Var(VarId(var)), value, span: nowhere };
        let picked =
            Expr::Element { first: VarId(2), len: 3, index: Box::new(Expr::Var(VarId(1))), span: nowhere };
        let function = Function {
            name: "f".into(),
            first_param: 0,
            params: 0,
            body: vec![assign(0, picked), Stmt::Return(None)],
            min: 0,
            max: 0,
            writes: true,
        };
        let network = Network { functions: vec![function], ..Network::default() };
        let edge = Edge {
            source: LocationId(0),
            target: LocationId(0),
            guard: Guard { discrete: vec![Expr::Var(VarId(7))], clocks: Vec::new() },
            update: Program {
                locals: 0,
                body: vec![Stmt::Eval(Expr::Call(FunctionId(0), Vec::new(), nowhere))],
            },
            sync: Sync::Internal,
            event: crate::EventId(0),
            span: nowhere,
            select: Vec::new(),
        };
        let effects = edge_effects(&edge, &function_effects(&network));
        let slots = |list: &[(u32, u32)]| list.iter().map(|&(first, len)| Slots { first, len }).collect();
        assert_eq!(effects.reads, slots(&[(1, 1), (2, 3), (7, 1)]));
        assert_eq!(effects.writes, slots(&[(0, 1)]));
        assert!(effects.tests.is_empty() && effects.resets.is_empty());
    }
}
