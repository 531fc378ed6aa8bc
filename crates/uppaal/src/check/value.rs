//! Values of constant expressions, as far as they are computed here: no
//! functions, no quantifiers, no floating point. What is not computed is
//! [`Written`] down instead, for comparison.

use std::fmt::Write;
use std::rc::Rc;

use dwell_syntax::uppaal::tree::{BinaryOp, Expr, ExprKind, UnaryOp};

use super::scope::{Kind, Scopes};
use super::types::{Bound, Written};

/// Longer bounds are cut in messages.
const LONGEST_TEXT: usize = 60;

/// The value of a constant.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Int(i32),
    /// The index of the first element, and the elements.
    Array(i32, Rc<[Value]>),
    Struct(Rc<[(Rc<str>, Value)]>),
}

/// The value of an integral expression.
pub(super) fn integer(scopes: &Scopes, e: &Expr) -> Option<i32> {
    match value(scopes, e)? {
        Value::Int(value) => Some(value),
        _ => None,
    }
}

/// The value of an expression.
pub(super) fn value(scopes: &Scopes, e: &Expr) -> Option<Value> {
    match &e.kind {
        ExprKind::Int(value) => Some(Value::Int(*value)),
        ExprKind::Bool(value) => Some(Value::Int((*value).into())),
        ExprKind::Name(name) => match &scopes.get(name)?.kind {
            Kind::Constant(constant) => constant.value.clone(),
            _ => None,
        },
        ExprKind::Index(array, index) => match value(scopes, array)? {
            Value::Array(first, elements) => {
                let at = i64::from(integer(scopes, index)?) - i64::from(first);
                elements.get(usize::try_from(at).ok()?).cloned()
            }
            _ => None,
        },
        ExprKind::Field(structure, field) => match value(scopes, structure)? {
            Value::Struct(fields) => {
                fields.iter().find(|(name, _)| **name == *field.name).map(|(_, value)| value.clone())
            }
            _ => None,
        },
        ExprKind::Unary(op, operand) => unary(*op, integer(scopes, operand)?).map(Value::Int),
        ExprKind::Binary(op, left, right) => {
            binary(*op, integer(scopes, left)?, integer(scopes, right)?).map(Value::Int)
        }
        ExprKind::Conditional(test, then, otherwise) => {
            value(scopes, if integer(scopes, test)? != 0 { then } else { otherwise })
        }
        _ => None,
    }
}

fn unary(op: UnaryOp, operand: i32) -> Option<i32> {
    match op {
        UnaryOp::Neg => operand.checked_neg(),
        UnaryOp::Plus => Some(operand),
        UnaryOp::Not => Some((operand == 0).into()),
    }
}

fn binary(op: BinaryOp, a: i32, b: i32) -> Option<i32> {
    use BinaryOp as B;
    let truth = |holds: bool| Some(i32::from(holds));
    match op {
        B::Add => a.checked_add(b),
        B::Sub => a.checked_sub(b),
        B::Mul => a.checked_mul(b),
        B::Div => a.checked_div(b),
        B::Rem => a.checked_rem(b),
        B::Pow => a.checked_pow(u32::try_from(b).ok()?),
        B::BitAnd => Some(a & b),
        B::BitOr => Some(a | b),
        B::BitXor => Some(a ^ b),
        B::Shl => a.checked_shl(u32::try_from(b).ok()?),
        B::Shr => a.checked_shr(u32::try_from(b).ok()?),
        B::Min => Some(a.min(b)),
        B::Max => Some(a.max(b)),
        B::Lt => truth(a < b),
        B::Le => truth(a <= b),
        B::Ge => truth(a >= b),
        B::Gt => truth(a > b),
        B::Eq => truth(a == b),
        B::Ne => truth(a != b),
        B::And => truth(a != 0 && b != 0),
        B::Or => truth(a != 0 || b != 0),
        B::Xor => truth((a != 0) != (b != 0)),
        B::Imply => truth(a == 0 || b != 0),
    }
}

/// The bound an expression stands for.
pub(super) fn bound(scopes: &Scopes, e: &Expr) -> Bound {
    match integer(scopes, e) {
        Some(value) => Bound::Known(value),
        None => Bound::Written(Rc::new(write_down(scopes, e))),
    }
}

/// The last index of an array whose size is this expression.
pub(super) fn last_index(scopes: &Scopes, size: &Expr) -> Bound {
    match bound(scopes, size) {
        Bound::Known(size) => size.checked_sub(1).map_or(Bound::Unknown, Bound::Known),
        // As `size - 1` would be written down.
        Bound::Written(size) => Bound::Written(Rc::new(Written {
            key: format!("({}-1)", size.key),
            text: format!("{} - 1", size.text),
        })),
        Bound::Unknown => Bound::Unknown,
    }
}

fn write_down(scopes: &Scopes, e: &Expr) -> Written {
    let mut key = String::new();
    write_key(scopes, e, &mut key);
    Written { key, text: text(e) }
}

/// Writes an expression with symbol ids for names, so that two keys are equal
/// only for the same symbols.
fn write_key(scopes: &Scopes, e: &Expr, out: &mut String) {
    if let ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Name(_) = e.kind
        && let Some(value) = integer(scopes, e)
    {
        let _ = write!(out, "{value}");
        return;
    }
    match &e.kind {
        ExprKind::Name(name) => match scopes.get(name) {
            Some(symbol) => {
                let _ = write!(out, "#{}", symbol.id);
            }
            None => out.push_str(name),
        },
        ExprKind::Index(array, index) => {
            write_key(scopes, array, out);
            out.push('[');
            write_key(scopes, index, out);
            out.push(']');
        }
        ExprKind::Field(structure, field) => {
            write_key(scopes, structure, out);
            let _ = write!(out, ".{}", field.name);
        }
        ExprKind::Unary(op, operand) => {
            let _ = write!(out, "{op:?}");
            write_key(scopes, operand, out);
        }
        ExprKind::Binary(op, left, right) => {
            out.push('(');
            write_key(scopes, left, out);
            out.push_str(symbol_of(*op));
            write_key(scopes, right, out);
            out.push(')');
        }
        ExprKind::Call(function, args) => {
            write_key(scopes, function, out);
            out.push('(');
            for arg in args {
                write_key(scopes, arg, out);
                out.push(',');
            }
            out.push(')');
        }
        // Whatever else a bound may be, it equals itself where it stands.
        _ => {
            let _ = write!(out, "@{}", e.span.start);
        }
    }
}

/// An expression for people, cut where it is long.
pub(super) fn text(e: &Expr) -> String {
    let mut out = String::new();
    write_text(e, &mut out);
    out
}

fn write_text(e: &Expr, out: &mut String) {
    if out.len() > LONGEST_TEXT {
        if !out.ends_with('…') {
            out.push('…');
        }
        return;
    }
    match &e.kind {
        ExprKind::Int(value) => {
            let _ = write!(out, "{value}");
        }
        ExprKind::Bool(value) => {
            let _ = write!(out, "{value}");
        }
        ExprKind::Name(name) => out.push_str(name),
        ExprKind::Index(array, index) => {
            write_text(array, out);
            out.push('[');
            write_text(index, out);
            out.push(']');
        }
        ExprKind::Field(structure, field) => {
            write_text(structure, out);
            out.push('.');
            out.push_str(&field.name);
        }
        ExprKind::Unary(op, operand) => {
            out.push(match op {
                UnaryOp::Neg => '-',
                UnaryOp::Plus => '+',
                UnaryOp::Not => '!',
            });
            write_operand(operand, out);
        }
        ExprKind::Binary(op, left, right) => {
            write_operand(left, out);
            let _ = write!(out, " {} ", symbol_of(*op));
            write_operand(right, out);
        }
        ExprKind::Call(function, args) => {
            write_text(function, out);
            out.push('(');
            for (i, arg) in args.iter().enumerate() {
                out.push_str(if i == 0 { "" } else { ", " });
                write_text(arg, out);
            }
            out.push(')');
        }
        _ => out.push('…'),
    }
}

fn write_operand(e: &Expr, out: &mut String) {
    let compound = matches!(e.kind, ExprKind::Binary(..));
    out.push_str(if compound { "(" } else { "" });
    write_text(e, out);
    out.push_str(if compound { ")" } else { "" });
}

/// An operator as it is written.
pub(super) fn symbol_of(op: BinaryOp) -> &'static str {
    use BinaryOp as B;
    match op {
        B::Add => "+",
        B::Sub => "-",
        B::Mul => "*",
        B::Div => "/",
        B::Rem => "%",
        B::Pow => "**",
        B::BitAnd => "&",
        B::BitOr => "|",
        B::BitXor => "^",
        B::Shl => "<<",
        B::Shr => ">>",
        B::Min => "<?",
        B::Max => ">?",
        B::Lt => "<",
        B::Le => "<=",
        B::Ge => ">=",
        B::Gt => ">",
        B::Eq => "==",
        B::Ne => "!=",
        B::And => "&&",
        B::Or => "||",
        B::Xor => "xor",
        B::Imply => "imply",
    }
}
