//! The invariants of networks, checked on generated ones.

use std::collections::BTreeSet;

use dwell_model::expr::{ClockRef, Expr, Function, Guard, Place, Stmt};
use dwell_model::{ChannelRef, Network, Sync, VarKind};

/// Says which of N-1 to N-7, F-1 and F-2 the network breaks:
/// [`Network::validate`], and what it leaves out: slots inside labels, guards,
/// channels, updates and functions. Tests of states may write locals only.
pub fn well_formed(network: &Network) -> Result<(), String> {
    network.validate()?;
    let check =
        |holds: bool, part: &str| if holds { Ok(()) } else { Err(format!("N-1: bad slot in {part}")) };
    let test = Checker { network, functions: network.functions.len(), may_write: false };
    let update = Checker { may_write: true, ..test };
    for process in &network.processes {
        for location in &process.locations {
            check(location.labels.iter().all(|l| l.index() < network.labels.len()), "labels")?;
            check(test.guard(&location.invariant), "an invariant")?;
        }
        for edge in &process.edges {
            check(test.guard(&edge.guard), "a guard")?;
            if let Sync::Send(channel) | Sync::Receive(channel) = &edge.sync {
                check(test.channel(channel), "a channel")?;
            }
            check(update.program(&edge.update), "an update")?;
        }
    }
    for around in [&network.before_update, &network.after_update] {
        check(update.program(around), "what is done around updates")?;
    }
    let mut taken = BTreeSet::new();
    for (functions, function) in network.functions.iter().enumerate() {
        let checker = Checker { network, functions, may_write: function.writes };
        check(checker.block(&function.body), &function.name)?;
        check(function.min == 0 && function.max == 0 || returns(&function.body), &function.name)?;
        check(own_locals(function).into_iter().all(|slot| taken.insert(slot)), &function.name)?;
    }
    Ok(())
}

/// F-2: every path ends in a `return`.
fn returns(body: &[Stmt]) -> bool {
    body.iter().any(|stmt| match stmt {
        Stmt::Return(value) => value.is_some(),
        Stmt::If { then, otherwise, .. } => returns(then) && returns(otherwise),
        _ => false,
    })
}

/// The slots a function writes: no other code does.
fn own_locals(function: &Function) -> BTreeSet<u32> {
    fn written(body: &[Stmt], found: &mut BTreeSet<u32>) {
        for stmt in body {
            match stmt {
                Stmt::Assign { place: Place::Local(slot), .. } => drop(found.insert(*slot)),
                Stmt::Assign { place: Place::LocalElement { first, len, .. }, .. } => {
                    found.extend(*first..first + len);
                }
                Stmt::If { then, otherwise, .. } => {
                    written(then, found);
                    written(otherwise, found);
                }
                Stmt::While { body, .. } => written(body, found),
                _ => {}
            }
        }
    }
    let mut found = (function.first_param..function.first_param + function.params).collect();
    written(&function.body, &mut found);
    found
}

#[derive(Clone, Copy)]
struct Checker<'a> {
    network: &'a Network,
    /// F-1: those that may be called.
    functions: usize,
    may_write: bool,
}

impl Checker<'_> {
    fn guard(&self, guard: &Guard) -> bool {
        guard.discrete.iter().all(|e| self.expr(e))
            && guard.clocks.iter().all(|c| {
                c.when.as_ref().is_none_or(|when| self.expr(when))
                    && self.clock(&c.left)
                    && c.minus.as_ref().is_none_or(|m| self.clock(m))
                    && self.expr(&c.bound)
            })
    }

    fn clock(&self, reference: &ClockRef) -> bool {
        match reference {
            ClockRef::Fixed(c) => c.index() < self.network.clocks.len(),
            ClockRef::Element { first, len, index, .. } => {
                first.index() + *len as usize <= self.network.clocks.len() && self.expr(index)
            }
        }
    }

    fn channel(&self, reference: &ChannelRef) -> bool {
        let (first, len) = reference.range();
        let channels = &self.network.channels[first.index()..][..len as usize];
        let alike = channels.windows(2).all(|c| c[0].kind == c[1].kind && c[0].urgent == c[1].urgent);
        alike
            && match reference {
                ChannelRef::Fixed(_) => true,
                ChannelRef::Element { index, .. } => self.expr(index),
            }
    }

    fn vars(&self, first: usize, len: u32) -> bool {
        first + len as usize <= self.network.vars.len()
    }

    fn locals(&self, first: u32, len: u32) -> bool {
        first + len <= self.network.locals
    }

    fn expr(&self, e: &Expr) -> bool {
        match e {
            Expr::Const(_) => true,
            Expr::Var(v) => self.vars(v.index(), 1),
            Expr::Element { first, len, index, .. } => self.vars(first.index(), *len) && self.expr(index),
            Expr::Local(slot) => self.locals(*slot, 1),
            Expr::LocalElement { first, len, index, .. } => self.locals(*first, *len) && self.expr(index),
            Expr::Index { index: e, .. } | Expr::Checked { value: e, .. } => self.expr(e),
            Expr::Call(function, args, _) => {
                let called = &self.network.functions[function.index()];
                function.index() < self.functions
                    && args.len() == called.params as usize
                    && (self.may_write || !called.writes)
                    && args.iter().all(|e| self.expr(e))
            }
            Expr::Seq(body, value) => self.block(body) && self.expr(value),
            // Only in properties.
            Expr::At(..) => false,
            Expr::Neg(e, _) | Expr::Not(e) => self.expr(e),
            Expr::Binary(_, left, right, _) | Expr::And(left, right) | Expr::Or(left, right) => {
                self.expr(left) && self.expr(right)
            }
            Expr::IfThenElse(c, t, e) => self.expr(c) && self.expr(t) && self.expr(e),
        }
    }

    fn program(&self, program: &dwell_model::expr::Program) -> bool {
        program.locals <= self.network.locals && self.block(&program.body)
    }

    fn block(&self, body: &[Stmt]) -> bool {
        body.iter().all(|stmt| match stmt {
            Stmt::Assign { place, value, .. } => self.expr(value) && self.place(place),
            Stmt::Reset { clock, from, value, .. } => {
                self.may_write
                    && self.clock(clock)
                    && from.as_ref().is_none_or(|f| self.clock(f))
                    && self.expr(value)
            }
            Stmt::If { condition, then, otherwise } => {
                self.expr(condition) && self.block(then) && self.block(otherwise)
            }
            Stmt::While { condition, body, .. } => self.expr(condition) && self.block(body),
            Stmt::Eval(e) | Stmt::Assert { condition: e, .. } => self.expr(e),
            Stmt::Return(value) => value.as_ref().is_none_or(|e| self.expr(e)),
        })
    }

    fn place(&self, place: &Place) -> bool {
        let writable = |slot: usize| self.may_write && self.network.vars[slot].kind != VarKind::Constant;
        match place {
            Place::Var(v) => self.vars(v.index(), 1) && writable(v.index()),
            Place::Element { first, len, index, .. } => {
                self.vars(first.index(), *len) && writable(first.index()) && self.expr(index)
            }
            Place::Local(slot) => self.locals(*slot, 1),
            Place::LocalElement { first, len, index, .. } => self.locals(*first, *len) && self.expr(index),
        }
    }
}
