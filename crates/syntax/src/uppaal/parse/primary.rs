//! Operands: literals, names, calls, subscripts, quantifiers.

use super::expressions::Tall;
use super::lexer::{Kind, Token};
use super::words;
use super::{Parse, Parser};
use crate::uppaal::tree::{Expr, ExprKind, Ident, Quantifier, Type};

impl Parser<'_> {
    /// Parses an operand and what is written behind it.
    ///
    /// Recursion passes through here: what does not recurse is in functions
    /// of its own, to keep this frame small.
    pub(super) fn operand(&mut self) -> Parse<Tall> {
        let first = self.token();
        let mut left = match first.kind {
            Kind::OpenParen => self.parenthesis()?,
            Kind::Word => self.name_or_call()?,
            Kind::Forall | Kind::Exists | Kind::Sum if self.is_quantifier() => return self.quantifier(),
            _ => self.literal()?,
        };
        loop {
            left = match self.kind() {
                Kind::OpenBracket => self.subscript(first, left)?,
                Kind::OpenParen => self.call(first, left)?,
                Kind::Dot => self.member(first, left)?,
                Kind::Apostrophe | Kind::PlusPlus | Kind::MinusMinus => self.postfix(first, left)?,
                Kind::LeadsTo if !self.in_query => self.postfix(first, left)?,
                _ => return Ok(left),
            };
        }
    }

    /// Parses an operand that is one token.
    fn literal(&mut self) -> Parse<Tall> {
        let token = self.token();
        let text = self.slice(token);
        let kind = match token.kind {
            Kind::Int => return self.integer(),
            Kind::True | Kind::False => ExprKind::Bool(token.kind == Kind::True),
            Kind::Float => ExprKind::Double(text.parse().unwrap_or(f64::NAN)),
            Kind::String => ExprKind::String(unquote(text)),
            Kind::UnclosedString => {
                self.unexpected("an expression");
                self.bump();
                // It may have swallowed what should stand here.
                self.last_error = Some(self.at);
                return self.leaf(token, ExprKind::Error);
            }
            kind if self.is_old_name(kind) => ExprKind::Name(text.to_owned()),
            _ => return Err(self.unexpected("an expression")),
        };
        self.bump();
        self.leaf(token, kind)
    }

    /// Parses `'`, `++` or `--` behind an operand.
    fn postfix(&mut self, first: Token, left: Tall) -> Parse<Tall> {
        let token = self.token();
        let operand = Box::new(left.expr);
        let kind = match token.kind {
            Kind::Apostrophe => ExprKind::Rate(operand),
            kind => ExprKind::Step { prefix: false, up: kind == Kind::PlusPlus, place: operand },
        };
        if token.kind == Kind::LeadsTo {
            // In a model `-->` is `--` and `>`.
            let middle = token.start + 2;
            self.tokens[self.at].kind = Kind::Greater;
            self.tokens[self.at].start = middle;
            self.end = middle;
        } else {
            self.bump();
        }
        self.node(kind, self.span_from(first.start), left.height)
    }

    fn leaf(&mut self, token: Token, kind: ExprKind) -> Parse<Tall> {
        self.node(kind, self.token_span(token), 0)
    }

    /// Is the token `ahead` the number that only fits behind a minus?
    pub(super) fn is_least_integer(&self, ahead: usize) -> bool {
        match self.tokens.get(self.at + ahead) {
            Some(&token) if token.kind == Kind::Int => {
                self.slice(token).trim_start_matches('0') == "2147483648"
            }
            _ => false,
        }
    }

    fn integer(&mut self) -> Parse<Tall> {
        let token = self.token();
        let digits = self.slice(token).trim_start_matches('0');
        let value = if digits.is_empty() { Some(0) } else { digits.parse().ok() };
        let kind = match value {
            Some(value) => ExprKind::Int(value),
            None => {
                let help = if digits == "2147483648" {
                    "it can only stand right behind a minus: `-2147483648`"
                } else {
                    "the largest integer is 2147483647"
                };
                let message = "this integer is too large";
                self.error_with("integer-overflow", self.token_span(token), message, Some(help));
                ExprKind::Error
            }
        };
        self.bump();
        self.leaf(token, kind)
    }

    fn parenthesis(&mut self) -> Parse<Tall> {
        let open = self.bump();
        let result = self.binary(0).and_then(|inner| {
            self.close(open, Kind::CloseParen, "`)` or an operator")?;
            Ok(inner)
        });
        match result {
            Ok(mut inner) => {
                inner.expr.span = self.span_from(open.start);
                Ok(inner)
            }
            Err(reported) => {
                if !self.skip_to(&[Kind::CloseParen]) {
                    return Err(reported);
                }
                self.bump();
                self.node(ExprKind::Error, self.span_from(open.start), 0)
            }
        }
    }

    /// Parses `[index]` behind an operand that starts at `first`.
    fn subscript(&mut self, first: Token, array: Tall) -> Parse<Tall> {
        let open = self.bump();
        let (index, height) = self.measured(|p| p.expression_until(&[Kind::CloseBracket]))?;
        self.close(open, Kind::CloseBracket, "`]` or an operator")?;
        let kind = ExprKind::Index(Box::new(array.expr), Box::new(index));
        self.node(kind, self.span_from(first.start), array.height.max(height))
    }

    fn call(&mut self, first: Token, callee: Tall) -> Parse<Tall> {
        let (args, height) = self.measured(Self::arguments)?;
        let kind = ExprKind::Call(Box::new(callee.expr), args);
        self.node(kind, self.span_from(first.start), callee.height.max(height))
    }

    /// Parses `(e, f)`.
    pub(super) fn arguments(&mut self) -> Parse<Vec<Expr>> {
        let open = self.expect(Kind::OpenParen, "`(`")?;
        let mut list = Vec::new();
        if self.eat(Kind::CloseParen) {
            return Ok(list);
        }
        loop {
            list.push(self.expression_until(&[Kind::Comma, Kind::CloseParen])?);
            if self.eat(Kind::Comma) {
                continue;
            }
            match self.close(open, Kind::CloseParen, "`,`, `)` or an operator") {
                Ok(()) => return Ok(list),
                Err(reported) => {
                    if !self.skip_to(&[Kind::Comma, Kind::CloseParen]) {
                        return Err(reported);
                    }
                    if self.bump().kind == Kind::CloseParen {
                        return Ok(list);
                    }
                }
            }
        }
    }

    /// Parses `.name`. Any word may follow: locations can have names that are
    /// keywords elsewhere.
    fn member(&mut self, first: Token, left: Tall) -> Parse<Tall> {
        self.bump();
        let token = self.token();
        let text = self.slice(token);
        if !text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            return Err(self.unexpected("a name"));
        }
        self.bump();
        let base = Box::new(left.expr);
        let kind = if text == "location" && !self.context.own.contains_word(text) {
            ExprKind::Location(base)
        } else {
            ExprKind::Field(base, Ident { name: text.to_owned(), span: self.token_span(token) })
        };
        self.node(kind, self.span_from(first.start), left.height)
    }

    fn name_or_call(&mut self) -> Parse<Tall> {
        if self.in_query && matches!(self.word(0), "A" | "E") && self.path_length(1).is_some() {
            let span = self.token_span(self.token());
            let message = "a path quantifier can only stand at the start of a query";
            return Err(self.error("nested-path-quantifier", span, message));
        }
        let token = self.bump();
        let text = self.slice(token);
        let name = |p: &Self| Ident { name: text.to_owned(), span: p.token_span(token) };
        if self.kind() == Kind::OpenParen
            && words::function(text).is_some_and(|number| !self.context.own.contains(number))
        {
            let (args, height) = self.measured(Self::arguments)?;
            return self.node(ExprKind::Builtin(name(self), args), self.span_from(token.start), height);
        }
        if self.in_query && text == "deadlock" {
            return self.leaf(token, ExprKind::Deadlock);
        }
        if let Some(what) = self.dynamic_expression(text)? {
            return self.node(ExprKind::Unsupported(what), self.span_from(token.start), 0);
        }
        self.leaf(token, ExprKind::Name(text.to_owned()))
    }

    /// Skips the rest of an expression of the statistical engine.
    fn dynamic_expression(&mut self, word: &str) -> Parse<Option<&'static str>> {
        if self.context.own.contains_word(word) {
            return Ok(None);
        }
        let what = match (word, self.kind(), self.peek(1)) {
            ("spawn", Kind::Word, Kind::OpenParen) => {
                self.bump();
                "the creation of a process"
            }
            ("exit", Kind::OpenParen, Kind::CloseParen) => "the end of a process",
            ("numOf", Kind::OpenParen, Kind::Word) if self.in_query => "a count of processes",
            _ => return Ok(None),
        };
        self.arguments()?;
        Ok(Some(what))
    }

    /// In the old syntax the words of quantifiers are names.
    fn is_quantifier(&self) -> bool {
        !self.is_old_name(self.kind()) || self.peek(1) == Kind::OpenParen
    }

    /// Parses `forall (i : T) e`; the body takes all that follows.
    fn quantifier(&mut self) -> Parse<Tall> {
        self.context.modern = true;
        let token = self.bump();
        let quantifier = match token.kind {
            Kind::Forall => Quantifier::Forall,
            Kind::Exists => Quantifier::Exists,
            _ => Quantifier::Sum,
        };
        let outer = self.context.own;
        let parts = self.quantifier_parts();
        self.context.own = outer;
        let (name, ty, type_height, body) = parts?;
        let span = self.token_span(token).to(body.expr.span);
        let below = body.height.max(type_height);
        let kind = ExprKind::Quantified(quantifier, name, Box::new(ty), Box::new(body.expr));
        self.node(kind, span, below)
    }

    fn quantifier_parts(&mut self) -> Parse<(Ident, Type, u32, Tall)> {
        let open = self.expect(Kind::OpenParen, "`(`")?;
        let name = self.declare_local("the name of the bound variable")?;
        self.expect(Kind::Colon, "`:`")?;
        let (ty, height) = self.measured(Self::ty)?;
        self.close(open, Kind::CloseParen, "`)`")?;
        Ok((name, ty, height, self.binary(0)?))
    }
}

/// A string literal's value: any character behind a backslash stands for
/// itself.
pub(super) fn unquote(literal: &str) -> String {
    let inner = literal.strip_prefix('"').unwrap_or(literal);
    let inner = inner.strip_suffix('"').unwrap_or(inner);
    let mut value = String::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        value.extend(if c == '\\' { chars.next() } else { Some(c) });
    }
    value
}
