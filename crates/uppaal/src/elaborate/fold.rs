//! Constructors of expressions that compute what can be computed now.
//!
//! After instantiation most operands are constants. An operation that would
//! fail is never folded and never dropped: it stays, and fails when reached.

use dwell_model::Span;
use dwell_model::expr::{BinaryOp, Expr, Stmt};

use super::Elaborator;
use super::range::Range;

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
}
