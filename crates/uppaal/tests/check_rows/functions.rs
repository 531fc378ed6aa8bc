//! Functions and statements.

use super::Row;

pub const ROWS: &[Row] = &[
    // What is returned.
    ("clock f() { }", &[("return-type", "clock")]),
    ("typedef int a_t[2]; a_t f() { a_t a; return a; }", &[("return-type", "a_t")]),
    ("typedef struct { int a; } s_t; s_t f() { s_t s; return s; }", &[]),
    ("int f(bool b) { if (b) return 1; }", &[("missing-return", "f")]),
    ("int f(bool b) { if (b) { return 1; } else return 2; }", &[]),
    ("int f() { while (true) return 1; }", &[("missing-return", "f")]),
    ("int f() { do { return 1; } while (true); }", &[]),
    ("int f() { return; }", &[("return-value", "return;")]),
    ("void f() { return 1; }", &[("return-value", "1")]),
    ("void f() { } void g() { return f(); }", &[]),
    ("int f() { return 1.5; }", &[("return-value", "1.5")]),
    // Calls.
    ("int f(int n) { return n == 0 ? 1 : f(n - 1); }", &[("recursion", "f")]),
    ("int f(int a, int b) { return a + b; } int c = f(1);", &[("too-few-arguments", "f(1)")]),
    ("int f(int a) { return a; } int c = f(1, 2, 3);", &[("too-many-arguments", "2")]),
    (
        "int f(int a) { return a; } const int v[2] = { 1, 2 }; int c = f(v);",
        &[("incompatible-argument", "v")],
    ),
    ("void f(int &a) { a = 1; } void g() { f(3); }", &[("reference-argument", "3")]),
    ("const int N = 1; void f(int &a) { a = 1; } void g() { f(N); }", &[("reference-argument", "N")]),
    ("int f(const int &a) { return a; } int b = f(3);", &[]),
    ("int x; int b = x(3);", &[("not-a-function", "x")]),
    (
        "void f(int a) { } void g() { f(sqrt(2, 3)); }",
        &[("incompatible-argument", "sqrt(2, 3)"), ("too-many-arguments", "3")],
    ),
    // Variables.
    ("void f() { chan c; }", &[("local-type", "c")]),
    ("typedef scalar[2] s_t; void f() { int a[s_t]; }", &[("local-type", "a")]),
    ("int n; void f(int m) { int a = m + n; const int b = a; int c[2] = { a, b }; }", &[]),
    ("int n; void f() { int a = n++; }", &[("side-effect", "n")]),
    // Statements.
    ("int a; void f() { a == 1; }", &[("no-effect", "a == 1")]),
    ("int a; int g() { return a; } void h() { a = 1; } void f() { g(); h(); 1; }", &[("no-effect", "g()")]),
    ("int a[2]; void f() { if (a) ; }", &[("boolean-expected", "a")]),
    ("void f() { int i; for (i = 0; i < 3; i++) ; while (1, i > 0) i--; do ; while (i); }", &[]),
    ("void f() { int i; for (i == 0; i < 3; i + 1) ; }", &[("no-effect", "i == 0"), ("no-effect", "i + 1")]),
    ("void f() { for (i : int[0,3]) i = 1; }", &[("not-assignable", "i")]),
    ("void f() { for (i : bool) ; }", &[("range-expected", "bool")]),
    ("int a; void f() { assert a++ > 0; }", &[("side-effect", "a")]),
    ("clock x; void f() { x = 0; x <= 1; }", &[("invalid-update", "x <= 1")]),
    // Libraries and statistics are let pass.
    (
        "import \"libm.so\" { double f(double a); int g(int a[3]); }; double d; void h() { d = f(d); f(1); d += 0.5; d = random(3); }",
        &[],
    ),
    (
        "hybrid clock h; dynamic D(int x); before_update { h = 0 } after_update { h == 0 }",
        &[("invalid-update", "h == 0")],
    ),
];
