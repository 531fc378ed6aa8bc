//! Trees and their spans.

use dwell_syntax::tchecker::{
    AttributeKind, DeclarationKind, Expr, ExprKind, Keyword, Stmt, StmtKind, Tree, parse,
};
use dwell_syntax::{Diagnostic, Span};

fn parsed(text: &str) -> (Tree, Vec<Diagnostic>) {
    let (tree, diagnostics) = parse(text);
    (tree, diagnostics.into_vec())
}

/// Writes an expression with all its structure.
fn show(e: &Expr) -> String {
    match &e.kind {
        ExprKind::Int(value) => value.to_string(),
        ExprKind::Name(name) => name.clone(),
        ExprKind::Index(name, index) => format!("{}[{}]", name.text, show(index)),
        ExprKind::Paren(e) => format!("<{}>", show(e)),
        ExprKind::Neg(e) => format!("(- {})", show(e)),
        ExprKind::Not(e) => format!("(! {})", show(e)),
        ExprKind::Arithmetic(op, a, b) => format!("({op:?} {} {})", show(a), show(b)),
        ExprKind::Compare(first, chain) => {
            let links: Vec<String> =
                chain.iter().map(|c| format!(" {:?} {}", c.op, show(&c.right))).collect();
            format!("({}{})", show(first), links.concat())
        }
        ExprKind::And(list) => format!("(And {})", list.iter().map(show).collect::<Vec<_>>().join(" ")),
        ExprKind::IfThenElse(c, t, e) => format!("(if {} {} {})", show(c), show(t), show(e)),
    }
}

fn show_statement(s: &Stmt) -> String {
    let list = |list: &[Stmt]| list.iter().map(show_statement).collect::<Vec<_>>().join("; ");
    match &s.kind {
        StmtKind::Nop => "nop".to_owned(),
        StmtKind::Assign { target, index: None, value } => format!("{} = {}", target.text, show(value)),
        StmtKind::Assign { target, index: Some(i), value } => {
            format!("{}[{}] = {}", target.text, show(i), show(value))
        }
        StmtKind::If { condition, then, otherwise } => {
            format!("if {} {{{}}} {{{}}}", show(condition), list(then), list(otherwise))
        }
        StmtKind::While { condition, body } => format!("while {} {{{}}}", show(condition), list(body)),
        StmtKind::Local { name, init } => {
            format!("local {} = {}", name.text, init.as_ref().map_or("0".to_owned(), show))
        }
        StmtKind::LocalArray { name, size } => format!("local {}[{}]", name.text, show(size)),
    }
}

fn condition(text: &str) -> String {
    let (tree, found) = parsed(&format!("edge:p:a:b:e{{provided:{text}}}"));
    assert!(found.is_empty(), "{text}: {found:?}");
    match &tree.declarations[0].attributes[0].kind {
        AttributeKind::Provided(e) => show(e),
        other => panic!("{other:?}"),
    }
}

fn statements(text: &str) -> String {
    let (tree, found) = parsed(&format!("edge:p:a:b:e{{do:{text}}}"));
    assert!(found.is_empty(), "{text}: {found:?}");
    match &tree.declarations[0].attributes[0].kind {
        AttributeKind::Do(list) => list.iter().map(show_statement).collect::<Vec<_>>().join("; "),
        other => panic!("{other:?}"),
    }
}

#[test]
fn operators_bind_as_they_should() {
    assert_eq!(condition("a + b * c - d % e"), "(Sub (Add a (Mul b c)) (Rem d e))");
    assert_eq!(condition("a - b - c / d / e"), "(Sub (Sub a b) (Div (Div c d) e))");
    assert_eq!(condition("-a * b"), "(Mul (- a) b)");
    assert_eq!(condition("a - -b--c"), "(Sub (Sub a (- b)) (- c))");
    assert_eq!(condition("--1"), "(- (- 1))");
    assert_eq!(condition("!a == b && c"), "(And (! (a Eq b)) c)");
    assert_eq!(condition("!!a&&(b&&!c)"), "(And (! (! a)) <(And b (! c))>)");
    assert_eq!(condition("a<=b<c"), "(a Le b Lt c)");
    assert_eq!(condition("a[b[1]+2] != (if a then -1 else 2)"), "(a[(Add b[1] 2)] Ne (if a (- 1) 2))");
    assert_eq!(condition("\n a.b\t>=\r\n $c "), "(a.b Ge $c)");
    assert_eq!(condition("007 > -2147483648"), "(7 Gt -2147483648)");
}

#[test]
fn statements_of_all_kinds() {
    assert_eq!(statements("nop"), "nop");
    assert_eq!(statements(" a = 1 ; b[2] = a+1 ;"), "a = 1; b[2] = (Add a 1)");
    assert_eq!(
        statements("if a then nop; else b=1 end; if c && d then nop; end"),
        "if a {nop} {b = 1}; if (And c d) {nop} {}"
    );
    assert_eq!(statements("while a<1 do a=1; nop end"), "while (a Lt 1) {a = 1; nop}");
    assert_eq!(
        statements("local a; local b=a; local c[2*3]"),
        "local a = 0; local b = a; local c[(Mul 2 3)]"
    );
}

#[test]
fn spans_are_those_of_the_text() {
    let text = "\u{feff}edge : P:é\nedge:P:l:m:e{ provided : (i + 1) < v[2] : do:x=0;}\r\n";
    let (tree, found) = parsed(text);
    let cut = |span: Span| &text[span.start as usize..span.end as usize];
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].code, cut(found[0].span)), ("unexpected-character", "é"));
    assert_eq!(tree.broken, [Some(Keyword::Edge)]);
    let [edge] = tree.declarations.as_slice() else { panic!() };
    assert_eq!(cut(edge.span), "edge:P:l:m:e{ provided : (i + 1) < v[2] : do:x=0;}");
    let DeclarationKind::Edge { process, source, target, event } = &edge.kind else { panic!() };
    assert_eq!([process, source, target, event].map(|n| cut(n.span)), ["P", "l", "m", "e"]);
    let [provided, update] = edge.attributes.as_slice() else { panic!() };
    assert_eq!((cut(provided.key.span), cut(provided.value_span)), ("provided", "(i + 1) < v[2]"));
    let AttributeKind::Provided(e) = &provided.kind else { panic!() };
    let ExprKind::Compare(left, chain) = &e.kind else { panic!() };
    assert_eq!(cut(e.span), "(i + 1) < v[2]");
    assert_eq!((cut(left.span), cut(chain[0].op_span), cut(chain[0].right.span)), ("(i + 1)", "<", "v[2]"));
    let AttributeKind::Do(list) = &update.kind else { panic!() };
    assert_eq!((list.len(), cut(list[0].span), cut(update.value_span)), (1, "x=0", "x=0;"));
}

#[test]
fn a_declaration_after_an_unclosed_list_is_kept() {
    let (tree, found) = parsed("location:P:l{initial: : invariant: x<1\n\n  edge : P:l:l:e\nevent:a");
    assert_eq!(found.iter().map(|d| d.code).collect::<Vec<_>>(), ["unclosed-attributes"]);
    assert_eq!(tree.declarations.len(), 2);
    assert_eq!(tree.broken, [Some(Keyword::Location)]);
}
