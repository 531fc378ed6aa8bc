//! Lowering of statements.

use dwell_syntax::Span;
use dwell_syntax::tchecker::{Expr as Tree, Name, Stmt as TreeStmt, StmtKind};

use super::MAX_LOCALS;
use super::declarations::Lowering;
use super::expressions::{Position, Typed};
use super::names::Variable;
use crate::expr::{ClockRef, Expr, Place, Program, Stmt};
use crate::{ClockId, VarId};

/// What an assignment writes to.
enum Target {
    Place(Place),
    Clock(ClockRef),
}

impl<'t> Lowering<'t, '_> {
    /// Lowers the `do` attributes of one edge, which run one after the other.
    pub fn program(&mut self, sequences: &[&'t [TreeStmt]]) -> Program {
        let mut body = Vec::new();
        for sequence in sequences {
            self.statements(sequence, &mut body);
        }
        self.locals.clear();
        Program { locals: std::mem::take(&mut self.local_slots), body }
    }

    fn statements(&mut self, list: &'t [TreeStmt], body: &mut Vec<Stmt>) {
        for statement in list {
            self.statement(statement, body);
        }
    }

    fn statement(&mut self, statement: &'t TreeStmt, body: &mut Vec<Stmt>) {
        let span = statement.span;
        match &statement.kind {
            StmtKind::Nop => {}
            StmtKind::Assign { target, index, value } => {
                body.extend(self.assignment(target, index.as_ref(), value, span));
            }
            StmtKind::If { condition, then, otherwise } => {
                let condition = self.condition(condition);
                let (mut yes, mut no) = (Vec::new(), Vec::new());
                self.statements(then, &mut yes);
                self.statements(otherwise, &mut no);
                match condition {
                    // Locals stay declared, but a branch never taken is dropped.
                    Some(Expr::Const(0)) => body.append(&mut no),
                    Some(Expr::Const(_)) => body.append(&mut yes),
                    Some(condition) => body.push(Stmt::If { condition, then: yes, otherwise: no }),
                    None => {}
                }
            }
            StmtKind::While { condition, body: repeated } => {
                let condition = self.condition(condition);
                // What a loop declares is known inside the loop only.
                let scope = self.locals.len();
                let mut inner = Vec::new();
                self.statements(repeated, &mut inner);
                self.locals.truncate(scope);
                if let Some(condition) = condition {
                    body.push(Stmt::While { condition, body: inner, span });
                }
            }
            StmtKind::Local { name, init } => {
                // The initial value is one without the new variable.
                let value = match init {
                    Some(init) => self.integer(init),
                    None => Some(Expr::Const(0)),
                };
                let slot = self.declare_local(name, Some(1));
                if let (Some(slot), Some(value)) = (slot, value) {
                    body.push(Stmt::Assign { place: Place::Local(slot), value, span });
                }
            }
            StmtKind::LocalArray { name, size } => {
                let len = self.local_size(size);
                let slot = self.declare_local(name, len);
                if let (Some(first), Some(len)) = (slot, len) {
                    body.extend((first..first + len).map(|slot| Stmt::Assign {
                        place: Place::Local(slot),
                        value: Expr::Const(0),
                        span,
                    }));
                }
            }
        }
    }

    fn local_size(&mut self, size: &'t Tree) -> Option<u32> {
        match self.integer(size)? {
            Expr::Const(value) if value >= 1 => Some(value as u32),
            Expr::Const(value) => {
                self.diagnostics
                    .error("bad-size", size.span, format!("the size is {value}, less than 1"))
                    .help("an array has at least one element");
                None
            }
            _ => {
                self.diagnostics
                    .error("size-not-constant", size.span, "the size of an array must be a constant")
                    .help("write a number, or an expression of numbers");
                None
            }
        }
    }

    /// Declares a local; complains and returns `None` when it cannot be. A
    /// local of unknown length, after an error, takes every index.
    fn declare_local(&mut self, name: &'t Name, len: Option<u32>) -> Option<u32> {
        let text = name.text.as_str();
        let taken = if self.locals.iter().any(|(n, _)| *n == text) {
            Some("a local variable")
        } else {
            match self.variables.get(text) {
                Some(Variable::Int { .. }) => Some("a global variable"),
                Some(_) => {
                    let message = format!("local variable `{text}` hides the clock of this name");
                    self.diagnostics.warning("hidden-clock", name.span, message).help("choose another name");
                    None
                }
                None => None,
            }
        };
        if let Some(taken) = taken {
            let message = format!("`{text}` is already {taken}");
            self.diagnostics.error("duplicate-local", name.span, message).help("choose another name");
            return None;
        }
        let first = self.local_slots;
        let Some(len) = len else {
            self.locals.push((text, Variable::Local { first, len: u32::MAX }));
            return None;
        };
        let fits = len <= MAX_LOCALS - first;
        if !fits {
            let message = format!("more than {MAX_LOCALS} local slots in one edge");
            self.diagnostics.error("too-many-variables", name.span, message).help("make the array smaller");
        }
        self.locals.push((text, Variable::Local { first, len }));
        if fits {
            self.local_slots += len;
        }
        fits.then_some(first)
    }

    fn assignment(
        &mut self,
        name: &'t Name,
        index: Option<&'t Tree>,
        value: &'t Tree,
        span: Span,
    ) -> Option<Stmt> {
        let target = self.target(name, index);
        let typed = self.typed(value);
        match (target?, typed) {
            (_, Typed::Bad) => None,
            (Target::Place(place), Typed::Int(value)) => {
                self.check_range(&place, &value, span);
                Some(Stmt::Assign { place, value, span })
            }
            (Target::Place(_), other) => {
                self.as_integer(other, value.span);
                None
            }
            (Target::Clock(clock), Typed::Int(value)) => {
                if let Expr::Const(negative @ ..0) = value {
                    let message = format!("clock `{}` is set to {negative}", name.text);
                    self.diagnostics
                        .warning("negative-clock", span, message)
                        .help("this fails when the edge is taken: clocks are never negative");
                }
                Some(Stmt::Reset { clock, from: None, value, span })
            }
            (Target::Clock(clock), Typed::Clock(from)) => {
                Some(Stmt::Reset { clock, from: Some(from), value: Expr::Const(0), span })
            }
            (Target::Clock(clock), Typed::Sum(from, value)) => {
                Some(Stmt::Reset { clock, from: Some(from), value, span })
            }
            (Target::Clock(_), other) => {
                let message = format!("{} cannot be assigned to a clock", other.describe());
                self.diagnostics
                    .error("bad-clock-assignment", value.span, message)
                    .help("the forms are `x = t`, `x = y` and `x = y + t`, with an integer t");
                None
            }
        }
    }

    fn target(&mut self, name: &'t Name, index: Option<&'t Tree>) -> Option<Target> {
        let Some(index) = index else {
            let variable = self.variable(&name.text, name.span)?;
            if !self.is_single(variable, &name.text, name.span) {
                return None;
            }
            return Some(match variable {
                Variable::Clock { first, .. } => Target::Clock(ClockRef::Fixed(first)),
                Variable::Int { first, .. } => Target::Place(Place::Var(first)),
                Variable::Local { first, .. } => Target::Place(Place::Local(first)),
            });
        };
        let variable = self.variable(&name.text, name.span);
        let position = self.integer(index);
        let (variable, position) = (variable?, position?);
        let position = self.position(variable, position, index.span)?;
        let span = name.span.to(index.span);
        Some(match (variable, position) {
            (Variable::Clock { first, .. }, Position::Fixed(i)) => {
                Target::Clock(ClockRef::Fixed(ClockId(first.0 + i)))
            }
            (Variable::Clock { first, len }, Position::Computed(index)) => {
                Target::Clock(ClockRef::Element { first, len, index, span })
            }
            (Variable::Int { first, .. }, Position::Fixed(i)) => {
                Target::Place(Place::Var(VarId(first.0 + i)))
            }
            (Variable::Int { first, len }, Position::Computed(index)) => {
                Target::Place(Place::Element { first, len, index, span })
            }
            (Variable::Local { first, .. }, Position::Fixed(i)) => Target::Place(Place::Local(first + i)),
            (Variable::Local { first, len }, Position::Computed(index)) => {
                Target::Place(Place::LocalElement { first, len, index, span })
            }
        })
    }

    /// Warns of a constant that the variable cannot hold.
    fn check_range(&mut self, place: &Place, value: &Expr, span: Span) {
        let (Place::Var(var) | Place::Element { first: var, .. }) = *place else { return };
        let Expr::Const(value) = *value else { return };
        let var = &self.network.vars[var.index()];
        if !(var.min..=var.max).contains(&value) {
            let message = format!("{value} is not in {}..{}, the range of `{}`", var.min, var.max, var.name);
            self.diagnostics
                .warning("value-out-of-range", span, message)
                .help("this fails when the edge is taken");
        }
    }
}
