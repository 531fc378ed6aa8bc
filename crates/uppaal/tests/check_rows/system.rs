//! Instantiations, the system line, priorities, progress measures.

use super::Row;

pub const ROWS: &[Row] = &[
    // Arguments of templates.
    (
        "process P(int a, int b) { state A; init A; } Q = P(1); system Q;",
        &[("too-few-arguments", "Q = P(1);")],
    ),
    ("process P(int a) { state A; init A; } Q = P(1, 2, 3); system Q;", &[("too-many-arguments", "2")]),
    (
        "process P(int &a) { state A; init A; } int[0,5] n; Q = P(n); system Q;",
        &[("incompatible-argument", "n")],
    ),
    ("process P(int a) { state A; init A; } int n; Q = P(n); system Q;", &[("not-compile-time", "n")]),
    ("process P(int a) { state A; init A; } int n; Q = P(n++); system Q;", &[("side-effect", "n")]),
    (
        "process P(const int &a) { state A; init A; } int n; Q = P(n); R = P(3); system Q, R;",
        &[("not-compile-time", "n")],
    ),
    ("process P(int &a) { state A; init A; } Q = P(3); system Q;", &[("reference-argument", "3")]),
    (
        "process P(int &a) { state A; init A; } int n, m; Q = P(true ? n : m); system Q;",
        &[("reference-argument", "true ? n : m")],
    ),
    (
        "process P(int &a) { state A; init A; } int n[3], i; Q = P(n[1]); R = P(n[i]); system Q, R;",
        &[("not-compile-time", "i")],
    ),
    (
        "process P(clock &x) { state A; init A; } clock y; int n; Q = P(y); R = P(n); system Q, R;",
        &[("incompatible-argument", "n")],
    ),
    (
        "process P(chan &c) { state A; init A; } chan c; urgent chan u; broadcast chan b; Q = P(c); R = P(u); S = P(b); system Q, R, S;",
        &[("incompatible-argument", "u"), ("incompatible-argument", "b")],
    ),
    (
        "process P(urgent chan &c, broadcast chan &b) { state A; init A; } chan c; broadcast chan b; Q = P(c, b); system Q;",
        &[],
    ),
    (
        "process P(const int N, int[0,N] &a, int b[N]) { state A; init A; } int[0,3] n; const int v[3] = { 1, 2, 3 }; Q = P(3, n, v); system Q;",
        &[],
    ),
    // Partial instantiation.
    (
        "process P(int[0,3] a, int b) { state A; init A; } Q(int[0,3] i) = P(i, i + 1); R(int[0,1] i) = Q(i); system Q, R;",
        &[],
    ),
    // Free parameters.
    ("process P(int[0,3] a, scalar[2] s) { state A; init A; } system P;", &[]),
    ("process P(int a) { state A; init A; } system P;", &[("free-parameter-type", "P")]),
    ("process P(bool a) { state A; init A; } system P;", &[("free-parameter-type", "P")]),
    ("process P(int[0,3] &a) { state A; init A; } system P;", &[("free-parameter-type", "P")]),
    ("process P(const int[1,3] n) { int a[n]; state A; init A; } system P;", &[("free-parameter-size", "P")]),
    (
        "process P(const int[1,3] n) { const int m = n + 1; int f() { int a[m]; return a[0]; } state A; init A; } system P;",
        &[("free-parameter-size", "P")],
    ),
    (
        "process P(const int[1,3] n) { state A; init A; trans A -> A { select i : int[0,n]; }; } Q(const int[1,2] k) = P(k); R = P(2); system R, Q;",
        &[("free-parameter-size", "Q")],
    ),
    ("process P(const int[1,3] n) { int[0,n] a; state A; init A; } system P;", &[]),
    // The line itself.
    ("process P() { state A; init A; } process Q(int[0,1] i) { state B; init B; } system P < Q;", &[]),
    ("process P() { state A; init A; } system P, P;", &[("process-twice", "P")]),
    // Channel priorities.
    ("chan a, b[2], c; chan priority a < default < b[0], c;", &[]),
    ("int a; chan priority a < default;", &[("channel-expected", "a")]),
    ("chan a[2]; int i; chan priority a[i] < default;", &[("not-compile-time", "i")]),
    ("chan a, b; chan priority a < default; chan priority b;", &[("priority-twice", "chan priority b;")]),
    // Progress measures.
    ("int n; process P() { int m; state A; init A; } system P; progress { P.A : P.m; n; }", &[]),
    ("clock x; process P() { state A; init A; } system P; progress { x; }", &[("integer-expected", "x")]),
];
