//! Names and scopes.

use super::Row;

pub const ROWS: &[Row] = &[
    // Unknown names, once per scope.
    ("int a = b + b;", &[("unknown-name", "b")]),
    ("int f() { return y + y; } int g() { return y; }", &[("unknown-name", "y"), ("unknown-name", "y")]),
    ("int a = b; int b; int c = b;", &[("unknown-name", "b"), ("not-compile-time", "b")]),
    ("id_t a;", &[("unknown-type", "id_t")]),
    ("const id_t a = 3;", &[("unknown-type", "id_t")]),
    ("void f() { g(1); }", &[("unknown-name", "g")]),
    // Twice in one scope; inner scopes hide outer ones.
    ("int a; bool a;", &[("duplicate-name", "a")]),
    ("int a; void a() { }", &[("duplicate-name", "a")]),
    ("int P;", &[("duplicate-name", "P")]),
    ("int a; void f(int a) { int a; { int a; } }", &[]),
    ("void f(int a, int a) { }", &[("duplicate-name", "a")]),
    ("typedef struct { int a; bool b, a; } s_t;", &[("duplicate-name", "a")]),
    ("const int INT8_MAX = 3;", &[("duplicate-name", "INT8_MAX")]),
    ("void f() { int INT8_MAX; }", &[]),
    ("process P(int[0,1] A) { state A; init A; } system P;", &[("duplicate-name", "A")]),
    (
        "process P() { int A; state A, B, B; init A; } system P;",
        &[("duplicate-name", "A"), ("duplicate-name", "B")],
    ),
    ("process P() { state A; init A; } Q = P(); Q = P(); system Q;", &[("duplicate-name", "Q")]),
    // Things that are something else.
    ("int a; a b;", &[("not-a-type", "a")]),
    ("typedef int[0,3] t; int a = t;", &[("not-a-value", "t")]),
    ("int f() { return 1; } int a = f;", &[("not-a-value", "f")]),
    ("process P() { state A; init A; trans A -> A { guard A; }; } system P;", &[("not-a-value", "A")]),
    (
        "process P() { state A; init A; } process Q() { state B; init B; trans B -> B { guard P; }; } system P, Q;",
        &[("not-a-value", "P")],
    ),
    ("int a; int b = a.x;", &[("not-a-structure", "a"), ("not-compile-time", "a")]),
    (
        "typedef struct { int first, second; } s_t; const s_t s = { 1, 2 }; int b = s.secnd;",
        &[("unknown-member", "secnd")],
    ),
    // The system section.
    ("process P() { state A; init A; } system Q;", &[("unknown-process", "Q")]),
    ("int x; process P() { state A; init A; } system P, x;", &[("not-a-process", "x")]),
    ("process P() { state A; init A; } Q = R(); system Q;", &[("not-a-template", "R")]),
    ("int R; process P() { state A; init A; } Q = R(); system Q;", &[("not-a-template", "R")]),
    // Locations.
    ("process P() { state A; init B; } system P;", &[("unknown-location", "B")]),
    (
        "process P() { state A; init A; trans A -> B { }, C -> A { }; } system P;",
        &[("unknown-location", "B"), ("unknown-location", "C")],
    ),
    ("process P() { state A; branchpoint B; init B; } system P;", &[("location-expected", "B")]),
    ("process P() { state A; } system P;", &[("missing-init", "P")]),
    ("process P() { state __RESET__; init __RESET__; } system P;", &[("reset-location", "__RESET__")]),
];
