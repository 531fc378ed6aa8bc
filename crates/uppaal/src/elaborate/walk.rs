//! Walks over the syntax tree: what does it mention?

use dwell_syntax::uppaal::tree::{
    Body, Decl, Dim, Expr, ExprKind, Initialiser, Stmt, StmtKind, Type, TypeBase,
};

/// True when `is` holds for an expression of a statement.
pub(super) fn any_in_stmt<'t>(stmt: &'t Stmt, is: &mut dyn FnMut(&'t Expr) -> bool) -> bool {
    let mut all = |list: &'t [Expr]| list.iter().any(|e| e.any(is));
    match &stmt.kind {
        StmtKind::Block(body) => any_in_body(body, is),
        StmtKind::Empty | StmtKind::Return(None) => false,
        StmtKind::Expr(e) | StmtKind::Assert(e) | StmtKind::Return(Some(e)) => e.any(is),
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
        Initialiser::Expr(e) => e.any(is),
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
    e.any(&mut |e| match &e.kind {
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
