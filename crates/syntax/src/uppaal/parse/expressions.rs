//! Expressions above the operands: operators, lists, conditions.

use super::lexer::{Kind, Token};
use super::operators::{ASSIGNMENT, CONDITIONAL, Infix, STEP, UNARY, infix};
use super::{Parse, Parser};
use crate::Span;
use crate::uppaal::tree::{BinaryOp, Expr, ExprKind, Syntax, UnaryOp};

/// The greatest height of an expression; a sum of n terms has height n.
const MAX_HEIGHT: u32 = 500;

/// An expression and its height.
pub(super) struct Tall {
    pub expr: Expr,
    pub height: u32,
}

impl Parser<'_> {
    /// Parses an expression.
    pub(super) fn expression(&mut self) -> Parse<Expr> {
        let tall = self.binary(0)?;
        self.tallest = self.tallest.max(tall.height);
        Ok(tall.expr)
    }

    /// Parses an expression; a broken one is skipped up to one of the kinds.
    pub(super) fn expression_until(&mut self, kinds: &[Kind]) -> Parse<Expr> {
        let start = self.token();
        match self.expression() {
            Err(_) if self.skip_to(kinds) => Ok(self.broken(start)),
            result => result,
        }
    }

    /// Stands for what was skipped from a token on.
    fn broken(&self, start: Token) -> Expr {
        let span = self.fragment.span(start.start as usize, self.end.max(start.end) as usize);
        Expr { kind: ExprKind::Error, span }
    }

    /// Parses expressions separated by commas. A broken one is replaced.
    pub(super) fn expression_list(&mut self) -> Vec<Expr> {
        let mut list = Vec::new();
        loop {
            let start = self.token();
            let expr = self.expression_until(&[Kind::Comma]);
            list.push(expr.unwrap_or_else(|_| self.broken(start)));
            if !self.eat(Kind::Comma) {
                return list;
            }
        }
    }

    /// Parses a guard or an invariant. In the old syntax commas join.
    pub(super) fn condition(&mut self) -> Parse<Expr> {
        let first = self.binary(0)?;
        if self.kind() == Kind::Comma && self.syntax == Syntax::New {
            let span = self.token_span(self.token());
            let help = "join conditions with `&&`; the comma is UPPAAL 3's old syntax";
            self.error_with("old-syntax", span, "a comma cannot join conditions", Some(help));
        }
        let mut operands = vec![first];
        while self.eat(Kind::Comma) {
            operands.push(self.binary(0)?);
        }
        let tall = self.join(BinaryOp::And, operands)?;
        self.tallest = self.tallest.max(tall.height);
        Ok(tall.expr)
    }

    /// Runs a rule and returns the height of the highest expression in it.
    pub(super) fn measured<T>(&mut self, rule: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<(T, u32)> {
        let before = std::mem::take(&mut self.tallest);
        let result = rule(self);
        let height = self.tallest;
        self.tallest = before.max(height);
        Ok((result?, height))
    }

    /// Builds a node above nodes of at most the given height.
    pub(super) fn node(&mut self, kind: ExprKind, span: Span, below: u32) -> Parse<Tall> {
        if below >= MAX_HEIGHT {
            let help = "split it, or group it with parentheses";
            return Err(self.error_with("too-deep", span, "the expression is nested too deeply", Some(help)));
        }
        Ok(Tall { expr: Expr { kind, span }, height: below + 1 })
    }

    /// Parses operators that bind at least as tight as `least`.
    pub(super) fn binary(&mut self, least: u8) -> Parse<Tall> {
        self.nested(|p| p.binary_here(least))
    }

    fn binary_here(&mut self, least: u8) -> Parse<Tall> {
        let mut left = self.prefix()?;
        // Operands of the chain of one of `&&` and `||` that ends in `left`,
        // but for `left` itself.
        let mut chain: Vec<Tall> = Vec::new();
        let mut chain_op = BinaryOp::And;
        while let Some((level, operator)) = infix(self.kind()) {
            if level < least || self.is_receive() {
                break;
            }
            if !chain.is_empty() && operator != Infix::Binary(chain_op) {
                chain.push(left);
                left = self.join(chain_op, std::mem::take(&mut chain))?;
            }
            left = match operator {
                Infix::Binary(op) => {
                    self.old_comparison();
                    self.bump();
                    let right = self.binary(level + 1)?;
                    if matches!(op, BinaryOp::And | BinaryOp::Or) {
                        chain_op = op;
                        chain.push(left);
                        right
                    } else {
                        self.binary_node(op, left, right)?
                    }
                }
                Infix::Assign(op) => self.assignment(op, left)?,
                Infix::Conditional => {
                    self.bump();
                    self.conditional(left)?
                }
            };
        }
        if !chain.is_empty() {
            chain.push(left);
            left = self.join(chain_op, chain)?;
        }
        Ok(left)
    }

    /// Is the cursor at the `?` of a synchronisation?
    fn is_receive(&self) -> bool {
        self.kind() == Kind::Question
            && matches!(self.peek(1), Kind::End | Kind::Semicolon | Kind::CloseBrace)
    }

    /// Parses what follows `condition ?`. Not by recursion: generated models
    /// have tables written as chains `a ? b : c ? d : e`.
    fn conditional(&mut self, mut condition: Tall) -> Parse<Tall> {
        let mut chain = Vec::new();
        let mut otherwise = loop {
            let then = self.binary(0)?;
            self.expect(Kind::Colon, "`:` and the other value of `?:`")?;
            let next = self.binary(CONDITIONAL + 1)?;
            chain.push((condition, then));
            match infix(self.kind()) {
                Some((_, Infix::Conditional)) if !self.is_receive() => condition = next,
                // An assignment may follow the colon without parentheses.
                Some((_, Infix::Assign(op))) => break self.assignment(op, next)?,
                _ => break next,
            }
            self.bump();
        };
        for (condition, then) in chain.into_iter().rev() {
            let span = condition.expr.span.to(otherwise.expr.span);
            let below = condition.height.max(then.height).max(otherwise.height);
            let operands = (Box::new(condition.expr), Box::new(then.expr), Box::new(otherwise.expr));
            otherwise = self.node(ExprKind::Conditional(operands.0, operands.1, operands.2), span, below)?;
        }
        Ok(otherwise)
    }

    /// Parses an assignment from its operator on.
    fn assignment(&mut self, op: Option<BinaryOp>, left: Tall) -> Parse<Tall> {
        self.bump();
        let right = self.binary(ASSIGNMENT)?;
        let span = left.expr.span.to(right.expr.span);
        let below = left.height.max(right.height);
        self.node(ExprKind::Assign(op, Box::new(left.expr), Box::new(right.expr)), span, below)
    }

    /// Reports `=<` and `=>` where they are no operators.
    fn old_comparison(&mut self) {
        let help = match self.kind() {
            Kind::OldLessEqual => "write `<=`; `=<` is UPPAAL 3's old syntax",
            Kind::OldGreaterEqual => "write `>=`; `=>` is UPPAAL 3's old syntax",
            _ => return,
        };
        if self.syntax == Syntax::New {
            let token = self.token();
            let message = format!("`{}` is not an operator", self.slice(token));
            self.error_with("old-syntax", self.token_span(token), message, Some(help));
        }
    }

    /// Parses operators before an operand, and the operand.
    fn prefix(&mut self) -> Parse<Tall> {
        let token = self.token();
        let op = match token.kind {
            Kind::Minus if self.is_least_integer(1) => {
                self.bump();
                self.bump();
                return self.node(ExprKind::Int(i32::MIN), self.span_from(token.start), 0);
            }
            Kind::Minus => UnaryOp::Neg,
            Kind::Plus => UnaryOp::Plus,
            Kind::Bang | Kind::Not => UnaryOp::Not,
            Kind::PlusPlus | Kind::MinusMinus => {
                self.bump();
                let place = self.binary(STEP)?;
                let span = self.token_span(token).to(place.expr.span);
                let up = token.kind == Kind::PlusPlus;
                let kind = ExprKind::Step { prefix: true, up, place: Box::new(place.expr) };
                return self.node(kind, span, place.height);
            }
            _ => return self.operand(),
        };
        self.bump();
        let operand = self.binary(UNARY)?;
        let span = self.token_span(token).to(operand.expr.span);
        self.node(ExprKind::Unary(op, Box::new(operand.expr)), span, operand.height)
    }
}
