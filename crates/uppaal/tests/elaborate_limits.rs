//! Sizes, nesting, constants from outside: nothing panics, nothing explodes.

mod elaborated;

use std::sync::Arc;
use std::time::Instant;

use dwell_uppaal::elaborate::{elaborate, override_constant};
use elaborated::{document, errors, holds, model};

fn with_guard(declarations: &str, guard: &str) -> String {
    format!("{declarations} process P() {{ state A; init A; trans A -> A {{ guard {guard}; }}; }} system P;")
}

#[test]
fn deep_expressions_are_no_danger() {
    for (open, inner, close) in
        [("!(", "a[0]", ")"), ("a[", "0", "]"), ("abs(-", "a[0]", ")"), ("(a[0] ? 1 : ", "0", ")")]
    {
        for depth in [20, 120, 190, 390] {
            let guard = format!("{}{inner}{}", open.repeat(depth), close.repeat(depth));
            let text = with_guard("int a[2];", &guard);
            let (document, found) = dwell_syntax::uppaal::parse_xta(&text);
            if !found.has_errors() {
                let _ = elaborate(Arc::new(document));
            }
        }
    }
    let sum = vec!["a[0]"; 400].join(" + ");
    model(&with_guard("int a[2];", &format!("{sum} == 0")));
    let all = vec!["a[0] == 1"; 3000].join(" && ");
    model(&with_guard("int a[2];", &all));
}

#[test]
fn deep_calls_in_deep_expressions_are_errors() {
    let (open, close) = ("-(".repeat(20), ")".repeat(20));
    let mut declarations = "int x; int f0(int n) { return x; }".to_owned();
    for i in 1..150 {
        let blocks = ("{".repeat(10), "}".repeat(10));
        declarations += &format!(
            "int f{i}(int n) {{ {} return {open}f{}(n){close}; {} return 0; }}",
            blocks.0,
            i - 1,
            blocks.1
        );
    }
    assert_eq!(errors(&with_guard(&declarations, "f149(1) == 1")), ["nested-too-deep"]);
}

#[test]
fn sizes_are_bounded() {
    assert_eq!(errors(&with_guard("int a[1000][1000][1000];", "true")), ["model-too-large"]);
    assert_eq!(errors(&with_guard("int a[20000000];", "true")), ["bad-size"]);
    assert_eq!(errors(&with_guard("int a[-1];", "true")), ["bad-size"]);
    assert_eq!(errors(&with_guard("clock x[20000];", "true")), ["model-too-large"]);
    assert_eq!(errors("process P(int[0,1000000] i) { state A; init A; } system P;"), ["model-too-large"]);
    let start = Instant::now();
    let wide = "process P() { state A; init A; trans A -> A { select i : int[0,9999], j : int[0,9999]; }; }
                system P;";
    assert_eq!(errors(wide), ["model-too-large"]);
    assert!(start.elapsed().as_secs() < 20);
    assert_eq!(
        errors(&with_guard("clock x[100];", "forall (i : int[0,999]) forall (j : int[0,999]) x[0] < i + j")),
        ["model-too-large"]
    );
}

#[test]
fn constants_that_have_no_value_are_errors() {
    assert_eq!(errors(&with_guard("const int N = 1 / 0;", "true")), ["bad-constant"]);
    assert_eq!(errors(&with_guard("const int N[2] = {1, 2}; int x = N[2];", "true")), ["bad-constant"]);
    assert_eq!(
        errors(&with_guard("int f() { while (true) ; return 1; } const int N = f();", "true")),
        ["bad-constant"]
    );
    assert_eq!(errors(&with_guard("int[0,3] x = 4;", "true")), ["out-of-range"]);
    assert_eq!(errors(&with_guard("clock x = -1;", "true")), ["out-of-range"]);
    assert_eq!(
        errors("process P(const int[0,3] n) { state A; init A; } Q = P(4); system Q;"),
        ["out-of-range"]
    );
    assert!(!errors("process P() { state A; init A; } system Q;").is_empty());
}

#[test]
fn constants_from_outside() {
    let mut given = document(
        "const int N = 2, M = N + 1; const bool B = false; int x; int a[M]; const int T[1] = {1}; typedef int U;
         process P(int[1,N] i) { state A; init A; } system P;",
    );
    assert_eq!(override_constant(&mut given, "N", "5"), Ok(()));
    assert_eq!(override_constant(&mut given, "B", "true"), Ok(()));
    for (name, value) in [("x", "1"), ("y", "1"), ("T", "1"), ("N", "many"), ("N", "9999999999"), ("U", "1")]
    {
        assert!(override_constant(&mut given, name, value).is_err(), "{name}={value}");
    }
    let mut model = elaborate(Arc::new(given)).0.unwrap();
    assert_eq!(model.network.processes.len(), 5);
    assert!(model.network.vars.iter().any(|v| v.name == "a[5]"));
    assert!(holds(&mut model, "E<> B && M == 6"));
}

#[test]
fn elaborated_models_travel_between_threads() {
    fn travels<T: Send + Sync>(_: &T) {}
    travels(&model(&with_guard("", "true")));
}
