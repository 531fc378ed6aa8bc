//! Every statement and expression of a network.

use crate::expr::{ClockConstraint, ClockRef, Expr, Guard, Place, Stmt};
use crate::{ChannelRef, Edge, Location, Network, Sync};

/// Something a network is made of.
#[derive(Clone, Copy, Debug)]
pub enum Node<'n> {
    /// A statement.
    Stmt(&'n Stmt),
    /// An expression.
    Expr(&'n Expr),
    /// A clock.
    Clock(&'n ClockRef),
}

/// What is told of each node, from the outside in.
pub type See<'s, 'n> = &'s mut dyn FnMut(Node<'n>);

/// Calls `see` for every statement of every update and function, nested ones
/// and those inside expressions included.
pub fn statements<'n>(network: &'n Network, mut see: impl FnMut(&'n Stmt)) {
    updates(network, &mut |node| {
        if let Node::Stmt(stmt) = node {
            see(stmt);
        }
    });
}

/// Calls `see` for everything: guards, invariants, channels, rates, updates and
/// functions.
pub fn nodes<'n>(network: &'n Network, see: See<'_, 'n>) {
    for process in &network.processes {
        process.locations.iter().for_each(|l| location(l, see));
        process.edges.iter().for_each(|e| guard_and_channel(e, see));
    }
    updates(network, see);
}

/// Calls `see` for the invariant of a location and its rates.
pub fn location<'n>(location: &'n Location, see: See<'_, 'n>) {
    guard(&location.invariant, see);
    for (rated, rate) in &location.rates {
        clock(rated, see);
        expr(rate, see);
    }
}

/// Calls `see` for everything in an edge.
pub fn edge<'n>(edge: &'n Edge, see: See<'_, 'n>) {
    guard_and_channel(edge, see);
    block(&edge.update.body, see);
}

/// Calls `see` for everything that decides whether an edge is enabled.
pub fn guard_and_channel<'n>(edge: &'n Edge, see: See<'_, 'n>) {
    guard(&edge.guard, see);
    if let Sync::Send(ChannelRef::Element { index, .. }) | Sync::Receive(ChannelRef::Element { index, .. }) =
        &edge.sync
    {
        expr(index, see);
    }
}

fn updates<'n>(network: &'n Network, see: See<'_, 'n>) {
    let updates = network.processes.iter().flat_map(|p| &p.edges).map(|e| &e.update);
    let updates = updates.chain([&network.before_update, &network.after_update]).map(|u| &u.body);
    for body in updates.chain(network.functions.iter().map(|f| &f.body)) {
        block(body, see);
    }
}

/// Calls `see` for everything in a guard.
pub fn guard<'n>(guard: &'n Guard, see: See<'_, 'n>) {
    guard.discrete.iter().for_each(|e| expr(e, see));
    guard.clocks.iter().for_each(|c| constraint(c, see));
}

/// Calls `see` for everything in a clock constraint.
pub fn constraint<'n>(constraint: &'n ClockConstraint, see: See<'_, 'n>) {
    constraint.when.iter().for_each(|e| expr(e, see));
    clock(&constraint.left, see);
    constraint.minus.iter().for_each(|c| clock(c, see));
    expr(&constraint.bound, see);
}

/// Calls `see` for everything in some statements.
pub fn block<'n>(body: &'n [Stmt], see: See<'_, 'n>) {
    for stmt in body {
        see(Node::Stmt(stmt));
        match stmt {
            Stmt::Assign { place, value, .. } => {
                if let Place::Element { index, .. } | Place::LocalElement { index, .. } = place {
                    expr(index, see);
                }
                expr(value, see);
            }
            Stmt::Reset { clock: target, from, value, .. } => {
                clock(target, see);
                from.iter().for_each(|c| clock(c, see));
                expr(value, see);
            }
            Stmt::If { condition, then, otherwise } => {
                expr(condition, see);
                block(then, see);
                block(otherwise, see);
            }
            Stmt::While { condition, body, .. } => {
                expr(condition, see);
                block(body, see);
            }
            Stmt::Eval(e) | Stmt::Assert { condition: e, .. } => expr(e, see),
            Stmt::Return(value) => value.iter().for_each(|e| expr(e, see)),
        }
    }
}

/// Calls `see` for a clock and what picks it.
pub fn clock<'n>(clock: &'n ClockRef, see: See<'_, 'n>) {
    see(Node::Clock(clock));
    if let ClockRef::Element { index, .. } = clock {
        expr(index, see);
    }
}

/// Calls `see` for everything in an expression.
pub fn expr<'n>(e: &'n Expr, see: See<'_, 'n>) {
    see(Node::Expr(e));
    match e {
        Expr::Const(_) | Expr::Var(_) | Expr::Local(_) | Expr::At(..) => {}
        Expr::Element { index: e, .. }
        | Expr::LocalElement { index: e, .. }
        | Expr::Index { index: e, .. }
        | Expr::Checked { value: e, .. }
        | Expr::Neg(e, _)
        | Expr::Not(e) => expr(e, see),
        Expr::Binary(_, l, r, _) | Expr::And(l, r) | Expr::Or(l, r) => {
            expr(l, see);
            expr(r, see);
        }
        Expr::IfThenElse(c, t, e) => [c, t, e].into_iter().for_each(|e| expr(e, see)),
        Expr::Call(_, args, _) => args.iter().for_each(|e| expr(e, see)),
        Expr::Seq(body, value) => {
            block(body, see);
            expr(value, see);
        }
    }
}
