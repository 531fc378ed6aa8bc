//! Statements and the local declarations of functions.

use dwell_model::Span;
use dwell_model::expr::{Expr, Place as Target, Stmt};
use dwell_syntax::uppaal::tree::{self, Body, Decl, Ident, Initialiser, StmtKind, Type};

use super::expression::Value;
use super::function::Returns;
use super::scope::Binding;
use super::storage::{Place, Space};
use super::types::{Ty, Typed};
use super::walk::{any_in_stmt, types_in_stmt_mention};
use super::{Elaborator, MAX_COPIES};

/// Loops over clocks are unrolled up to this many copies of their body: what
/// is known about resets is worth more than short code.
const CLOCK_COPIES: u64 = 64;

impl<'a> Elaborator<'a> {
    /// A block. True when control never comes past it.
    pub(super) fn body(&mut self, body: &'a Body, out: &mut Vec<Stmt>) -> bool {
        let visible = self.frame.names.len();
        for decl in &body.items {
            self.local_declaration(decl, out);
        }
        // What follows a return is never reached.
        let ends = body.stmts.iter().any(|stmt| self.statement(stmt, out));
        self.frame.names.truncate(visible);
        ends
    }

    fn statement(&mut self, stmt: &'a tree::Stmt, out: &mut Vec<Stmt>) -> bool {
        if !self.deeper(stmt.span) {
            return false;
        }
        let ends = self.statement_inside(stmt, out);
        self.depth -= 1;
        ends
    }

    #[inline(never)]
    fn statement_inside(&mut self, stmt: &'a tree::Stmt, out: &mut Vec<Stmt>) -> bool {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Block(body) => return self.body(body, out),
            StmtKind::Empty => {}
            StmtKind::Expr(e) => self.effect(e, out),
            StmtKind::Assert(e) => match self.int(e) {
                Expr::Const(c) if c != 0 => {}
                condition => out.push(Stmt::Assert { condition, span }),
            },
            StmtKind::For(init, test, step, body) => {
                init.iter().for_each(|e| self.effect(e, out));
                self.while_loop(test, body, step, span, out);
            }
            StmtKind::ForEach(name, ty, body) => return self.for_each(name, ty, body, span, out),
            StmtKind::While(test, body) => self.while_loop(test, body, &[], span, out),
            StmtKind::DoWhile(body, test) => return self.do_while(body, test, span, out),
            StmtKind::If(test, then, otherwise) => {
                let condition = self.list_condition(test);
                if let Expr::Const(c) = condition {
                    return match (c != 0, otherwise) {
                        (true, _) => self.statement(then, out),
                        (false, Some(otherwise)) => self.statement(otherwise, out),
                        (false, None) => false,
                    };
                }
                let (mut yes, mut no) = (Vec::new(), Vec::new());
                let then_ends = self.statement(then, &mut yes);
                let otherwise_ends = otherwise.as_ref().is_some_and(|s| self.statement(s, &mut no));
                out.push(Stmt::If { condition, then: yes, otherwise: no });
                return then_ends && otherwise_ends;
            }
            StmtKind::Return(value) => {
                self.return_statement(value.as_ref(), span, out);
                return true;
            }
        }
        false
    }

    #[inline(never)]
    fn while_loop(
        &mut self,
        test: &'a [tree::Expr],
        body: &'a tree::Stmt,
        step: &'a [tree::Expr],
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        let condition = self.list_condition(test);
        if condition == Expr::Const(0) {
            return;
        }
        let mut inside = Vec::new();
        if !self.statement(body, &mut inside) {
            step.iter().for_each(|e| self.effect(e, &mut inside));
        }
        out.push(Stmt::While { condition, body: inside, span });
    }

    /// `first = 1; while (first || test) { first = 0; body }`
    #[inline(never)]
    fn do_while(
        &mut self,
        body: &'a tree::Stmt,
        test: &'a [tree::Expr],
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> bool {
        let first = self.local(0, 1);
        let set = |value| Stmt::Assign { place: Target::Local(first), value: Expr::Const(value), span };
        let mut inside = vec![set(0)];
        let ends = self.statement(body, &mut inside);
        let condition = self.list_condition(test);
        if ends || condition == Expr::Const(0) {
            out.extend(inside);
            return ends;
        }
        let condition = Expr::Or(Box::new(Expr::Local(first)), Box::new(condition));
        out.push(set(1));
        out.push(Stmt::While { condition, body: inside, span });
        false
    }

    #[inline(never)]
    fn for_each(
        &mut self,
        name: &'a Ident,
        ty: &'a Type,
        body: &'a tree::Stmt,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> bool {
        let (low, high) = self.values_of(ty);
        let len = (i64::from(high) - i64::from(low) + 1).max(0) as u64;
        let copies = self.frame.copies.saturating_mul(len.max(1));
        let must = types_in_stmt_mention(body, &name.name);
        if must && copies > MAX_COPIES {
            self.error("model-too-large", span, format!("this loop would be written out {copies} times"));
            return false;
        }
        let should = copies <= CLOCK_COPIES && any_in_stmt(body, &mut |e| self.needs_constants(e));
        if !must && !should {
            let slot = self.local(low, high);
            self.frame.names.push((&name.name, Binding::Loop(slot)));
            let mut inside = Vec::new();
            self.statement(body, &mut inside);
            self.frame.names.pop();
            self.iterate(slot, (low, high), None, inside, span, out);
            return false;
        }
        let around = std::mem::replace(&mut self.frame.copies, copies);
        let mut ends = false;
        for value in low..=high {
            self.frame.names.push((&name.name, Binding::Constant(value)));
            ends = self.statement(body, out);
            self.frame.names.pop();
            if ends {
                break;
            }
        }
        self.frame.copies = around;
        ends
    }

    #[inline(never)]
    fn return_statement(&mut self, value: Option<&'a tree::Expr>, span: Span, out: &mut Vec<Stmt>) {
        let result = match (self.frame.returns.clone(), value) {
            (Returns::Int(ty), Some(e)) => {
                let value = self.int(e);
                Some(self.fitting(&ty, value, Space::Local, e.span))
            }
            (Returns::Int(ty), None) => {
                self.bad("a value is expected here", span);
                Some(Expr::Const(ty.default_value()))
            }
            (Returns::Place(to), Some(e)) => {
                match self.value(e) {
                    Value::Place(from) => self.copy(to, from, span, out),
                    _ => {
                        self.bad("a structure is expected here", e.span);
                    }
                }
                None
            }
            (_, Some(e)) => {
                if self.has_effect(e) {
                    self.effect(e, out);
                }
                None
            }
            (_, None) => None,
        };
        out.push(Stmt::Return(result));
    }

    #[inline(never)]
    fn local_declaration(&mut self, decl: &'a Decl, out: &mut Vec<Stmt>) {
        match decl {
            Decl::Typedef(typedef) => {
                let typed = self.typed(&typedef.ty);
                for declarator in &typedef.names {
                    let ty = self.with_dims(&typed.ty, &declarator.dims);
                    let binding = Binding::Type(Typed { ty, ..typed.clone() });
                    self.frame.names.push((&declarator.name.name, binding));
                }
            }
            Decl::Variables(variables) => {
                let typed = self.typed(&variables.ty);
                for (declarator, init) in &variables.names {
                    let ty = self.with_dims(&typed.ty, &declarator.dims);
                    let span = declarator.name.span;
                    if ty.has_clocks_or_channels() {
                        self.unsupported("a clock or channel inside a function", span);
                        continue;
                    }
                    let binding = self.local_variable(&ty, typed.constant, init.as_ref(), span, out);
                    self.frame.names.push((&declarator.name.name, binding));
                }
            }
            _ => {
                self.error("bad-declaration", variables_span(decl), "this cannot be declared in a function");
            }
        }
    }

    fn local_variable(
        &mut self,
        ty: &Ty,
        constant: bool,
        init: Option<&'a Initialiser>,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Binding {
        let place = self.temporary(ty, span);
        let mut stmts = Vec::new();
        self.initialise(&place, init, span, &mut stmts);
        if constant && let Some(values) = known_values(&stmts) {
            if let (Some(&value), Some(_)) = (values.first(), ty.bounds()) {
                return Binding::Constant(value);
            }
            // New variables can be made for constants, but not while a query is elaborated.
            if ty.is_aggregate() && self.tables.slots.settled() && !self.asking {
                let mut values = values.into_iter();
                let by_leaf = ty.leaves().into_iter().map(|leaf| {
                    let count = if leaf.ty.bounds().is_some() { leaf.count as usize } else { 0 };
                    values.by_ref().take(count).collect()
                });
                let by_leaf = by_leaf.collect();
                return Binding::Place(self.allocate("constant", ty, Space::Constant, Some(by_leaf), span));
            }
        }
        out.extend(stmts);
        Binding::Place(place)
    }

    /// Sets a place to its initial value.
    fn initialise(&mut self, place: &Place, init: Option<&'a Initialiser>, span: Span, out: &mut Vec<Stmt>) {
        match (init, &place.ty) {
            (None, _) => self.fill_default(place, span, out),
            (Some(Initialiser::Expr(e)), Ty::Double | Ty::Text) => {
                if self.has_effect(e) {
                    self.effect(e, out);
                }
            }
            (Some(Initialiser::Expr(e)), ty) if ty.is_aggregate() => match self.value(e) {
                Value::Place(from) => self.copy(place.clone(), from, e.span, out),
                _ => {
                    self.bad("an array or structure is expected here", e.span);
                }
            },
            (Some(Initialiser::Expr(e)), _) => {
                let value = self.int(e);
                self.write(place, value, e.span, out);
            }
            (Some(Initialiser::List(list, span)), Ty::Array(array)) => {
                for (at, index) in (0..array.len).zip(array.low..) {
                    let element = self.element(place.clone(), Expr::Const(index), *span);
                    let init = list.get(at as usize).map(|(_, init)| init);
                    self.initialise(&element, init, *span, out);
                }
            }
            (Some(Initialiser::List(list, span)), Ty::Struct(s)) => {
                let by_field = by_field(list, &s.fields);
                for ((name, _), init) in s.fields.iter().zip(by_field) {
                    let field = self.field(place.clone(), name);
                    self.initialise(&field, init, *span, out);
                }
            }
            (Some(Initialiser::List(_, span)), _) => {
                self.bad("one value is expected here", *span);
            }
        }
    }
}

/// The initialiser of each field: a label moves the cursor.
pub(super) fn by_field<'t>(
    list: &'t [(Option<Ident>, Initialiser)],
    fields: &[(String, Ty)],
) -> Vec<Option<&'t Initialiser>> {
    let mut result = vec![None; fields.len()];
    let mut cursor = 0;
    for (label, init) in list {
        if let Some(label) = label {
            cursor = fields.iter().position(|(name, _)| *name == label.name).unwrap_or(fields.len());
        }
        if let Some(slot) = result.get_mut(cursor) {
            *slot = Some(init);
        }
        cursor += 1;
    }
    result
}

/// The values, if all the statements do is to store constants slot by slot.
fn known_values(stmts: &[Stmt]) -> Option<Vec<i32>> {
    let mut values: Vec<(u32, i32)> = Vec::new();
    for stmt in stmts {
        match stmt {
            Stmt::Assign { place: Target::Local(slot), value: Expr::Const(value), .. } => {
                values.push((*slot, *value));
            }
            _ => return None,
        }
    }
    // Leaves lie one after the other, so the order of slots is that of the leaves.
    values.sort_unstable_by_key(|(slot, _)| *slot);
    Some(values.into_iter().map(|(_, value)| value).collect())
}

fn variables_span(decl: &Decl) -> Span {
    match decl {
        Decl::Function(f) => f.span,
        Decl::Instantiation(i) => i.span,
        Decl::ChannelPriority(p) => p.span,
        Decl::BeforeUpdate(_, span) | Decl::AfterUpdate(_, span) | Decl::Dynamic(_, _, span) => *span,
        Decl::Import(i) => i.span,
        Decl::Variables(v) => v.span,
        Decl::Typedef(t) => t.span,
    }
}
