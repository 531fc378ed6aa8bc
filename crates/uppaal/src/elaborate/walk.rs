//! Walks over the syntax tree: what does it mention?
//!
//! The walks use a list instead of recursion: chains of operators can be long.

use dwell_syntax::uppaal::tree::{
    Body, Decl, Dim, Expr, ExprKind, Initialiser, Stmt, StmtKind, Type, TypeBase,
};

/// Pushes the direct operands of an expression, the last one first.
fn operands<'t>(e: &'t Expr, list: &mut Vec<&'t Expr>) {
    match &e.kind {
        ExprKind::Int(_)
        | ExprKind::Double(_)
        | ExprKind::String(_)
        | ExprKind::Bool(_)
        | ExprKind::Name(_)
        | ExprKind::Deadlock
        | ExprKind::Unsupported(_)
        | ExprKind::Error => {}
        ExprKind::Field(a, _)
        | ExprKind::Location(a)
        | ExprKind::Rate(a)
        | ExprKind::Unary(_, a)
        | ExprKind::Step { place: a, .. }
        | ExprKind::Quantified(_, _, _, a) => list.push(a),
        ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) | ExprKind::Assign(_, a, b) => {
            list.extend([&**b, &**a]);
        }
        ExprKind::Conditional(a, b, c) => list.extend([&**c, &**b, &**a]),
        ExprKind::Call(f, args) => {
            list.extend(args.iter().rev());
            list.push(f);
        }
        ExprKind::Builtin(_, args) => list.extend(args.iter().rev()),
    }
}

/// True when `is` holds for the expression or one inside it.
pub(super) fn any_expr<'t>(e: &'t Expr, is: &mut dyn FnMut(&'t Expr) -> bool) -> bool {
    let mut list = vec![e];
    while let Some(e) = list.pop() {
        if is(e) {
            return true;
        }
        operands(e, &mut list);
    }
    false
}

/// True when `is` holds for an expression of a statement.
pub(super) fn any_in_stmt<'t>(stmt: &'t Stmt, is: &mut dyn FnMut(&'t Expr) -> bool) -> bool {
    let mut all = |list: &'t [Expr]| list.iter().any(|e| any_expr(e, is));
    match &stmt.kind {
        StmtKind::Block(body) => any_in_body(body, is),
        StmtKind::Empty | StmtKind::Return(None) => false,
        StmtKind::Expr(e) | StmtKind::Assert(e) | StmtKind::Return(Some(e)) => any_expr(e, is),
        StmtKind::For(init, test, step, body) => all(init) || all(test) || all(step) || any_in_stmt(body, is),
        StmtKind::ForEach(_, _, body) => any_in_stmt(body, is),
        StmtKind::While(test, body) | StmtKind::DoWhile(body, test) => all(test) || any_in_stmt(body, is),
        StmtKind::If(test, then, otherwise) => {
            all(test)
                || any_in_stmt(then, is)
                || otherwise.as_ref().is_some_and(|otherwise| any_in_stmt(otherwise, is))
        }
    }
}

fn any_in_body<'t>(body: &'t Body, is: &mut dyn FnMut(&'t Expr) -> bool) -> bool {
    for decl in &body.items {
        let Decl::Variables(variables) = decl else { continue };
        for (_, init) in &variables.names {
            if init.as_ref().is_some_and(|init| any_in_init(init, is)) {
                return true;
            }
        }
    }
    body.stmts.iter().any(|stmt| any_in_stmt(stmt, is))
}

/// True when `is` holds for an expression of an initialiser.
pub(super) fn any_in_init<'t>(init: &'t Initialiser, is: &mut dyn FnMut(&'t Expr) -> bool) -> bool {
    match init {
        Initialiser::Expr(e) => any_expr(e, is),
        Initialiser::List(list, _) => list.iter().any(|(_, init)| any_in_init(init, is)),
    }
}

/// True when a type is written with this name in a size or a bound.
pub(super) fn type_mentions(ty: &Type, name: &str) -> bool {
    match &ty.base {
        TypeBase::Int(Some(bounds)) => mentions(&bounds.0, name) || mentions(&bounds.1, name),
        TypeBase::Scalar(size) => mentions(size, name),
        TypeBase::Struct(fields) => fields.iter().any(|field| {
            type_mentions(&field.ty, name)
                || field.names.iter().flat_map(|d| &d.dims).any(|dim| dim_mentions(dim, name))
        }),
        _ => false,
    }
}

/// True when an array dimension is written with this name.
pub(super) fn dim_mentions(dim: &Dim, name: &str) -> bool {
    match dim {
        Dim::Size(e) => mentions(e, name),
        Dim::Index(ty) => type_mentions(ty, name),
    }
}

fn mentions(e: &Expr, name: &str) -> bool {
    any_expr(e, &mut |e| match &e.kind {
        ExprKind::Name(n) => n == name,
        ExprKind::Quantified(_, _, ty, _) => type_mentions(ty, name),
        _ => false,
    })
}

/// True when a type inside the statement depends on this name.
pub(super) fn types_in_stmt_mention(stmt: &Stmt, name: &str) -> bool {
    let here = match &stmt.kind {
        StmtKind::Block(body) => {
            body.items.iter().any(|decl| match decl {
                Decl::Variables(v) => {
                    type_mentions(&v.ty, name)
                        || v.names.iter().flat_map(|(d, _)| &d.dims).any(|dim| dim_mentions(dim, name))
                }
                Decl::Typedef(t) => {
                    type_mentions(&t.ty, name)
                        || t.names.iter().flat_map(|d| &d.dims).any(|dim| dim_mentions(dim, name))
                }
                _ => false,
            }) || body.stmts.iter().any(|stmt| types_in_stmt_mention(stmt, name))
        }
        StmtKind::ForEach(_, ty, body) => type_mentions(ty, name) || types_in_stmt_mention(body, name),
        StmtKind::For(_, _, _, body) | StmtKind::While(_, body) | StmtKind::DoWhile(body, _) => {
            types_in_stmt_mention(body, name)
        }
        StmtKind::If(_, then, otherwise) => {
            types_in_stmt_mention(then, name)
                || otherwise.as_ref().is_some_and(|otherwise| types_in_stmt_mention(otherwise, name))
        }
        StmtKind::Empty | StmtKind::Expr(_) | StmtKind::Assert(_) | StmtKind::Return(_) => false,
    };
    here || any_in_stmt(stmt, &mut |e| match &e.kind {
        ExprKind::Quantified(_, _, ty, _) => type_mentions(ty, name),
        _ => false,
    })
}
