//! Expressions that need no state.

use super::binary;
use crate::expr::Expr;

/// The value of an expression that needs no state and does not fail.
pub(crate) fn constant(expr: &Expr) -> Option<i32> {
    match expr {
        Expr::Const(value) => Some(*value),
        Expr::Neg(e, _) => constant(e)?.checked_neg(),
        Expr::Not(e) => Some(i32::from(constant(e)? == 0)),
        Expr::Binary(op, l, r, _) => binary(*op, constant(l)?, constant(r)?).ok(),
        Expr::And(l, r) => match constant(l)? {
            0 => Some(0),
            _ => Some(i32::from(constant(r)? != 0)),
        },
        Expr::Or(l, r) => match constant(l)? {
            0 => Some(i32::from(constant(r)? != 0)),
            _ => Some(1),
        },
        Expr::IfThenElse(c, t, e) => constant(if constant(c)? != 0 { t } else { e }),
        Expr::Index { index, low, len, .. } => {
            let at = i64::from(constant(index)?) - i64::from(*low);
            (0..i64::from(*len)).contains(&at).then_some(at as i32)
        }
        Expr::Checked { value, min, max, .. } => constant(value).filter(|v| (min..=max).contains(&v)),
        Expr::Var(_)
        | Expr::Element { .. }
        | Expr::Local(_)
        | Expr::LocalElement { .. }
        | Expr::Call(..)
        | Expr::Seq(..)
        | Expr::At(..) => None,
    }
}
