//! Queries outside models: files of them, and one on its own.
//!
//! In a file the end of a line ends a query, unless a backslash stands there
//! or the query is obviously unfinished: a bracket is open, an operator waits
//! for its operand, or the next line begins with one.

use super::Fragment;
use super::expectation::expectation;
use super::parse::lexer::{Keep, Kind, Token, lex};
use super::parse::{Context, Parser, one_line};
use super::tree::{Expectation, QueryItem, Syntax};
use crate::{Diagnostics, Span};

/// Parses a file of queries.
///
/// What is wrong with a query is in its [`QueryItem::diagnostics`]; the rest
/// of the file is not affected. The diagnostics returned are about what is
/// not part of any query.
pub fn parse_queries(text: &str) -> (Vec<QueryItem>, Diagnostics) {
    Reader::new(text).file()
}

/// Parses one query, for example from a command line; line ends are white
/// space.
///
/// What is wrong with it is in [`QueryItem::diagnostics`].
pub fn parse_query(text: &str) -> (QueryItem, Diagnostics) {
    Reader::new(text).single()
}

/// Reads a text token by token.
struct Reader<'t> {
    text: &'t str,
    fragment: Fragment,
    /// The query so far.
    query: Vec<Token>,
    /// Brackets open in it.
    open: u32,
    /// What was said above the query, line by line.
    comment: Vec<String>,
    /// Has a blank line followed the comment?
    parted: bool,
    expect: Option<Expectation>,
    items: Vec<QueryItem>,
    diagnostics: Diagnostics,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            text,
            fragment: Fragment::plain(text),
            query: Vec::new(),
            open: 0,
            comment: Vec::new(),
            parted: false,
            expect: None,
            items: Vec::new(),
            diagnostics: Diagnostics::default(),
        }
    }

    fn file(mut self) -> (Vec<QueryItem>, Diagnostics) {
        let tokens = lex(self.text, Keep::All);
        let next = next_of_query(&tokens);
        for (i, &token) in tokens.iter().enumerate() {
            match token.kind {
                Kind::Newline => {
                    let blank = tokens[i + 1].kind == Kind::Newline;
                    self.parted |= blank;
                    let path = starts_path(self.text, &tokens, &next, next[i]);
                    if !self.query.is_empty() && !self.continues(tokens[next[i]].kind, path, blank) {
                        self.finish(token.start);
                    }
                }
                Kind::End if !self.query.is_empty() => self.finish(token.start),
                _ => self.take(token),
            }
        }
        (self.items, self.diagnostics)
    }

    fn single(mut self) -> (QueryItem, Diagnostics) {
        for token in lex(self.text, Keep::All) {
            if token.kind != Kind::Newline {
                self.take(token);
            }
        }
        self.finish(self.text.len() as u32);
        let mut item = self.items.pop().expect("just finished");
        if item.text.is_empty() && self.diagnostics.error_count() == 0 {
            let mut diagnostics = Diagnostics::default();
            diagnostics.error("not-a-query", item.span, "there is no query here");
            item.diagnostics = diagnostics.into_vec();
        }
        (item, self.diagnostics)
    }

    /// Takes any token but the end of a line.
    fn take(&mut self, token: Token) {
        match token.kind {
            Kind::End => {}
            Kind::LineComment | Kind::BlockComment => self.note(token),
            Kind::UnclosedComment => {
                let span = self.fragment.span(token.start as usize, token.start as usize + 2);
                self.diagnostics.error("unclosed-comment", span, "this comment is not closed");
            }
            kind => {
                match kind {
                    Kind::OpenParen | Kind::OpenBracket | Kind::OpenBrace => self.open += 1,
                    Kind::CloseParen | Kind::CloseBracket | Kind::CloseBrace => {
                        self.open = self.open.saturating_sub(1);
                    }
                    _ => {}
                }
                self.query.push(token);
            }
        }
    }

    /// Takes a comment. One behind the query's first token is not about it,
    /// but may say what its author expects.
    fn note(&mut self, token: Token) {
        let text = &self.text[token.start as usize..token.end as usize];
        let inner = match token.kind {
            Kind::LineComment => text.trim_start_matches('/'),
            _ => text.trim_start_matches("/*").trim_end_matches("*/"),
        };
        if inner.trim() == "NO_QUERY" {
            self.comment.clear();
            self.expect = None;
            return;
        }
        if let Some(expect) = expectation(inner) {
            self.expect = Some(expect);
        }
        if !self.query.is_empty() {
            return;
        }
        if std::mem::take(&mut self.parted) {
            self.comment.clear();
        }
        let lines = inner.lines().map(|line| line.trim().trim_start_matches("* ").trim());
        self.comment.extend(lines.filter(|line| !line.contains("EXPECT:")).map(str::to_owned));
    }

    /// Does the query go on behind the end of a line? `next` is the first
    /// token there, and `blank` says that lines without any lie between.
    fn continues(&self, next: Kind, path: bool, blank: bool) -> bool {
        let Some(last) = self.query.last() else { return false };
        if next == Kind::End || path {
            return false;
        }
        self.open > 0 || !blank && (!may_end(last.kind) || must_continue(next))
    }

    /// Parses the query that ends before the offset.
    fn finish(&mut self, end: u32) {
        let mut tokens = std::mem::take(&mut self.query);
        let span = match tokens[..] {
            [] => Span { start: end, end },
            [first, ..] => {
                let last = tokens[tokens.len() - 1];
                self.fragment.span(first.start as usize, last.end as usize)
            }
        };
        let text = one_line(self.text, &tokens);
        let end = tokens.last().map_or(end, |t| t.end);
        tokens.push(Token { kind: Kind::End, start: end, end });
        let mut context = Context::default();
        let mut diagnostics = Diagnostics::default();
        let query =
            Parser::of_tokens(&self.fragment, Syntax::New, &mut context, &mut diagnostics, tokens).query();
        let comment = std::mem::take(&mut self.comment).join("\n").trim().to_owned();
        self.items.push(QueryItem {
            text,
            query,
            comment: Some(comment).filter(|c| !c.is_empty()),
            expect: self.expect.take(),
            options: Vec::new(),
            extra: Vec::new(),
            diagnostics: diagnostics.into_vec(),
            span,
        });
        self.open = 0;
        self.parted = false;
    }
}

/// For each token the index of the first one behind it that may be part of a
/// query, or of the end.
fn next_of_query(tokens: &[Token]) -> Vec<usize> {
    let mut next = vec![tokens.len() - 1; tokens.len()];
    for i in (1..tokens.len()).rev() {
        let blank = matches!(tokens[i].kind, Kind::Newline | Kind::LineComment | Kind::BlockComment);
        next[i - 1] = if blank { next[i] } else { i };
    }
    next
}

/// Does a path quantifier, and with it a new query, start at a token?
fn starts_path(text: &str, tokens: &[Token], next: &[usize], at: usize) -> bool {
    let word = &text[tokens[at].start as usize..tokens[at].end as usize];
    let (first, second) = (next[at], next[next[at]]);
    let (first, second) = (tokens[first].kind, tokens[second].kind);
    matches!(word, "A" | "E")
        && (first == Kind::Diamond
            || (first, second) == (Kind::OpenBracket, Kind::CloseBracket)
            || (first, second) == (Kind::Less, Kind::Greater))
}

/// Can a query end with this token?
fn may_end(kind: Kind) -> bool {
    kind.ends_operand() || matches!(kind, Kind::CloseBrace | Kind::Semicolon | Kind::Unknown)
}

/// Is this an operator between operands that cannot begin a query?
fn must_continue(kind: Kind) -> bool {
    use Kind::*;
    matches!(kind, And | Or | Xor | Imply | LeadsTo | EqualEqual | NotEqual | Less | LessEqual)
        || matches!(kind, Greater | GreaterEqual | Star | Slash | Percent | Dot | Comma | CloseParen)
        || matches!(kind, CloseBracket | Question | Colon | Pipe | Ampersand | Caret | Shl | Shr | Min | Max)
}
