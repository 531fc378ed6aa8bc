//! The place in the text, what is reported there, and how to go on after it.
//!
//! Every error is reported once: a second one at the same token is a
//! consequence of the first and is dropped. Who gets [`Reported`] either hands
//! it on or finds a token from which the text makes sense again.

use super::lexer::{Kind, Token};
use super::{Parse, Parser, Reported};
use crate::{Diagnostic, Span};

/// The deepest recursion of the parser.
const MAX_NESTING: u32 = 128;

/// The greatest height of a tree above its expressions: recursion, and the
/// branches of `else if` chains.
const MAX_ABOVE: u32 = 500;

/// After so many errors the rest of a text is not read.
const MAX_ERRORS: u32 = 100;

impl<'t> Parser<'t> {
    pub(super) fn token(&self) -> Token {
        self.tokens[self.at]
    }

    pub(super) fn kind(&self) -> Kind {
        self.tokens[self.at].kind
    }

    /// The kind of the token `ahead` places further on.
    pub(super) fn peek(&self, ahead: usize) -> Kind {
        self.tokens.get(self.at + ahead).map_or(Kind::End, |t| t.kind)
    }

    pub(super) fn slice(&self, token: Token) -> &'t str {
        &self.text[token.start as usize..token.end as usize]
    }

    /// The word `ahead` places further on; empty when there is none.
    pub(super) fn word(&self, ahead: usize) -> &'t str {
        match self.tokens.get(self.at + ahead) {
            Some(&token) if token.kind == Kind::Word => self.slice(token),
            _ => "",
        }
    }

    /// Takes the token at the cursor; the end stays where it is.
    pub(super) fn bump(&mut self) -> Token {
        let token = self.token();
        if token.kind != Kind::End {
            self.at += 1;
            self.end = token.end;
        }
        token
    }

    pub(super) fn eat(&mut self, kind: Kind) -> bool {
        let found = self.kind() == kind;
        if found {
            self.bump();
        }
        found
    }

    pub(super) fn expect(&mut self, kind: Kind, expected: &str) -> Parse<Token> {
        if self.kind() == kind { Ok(self.bump()) } else { Err(self.unexpected(expected)) }
    }

    /// Where a token lies in the file.
    pub(super) fn token_span(&self, token: Token) -> Span {
        self.fragment.span(token.start as usize, token.end as usize)
    }

    /// From an offset to the end of the token taken last.
    pub(super) fn span_from(&self, start: u32) -> Span {
        self.fragment.span(start as usize, self.end.max(start) as usize)
    }

    /// The empty place right behind the token taken last.
    fn behind(&self) -> Span {
        let end = self.end as usize;
        let from = self.text[..end].char_indices().next_back().map_or(0, |(i, _)| i);
        let end = self.fragment.span(from, end).end;
        Span { start: end, end }
    }

    /// Is the token at the cursor the first of its line?
    pub(super) fn on_new_line(&self) -> bool {
        self.text[self.end as usize..self.token().start as usize].contains('\n')
    }

    /// Reports an error unless one was reported at this token.
    pub(super) fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) -> Reported {
        self.error_with(code, span, message, None)
    }

    /// Reports an error with advice.
    pub(super) fn error_with(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        help: Option<&str>,
    ) -> Reported {
        if self.last_error == Some(self.at) {
            return Reported;
        }
        self.last_error = Some(self.at);
        self.errors += 1;
        let diagnostic = self.diagnostics.error(code, span, message);
        if let Some(help) = help {
            diagnostic.help(help);
        }
        if self.errors == MAX_ERRORS {
            self.diagnostics.error("too-many-errors", span, "too many errors: the rest is not read");
            self.stop();
        }
        Reported
    }

    pub(super) fn warning(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.diagnostics.warning(code, span, message)
    }

    /// Leaves the rest of the text unread, silently.
    fn stop(&mut self) {
        self.at = self.tokens.len() - 1;
        self.last_error = Some(self.at);
    }

    /// Reports the token at the cursor where `expected` should stand.
    pub(super) fn unexpected(&mut self, expected: &str) -> Reported {
        let token = self.token();
        let span = self.token_span(token);
        let text = self.slice(token);
        match token.kind {
            Kind::UnclosedComment => {
                let open = self.fragment.span(token.start as usize, token.start as usize + 2);
                let reported = self.error("unclosed-comment", open, "this comment is not closed");
                self.stop();
                return reported;
            }
            Kind::UnclosedString => {
                return self.error("unclosed-string", span, "this string is not closed");
            }
            Kind::Unknown => {
                let message = format!("unexpected character `{}`, expected {expected}", text.escape_debug());
                return self.error_with("unexpected-character", span, message, meant(text));
            }
            _ => {}
        }
        let message = format!("unexpected {}, expected {expected}", self.describe(token));
        self.error_with("unexpected-token", span, message, advice(token.kind, text))
    }

    fn describe(&self, token: Token) -> String {
        let text = self.slice(token);
        match token.kind {
            Kind::End => "end of the text".to_owned(),
            Kind::Newline => "end of the line".to_owned(),
            kind if kind != Kind::Word && text.starts_with(|c: char| c.is_ascii_alphabetic()) => {
                format!("keyword `{text}`")
            }
            _ => match text.char_indices().nth(40) {
                Some((cut, _)) => format!("`{}…`", &text[..cut]),
                None => format!("`{text}`"),
            },
        }
    }

    /// Takes the `;` that ends something. A missing one is reported, and taken
    /// for granted where the next token starts something else.
    pub(super) fn semicolon(&mut self, expected: &str) -> Parse<()> {
        if self.eat(Kind::Semicolon) {
            return Ok(());
        }
        let kind = self.kind();
        let elsewhere = matches!(kind, Kind::CloseBrace | Kind::End)
            || kind.starts_item()
            || kind == Kind::Word && self.on_new_line();
        if !elsewhere {
            return Err(self.unexpected(expected));
        }
        let place = self.behind();
        self.error("missing-semicolon", place, "`;` is missing here");
        Ok(())
    }

    /// Takes the bracket that closes `open`.
    pub(super) fn close(&mut self, open: Token, kind: Kind, expected: &str) -> Parse<()> {
        if self.eat(kind) {
            return Ok(());
        }
        let cut_off = matches!(self.kind(), Kind::End | Kind::Semicolon | Kind::CloseBrace);
        if !cut_off {
            return Err(self.unexpected(expected));
        }
        let (span, bracket) = (self.token_span(open), self.slice(open));
        let code = match kind {
            Kind::CloseBrace => "unclosed-brace",
            Kind::CloseBracket => "unclosed-bracket",
            _ => "unclosed-parenthesis",
        };
        Err(self.error(code, span, format!("this `{bracket}` is not closed")))
    }

    /// Runs `f` one level deeper.
    pub(super) fn nested<T>(&mut self, f: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth == MAX_NESTING {
            return Err(self.too_deep());
        }
        self.depth += 1;
        let result = f(self);
        self.depth -= 1;
        result
    }

    /// Counts one more branch above what is parsed next.
    pub(super) fn branch(&mut self) -> Parse<()> {
        if self.depth + self.branches >= MAX_ABOVE {
            return Err(self.too_deep());
        }
        self.branches += 1;
        Ok(())
    }

    fn too_deep(&mut self) -> Reported {
        let span = self.token_span(self.token());
        self.error_with("too-deep", span, "this is nested too deeply", Some("split it"))
    }

    /// Skips to a token of one of the kinds at this level of brackets, or to
    /// the `;` or the bracket that ends the level, or to the end. Says whether
    /// one of the kinds was found.
    pub(super) fn skip_to(&mut self, kinds: &[Kind]) -> bool {
        let (mut braces, mut others) = (0u32, 0u32);
        loop {
            let kind = self.kind();
            if braces == 0 && (others == 0 || kind == Kind::Semicolon) && kinds.contains(&kind) {
                return true;
            }
            match kind {
                Kind::End => return false,
                Kind::Semicolon if braces == 0 => return false,
                Kind::OpenBrace => braces += 1,
                Kind::CloseBrace if braces == 0 => return false,
                Kind::CloseBrace => (braces, others) = (braces - 1, 0),
                Kind::OpenParen | Kind::OpenBracket => others += 1,
                Kind::CloseParen | Kind::CloseBracket if others == 0 && braces == 0 => return false,
                Kind::CloseParen | Kind::CloseBracket => others = others.saturating_sub(1),
                _ => {}
            }
            self.bump();
        }
    }

    /// Skips a broken declaration or statement: past its `;` or its block, or
    /// up to the `}` around it, or to a line that starts with a keyword.
    /// Takes at least one token unless at a `}` or the end.
    pub(super) fn resync(&mut self, start: usize) {
        let mut braces = 0u32;
        loop {
            let kind = self.kind();
            if braces == 0 && self.at > start && kind.starts_item() && self.on_new_line() {
                return;
            }
            match kind {
                Kind::End => return,
                Kind::CloseBrace if braces == 0 => return,
                Kind::OpenBrace => braces += 1,
                Kind::CloseBrace => braces -= 1,
                _ => {}
            }
            self.bump();
            match kind {
                Kind::Semicolon if braces == 0 => return,
                Kind::CloseBrace if braces == 0 => {
                    self.eat(Kind::Semicolon);
                    return;
                }
                _ => {}
            }
        }
    }
}

/// What the author of an exotic character meant.
fn meant(text: &str) -> Option<&'static str> {
    Some(match text {
        "≤" | "⩽" => "write `<=`",
        "≥" | "⩾" => "write `>=`",
        "≠" => "write `!=`",
        "∧" => "write `&&`",
        "∨" => "write `||`",
        "¬" => "write `!`",
        "∀" => "write `forall`",
        "∃" => "write `exists`",
        "“" | "”" | "„" => "write `\"`",
        "’" | "‘" | "′" => "write `'`",
        "–" | "−" | "—" => "write `-`",
        "…" => "leave it out",
        "\u{a0}" | "\u{feff}" | "\u{200b}" => "this is an invisible character: write a blank",
        _ => return None,
    })
}

fn advice(kind: Kind, text: &str) -> Option<&'static str> {
    Some(match kind {
        Kind::Word => match text {
            "implies" => "implication is written `imply`",
            "AND" => "conjunction is written `&&` or `and`",
            "OR" => "disjunction is written `||` or `or`",
            "NOT" => "negation is written `!` or `not`",
            _ => return None,
        },
        Kind::Diamond => "unequal is written `!=`",
        Kind::Wedge => "conjunction is written `&&` or `and`",
        Kind::Vee => "disjunction is written `||` or `or`",
        _ => return None,
    })
}
