//! Locations and edges. `EDGE` rows put labels on an edge of a template.

use super::Row;
use crate::check_support::Found;

/// Labels of an edge, between declarations that suit them.
pub const EDGES: &[(&str, &[Found])] = &[
    ("guard x <= 3 && n == 1 || n == 2;", &[]),
    ("guard n == 2 imply x <= 3;", &[]),
    ("guard n == 2 && (x < 1 || y > 2);", &[("guard-type", "(x < 1 || y > 2)")]),
    ("guard x != 3;", &[("guard-type", "x != 3")]),
    ("guard !(x < 3);", &[("guard-type", "!(x < 3)")]),
    ("guard x' == 0;", &[("guard-type", "x' == 0")]),
    ("guard a;", &[("guard-type", "a")]),
    ("guard x == 3 && x - y > 1 && 3 >= y;", &[]),
    ("guard forall (i : int[0,1]) z[i] > 2;", &[]),
    ("guard exists (i : int[0,1]) z[i] > 2;", &[("guard-type", "exists (i : int[0,1]) z[i] > 2")]),
    ("guard n = 2;", &[("side-effect", "n")]),
    ("sync c!;", &[]),
    ("sync n!;", &[("channel-expected", "n")]),
    ("sync d?;", &[("channel-expected", "d")]),
    ("sync d[n++]?;", &[("side-effect", "n")]),
    ("sync d[0];", &[("mixed-synchronisation", "d[0]")]),
    ("guard x >= 3; sync u!;", &[("urgent-clock-guard", "x >= 3")]),
    ("guard n > 0 && x > 3; sync u!;", &[("urgent-strict-guard", "x > 3")]),
    ("guard n > 0; sync u!;", &[]),
    ("assign x = 0, n = 1, n++, f(), 1;", &[]),
    ("assign n == 1;", &[("no-effect", "n == 1")]),
    ("assign x <= 1;", &[("invalid-update", "x <= 1")]),
    ("assign c;", &[("invalid-update", "c")]),
    ("assign x = y, a = a, s = s;", &[]),
    ("select i : int[0,3], j : i_t; guard i > j; sync d[j]!; assign n = i; probability i;", &[]),
    ("select i : int[0,3]; assign i = 1;", &[("not-assignable", "i")]),
    ("select i : bool;", &[("range-expected", "bool")]),
    ("select i : int[0,n];", &[("not-compile-time", "n")]),
    ("select n : int[0,3]; guard n > 0;", &[("shadowed", "n")]),
    ("select i : int[0,3], i : int[0,3];", &[("shadowed", "i"), ("duplicate-name", "i")]),
    ("probability a;", &[("probability-type", "a")]),
    ("probability n++;", &[("side-effect", "n")]),
    ("probability 1.5;", &[]),
];

pub fn with_edge(labels: &str) -> String {
    format!(
        "clock x, y, z[2]; int n; chan c, d[2]; urgent chan u; typedef int[0,1] i_t; \
         typedef struct {{ int a; }} s_t; s_t s; int a[3]; void f() {{ n = 1; }}\n\
         process P() {{ state A; init A; trans A -> A {{ sync c!; }}, A -> A {{ {labels} }}; }}\n\
         system P;"
    )
}

/// Invariants of a location.
pub const INVARIANTS: &[(&str, &[Found])] = &[
    ("x <= 3 && x - y < n && 5 > y && n == 1", &[]),
    ("x' == 0 && y <= 3", &[]),
    ("forall (i : int[0,1]) z[i]' == 0", &[]),
    ("n == 0 || x <= 3", &[]),
    ("x == 3", &[("invariant-type", "x == 3")]),
    ("n == 1 && (x <= 3 || y <= 2)", &[("invariant-type", "(x <= 3 || y <= 2)")]),
    ("a", &[("invariant-type", "a")]),
    ("n++ < 3", &[("side-effect", "n")]),
    ("y <= 3 && x >= 2", &[("invariant-lower-bound", "x >= 2")]),
    ("x >= 0", &[]),
    ("x' == 1 && x' == 0", &[("rate-set-twice", "x' == 0")]),
    ("x <= 3; 5", &[]),
    ("; 1 : 2", &[]),
    ("; a", &[("probability-type", "a")]),
];

pub fn with_invariant(invariant: &str) -> String {
    format!(
        "clock x, y, z[2]; int n; int a[3];\n\
         process P() {{ state A {{ {invariant} }}; init A; }}\n\
         system P;"
    )
}

pub const ROWS: &[Row] = &[
    ("process P() { state A; commit A; urgent A; init A; } system P;", &[("committed-urgent", "A")]),
    (
        "chan c; process P() { state A; branchpoint B; init A; trans A -> B { guard true; sync c!; }, B -> A { probability 1; }; } system P;",
        &[],
    ),
    (
        "process P() { state A; branchpoint B; init A; trans A -> B { }, B -> A { guard true; probability 1; }; } system P;",
        &[("branchpoint-label", "true")],
    ),
];
