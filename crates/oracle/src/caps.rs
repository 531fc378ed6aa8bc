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

use dwell_model::expr::{BinaryOp, ClockConstraint, ClockRef, Expr, Stmt};
use dwell_model::property::Formula;
use dwell_model::{Network, Overflow, Span, visit};

use crate::rational::Rational;
use crate::state::Unsupported;
use crate::support;

/// One cap per clock, by C-1 and C-2, for what the network compares and what
/// the formulas do, where regions cover all of it.
pub fn caps(network: &Network, formulas: &[Formula]) -> Result<Vec<u32>, Unsupported> {
    caps_from(network, formulas, vec![0; network.clocks.len()])
}

/// As [`caps`], with caps that are at least those given.
pub fn caps_from(
    network: &Network,
    formulas: &[Formula],
    mut caps: Vec<u32>,
) -> Result<Vec<u32>, Unsupported> {
    support::check_regions(network)?;
    for constraint in constraints(network, formulas) {
        let bound = greatest_bound(network, constraint)?;
        for clock in clocks_of(&constraint.left) {
            caps[clock] = bound.max(caps[clock]);
        }
    }
    let copies = copies(network);
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

/// What tells valuations apart where differences of clocks are compared.
///
/// C-3 for every constraint `x - y ~ e` valuations of a class satisfy it for the
/// same values of `e`; delays change no difference. C-4 once `x` is set to `k`
/// it is a constraint on `y`, so the caps of both are at least `|e| + k`.
pub struct Classes {
    /// One for each clock.
    pub caps: Vec<u32>,
    /// Two clocks, and between which values they are compared.
    differences: Vec<(usize, usize, i64, i64)>,
}

/// The classes for a network and formulas; `None` where they are not known:
/// clocks stand still or are copied, or bounds have no range.
pub fn classes(network: &Network, formulas: &[Formula]) -> Option<Classes> {
    support::check_regions(network).ok()?;
    if !copies(network).is_empty() {
        return None;
    }
    let mut set = network.clocks.iter().map(|clock| i64::from(clock.init)).max().unwrap_or(0);
    let mut known = true;
    visit::statements(network, |stmt| {
        if let Stmt::Reset { value, span, .. } = stmt {
            match interval(network, value, *span) {
                Ok((_, high)) => set = set.max(high),
                Err(_) => known = false,
            }
        }
    });
    let mut classes = Classes { caps: vec![0; network.clocks.len()], differences: Vec::new() };
    for constraint in constraints(network, formulas) {
        let (low, high) = interval(network, &constraint.bound, constraint.span).ok()?;
        let Some(minus) = &constraint.minus else {
            let cap = u32::try_from(high.max(0)).ok()?;
            clocks_of(&constraint.left).for_each(|x| classes.caps[x] = classes.caps[x].max(cap));
            continue;
        };
        let cap = u32::try_from(magnitude((low, high)) + set).ok()?;
        for (x, y) in clocks_of(&constraint.left).flat_map(|x| clocks_of(minus).map(move |y| (x, y))) {
            [x, y].into_iter().for_each(|x| classes.caps[x] = classes.caps[x].max(cap));
            classes.differences.push((x, y, low, high));
        }
    }
    known.then_some(classes)
}

impl Classes {
    /// Whether the differences of two valuations satisfy the same constraints.
    pub fn same_differences(&self, a: &[Rational], b: &[Rational]) -> bool {
        self.differences.iter().all(|&(x, y, low, high)| {
            let place = |clocks: &[Rational]| {
                let (whole, fraction) = clocks[x].checked_sub(clocks[y]).ok()?.split();
                let beyond = whole > high.into() || (whole == high.into() && !fraction.is_zero());
                Some(match () {
                    () if beyond => (i128::MAX, false),
                    () if whole < low.into() => (i128::MIN, false),
                    () => (whole, fraction.is_zero()),
                })
            };
            place(a).is_some() && place(a) == place(b)
        })
    }
}

/// Whether each clock is ever compared with anything, or copied to one that is.
/// No run depends on the others.
pub fn compared(network: &Network, formulas: &[Formula]) -> Vec<bool> {
    let mut compared = vec![false; network.clocks.len()];
    for constraint in constraints(network, formulas) {
        let clocks = std::iter::once(&constraint.left).chain(&constraint.minus);
        clocks.flat_map(clocks_of).for_each(|clock| compared[clock] = true);
    }
    let copies = copies(network);
    while let Some(&(_, from)) = copies.iter().find(|&&(to, from)| compared[to] && !compared[from]) {
        compared[from] = true;
    }
    compared
}

/// All clock constraints of the network and the formulas.
fn constraints<'n>(network: &'n Network, formulas: &'n [Formula]) -> Vec<&'n ClockConstraint> {
    let mut constraints: Vec<&ClockConstraint> = network
        .processes
        .iter()
        .flat_map(|process| {
            let invariants = process.locations.iter().map(|l| &l.invariant);
            invariants.chain(process.edges.iter().map(|e| &e.guard))
        })
        .flat_map(|guard| &guard.clocks)
        .collect();
    formulas.iter().for_each(|formula| collect_constraints(formula, &mut constraints));
    constraints
}

/// All clock constraints of a formula.
pub fn collect_constraints<'f>(formula: &'f Formula, constraints: &mut Vec<&'f ClockConstraint>) {
    match formula {
        Formula::Clock(constraint) => constraints.push(constraint),
        Formula::And(members) | Formula::Or(members) => {
            members.iter().for_each(|member| collect_constraints(member, constraints));
        }
        Formula::Discrete(_) | Formula::Deadlock(_) => {}
    }
}

fn greatest_bound(network: &Network, constraint: &ClockConstraint) -> Result<u32, Unsupported> {
    let span = constraint.span;
    if constraint.minus.is_some() {
        return Err(Unsupported::Diagonal { span });
    }
    let (_, high) = interval(network, &constraint.bound, span)?;
    Ok(u32::try_from(high.max(0)).expect("intervals stay within 32 bits"))
}

/// The clocks that may be meant.
pub fn clocks_of(reference: &ClockRef) -> std::ops::Range<usize> {
    match reference {
        ClockRef::Fixed(clock) => clock.index()..clock.index() + 1,
        ClockRef::Element { first, len, .. } => first.index()..first.index() + *len as usize,
    }
}

/// All pairs `(x, y)` such that some statement may execute `x = y + e`.
fn copies(network: &Network) -> Vec<(usize, usize)> {
    let mut copies = Vec::new();
    visit::statements(network, |stmt| {
        if let Stmt::Reset { clock, from: Some(from), .. } = stmt {
            for to in clocks_of(clock) {
                copies.extend(clocks_of(from).map(|from| (to, from)));
            }
        }
    });
    copies
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
        Expr::Index { len, .. } => (0, i64::from(*len) - 1),
        // The range of a local is not known before it is checked.
        Expr::Checked { value, min, max, .. } => {
            let checked = (i64::from(*min), i64::from(*max));
            of(value).map_or(checked, |(low, high)| (low.max(checked.0), high.min(checked.1)))
        }
        Expr::Call(function, ..) => {
            let function = &network.functions[function.index()];
            (i64::from(function.min), i64::from(function.max))
        }
        Expr::Seq(_, value) => of(value)?,
        Expr::Not(_) | Expr::And(..) | Expr::Or(..) | Expr::At(..) => (0, 1),
        Expr::Binary(op, left, right, _) => binary(*op, of(left)?, of(right)?),
        Expr::IfThenElse(_, then, otherwise) => union(of(then)?, of(otherwise)?),
    };
    let fits = |v: i64| i32::try_from(v).is_ok();
    if network.overflow == Overflow::Wrap && !(fits(low) && fits(high)) {
        return Ok((i32::MIN.into(), i32::MAX.into()));
    }
    // Else a value beyond 32 bits is a run-time error and never reaches a clock.
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
        BinaryOp::Div | BinaryOp::Rem => symmetric(magnitude(a)),
        BinaryOp::Min => (a.0.min(b.0), a.1.min(b.1)),
        BinaryOp::Max => (a.0.max(b.0), a.1.max(b.1)),
        // What k bits and a sign can hold, they hold afterwards.
        BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => {
            let limit = (magnitude(a).max(magnitude(b)) + 1).cast_unsigned().next_power_of_two() as i64;
            (if a.0 < 0 || b.0 < 0 { -limit } else { 0 }, limit - 1)
        }
        // Without bits that leave at the top it is a product.
        BinaryOp::Shl => {
            let count = b.1.clamp(0, 31);
            let (low, high) = (a.0 << count, a.1 << count);
            let fits = i32::try_from(low).is_ok() && i32::try_from(high).is_ok();
            if fits { union(a, (low, high)) } else { (i32::MIN.into(), i32::MAX.into()) }
        }
        BinaryOp::Shr => (a.0.min(0), a.1.max(0)),
        BinaryOp::Pow => {
            let exponent = b.1.clamp(0, 32) as u32;
            symmetric(magnitude(a).saturating_pow(exponent).max(1))
        }
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Ge | BinaryOp::Gt => (0, 1),
    }
}

fn magnitude((low, high): (i64, i64)) -> i64 {
    low.abs().max(high.abs())
}

fn symmetric(magnitude: i64) -> (i64, i64) {
    (-magnitude, magnitude)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Discrete;
    use dwell_model::Var;

    #[test]
    fn intervals_cover_what_small_expressions_can_take() {
        let ranges = [
            (-2, 3),
            (-1, 2),
            (0, 5),
            (2, 33),
            (-40, -3),
            (i32::MAX - 1, i32::MAX),
            (i32::MIN, i32::MIN + 1),
        ];
        use BinaryOp::*;
        let all =
            [Add, Sub, Mul, Div, Rem, Eq, Ne, Lt, Le, Ge, Gt, BitAnd, BitOr, BitXor, Shl, Shr, Min, Max, Pow];
        for (left, right) in ranges.iter().flat_map(|&l| ranges.iter().map(move |&r| (l, r))) {
            let var = |(min, max)| Var { min, max, init: min, ..Var::default() };
            let network = Network { vars: vec![var(left), var(right)], ..Network::default() };
            let operand = |i| Box::new(Expr::Var(dwell_model::VarId(i)));
            for op in all {
                let expr = Expr::Binary(op, operand(0), operand(1), Span::default());
                let (low, high) = interval(&network, &expr, Span::default()).unwrap();
                for (a, b) in (left.0..=left.1).flat_map(|a| (right.0..=right.1).map(move |b| (a, b))) {
                    let at = Discrete { locations: Vec::new(), vars: vec![a, b] };
                    if let Ok(v) = crate::eval::value(&network, &expr, &at) {
                        assert!(low <= i64::from(v) && i64::from(v) <= high, "{a} {op:?} {b}");
                    }
                }
            }
        }
    }
}
