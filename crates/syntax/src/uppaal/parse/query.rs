//! Queries.
//!
//! Queries for other engines are recognised by how they begin and read no
//! further: whoever asks one is told that it is not supported, not that it is
//! wrong.

use super::lexer::{Kind, Token};
use super::{Parse, Parser};
use crate::uppaal::tree::{Expr, Extremum, Query, QueryKind};

const STATISTICAL: &str = "a statistical query";
const GAME: &str = "a game query";
const STRATEGY: &str = "a strategy query";
const LEARNING: &str = "a learning query";
const SCENARIO: &str = "a scenario query";

impl Parser<'_> {
    /// Parses all tokens as one query.
    pub(super) fn whole_query(&mut self) -> Option<Query> {
        self.in_query = true;
        if self.kind() == Kind::End {
            return None;
        }
        let start = self.token().start;
        let kind = self.query_kind().ok()?;
        if self.kind() == Kind::LeadsTo {
            let message = "`-->` is a query of its own, without any other path quantifier";
            let help = Some("write `p --> q`");
            self.error_with("nested-path-quantifier", self.token_span(self.token()), message, help);
            return None;
        }
        if self.kind() != Kind::End {
            self.unexpected("an operator or the end of the query");
            return None;
        }
        // What was mended inside an expression is not what was asked.
        (self.errors == 0).then(|| Query { kind, span: self.span_from(start) })
    }

    fn query_kind(&mut self) -> Parse<QueryKind> {
        if let Some(what) = self.foreign() {
            while self.kind() != Kind::End {
                self.bump();
            }
            return Ok(QueryKind::Unsupported(what));
        }
        let kind = match (self.word(0), self.path_length(1)) {
            (path @ ("A" | "E"), Some(length)) => self.path_query(path == "A", length)?,
            ("A", None) if self.peek(1) == Kind::OpenBracket && self.until_ahead() => self.until()?,
            ("sup", _) if self.is_extremum() => self.extremum(Extremum::Sup)?,
            ("inf", _) if self.is_extremum() => self.extremum(Extremum::Inf)?,
            ("bounds", _) if self.is_extremum() => self.extremum(Extremum::Bounds)?,
            _ => self.leads_to()?,
        };
        if self.word(0) == "under" && self.peek(1) == Kind::Word {
            self.bump();
            self.bump();
            return Ok(QueryKind::Unsupported(STRATEGY));
        }
        Ok(kind)
    }

    /// How many tokens `[]` or `<>` has, if it stands `ahead` of the cursor.
    /// Blanks inside are let pass.
    pub(super) fn path_length(&self, ahead: usize) -> Option<usize> {
        match (self.peek(ahead), self.peek(ahead + 1)) {
            (Kind::Diamond, _) => Some(1),
            (Kind::OpenBracket, Kind::CloseBracket) | (Kind::Less, Kind::Greater) => Some(2),
            _ => None,
        }
    }

    fn path_query(&mut self, all: bool, length: usize) -> Parse<QueryKind> {
        self.bump();
        let always = self.kind() == Kind::OpenBracket;
        for _ in 0..length {
            self.bump();
        }
        let property = self.expression()?;
        Ok(match (all, always) {
            (true, true) => QueryKind::Invariantly(property),
            (true, false) => QueryKind::Eventually(property),
            (false, true) => QueryKind::PotentiallyAlways(property),
            (false, false) => QueryKind::Possibly(property),
        })
    }

    fn leads_to(&mut self) -> Parse<QueryKind> {
        let start = self.token().start;
        let premise = self.expression()?;
        if self.eat(Kind::LeadsTo) {
            return Ok(QueryKind::LeadsTo(premise, self.expression()?));
        }
        if self.kind() != Kind::End {
            return Err(self.unexpected("an operator or `-->`"));
        }
        let span = self.span_from(start);
        let help = "ask whether it is possible, `E<> …`, or always so, `A[] …`";
        Err(self.error_with("not-a-query", span, "this is an expression, not a query", Some(help)))
    }

    /// Behind `A[`: does `U` or `W` follow an operand before the bracket is
    /// closed? In an expression no name can follow an operand.
    fn until_ahead(&self) -> bool {
        let mut depth = 0u32;
        let rest = &self.tokens[self.at + 1..];
        for (i, token) in rest.iter().enumerate() {
            match token.kind {
                Kind::OpenBracket | Kind::OpenParen => depth += 1,
                Kind::CloseBracket | Kind::CloseParen if depth <= 1 => return false,
                Kind::CloseBracket | Kind::CloseParen => depth -= 1,
                Kind::Word if depth == 1 && rest[i - 1].kind.ends_operand() => {
                    return matches!(self.slice(*token), "U" | "W");
                }
                _ => {}
            }
        }
        false
    }

    /// Parses `A[p U q]` or `A[p W q]`.
    fn until(&mut self) -> Parse<QueryKind> {
        self.bump();
        let open = self.bump();
        let first = self.expression()?;
        let weak = match self.word(0) {
            "U" => false,
            "W" => true,
            _ => return Err(self.unexpected("`U`, `W` or an operator")),
        };
        self.bump();
        let second = self.expression()?;
        self.close(open, Kind::CloseBracket, "`]` or an operator")?;
        Ok(if weak { QueryKind::WeakUntil(first, second) } else { QueryKind::Until(first, second) })
    }

    fn is_extremum(&self) -> bool {
        matches!(self.peek(1), Kind::Colon | Kind::OpenBrace)
    }

    /// Parses `sup{p}: e, f`.
    fn extremum(&mut self, which: Extremum) -> Parse<QueryKind> {
        self.bump();
        let mut filter: Option<Expr> = None;
        if self.kind() == Kind::OpenBrace {
            let open = self.bump();
            filter = Some(self.expression()?);
            self.close(open, Kind::CloseBrace, "`}` or an operator")?;
        }
        self.expect(Kind::Colon, "`:`")?;
        let mut list = vec![self.expression()?];
        while self.eat(Kind::Comma) {
            list.push(self.expression()?);
        }
        Ok(QueryKind::Extremum(which, filter, list))
    }

    /// What a query for another engine is called.
    fn foreign(&self) -> Option<&'static str> {
        use Kind::{Assign, Colon, Diamond, Hash, LessEqual, OpenBrace, OpenBracket, OpenParen, Star};
        let next = self.peek(1);
        let is = |yes: bool, what| yes.then_some(what);
        match self.word(0) {
            "control" | "acontrol" => is(next == Colon, GAME),
            "control_t" => is(next == Star, GAME),
            "E" if next == Diamond && self.word(2) == "control" => is(self.peek(3) == Colon, GAME),
            "" if self.kind() == OpenBrace => is(self.is_observed_game(), GAME),
            "strategy" => is(next == Kind::Word && self.peek(2) == Assign, STRATEGY),
            "loadStrategy" | "saveStrategy" => is(matches!(next, OpenParen | OpenBrace), STRATEGY),
            "minE" | "maxE" | "minPr" | "maxPr" => is(matches!(next, OpenParen | OpenBracket), LEARNING),
            "Pr" => is(matches!(next, OpenParen | OpenBracket | Diamond), STATISTICAL),
            "simulate" => is(matches!(next, OpenBracket | Kind::Int), STATISTICAL),
            "E" if next == OpenBracket => {
                is(matches!(self.peek(2), LessEqual | Hash) || self.is_expectation(), STATISTICAL)
            }
            "Pmax" => is(next.ends_operand() || next == OpenParen, STATISTICAL),
            "sat" => is(next == Colon, SCENARIO),
            _ => None,
        }
    }

    /// Is this `{…} control:`?
    fn is_observed_game(&self) -> bool {
        let close = self.tokens[self.at..].iter().position(|t| t.kind == Kind::CloseBrace);
        close.is_some_and(|i| self.word(i + 1) == "control" && self.peek(i + 2) == Kind::Colon)
    }

    /// Is this `E[x <= 5; 10](max: e)`? Nothing else has a semicolon.
    fn is_expectation(&self) -> bool {
        let rest = &self.tokens[self.at..];
        let close = rest.iter().position(|t| matches!(t.kind, Kind::CloseBracket | Kind::Semicolon));
        close.is_some_and(|i| {
            rest[i].kind == Kind::Semicolon
                || self.peek(i + 1) == Kind::OpenParen
                    && matches!(self.word(i + 2), "min" | "max")
                    && self.peek(i + 3) == Kind::Colon
        })
    }
}

/// The text of some tokens on one line, with one blank where anything stood
/// between two of them.
pub(in crate::uppaal) fn one_line(text: &str, tokens: &[Token]) -> String {
    let mut line = String::new();
    let mut end = None;
    for token in tokens.iter().filter(|t| t.kind != Kind::End) {
        if end.is_some_and(|end| end < token.start) {
            line.push(' ');
        }
        line.push_str(&text[token.start as usize..token.end as usize]);
        end = Some(token.end);
    }
    line
}
