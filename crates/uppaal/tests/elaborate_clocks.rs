//! Guards and invariants with clocks, rates, and what floating point leaves.

mod elaborated;

use dwell_model::expr::{ClockRef, Expr, Guard, Relation};
use elaborated::{all_hold, model, unchecked, unsupported};

const DECLARATIONS: &str = "clock x, y, z[3]; int n = 3, i; bool b; int a[3];";

/// Also of guards that the type checker would refuse, as queries have them.
fn guard(guard: &str) -> Guard {
    let model = unchecked(&format!(
        "{DECLARATIONS} process P() {{ state A; init A; trans A -> A {{ guard {guard}; }}; }} system P;"
    ));
    assert!(model.network.unsupported.is_empty(), "{guard}: {:?}", model.network.unsupported);
    model.network.processes[0].edges[0].guard.clone()
}

/// Clock constraints as text: `x-y<=3`.
fn clocks(text: &str) -> Vec<String> {
    let clock = |clock: &ClockRef| match clock {
        ClockRef::Fixed(c) => ["x", "y", "z[0]", "z[1]", "z[2]"][c.index()].to_owned(),
        ClockRef::Element { .. } => "z[?]".to_owned(),
    };
    let list = guard(text).clocks;
    list.iter()
        .map(|c| {
            let when = if c.when.is_some() { "? " } else { "" };
            let minus = c.minus.as_ref().map(|m| format!("-{}", clock(m))).unwrap_or_default();
            let relation = match c.relation {
                Relation::Lt => "<",
                Relation::Le => "<=",
                Relation::Eq => "==",
                Relation::Ge => ">=",
                Relation::Gt => ">",
            };
            let bound = match &c.bound {
                Expr::Const(c) => c.to_string(),
                _ => "e".to_owned(),
            };
            format!("{when}{}{minus}{relation}{bound}", clock(&c.left))
        })
        .collect()
}

#[test]
fn constraints_are_normalised() {
    for (text, expected) in [
        ("x < 5", "x<5"),
        ("5 > x", "x<5"),
        ("3 < x", "x>3"),
        ("x + 1 <= 6", "x<=5"),
        ("x - 2 == 6", "x==8"),
        ("10 >= x + 2 * 3", "x<=4"),
        ("x - y >= 4", "x-y>=4"),
        ("x < y + 3", "x-y<3"),
        ("x == y", "x-y==0"),
        ("4 <= x - y", "x-y>=4"),
        ("x - y + 1 > n - n", "x-y>e"),
        ("x - x + y < 4", "y<4"),
        ("z[1] <= n", "z[1]<=e"),
        ("z[i] <= 2", "z[?]<=2"),
        ("!(x < 5)", "x>=5"),
        ("!(x >= 5 || b)", "x<5"),
        ("b || x <= 5", "? x<=5"),
        ("b imply x <= 5", "? x<=5"),
        ("b ? x < 5 : x < 7", "? x<5 ? x<7"),
        ("b imply (x <= 5 && y >= 2)", "? x<=5 ? y>=2"),
        ("(b && n > 2) imply (i == 0 && x <= 5)", "? x<=5"),
        ("true ? x < 5 : x < 7", "x<5"),
        ("n < 0 && false || x < 5", "x<5"),
        ("forall (k : int[0,2]) z[k] >= k", "z[0]>=0 z[1]>=1 z[2]>=2"),
        ("forall (k : int[0,2]) a[k] > 0 imply z[k] >= k", "? z[0]>=0 ? z[1]>=1 ? z[2]>=2"),
        ("(x < 5) == true", "x<5"),
    ] {
        assert_eq!(clocks(text).join(" "), expected, "{text}");
    }
}

#[test]
fn discrete_conjuncts_keep_their_order() {
    let guard = guard("n > 1 && x < 5 && i < 2 && (b || n > 2) && x > 1");
    assert_eq!((guard.discrete.len(), guard.clocks.len()), (3, 2));
    let false_one = model(&format!(
        "{DECLARATIONS} const int N = 1; process P() {{ state A; init A; trans A -> A {{ guard N > 1 && x < 3; }}; }}
         system P;"
    ));
    assert!(false_one.network.processes[0].edges.is_empty());
}

#[test]
fn conditions_hold_where_they_should() {
    let text = "clock x, t; bool b; int n;
        process P() { state A { b imply x <= 3 }, B, C; init A;
            trans A -> A { guard !b; assign b = true, x = 0; },
                  A -> B { guard b ? x >= 2 : x >= 10; },
                  A -> C { guard b || x >= 5; assign n = b; }; }
        system P;";
    all_hold(
        text,
        &[
            "A[] b && P.A imply x <= 3",
            "E<> P.B && b && x == 2",
            "A[] P.B && b imply x >= 2",
            "A[] P.B && !b imply x >= 10",
            "A[] P.C && n == 0 imply x >= 5",
            "E<> P.C && n == 1 && x == 0",
            "E<> !b && x > 20",
        ],
    );
}

#[test]
fn what_is_no_conjunction_is_refused() {
    let refused = |text: &str| {
        unsupported(&format!(
            "{DECLARATIONS} process P() {{ state A; init A; trans A -> A {{ guard {text}; }}; }} system P;"
        ))
    };
    for text in [
        "x < 5 || y < 5",
        "x < 5 imply y < 5",
        "x + y < 5",
        "x - y - z[0] < 3",
        "x < 2.5",
        "x * 2 < 5",
        "x != 3",
    ] {
        assert_eq!(refused(text).len(), 1, "{text}: {:?}", refused(text));
    }
    // Which clock guards go with urgent channels is for the analyses to say.
    let urgent =
        "urgent chan u; clock x; process P() { state A; init A; trans A -> A { guard x > 2; sync u!; }; }
        system P;";
    assert_eq!(unsupported(urgent).len(), 0);
}

#[test]
fn rates_stop_clocks() {
    let rates = |invariant: &str| {
        let model =
            model(&format!("{DECLARATIONS} process P() {{ state A {{ {invariant} }}; init A; }} system P;"));
        let location = model.network.processes[0].locations[0].clone();
        (location.rates.len(), location.invariant.clocks.len(), model.network.unsupported.len())
    };
    assert_eq!(rates("x' == 0 && y <= 5"), (1, 1, 0));
    assert_eq!(rates("x' == 1"), (0, 0, 0));
    assert_eq!(rates("x' == b"), (1, 0, 0));
    assert_eq!(rates("b imply x' == 0"), (1, 0, 0));
    assert_eq!(rates("forall (k : int[0,2]) z[k]' == (a[k] > 0)"), (3, 0, 0));
    assert_eq!(rates("x' == 2"), (0, 0, 1));
    assert_eq!(rates("x' == 1.5"), (0, 0, 1));
}

#[test]
fn clocks_are_set_copied_and_started() {
    let text = "clock x = 4, y, z; int n = 2;
        process P() { state A, B; init A; trans A -> B { assign y = n + 1, z = y; }; }
        system P;";
    let model = model(text);
    assert_eq!(model.network.clocks[0].init, 4);
    all_hold(
        text,
        &["A[] x >= 4", "E<> P.B && y == 3", "A[] P.B imply y >= 3 && z >= 3", "E<> P.B && z == 3"],
    );
}

#[test]
fn floating_point_is_skipped_where_nothing_depends_on_it() {
    let declarations = "double d = 1.5, e[2]; hybrid clock h; const double PI = 3.14; int n; clock x;
        double half(double v) { double w = v / 2; return w; }
        double count(double v) { n++; return v; }
        void both(double v) { d = v; n = 7; if (n > 3) { d = half(d); } }
        int bad(double v) { return v > 1 ? 1 : 0; }";
    let model_of = |update: &str, guard: &str| {
        model(&format!(
            "{declarations} process P() {{ state A {{ h' == 3 && x <= 10 }}, B; init A;
             trans A -> B {{ guard {guard}; assign {update}; }}; }} system P;"
        ))
    };
    for update in
        ["d = half(PI) + random(3.0)", "e[1] = sqrt(2), n = 1", "both(d)", "d = count(1.0)", "h = 0, n = 2"]
    {
        let model = model_of(update, "true");
        assert!(model.network.unsupported.is_empty(), "{update}: {:?}", model.network.unsupported);
    }
    assert_eq!(model_of("d = count(1.0)", "true").network.processes[0].edges[0].update.body.len(), 1);
    assert_eq!(model_of("d = half(1.0)", "true").network.processes[0].edges[0].update.body.len(), 0);
    for (update, guard) in [
        ("n = 1", "d > 1"),
        ("n = 1", "x < PI"),
        ("n = bad(d)", "true"),
        ("n = fint(d)", "true"),
        ("x = d", "true"),
        ("n = 1", "h < 3"),
        ("n = d > 2 ? 1 : 0", "true"),
    ] {
        assert!(!model_of(update, guard).network.unsupported.is_empty(), "{update} | {guard}");
    }
}
