//! Types and initial values.

use super::Row;

pub const ROWS: &[Row] = &[
    // Prefixes.
    ("urgent int a;", &[("urgent-prefix", "urgent int")]),
    ("broadcast bool a;", &[("broadcast-prefix", "broadcast bool")]),
    ("urgent broadcast chan a; typedef chan c_t[2]; urgent c_t b;", &[]),
    ("const clock x;", &[("const-prefix", "const clock"), ("const-without-value", "x")]),
    ("meta chan c;", &[("const-prefix", "meta chan")]),
    ("void f(const chan &c) { }", &[("const-prefix", "const chan")]),
    // Where types may stand.
    ("void a;", &[("variable-type", "void")]),
    ("string a;", &[("string-not-const", "string")]),
    ("const string a = \"b\";", &[]),
    ("void f(void &a) { }", &[("parameter-type", "void")]),
    ("void f(clock x) { }", &[("parameter-type", "x")]),
    (
        "process P(chan c) { state A; init A; } system P;",
        &[("parameter-type", "c"), ("free-parameter-type", "P")],
    ),
    // Ranges.
    ("int[0, true ? 3 : 2] a; clock x; int[0, x] b;", &[("range-bound", "x")]),
    ("int n; int[0, n] a;", &[("not-compile-time", "n")]),
    ("int n; int[0, n++] a;", &[("side-effect", "n")]),
    ("int n; int f() { return n; } int[0, f()] a;", &[("not-compile-time", "f()")]),
    ("int f() { return 3; } int[0, f()] a;", &[]),
    ("const int N = 3; int[N, N - 1] a;", &[("empty-range", "N, N - 1")]),
    ("scalar[true + 1] s; const double d = 1.5; typedef scalar[d] t;", &[("range-bound", "d")]),
    // Arrays.
    ("typedef int[5,7] i_t; const int N = 3; int a[N][i_t][int[0,1]];", &[]),
    ("typedef clock c_t; int a[c_t];", &[("array-size", "c_t")]),
    ("int a[bool];", &[("array-size", "bool")]),
    ("int n; int a[n];", &[("not-compile-time", "n")]),
    ("const int N = -1; int a[N];", &[("array-size", "N")]),
    ("int a[0];", &[("array-size", "0")]),
    ("int a[1.5];", &[("array-size", "1.5")]),
    ("process P(int n) { int a[n]; state A; init A; } Q = P(3); system Q;", &[("not-compile-time", "n")]),
    // Structures.
    ("typedef struct { int a[2]; clock x; scalar[2] s; double d; meta bool b; } s_t;", &[]),
    ("typedef struct { const int a; } s_t;", &[("field-prefix", "const int")]),
    ("typedef struct { chan c; } s_t;", &[("field-type", "chan")]),
    ("typedef struct { string s; } s_t;", &[("field-type", "string")]),
    // Initial values.
    ("chan c = 1;", &[("cannot-initialise", "1")]),
    ("typedef scalar[2] s_t; int a[s_t] = { 1, 2 };", &[("cannot-initialise", "{ 1, 2 }")]),
    ("const int N;", &[("const-without-value", "N")]),
    ("int a; int b = a;", &[("not-compile-time", "a")]),
    ("int a; const int b = a = 3;", &[("side-effect", "a")]),
    ("clock x = 5; double d = 1; int i = true;", &[]),
    ("int a = 1.5;", &[("incompatible-initialiser", "1.5")]),
    ("int a = { 1 };", &[("incompatible-initialiser", "{ 1 }")]),
    ("int a[2] = 3;", &[("incompatible-initialiser", "3")]),
    ("const int a[2] = { 1, 2 }; const int b[2] = a; int c[3] = a;", &[("incompatible-initialiser", "a")]),
    ("int[0,3] a = 4;", &[("out-of-range", "4")]),
    ("clock x = -1;", &[("out-of-range", "-1")]),
    ("const int N[2] = { 7, 3 }; int[0,N[1]] a[2] = { 3, N[0] };", &[("out-of-range", "N[0]")]),
    ("int a[2] = { 1, 2, 3 };", &[("too-many-elements", "3")]),
    ("int a[2] = { 1 };", &[("missing-elements", "{ 1 }")]),
    ("int a[2] = { 1, x: 2 };", &[("field-in-array", "x")]),
    ("typedef struct { int a, b; } s_t; s_t s = { 1, 2, 3 };", &[("too-many-elements", "3")]),
    ("typedef struct { int a, b; } s_t; s_t s = { 1 };", &[("missing-elements", "{ 1 }")]),
    (
        "typedef struct { int a, b; } s_t; s_t s = { a: 1, a: 2 };",
        &[("missing-elements", "{ a: 1, a: 2 }"), ("duplicate-field", "a")],
    ),
    ("typedef struct { int first, b; } s_t; s_t s = { frist: 1, b: 2 };", &[("unknown-field", "frist")]),
    ("const int a[2] = { 1, 2 }; int b = a[2];", &[("out-of-range", "2")]),
];
