//! Every expression and block of statements of a network, to be changed.

use dwell_model::expr::{ClockRef, Expr, Guard, Place, Stmt};
use dwell_model::{ChannelRef, Network, Sync};

/// What is done on the way. Whatever is left in place is then walked itself.
pub trait Visit {
    /// An expression, before those inside it.
    fn expr(&mut self, _: &mut Expr) {}

    /// Statements, before what is inside them.
    fn block(&mut self, _: &mut Vec<Stmt>) {}

    /// Whether to go on inside a statement.
    fn enters(&self, _: &Stmt) -> bool {
        true
    }
}

/// Walks guards, channels, updates and functions, in this order.
pub fn network(network: &mut Network, visitor: &mut impl Visit) {
    for process in &mut network.processes {
        for location in &mut process.locations {
            guard(&mut location.invariant, visitor);
        }
        for edge in &mut process.edges {
            guard(&mut edge.guard, visitor);
            if let Sync::Send(channel) | Sync::Receive(channel) = &mut edge.sync
                && let ChannelRef::Element { index, .. } = channel
            {
                expr(index, visitor);
            }
            block(&mut edge.update.body, visitor);
        }
    }
    block(&mut network.before_update.body, visitor);
    block(&mut network.after_update.body, visitor);
    for function in &mut network.functions {
        block(&mut function.body, visitor);
    }
}

fn guard(guard: &mut Guard, visitor: &mut impl Visit) {
    guard.discrete.iter_mut().for_each(|e| expr(e, visitor));
    for constraint in &mut guard.clocks {
        constraint.when.iter_mut().for_each(|e| expr(e, visitor));
        clock(&mut constraint.left, visitor);
        constraint.minus.iter_mut().for_each(|minus| clock(minus, visitor));
        expr(&mut constraint.bound, visitor);
    }
}

fn clock(reference: &mut ClockRef, visitor: &mut impl Visit) {
    if let ClockRef::Element { index, .. } = reference {
        expr(index, visitor);
    }
}

fn block(body: &mut Vec<Stmt>, visitor: &mut impl Visit) {
    visitor.block(body);
    for stmt in body {
        if visitor.enters(stmt) {
            statement(stmt, visitor);
        }
    }
}

fn statement(stmt: &mut Stmt, visitor: &mut impl Visit) {
    match stmt {
        Stmt::Assign { place, value, .. } => {
            if let Place::Element { index, .. } | Place::LocalElement { index, .. } = place {
                expr(index, visitor);
            }
            expr(value, visitor);
        }
        Stmt::Reset { clock: to, from, value, .. } => {
            clock(to, visitor);
            from.iter_mut().for_each(|from| clock(from, visitor));
            expr(value, visitor);
        }
        Stmt::If { condition, then, otherwise } => {
            expr(condition, visitor);
            block(then, visitor);
            block(otherwise, visitor);
        }
        Stmt::While { condition, body, .. } => {
            expr(condition, visitor);
            block(body, visitor);
        }
        Stmt::Eval(e) | Stmt::Assert { condition: e, .. } => expr(e, visitor),
        Stmt::Return(value) => value.iter_mut().for_each(|e| expr(e, visitor)),
    }
}

fn expr(e: &mut Expr, visitor: &mut impl Visit) {
    visitor.expr(e);
    match e {
        Expr::Const(_) | Expr::Var(_) | Expr::Local(_) | Expr::At(..) => {}
        Expr::Element { index: e, .. }
        | Expr::LocalElement { index: e, .. }
        | Expr::Index { index: e, .. }
        | Expr::Checked { value: e, .. }
        | Expr::Neg(e, _)
        | Expr::Not(e) => expr(e, visitor),
        Expr::Binary(_, left, right, _) | Expr::And(left, right) | Expr::Or(left, right) => {
            expr(left, visitor);
            expr(right, visitor);
        }
        Expr::IfThenElse(c, t, e) => [c, t, e].into_iter().for_each(|e| expr(e, visitor)),
        Expr::Call(_, args, _) => args.iter_mut().for_each(|e| expr(e, visitor)),
        Expr::Seq(body, value) => {
            block(body, visitor);
            expr(value, visitor);
        }
    }
}
