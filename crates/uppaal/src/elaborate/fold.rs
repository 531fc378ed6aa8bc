//! Constructors of expressions that compute what can be computed now.
//!
//! After instantiation most operands are constants. An operation that would
//! fail is never folded and never dropped: it stays, and fails when reached.

use dwell_model::expr::{BinaryOp, Expr, Stmt};
use dwell_model::{Span, VarId, VarKind};

use super::Elaborator;

/// Bounds of a value, wide enough for one operation on 32-bit operands.
type Range = (i64, i64);

const ANY: Range = (i32::MIN as i64, i32::MAX as i64);
const TRUTH: Range = (0, 1);

/// Ranges are looked for this deep: deeper expressions may be anything.
const RANGE_DEPTH: usize = 8;

/// Constants whose elements are looked at one by one to know their range.
const MAX_SCANNED: u32 = 4096;

/// `left op right`, or `None` where that fails.
pub(super) fn compute(op: BinaryOp, left: i32, right: i32) -> Option<i32> {
    match op {
        BinaryOp::Add => left.checked_add(right),
        BinaryOp::Sub => left.checked_sub(right),
        BinaryOp::Mul => left.checked_mul(right),
        BinaryOp::Div => left.checked_div(right),
        BinaryOp::Rem if right == 0 => None,
        BinaryOp::Rem => Some(left.wrapping_rem(right)),
        BinaryOp::Eq => Some(i32::from(left == right)),
        BinaryOp::Ne => Some(i32::from(left != right)),
        BinaryOp::Lt => Some(i32::from(left < right)),
        BinaryOp::Le => Some(i32::from(left <= right)),
        BinaryOp::Ge => Some(i32::from(left >= right)),
        BinaryOp::Gt => Some(i32::from(left > right)),
        BinaryOp::BitAnd => Some(left & right),
        BinaryOp::BitOr => Some(left | right),
        BinaryOp::BitXor => Some(left ^ right),
        BinaryOp::Shl | BinaryOp::Shr if !(0..32).contains(&right) => None,
        BinaryOp::Shl => Some(left << right),
        BinaryOp::Shr => Some(left >> right),
        BinaryOp::Min => Some(left.min(right)),
        BinaryOp::Max => Some(left.max(right)),
        BinaryOp::Pow => left.checked_pow(u32::try_from(right).ok()?),
    }
}

/// The comparison that holds where this one does not.
fn negated(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Eq => BinaryOp::Ne,
        BinaryOp::Ne => BinaryOp::Eq,
        BinaryOp::Lt => BinaryOp::Ge,
        BinaryOp::Ge => BinaryOp::Lt,
        BinaryOp::Le => BinaryOp::Gt,
        BinaryOp::Gt => BinaryOp::Le,
        _ => return None,
    })
}

/// What a comparison yields for all values of two ranges, if always the same.
fn decided(op: BinaryOp, (a, b): Range, (c, d): Range) -> Option<bool> {
    let less = if b < c { Some(true) } else { (a >= d).then_some(false) };
    let less_equal = if b <= c { Some(true) } else { (a > d).then_some(false) };
    match op {
        BinaryOp::Lt => less,
        BinaryOp::Ge => less.map(|x| !x),
        BinaryOp::Le => less_equal,
        BinaryOp::Gt => less_equal.map(|x| !x),
        BinaryOp::Eq => (b < c || d < a).then_some(false),
        BinaryOp::Ne => (b < c || d < a).then_some(true),
        _ => None,
    }
}

/// `value` after `before`.
pub(super) fn seq(before: Vec<Stmt>, value: Expr) -> Expr {
    if before.is_empty() { value } else { Expr::Seq(before, Box::new(value)) }
}

/// True when evaluating it twice is as good as once: it changes nothing and
/// calls nothing.
pub(super) fn is_plain(expr: &Expr) -> bool {
    match expr {
        Expr::Const(_) | Expr::Var(_) | Expr::Local(_) | Expr::At(..) => true,
        Expr::Element { index: e, .. }
        | Expr::LocalElement { index: e, .. }
        | Expr::Index { index: e, .. }
        | Expr::Checked { value: e, .. }
        | Expr::Neg(e, _)
        | Expr::Not(e) => is_plain(e),
        Expr::Binary(_, l, r, _) | Expr::And(l, r) | Expr::Or(l, r) => is_plain(l) && is_plain(r),
        Expr::IfThenElse(c, t, e) => is_plain(c) && is_plain(t) && is_plain(e),
        Expr::Call(..) | Expr::Seq(..) => false,
    }
}

impl Elaborator<'_> {
    /// `left op right`.
    pub(super) fn binary(&self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Expr {
        if let (&Expr::Const(a), &Expr::Const(b)) = (&left, &right)
            && let Some(value) = compute(op, a, b)
        {
            return Expr::Const(value);
        }
        match (op, &left, &right) {
            (BinaryOp::Add | BinaryOp::BitOr | BinaryOp::BitXor, Expr::Const(0), _)
            | (BinaryOp::Mul, Expr::Const(1), _) => return right,
            (
                BinaryOp::Add
                | BinaryOp::Sub
                | BinaryOp::BitOr
                | BinaryOp::BitXor
                | BinaryOp::Shl
                | BinaryOp::Shr,
                _,
                Expr::Const(0),
            )
            | (BinaryOp::Mul | BinaryOp::Div, _, Expr::Const(1)) => return left,
            (BinaryOp::Mul, Expr::Const(0), e) | (BinaryOp::Mul, e, Expr::Const(0)) if self.is_total(e) => {
                return Expr::Const(0);
            }
            _ => {}
        }
        if negated(op).is_some()
            && let Some(truth) = decided(op, self.range(&left), self.range(&right))
            && self.is_total(&left)
            && self.is_total(&right)
        {
            return Expr::Const(i32::from(truth));
        }
        Expr::Binary(op, Box::new(left), Box::new(right), span)
    }

    /// `left + right`.
    pub(super) fn add(&self, left: Expr, right: Expr, span: Span) -> Expr {
        self.binary(BinaryOp::Add, left, right, span)
    }

    /// `left - right`.
    pub(super) fn sub(&self, left: Expr, right: Expr, span: Span) -> Expr {
        self.binary(BinaryOp::Sub, left, right, span)
    }

    /// `left * right`.
    pub(super) fn mul(&self, left: Expr, right: Expr, span: Span) -> Expr {
        self.binary(BinaryOp::Mul, left, right, span)
    }

    /// `-e`.
    pub(super) fn negative(&self, e: Expr, span: Span) -> Expr {
        match e {
            Expr::Const(c) if c != i32::MIN => Expr::Const(-c),
            e => Expr::Neg(Box::new(e), span),
        }
    }

    /// `!e`.
    pub(super) fn not(&self, e: Expr) -> Expr {
        match e {
            Expr::Const(c) => Expr::Const(i32::from(c == 0)),
            Expr::Not(inner) => self.truth(*inner),
            Expr::Binary(op, l, r, span) if negated(op).is_some() => {
                Expr::Binary(negated(op).unwrap_or(op), l, r, span)
            }
            e => Expr::Not(Box::new(e)),
        }
    }

    /// 1 where `e` is not 0, else 0.
    pub(super) fn truth(&self, e: Expr) -> Expr {
        match e {
            Expr::Const(c) => Expr::Const(i32::from(c != 0)),
            e if self.is_truth(&e) => e,
            e => Expr::Binary(BinaryOp::Ne, Box::new(e), Box::new(Expr::Const(0)), Span::default()),
        }
    }

    /// True when the value is certainly 0 or 1.
    pub(super) fn is_truth(&self, e: &Expr) -> bool {
        let (low, high) = self.range(e);
        low >= 0 && high <= 1
    }

    /// `left && right`.
    pub(super) fn and(&self, left: Expr, right: Expr) -> Expr {
        match (&left, &right) {
            (Expr::Const(0), _) => left,
            (Expr::Const(_), _) => self.truth(right),
            (_, Expr::Const(0)) if self.is_total(&left) => right,
            (_, Expr::Const(c)) if *c != 0 => self.truth(left),
            _ => Expr::And(Box::new(left), Box::new(right)),
        }
    }

    /// `left || right`.
    pub(super) fn or(&self, left: Expr, right: Expr) -> Expr {
        match (&left, &right) {
            (Expr::Const(0), _) => self.truth(right),
            (Expr::Const(_), _) => Expr::Const(1),
            (_, Expr::Const(0)) => self.truth(left),
            (_, Expr::Const(_)) if self.is_total(&left) => Expr::Const(1),
            _ => Expr::Or(Box::new(left), Box::new(right)),
        }
    }

    /// All (`and`) or one of many, as a tree whose depth is logarithmic.
    pub(super) fn chain(&self, mut list: Vec<Expr>, and: bool) -> Expr {
        match list.len() {
            0 => Expr::Const(i32::from(and)),
            1 => self.truth(list.remove(0)),
            len => {
                let right = list.split_off(len / 2);
                let (left, right) = (self.chain(list, and), self.chain(right, and));
                if and { self.and(left, right) } else { self.or(left, right) }
            }
        }
    }

    /// `condition ? then : otherwise`.
    pub(super) fn if_then_else(&self, condition: Expr, then: Expr, otherwise: Expr) -> Expr {
        match condition {
            Expr::Const(0) => otherwise,
            Expr::Const(_) => then,
            c if then == otherwise && self.is_total(&c) => then,
            c => Expr::IfThenElse(Box::new(c), Box::new(then), Box::new(otherwise)),
        }
    }

    /// `value`, which must lie in a range.
    pub(super) fn checked(&self, value: Expr, min: i32, max: i32, span: Span) -> Expr {
        let (low, high) = self.range(&value);
        if low >= i64::from(min) && high <= i64::from(max) {
            return value;
        }
        Expr::Checked { value: Box::new(value), min, max, span }
    }

    /// `index - low`, which must be at least 0 and below `len`.
    pub(super) fn checked_index(&self, index: Expr, low: i32, len: u32, span: Span) -> Expr {
        let (from, to) = self.range(&index);
        if from >= i64::from(low) && to < i64::from(low) + i64::from(len) {
            return self.sub(index, Expr::Const(low), span);
        }
        Expr::Index { index: Box::new(index), low, len, span }
    }

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

/// A result that overflows is no result.
fn clip((low, high): Range) -> Range {
    (low.clamp(ANY.0, ANY.1), high.clamp(ANY.0, ANY.1))
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
