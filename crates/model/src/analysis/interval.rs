//! Value ranges of expressions, from the declared ranges of the variables.
//!
//! Sound for every reachable state: a variable is always inside its range.
//! Where evaluation that leaves 32 bits is a run-time error, results may be
//! clamped to 32 bits; where it wraps around, such a result may be anything.
//! Locals are not tracked.

use crate::expr::{BinaryOp, Expr};
use crate::{Network, Overflow};

/// A non-empty range of 32-bit integers, ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// Least value.
    pub min: i32,
    /// Greatest value.
    pub max: i32,
}

const ANY: Interval = Interval { min: i32::MIN, max: i32::MAX };
const TRUTH: Interval = Interval { min: 0, max: 1 };

impl Interval {
    fn point(value: i32) -> Self {
        Self { min: value, max: value }
    }

    fn join(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    fn hull(values: impl IntoIterator<Item = i64>) -> Self {
        let clamp = |v: i64| v.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32;
        values.into_iter().map(|v| Self::point(clamp(v))).reduce(Self::join).unwrap_or(ANY)
    }

    /// The values `expr` can have.
    pub fn of(expr: &Expr, network: &Network) -> Self {
        let of = |e: &Expr| Self::of(e, network);
        match expr {
            Expr::Const(value) => Self::point(*value),
            Expr::Var(var) => {
                let var = &network.vars[var.index()];
                Self { min: var.min, max: var.max }
            }
            Expr::Element { first, len, .. } => network.vars[first.index()..][..*len as usize]
                .iter()
                .map(|v| Self { min: v.min, max: v.max })
                .reduce(Self::join)
                .unwrap_or(ANY),
            Expr::Local(_) | Expr::LocalElement { .. } => ANY,
            Expr::Neg(e, _) => {
                let e = of(e);
                let ends = [-i64::from(e.min), -i64::from(e.max)];
                if wraps(network, &ends) { ANY } else { Self::hull(ends) }
            }
            Expr::Index { len, .. } => {
                Self { min: 0, max: (*len).saturating_sub(1).min(i32::MAX as u32) as i32 }
            }
            Expr::Checked { value, min, max, .. } => {
                let value = of(value);
                let (min, max) = (value.min.max(*min), value.max.min(*max));
                // Nothing gets through: any range will do.
                if min <= max { Self { min, max } } else { value }
            }
            Expr::Call(function, ..) => {
                let function = &network.functions[function.index()];
                Self { min: function.min, max: function.max }
            }
            Expr::Seq(_, value) => of(value),
            Expr::Not(_) | Expr::And(..) | Expr::Or(..) | Expr::At(..) => TRUTH,
            Expr::IfThenElse(_, t, e) => of(t).join(of(e)),
            Expr::Binary(op, l, r, _) => Self::binary(*op, of(l), of(r), network),
        }
    }

    fn binary(op: BinaryOp, l: Self, r: Self, network: &Network) -> Self {
        let corners = |f: fn(i64, i64) -> i64| {
            let (l, r) = ([l.min, l.max].map(i64::from), [r.min, r.max].map(i64::from));
            let corners: Vec<i64> = l.into_iter().flat_map(|a| r.map(|b| f(a, b))).collect();
            if wraps(network, &corners) { ANY } else { Self::hull(corners) }
        };
        match op {
            BinaryOp::Add => corners(|a, b| a + b),
            BinaryOp::Sub => corners(|a, b| a - b),
            BinaryOp::Mul => corners(|a, b| a * b),
            // |a / b| <= |a| and |a % b| < |b|, |a % b| <= |a|; sign of a.
            BinaryOp::Div => {
                let m = i64::from(l.min).abs().max(i64::from(l.max).abs());
                if l.min >= 0 && r.min >= 1 {
                    Self::hull([i64::from(l.min / r.max), i64::from(l.max / r.min)])
                } else if wraps(network, &[m]) {
                    ANY
                } else {
                    Self::hull([-m, m])
                }
            }
            BinaryOp::Rem => {
                let b = i64::from(r.min).abs().max(i64::from(r.max).abs()).saturating_sub(1).max(0);
                let low = if l.min >= 0 { 0 } else { (-b).max(i64::from(l.min)) };
                let high = if l.max <= 0 { 0 } else { b.min(i64::from(l.max)) };
                Self::hull([low, high])
            }
            BinaryOp::Min => Self { min: l.min.min(r.min), max: l.max.min(r.max) },
            BinaryOp::Max => Self { min: l.min.max(r.min), max: l.max.max(r.max) },
            BinaryOp::BitAnd => match (l.min >= 0, r.min >= 0) {
                (true, true) => Self { min: 0, max: l.max.min(r.max) },
                (true, false) => Self { min: 0, max: l.max },
                (false, true) => Self { min: 0, max: r.max },
                (false, false) => Self::hull([-(1i64 << bits(l, r)), (1i64 << bits(l, r)) - 1]),
            },
            // No bit above the highest one of both sides differs from the sign.
            BinaryOp::BitOr | BinaryOp::BitXor => {
                let top = 1i64 << bits(l, r);
                Self::hull([if l.min >= 0 && r.min >= 0 { 0 } else { -top }, top - 1])
            }
            BinaryOp::Shr => Self { min: l.min.min(0), max: l.max.max(0) },
            BinaryOp::Shl => {
                let shifted = [l.min, l.max].map(|v| i64::from(v) << r.max.clamp(0, 31));
                // Where no bit leaves at the top it is a product.
                match shifted.map(i32::try_from) {
                    [Ok(low), Ok(high)] => l.join(Self::point(low)).join(Self::point(high)),
                    _ => ANY,
                }
            }
            BinaryOp::Pow => {
                let base = i64::from(l.min).abs().max(i64::from(l.max).abs()).max(1);
                let most = base.saturating_pow(r.max.clamp(0, 32) as u32);
                if wraps(network, &[most]) { ANY } else { Self::hull([-most, most]) }
            }
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Ge | BinaryOp::Gt => TRUTH,
        }
    }
}

/// Bits that hold every value of both, the sign apart.
fn bits(l: Interval, r: Interval) -> u32 {
    [l.min, l.max, r.min, r.max].map(|v| 32 - (v ^ (v >> 31)).leading_zeros()).into_iter().fold(0, u32::max)
}

/// Whether one of these results would wrap around.
fn wraps(network: &Network, results: &[i64]) -> bool {
    network.overflow == Overflow::Wrap && results.iter().any(|&value| i32::try_from(value).is_err())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Span, Var, VarId};
    use dwell_base::Rng;

    /// Every operator, over all small ranges: no value escapes its interval.
    #[test]
    fn intervals_hold_every_value() {
        use BinaryOp::*;
        let network = |a: (i32, i32), b: (i32, i32)| Network {
            vars: [a, b]
                .map(|(min, max)| Var { name: "v".into(), min, max, init: min, ..Var::default() })
                .to_vec(),
            ..Network::default()
        };
        let mut rng = Rng::new(11);
        for _ in 0..2000 {
            let mut pick = || {
                let a = rng.range(-6, 6);
                (a, rng.range(a, 7))
            };
            let (a, b) = (pick(), pick());
            let n = network(a, b);
            for op in [
                Add, Sub, Mul, Div, Rem, Eq, Ne, Lt, Le, Ge, Gt, BitAnd, BitOr, BitXor, Shl, Shr, Min, Max,
                Pow,
            ] {
                let var = |i| Box::new(Expr::Var(VarId(i)));
                let range = Interval::of(&Expr::Binary(op, var(0), var(1), Span::default()), &n);
                for x in a.0..=a.1 {
                    for y in b.0..=b.1 {
                        if let Ok(v) = crate::code::binary(op, x, y) {
                            assert!(
                                range.min <= v && v <= range.max,
                                "{x} {op:?} {y} = {v} not in {range:?}"
                            );
                        }
                    }
                }
            }
        }
    }
}
