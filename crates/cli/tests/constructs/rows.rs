//! One small model for each construct.

/// Where a row's text goes in the model that all of them share.
pub enum Place {
    /// Before the process.
    Declaration(&'static str),
    /// Before the process, and labels of the edge.
    Used(&'static str, &'static str),
    /// Labels of the edge from `A` to `B`.
    Edge(&'static str),
    /// The invariant of `A`.
    Invariant(&'static str),
    /// Everything.
    Model(&'static str),
    /// The query; elsewhere it is `E<> P.B`.
    Query(&'static str),
}

use Place::{Declaration, Edge, Invariant, Model, Query, Used};

/// A construct and a use of it.
pub type Row = (&'static str, Place);

/// By section.
pub const ROWS: [(&str, &[Row]); 7] = [
    (
        "Types",
        &[
            ("bounded integer", Declaration("int[0,7] i = 3;")),
            ("boolean", Declaration("bool b = true;")),
            ("array of clocks", Declaration("clock c[3];")),
            ("scalar set", Declaration("typedef scalar[3] S; S s;")),
            ("structure", Used("struct { int a; bool b; } s = { 1, true };", "guard s.b; assign s.a = 2;")),
            ("meta variable", Declaration("meta int m;")),
            ("array indexed by a range", Declaration("int a[int[5,7]];")),
            ("floating-point variable", Used("double d = 1.5;", "assign d = 2.5;")),
            ("floating-point variable in a guard", Used("double d = 1.5;", "guard d > 1.0;")),
            ("hybrid clock", Used("hybrid clock h;", "assign h = 0;")),
            ("constant string", Declaration("const string s = \"text\";")),
        ],
    ),
    (
        "Declarations and functions",
        &[
            ("function", Used("int f(int k) { return k + 1; }", "guard f(2) == 3;")),
            ("reference parameter", Used("void f(int &k) { k = 2; } int i;", "assign f(i);")),
            (
                "loop over a range",
                Used("int f() { int s = 0; for (i : int[0,3]) { s += i; } return s; }", "guard f() == 6;"),
            ),
            ("recursion", Declaration("int f(int n) { return n == 0 ? 0 : f(n - 1); }")),
            ("clock with an initial value", Declaration("clock c = 3;")),
            (
                "updates around every transition",
                Declaration("before_update { n = 1 } after_update { n = 2 }"),
            ),
            ("channel priorities", Declaration("chan c, d; chan priority c < default < d;")),
            ("library function", Used("import \"lib.so\" { int f(int k); };", "guard f(1) == 2;")),
            ("dynamic template", Declaration("dynamic T(int n);")),
        ],
    ),
    (
        "Edges",
        &[
            ("clock guard", Edge("guard x > 1 && x <= 3;")),
            ("difference of clocks", Edge("guard x - y < 3;")),
            ("guard with a choice", Edge("guard n == 0 || x < 5;")),
            ("alternatives over clocks", Edge("guard x < 5 || y < 5;")),
            ("sum of clocks", Edge("guard x + y < 3;")),
            ("quantifier", Edge("guard forall (i : int[0,3]) i >= n;")),
            ("select", Edge("select i : int[0,3]; guard i == 2; assign n = i;")),
            ("clock set to a number", Edge("assign x = 3;")),
            ("clock set to a clock", Edge("assign x = y;")),
            ("assignment outside a range", Edge("assign n = 9;")),
            ("division by zero", Edge("assign n = 1 / n;")),
            ("clock rate in a guard", Edge("guard x' == 0;")),
        ],
    ),
    (
        "Locations",
        &[
            ("invariant", Invariant("x <= 5")),
            ("strict invariant", Invariant("x < 5")),
            ("lower bound", Invariant("x >= 0")),
            ("stopwatch", Invariant("x' == 0")),
            ("other rate", Invariant("x' == 2")),
            ("urgent", Model("process P() { state A, B; urgent A; init A; trans A -> B { }; } system P;")),
            ("committed", Model("process P() { state A, B; commit A; init A; trans A -> B { }; } system P;")),
            (
                "branch point",
                Model(
                    "process P() { state A, B; branchpoint C; init A; trans A -> C { }, C -> B { probability 1; }; } system P;",
                ),
            ),
        ],
    ),
    (
        "Synchronisation",
        &[
            (
                "binary channel",
                Model(
                    "chan c; process P() { state A, B; init A; trans A -> B { sync c!; }; } process Q() { state A; init A; trans A -> A { sync c?; }; } system P, Q;",
                ),
            ),
            (
                "broadcast",
                Model(
                    "broadcast chan c; process P() { state A, B; init A; trans A -> B { sync c!; }; } system P;",
                ),
            ),
            (
                "clock guard of a broadcast receiver",
                Model(
                    "broadcast chan c; process P() { state A, B; init A; trans A -> B { sync c!; }; } process Q() { clock x; state A, B; init A; trans A -> B { guard x < 3; sync c?; }; } system P, Q;",
                ),
            ),
            (
                "urgent channel, x >= c",
                Model(
                    "urgent broadcast chan c; process P() { clock x; state A, B; init A; trans A -> B { guard x >= 3; sync c!; }; } system P;",
                ),
            ),
            (
                "urgent channel, x > c",
                Model(
                    "urgent broadcast chan c; process P() { clock x; state A, B; init A; trans A -> B { guard x > 3; sync c!; }; } system P;",
                ),
            ),
            (
                "channel without `!` and `?`",
                Model("chan c; process P() { state A, B; init A; trans A -> B { sync c; }; } system P;"),
            ),
        ],
    ),
    (
        "System section",
        &[
            (
                "free parameters",
                Model(
                    "process P(const int[0,2] i) { state A, B; init A; trans A -> B { guard i == 1; }; } system P;",
                ),
            ),
            (
                "instantiation",
                Model(
                    "process T(int[0,2] i) { state A, B; init A; trans A -> B { guard i == 1; }; } P = T(1); system P;",
                ),
            ),
            (
                "process priorities",
                Model(
                    "process P() { state A, B; init A; trans A -> B { }; } process Q() { state A; init A; } system Q < P;",
                ),
            ),
            (
                "progress measure",
                Model(
                    "int n; process P() { state A, B; init A; trans A -> B { }; } system P; progress { n; }",
                ),
            ),
            (
                "gantt chart",
                Model(
                    "int n; process P() { state A, B; init A; trans A -> B { }; } system P; gantt { G: n > 0 -> 1; }",
                ),
            ),
        ],
    ),
    (
        "Queries",
        &[
            ("reachable", Query("E<> P.B && x > 3")),
            ("always", Query("A[] not deadlock")),
            ("potentially always", Query("E[] P.A")),
            ("eventually", Query("A<> P.B")),
            ("leads to", Query("P.A --> P.B")),
            ("largest value", Query("sup{P.A}: n")),
            ("all values", Query("bounds: n")),
            ("difference of clocks as a value", Query("sup: x - y")),
            ("until", Query("A[P.A U P.B]")),
            ("game", Query("control: A<> P.B")),
            ("strategy", Query("strategy s = control: A<> P.B")),
            ("probability", Query("Pr[<=10](<> P.B)")),
            ("simulation", Query("simulate[<=10]{n}")),
            ("expected value", Query("E[<=10;100](max: n)")),
            ("learning", Query("strategy s = minE(n)[<=10]: <> P.B")),
        ],
    ),
];

impl Place {
    /// The text of the row.
    pub fn text(&self) -> String {
        match self {
            Used(declaration, edge) => format!("{declaration} … {edge}"),
            Declaration(text) | Edge(text) | Invariant(text) | Model(text) | Query(text) => {
                (*text).to_owned()
            }
        }
    }

    /// The model, and what is asked of it.
    pub fn model(&self) -> (String, &'static str) {
        let (mut declaration, mut edge, mut invariant, mut query) = ("", "", String::new(), "E<> P.B");
        match self {
            Declaration(text) => declaration = text,
            Used(before, labels) => (declaration, edge) = (before, labels),
            Edge(text) => edge = text,
            Invariant(text) => invariant = format!(" {{ {text} }}"),
            Query(text) => query = text,
            Model(text) => {
                let query = if text.contains("process P(const") { "E<> P(1).B" } else { query };
                return ((*text).to_owned(), query);
            }
        }
        let model = format!(
            "clock x, y; int[0,3] n;\n{declaration}\nprocess P() {{ state A{invariant}, B; init A; trans A -> B {{ {edge} }}; }}\nsystem P;\n"
        );
        (model, query)
    }
}
