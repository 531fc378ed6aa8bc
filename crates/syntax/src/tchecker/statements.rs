//! The parser of statements.
//!
//! ```text
//! sequence  = statement {";" statement} [";"]
//! statement = "nop" | NAME ["[" term "]"] "=" term
//!           | "if" condition "then" sequence ["else" sequence] "end"
//!           | "while" condition "do" sequence "end"
//!           | "local" NAME ["=" term | "[" term "]"]
//! ```

use super::declarations::{Parse, Reported};
use super::expressions::Program;
use super::lexer::{TokenKind, slice};
use super::tree::{Stmt, StmtKind};
use crate::Span;

impl Program<'_> {
    /// Parses the value as statements.
    pub fn statements(mut self) -> Parse<Vec<Stmt>> {
        let list = self.sequence()?;
        match self.token.kind {
            TokenKind::End => Ok(list),
            _ => Err(self.unexpected_after_statement()),
        }
    }

    fn sequence(&mut self) -> Parse<Vec<Stmt>> {
        let mut list = vec![self.statement()?];
        while self.is_symbol(";") {
            self.next();
            if self.token.kind == TokenKind::End || self.is_word("end") || self.is_word("else") {
                break;
            }
            list.push(self.statement()?);
        }
        Ok(list)
    }

    fn statement(&mut self) -> Parse<Stmt> {
        let start = self.token.span.start;
        let word = if self.token.kind == TokenKind::Word { slice(self.text, self.token.span) } else { "" };
        let kind = match word {
            "nop" => {
                self.next();
                StmtKind::Nop
            }
            "if" => self.nested(Self::if_statement)?,
            "while" => self.nested(Self::while_statement)?,
            "local" => self.local()?,
            _ => self.assignment()?,
        };
        Ok(Stmt { kind, span: Span { start, end: self.last_end } })
    }

    fn if_statement(&mut self) -> Parse<StmtKind> {
        self.expect_word("if")?;
        let condition = self.formula()?.expr;
        self.expect_word("then")?;
        let then = self.sequence()?;
        let otherwise = if self.is_word("else") {
            self.next();
            self.sequence()?
        } else {
            Vec::new()
        };
        self.end_of("if")?;
        Ok(StmtKind::If { condition, then, otherwise })
    }

    fn while_statement(&mut self) -> Parse<StmtKind> {
        self.expect_word("while")?;
        let condition = self.formula()?.expr;
        self.expect_word("do")?;
        let body = self.sequence()?;
        self.end_of("while")?;
        Ok(StmtKind::While { condition, body })
    }

    fn end_of(&mut self, word: &str) -> Parse<()> {
        if self.is_word("end") {
            self.next();
            return Ok(());
        }
        if self.token.kind == TokenKind::End {
            let message = format!("expected `end` of `{word}`, found the end of the statements");
            self.diagnostics
                .error("missing-end", self.token.span, message)
                .help("`if` and `while` are closed by `end`");
            return Err(Reported);
        }
        Err(self.unexpected_after_statement())
    }

    fn local(&mut self) -> Parse<StmtKind> {
        self.expect_word("local")?;
        let name = self.name("the name of a local variable")?;
        if self.is_symbol("[") {
            let size = self.subscript()?.expr;
            return Ok(StmtKind::LocalArray { name, size });
        }
        let init = if self.is_symbol("=") {
            self.next();
            Some(self.term()?.expr)
        } else {
            None
        };
        Ok(StmtKind::Local { name, init })
    }

    fn assignment(&mut self) -> Parse<StmtKind> {
        let target = self.name("a statement")?;
        let index = if self.is_symbol("[") { Some(self.subscript()?.expr) } else { None };
        if !self.is_symbol("=") {
            return Err(self.no_assignment(&target.text));
        }
        self.next();
        let value = self.term()?.expr;
        Ok(StmtKind::Assign { target, index, value })
    }

    /// Something else than `=` follows the target of an assignment.
    fn no_assignment(&mut self, target: &str) -> Reported {
        let span = self.token.span;
        let TokenKind::Symbol(symbol) = self.token.kind else { return self.unexpected("`=`") };
        let help = match symbol {
            "++" => format!("write `{target} = {target} + 1`"),
            "--" => format!("write `{target} = {target} - 1`"),
            "+=" | "-=" | "*=" | "/=" => {
                format!("write `{target} = {target} {} …`", &symbol[..1])
            }
            "==" => "assignments are written with a single `=`".to_owned(),
            ":" => "assignments are written `=`; `:` ends the attribute".to_owned(),
            _ => return self.unexpected("`=`"),
        };
        let message = format!("expected `=`, found `{symbol}`");
        self.diagnostics.error("not-an-assignment", span, message).help(help);
        Reported
    }

    fn unexpected_after_statement(&mut self) -> Reported {
        let span = self.token.span;
        match self.token.kind {
            TokenKind::Symbol(",") => {
                self.diagnostics
                    .error("unexpected-token", span, "statements are not separated by `,`")
                    .help("separate statements with `;`");
                Reported
            }
            TokenKind::Symbol("==" | "!=" | "<" | "<=" | ">" | ">=" | "&&") => {
                self.diagnostics
                    .error("condition-as-value", span, "a condition is not an integer and cannot be assigned")
                    .help("write `(if condition then 1 else 0)`");
                Reported
            }
            TokenKind::Word => {
                let word = slice(self.text, self.token.span);
                let message = format!("expected `;` before `{word}`");
                let error = self.diagnostics.error("unexpected-token", span, message);
                if word == "done" || word == "fi" || word == "endif" || word == "od" {
                    error.help("`if` and `while` are closed by `end`");
                } else {
                    error.help("separate statements with `;`");
                }
                Reported
            }
            _ => self.unexpected("`;` or the end of the statements"),
        }
    }
}
