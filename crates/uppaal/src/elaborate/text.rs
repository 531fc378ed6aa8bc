//! Expressions as text, for labels and for what a query measures.

use dwell_syntax::uppaal::tree::{BinaryOp, Expr, ExprKind, Quantifier, UnaryOp};

/// The expression on one line, with as few parentheses as its meaning allows.
pub(super) fn expression_text(e: &Expr) -> String {
    let mut text = String::new();
    write(e, 0, &mut text);
    text
}

const ASSIGN: u8 = 2;
const CONDITIONAL: u8 = 3;
const UNARY: u8 = 16;
const STEP: u8 = 17;
const POSTFIX: u8 = 18;

/// How strongly an operator binds, and how it is written.
fn operator(op: BinaryOp) -> (u8, &'static str) {
    match op {
        BinaryOp::Or => (4, "||"),
        BinaryOp::Xor => (4, "xor"),
        BinaryOp::Imply => (4, "imply"),
        BinaryOp::And => (5, "&&"),
        BinaryOp::BitOr => (6, "|"),
        BinaryOp::BitXor => (7, "^"),
        BinaryOp::BitAnd => (8, "&"),
        BinaryOp::Eq => (9, "=="),
        BinaryOp::Ne => (9, "!="),
        BinaryOp::Lt => (10, "<"),
        BinaryOp::Le => (10, "<="),
        BinaryOp::Ge => (10, ">="),
        BinaryOp::Gt => (10, ">"),
        BinaryOp::Min => (11, "<?"),
        BinaryOp::Max => (11, ">?"),
        BinaryOp::Shl => (12, "<<"),
        BinaryOp::Shr => (12, ">>"),
        BinaryOp::Add => (13, "+"),
        BinaryOp::Sub => (13, "-"),
        BinaryOp::Mul => (14, "*"),
        BinaryOp::Div => (14, "/"),
        BinaryOp::Rem => (14, "%"),
        BinaryOp::Pow => (15, "**"),
    }
}

fn strength(e: &Expr) -> u8 {
    match &e.kind {
        ExprKind::Quantified(..) => 1,
        ExprKind::Assign(..) => ASSIGN,
        ExprKind::Conditional(..) => CONDITIONAL,
        ExprKind::Binary(op, ..) => operator(*op).0,
        ExprKind::Unary(..) => UNARY,
        ExprKind::Int(value) if *value < 0 => UNARY,
        ExprKind::Step { prefix: true, .. } => STEP,
        _ => POSTFIX,
    }
}

fn list(items: &[Expr], text: &mut String) {
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            text.push_str(", ");
        }
        write(item, ASSIGN, text);
    }
}

/// Writes an expression where something that binds like `least` may stand.
fn write(e: &Expr, least: u8, text: &mut String) {
    let own = strength(e);
    if own < least {
        text.push('(');
        write(e, 0, text);
        text.push(')');
        return;
    }
    match &e.kind {
        ExprKind::Int(value) => text.push_str(&value.to_string()),
        ExprKind::Double(value) => text.push_str(&value.to_string()),
        ExprKind::String(value) => text.push_str(&format!("{value:?}")),
        ExprKind::Bool(value) => text.push_str(if *value { "true" } else { "false" }),
        ExprKind::Name(name) => text.push_str(name),
        ExprKind::Index(base, index) => {
            write(base, POSTFIX, text);
            text.push('[');
            write(index, 0, text);
            text.push(']');
        }
        ExprKind::Field(base, field) => {
            write(base, POSTFIX, text);
            text.push('.');
            text.push_str(&field.name);
        }
        ExprKind::Location(base) => {
            write(base, POSTFIX, text);
            text.push_str(".location");
        }
        ExprKind::Rate(base) => {
            write(base, POSTFIX, text);
            text.push('\'');
        }
        ExprKind::Call(callee, args) => {
            write(callee, POSTFIX, text);
            text.push('(');
            list(args, text);
            text.push(')');
        }
        ExprKind::Builtin(name, args) => {
            text.push_str(&name.name);
            text.push('(');
            list(args, text);
            text.push(')');
        }
        ExprKind::Unary(op, operand) => {
            text.push(match op {
                UnaryOp::Neg => '-',
                UnaryOp::Plus => '+',
                UnaryOp::Not => '!',
            });
            write(operand, UNARY + 1, text);
        }
        ExprKind::Step { prefix, up, place } => {
            let sign = if *up { "++" } else { "--" };
            if *prefix {
                text.push_str(sign);
            }
            write(place, STEP, text);
            if !*prefix {
                text.push_str(sign);
            }
        }
        ExprKind::Binary(op, left, right) => {
            write(left, own, text);
            text.push_str(&format!(" {} ", operator(*op).1));
            write(right, own + 1, text);
        }
        ExprKind::Assign(op, left, right) => {
            write(left, own + 1, text);
            text.push_str(&format!(" {}= ", op.map_or("", |op| operator(op).1)));
            write(right, own, text);
        }
        ExprKind::Conditional(condition, then, otherwise) => {
            write(condition, own + 1, text);
            text.push_str(" ? ");
            write(then, own, text);
            text.push_str(" : ");
            write(otherwise, own, text);
        }
        ExprKind::Quantified(quantifier, name, _, body) => {
            let word = match quantifier {
                Quantifier::Forall => "forall",
                Quantifier::Exists => "exists",
                Quantifier::Sum => "sum",
            };
            text.push_str(&format!("{word} ({}) ", name.name));
            write(body, own, text);
        }
        ExprKind::Deadlock => text.push_str("deadlock"),
        ExprKind::Unsupported(what) => text.push_str(what),
        ExprKind::Error => text.push('?'),
    }
}
