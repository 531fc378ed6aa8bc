//! Mistakes: each is reported once, and the rest of the text is read.

mod uppaal_show;

use dwell_syntax::Diagnostics;
use dwell_syntax::uppaal::parse_xta;
use dwell_syntax::uppaal::tree::Syntax;
use uppaal_show::{errors, run, show_decl};

fn in_declarations(text: &str) -> Vec<(&'static str, &str)> {
    let (_, found) = run(text, Syntax::New, |p| p.declarations());
    let leaked: &'static [_] = found.leak();
    errors(text, leaked)
}

#[test]
fn five_mistakes_are_five_errors() {
    let text = "int a = ;
clock x y;
int f() {
    a = (1 + ;
    if (a > ) { a = 1; }
    return a
}
typedef int[0,] t;
chan c;
";
    assert_eq!(
        in_declarations(text),
        [
            ("unexpected-token", ";"),
            ("unexpected-token", "y"),
            ("unexpected-token", ";"),
            ("unexpected-token", ")"),
            ("missing-semicolon", ""),
            ("unexpected-token", "]"),
        ]
    );
    let (items, _) = run(text, Syntax::New, |p| p.declarations());
    let shown: Vec<String> = items.iter().map(show_decl).collect();
    assert_eq!(shown.last().unwrap(), "chan c;");
    assert_eq!(shown[0], "int a = <error>;");
    assert_eq!(shown[1], "int f() { if (<error>) { (a = 1); } return a; }");
}

#[test]
fn mistakes_in_lists_do_not_spoil_their_neighbours() {
    let (update, found) = run("x = , y = 2, z = * 3, w = 1", Syntax::New, |p| p.update());
    assert_eq!(found.len(), 2);
    let shown: Vec<String> = update.iter().map(uppaal_show::show).collect();
    assert_eq!(shown, ["<error>", "(y = 2)", "<error>", "(w = 1)"]);
    let (params, found) = run("int, int b, c d e, const int f", Syntax::New, |p| p.parameters());
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(uppaal_show::show_params(&params), "int b, c d, const int f");
    let (guard, found) = run("f(1 +, a[], 2) && (b c) || (d", Syntax::New, |p| p.guard());
    assert_eq!(found.len(), 4, "{found:?}");
    assert!(guard.is_none());
    let (select, found) = run("i : , j : int[0,1], k int", Syntax::New, |p| p.select());
    assert_eq!(found.len(), 2);
    assert_eq!(select.len(), 1);
    assert_eq!(in_declarations("struct { int a b; bool c } s = { 1, 2 3 }; int = 5, x;").len(), 4);
}

#[test]
fn a_missing_semicolon_is_reported_where_it_belongs() {
    let text = "int a = 1\nint b\n\nvoid f() { a = 2 } clock x";
    let (items, found) = run(text, Syntax::New, |p| p.declarations());
    let places: Vec<_> = found.iter().map(|d| (d.code, d.span.start, d.span.end)).collect();
    let end = text.len() as u32;
    assert_eq!(
        places,
        [
            ("missing-semicolon", 9, 9),
            ("missing-semicolon", 15, 15),
            ("missing-semicolon", 33, 33),
            ("missing-semicolon", end, end)
        ]
    );
    assert_eq!(items.len(), 4);
}

#[test]
fn messages_say_what_is_expected() {
    let (_, found) = run("int a b;", Syntax::New, |p| p.declarations());
    assert_eq!(found[0].message, "unexpected `b`, expected `,`, `=`, `[` or `;`");
    let (_, found) = run("x +", Syntax::New, |p| p.guard());
    assert_eq!(found[0].message, "unexpected end of the text, expected an expression");
    let (_, found) = run("x < for", Syntax::New, |p| p.guard());
    assert_eq!(found[0].message, "unexpected keyword `for`, expected an expression");
    let (_, found) = run("x ≤ 5", Syntax::New, |p| p.guard());
    assert_eq!(found[0].code, "unexpected-character");
    assert_eq!(found[0].help.as_deref(), Some("write `<=`"));
    let (_, found) = run("a implies b", Syntax::New, |p| p.guard());
    assert_eq!(found[0].help.as_deref(), Some("implication is written `imply`"));
}

#[test]
fn what_is_not_closed() {
    assert_eq!(in_declarations("int x; /* never\nint y;"), [("unclosed-comment", "/*")]);
    assert_eq!(in_declarations("int f() { /* never }"), [("unclosed-comment", "/*")]);
    assert_eq!(in_declarations("const string s = \"abc;\nint x = ;").len(), 2);
    assert_eq!(in_declarations("int f() { return 1;"), [("unclosed-brace", "{")]);
    assert_eq!(in_declarations("int f() { x = (1 + 2; y = a[3; }\nint z;").len(), 2);
    assert_eq!(in_declarations("struct { int x;"), [("unclosed-brace", "{")]);
    assert_eq!(in_declarations("int f() { }\n}\nint x = 1;"), [("unexpected-token", "}")]);
}

#[test]
fn habits_from_other_languages() {
    assert_eq!(
        in_declarations("void f() { for (int i = 0; i < 3; i++) x = 1; }"),
        [("declaration-in-for", "int")]
    );
    assert_eq!(in_declarations("void f() { for (;;) { x++; } }").len(), 3);
    assert_eq!(in_declarations("void f() { while (1) { break; } x = 1; }"), [("reserved-word", "break")]);
    assert_eq!(in_declarations("void f() { switch (x) { case 1: y = 1; } }"), [("reserved-word", "switch")]);
    assert_eq!(in_declarations("void f() { x = 1; int y; int z; }"), [("late-declaration", "int")]);
    assert_eq!(in_declarations("void f() { void g() { } }"), [("nested-function", "void g")]);
    assert_eq!(in_declarations("void f() { } ; int x;"), []);
    let (_, found) = run("system P(1), Q;", Syntax::New, |p| p.system());
    assert_eq!(found[0].code, "arguments-in-system");
    let (_, found) = run("P1 = P(1);", Syntax::New, |p| p.system());
    assert_eq!(found[0].code, "missing-system");
}

#[test]
fn at_most_a_hundred_errors() {
    let text = "int a = ;\n".repeat(500);
    let found = in_declarations(&text).len();
    assert_eq!(found, 101);
}

#[test]
fn mistakes_in_processes() {
    let text = "process P() {
    clock x
    state A, B { x < }, C;
    commit D;
    urgent B;
    init A;
    trans A -> B { guard x >; sync c!; assign x = 0 },
          -> { },
          B -> A { guard x > 1; guard x > 2; foo; };
}
system P;";
    let (document, found): (_, Diagnostics) = parse_xta(text);
    let found = found.into_vec();
    assert_eq!(
        errors(text, &found),
        [
            ("missing-semicolon", ""),
            ("unexpected-token", "}"),
            ("unexpected-token", ";"),
            ("missing-semicolon", ""),
            ("unexpected-token", "{"),
            ("duplicate-label", "guard"),
            ("unexpected-token", "foo"),
            ("unknown-location", "D"),
        ]
    );
    let template = &document.templates[0];
    assert_eq!((template.locations.len(), template.edges.len()), (3, 2));
    assert!(template.locations[1].urgent);
    assert_eq!(document.system.levels[0][0].name, "P");
}
