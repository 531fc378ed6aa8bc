//! The parser of expressions.
//!
//! ```text
//! condition  = atom {"&&" atom}
//! atom       = "!" atom | term {compare term}
//! term       = unary {("+" | "-" | "*" | "/" | "%") unary}
//! unary      = "-" unary | primary
//! primary    = INTEGER | NAME | NAME "[" term "]" | "(" condition ")"
//!            | "(" "if" condition "then" term "else" term ")"
//! ```
//!
//! `*`, `/` and `%` bind tighter than `+` and `-`; all associate to the left.
//! What may stand in the parentheses of a term is a matter of types.

use super::declarations::{Parse, Reported, too_large};
use super::lexer::{Token, TokenKind, describe, integer_value, program_token, slice};
use super::tree::{ArithmeticOp, CompareOp, Comparison, Expr, ExprKind, Name};
use super::{MAX_HEIGHT, MAX_NESTING};
use crate::{Diagnostics, Span};

/// Words that cannot be names in expressions and statements.
pub(super) const WORDS: [&str; 8] = ["if", "then", "else", "end", "while", "do", "local", "nop"];

/// A cursor in the value of an attribute.
pub(super) struct Program<'a> {
    pub text: &'a str,
    at: usize,
    end: usize,
    nesting: u32,
    pub token: Token,
    pub last_end: u32,
    pub diagnostics: &'a mut Diagnostics,
}

/// An expression and its height.
pub(super) struct Tall {
    pub expr: Expr,
    pub height: u32,
}

impl<'a> Program<'a> {
    pub fn new(text: &'a str, value: Span, diagnostics: &'a mut Diagnostics) -> Self {
        let (at, end) = (value.start as usize, value.end as usize);
        let token = program_token(text, at, end);
        Self { text, at: token.span.end as usize, end, nesting: 0, token, last_end: value.start, diagnostics }
    }

    /// Parses the value as a condition.
    pub fn condition(mut self) -> Parse<Expr> {
        let condition = self.formula()?;
        match self.token.kind {
            TokenKind::End => Ok(condition.expr),
            _ => Err(self.unexpected("`&&` or the end of the condition")),
        }
    }

    pub fn next(&mut self) -> Token {
        let token = self.token;
        self.token = program_token(self.text, self.at, self.end);
        self.at = self.token.span.end as usize;
        self.last_end = token.span.end;
        token
    }

    pub fn is_symbol(&self, symbol: &str) -> bool {
        matches!(self.token.kind, TokenKind::Symbol(s) if s == symbol)
    }

    pub fn is_word(&self, word: &str) -> bool {
        self.token.kind == TokenKind::Word && slice(self.text, self.token.span) == word
    }

    pub fn expect_symbol(&mut self, symbol: &'static str) -> Parse<Token> {
        if self.is_symbol(symbol) { Ok(self.next()) } else { Err(self.unexpected(&format!("`{symbol}`"))) }
    }

    pub fn expect_word(&mut self, word: &'static str) -> Parse<Token> {
        if self.is_word(word) { Ok(self.next()) } else { Err(self.unexpected(&format!("`{word}`"))) }
    }

    /// Runs `f` one level deeper.
    pub fn nested<T>(&mut self, f: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.nesting == MAX_NESTING {
            let message = format!("more than {MAX_NESTING} levels of nesting");
            self.diagnostics.error("too-deep", self.token.span, message).help("split the attribute");
            return Err(Reported);
        }
        self.nesting += 1;
        let result = f(self);
        self.nesting -= 1;
        result
    }

    /// Builds a node above nodes of at most the given height.
    fn node(&mut self, kind: ExprKind, span: Span, below: u32) -> Parse<Tall> {
        if below >= MAX_HEIGHT {
            let message = format!("this expression is more than {MAX_HEIGHT} operators high");
            self.diagnostics.error("too-deep", span, message).help("split it with parentheses or variables");
            return Err(Reported);
        }
        Ok(Tall { expr: Expr { kind, span }, height: below + 1 })
    }

    pub fn formula(&mut self) -> Parse<Tall> {
        let first = self.atom()?;
        if !self.is_symbol("&&") {
            return Ok(first);
        }
        let mut height = first.height;
        let mut span = first.expr.span;
        let mut list = vec![first.expr];
        while self.is_symbol("&&") {
            self.next();
            let atom = self.atom()?;
            height = height.max(atom.height);
            span = span.to(atom.expr.span);
            list.push(atom.expr);
        }
        // Conjunctions are lowered to balanced trees.
        let height = height + list.len().ilog2();
        self.node(ExprKind::And(list), span, height)
    }

    fn atom(&mut self) -> Parse<Tall> {
        if self.is_symbol("!") {
            let not = self.next();
            let operand = self.nested(Self::atom)?;
            let span = not.span.to(operand.expr.span);
            return self.node(ExprKind::Not(Box::new(operand.expr)), span, operand.height);
        }
        let first = self.term()?;
        let mut height = first.height;
        let mut span = first.expr.span;
        let mut chain: Vec<Comparison> = Vec::new();
        while let Some(op) = self.compare_op() {
            let op_span = self.token.span;
            let ordered = |op| matches!(op, CompareOp::Lt | CompareOp::Le);
            if chain.last().is_some_and(|before| !ordered(before.op) || !ordered(op)) {
                self.diagnostics
                    .error("chained-comparison", op_span, "only `<` and `<=` can be chained")
                    .help("join two comparisons with `&&`");
                return Err(Reported);
            }
            self.next();
            let right = self.term()?;
            height = height.max(right.height);
            span = span.to(right.expr.span);
            chain.push(Comparison { op, op_span, right: right.expr });
        }
        if chain.is_empty() {
            return Ok(first);
        }
        let height = height + chain.len().ilog2();
        self.node(ExprKind::Compare(Box::new(first.expr), chain), span, height)
    }

    fn compare_op(&self) -> Option<CompareOp> {
        let TokenKind::Symbol(symbol) = self.token.kind else { return None };
        Some(match symbol {
            "==" => CompareOp::Eq,
            "!=" => CompareOp::Ne,
            "<" => CompareOp::Lt,
            "<=" => CompareOp::Le,
            ">=" => CompareOp::Ge,
            ">" => CompareOp::Gt,
            _ => return None,
        })
    }

    pub fn term(&mut self) -> Parse<Tall> {
        self.binary(0)
    }

    /// Precedence climbing over operators that bind at least as tight as
    /// `least`: 0 for sums, 1 for products.
    fn binary(&mut self, least: u32) -> Parse<Tall> {
        let mut left = self.unary()?;
        loop {
            let TokenKind::Symbol(symbol) = self.token.kind else { return Ok(left) };
            let (op, strength) = match symbol {
                "+" => (ArithmeticOp::Add, 0),
                "-" => (ArithmeticOp::Sub, 0),
                "*" => (ArithmeticOp::Mul, 1),
                "/" => (ArithmeticOp::Div, 1),
                "%" => (ArithmeticOp::Rem, 1),
                // `a--b` is a - -b here.
                "--" => (ArithmeticOp::Sub, 0),
                _ => return Ok(left),
            };
            if strength < least {
                return Ok(left);
            }
            if symbol == "--" {
                self.split_token();
            }
            self.next();
            let right = self.binary(strength + 1)?;
            let span = left.expr.span.to(right.expr.span);
            let below = left.height.max(right.height);
            let kind = ExprKind::Arithmetic(op, Box::new(left.expr), Box::new(right.expr));
            left = self.node(kind, span, below)?;
        }
    }

    /// Makes two tokens `-` of one `--`.
    fn split_token(&mut self) {
        let start = self.token.span.start;
        self.token = Token { kind: TokenKind::Symbol("-"), span: Span { start, end: start + 1 } };
        self.at = start as usize + 1;
    }

    fn unary(&mut self) -> Parse<Tall> {
        if self.is_symbol("--") {
            self.split_token();
        }
        if !self.is_symbol("-") {
            return self.primary();
        }
        let minus = self.next();
        if self.token.kind == TokenKind::Integer {
            // The least integer has no positive counterpart.
            let span = self.token.span;
            if slice(self.text, span).trim_start_matches('0') == "2147483648" {
                self.next();
                return self.node(ExprKind::Int(i32::MIN), minus.span.to(span), 0);
            }
        }
        let operand = self.nested(Self::unary)?;
        let span = minus.span.to(operand.expr.span);
        self.node(ExprKind::Neg(Box::new(operand.expr)), span, operand.height)
    }

    fn primary(&mut self) -> Parse<Tall> {
        match self.token.kind {
            TokenKind::Integer => {
                let token = self.next();
                match integer_value(slice(self.text, token.span)) {
                    Some(value) => self.node(ExprKind::Int(value), token.span, 0),
                    None => Err(too_large(self.diagnostics, token.span)),
                }
            }
            TokenKind::Word => {
                let name = self.name("an expression")?;
                if !self.is_symbol("[") {
                    return self.node(ExprKind::Name(name.text), name.span, 0);
                }
                let index = self.subscript()?;
                let span = Span { start: name.span.start, end: self.last_end };
                self.node(ExprKind::Index(name, Box::new(index.expr)), span, index.height)
            }
            TokenKind::Symbol("(") => self.nested(Self::parenthesis),
            _ => Err(self.unexpected("an expression")),
        }
    }

    /// Parses `[index]`.
    pub fn subscript(&mut self) -> Parse<Tall> {
        self.expect_symbol("[")?;
        let index = self.nested(Self::term)?;
        self.expect_symbol("]")?;
        Ok(index)
    }

    fn parenthesis(&mut self) -> Parse<Tall> {
        let open = self.expect_symbol("(")?;
        if !self.is_word("if") {
            let inner = self.formula()?;
            let close = self.expect_symbol(")")?;
            return self.node(ExprKind::Paren(Box::new(inner.expr)), open.span.to(close.span), inner.height);
        }
        self.next();
        let condition = self.formula()?;
        self.expect_word("then")?;
        let then = self.term()?;
        self.expect_word("else")?;
        let otherwise = self.term()?;
        let close = self.expect_symbol(")")?;
        let below = condition.height.max(then.height).max(otherwise.height);
        let kind =
            ExprKind::IfThenElse(Box::new(condition.expr), Box::new(then.expr), Box::new(otherwise.expr));
        self.node(kind, open.span.to(close.span), below)
    }

    /// Parses a name; `expected` is for the message when none is here.
    pub fn name(&mut self, expected: &str) -> Parse<Name> {
        let text = slice(self.text, self.token.span);
        if self.token.kind != TokenKind::Word || WORDS.contains(&text) {
            return Err(self.unexpected(expected));
        }
        let token = self.next();
        Ok(Name { text: text.to_owned(), span: token.span })
    }

    /// Reports the token at the cursor where `expected` should stand.
    pub fn unexpected(&mut self, expected: &str) -> Reported {
        let token = self.token;
        let found = describe(self.text, token);
        let symbol = match token.kind {
            TokenKind::Symbol(symbol) => symbol,
            TokenKind::Unknown => {
                let message = format!("unexpected character {found}");
                self.diagnostics.error("unexpected-character", token.span, message);
                return Reported;
            }
            _ => "",
        };
        let advice = match symbol {
            "=" => {
                Some(("assignment-in-condition", "`=` assigns and cannot stand here", "compare with `==`"))
            }
            "||" | "|" => Some((
                "no-disjunction",
                "there is no disjunction in this format",
                "write one edge for each case",
            )),
            "&" => Some(("unexpected-token", "`&` is not an operator", "conjunctions are written `&&`")),
            "!" => Some((
                "unexpected-token",
                "`!` can only stand before a whole condition",
                "compare with 0 instead: `e == 0`",
            )),
            "?" | ":" => Some((
                "unexpected-token",
                "`? :` is not an operator",
                "write `(if condition then value else value)`",
            )),
            _ => None,
        };
        match advice {
            Some((code, message, help)) => self.diagnostics.error(code, token.span, message).help(help),
            None => {
                let message = format!("expected {expected}, found {found}");
                self.diagnostics.error("unexpected-token", token.span, message);
            }
        }
        Reported
    }
}
