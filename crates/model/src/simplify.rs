//! Guards and updates with everything computed that can be known beforehand.
//!
//! `for (i = 0; i < 3; i++) a[i] = f(i)` becomes three assignments to three
//! variables. Code is faster without loops, indices and calls, and analysis sees
//! what is written: that all of `a` is cannot be told from an index that is a
//! local.
//!
//! Updates are carried out as far as locals are known (partial evaluation): loops
//! whose condition is known are written out, branches that are not taken go,
//! elements with a known index become variables, constants become values, calls
//! of functions whose arguments and result are known become values, and calls
//! that are statements are replaced by what they do.
//!
//! SI-1 The result does what the original does, and fails where it fails, for
//!      every value of what is not known. A local counts as known only while
//!      nothing may have changed it: what calls and sequences inside an expression
//!      may write is not known before and after it.
//! SI-2 It is not much longer: a loop that would become too long stays a loop,
//!      and updates that would stay as they are.
//! SI-3 The oracle walks the originals.

use crate::code::constant;
use crate::expr::{ClockConstraint, ClockRef, Expr, Guard, Place, Program, Stmt};
use crate::visit::{self, Node};
use crate::{ClockId, Network, VarId, VarKind};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// The most statements that an update becomes.
const MOST: usize = 1 << 12;
/// The most statements that are gone through for a loop.
const MOST_OF_LOOP: usize = 1 << 10;
/// The most statements that are gone through for an update.
const MOST_STEPS: usize = 1 << 14;
/// The same for all updates and functions of a network.
const MOST_IN_ALL: usize = 1 << 16;

/// Values of locals.
type Known = BTreeMap<u32, i32>;

/// Neighbouring locals: the first one and how many.
type Locals = (u32, u32);

/// Simplifies what belongs to a network.
pub(crate) struct Simplifier<'n> {
    network: &'n Network,
    /// For every function the locals that it may write, parameters included, or
    /// what it calls may.
    writes: Vec<BTreeSet<Locals>>,
    /// Statements gone through.
    steps: Cell<usize>,
}

impl<'n> Simplifier<'n> {
    pub fn new(network: &'n Network) -> Self {
        let mut writes = Vec::new();
        for function in &network.functions {
            let mut locals = BTreeSet::from([(function.first_param, function.params)]);
            written(&function.body, &writes, &mut |local| _ = locals.insert(local));
            writes.push(locals);
        }
        Self { network, writes, steps: Cell::new(0) }
    }

    /// A guard or an invariant: no local is known there.
    pub fn guard(&self, guard: &Guard) -> Guard {
        let (mut walk, known) = (Walk { simplifier: self, steps: 0 }, Known::new());
        let discrete = guard.discrete.iter().map(|e| walk.with(e, &known)).collect();
        let clocks = guard.clocks.iter().map(|c| ClockConstraint {
            when: c.when.as_ref().map(|e| walk.with(e, &known)),
            left: walk.clock(&c.left, &known),
            minus: c.minus.as_ref().map(|clock| walk.clock(clock, &known)),
            bound: walk.with(&c.bound, &known),
            ..c.clone()
        });
        Guard { clocks: clocks.collect(), discrete }
    }

    /// An update.
    pub fn program(&self, program: &Program) -> Program {
        Program { locals: program.locals, body: self.block(&program.body, program.locals) }
    }

    /// The body of a function, or of an update whose first `zeros` locals are zero.
    pub fn block(&self, body: &[Stmt], zeros: u32) -> Vec<Stmt> {
        if self.steps.get() > MOST_IN_ALL {
            return body.to_vec();
        }
        let mut walk = Walk { simplifier: self, steps: 0 };
        let (mut known, mut out) = ((0..zeros).map(|local| (local, 0)).collect(), Vec::new());
        walk.block(body, &mut known, &mut out);
        self.steps.update(|steps| steps + walk.steps);
        if walk.steps > MOST_STEPS || length(&out) > MOST { body.to_vec() } else { out } // SI-2
    }
}

/// Tells which locals some statements may write.
fn written(body: &[Stmt], functions: &[BTreeSet<Locals>], tell: &mut dyn FnMut(Locals)) {
    visit::block(body, &mut |node| match node {
        Node::Stmt(Stmt::Assign { place: Place::Local(local), .. }) => tell((*local, 1)),
        Node::Stmt(Stmt::Assign { place: Place::LocalElement { first, len, .. }, .. }) => {
            tell((*first, *len))
        }
        Node::Expr(Expr::Call(function, ..)) => {
            functions[function.index()].iter().for_each(|locals| tell(*locals));
        }
        _ => {}
    });
}

/// How many statements there are, nested ones included.
fn length(body: &[Stmt]) -> usize {
    let mut length = 0;
    visit::block(body, &mut |node| length += usize::from(matches!(node, Node::Stmt(_))));
    length
}

struct Walk<'s> {
    simplifier: &'s Simplifier<'s>,
    steps: usize,
}

impl Walk<'_> {
    /// Appends what `body` does to `out`. True where it ends the function.
    fn block(&mut self, body: &[Stmt], known: &mut Known, out: &mut Vec<Stmt>) -> bool {
        body.iter().any(|stmt| self.statement(stmt, known, out))
    }

    fn statement(&mut self, stmt: &Stmt, known: &mut Known, out: &mut Vec<Stmt>) -> bool {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return true; // SI-2: all of it is thrown away
        }
        self.forget_written(stmt, known);
        match stmt {
            Stmt::Assign { place, value, span } => {
                let (place, value) = (self.place(place, known), self.with(value, known));
                match &place {
                    Place::Local(local) => match constant(&value) {
                        Some(value) => _ = known.insert(*local, value),
                        None => _ = known.remove(local),
                    },
                    Place::LocalElement { first, len, .. } => forget(known, (*first, *len)),
                    Place::Var(_) | Place::Element { .. } => {}
                }
                out.push(Stmt::Assign { place, value, span: *span });
            }
            Stmt::If { condition, then, otherwise } => {
                let condition = self.with(condition, known);
                if let Some(value) = constant(&condition) {
                    return self.block(if value != 0 { then } else { otherwise }, known, out);
                }
                let mut other = known.clone();
                let mut branches = [Vec::new(), Vec::new()];
                let ends = [
                    self.block(then, known, &mut branches[0]),
                    self.block(otherwise, &mut other, &mut branches[1]),
                ];
                match ends {
                    [true, false] => *known = other,
                    [false, true] => {}
                    _ => known.retain(|local, value| other.get(local) == Some(value)),
                }
                let [then, otherwise] = branches;
                out.push(Stmt::If { condition, then, otherwise });
                return ends == [true, true];
            }
            Stmt::While { .. } => return self.repeat(stmt, known, out),
            Stmt::Return(value) => {
                out.push(Stmt::Return(value.as_ref().map(|value| self.with(value, known))));
                return true;
            }
            Stmt::Eval(Expr::Call(function, arguments, _)) if self.is_plain(stmt) => {
                let function = &self.simplifier.network.functions[function.index()];
                for (parameter, argument) in (function.first_param..).zip(arguments) {
                    let (place, value) = (Place::Local(parameter), argument.clone());
                    self.statement(&Stmt::Assign { place, value, span: Default::default() }, known, out);
                }
                self.block(before_return(&function.body), known, out);
            }
            Stmt::Eval(value) => out.push(Stmt::Eval(self.with(value, known))),
            Stmt::Assert { condition, span } => {
                out.push(Stmt::Assert { condition: self.with(condition, known), span: *span });
            }
            Stmt::Reset { clock, from, value, span } => out.push(Stmt::Reset {
                clock: self.clock(clock, known),
                from: from.as_ref().map(|from| self.clock(from, known)),
                value: self.with(value, known),
                span: *span,
            }),
        }
        false
    }

    /// A loop: as many rounds as are known, or what is left of it.
    fn repeat(&mut self, stmt: &Stmt, known: &mut Known, out: &mut Vec<Stmt>) -> bool {
        let Stmt::While { condition, body, span } = stmt else { return false };
        let (before, begin, steps) = (known.clone(), out.len(), self.steps);
        while self.steps <= MOST_STEPS {
            self.steps += 1;
            match constant(&self.with(condition, known)) {
                Some(0) => return false,
                Some(_) if self.steps - steps > MOST_OF_LOOP => {
                    out.truncate(begin);
                    *known = before;
                    break;
                }
                Some(_) if self.block(body, known, out) => return true,
                Some(_) => {}
                None => break,
            }
        }
        // Some number of rounds, each of which may change what it writes.
        self.forget_in(stmt, known);
        let (mut inside, mut round) = (known.clone(), Vec::new());
        self.block(body, &mut inside, &mut round);
        out.push(Stmt::While { condition: self.with(condition, known), body: round, span: *span });
        false
    }

    /// Whether a call can be replaced by what it does: it comes to its end, and its
    /// arguments do not call it.
    fn is_plain(&self, call: &Stmt) -> bool {
        let Stmt::Eval(Expr::Call(function, arguments, _)) = call else { return false };
        let quiet = |e: &Expr| {
            let mut quiet = true;
            visit::expr(e, &mut |node| {
                quiet &= !matches!(node, Node::Stmt(_) | Node::Expr(Expr::Call(..)));
            });
            quiet
        };
        let mut returns = false;
        let body = before_return(&self.simplifier.network.functions[function.index()].body);
        visit::block(body, &mut |node| returns |= matches!(node, Node::Stmt(Stmt::Return(_))));
        !returns && arguments.iter().all(quiet)
    }

    /// Forgets the locals that the expressions of a statement may write. Of a loop
    /// its condition, before the first round.
    fn forget_written(&self, stmt: &Stmt, known: &mut Known) {
        match stmt {
            _ if known.is_empty() => {}
            Stmt::If { condition, .. } | Stmt::While { condition, .. } => {
                self.forget_in(&Stmt::Eval(condition.clone()), known);
            }
            Stmt::Assign { value, place, .. } => {
                // Its place is written after them.
                if let Place::Element { index, .. } | Place::LocalElement { index, .. } = place {
                    self.forget_in(&Stmt::Eval(index.clone()), known);
                }
                self.forget_in(&Stmt::Eval(value.clone()), known);
            }
            _ => self.forget_in(stmt, known),
        }
    }

    fn forget_in(&self, stmt: &Stmt, known: &mut Known) {
        let body = std::slice::from_ref(stmt);
        written(body, &self.simplifier.writes, &mut |locals| forget(known, locals));
    }

    /// A clock whose index may be known.
    fn clock(&mut self, clock: &ClockRef, known: &Known) -> ClockRef {
        match clock {
            ClockRef::Fixed(_) => clock.clone(),
            ClockRef::Element { first, len, index, span } => {
                let index = self.with(index, known);
                match picked(&index, *len) {
                    Some(at) => ClockRef::Fixed(ClockId(first.0 + at)),
                    None => ClockRef::Element { first: *first, len: *len, index, span: *span },
                }
            }
        }
    }

    /// A place whose index may be known.
    fn place(&mut self, place: &Place, known: &Known) -> Place {
        match place {
            Place::Var(_) | Place::Local(_) => place.clone(),
            Place::Element { first, len, index, span } => {
                let index = self.with(index, known);
                match picked(&index, *len) {
                    Some(at) => Place::Var(VarId(first.0 + at)),
                    None => Place::Element { first: *first, len: *len, index, span: *span },
                }
            }
            Place::LocalElement { first, len, index, span } => {
                let index = self.with(index, known);
                match picked(&index, *len) {
                    Some(at) => Place::Local(first + at),
                    None => Place::LocalElement { first: *first, len: *len, index, span: *span },
                }
            }
        }
    }

    /// An expression with what is known in it.
    fn with(&mut self, expr: &Expr, known: &Known) -> Expr {
        let mut inner = |e: &Expr| Box::new(self.with(e, known));
        let replaced = match expr {
            Expr::Local(local) => known.get(local).map_or_else(|| expr.clone(), |value| Expr::Const(*value)),
            Expr::Var(var) => self.variable(*var),
            Expr::Element { first, len, index, span } => {
                let index = inner(index);
                match picked(&index, *len) {
                    Some(at) => self.variable(VarId(first.0 + at)),
                    None => Expr::Element { first: *first, len: *len, index, span: *span },
                }
            }
            Expr::LocalElement { first, len, index, span } => {
                let index = inner(index);
                match picked(&index, *len) {
                    Some(at) => return self.with(&Expr::Local(first + at), known),
                    None => Expr::LocalElement { first: *first, len: *len, index, span: *span },
                }
            }
            Expr::Index { index, low, len, span } => {
                Expr::Index { index: inner(index), low: *low, len: *len, span: *span }
            }
            Expr::Checked { value, min, max, span } => {
                Expr::Checked { value: inner(value), min: *min, max: *max, span: *span }
            }
            Expr::Call(function, arguments, span) => {
                let arguments: Vec<Expr> = arguments.iter().map(|e| self.with(e, known)).collect();
                match self.called(function.index(), &arguments) {
                    Some(value) => Expr::Const(value),
                    None => Expr::Call(*function, arguments, *span),
                }
            }
            Expr::Neg(e, span) => Expr::Neg(inner(e), *span),
            Expr::Not(e) => Expr::Not(inner(e)),
            Expr::Binary(op, l, r, span) => Expr::Binary(*op, inner(l), inner(r), *span),
            Expr::And(l, r) => Expr::And(inner(l), inner(r)),
            Expr::Or(l, r) => Expr::Or(inner(l), inner(r)),
            Expr::IfThenElse(c, t, e) => Expr::IfThenElse(inner(c), inner(t), inner(e)),
            // What is inside may write locals that are read there.
            Expr::Seq(..) | Expr::Const(_) | Expr::At(..) => return expr.clone(),
        };
        constant(&replaced).map_or(replaced, Expr::Const)
    }

    fn variable(&self, var: VarId) -> Expr {
        let slot = &self.simplifier.network.vars[var.index()];
        if slot.kind == VarKind::Constant { Expr::Const(slot.init) } else { Expr::Var(var) }
    }

    /// What a function returns that does nothing else, if its arguments are known
    /// and nothing more is needed. One that writes locals, perhaps of its caller,
    /// does more.
    fn called(&mut self, function: usize, arguments: &[Expr]) -> Option<i32> {
        let function = &self.simplifier.network.functions[function];
        let values: Option<Vec<i32>> = arguments.iter().map(constant).collect();
        let mut known: Known = (function.first_param..).zip(values?).collect();
        let mut out = Vec::new();
        self.block(&function.body, &mut known, &mut out);
        match out.as_slice() {
            [Stmt::Return(Some(value))] => constant(value),
            _ => None,
        }
    }
}

/// A body without the return at its end.
fn before_return(body: &[Stmt]) -> &[Stmt] {
    match body.split_last() {
        Some((Stmt::Return(None), before)) => before,
        _ => body,
    }
}

fn forget(known: &mut Known, (first, len): Locals) {
    known.retain(|local, _| !(first..first + len).contains(local));
}

/// A known index inside an array.
fn picked(index: &Expr, len: u32) -> Option<u32> {
    constant(index).and_then(|at| u32::try_from(at).ok()).filter(|at| *at < len)
}
