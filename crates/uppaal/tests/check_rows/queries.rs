//! Queries about [`MODEL`], or about a model of their own.

use super::QueryRow;

pub const MODEL: &str = "
    typedef int[0,2] id_t; typedef scalar[2] s_t;
    clock x, y; int n, a[3]; double d; hybrid clock h; chan c;
    int twice(int m) { return 2 * m; }
    int count() { n++; return n; }
    process P(const int K) { clock z; int v; const int L = K; int own(int i) { return v + i; }
        state idle { z <= 3 }, busy; init idle; }
    process T(id_t i) { int w; state A, B; init A; }
    process U(s_t s) { state A; init A; }
    process Unused() { state A; init A; }
    P1 = P(1); P2 = P(2);
    system P1, P2, T, U;";

pub const ROWS: &[QueryRow] = &[
    ("", "E<> P1.idle && P1.v == 3 && P1.z > 1 && P2.K == P2.L", &[]),
    ("", "A[] forall (i : id_t) T(i).A imply T(i).w < n", &[]),
    ("", "A[] forall (s : s_t) U(s).A", &[]),
    ("", "E<> P1.own(3) > twice(n)", &[]),
    ("", "E<> x < 3 || !(y == 2) && x - y != 1", &[]),
    ("", "P1.idle --> P1.busy", &[]),
    ("", "A[] not deadlock && n < 3", &[]),
    ("", "sup{P1.idle}: n, P1.z, x", &[]),
    // Names.
    ("", "E<> Q.idle", &[("unknown-process", "Q")]),
    ("", "E<> Unused.A", &[("unknown-process", "Unused")]),
    ("", "E<> P.idle", &[("unknown-process", "P")]),
    ("", "E<> P1.idel", &[("unknown-member", "idel")]),
    ("", "E<> busy", &[("unknown-name", "busy")]),
    ("", "E<> T.A", &[("not-a-process", "T")]),
    ("", "E<> P1(1).idle", &[("not-a-process", "P1(1)")]),
    ("", "E<> T(0).A.x", &[("not-a-structure", "T(0).A")]),
    ("", "E<> T(0, 1).A", &[("too-many-arguments", "1")]),
    ("", "E<> T().A", &[("too-few-arguments", "T()")]),
    ("", "E<> T(x).A", &[("incompatible-argument", "x")]),
    ("", "E<> P1.v(1) == 2", &[("not-a-function", "v")]),
    ("", "E<> P1.own == 2", &[("not-a-value", "own")]),
    ("", "E<> c", &[("invalid-formula", "c")]),
    // Formulas.
    ("", "E<> P1", &[("invalid-formula", "P1")]),
    ("", "E<> x", &[("invalid-formula", "x")]),
    ("", "E<> a", &[("invalid-formula", "a")]),
    ("", "E<> x' == 1", &[("invalid-formula", "x' == 1")]),
    ("", "E<> n = 1", &[("side-effect", "n")]),
    ("", "E<> count() > 1", &[("side-effect", "count()")]),
    ("", "E<> exists (n : id_t) n > 1", &[("shadowed", "n")]),
    ("", "sup: a", &[("extremum-type", "a")]),
    ("", "sup{a}: n", &[("invalid-formula", "a")]),
    // What symbolic queries cannot ask.
    ("", "E<> n > 1.5", &[("not-symbolic", "1.5")]),
    ("", "E<> d > 1", &[("not-symbolic", "d")]),
    ("", "E<> h > 1", &[("not-symbolic", "h")]),
    ("dynamic D(int x); int n;", "E<> n > 1", &[("dynamic-templates", "E<> n > 1")]),
    ("double d;", "Pr[<=10](<> d > 1)", &[]),
    // Deadlocks.
    ("", "E[] deadlock", &[("deadlock-placement", "deadlock")]),
    ("", "deadlock --> n > 1", &[("deadlock-placement", "deadlock")]),
    ("chan c; chan priority c < default;", "A[] not deadlock", &[]),
    ("process P() { state A; init A; } process Q() { state A; init A; } system P < Q;", "E<> deadlock", &[]),
    (
        "clock x; broadcast chan b; process P() { state A; init A; trans A -> A { guard x > 1; sync b?; }; } system P;",
        "E<> deadlock",
        &[],
    ),
    (
        "clock x; broadcast chan b; process P() { state A; init A; trans A -> A { guard x > 1; sync b!; }; } system P;",
        "E<> deadlock",
        &[],
    ),
];
