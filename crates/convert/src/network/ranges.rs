//! Assignments that may leave the range of a variable.
//!
//! In TChecker's format such an assignment makes the transition impossible,
//! in UPPAAL's it is an error. Where it cannot happen both mean the same.

use dwell_model::analysis::Interval;
use dwell_model::expr::{BinaryOp, Expr, Place, Stmt};
use dwell_model::{Edge, Network, VarId};
use std::cell::RefCell;
use std::ops::Range;

/// An assignment that may leave a range.
pub(super) struct Leaving<'n> {
    pub place: &'n Place,
    pub value: &'n Expr,
    /// Whether it is always executed and reads what the source state has.
    pub plain: bool,
}

/// The ranges of a network's variables.
pub(super) struct Ranges<'n> {
    network: &'n Network,
    /// What is known at the place looked at; between two places as in `network`.
    known: RefCell<Network>,
}

impl<'n> Ranges<'n> {
    pub fn new(network: &'n Network) -> Self {
        let (vars, functions) = (network.vars.clone(), network.functions.clone());
        let known = Network { vars, functions, overflow: network.overflow, ..Network::default() };
        Self { network, known: RefCell::new(known) }
    }

    /// The assignments of an edge that may leave a range, judged by the ranges
    /// of the variables and comparisons with constants in the guard.
    pub fn leaving<'e>(&self, edge: &'e Edge) -> Vec<Leaving<'e>> {
        let known = &mut *self.known.borrow_mut();
        let mut walk = Walk {
            network: self.network,
            known,
            touched: Vec::new(),
            written: Vec::new(),
            found: Vec::new(),
        };
        edge.guard.discrete.iter().for_each(|conjunct| walk.assume(conjunct));
        walk.block(&edge.update.body, true);
        for slot in std::mem::take(&mut walk.touched) {
            walk.any(slot);
        }
        walk.found
    }
}

struct Walk<'w, 'n> {
    network: &'w Network,
    /// What is known of the variables here.
    known: &'w mut Network,
    /// Variables of which more is known than their ranges.
    touched: Vec<usize>,
    /// Slots written so far.
    written: Vec<Range<usize>>,
    found: Vec<Leaving<'n>>,
}

impl<'n> Walk<'_, 'n> {
    fn assume(&mut self, conjunct: &Expr) {
        if let Expr::And(l, r) = conjunct {
            self.assume(l);
            self.assume(r);
        }
        let Expr::Binary(op, l, r, _) = conjunct else { return };
        match (&**l, &**r) {
            (Expr::Var(var), bound) => self.narrow(*var, *op, Interval::of(bound, self.known)),
            (bound, Expr::Var(var)) => self.narrow(*var, mirrored(*op), Interval::of(bound, self.known)),
            _ => {}
        }
    }

    fn narrow(&mut self, var: VarId, op: BinaryOp, bound: Interval) {
        self.touched.push(var.index());
        let known = &mut self.known.vars[var.index()];
        let (mut min, mut max) = (known.min, known.max);
        match op {
            BinaryOp::Eq => (min, max) = (min.max(bound.min), max.min(bound.max)),
            BinaryOp::Lt => max = max.min(bound.max.saturating_sub(1)),
            BinaryOp::Le => max = max.min(bound.max),
            BinaryOp::Ge => min = min.max(bound.min),
            BinaryOp::Gt => min = min.max(bound.min.saturating_add(1)),
            _ => {}
        }
        if min <= max {
            (known.min, known.max) = (min, max);
        }
    }

    fn block(&mut self, body: &'n [Stmt], always: bool) {
        for stmt in body {
            match stmt {
                Stmt::Assign { place, value, .. } => self.assign(place, value, always),
                Stmt::If { then, otherwise, .. } => {
                    self.block(then, false);
                    self.block(otherwise, false);
                }
                Stmt::While { body, .. } => {
                    // Whatever the loop writes may have any value in it.
                    self.forget(body);
                    self.block(body, false);
                }
                Stmt::Reset { .. } | Stmt::Eval(_) | Stmt::Assert { .. } | Stmt::Return(_) => {}
            }
        }
    }

    fn forget(&mut self, body: &[Stmt]) {
        for stmt in body {
            match stmt {
                Stmt::Assign { place, .. } => slots(place).for_each(|slot| self.any(slot)),
                Stmt::If { then, otherwise, .. } => {
                    self.forget(then);
                    self.forget(otherwise);
                }
                Stmt::While { body, .. } => self.forget(body),
                _ => {}
            }
        }
    }

    fn any(&mut self, slot: usize) {
        let declared = &self.network.vars[slot];
        let known = &mut self.known.vars[slot];
        (known.min, known.max) = (declared.min, declared.max);
    }

    fn assign(&mut self, place: &'n Place, value: &'n Expr, always: bool) {
        let range = Interval::of(value, self.known);
        let target = slots(place);
        let fits = |slot: usize| {
            let var = &self.network.vars[slot];
            var.min <= range.min && range.max <= var.max
        };
        if !target.clone().all(fits) {
            let plain = always && !self.written.iter().any(|written| reads(value, written));
            self.found.push(Leaving { place, value, plain });
        }
        for slot in target.clone() {
            self.any(slot);
        }
        if always && target.len() == 1 {
            self.touched.push(target.start);
            let var = &mut self.known.vars[target.start];
            let (min, max) = (range.min.max(var.min), range.max.min(var.max));
            if min <= max {
                (var.min, var.max) = (min, max);
            }
        }
        self.written.push(target);
    }
}

/// The variable slots a place may be.
pub(super) fn slots(place: &Place) -> Range<usize> {
    match place {
        Place::Var(var) => var.index()..var.index() + 1,
        Place::Element { first, len, .. } => first.index()..first.index() + *len as usize,
        Place::Local(_) | Place::LocalElement { .. } => 0..0,
    }
}

/// Whether an expression may read one of the slots; locals count as written.
pub(super) fn reads(expr: &Expr, slots: &Range<usize>) -> bool {
    match expr {
        Expr::Const(_) | Expr::At(..) => false,
        Expr::Var(var) => slots.contains(&var.index()),
        Expr::Element { first, len, index, .. } => {
            let array = first.index()..first.index() + *len as usize;
            (array.start < slots.end && slots.start < array.end) || reads(index, slots)
        }
        Expr::Local(_) | Expr::LocalElement { .. } | Expr::Call(..) | Expr::Seq(..) => true,
        Expr::Index { index: e, .. } | Expr::Checked { value: e, .. } | Expr::Neg(e, _) | Expr::Not(e) => {
            reads(e, slots)
        }
        Expr::Binary(_, l, r, _) | Expr::And(l, r) | Expr::Or(l, r) => reads(l, slots) || reads(r, slots),
        Expr::IfThenElse(c, t, e) => reads(c, slots) || reads(t, slots) || reads(e, slots),
    }
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
