//! Function bodies and statements.
//!
//! A broken statement spoils itself alone: the block around it goes on behind
//! its `;` or block.

use super::lexer::Kind;
use super::words;
use super::{Parse, Parser};
use crate::uppaal::tree::{Body, Decl, Expr, Stmt, StmtKind};

impl Parser<'_> {
    /// Parses `{ declarations statements }`.
    pub(super) fn body(&mut self) -> Parse<Body> {
        self.nested(Self::body_here)
    }

    fn body_here(&mut self) -> Parse<Body> {
        let open = self.expect(Kind::OpenBrace, "`{`")?;
        let outer = self.context.own;
        let mut body = Body::default();
        let mut late = false;
        while !matches!(self.kind(), Kind::CloseBrace | Kind::End) {
            let start = self.at;
            let result = if self.is_local_declaration() {
                self.local(&mut body, &mut late)
            } else {
                self.statement().map(|stmt| body.stmts.push(stmt))
            };
            if result.is_err() {
                self.resync(start);
            }
        }
        self.context.own = outer;
        self.close(open, Kind::CloseBrace, "a statement or `}`")?;
        body.span = self.span_from(open.start);
        Ok(body)
    }

    /// Parses a declaration. The first `late` one of a block is reported.
    fn local(&mut self, body: &mut Body, late: &mut bool) -> Parse<()> {
        let function = self.is_type_start() && self.peek(2) == Kind::OpenParen;
        if !body.stmts.is_empty() && !function && !std::mem::replace(late, true) {
            let span = self.token_span(self.token());
            let message = "declarations come before the statements of a block";
            let help = Some("move it to the start of the block");
            self.error_with("late-declaration", span, message, help);
        }
        let start = self.token();
        let item = self.local_declaration()?;
        if let Decl::Function(function) = &item {
            let span = self.token_span(start).to(function.name.span);
            let help = Some("is the `}` of the function around it missing?");
            return Err(self.error_with("nested-function", span, "a function cannot be declared here", help));
        }
        body.items.push(item);
        Ok(())
    }

    /// Does a declaration start here? Two names in a row do.
    fn is_local_declaration(&self) -> bool {
        match self.kind() {
            Kind::Typedef => true,
            Kind::Word => {
                let hybrid = self.word(0) == "hybrid" && self.peek(1) == Kind::Clock;
                (self.peek(1) == Kind::Word || hybrid) && !words::is_reserved(self.word(0))
            }
            kind => kind.starts_type(),
        }
    }

    /// Parses a statement.
    pub(super) fn statement(&mut self) -> Parse<Stmt> {
        self.nested(Self::statement_here)
    }

    fn statement_here(&mut self) -> Parse<Stmt> {
        let token = self.token();
        let kind = match token.kind {
            Kind::OpenBrace => StmtKind::Block(self.body()?),
            Kind::Semicolon => {
                self.bump();
                StmtKind::Empty
            }
            Kind::For => self.for_loop()?,
            Kind::While => {
                self.bump();
                let test = self.head()?;
                StmtKind::While(test, self.boxed()?)
            }
            Kind::Do => {
                self.bump();
                let body = self.boxed()?;
                self.expect(Kind::While, "`while`")?;
                let test = self.head()?;
                self.semicolon("`;`")?;
                StmtKind::DoWhile(body, test)
            }
            Kind::If => {
                let branches = self.branches;
                let chain = self.if_chain();
                self.branches = branches;
                chain?
            }
            Kind::Return => {
                self.bump();
                let nothing = matches!(self.kind(), Kind::Semicolon | Kind::CloseBrace);
                let value = if nothing { None } else { Some(self.expression()?) };
                self.semicolon("`;` or an operator")?;
                StmtKind::Return(value)
            }
            Kind::Assert => {
                self.bump();
                let condition = self.expression()?;
                self.semicolon("`;` or an operator")?;
                StmtKind::Assert(condition)
            }
            Kind::Word if words::is_reserved(self.word(0)) && !is_used_as_name(self.peek(1)) => {
                let message = format!("there is no `{}` in this language", self.word(0));
                let help = match self.word(0) {
                    "switch" | "case" => "write `if` and `else`",
                    "enum" => "declare constants: `const int A = 0, B = 1;`",
                    _ => "use the condition of the loop, or `return`",
                };
                return Err(self.error_with("reserved-word", self.token_span(token), message, Some(help)));
            }
            Kind::Else => return Err(self.unexpected("a statement")),
            _ => {
                let expr = self.expression()?;
                self.semicolon("`;` or an operator")?;
                StmtKind::Expr(expr)
            }
        };
        Ok(Stmt { kind, span: self.span_from(token.start) })
    }

    /// Parses `if (test) then else if … else otherwise`. Not by recursion:
    /// generated models have long chains.
    fn if_chain(&mut self) -> Parse<StmtKind> {
        self.bump();
        let (test, then) = self.if_branch()?;
        let mut chain = Vec::new();
        let mut otherwise = None;
        while self.eat(Kind::Else) {
            let start = self.token().start;
            if self.eat(Kind::If) {
                chain.push((start, self.if_branch()?));
            } else {
                otherwise = Some(self.boxed()?);
                break;
            }
        }
        for (start, (test, then)) in chain.into_iter().rev() {
            let kind = StmtKind::If(test, then, otherwise);
            otherwise = Some(Box::new(Stmt { kind, span: self.span_from(start) }));
        }
        Ok(StmtKind::If(test, then, otherwise))
    }

    fn if_branch(&mut self) -> Parse<(Vec<Expr>, Box<Stmt>)> {
        self.branch()?;
        Ok((self.head()?, self.boxed()?))
    }

    fn boxed(&mut self) -> Parse<Box<Stmt>> {
        self.statement().map(Box::new)
    }

    /// Parses `(test)`.
    fn head(&mut self) -> Parse<Vec<Expr>> {
        let open = self.expect(Kind::OpenParen, "`(`")?;
        let list = self.expression_list();
        match self.close(open, Kind::CloseParen, "`)` or an operator") {
            Err(reported) if !self.skip_to(&[Kind::CloseParen]) => return Err(reported),
            Err(_) => {
                self.bump();
            }
            Ok(()) => {}
        }
        Ok(list)
    }

    fn for_loop(&mut self) -> Parse<StmtKind> {
        self.bump();
        let open = self.expect(Kind::OpenParen, "`(`")?;
        if self.is_name() && self.peek(1) == Kind::Colon {
            let outer = self.context.own;
            let name = self.declare_local("a name")?;
            self.bump();
            let ty = self.ty()?;
            self.close(open, Kind::CloseParen, "`)`")?;
            let body = self.boxed();
            self.context.own = outer;
            return Ok(StmtKind::ForEach(name, ty, body?));
        }
        if self.is_local_declaration() {
            let span = self.token_span(self.token());
            let message = "a loop cannot declare its variable";
            let help = "declare it at the start of the block, or write `for (i : int[0, n - 1])`";
            self.error_with("declaration-in-for", span, message, Some(help));
            self.ty()?;
        }
        let start = self.for_part(Kind::Semicolon)?;
        self.expect(Kind::Semicolon, "`;` or an operator")?;
        let test = self.for_part(Kind::Semicolon)?;
        self.expect(Kind::Semicolon, "`;` or an operator")?;
        let step = self.for_part(Kind::CloseParen)?;
        self.close(open, Kind::CloseParen, "`)` or an operator")?;
        Ok(StmtKind::For(start, test, step, self.boxed()?))
    }

    /// Parses one of the three parts of a loop's head.
    fn for_part(&mut self, close: Kind) -> Parse<Vec<Expr>> {
        if self.kind() == close {
            let span = self.token_span(self.token());
            let message = "no part of a loop's head can be empty";
            let help = "write an expression without effect, such as `true`";
            self.error_with("empty-for-part", span, message, Some(help));
            return Ok(Vec::new());
        }
        let errors = self.errors;
        let list = self.expression_list();
        // A broken part is skipped; the others are read all the same.
        if self.errors > errors && !self.skip_to(&[close]) {
            return Err(super::Reported);
        }
        Ok(list)
    }
}

/// Does the token behind a reserved word make it a name?
fn is_used_as_name(next: Kind) -> bool {
    use Kind::*;
    matches!(next, Assign | OpenBracket | Dot | PlusPlus | MinusMinus | AddAssign | SubAssign)
}
