//! What each edge needs and does, as far as its text tells.
//!
//! F-1 What an edge *needs* (a variable in an interval, a clock above or below
//!     a constant) holds in every state in which it is taken: conjuncts of its
//!     guard. Guards are tested on the source state of a transition, before any
//!     update of it, and write nothing.
//! F-2 What an edge *does* to a variable is said of the moment its own update
//!     ends, of nothing else: other participants of the transition run before
//!     and after it. Whatever is not simple is [`Change::MaySet`].
//! F-3 Nothing is said of variables that every transition may write (before or
//!     after its updates), of meta variables, of clocks that every transition
//!     may set, of constraints under a condition or on differences.

use crate::interval::{intersection, of_var, shifted};
use dwell_model::analysis::{Effects, Interval, Slots, function_effects};
use dwell_model::expr::{BinaryOp, ClockConstraint, ClockRef, Expr, Guard, Place, Relation, Stmt};
use dwell_model::visit::{self, Node};
use dwell_model::{Edge, Network, VarKind};
use std::collections::BTreeMap;

/// What an update does to a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// Nothing.
    Keep,
    /// Adds a constant, without wrapping around.
    Add(i32),
    /// Gives it a value of the interval.
    Set(Interval),
    /// Leaves it, or gives it a value of the interval.
    MaySet(Interval),
}

impl Change {
    /// Whether the value afterwards may be a new one inside `into`.
    pub fn may_reach(self, into: Interval) -> bool {
        match self {
            Self::Keep => false,
            Self::Add(_) => true,
            Self::Set(values) | Self::MaySet(values) => intersection(values, into).is_some(),
        }
    }
}

/// A bound on a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ClockBound {
    pub clock: u32,
    pub constant: i32,
    /// `<` or `>` rather than `<=` or `>=`.
    pub strict: bool,
}

/// Bounds on clocks that a guard or an invariant implies.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClockBounds {
    /// The clock is at least that.
    pub lower: Vec<ClockBound>,
    /// The clock is at most that.
    pub upper: Vec<ClockBound>,
}

/// What is known of an edge.
#[derive(Clone, Debug, Default)]
pub(crate) struct EdgeFacts {
    /// Where variables must be for it to be taken.
    pub needs: Vec<(u32, Interval)>,
    /// What its update does to single variables.
    changes: BTreeMap<u32, Change>,
    /// Arrays of which some element may be written.
    arrays: Vec<Slots>,
    /// Where clocks must be for it to be taken.
    pub clocks: ClockBounds,
    /// Clocks that may be set.
    pub resets: Vec<Slots>,
}

impl EdgeFacts {
    /// What the update does to a variable.
    pub fn change(&self, var: u32, network: &Network) -> Change {
        match self.changes.get(&var) {
            Some(&change) => change,
            None if contains(&self.arrays, var) => Change::MaySet(of_var(network, var)),
            None => Change::Keep,
        }
    }

    /// Single variables that are written.
    pub fn written(&self) -> impl Iterator<Item = (u32, Change)> {
        self.changes.iter().map(|(&var, &change)| (var, change))
    }

    /// Arrays that are written.
    pub fn written_arrays(&self) -> impl Iterator<Item = Slots> {
        self.arrays.iter().copied()
    }

    /// Whether a clock may be set.
    pub fn may_reset(&self, clock: u32) -> bool {
        contains(&self.resets, clock)
    }
}

fn contains(list: &[Slots], slot: u32) -> bool {
    list.iter().any(|slots| slots.range().contains(&(slot as usize)))
}

/// Reads edges, guards and invariants of a network.
pub(crate) struct Reader<'n> {
    network: &'n Network,
    functions: Vec<Effects>,
    /// What every transition may write, around the updates of its edges.
    around: EdgeFacts,
}

impl<'n> Reader<'n> {
    pub fn new(network: &'n Network) -> Self {
        let functions = function_effects(network);
        let mut reader = Self { network, functions, around: EdgeFacts::default() };
        let mut around = EdgeFacts::default();
        for update in [&network.before_update, &network.after_update] {
            reader.anywhere_in(&update.body, &mut around);
        }
        reader.around = around;
        reader
    }

    pub fn edge(&self, edge: &Edge) -> EdgeFacts {
        let mut facts = EdgeFacts::default();
        edge.guard.discrete.iter().for_each(|e| self.need(e, &mut facts.needs));
        facts.clocks = self.clock_bounds(&edge.guard);
        self.block(&edge.update.body, &mut facts);
        facts
    }

    /// F-3
    pub fn is_plain(&self, var: u32) -> bool {
        self.network.vars[var as usize].kind == VarKind::State
            && self.around.change(var, self.network) == Change::Keep
    }

    /// The variable an expression is.
    fn variable(&self, e: &Expr) -> Option<u32> {
        let var = match e {
            Expr::Var(var) => var.0,
            Expr::Element { first, len, index, .. } => first.0 + self.element(index, *len)?,
            Expr::Checked { value, .. } => return self.variable(value),
            _ => return None,
        };
        self.is_plain(var).then_some(var)
    }

    /// The only element that an index may mean.
    fn element(&self, index: &Expr, len: u32) -> Option<u32> {
        let range = Interval::of(index, self.network);
        let element = u32::try_from(range.min).ok().filter(|_| range.min == range.max)?;
        (element < len).then_some(element)
    }

    /// What a conjunct of a guard says of single variables.
    fn need(&self, e: &Expr, needs: &mut Vec<(u32, Interval)>) {
        let mut note = |var: u32, min: i64, max: i64| {
            let range = of_var(self.network, var);
            let (min, max) = (min.max(range.min.into()), max.min(range.max.into()));
            // Where nothing is left the edge is never taken, and nothing need be said.
            if min <= max {
                needs.push((var, Interval { min: min as i32, max: max as i32 }));
            }
        };
        let (no_least, no_most) = (i64::MIN, i64::MAX);
        match e {
            Expr::And(l, r) => {
                self.need(l, needs);
                self.need(r, needs);
            }
            Expr::Not(e) => {
                if let Some(var) = self.variable(e) {
                    note(var, 0, 0);
                }
            }
            Expr::Binary(op, l, r, _) => {
                for (side, other, op) in [(l, r, *op), (r, l, mirrored(*op))] {
                    let Some(var) = self.variable(side) else { continue };
                    let Interval { min, max } = Interval::of(other, self.network);
                    let (min, max) = (i64::from(min), i64::from(max));
                    match op {
                        BinaryOp::Eq => note(var, min, max),
                        BinaryOp::Lt => note(var, no_least, max - 1),
                        BinaryOp::Le => note(var, no_least, max),
                        BinaryOp::Ge => note(var, min, no_most),
                        BinaryOp::Gt => note(var, min + 1, no_most),
                        BinaryOp::Ne if min == max => self.need_other(var, min, &mut note),
                        _ => {}
                    }
                }
            }
            e => {
                if let Some(var) = self.variable(e) {
                    self.need_other(var, 0, &mut note);
                }
            }
        }
    }

    /// A variable differs from a value: an interval where that is at an end.
    fn need_other(&self, var: u32, value: i64, note: &mut impl FnMut(u32, i64, i64)) {
        let range = of_var(self.network, var);
        if i64::from(range.min) == value {
            note(var, value + 1, i64::MAX);
        } else if i64::from(range.max) == value {
            note(var, i64::MIN, value - 1);
        }
    }

    /// What the clock constraints of a guard or an invariant imply.
    pub fn clock_bounds(&self, guard: &Guard) -> ClockBounds {
        let mut bounds = ClockBounds::default();
        for constraint in &guard.clocks {
            let Some(clock) = self.compared(constraint) else { continue };
            let Interval { min, max } = Interval::of(&constraint.bound, self.network);
            let strict = matches!(constraint.relation, Relation::Lt | Relation::Gt);
            if !matches!(constraint.relation, Relation::Lt | Relation::Le) {
                bounds.lower.push(ClockBound { clock, constant: min, strict });
            }
            if !matches!(constraint.relation, Relation::Gt | Relation::Ge) {
                bounds.upper.push(ClockBound { clock, constant: max, strict });
            }
        }
        bounds
    }

    /// The clock of a constraint that always counts. F-3
    fn compared(&self, constraint: &ClockConstraint) -> Option<u32> {
        if constraint.when.is_some() || constraint.minus.is_some() {
            return None;
        }
        let clock = match &constraint.left {
            ClockRef::Fixed(clock) => clock.0,
            ClockRef::Element { first, len, index, .. } => first.0 + self.element(index, *len)?,
        };
        (!self.around.may_reset(clock)).then_some(clock)
    }

    fn block(&self, body: &[Stmt], facts: &mut EdgeFacts) {
        for stmt in body {
            match stmt {
                Stmt::Assign { place, value, .. } => {
                    let nested = [Stmt::Eval(value.clone())];
                    self.anywhere_in(&nested, facts);
                    match place {
                        Place::Var(var) => self.assign(var.0, value, facts),
                        Place::Element { .. } => self.anywhere_in(std::slice::from_ref(stmt), facts),
                        Place::LocalElement { index, .. } => {
                            self.anywhere_in(&[Stmt::Eval(index.clone())], facts);
                        }
                        Place::Local(_) => {}
                    }
                }
                Stmt::If { condition, then, otherwise } => {
                    self.anywhere_in(&[Stmt::Eval(condition.clone())], facts);
                    let mut other = facts.clone();
                    self.block(then, facts);
                    self.block(otherwise, &mut other);
                    self.join(facts, other);
                }
                other => self.anywhere_in(std::slice::from_ref(other), facts),
            }
        }
    }

    fn assign(&self, var: u32, value: &Expr, facts: &mut EdgeFacts) {
        let range = of_var(self.network, var);
        let added = self.added(var, value).filter(|&d| shifted(range, d).is_some());
        let change = match (added, facts.change(var, self.network)) {
            (Some(d), Change::Keep) => Change::Add(d),
            (Some(d), Change::Add(before)) => {
                before.checked_add(d).map_or(Change::MaySet(range), Change::Add)
            }
            // The sum is in its range, or the update does not end.
            (Some(d), Change::Set(values)) => {
                let sum = shifted(values, d).and_then(|sum| intersection(sum, range));
                sum.map_or(Change::MaySet(range), Change::Set)
            }
            (Some(_), Change::MaySet(_)) => Change::MaySet(range),
            (None, _) => {
                let value = intersection(Interval::of(value, self.network), range);
                value.map_or(Change::MaySet(range), Change::Set)
            }
        };
        facts.changes.insert(var, change);
    }

    /// The constant that an assigned value adds to the variable.
    fn added(&self, var: u32, value: &Expr) -> Option<i32> {
        let is_it = |e: &Expr| matches!(e, Expr::Var(v) if v.0 == var);
        let constant = |e: &Expr| {
            let range = Interval::of(e, self.network);
            (range.min == range.max).then_some(range.min)
        };
        match value {
            Expr::Checked { value, .. } => self.added(var, value),
            Expr::Binary(BinaryOp::Add, l, r, _) if is_it(l) => constant(r),
            Expr::Binary(BinaryOp::Add, l, r, _) if is_it(r) => constant(l),
            Expr::Binary(BinaryOp::Sub, l, r, _) if is_it(l) => constant(r)?.checked_neg(),
            e if is_it(e) => Some(0),
            _ => None,
        }
    }

    /// Everything these statements write, whether or not they are reached.
    fn anywhere_in(&self, body: &[Stmt], facts: &mut EdgeFacts) {
        let mut writes: Vec<Slots> = Vec::new();
        visit::block(body, &mut |node| match node {
            Node::Stmt(Stmt::Assign { place: Place::Var(var), .. }) => {
                writes.push(Slots { first: var.0, len: 1 });
            }
            Node::Stmt(Stmt::Assign { place: Place::Element { first, len, index, .. }, .. }) => {
                writes.push(match self.element(index, *len) {
                    Some(element) => Slots { first: first.0 + element, len: 1 },
                    None => Slots { first: first.0, len: *len },
                });
            }
            Node::Stmt(Stmt::Reset { clock, .. }) => facts.resets.push(match clock {
                ClockRef::Fixed(clock) => Slots { first: clock.0, len: 1 },
                ClockRef::Element { first, len, .. } => Slots { first: first.0, len: *len },
            }),
            Node::Expr(Expr::Call(function, ..)) => {
                let called = &self.functions[function.index()];
                writes.extend(&called.writes);
                facts.resets.extend(&called.resets);
            }
            _ => {}
        });
        for slots in writes {
            let range = |var| of_var(self.network, var);
            if slots.len == 1 {
                facts.changes.insert(slots.first, Change::MaySet(range(slots.first)));
            } else {
                for (var, change) in facts.changes.range_mut(slots.first..slots.first + slots.len) {
                    *change = Change::MaySet(range(*var));
                }
                facts.arrays.push(slots);
            }
        }
    }

    /// Either of two things has happened.
    fn join(&self, facts: &mut EdgeFacts, other: EdgeFacts) {
        let vars: Vec<u32> = facts.changes.keys().chain(other.changes.keys()).copied().collect();
        for var in vars {
            let range = of_var(self.network, var);
            let change = match (facts.change(var, self.network), other.change(var, self.network)) {
                (a, b) if a == b => a,
                (Change::Set(a), Change::Set(b)) => Change::Set(hull(a, b)),
                (Change::Keep, Change::Set(a) | Change::MaySet(a))
                | (Change::Set(a) | Change::MaySet(a), Change::Keep) => Change::MaySet(a),
                _ => Change::MaySet(range),
            };
            facts.changes.insert(var, change);
        }
        facts.arrays.extend(other.arrays);
        facts.resets.extend(other.resets);
    }
}

fn hull(a: Interval, b: Interval) -> Interval {
    Interval { min: a.min.min(b.min), max: a.max.max(b.max) }
}

fn mirrored(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Ge => BinaryOp::Le,
        BinaryOp::Gt => BinaryOp::Lt,
        other => other,
    }
}
