//! Printing and parsing undo each other.

mod common;

use common::{assert_same, shape};
use dwell_base::Rng;
use dwell_convert::uppaal::print;
use dwell_syntax::uppaal::Fragment;
use dwell_syntax::uppaal::parse::{Context, Parser};
use dwell_syntax::uppaal::tree::{
    BinaryOp, Decl, Expr, ExprKind, Ident, Prefix, Quantifier, Syntax, Type, TypeBase, UnaryOp,
};
use dwell_syntax::{Diagnostics, Span};

fn parse<T>(text: &str, rule: impl FnOnce(Parser<'_>) -> T) -> Result<T, String> {
    let (fragment, mut context, mut diagnostics) =
        (Fragment::plain(text), Context::default(), Diagnostics::default());
    let result = rule(Parser::new(&fragment, Syntax::New, &mut context, &mut diagnostics));
    if diagnostics.has_errors() { Err(format!("{text}\n{:#?}", diagnostics.into_vec())) } else { Ok(result) }
}

fn parse_expr(text: &str) -> Result<Expr, String> {
    let mut list = parse(text, |p| p.update())?;
    if list.len() == 1 { Ok(list.remove(0)) } else { Err(format!("{} expressions", list.len())) }
}

const BINARY: [BinaryOp; 23] = [
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::Div,
    BinaryOp::Rem,
    BinaryOp::Pow,
    BinaryOp::BitAnd,
    BinaryOp::BitOr,
    BinaryOp::BitXor,
    BinaryOp::Shl,
    BinaryOp::Shr,
    BinaryOp::Min,
    BinaryOp::Max,
    BinaryOp::Lt,
    BinaryOp::Le,
    BinaryOp::Ge,
    BinaryOp::Gt,
    BinaryOp::Eq,
    BinaryOp::Ne,
    BinaryOp::And,
    BinaryOp::Or,
    BinaryOp::Xor,
    BinaryOp::Imply,
];

/// Operators that have an assignment of their own.
const ASSIGNING: [BinaryOp; 10] = [
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::Div,
    BinaryOp::Rem,
    BinaryOp::BitAnd,
    BinaryOp::BitOr,
    BinaryOp::BitXor,
    BinaryOp::Shl,
    BinaryOp::Shr,
];

fn ident(name: &str) -> Ident {
    Ident { name: name.to_owned(), span: Span::default() }
}

fn pick<T: Copy>(rng: &mut Rng, list: &[T]) -> T {
    list[rng.below(list.len() as u64) as usize]
}

/// A random expression; with `kinds` of 4 only operators, names and numbers.
fn random(rng: &mut Rng, depth: u64, kinds: u64) -> Expr {
    let leaf = depth == 0 || rng.below(6) == 0;
    let below = |rng: &mut Rng| Box::new(random(rng, depth - 1, kinds));
    let kind = if leaf {
        match rng.below(if kinds > 4 { 7 } else { 2 }) {
            0 => ExprKind::Int(rng.range(0, 20)),
            1 | 2 => ExprKind::Name(pick(rng, &["a", "b", "x", "A", "sup"]).to_owned()),
            3 => ExprKind::Int(i32::MIN),
            4 => ExprKind::Double(pick(rng, &[0.5, 1e20, 1e-9, 3.0])),
            5 => ExprKind::Bool(rng.below(2) == 0),
            _ => ExprKind::String("a\\b\"c".to_owned()),
        }
    } else {
        match rng.below(kinds) {
            0 => ExprKind::Unary(pick(rng, &[UnaryOp::Neg, UnaryOp::Plus, UnaryOp::Not]), below(rng)),
            1..=3 => ExprKind::Binary(pick(rng, &BINARY), below(rng), below(rng)),
            4 => ExprKind::Index(below(rng), below(rng)),
            5 => ExprKind::Field(below(rng), ident("f")),
            6 => ExprKind::Rate(below(rng)),
            7 => ExprKind::Call(below(rng), vec![*below(rng), *below(rng)]),
            8 => ExprKind::Builtin(ident("fmax"), vec![*below(rng), *below(rng)]),
            9 => ExprKind::Step { prefix: rng.below(2) == 0, up: rng.below(2) == 0, place: below(rng) },
            10 => ExprKind::Assign(None, below(rng), below(rng)),
            11 => ExprKind::Assign(Some(pick(rng, &ASSIGNING)), below(rng), below(rng)),
            12 => ExprKind::Conditional(below(rng), below(rng), below(rng)),
            13 => {
                let bounds = Some(Box::new((*below(rng), *below(rng))));
                let ty =
                    Type { prefix: Prefix::default(), base: TypeBase::Int(bounds), span: Span::default() };
                let quantifier = pick(rng, &[Quantifier::Forall, Quantifier::Exists, Quantifier::Sum]);
                ExprKind::Quantified(quantifier, ident("i"), Box::new(ty), below(rng))
            }
            _ => ExprKind::Location(below(rng)),
        }
    };
    Expr { kind, span: Span::default() }
}

#[test]
fn random_expressions_come_back() {
    let mut rng = Rng::new(3);
    for _ in 0..40_000 {
        let depth = rng.below(6);
        let e = random(&mut rng, depth, 15);
        let text = print::expr(&e);
        let again = parse_expr(&text).unwrap_or_else(|why| panic!("{why}\n{e:#?}"));
        assert_same(&shape(&e), &shape(&again), &text);
        assert_eq!(print::expr(&again), text);
    }
}

/// The pairs of parentheses of a text.
fn pairs(text: &str) -> Vec<(usize, usize)> {
    let mut open = Vec::new();
    let mut pairs = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            '(' => open.push(at),
            ')' => pairs.push((open.pop().unwrap(), at)),
            _ => {}
        }
    }
    pairs
}

#[test]
fn every_pair_of_parentheses_is_needed() {
    let mut rng = Rng::new(5);
    let mut seen = 0;
    for _ in 0..10_000 {
        let depth = rng.below(5);
        let e = random(&mut rng, depth, 4);
        let text = print::expr(&e);
        for (open, close) in pairs(&text) {
            let without = format!("{} {} {}", &text[..open], &text[open + 1..close], &text[close + 1..]);
            let same = parse_expr(&without).is_ok_and(|other| shape(&other) == shape(&e));
            assert!(!same, "{text} means {without}");
            seen += 1;
        }
    }
    assert!(seen > 1000);
}

#[test]
fn known_cases() {
    for (text, printed) in [
        ("not a == b", "!a == b"),
        ("not (a == b)", "!(a == b)"),
        ("a imply b imply c", "a imply b imply c"),
        ("a imply (b imply c)", "a imply (b imply c)"),
        ("(a or b) and c", "(a || b) && c"),
        ("forall(i:T) a[i] && b", "forall (i : T) a[i] && b"),
        ("(forall(i:int[0,N-1]) a[i]) && b", "(forall (i : int[0,N - 1]) a[i]) && b"),
        ("- - x", "- -x"),
        ("-(--x)", "- --x"),
        ("a - (b - c) - d", "a - (b - c) - d"),
        ("(a - b) - c", "a - b - c"),
        ("-2147483648", "-2147483648"),
        ("a := b := 007", "a = b = 7"),
        ("(c ? a : b) = 1", "(c ? a : b) = 1"),
        ("c ? a : (b = 1)", "c ? a : (b = 1)"),
        ("(a ? b : c) ? d : e", "(a ? b : c) ? d : e"),
        ("a ? b : (c ? d : e)", "a ? b : c ? d : e"),
        ("P(1).x' == 0", "P(1).x' == 0"),
        ("(-x) ** 2", "-x ** 2"),
        ("-(x ** 2)", "-(x ** 2)"),
        ("1.50e3", "1500.0"),
    ] {
        assert_eq!(print::expr(&parse_expr(text).unwrap()), printed, "{text}");
    }
}

#[test]
fn long_chains_stay_flat() {
    for symbol in ["&&", "||"] {
        let list: Vec<String> = (0..200).map(|i| format!("(a{i} imply b)")).collect();
        let text = list.join(&format!(" {symbol} "));
        let e = parse_expr(&text).unwrap();
        let printed = print::expr(&e);
        assert_eq!(printed.matches('(').count(), if symbol == "&&" { 200 } else { 199 }, "{printed}");
        let again = parse_expr(&printed).unwrap();
        assert_same(&shape(&e), &shape(&again), symbol);
    }
}

#[test]
fn declarations_come_back() {
    let text = r#"const int N = 5, M[2] = { 1, -2 };
urgent broadcast chan c[N][int[1,2]];
meta int[0,N - 1] m;
clock x, y = 3;
hybrid clock h;
typedef scalar[3] set_t, sets_t[2];
typedef struct { int a, b[2]; bool c; } rec_t;
rec_t r = { a: 1, { 2, 3 }, true };
const string s = "a \"quoted\" \\ thing";
double d = 0.5;
void f(int a, const rec_t &r, bool b[3]) {
    int i = 0, j;
    typedef int[0,3] t;
    ;
    for (i = 0, j = 1; i < 3; i++, j--)
        a += i;
    for (k : t) {
        int z;
        z = k;
    }
    while (i > 0)
        if (a > 0)
            i--;
        else
            return;
    do
        i = i + 1;
    while (i < 3);
    if (i == 1) {
        if (j == 2)
            a = 1;
    }
    else if (i == 2)
        a = 2;
    else {
        assert a == 0;
    }
}
int g() {
    return f(1, r, b), 2 > 1 ? 3 : 4;
}
chan priority c[0] < default, d < e;
before_update { a = 1, b = 2 }
after_update { a = 0 }
import "lib.so" {
    int ext(int a, bool &b);
};
dynamic D(int a);
"#;
    // `return` takes one expression.
    let text = text.replace("f(1, r, b), 2 > 1", "f(1, r, b) > 1");
    let items = parse(&text, |p| p.declarations()).unwrap();
    let printed = print::declarations(&items);
    assert_same(text.trim_end(), &printed, "the text");
    let again = parse(&printed, |p| p.declarations()).unwrap();
    assert_same(&shape(&items), &shape(&again), "the tree");
}

#[test]
fn instantiations_come_back() {
    let text = "P1 = P(1, a[2]);\nQ(const int[0,3] i, int &v) = P(i, v);";
    let items: Vec<Decl> = parse(text, |p| p.declarations()).unwrap();
    assert_eq!(print::declarations(&items), text);
}

#[test]
fn an_else_keeps_its_if() {
    let text = "void f() {\n    if (a)\n        while (b)\n            if (c)\n                ;\n            else\n                x = 1;\n}";
    let mut items = parse(text, |p| p.declarations()).unwrap();
    assert_eq!(print::declarations(&items), text);
    // The same `else` for the outer `if`, which no text without braces says.
    let Decl::Function(f) = &mut items[0] else { panic!() };
    use dwell_syntax::uppaal::tree::StmtKind::{If, While};
    let If(_, outer, outer_else) = &mut f.body.stmts[0].kind else { panic!() };
    let While(_, body) = &mut outer.kind else { panic!() };
    let If(_, _, inner_else) = &mut body.kind else { panic!() };
    *outer_else = inner_else.take();
    let printed = print::declarations(&items);
    assert!(printed.contains("if (a) {\n"), "{printed}");
    let again = parse(&printed, |p| p.declarations()).unwrap();
    assert_eq!(print::declarations(&again), printed);
}
