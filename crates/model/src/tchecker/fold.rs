//! Folding of constants.
//!
//! Only what is certain is folded: an operation on constants that would fail
//! is an error wherever it stands.

use dwell_syntax::{Diagnostics, Span};

use crate::code;
use crate::expr::{BinaryOp, Expr};

/// `left op right`, computed if both are constants. `None` after an error.
pub(super) fn binary(
    op: BinaryOp,
    left: Expr,
    right: Expr,
    span: Span,
    diagnostics: &mut Diagnostics,
) -> Option<Expr> {
    if let (BinaryOp::Div | BinaryOp::Rem, Expr::Const(0)) = (op, &right) {
        diagnostics
            .error("division-by-zero", span, "the divisor is zero")
            .help("`/` and `%` need a divisor other than 0");
        return None;
    }
    let (&Expr::Const(a), &Expr::Const(b)) = (&left, &right) else {
        return Some(Expr::Binary(op, Box::new(left), Box::new(right), span));
    };
    code::binary(op, a, b).ok().map(Expr::Const).or_else(|| overflow(span, diagnostics))
}

/// `-operand`.
pub(super) fn neg(operand: Expr, span: Span, diagnostics: &mut Diagnostics) -> Option<Expr> {
    match operand {
        Expr::Const(value) => value.checked_neg().map(Expr::Const).or_else(|| overflow(span, diagnostics)),
        _ => Some(Expr::Neg(Box::new(operand), span)),
    }
}

/// `!operand`.
pub(super) fn not(operand: Expr) -> Expr {
    match operand {
        Expr::Const(value) => Expr::Const(i32::from(value == 0)),
        _ => Expr::Not(Box::new(operand)),
    }
}

/// `(if condition then then else otherwise)`.
pub(super) fn if_then_else(condition: Expr, then: Expr, otherwise: Expr) -> Expr {
    match condition {
        Expr::Const(0) => otherwise,
        Expr::Const(_) => then,
        _ => Expr::IfThenElse(Box::new(condition), Box::new(then), Box::new(otherwise)),
    }
}

/// The conjunction of a list, as a balanced tree; its order is that of the
/// list. The empty conjunction is 1.
pub(super) fn and(list: Vec<Expr>) -> Expr {
    let mut level = list;
    if level.is_empty() {
        return Expr::Const(1);
    }
    while level.len() > 1 {
        let mut above = Vec::with_capacity(level.len().div_ceil(2));
        let mut below = level.into_iter();
        while let Some(left) = below.next() {
            above.push(match below.next() {
                Some(right) => Expr::And(Box::new(left), Box::new(right)),
                None => left,
            });
        }
        level = above;
    }
    level.swap_remove(0)
}

fn overflow(span: Span, diagnostics: &mut Diagnostics) -> Option<Expr> {
    diagnostics
        .error("integer-overflow", span, "the value of this expression does not fit 32 bits")
        .help(format!("integers range from {} to {}", i32::MIN, i32::MAX));
    None
}
