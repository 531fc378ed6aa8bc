//! Statements.

use dwell_syntax::Span;
use dwell_syntax::uppaal::tree::{BinaryOp, Body, Expr, ExprKind, Stmt, StmtKind};

use super::codes;
use super::context::Context;
use super::log::Mark;
use super::relate;
use super::scope::{FrameKind, Home, Kind};
use super::types::Ty;

impl Context {
    /// Declarations and statements in a scope of their own.
    pub fn body(&mut self, body: &Body) {
        self.scopes.enter(FrameKind::Inner);
        for item in &body.items {
            self.declaration(item, Home::Function);
        }
        for stmt in &body.stmts {
            self.stmt(stmt);
        }
        self.scopes.leave();
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Block(body) => self.body(body),
            StmtKind::Empty => {}
            StmtKind::Expr(e) => self.effect(e),
            StmtKind::Assert(e) => {
                let mark = self.mark();
                let ty = self.expr(e).ty;
                self.expect_condition(&ty, e.span);
                self.require_pure(mark, "an assertion");
            }
            StmtKind::For(first, test, step, body) => {
                first.iter().for_each(|e| self.effect(e));
                self.test(test);
                step.iter().for_each(|e| self.effect(e));
                self.stmt(body);
            }
            StmtKind::ForEach(name, ty, body) => {
                let range = self.range(ty, "an iteration");
                self.scopes.enter(FrameKind::Inner);
                self.declare(name, Kind::Chosen, range);
                self.stmt(body);
                self.scopes.leave();
            }
            StmtKind::While(test, body) => {
                self.test(test);
                self.stmt(body);
            }
            StmtKind::DoWhile(body, test) => {
                self.stmt(body);
                self.test(test);
            }
            StmtKind::If(test, then, otherwise) => {
                self.test(test);
                self.stmt(then);
                if let Some(otherwise) = otherwise {
                    self.stmt(otherwise);
                }
            }
            StmtKind::Return(value) => self.return_value(value.as_ref(), stmt.span),
        }
    }

    /// A comma list of which the last one counts.
    fn test(&mut self, list: &[Expr]) {
        if let Some((last, before)) = list.split_last() {
            before.iter().for_each(|e| self.effect(e));
            let ty = self.expr(last).ty;
            self.expect_condition(&ty, last.span);
        }
    }

    fn return_value(&mut self, value: Option<&Expr>, span: Span) {
        let found = value.map(|e| (self.expr(e).ty, e.span));
        let wanted = self.result.clone().unwrap_or(Ty::Error);
        let (message, span) = match (&wanted, found) {
            (Ty::Error, _) | (Ty::Void, None) => return,
            // `return f();` where neither returns a value.
            (Ty::Void, Some((Ty::Void | Ty::Error, _))) => return,
            (Ty::Void, Some((_, span))) => ("the function returns nothing".to_owned(), span),
            (wanted, None) => (format!("the function returns a `{wanted}`, and there is no value"), span),
            (wanted, Some((found, span))) => {
                if relate::assignable(wanted, &found, relate::Into::Update) {
                    return;
                }
                (format!("the function returns a `{wanted}`, not a `{found}`"), span)
            }
        };
        self.out.error(codes::RETURN_VALUE, span, message);
    }

    /// An expression that stands for what it does: a statement, an update.
    pub fn effect(&mut self, e: &Expr) {
        let mark = self.mark();
        let errors = self.out.error_count();
        let ty = self.expr(e).ty;
        match ty {
            // What was meant is not known.
            _ if self.out.error_count() > errors => {}
            Ty::Error => {}
            // The default update.
            _ if matches!(e.kind, ExprKind::Int(1)) => {}
            Ty::Void | Ty::Bool | Ty::Int(_) | Ty::Double | Ty::Clock(_) => self.expect_effect(e, mark),
            Ty::Scalar(_) | Ty::Struct(_) | Ty::Array(_) => self.expect_effect(e, mark),
            _ => {
                let message = format!("an update assigns, counts or calls, and this is a `{ty}`");
                let report = self.out.error(codes::INVALID_UPDATE, e.span, message);
                if let Ty::Constraint(_) = ty {
                    report.help("conditions belong into the guard; `=` assigns");
                }
            }
        }
    }

    fn expect_effect(&mut self, e: &Expr, mark: Mark) {
        if self.has_effect_since(mark) {
            return;
        }
        let report = self.out.warning(codes::NO_EFFECT, e.span, "this changes nothing");
        if let ExprKind::Binary(BinaryOp::Eq, ..) = e.kind {
            report.help("`==` compares; `=` assigns");
        }
    }
}

/// Every path through the statements ends with `return`.
pub(super) fn returns_at_end(stmts: &[Stmt]) -> bool {
    stmts.iter().any(returns)
}

fn returns(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Return(_) => true,
        StmtKind::Block(body) => returns_at_end(&body.stmts),
        StmtKind::If(_, then, Some(otherwise)) => returns(then) && returns(otherwise),
        StmtKind::DoWhile(body, _) => returns(body),
        _ => false,
    }
}
