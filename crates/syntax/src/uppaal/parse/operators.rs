//! Operators and how tight they bind; chains of them.
//!
//! Levels are those of the language's table, from loose to tight. All of `or`,
//! `||`, `xor` and `imply` share one; a quantifier binds looser than all.

use super::expressions::Tall;
use super::lexer::Kind;
use super::{Parse, Parser};
use crate::uppaal::tree::{BinaryOp, ExprKind};

pub(super) const ASSIGNMENT: u8 = 2;
pub(super) const CONDITIONAL: u8 = 3;
/// `-`, `+`, `!` before an operand.
pub(super) const UNARY: u8 = 16;
/// `++`, `--` before an operand.
pub(super) const STEP: u8 = 17;

/// What stands between two operands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Infix {
    Assign(Option<BinaryOp>),
    Conditional,
    Binary(BinaryOp),
}

/// The operator of a token and its level.
pub(super) fn infix(kind: Kind) -> Option<(u8, Infix)> {
    use BinaryOp::*;
    let assign = |op| (ASSIGNMENT, Infix::Assign(Some(op)));
    let (level, op) = match kind {
        Kind::Assign => return Some((ASSIGNMENT, Infix::Assign(None))),
        Kind::AddAssign => return Some(assign(Add)),
        Kind::SubAssign => return Some(assign(Sub)),
        Kind::MulAssign => return Some(assign(Mul)),
        Kind::DivAssign => return Some(assign(Div)),
        Kind::RemAssign => return Some(assign(Rem)),
        Kind::AndAssign => return Some(assign(BitAnd)),
        Kind::OrAssign => return Some(assign(BitOr)),
        Kind::XorAssign => return Some(assign(BitXor)),
        Kind::ShlAssign => return Some(assign(Shl)),
        Kind::ShrAssign => return Some(assign(Shr)),
        Kind::Question => return Some((CONDITIONAL, Infix::Conditional)),
        Kind::Or => (4, Or),
        Kind::Xor => (4, Xor),
        Kind::Imply => (4, Imply),
        Kind::And => (5, And),
        Kind::Pipe => (6, BitOr),
        Kind::Caret => (7, BitXor),
        Kind::Ampersand => (8, BitAnd),
        Kind::EqualEqual => (9, Eq),
        Kind::NotEqual => (9, Ne),
        Kind::Less => (10, Lt),
        Kind::LessEqual | Kind::OldLessEqual => (10, Le),
        Kind::GreaterEqual | Kind::OldGreaterEqual => (10, Ge),
        Kind::Greater => (10, Gt),
        Kind::Min => (11, Min),
        Kind::Max => (11, Max),
        Kind::Shl => (12, Shl),
        Kind::Shr => (12, Shr),
        Kind::Plus => (13, Add),
        Kind::Minus => (13, Sub),
        Kind::Star => (14, Mul),
        Kind::Slash => (14, Div),
        Kind::Percent => (14, Rem),
        Kind::StarStar => (15, Pow),
        _ => return None,
    };
    Some((level, Infix::Binary(op)))
}

/// Longer chains of `&&` or `||` become balanced trees. Their meaning does not
/// depend on how they are grouped, and conditions with thousands of operands
/// are met in generated models.
const LONGEST_LIST: usize = 64;

impl Parser<'_> {
    /// Joins operands by one of `&&` and `||`, left to right.
    pub(super) fn join(&mut self, op: BinaryOp, mut operands: Vec<Tall>) -> Parse<Tall> {
        while operands.len() > LONGEST_LIST {
            let mut next = Vec::with_capacity(operands.len() / 2 + 1);
            let mut rest = operands.into_iter();
            while let Some(left) = rest.next() {
                next.push(match rest.next() {
                    Some(right) => self.binary_node(op, left, right)?,
                    None => left,
                });
            }
            operands = next;
        }
        let mut rest = operands.into_iter();
        let Some(mut left) = rest.next() else { return Err(self.unexpected("an expression")) };
        for right in rest {
            left = self.binary_node(op, left, right)?;
        }
        Ok(left)
    }

    pub(super) fn binary_node(&mut self, op: BinaryOp, left: Tall, right: Tall) -> Parse<Tall> {
        let span = left.expr.span.to(right.expr.span);
        let below = left.height.max(right.height);
        self.node(ExprKind::Binary(op, Box::new(left.expr), Box::new(right.expr)), span, below)
    }
}
