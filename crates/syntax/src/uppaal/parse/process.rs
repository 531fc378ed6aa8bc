//! Processes in text files, and the labels that XML files have as texts of
//! their own.

use super::lexer::{Kind, Token};
use super::{Parse, Parser};
use crate::Span;
use crate::uppaal::tree::{
    Block, Branchpoint, Decl, Direction, Document, Edge, Expr, Ident, Location, SyncLabel, Syntax, Template,
};
use std::collections::HashMap;

impl Parser<'_> {
    /// Parses a whole text file.
    pub(crate) fn document(mut self) -> Document {
        let mut document = Document { syntax: self.syntax, ..Document::default() };
        loop {
            let items = self.declaration_list();
            sort_declarations(items, &mut document);
            let start = self.at;
            match self.kind() {
                Kind::Process => match self.process() {
                    Ok(template) => document.templates.push(template),
                    Err(_) => self.resync(start),
                },
                Kind::System | Kind::End => break,
                _ => {
                    self.unexpected("a declaration, a process or the `system` line");
                    self.resync(start);
                }
            }
        }
        document.queries = self.system_line(&mut document.system);
        self.finish("the end of the file");
        document
    }

    /// Parses `process P(params) { … }`.
    fn process(&mut self) -> Parse<Template> {
        let start = self.bump().start;
        let name = self.declare("the name of the process")?;
        let outer = self.context.own;
        let result = self.process_parts(start, name);
        self.context.own = outer;
        result
    }

    fn process_parts(&mut self, start: u32, name: Ident) -> Parse<Template> {
        let params = if self.kind() == Kind::OpenBrace {
            if self.syntax == Syntax::New {
                let help = "write `()`; leaving it out is UPPAAL 3's old syntax";
                self.error_with("old-syntax", name.span, "this process has no parameter list", Some(help));
            }
            Vec::new()
        } else {
            self.parameters_in_parentheses()?
        };
        let open = self.expect(Kind::OpenBrace, "`{`")?;
        let mut template = Template {
            name,
            params,
            declarations: Block::default(),
            locations: Vec::new(),
            branchpoints: Vec::new(),
            init: None,
            edges: Vec::new(),
            extra: Vec::new(),
            span: Span::default(),
        };
        let first = self.token().start;
        template.declarations.items = self.process_declarations();
        template.declarations.span = self.span_from(first);
        let mut flags = Vec::new();
        while !matches!(self.kind(), Kind::CloseBrace | Kind::End) {
            let start = self.at;
            if self.section(&mut template, &mut flags).is_err() {
                self.resync(start);
            }
        }
        self.close(open, Kind::CloseBrace, "a section of the process or `}`")?;
        self.set_flags(&mut template, flags);
        template.span = self.span_from(start);
        Ok(template)
    }

    /// Parses the declarations of a process.
    fn process_declarations(&mut self) -> Vec<Decl> {
        let mut items = Vec::new();
        loop {
            let start = self.at;
            match self.kind() {
                // `urgent a, b;` marks locations, `urgent chan a` declares.
                Kind::Urgent if self.peek(1) == Kind::Word => return items,
                Kind::State | Kind::Branchpoint | Kind::Commit | Kind::Init | Kind::Trans => return items,
                Kind::CloseBrace | Kind::End => return items,
                _ => match self.declaration() {
                    Ok(item) => items.push(item),
                    Err(_) => self.resync(start),
                },
            }
        }
    }

    /// Parses one of the sections `state`, `branchpoint`, `commit`, `urgent`,
    /// `init` and `trans`. They are accepted in any order.
    fn section(&mut self, template: &mut Template, flags: &mut Vec<(Kind, Ident)>) -> Parse<()> {
        let token = self.token();
        match token.kind {
            Kind::State => {
                self.bump();
                self.separated(|p| p.location().map(|location| template.locations.push(location)))
            }
            Kind::Branchpoint => {
                self.context.modern = true;
                self.bump();
                self.separated(|p| {
                    let id = p.declare("the name of a branch point")?;
                    template.branchpoints.push(Branchpoint { id, extra: Vec::new() });
                    Ok(())
                })
            }
            Kind::Commit | Kind::Urgent => {
                self.bump();
                self.separated(|p| {
                    flags.push((token.kind, p.name_use("the name of a location")?));
                    Ok(())
                })
            }
            Kind::Init => {
                self.bump();
                let name = self.name_use("the name of a location")?;
                self.semicolon("`;`")?;
                if template.init.is_some() {
                    self.error("second-init", name.span, "there is an initial location already");
                }
                template.init.get_or_insert(name);
                Ok(())
            }
            Kind::Trans => {
                self.bump();
                self.separated(|p| p.edge(&mut template.edges))
            }
            _ => Err(self.unexpected("`state`, `commit`, `urgent`, `init`, `trans` or `}`")),
        }
    }

    /// Parses items separated by commas, and the `;` behind them.
    fn separated(&mut self, mut item: impl FnMut(&mut Self) -> Parse<()>) -> Parse<()> {
        loop {
            if let Err(reported) = item(self)
                && !self.skip_to(&[Kind::Comma, Kind::Semicolon])
            {
                return Err(reported);
            }
            if !self.eat(Kind::Comma) {
                return self.semicolon("`,` or `;`");
            }
        }
    }

    /// Parses `A`, `A { invariant }` or `A { invariant ; rate }`.
    fn location(&mut self) -> Parse<Location> {
        let start = self.token().start;
        let name = self.declare("the name of a location")?;
        let (mut invariant, mut rate) = (None, None);
        if self.kind() == Kind::OpenBrace {
            let open = self.bump();
            if !matches!(self.kind(), Kind::Semicolon | Kind::CloseBrace) {
                invariant = self.condition().ok();
            }
            if self.eat(Kind::Semicolon) && self.kind() != Kind::CloseBrace {
                rate = self.rate_label().ok();
            }
            self.close_label(open)?;
        }
        Ok(Location {
            id: name.name.clone(),
            name: Some(name),
            invariant,
            rate,
            urgent: false,
            committed: false,
            extra: Vec::new(),
            span: self.span_from(start),
        })
    }

    /// Takes the `}` behind labels, skipping what is broken before it.
    fn close_label(&mut self, open: Token) -> Parse<()> {
        let result = self.close(open, Kind::CloseBrace, "`;`, `}` or an operator");
        if let Err(reported) = result {
            while !self.skip_to(&[Kind::CloseBrace]) {
                if self.kind() == Kind::End {
                    return Err(reported);
                }
                self.bump();
            }
            self.bump();
        }
        Ok(())
    }

    /// Parses `A -> B { labels }`, or `-> B { labels }` with the source of the
    /// edge before.
    fn edge(&mut self, edges: &mut Vec<Edge>) -> Parse<()> {
        let start = self.token().start;
        let source = match (self.kind(), edges.last()) {
            (Kind::Arrow | Kind::UncontrollableArrow, Some(last)) => last.source.clone(),
            _ => self.name_use("the name of a location")?,
        };
        let controllable = match self.kind() {
            Kind::Arrow => true,
            Kind::UncontrollableArrow => false,
            _ => return Err(self.unexpected("`->` or `-u->`")),
        };
        self.context.modern |= !controllable;
        self.bump();
        let target = self.name_use("the name of a location")?;
        let mut edge = Edge {
            source,
            target,
            controllable,
            select: Vec::new(),
            guard: None,
            sync: None,
            update: Vec::new(),
            probability: None,
            extra: Vec::new(),
            span: Span::default(),
        };
        let open = self.expect(Kind::OpenBrace, "`{`")?;
        let outer = self.context.own;
        while !matches!(self.kind(), Kind::CloseBrace | Kind::End) {
            let start = self.at;
            if self.label(&mut edge).is_err() {
                self.resync(start);
            }
        }
        self.context.own = outer;
        self.close(open, Kind::CloseBrace, "a label or `}`")?;
        edge.span = self.span_from(start);
        edges.push(edge);
        Ok(())
    }

    /// Parses one label of an edge, with the `;` behind it.
    fn label(&mut self, edge: &mut Edge) -> Parse<()> {
        let token = self.token();
        let taken = match token.kind {
            Kind::Select => !edge.select.is_empty(),
            Kind::Guard => edge.guard.is_some(),
            Kind::Sync => edge.sync.is_some(),
            Kind::AssignLabel => !edge.update.is_empty(),
            Kind::Probability => edge.probability.is_some(),
            _ => return Err(self.unexpected("`select`, `guard`, `sync`, `assign`, `probability` or `}`")),
        };
        if taken {
            let message = format!("this edge has a `{}` already", self.slice(token));
            self.error("duplicate-label", self.token_span(token), message);
        }
        self.bump();
        match token.kind {
            Kind::Select => edge.select = self.select_list(),
            Kind::Guard => edge.guard = Some(self.condition()?),
            Kind::Sync => edge.sync = Some(self.sync_label()?),
            Kind::AssignLabel => edge.update = self.expression_list(),
            _ => {
                self.context.modern = true;
                edge.probability = Some(self.expression()?);
            }
        }
        self.semicolon("`;` or an operator")
    }

    /// Marks the locations of `commit` and `urgent` lines.
    fn set_flags(&mut self, template: &mut Template, flags: Vec<(Kind, Ident)>) {
        if flags.is_empty() {
            return;
        }
        let places: HashMap<String, usize> =
            template.locations.iter().enumerate().rev().map(|(i, l)| (l.id.clone(), i)).collect();
        for (kind, name) in flags {
            match places.get(&name.name) {
                Some(&place) if kind == Kind::Urgent => template.locations[place].urgent = true,
                Some(&place) => template.locations[place].committed = true,
                None => {
                    let message = format!("`{}` has no location `{}`", template.name.name, name.name);
                    self.diagnostics.error("unknown-location", name.span, message);
                }
            }
        }
    }

    /// Parses `e` or `e1 : e2`.
    pub(super) fn rate_label(&mut self) -> Parse<(Expr, Option<Expr>)> {
        let first = self.expression()?;
        let second = if self.eat(Kind::Colon) { Some(self.expression()?) } else { None };
        Ok((first, second))
    }

    /// Parses `c!`, `c?` or `c`.
    pub(super) fn sync_label(&mut self) -> Parse<SyncLabel> {
        let start = self.token().start;
        let channel = self.expression()?;
        let direction = match self.kind() {
            Kind::Bang => Direction::Send,
            Kind::Question => Direction::Receive,
            _ => Direction::Csp,
        };
        if direction != Direction::Csp {
            self.bump();
        }
        Ok(SyncLabel { channel, direction, span: self.span_from(start) })
    }
}

/// Instantiations belong to the system section, the rest is global.
fn sort_declarations(items: Vec<Decl>, document: &mut Document) {
    for item in items {
        match item {
            Decl::Instantiation(_) => document.system.declarations.items.push(item),
            _ => document.declarations.items.push(item),
        }
    }
}
