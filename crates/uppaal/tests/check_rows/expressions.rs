//! Expressions.

use super::Row;

pub const ROWS: &[Row] = &[
    ("int a[2]; bool b() { return a && true; }", &[("boolean-expected", "a")]),
    ("double d; int b() { return 3 % d; }", &[("integer-expected", "d")]),
    ("int a; void f() { a += 1.5; }", &[("integer-expected", "1.5")]),
    ("int a[2]; int b() { return a + 1; }", &[("number-expected", "a")]),
    (
        "typedef scalar[3] s_t; s_t s; bool b() { return s < s; }",
        &[("number-expected", "s"), ("number-expected", "s")],
    ),
    (
        "void f() { } bool b() { return f() == f(); }",
        &[("number-expected", "f()"), ("number-expected", "f()")],
    ),
    ("int a; int b() { return a[1]; }", &[("array-expected", "a")]),
    ("int a[3]; double d; int b() { return a[d]; }", &[("index-type", "d")]),
    ("typedef scalar[3] s_t; int a[s_t]; int b() { return a[1]; }", &[("index-type", "1")]),
    ("int a[3]; bool b() { return forall (i : int[0,2]) a[i] > 0; }", &[]),
    ("bool b() { return exists (i : clock) true; }", &[("range-expected", "clock")]),
    ("int n; bool b() { return forall (i : int[0,2]) n++ > i; }", &[("side-effect", "n")]),
    ("int a[2]; int b() { return sum (i : int[0,2]) a; }", &[("sum-type", "a")]),
    ("int a; void f() { a = forall (a : int[0,1]) a == 0; }", &[("shadowed", "a")]),
    (
        "typedef struct { int a; } s_t; s_t s; bool b() { return s == 1; }",
        &[("incompatible-types", "s == 1")],
    ),
    ("clock x, y, z; bool b() { return x - y < z - x; }", &[("incompatible-types", "x - y < z - x")]),
    ("int a[2]; int b[3]; void f() { a = b; }", &[("incompatible-types", "a = b")]),
    ("const int N = 1; void f() { N = 2; }", &[("not-assignable", "N")]),
    ("const int N[2] = { 1, 2 }; void f() { N[0]++; }", &[("not-assignable", "N[0]")]),
    ("int a; void f() { a + 1 = 2; }", &[("not-assignable", "a + 1")]),
    ("chan c, d; void f() { c = d; }", &[("not-assignable", "c")]),
    (
        "int a; void f(const int &b) { (a = 1) = 2; ++a = 3; (true ? a : a) = 4; b = 5; }",
        &[("not-assignable", "b")],
    ),
    ("bool a; void f() { a++; }", &[("increment-type", "a")]),
    ("clock x; void f() { x += 1; }", &[("increment-type", "x")]),
    ("clock x; void f() { x *= 2; }", &[("plain-assignment", "x")]),
    ("int a[2]; void f() { a[0] = true ? a : 1; }", &[("incompatible-branches", "true ? a : 1")]),
    ("int a; void f() { a = abs(-3) <? 2 >? a << 1; a = fabs(1.5) > 1; }", &[]),
    ("int a; void f() { a = abs(1.5); }", &[("integer-expected", "1.5")]),
    ("clock x; int a; void f() { x = a; x = x + 1; a = x; }", &[("incompatible-types", "a = x")]),
    ("int a; bool b() { return (a)' == 0; }", &[("clock-expected", "(a)")]),
    ("int8_t a = INT8_MAX; const double d = M_PI;", &[]),
    // Names that are keywords elsewhere.
    ("int A, U, W, sup, inf, bounds; void f() { A = U + W; sup = inf + bounds; }", &[]),
];
