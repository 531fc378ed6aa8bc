//! What is live before an update, from what is live after it.
//!
//! B-1 A value counts as read if it is *needed*: it goes into something live, or
//!     seen by others, it decides what is done, or whether the model fails. Whatever may fail needs
//!     all it reads.
//! B-2 A variable stops being live where it is surely written: by name, or as an
//!     element with a known index. Writing some element of an array ends nothing.
//! B-3 Locals are tracked like variables. No function has two frames at a time, so
//!     a local is one slot.
//! B-4 What is said is never too little: sets only grow from what is true, joins
//!     are unions, loops are gone through until nothing is added.

use super::super::interval::Interval;
use crate::expr::{BinaryOp, ClockRef, Expr, Place, Stmt};
use crate::{FunctionId, Network, Overflow};
use std::ops::Range;

/// The most words of sets that may be gone through before it takes too long.
const MOST_WORK: u64 = 1 << 26;

/// Variables, and locals after them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Set(Vec<u64>);

impl Set {
    pub fn contains(&self, slot: usize) -> bool {
        self.0[slot / 64] >> (slot % 64) & 1 != 0
    }

    fn insert(&mut self, slot: usize) {
        self.0[slot / 64] |= 1 << (slot % 64);
    }

    /// Whether it was there.
    fn remove(&mut self, slot: usize) -> bool {
        let there = self.contains(slot);
        self.0[slot / 64] &= !(1 << (slot % 64));
        there
    }

    /// Whether that is more.
    pub fn add(&mut self, other: &Self) -> bool {
        let mut more = false;
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            more |= *other & !*word != 0;
            *word |= other;
        }
        more
    }
}

/// Goes through updates from their end.
pub(super) struct Backward<'n> {
    network: &'n Network,
    /// The bodies of the functions, loops written out.
    functions: &'n [Vec<Stmt>],
    /// Variables that others than the process at hand read: always needed.
    pub seen: Set,
    work: u64,
}

/// Where a function returns to.
struct Exit<'e> {
    live: &'e Set,
    /// Whether its result is needed.
    needed: bool,
}

impl<'n> Backward<'n> {
    pub fn new(network: &'n Network, functions: &'n [Vec<Stmt>]) -> Self {
        let slots = network.vars.len() + network.locals as usize;
        Self { network, functions, seen: Set(vec![0; slots.div_ceil(64)]), work: 0 }
    }

    /// A set of variables.
    pub fn set(&self, slots: impl Iterator<Item = usize>) -> Set {
        let mut set = Set(vec![0; self.seen.0.len()]);
        slots.for_each(|slot| set.insert(slot));
        set
    }

    /// Goes through an update; `None` if all of this takes too long.
    pub fn program(&mut self, body: &[Stmt], live: &mut Set) -> Option<()> {
        let after = live.clone();
        self.block(body, live, &Exit { live: &after, needed: false });
        // Locals mean nothing outside.
        (0..self.network.locals).for_each(|local| _ = live.remove(self.local(local)));
        (self.work <= MOST_WORK).then_some(())
    }

    fn local(&self, local: u32) -> usize {
        self.network.vars.len() + local as usize
    }

    fn locals(&self, first: u32, len: u32) -> Range<usize> {
        self.local(first)..self.local(first + len)
    }

    fn block(&mut self, body: &[Stmt], live: &mut Set, exit: &Exit<'_>) {
        for stmt in body.iter().rev() {
            self.work += live.0.len() as u64;
            if self.work > MOST_WORK {
                return;
            }
            self.statement(stmt, live, exit);
        }
    }

    fn statement(&mut self, stmt: &Stmt, live: &mut Set, exit: &Exit<'_>) {
        match stmt {
            Stmt::Assign { place, value, .. } => self.assign(place, value, live),
            Stmt::Reset { clock, from, value, .. } => {
                self.expr(value, live, true);
                for clock in from.iter().chain([clock]) {
                    if let ClockRef::Element { index, .. } = clock {
                        self.expr(index, live, true);
                    }
                }
            }
            Stmt::If { condition, then, otherwise } => {
                let mut other = live.clone();
                self.block(then, live, exit);
                self.block(otherwise, &mut other, exit);
                live.add(&other);
                self.expr(condition, live, true);
            }
            Stmt::While { condition, body, .. } => {
                let after = live.clone();
                self.expr(condition, live, true);
                loop {
                    let mut round = live.clone();
                    self.block(body, &mut round, exit);
                    round.add(&after);
                    self.expr(condition, &mut round, true);
                    if !live.add(&round) || self.work > MOST_WORK {
                        break;
                    }
                }
            }
            Stmt::Eval(e) => self.expr(e, live, false),
            Stmt::Assert { condition, .. } => self.expr(condition, live, true),
            Stmt::Return(value) => {
                live.clone_from(exit.live);
                value.iter().for_each(|value| self.expr(value, live, exit.needed));
            }
        }
    }

    fn assign(&mut self, place: &Place, value: &Expr, live: &mut Set) {
        let fits = |slot: usize| {
            let (var, value) = (&self.network.vars[slot], Interval::of(value, self.network));
            var.min <= value.min && value.max <= var.max
        };
        match place {
            Place::Var(var) => {
                let slot = var.index();
                let needed = live.remove(slot) || self.seen.contains(slot) || !fits(slot);
                self.expr(value, live, needed);
            }
            Place::Local(local) => {
                let needed = live.remove(self.local(*local));
                self.expr(value, live, needed);
            }
            Place::Element { first, len, index, .. } => {
                let mut slots = first.index()..first.index() + *len as usize;
                let needed =
                    !fits(first.index()) || slots.any(|slot| live.contains(slot) || self.seen.contains(slot));
                self.expr(value, live, needed);
                self.expr(index, live, true);
            }
            Place::LocalElement { first, len, index, .. } => {
                let needed = self.locals(*first, *len).any(|slot| live.contains(slot));
                self.expr(value, live, needed);
                self.expr(index, live, true);
            }
        }
    }

    /// Goes through an expression; operands are evaluated from left to right.
    fn expr(&mut self, e: &Expr, live: &mut Set, needed: bool) {
        match e {
            Expr::Const(_) | Expr::At(..) => {}
            Expr::Var(var) if needed => live.insert(var.index()),
            Expr::Local(local) if needed => live.insert(self.local(*local)),
            Expr::Var(_) | Expr::Local(_) => {}
            Expr::Element { first, len, index, .. } => {
                if needed {
                    (first.index()..first.index() + *len as usize).for_each(|slot| live.insert(slot));
                }
                self.expr(index, live, true);
            }
            Expr::LocalElement { first, len, index, .. } => {
                if needed {
                    self.locals(*first, *len).for_each(|slot| live.insert(slot));
                }
                self.expr(index, live, true);
            }
            Expr::Index { index, .. } => self.expr(index, live, true),
            Expr::Checked { value, min, max, .. } => {
                let fits = (*min, *max) == (i32::MIN, i32::MAX);
                self.expr(value, live, needed || !fits);
            }
            Expr::Call(function, arguments, _) => self.call(*function, arguments, live, needed),
            Expr::Seq(body, value) => {
                self.expr(value, live, needed);
                let after = live.clone();
                self.block(body, live, &Exit { live: &after, needed: false });
            }
            Expr::Neg(e, _) => self.expr(e, live, needed || self.overflows()),
            Expr::Not(e) => self.expr(e, live, needed),
            Expr::Binary(op, l, r, _) => {
                let needed = needed || self.may_fail(*op);
                self.expr(r, live, needed);
                self.expr(l, live, needed);
            }
            Expr::And(l, r) | Expr::Or(l, r) => {
                let skipped = live.clone();
                self.expr(r, live, needed);
                live.add(&skipped);
                self.expr(l, live, needed || !self.is_quiet(r));
            }
            Expr::IfThenElse(c, t, e) => {
                let mut other = live.clone();
                self.expr(t, live, needed);
                self.expr(e, &mut other, needed);
                live.add(&other);
                self.expr(c, live, needed || !self.is_quiet(t) || !self.is_quiet(e));
            }
        }
    }

    fn call(&mut self, function: FunctionId, arguments: &[Expr], live: &mut Set, needed: bool) {
        let after = live.clone();
        let body = &self.functions[function.index()];
        self.block(body, live, &Exit { live: &after, needed });
        let first = self.network.functions[function.index()].first_param;
        let parameters = first..first + arguments.len() as u32;
        let needed: Vec<bool> = parameters.map(|parameter| live.remove(self.local(parameter))).collect();
        for (argument, needed) in arguments.iter().zip(needed).rev() {
            self.expr(argument, live, needed);
        }
    }

    fn overflows(&self) -> bool {
        self.network.overflow == Overflow::Error
    }

    /// Whether the operator may fail, whatever its operands.
    fn may_fail(&self, op: BinaryOp) -> bool {
        match op {
            BinaryOp::Div | BinaryOp::Rem | BinaryOp::Shl | BinaryOp::Shr | BinaryOp::Pow => true,
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => self.overflows(),
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Ge | BinaryOp::Gt => false,
            BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => false,
            BinaryOp::Min | BinaryOp::Max => false,
        }
    }

    /// Whether it makes no difference if it is evaluated: it writes nothing and
    /// does not fail.
    fn is_quiet(&self, e: &Expr) -> bool {
        match e {
            Expr::Const(_) | Expr::At(..) | Expr::Var(_) | Expr::Local(_) => true,
            Expr::Not(e) => self.is_quiet(e),
            Expr::Neg(e, _) => !self.overflows() && self.is_quiet(e),
            Expr::Binary(op, l, r, _) => !self.may_fail(*op) && self.is_quiet(l) && self.is_quiet(r),
            Expr::And(l, r) | Expr::Or(l, r) => self.is_quiet(l) && self.is_quiet(r),
            Expr::IfThenElse(c, t, e) => [c, t, e].into_iter().all(|e| self.is_quiet(e)),
            Expr::Element { .. } | Expr::LocalElement { .. } | Expr::Index { .. } => false,
            Expr::Checked { .. } | Expr::Call(..) | Expr::Seq(..) => false,
        }
    }
}
