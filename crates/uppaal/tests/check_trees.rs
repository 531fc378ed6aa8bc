//! Trees that no text has or few texts have: nothing panics, nothing takes
//! forever, no stack runs out.

mod check_support;

use check_support::{check_model, check_query, parse, slices, whole};
use dwell_syntax::uppaal::parse_xta;
use dwell_syntax::uppaal::tree::Decl;
use dwell_uppaal::check::{Checker, lint};
use std::fmt::Write;

#[test]
fn only_clocks_are_hybrid() {
    let text = whole("int a;");
    let mut document = parse(&text);
    let Decl::Variables(variables) = &mut document.declarations.items[0] else { panic!("variables") };
    variables.ty.prefix.hybrid = true;
    let (_, findings) = Checker::new(&document);
    assert_eq!(slices(&text, &findings), [("hybrid-prefix", "int")]);
}

#[test]
fn an_empty_document() {
    let (document, _) = parse_xta("");
    let (_, findings) = Checker::new(&document);
    assert_eq!(slices("", &findings), []);
    assert_eq!(slices("", &lint(&document)), []);
}

#[test]
fn types_are_nested_to_a_depth() {
    let mut model = "typedef int t0;".to_owned();
    for i in 0..100_000 {
        let _ = write!(model, " typedef t{i} t{}[1];", i + 1);
    }
    let text = whole(&model);
    let document = parse(&text);
    let (_, findings) = Checker::new(&document);
    assert_eq!(slices(&text, &findings)[..1], [("type-too-deep", "1")]);
}

#[test]
fn types_that_hold_each_other_often_are_compared_in_time() {
    // Two towers of structures, each floor twice in the next.
    let mut model = "typedef int a0; typedef int b0;".to_owned();
    for i in 0..60 {
        for tower in ["a", "b"] {
            let _ = write!(model, " typedef struct {{ {tower}{i} x, y; }} {tower}{};", i + 1);
        }
    }
    model.push_str(" a60 a; b60 b; chan c; void f() { a = b; c = a; }");
    check_model(&model, &[("not-assignable", "c")]);
}

#[test]
fn high_expressions() {
    let high = |open: &str, middle: &str, close: &str, times: usize| {
        format!("{}{middle}{}", open.repeat(times), close.repeat(times))
    };
    // As high as the parser lets trees grow, and higher.
    for times in [100, 200, 400, 900, 5000] {
        let expressions = [
            high("(", "n", ")", times),
            high("-", "n", "", times),
            high("n + ", "n", "", times),
            high("a[", "n", "]", times),
            high("f(", "n", ")", times),
            high("n ? n : ", "n", "", times),
            high("sum (i : int[0,1]) ", "n", "", times),
            high("n = ", "n", "", times),
            high("", "n", "[0]", times),
            high("", "n", ".x", times),
        ];
        for expression in expressions {
            let text =
                whole(&format!("int n, a[3]; int f(int m) {{ return m; }} void g() {{ n = {expression}; }}"));
            let (document, _) = parse_xta(&text);
            let _ = Checker::new(&document);
            let _ = lint(&document);
        }
        let statements = [
            high("{", "", "}", times),
            high("if (n) ", ";", "", times),
            high("for (i : int[0,1]) ", ";", "", times),
        ];
        for statement in statements {
            let text = whole(&format!("int n; void g() {{ {statement} }}"));
            let (document, _) = parse_xta(&text);
            let _ = Checker::new(&document);
        }
    }
}

#[test]
fn many_names() {
    let mut model = String::new();
    for i in 0..20_000 {
        let _ = write!(
            model,
            "const int c{i} = {}; ",
            if i == 0 { "1".to_owned() } else { format!("c{}", i - 1) }
        );
    }
    let started = std::time::Instant::now();
    check_model(&format!("{model} int[1,1] x = c19999;"), &[]);
    check_query(&model, "E<> c20000 == 1", &[("unknown-name", "c20000")]);
    assert!(started.elapsed().as_secs() < 20);
}
