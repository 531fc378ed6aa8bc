//! The cap of a clock: a constant that no bound it is compared with exceeds.
//!
//! C-1 for every constraint `x ~ e`, `cap(x)` is at least the greatest value
//! `e` can take, found by interval arithmetic over the declared ranges.
//! C-2 for every assignment `x = y + e`, `cap(y) >= cap(x)`. Values added to
//! clocks are never negative, so a `y` above its cap makes `x` above its own.
//! With these, valuations that agree up to the caps satisfy the same
//! constraints and do so after every delay and update (Alur and Dill 1994;
//! Bouyer, Dufourd, Fleury and Petit 2004 for the assignments). Constants
//! that are assigned need not be below the cap.

use dwell_model::expr::{BinaryOp, ClockConstraint, ClockRef, Expr, Guard, Stmt};
use dwell_model::{Network, Span};

use crate::state::Unsupported;

/// One cap per clock, by C-1 and C-2.
pub fn caps(network: &Network) -> Result<Vec<u32>, Unsupported> {
    let mut caps = vec![0; network.clocks.len()];
    for guard in guards(network) {
        for constraint in &guard.clocks {
            let bound = greatest_bound(network, constraint)?;
            for clock in clocks_of(&constraint.left) {
                caps[clock] = bound.max(caps[clock]);
            }
        }
    }
    let mut copies = Vec::new();
    for edge in network.processes.iter().flat_map(|p| &p.edges) {
        collect_copies(&edge.update.body, &mut copies);
    }
    loop {
        let before = caps.clone();
        for &(to, from) in &copies {
            caps[from] = caps[from].max(caps[to]);
        }
        if caps == before {
            return Ok(caps);
        }
    }
}

fn guards(network: &Network) -> impl Iterator<Item = &Guard> {
    network.processes.iter().flat_map(|process| {
        let invariants = process.locations.iter().map(|l| &l.invariant);
        invariants.chain(process.edges.iter().map(|e| &e.guard))
    })
}

fn greatest_bound(network: &Network, constraint: &ClockConstraint) -> Result<u32, Unsupported> {
    let span = constraint.span;
    if constraint.minus.is_some() {
        return Err(Unsupported::Diagonal { span });
    }
    let (_, high) = interval(network, &constraint.bound, span)?;
    Ok(u32::try_from(high.max(0)).expect("intervals stay within 32 bits"))
}

fn clocks_of(reference: &ClockRef) -> std::ops::Range<usize> {
    match reference {
        ClockRef::Fixed(clock) => clock.index()..clock.index() + 1,
        ClockRef::Element { first, len, .. } => first.index()..first.index() + *len as usize,
    }
}

/// All pairs `(x, y)` such that some statement may execute `x = y + e`.
fn collect_copies(body: &[Stmt], copies: &mut Vec<(usize, usize)>) {
    for stmt in body {
        match stmt {
            Stmt::Reset { clock, from: Some(from), .. } => {
                for to in clocks_of(clock) {
                    copies.extend(clocks_of(from).map(|from| (to, from)));
                }
            }
            Stmt::If { then, otherwise, .. } => {
                collect_copies(then, copies);
                collect_copies(otherwise, copies);
            }
            Stmt::While { body, .. } => collect_copies(body, copies),
            Stmt::Reset { .. } | Stmt::Assign { .. } => {}
        }
    }
}

/// Least and greatest value `expr` may have, within 32 bits.
fn interval(network: &Network, expr: &Expr, span: Span) -> Result<(i64, i64), Unsupported> {
    let of = |e: &Expr| interval(network, e, span);
    let range = |slot: usize| (i64::from(network.vars[slot].min), i64::from(network.vars[slot].max));
    let (low, high) = match expr {
        Expr::Const(c) => (i64::from(*c), i64::from(*c)),
        Expr::Var(v) => range(v.index()),
        Expr::Element { first, len, .. } => {
            let slots = first.index()..first.index() + *len as usize;
            slots.map(range).reduce(union).unwrap_or((0, 0))
        }
        Expr::Local(_) | Expr::LocalElement { .. } => return Err(Unsupported::LocalInBound { span }),
        Expr::Neg(e, _) => {
            let (low, high) = of(e)?;
            (-high, -low)
        }
        Expr::Not(_) | Expr::And(..) => (0, 1),
        Expr::Binary(op, left, right, _) => binary(*op, of(left)?, of(right)?),
        Expr::IfThenElse(_, then, otherwise) => union(of(then)?, of(otherwise)?),
    };
    // A value beyond 32 bits is a run-time error and never reaches a clock.
    let fit = |v: i64| v.clamp(i32::MIN.into(), i32::MAX.into());
    Ok((fit(low), fit(high)))
}

fn union(a: (i64, i64), b: (i64, i64)) -> (i64, i64) {
    (a.0.min(b.0), a.1.max(b.1))
}

fn binary(op: BinaryOp, a: (i64, i64), b: (i64, i64)) -> (i64, i64) {
    match op {
        BinaryOp::Add => (a.0 + b.0, a.1 + b.1),
        BinaryOp::Sub => (a.0 - b.1, a.1 - b.0),
        BinaryOp::Mul => {
            let products = [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1];
            products.iter().fold((products[0], products[0]), |r, &p| union(r, (p, p)))
        }
        // Neither operator makes the left operand larger in magnitude.
        BinaryOp::Div | BinaryOp::Rem => {
            let magnitude = a.0.abs().max(a.1.abs());
            (-magnitude, magnitude)
        }
        _ => (0, 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dwell_model::Var;

    #[test]
    fn intervals_cover_what_small_expressions_can_take() {
        let var = |min, max| Var { name: String::new(), min, max, init: min };
        let network = Network { vars: vec![var(-2, 3), var(-1, 2)], ..Network::default() };
        let operand = |i| Box::new(Expr::Var(dwell_model::VarId(i)));
        use BinaryOp::*;
        for op in [Add, Sub, Mul, Div, Rem, Eq, Ne, Lt, Le, Ge, Gt] {
            let expr = Expr::Binary(op, operand(0), operand(1), Span::default());
            let (low, high) = interval(&network, &expr, Span::default()).unwrap();
            for a in -2..=3 {
                for b in -1..=2 {
                    if let Ok(v) = crate::eval::value(&expr, &[a, b], &[]) {
                        assert!(low <= i64::from(v) && i64::from(v) <= high, "{op:?} {a} {b}");
                    }
                }
            }
        }
    }
}
