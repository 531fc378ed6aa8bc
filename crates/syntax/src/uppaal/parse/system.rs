//! The system section: process lines, progress measures, charts, queries.

use super::lexer::{Kind, Token};
use super::query::one_line;
use super::{Parse, Parser};
use crate::uppaal::tree::{Block, Expr, Ident, QueryItem, System};
use crate::{Diagnostics, Span};

impl Parser<'_> {
    /// Parses declarations, the `system` line, and what follows it.
    pub(super) fn system_section(&mut self) -> (System, Vec<QueryItem>) {
        let items = self.declaration_list();
        let end = self.token().start as usize;
        let declarations =
            Block { items, text: self.text[..end].to_owned(), span: self.fragment.span(0, end) };
        let mut system = System { declarations, ..System::default() };
        let queries = self.system_line(&mut system);
        (system, queries)
    }

    /// Parses the `system` line and what follows it.
    pub(super) fn system_line(&mut self, system: &mut System) -> Vec<QueryItem> {
        let start = self.at;
        system.span = self.fragment.whole();
        match self.kind() {
            Kind::System => {
                if self.processes(system).is_err() {
                    self.resync(start);
                }
            }
            Kind::End => {
                let span = self.token_span(self.token());
                let help = Some("list the processes: `system P, Q;`");
                self.error_with("missing-system", span, "there is no `system` line", help);
            }
            _ => {
                self.unexpected("a declaration or the `system` line");
            }
        }
        let mut queries = Vec::new();
        loop {
            let start = self.at;
            let result = match self.kind() {
                Kind::Progress => self.progress(system),
                Kind::Gantt => self.gantt(system),
                Kind::Word if self.word(0) == "query" && self.peek(1) == Kind::OpenBrace => {
                    self.query_block(&mut queries)
                }
                Kind::Semicolon => {
                    self.bump();
                    Ok(())
                }
                _ => return queries,
            };
            if result.is_err() {
                self.resync(start);
            }
        }
    }

    /// Parses `system P, Q < R;`.
    fn processes(&mut self, system: &mut System) -> Parse<()> {
        let start = self.bump().start;
        let mut levels: Vec<Vec<Ident>> = vec![Vec::new()];
        loop {
            let name = self.name_use("the name of a process")?;
            if let Some(level) = levels.last_mut() {
                level.push(name);
            }
            match self.kind() {
                Kind::Comma => {}
                Kind::Less => {
                    self.context.modern = true;
                    levels.push(Vec::new());
                }
                Kind::OpenParen => {
                    let span = self.token_span(self.token());
                    let message = "a process cannot be given arguments here";
                    let help = "name it above the `system` line: `P1 = P(1);`";
                    return Err(self.error_with("arguments-in-system", span, message, Some(help)));
                }
                _ => break,
            }
            self.bump();
        }
        system.levels = levels;
        self.semicolon("`,`, `<` or `;`")?;
        system.span = self.span_from(start);
        Ok(())
    }

    /// Parses `progress { guard : measure; }`.
    fn progress(&mut self, system: &mut System) -> Parse<()> {
        self.context.modern = true;
        self.bump();
        let open = self.expect(Kind::OpenBrace, "`{`")?;
        while !matches!(self.kind(), Kind::CloseBrace | Kind::End) {
            let start = self.at;
            match self.measure() {
                Ok(measure) => system.progress.push(measure),
                Err(_) => self.resync(start),
            }
        }
        self.close(open, Kind::CloseBrace, "a measure or `}`")
    }

    fn measure(&mut self) -> Parse<(Option<Expr>, Expr)> {
        let first = self.expression()?;
        let measure = if self.eat(Kind::Colon) { (Some(first), self.expression()?) } else { (None, first) };
        self.semicolon("`;`, `:` or an operator")?;
        Ok(measure)
    }

    /// Keeps `gantt { … }` as text.
    fn gantt(&mut self, system: &mut System) -> Parse<()> {
        self.context.modern = true;
        let start = self.bump().start;
        let open = self.expect(Kind::OpenBrace, "`{`")?;
        self.skip_block();
        self.close(open, Kind::CloseBrace, "`}`")?;
        system.gantt = Some(self.text[start as usize..self.end as usize].to_owned());
        Ok(())
    }

    /// Skips to the `}` that closes this level.
    fn skip_block(&mut self) {
        while !self.skip_to(&[Kind::CloseBrace]) && self.kind() != Kind::End {
            self.bump();
        }
    }

    /// Parses `query { … }`.
    fn query_block(&mut self, queries: &mut Vec<QueryItem>) -> Parse<()> {
        self.context.modern = true;
        self.bump();
        let open = self.bump();
        let first = self.at;
        self.skip_block();
        let mut tokens: Vec<Token> = self.tokens[first..self.at].to_vec();
        let end = self.token();
        self.close(open, Kind::CloseBrace, "`}`")?;
        tokens.push(Token { kind: Kind::End, start: end.start, end: end.start });
        let text = one_line(self.text, &tokens);
        let span = match tokens[..] {
            [first, .., last, _] => self.fragment.span(first.start as usize, last.end as usize),
            _ => Span { start: self.token_span(end).start, end: self.token_span(end).start },
        };
        let mut diagnostics = Diagnostics::default();
        let query =
            Parser::of_tokens(self.fragment, self.syntax, self.context, &mut diagnostics, tokens).query();
        if !text.is_empty() {
            queries.push(QueryItem {
                text,
                query,
                comment: None,
                expect: None,
                options: Vec::new(),
                extra: Vec::new(),
                diagnostics: diagnostics.into_vec(),
                span,
            });
        }
        Ok(())
    }
}
