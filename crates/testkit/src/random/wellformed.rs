//! The invariants N-1 to N-6 of networks, checked on generated ones.

use dwell_model::Network;
use dwell_model::expr::{ClockRef, Expr, Guard, Place, Stmt};

/// Says which of N-1 to N-6 the network breaks: [`Network::validate`], and
/// N-1 for the slots inside labels, guards and updates.
pub fn well_formed(network: &Network) -> Result<(), String> {
    network.validate()?;
    let check =
        |holds: bool, part: &str| if holds { Ok(()) } else { Err(format!("N-1: bad slot in {part}")) };
    for process in &network.processes {
        for location in &process.locations {
            check(location.labels.iter().all(|l| l.index() < network.labels.len()), "labels")?;
            check(guard(network, &location.invariant), "an invariant")?;
        }
        for edge in &process.edges {
            check(guard(network, &edge.guard), "a guard")?;
            check(block(network, &edge.update.body, edge.update.locals), "an update")?;
        }
    }
    Ok(())
}

fn guard(network: &Network, guard: &Guard) -> bool {
    guard.discrete.iter().all(|e| expr(network, e, 0))
        && guard.clocks.iter().all(|c| {
            clock(network, &c.left, 0)
                && c.minus.as_ref().is_none_or(|m| clock(network, m, 0))
                && expr(network, &c.bound, 0)
        })
}

fn clock(network: &Network, reference: &ClockRef, locals: u32) -> bool {
    match reference {
        ClockRef::Fixed(c) => c.index() < network.clocks.len(),
        ClockRef::Element { first, len, index, .. } => {
            first.index() + *len as usize <= network.clocks.len() && expr(network, index, locals)
        }
    }
}

fn expr(network: &Network, e: &Expr, locals: u32) -> bool {
    let of = |e: &Expr| expr(network, e, locals);
    match e {
        Expr::Const(_) => true,
        Expr::Var(v) => v.index() < network.vars.len(),
        Expr::Element { first, len, index, .. } => {
            first.index() + *len as usize <= network.vars.len() && of(index)
        }
        Expr::Local(slot) => *slot < locals,
        Expr::LocalElement { first, len, index, .. } => first + len <= locals && of(index),
        Expr::Neg(e, _) | Expr::Not(e) => of(e),
        Expr::Binary(_, left, right, _) | Expr::And(left, right) => of(left) && of(right),
        Expr::IfThenElse(c, t, e) => of(c) && of(t) && of(e),
    }
}

fn block(network: &Network, body: &[Stmt], locals: u32) -> bool {
    let of = |e: &Expr| expr(network, e, locals);
    body.iter().all(|stmt| match stmt {
        Stmt::Assign { place, value, .. } => {
            of(value)
                && match place {
                    Place::Var(v) => v.index() < network.vars.len(),
                    Place::Element { first, len, index, .. } => {
                        first.index() + *len as usize <= network.vars.len() && of(index)
                    }
                    Place::Local(slot) => *slot < locals,
                    Place::LocalElement { first, len, index, .. } => first + len <= locals && of(index),
                }
        }
        Stmt::Reset { clock: to, from, value, .. } => {
            clock(network, to, locals) && from.as_ref().is_none_or(|f| clock(network, f, locals)) && of(value)
        }
        Stmt::If { condition, then, otherwise } => {
            of(condition) && block(network, then, locals) && block(network, otherwise, locals)
        }
        Stmt::While { condition, body, .. } => of(condition) && block(network, body, locals),
    })
}
