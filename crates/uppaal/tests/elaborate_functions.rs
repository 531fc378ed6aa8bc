//! Functions: parameters, results, loops, how many there are.

mod elaborated;

use elaborated::{errors, model, run, value};

fn is(declarations: &str, expression: &str, expected: i32) {
    assert_eq!(value(declarations, expression), Ok(expected), "{expression}");
}

#[test]
fn statements() {
    let declarations = "
        int loops(int n) {
            int i, s = 0;
            for (i = 0; i < n; i++) s += i;
            while (s > 100) { s -= 100; }
            do { s++; } while (s % 7 != 0);
            for (k : int[1,3]) s = s * 2 + k;
            return s;
        }
        int early(int n) {
            if (n == 0) return 1; else if (n == 1) { return 2; }
            for (k : int[0,9]) { if (k * k >= n) return 100 + k; }
            return 3;
        }
        int shadow(int x) { int y = x; { int x = 5; y += x; } return x * 100 + y; }
        int comma(int n) { int i = 0; while (i++, n -= 2, n > 0) ; return i; }
        int again(int n) { int a[20]; a[n] = a[n] + 1; return a[0] + a[n]; }";
    // 0+..+19 = 190 -> 90 -> 91 -> ((91*2+1)*2+2)*2+3 = 739
    is(declarations, "loops(20)", 739);
    is(declarations, "early(0) + early(1)", 3);
    is(declarations, "early(30)", 106);
    is(declarations, "early(1000)", 3);
    is(declarations, "shadow(2)", 207);
    is(declarations, "comma(5)", 3);
    is(declarations, "again(3) + again(4) + again(0)", 4);
}

#[test]
fn values_are_copied_and_references_are_not() {
    let declarations = "typedef int[0,9] D; D a[3] = {1, 2, 3}; D m[2][3]; D x = 4; int i = 1;
        typedef struct { D p; D q[2]; } S; S s = {1, {2, 3}}, t[2];
        void by_value(D v[3], S w) { v[0] = 9; w.p = 9; w.q[1] = 9; }
        void by_reference(D &v[3], S &w, D &y) { v[i] = 8; w.q[i] = 8; y++; }
        int total(const D &v[3]) { return v[0] + v[1] + v[2]; }
        void twice(D &v[3]) { by_reference(v, s, v[0]); by_reference(v, s, v[0]); }";
    let after = run(declarations, "by_value(a, s)").unwrap();
    assert_eq!((after["a[0]"], after["s.p"], after["s.q[1]"]), (1, 1, 3));
    let after = run(declarations, "by_reference(a, s, x)").unwrap();
    assert_eq!((after["a[1]"], after["s.q[1]"], after["x"]), (8, 8, 5));
    let after = run(declarations, "by_reference(m[i], t[i], m[0][i])").unwrap();
    assert_eq!((after["m[1][1]"], after["t[1].q[1]"], after["m[0][1]"], after["s.q[1]"]), (8, 8, 1, 3));
    let after = run(declarations, "twice(m[i]), x = total(a)").unwrap();
    assert_eq!((after["m[1][0]"], after["m[1][1]"], after["x"]), (2, 8, 6));
}

#[test]
fn locals_can_be_passed_by_reference() {
    let declarations = "
        void add(int &to, int n) { to += n; }
        void fill(int &a[4], int n) { for (i : int[0,3]) add(a[i], n * i); }
        int outer(int n) { int a[4]; int r; fill(a, n); fill(a, 1); add(r, a[3]); add(r, a[2]); return r; }";
    // a = 1 + n times 0..3
    is(declarations, "outer(9) + outer(1)", 30 + 20 + 6 + 4);
}

#[test]
fn arguments_are_evaluated_from_left_to_right() {
    let declarations = "int n = 1, v, w, a[4];
        void by_both(int x, int &y) { v = x; w = y; }
        void thrice(int x, int &y, int z) { v = x * 10 + z; w = y; }";
    for (update, v, w) in [
        ("by_both(n, ++n)", 1, 2),
        ("by_both(n + 1, n = 7)", 2, 7),
        ("thrice(n, n += 2, n)", 13, 3),
        ("a[1] = 5, a[2] = 6, by_both(n, a[++n])", 1, 6),
        ("a[1] = 5, a[2] = 6, thrice(n, a[n++], n)", 12, 5),
    ] {
        let after = run(declarations, update).unwrap();
        assert_eq!((after["v"], after["w"]), (v, w), "{update}");
    }
}

#[test]
fn structures_are_returned() {
    let declarations = "typedef struct { int a; int b[2]; } S; S s, t; int i = 1;
        S make(int n) { S r; r.a = n; r.b[0] = n + 1; r.b[1] = n + 2; return r; }
        S pick(bool c) { return c ? make(10) : make(20); }
        int get(const S w) { return w.a * 100 + w.b[1]; }
        int both(S v, S w) { return v.a * 100 + w.a; }";
    let after = run(declarations, "s = make(3), t = pick(s.a == 3), i = make(7).b[i]").unwrap();
    assert_eq!((after["s.b[1]"], after["t.a"], after["i"]), (5, 10, 9));
    is(declarations, "get(make(2))", 204);
    is(declarations, "both(make(1), make(2))", 102);
    is(declarations, "make(1) == make(2)", 0);
    is(declarations, "make(1) != make(1)", 0);
    is(declarations, "make(make(5).a).b[0]", 6);
    is(declarations, "(s = make(4)).b[1]", 6);
}

#[test]
fn nested_calls_of_one_function() {
    let declarations = "int max(int a, int b) { return a > b ? a : b; } int x = 3, y = 9, z = 4, w = 7;";
    is(declarations, "max(max(x, y), max(z, w))", 9);
    is(declarations, "max(max(x, z), max(max(w, x), z))", 7);
}

#[test]
fn a_function_sees_what_stands_before_it() {
    let text = "int x = 1;
        process P() { int f() { return x; } int x = 2; int r; state A, B; init A;
            trans A -> B { assign r = f() * 10 + x; }; }
        system P;";
    elaborated::all_hold(text, &["E<> P.r == 12", "A[] P.B imply P.r == 12"]);
}

#[test]
fn functions_are_made_once_for_each_process() {
    let model = model(
        "int g; void global(int n) { g = n; }
         process P(const int[0,2] id) { int x; void own(int n) { x = n; global(n); } state A; init A;
            trans A -> A { assign own(1); }, A -> A { assign own(id); }, A -> A { assign global(2); }; }
         system P;",
    );
    let names: Vec<_> = model.network.functions.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(names, ["global", "P(0).own", "P(1).own", "P(2).own"]);
    assert!(model.network.functions.iter().all(|f| f.writes));
}

#[test]
fn many_references_share_a_function() {
    let calls: Vec<_> = (0..100).map(|i| format!("inc(a[{i}])")).collect();
    let declarations = "int a[100]; void inc(int &x) { x++; }";
    let after = run(declarations, &calls.join(", ")).unwrap();
    assert!((0..100).all(|i| after[&format!("a[{i}]")] == 1));
    let text = format!(
        "{declarations} process P() {{ state A; init A; trans A -> A {{ assign {}; }}; }} system P;",
        calls.join(", ")
    );
    assert!(model(&text).network.functions.len() < 40);
}

#[test]
fn constant_tables_in_functions() {
    let declarations = "int n = 2;
        int table(int i) { const int t[4] = {3, 1, 4, 1}; const int k = 10; return t[i] * k; }";
    is(declarations, "table(n) + table(0)", 70);
    // A constant call of a function without state is a constant.
    let model = model(&format!(
        "{declarations} process P() {{ clock x; state A {{ x <= table(2) }}; init A; }} system P;"
    ));
    let bound = &model.network.processes[0].locations[0].invariant.clocks[0].bound;
    assert_eq!(*bound, dwell_model::expr::Expr::Const(40));
}

#[test]
fn clocks_and_functions() {
    let text = "clock x, y[3]; int[0,9] n = 4;
        void reset(clock &c, int to) { c = to; }
        void all() { for (i : int[0,2]) y[i] = i; x = n; }
        process P() { state A, B, C; init A;
            trans A -> B { assign all(); }, B -> C { assign reset(y[n - 4], 7), reset(x, 1); }; }
        system P;";
    elaborated::all_hold(
        text,
        &[
            "A[] P.B imply x >= 4 && y[2] >= 2",
            "E<> P.B && x == 4",
            "A[] P.C imply y[0] >= 7",
            "E<> P.C && y[0] == 7 && x == 1",
        ],
    );
}

#[test]
fn recursion_and_deep_calls_are_errors() {
    let text = |declarations: &str| {
        format!(
            "{declarations} process P() {{ state A; init A; trans A -> A {{ guard f(1) == 1; }}; }} system P;"
        )
    };
    // A function does not see itself, so the checker reports it first.
    assert!(!errors(&text("int f(int n) { return f(n); }")).is_empty());
    let mut chain = "int f0(int n) { return n; }".to_owned();
    for i in 1..250 {
        chain += &format!("int f{i}(int n) {{ return f{}(n); }}", i - 1);
    }
    let deep = text(&format!("{chain} int f(int n) {{ return f249(n); }}"));
    assert!(errors(&deep).contains(&"calls-too-deep"));
}
