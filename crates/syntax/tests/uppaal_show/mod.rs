//! Trees as text with all their structure, and short ways to get them.
#![allow(dead_code, reason = "each test file uses some of it")]

use dwell_syntax::uppaal::Fragment;
use dwell_syntax::uppaal::parse::{Context, Parser};
use dwell_syntax::uppaal::tree::*;
use dwell_syntax::{Diagnostic, Diagnostics, Severity};

/// An expression, fully parenthesised.
pub fn show(e: &Expr) -> String {
    let list = |list: &[Expr]| list.iter().map(show).collect::<Vec<_>>().join(", ");
    match &e.kind {
        ExprKind::Int(value) => value.to_string(),
        ExprKind::Double(value) => format!("{value:?}"),
        ExprKind::String(value) => format!("{value:?}"),
        ExprKind::Bool(value) => value.to_string(),
        ExprKind::Name(name) => name.clone(),
        ExprKind::Index(a, i) => format!("{}[{}]", show(a), show(i)),
        ExprKind::Field(a, f) => format!("{}.{}", show(a), f.name),
        ExprKind::Location(a) => format!("{}@location", show(a)),
        ExprKind::Rate(a) => format!("{}'", show(a)),
        ExprKind::Call(f, args) => format!("{}({})", show(f), list(args)),
        ExprKind::Builtin(f, args) => format!("#{}({})", f.name, list(args)),
        ExprKind::Unary(op, a) => format!("({op:?} {})", show(a)),
        ExprKind::Step { prefix: true, up, place } => {
            format!("({} {})", if *up { "++" } else { "--" }, show(place))
        }
        ExprKind::Step { prefix: false, up, place } => {
            format!("({} {})", show(place), if *up { "++" } else { "--" })
        }
        ExprKind::Binary(op, a, b) => format!("({} {op:?} {})", show(a), show(b)),
        ExprKind::Assign(None, a, b) => format!("({} = {})", show(a), show(b)),
        ExprKind::Assign(Some(op), a, b) => format!("({} {op:?}= {})", show(a), show(b)),
        ExprKind::Conditional(c, t, e) => format!("({} ? {} : {})", show(c), show(t), show(e)),
        ExprKind::Quantified(q, i, ty, body) => {
            format!("({q:?} {}:{}. {})", i.name, show_type(ty), show(body))
        }
        ExprKind::Deadlock => "deadlock".to_owned(),
        ExprKind::Unsupported(what) => format!("<{what}>"),
        ExprKind::Error => "<error>".to_owned(),
    }
}

/// A type.
pub fn show_type(ty: &Type) -> String {
    let p = ty.prefix;
    let prefixes = [
        (p.urgent, "urgent"),
        (p.broadcast, "broadcast"),
        (p.constant, "const"),
        (p.meta, "meta"),
        (p.hybrid, "hybrid"),
    ];
    let mut text: String =
        prefixes.iter().filter(|(on, _)| *on).map(|(_, name)| format!("{name} ")).collect();
    text += &match &ty.base {
        TypeBase::Named(name) => name.clone(),
        TypeBase::Int(None) => "int".to_owned(),
        TypeBase::Int(Some(range)) => format!("int[{},{}]", show(&range.0), show(&range.1)),
        TypeBase::Scalar(size) => format!("scalar[{}]", show(size)),
        TypeBase::Struct(fields) => {
            let fields = fields.iter().map(|f| {
                let names = f.names.iter().map(show_declarator).collect::<Vec<_>>().join(", ");
                format!("{} {names};", show_type(&f.ty))
            });
            format!("struct{{{}}}", fields.collect::<Vec<_>>().join(" "))
        }
        other => format!("{other:?}").to_lowercase(),
    };
    text
}

/// A name with its dimensions.
pub fn show_declarator(d: &Declarator) -> String {
    format!("{}{}", d.name.name, show_dims(&d.dims))
}

pub fn show_dims(dims: &[Dim]) -> String {
    let dim = |dim: &Dim| match dim {
        Dim::Size(e) => format!("[{}]", show(e)),
        Dim::Index(ty) => format!("[:{}]", show_type(ty)),
    };
    dims.iter().map(dim).collect()
}

/// An initial value.
pub fn show_initialiser(value: &Initialiser) -> String {
    match value {
        Initialiser::Expr(e) => show(e),
        Initialiser::List(list, _) => {
            let item = |(label, value): &(Option<Ident>, Initialiser)| match label {
                Some(label) => format!("{}: {}", label.name, show_initialiser(value)),
                None => show_initialiser(value),
            };
            format!("{{{}}}", list.iter().map(item).collect::<Vec<_>>().join(", "))
        }
    }
}

pub fn show_params(params: &[Param]) -> String {
    let param = |p: &Param| {
        let reference = if p.reference { "&" } else { "" };
        format!("{} {reference}{}{}", show_type(&p.ty), p.name.name, show_dims(&p.dims))
    };
    params.iter().map(param).collect::<Vec<_>>().join(", ")
}

/// A statement.
pub fn show_statement(s: &Stmt) -> String {
    let list = |list: &[Expr]| list.iter().map(show).collect::<Vec<_>>().join(", ");
    match &s.kind {
        StmtKind::Block(body) => show_body(body),
        StmtKind::Empty => ";".to_owned(),
        StmtKind::Expr(e) => format!("{};", show(e)),
        StmtKind::Assert(e) => format!("assert {};", show(e)),
        StmtKind::For(a, b, c, body) => {
            format!("for ({}; {}; {}) {}", list(a), list(b), list(c), show_statement(body))
        }
        StmtKind::ForEach(i, ty, body) => {
            format!("for ({} : {}) {}", i.name, show_type(ty), show_statement(body))
        }
        StmtKind::While(test, body) => format!("while ({}) {}", list(test), show_statement(body)),
        StmtKind::DoWhile(body, test) => format!("do {} while ({});", show_statement(body), list(test)),
        StmtKind::If(test, then, None) => format!("if ({}) {}", list(test), show_statement(then)),
        StmtKind::If(test, then, Some(otherwise)) => {
            format!("if ({}) {} else {}", list(test), show_statement(then), show_statement(otherwise))
        }
        StmtKind::Return(None) => "return;".to_owned(),
        StmtKind::Return(Some(e)) => format!("return {};", show(e)),
    }
}

pub fn show_body(body: &Body) -> String {
    let items = body.items.iter().map(show_decl);
    let parts: Vec<_> = items.chain(body.stmts.iter().map(show_statement)).collect();
    format!("{{ {} }}", parts.join(" "))
}

/// A declaration.
pub fn show_decl(decl: &Decl) -> String {
    let list = |list: &[Expr]| list.iter().map(show).collect::<Vec<_>>().join(", ");
    match decl {
        Decl::Variables(v) => {
            let name = |(name, value): &(Declarator, Option<Initialiser>)| match value {
                Some(value) => format!("{} = {}", show_declarator(name), show_initialiser(value)),
                None => show_declarator(name),
            };
            let names = v.names.iter().map(name).collect::<Vec<_>>().join(", ");
            format!("{} {names};", show_type(&v.ty))
        }
        Decl::Typedef(t) => {
            let names = t.names.iter().map(show_declarator).collect::<Vec<_>>().join(", ");
            format!("typedef {} {names};", show_type(&t.ty))
        }
        Decl::Function(f) => {
            format!(
                "{} {}({}) {}",
                show_type(&f.result),
                f.name.name,
                show_params(&f.params),
                show_body(&f.body)
            )
        }
        Decl::Instantiation(i) => {
            format!("{}({}) = {}({});", i.name.name, show_params(&i.params), i.template.name, list(&i.args))
        }
        Decl::ChannelPriority(p) => {
            let item = |item: &PriorityItem| match item {
                PriorityItem::Default(_) => "default".to_owned(),
                PriorityItem::Channel(e) => show(e),
            };
            let level = |level: &Vec<PriorityItem>| level.iter().map(item).collect::<Vec<_>>().join(", ");
            format!("priority {};", p.levels.iter().map(level).collect::<Vec<_>>().join(" < "))
        }
        Decl::BeforeUpdate(exprs, _) => format!("before {{ {} }}", list(exprs)),
        Decl::AfterUpdate(exprs, _) => format!("after {{ {} }}", list(exprs)),
        Decl::Import(import) => {
            let function = |(ty, name, params): &(Type, Ident, Vec<Param>)| {
                format!("{} {}({})", show_type(ty), name.name, show_params(params))
            };
            let functions = import.functions.iter().map(function).collect::<Vec<_>>().join("; ");
            format!("import {:?} {{ {functions} }}", import.library)
        }
        Decl::Dynamic(name, params, _) => format!("dynamic {}({});", name.name, show_params(params)),
    }
}

/// Runs a parser over a text.
pub fn run<T>(text: &str, syntax: Syntax, rule: impl FnOnce(Parser) -> T) -> (T, Vec<Diagnostic>) {
    let fragment = Fragment::plain(text);
    let mut context = Context::default();
    let mut diagnostics = Diagnostics::default();
    let result = rule(Parser::new(&fragment, syntax, &mut context, &mut diagnostics));
    (result, diagnostics.into_vec())
}

/// A guard that must be right.
pub fn guard(text: &str) -> String {
    let (guard, found) = run(text, Syntax::New, |p| p.guard());
    assert!(found.is_empty(), "{text}: {found:?}");
    guard.map_or("none".to_owned(), |e| show(&e))
}

/// Declarations that must be right.
pub fn declarations(text: &str) -> String {
    let (items, found) = run(text, Syntax::New, |p| p.declarations());
    assert!(found.is_empty(), "{text}: {found:?}");
    items.iter().map(show_decl).collect::<Vec<_>>().join(" ")
}

/// Code and text of each error.
pub fn errors<'t>(text: &'t str, found: &'t [Diagnostic]) -> Vec<(&'static str, &'t str)> {
    let errors = found.iter().filter(|d| d.severity == Severity::Error);
    errors.map(|d| (d.code, &text[d.span.start as usize..d.span.end as usize])).collect()
}
