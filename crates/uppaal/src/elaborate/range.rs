//! What values an expression can have, and whether computing it can fail.
//!
//! This is what range checks are left out by, so it must hold of every state:
//! variables and locals are bounded by their types, because every store is
//! checked.

use dwell_model::expr::{BinaryOp, Expr};
use dwell_model::{VarId, VarKind};

use super::Elaborator;

/// Bounds of a value, wide enough for one operation on 32-bit operands.
pub(super) type Range = (i64, i64);

const ANY: Range = (i32::MIN as i64, i32::MAX as i64);
const TRUTH: Range = (0, 1);

/// Ranges are looked for this deep: deeper expressions may be anything.
const RANGE_DEPTH: usize = 8;

/// Constants whose elements are looked at one by one to know their range.
const MAX_SCANNED: u32 = 4096;

impl Elaborator<'_> {
    /// Bounds of a value. Sound, not sharp.
    pub(super) fn range(&self, e: &Expr) -> Range {
        self.range_to(e, RANGE_DEPTH)
    }

    fn range_to(&self, e: &Expr, depth: usize) -> Range {
        let Some(depth) = depth.checked_sub(1) else { return ANY };
        match e {
            Expr::Const(c) => (i64::from(*c), i64::from(*c)),
            Expr::Var(v) => self.var_range(*v, 1),
            Expr::Element { first, len, .. } => self.var_range(*first, *len),
            Expr::Local(slot) | Expr::LocalElement { first: slot, .. } => {
                let (min, max) =
                    self.tables.local_ranges.get(*slot as usize).copied().unwrap_or((i32::MIN, i32::MAX));
                (i64::from(min), i64::from(max))
            }
            Expr::Index { len, .. } => (0, (i64::from(*len) - 1).max(0)),
            Expr::Checked { min, max, .. } => (i64::from(*min), i64::from(*max)),
            Expr::Call(f, ..) => match self.network.functions.get(f.index()) {
                Some(f) => (i64::from(f.min), i64::from(f.max)),
                None => ANY,
            },
            Expr::Seq(_, value) => self.range_to(value, depth),
            Expr::Not(_) | Expr::And(..) | Expr::Or(..) | Expr::At(..) => TRUTH,
            Expr::Neg(e, _) => {
                let (a, b) = self.range_to(e, depth);
                clip((-b, -a))
            }
            Expr::IfThenElse(_, t, e) => {
                let ((a, b), (c, d)) = (self.range_to(t, depth), self.range_to(e, depth));
                (a.min(c), b.max(d))
            }
            Expr::Binary(op, l, r, _) => clip(apply(*op, self.range_to(l, depth), self.range_to(r, depth))),
        }
    }

    fn var_range(&self, first: VarId, len: u32) -> Range {
        let var = |at| self.tables.slots.var(VarId(first.0 + at), &self.network);
        let bounds = |at| var(at).map_or(ANY, |v| (i64::from(v.min), i64::from(v.max)));
        match var(0) {
            Some(v) if v.kind == VarKind::Constant && len > 1 => {
                if len > MAX_SCANNED {
                    return ANY;
                }
                (0..len).map(bounds).fold((i64::MAX, i64::MIN), |(a, b), (c, d)| (a.min(c), b.max(d)))
            }
            _ => bounds(0),
        }
    }

    /// True when evaluating it changes nothing and cannot fail.
    pub(super) fn is_total(&self, e: &Expr) -> bool {
        match e {
            Expr::Const(_) | Expr::Var(_) | Expr::Local(_) | Expr::At(..) => true,
            Expr::Element { len, index, .. } | Expr::LocalElement { len, index, .. } => {
                self.within(index, 0, i64::from(*len) - 1) && self.is_total(index)
            }
            Expr::Index { index, low, len, .. } => {
                let low = i64::from(*low);
                self.within(index, low, low + i64::from(*len) - 1) && self.is_total(index)
            }
            Expr::Checked { value, min, max, .. } => {
                self.within(value, i64::from(*min), i64::from(*max)) && self.is_total(value)
            }
            Expr::Neg(e, _) => self.within(e, -ANY.1, ANY.1) && self.is_total(e),
            Expr::Not(e) => self.is_total(e),
            Expr::And(l, r) | Expr::Or(l, r) => self.is_total(l) && self.is_total(r),
            Expr::IfThenElse(c, t, e) => self.is_total(c) && self.is_total(t) && self.is_total(e),
            Expr::Binary(op, l, r, _) => {
                let fits = match op {
                    BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => {
                        let range = apply(*op, self.range(l), self.range(r));
                        range == clip(range)
                    }
                    BinaryOp::Div | BinaryOp::Rem => matches!(**r, Expr::Const(c) if c > 0),
                    BinaryOp::Shl | BinaryOp::Shr => self.within(r, 0, 31),
                    BinaryOp::Pow => false,
                    _ => true,
                };
                fits && self.is_total(l) && self.is_total(r)
            }
            Expr::Call(..) | Expr::Seq(..) => false,
        }
    }

    fn within(&self, e: &Expr, min: i64, max: i64) -> bool {
        let (low, high) = self.range(e);
        low >= min && high <= max
    }
}

/// A result that does not fit 32 bits is an error, or it wraps: then it may be
/// anything.
fn clip((low, high): Range) -> Range {
    if low < ANY.0 || high > ANY.1 { ANY } else { (low, high) }
}

/// Bounds of the exact result.
fn apply(op: BinaryOp, (a, b): Range, (c, d): Range) -> Range {
    match op {
        BinaryOp::Add => (a + c, b + d),
        BinaryOp::Sub => (a - d, b - c),
        BinaryOp::Mul => {
            let products = [a * c, a * d, b * c, b * d];
            (products.into_iter().fold(i64::MAX, i64::min), products.into_iter().fold(i64::MIN, i64::max))
        }
        BinaryOp::Rem if c == d && c > 0 => (if a < 0 { 1 - c } else { 0 }, if b > 0 { c - 1 } else { 0 }),
        BinaryOp::Div if c == d && c > 0 => (a / c, b / c),
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Ge | BinaryOp::Gt => TRUTH,
        BinaryOp::BitAnd if a >= 0 || c >= 0 => (
            0,
            if a >= 0 && c >= 0 {
                b.min(d)
            } else if a >= 0 {
                b
            } else {
                d
            },
        ),
        BinaryOp::Min => (a.min(c), b.min(d)),
        BinaryOp::Max => (a.max(c), b.max(d)),
        BinaryOp::Shr if a >= 0 && c >= 0 => (0, b),
        _ => ANY,
    }
}
