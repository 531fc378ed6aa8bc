//! What expressions and updates compute.

mod elaborated;

use dwell_model::expr::RuntimeErrorKind::{
    AssertionFailed, BadIndex, BadShift, DivisionByZero, NegativeClock, Overflow, ValueOutOfRange,
};
use elaborated::{model, run, value};

fn is(declarations: &str, expression: &str, expected: i32) {
    assert_eq!(value(declarations, expression), Ok(expected), "{expression}");
}

#[test]
fn not_binds_stronger_than_equality() {
    is("int a = 2, b = 0;", "not a == b", 1);
    is("int a = 2, b = 1;", "!a == b", 0);
}

#[test]
fn implications_associate_to_the_left() {
    // (0 imply 0) imply 0 is false; 0 imply (0 imply 0) would be true.
    is("bool a, b, c;", "a imply b imply c", 0);
    is("bool a, b, c;", "a or b imply c", 1);
}

#[test]
fn quantifiers_take_all_that_follows() {
    let declarations = "int a[2] = {1, 1}; bool b;";
    is(declarations, "forall (i : int[0,1]) a[i] && b", 0);
    is(declarations, "(exists (i : int[0,1]) a[i] > 1) || true", 1);
    is(declarations, "sum (i : int[0,1]) a[i] + i", 3);
}

#[test]
fn long_quantifiers_are_loops() {
    // Up to 512 copies are written out.
    let declarations = "int a[1000]; int n = 100;";
    for last in [99, 511, 512, 999] {
        is(declarations, &format!("forall (i : int[0,{last}]) a[i] == 0"), 1);
        is(declarations, &format!("exists (i : int[0,{last}]) a[i] == i && i > 0"), 0);
        is(declarations, &format!("sum (i : int[0,{last}]) i"), last * (last + 1) / 2);
    }
    is(declarations, "sum (i : int[1,20]) sum (j : int[1,40]) i * j", 210 * 820);
    is(declarations, "sum (i : int[1,40]) sum (j : int[1,i]) 1", 820);
}

/// Counting on behind the last value would wrap around.
#[test]
fn types_may_end_at_the_largest_integer() {
    let declarations = "int32_t z = INT32_MIN; int n;
        int count() { int n; for (i : int[2147483645,2147483647]) n++; return n; }";
    is(declarations, "count()", 3);
    for least in [2_147_483_600, 2_147_483_000] {
        is(declarations, &format!("exists (i : int[{least},INT32_MAX]) z == i"), 0);
        is(declarations, &format!("forall (i : int[{least},INT32_MAX]) z < i"), 1);
        is(declarations, &format!("sum (i : int[{least},INT32_MAX]) i / i"), i32::MAX - least + 1);
    }
}

#[test]
fn sums_are_made_from_left_to_right() {
    let declarations = "int32_t a[1000], b[1000];
        void set() { a[0] = -5; a[1] = INT32_MAX; a[2] = 1; b[0] = 1; b[1] = INT32_MAX; b[2] = INT32_MIN; }";
    for last in [2, 511, 512, 999] {
        let sum = |of| {
            let update = format!("set(), a[3] = sum (i : int[0,{last}]) {of}[i]");
            run(declarations, &update).map(|after| after["a[3]"])
        };
        assert_eq!(sum("a"), Ok(i32::MAX - 4));
        assert_eq!(sum("b"), Err(Overflow));
    }
}

#[test]
fn division_is_that_of_c() {
    let declarations = "int a = -7, b = 2;";
    is(declarations, "a / b", -3);
    is(declarations, "a % b", -1);
    is(declarations, "-7 / 2 + -7 % 2", -4);
    is(declarations, "7 / -b", -3);
}

#[test]
fn operators() {
    let declarations = "int a = 12, b = 10; bool t = true;";
    for (expression, expected) in [
        ("a & b", 8),
        ("a | b", 14),
        ("a ^ b", 6),
        ("a << 2", 48),
        ("a >> 2", 3),
        ("a <? b", 10),
        ("a >? b", 12),
        ("b ** 3", 1000),
        ("a xor b", 0),
        ("a xor 0", 1),
        ("abs(b - a)", 2),
        ("abs(a - b)", 2),
        ("5 == t", 0),
        ("a > b ? a : b", 12),
        ("a && b", 1),
        ("a || b", 1),
        ("+a - -b", 22),
        ("-2147483648", i32::MIN),
        ("007", 7),
        ("INT16_MAX", 32767),
    ] {
        is(declarations, expression, expected);
    }
}

#[test]
fn failing_operations_fail_when_reached() {
    let declarations = "int zero; int a[3]; int i = 3;";
    assert_eq!(value(declarations, "1 / 0"), Err(DivisionByZero));
    assert_eq!(value(declarations, "1 % zero"), Err(DivisionByZero));
    assert_eq!(value(declarations, "2147483647 + 1"), Err(Overflow));
    assert_eq!(value(declarations, "1 << -1"), Err(BadShift { count: -1 }));
    assert!(matches!(value(declarations, "a[3]"), Err(BadIndex { index: 3, .. })));
    assert!(matches!(value(declarations, "a[i]"), Err(BadIndex { index: 3, .. })));
    is(declarations, "i < 3 && a[i] == 0", 0);
    is(declarations, "i >= 3 || a[i] == 0", 1);
    is(declarations, "i < 3 imply a[i] == 0", 1);
    is(declarations, "false && 1 / 0", 0);
    is(declarations, "true ? 1 : 1 / 0", 1);
    is(declarations, "i < 3 ? a[i] : -1", -1);
}

#[test]
fn guards_fail_only_where_they_are_reached() {
    let text = |guard: &str| {
        format!(
            "int[0,9] i = 5; int a[3]; clock x;
             process P() {{ state A; init A; trans A -> A {{ guard {guard}; }}; }}
             system P;"
        )
    };
    let safe = model(&text("i < 3 && (a[i] == 0 || x < 3) && x <= a[i]"));
    assert_eq!(elaborated::failure(&safe.network), None);
    let safe = model(&text("i >= 3 || (a[i] == 0 && x < a[i])"));
    assert_eq!(elaborated::failure(&safe.network), None);
    let unsafe_one = model(&text("a[i] == 0 && i < 3"));
    assert!(matches!(elaborated::failure(&unsafe_one.network), Some(BadIndex { .. })));
}

#[test]
fn arrays_may_start_anywhere_and_nest() {
    let declarations =
        "int a[int[5,7]] = {50, 60, 70}; int m[2][3] = {{1,2,3},{4,5,6}}; int i = 1, j = 2, k = 6;";
    is(declarations, "a[5] + a[k]", 110);
    is(declarations, "m[1][2] * 10 + m[0][1]", 62);
    is(declarations, "m[i][j]", 6);
    is(declarations, "m[i][0]", 4);
    is(declarations, "m[1][j]", 6);
    assert!(matches!(value(declarations, "a[i]"), Err(BadIndex { index: 1, .. })));
    // Each index is checked, not only the place they lead to.
    assert!(matches!(value(declarations, "m[i - 1][j + 1]"), Err(BadIndex { index: 3, .. })));
    assert!(matches!(value(declarations, "m[0][j + 1]"), Err(BadIndex { index: 3, .. })));
}

#[test]
fn slots_have_readable_names() {
    let model = model(
        "struct { int x; int[0,1] y[2]; } s[2]; int a[int[5,6]]; meta int m; const int c[2] = {1, 2};
         process P(const int[1,2] n) { int v[2]; state A; init A; }
         system P;",
    );
    let names: Vec<_> = model.network.vars.iter().map(|v| v.name.as_str()).collect();
    let state = [
        "s[0].x",
        "s[1].x",
        "s[0].y[0]",
        "s[0].y[1]",
        "s[1].y[0]",
        "s[1].y[1]",
        "a[5]",
        "a[6]",
        "P(1).v[0]",
        "P(1).v[1]",
        "P(2).v[0]",
        "P(2).v[1]",
    ];
    let expected: Vec<_> = state.into_iter().chain(["m", "c[0]", "c[1]"]).collect();
    assert_eq!(names, expected);
}

#[test]
fn default_values_lie_in_the_range() {
    let model = model(
        "int[3,5] a; int[-5,-3] b; int c; bool d; scalar[3] e; int[1,2] f[2];
         process P() { state A; init A; } system P;",
    );
    let inits: Vec<_> = model.network.vars.iter().map(|v| v.init).collect();
    assert_eq!(inits, [3, -5, 0, 0, 0, 1, 1]);
    assert_eq!((model.network.vars[2].min, model.network.vars[2].max), (-32768, 32767));
}

#[test]
fn booleans_are_normalised() {
    let declarations = "bool b, c[2]; int n = 7; bool f(bool x) { return x; }";
    let after = run(declarations, "b = n, c[n - 6] = n * 2, n = f(n) + f(0)").unwrap();
    assert_eq!((after["b"], after["c[1]"], after["n"]), (1, 1, 1));
}

#[test]
fn structures_by_value_label_and_copy() {
    let declarations = "typedef struct { int a; int b[2]; bool c; } S;
        S s = { b: {2, 3}, true, a: 1 }, t, u[2]; int i = 1;";
    let after = run(declarations, "t = s, u[i] = t, t.b[i] = 9, i = u[1] == s, u[0].c = u[1] != t").unwrap();
    let all = ["s.a", "s.b[0]", "s.b[1]", "s.c", "t.b[1]", "u[1].b[1]", "u[0].c", "i"];
    assert_eq!(all.map(|name| after[name]), [1, 2, 3, 1, 9, 3, 1, 1]);
}

#[test]
fn long_arrays_are_copied_and_compared_in_loops() {
    let declarations = "int a[3][40], b[3][40]; int i = 1, r, q;";
    let update = "a[2][39] = 5, b = a, r = a == b, b[i] = a[i + 1], q = a == b";
    let after = run(declarations, update).unwrap();
    assert_eq!((after["r"], after["q"], after["b[1][39]"], after["b[2][39]"]), (1, 0, 5, 5));
}

#[test]
fn indices_are_computed_before_what_they_select_changes() {
    let declarations = "typedef struct { int x; int y; } S; S s[3] = {{2, 7}, {1, 1}, {0, 0}}; int i, a[3];";
    let after = run(declarations, "s[s[0].x] = s[0], s[s[1].x] = s[2]").unwrap();
    assert_eq!((after["s[2].x"], after["s[2].y"], after["s[1].x"], after["s[1].y"]), (2, 7, 2, 7));
    let after = run(declarations, "a[i] = (i = 2) + 1, a[i++] += 5, a[1] = i").unwrap();
    assert_eq!((after["a[0]"], after["a[2]"], after["a[1]"], after["i"]), (3, 5, 3, 3));
}

#[test]
fn side_effects_happen_in_order() {
    let declarations = "int i, j, a[4], b; int next() { b = b + 1; return b; }";
    for (update, i, j) in [
        ("i = j++ + j", 1, 1),
        ("i = j + ++j", 1, 1),
        ("i = ++j + j", 2, 1),
        ("i = j-- - --j", 2, -2),
        ("i = (j = 3) * 2", 6, 3),
        ("i = j = 4", 4, 4),
        ("i = next() * 10 + next(), j = b", 12, 2),
        ("i = (j++ > 0 && j++ > 0), i += 10", 10, 1),
        ("i = (j++ == 0 || j++ > 0)", 1, 1),
        ("i = 5, i -= 2, i *= 4, i /= 3, i %= 3, i <<= 3, i |= 1, i ^= 2, j = i", 11, 11),
        ("(i > 0 ? i : j) = 8", 0, 8),
        ("i > 0 ? i++ : j++", 0, 1),
        ("a[j++] = j, i = a[0]", 1, 1),
    ] {
        let after = run(declarations, update).unwrap();
        assert_eq!((after["i"], after["j"]), (i, j), "{update}");
    }
}

#[test]
fn ranges_are_checked_at_every_store() {
    let declarations = "int[0,5] small = 5; int n = 6;
        int[0,3] result_of(int x) { return x; }
        int local(int x) { int[0,3] y = x; return y; }
        int param(int[0,3] x) { return x; }
        int later(int x) { int[0,3] y[2]; y[1] = x; return y[1]; }
        void check(int x) { assert x < 6; }";
    for call in ["result_of", "local", "param", "later"] {
        let outcome = value(declarations, &format!("{call}(n)"));
        assert!(matches!(outcome, Err(ValueOutOfRange { value: 6, min: 0, max: 3 })), "{call}: {outcome:?}");
        is(declarations, &format!("{call}(n - 4)"), 2);
    }
    assert!(run(declarations, "small = n").is_err());
    assert!(run(declarations, "small++").is_err());
    assert_eq!(run(declarations, "check(n)"), Err(AssertionFailed));
    assert!(matches!(run("clock x; int n = -1;", "x = n"), Err(NegativeClock { .. })));
}

#[test]
fn scalars_of_one_set_compare() {
    let declarations = "typedef scalar[3] S; typedef S T; S a; T b; int n[S];
        void mark(T s) { n[s] = 1; }";
    let after = run(declarations, "mark(a), n[b] += (a == b)").unwrap();
    assert_eq!(after["n[0]"], 2);
    is(declarations, "sum (s : S) 1", 3);
}

#[test]
fn constants_fold_and_can_be_indexed() {
    let declarations = "const int N = 3; const int sq[N + 1] = {0, 1, 4, 9}; const bool Y = 7;
        int fact(int n) { int r = 1; while (n > 1) { r *= n; n--; } return r; }
        const int F = fact(5); int a[F - 117]; int i = 2;
        typedef struct { int x; int y[2]; } S; const S s[2] = {{1, {2, 3}}, {4, {5, 6}}};";
    is(declarations, "F", 120);
    is(declarations, "sq[N] + sq[i]", 13);
    is(declarations, "Y", 1);
    is(declarations, "s[1].y[i - 1] * 10 + s[i - 1].x", 64);
    is(declarations, "a[2]", 0);
}
