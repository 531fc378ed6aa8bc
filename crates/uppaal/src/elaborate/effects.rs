//! Does an expression change anything that symbolic analysis knows?
//!
//! Floating-point numbers are skipped, together with what computes them, so
//! long as that changes nothing else. This is found out on the syntax tree:
//! lowering would refuse what is about to be skipped.

use dwell_syntax::uppaal::tree::{self, Body, Decl, ExprKind, StmtKind};

use super::Elaborator;
use super::function::FunctionRef;
use super::scope::{Binding, View};
use super::types::Ty;
use super::walk::any_in_init;

impl<'a> Elaborator<'a> {
    /// True when the expression may change an integer, clock or channel.
    pub(super) fn has_effect(&mut self, e: &'a tree::Expr) -> bool {
        self.changes(e, &mut Vec::new())
    }

    /// True when a call of the function may.
    pub(super) fn function_has_effect(&mut self, function: FunctionRef, view: View) -> bool {
        if let Some(&known) = self.tables.effects.get(&(function, view.scope)) {
            return known;
        }
        // Also ends the search should a function call itself.
        self.tables.effects.insert((function, view.scope), false);
        let Some(decl) = self.function(function) else { return true };
        let mut own: Vec<&'a str> =
            decl.params.iter().filter(|p| !p.reference).map(|p| p.name.name.as_str()).collect();
        let outer = self.enter(view);
        let result = self.body_changes(&decl.body, &mut own);
        self.leave(outer);
        self.tables.effects.insert((function, view.scope), result);
        result
    }

    fn body_changes(&mut self, body: &'a Body, own: &mut Vec<&'a str>) -> bool {
        let visible = own.len();
        for decl in &body.items {
            let Decl::Variables(variables) = decl else { continue };
            for (declarator, init) in &variables.names {
                if let Some(init) = init
                    && any_in_init(init, &mut |e| self.changes(e, own))
                {
                    return true;
                }
                own.push(&declarator.name.name);
            }
        }
        let result = body.stmts.iter().any(|stmt| self.stmt_changes(stmt, own));
        own.truncate(visible);
        result
    }

    fn stmt_changes(&mut self, stmt: &'a tree::Stmt, own: &mut Vec<&'a str>) -> bool {
        let mut list =
            |list: &'a [tree::Expr], own: &mut Vec<&'a str>| list.iter().any(|e| self.changes(e, own));
        match &stmt.kind {
            StmtKind::Block(body) => self.body_changes(body, own),
            StmtKind::Empty | StmtKind::Return(None) => false,
            StmtKind::Expr(e) | StmtKind::Return(Some(e)) => self.changes(e, own),
            // It may stop the run.
            StmtKind::Assert(_) => true,
            StmtKind::For(init, test, step, body) => {
                list(init, own) || list(test, own) || list(step, own) || self.stmt_changes(body, own)
            }
            StmtKind::ForEach(_, _, body) => self.stmt_changes(body, own),
            StmtKind::While(test, body) | StmtKind::DoWhile(body, test) => {
                list(test, own) || self.stmt_changes(body, own)
            }
            StmtKind::If(test, then, otherwise) => {
                list(test, own)
                    || self.stmt_changes(then, own)
                    || otherwise.as_ref().is_some_and(|s| self.stmt_changes(s, own))
            }
        }
    }

    fn changes(&mut self, e: &'a tree::Expr, own: &mut Vec<&'a str>) -> bool {
        e.any(&mut |e| match &e.kind {
            ExprKind::Assign(_, place, _) | ExprKind::Step { place, .. } => self.is_known_place(place, own),
            ExprKind::Call(callee, _) => match &callee.kind {
                ExprKind::Name(name) => match self.lookup(name) {
                    Some(Binding::Function(function, view)) => self.function_has_effect(function, view),
                    Some(Binding::ProcessSet(_)) => false,
                    _ => true,
                },
                _ => true,
            },
            ExprKind::Unsupported(_) | ExprKind::Error => true,
            _ => false,
        })
    }

    /// False for a function's own variables and for floating-point ones.
    fn is_known_place(&mut self, place: &'a tree::Expr, own: &[&'a str]) -> bool {
        match &place.kind {
            ExprKind::Index(base, _) | ExprKind::Field(base, _) => self.is_known_place(base, own),
            ExprKind::Name(name) if own.contains(&name.as_str()) => false,
            ExprKind::Name(name) => match self.lookup(name) {
                Some(Binding::Place(place)) => {
                    place.ty.any_leaf(&mut |ty| !matches!(ty, Ty::Double | Ty::Text))
                }
                _ => true,
            },
            _ => true,
        }
    }
}
