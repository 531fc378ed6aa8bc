//! Warnings on request.

use super::Row;

pub const ROWS: &[Row] = &[
    (
        "int a; const int N = 1; typedef int[0,1] t; void f() { }",
        &[("unused", "a"), ("unused", "N"), ("unused", "t"), ("unused", "f")],
    ),
    ("void f(int a) { } before_update { f(1) }", &[("unused", "a")]),
    ("int a, b; before_update { a = b }", &[("never-read", "a"), ("never-written", "b")]),
    ("void __ON_BEGIN__() { int a; a = 1; }", &[("never-read", "a")]),
    ("clock x; process P() { state A { x <= 3 }; init A; } system P;", &[]),
    ("int n; process P() { state A; init A; } system P; query { E<> n == 0 }", &[("never-written", "n")]),
    (
        "process P() { state A; init A; } process Q() { state A; init A; } R = P(); S = P(); system R;",
        &[("never-instantiated", "Q"), ("never-instantiated", "S")],
    ),
    ("process P(int[0,2] i) { state A; init A; } system P;", &[]),
    (
        "process P() { state A, B, C; init A; trans B -> C { }, A -> B { guard false; }; } system P;",
        &[("unreachable-location", "B"), ("unreachable-location", "C")],
    ),
    (
        "chan a, b, c, d[2]; \
      process P(chan &p, chan &q) { state A; init A; trans A -> A { sync p!; }, A -> A { sync q?; }, A -> A { sync d[0]!; }; } \
      process Q() { state A; init A; trans A -> A { sync c?; }; } \
      R(chan &k) = P(a, k); S = R(b); T = P(c, a); system S, T, Q;",
        &[("unmatched-channel", "b"), ("unmatched-channel", "d")],
    ),
    ("process P() { state A; init A; trans A -> A { }; } system P;", &[("zeno-cycle", "A")]),
    (
        "clock x; process P() { state A; init A; trans A -> A { guard x >= 1; assign x = 0; }; } system P;",
        &[],
    ),
    (
        "clock x; process P() { state A; init A; trans A -> A { guard x >= 0; assign x = 0; }; } system P;",
        &[("zeno-cycle", "A")],
    ),
    (
        "clock x; void f() { x = 0; } process P() { state A, B; init A; trans A -> B { guard x > 1; }, B -> A { assign f(); }, B -> B { }; } system P;",
        &[("zeno-cycle", "B")],
    ),
    (
        "clock x; process P() { state A { x < 3 }, B { x < 0 }, C { false }; init A; trans A -> B { }, A -> C { }; } system P;",
        &[
            ("strict-invariant", "x < 3"),
            ("impossible-invariant", "x < 0"),
            ("impossible-invariant", "false"),
        ],
    ),
];
