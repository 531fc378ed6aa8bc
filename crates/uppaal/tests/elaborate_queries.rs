//! Queries as properties.

mod elaborated;

use dwell_model::expr::Expr;
use dwell_model::property::{Extremum, Formula, Measured, Property};
use elaborated::{all_hold, holds, model, property, query_errors};

const TEXT: &str = "typedef int[0,2] id; int n = 1, a[3] = {1, 2, 3}; clock x; const int K[3] = {5, 6, 7};
    bool big(int m) { for (i : id) { if (a[i] > m) return true; } return false; }
    int first(const int &v[3]) { return v[0]; }
    process P(const id me) { clock y; int v = me * 2; id next = (me + 1) % 3; int w[2];
        int twice() { return 2 * v; }
        state A, B; init A; trans A -> B { guard y >= me; }; }
    process Q() { state L; init L; }
    system P, Q;";

#[test]
fn formulas_without_clocks_stay_whole() {
    let mut model = model(TEXT);
    let Property::Possibly(Formula::Discrete(_)) =
        property(&mut model, "E<> (P(0).A || !P(1).B) && n == 1 && (a[n] > 1 imply Q.L)")
    else {
        panic!()
    };
    let Property::Invariantly { violation: Formula::Discrete(Expr::At(..)) } =
        property(&mut model, "A[] not P(1).B")
    else {
        panic!()
    };
}

#[test]
fn formulas_with_clocks_are_in_negation_normal_form() {
    let mut model = model(TEXT);
    let Property::Invariantly { violation: Formula::And(parts) } =
        property(&mut model, "A[] P(0).A imply x <= 3")
    else {
        panic!()
    };
    assert!(matches!(parts[..], [Formula::Discrete(Expr::At(..)), Formula::Clock(_)]));
    for query in ["E<> x != 3", "E<> !(x == 3)", "A[] x == 3"] {
        let (Property::Possibly(formula) | Property::Invariantly { violation: formula }) =
            property(&mut model, query)
        else {
            panic!()
        };
        assert!(matches!(&formula, Formula::Or(parts) if parts.len() == 2), "{query}: {formula:?}");
    }
    let Property::Possibly(formula) = property(&mut model, "E<> (x < 3 || P(0).y > 2) && Q.L && n == 1")
    else {
        panic!()
    };
    let Formula::And(parts) = formula else { panic!() };
    assert!(matches!(&parts[..], [Formula::Or(_), Formula::Discrete(_)]));
    let Property::Possibly(Formula::And(parts)) = property(&mut model, "E<> deadlock && x > 2") else {
        panic!()
    };
    assert_eq!(parts[0], Formula::Deadlock(true));
    let Property::Invariantly { violation } = property(&mut model, "A[] not deadlock") else { panic!() };
    assert_eq!(violation, Formula::Deadlock(true));
}

#[test]
fn kinds_of_queries() {
    let mut model = model(TEXT);
    assert!(matches!(property(&mut model, "E[] n == 1"), Property::PotentiallyAlways(_)));
    assert!(matches!(
        property(&mut model, "A<> P(0).B"),
        Property::Eventually { avoiding: Formula::Discrete(_) }
    ));
    let Property::LeadsTo(p, q) = property(&mut model, "P(0).A --> x > 3") else { panic!() };
    assert!(matches!((p, q), (Formula::Discrete(Expr::At(..)), Formula::Clock(_))));
    let Property::Extremum(Extremum::Sup, formula, list) = property(&mut model, "sup{P(1).B}: x, n + a[1]")
    else {
        panic!()
    };
    assert!(matches!(formula, Formula::Discrete(Expr::At(..))));
    assert!(matches!(list[0].value, Measured::Clock(_)));
    assert!(matches!(list[1].value, Measured::Integer(_)));
    assert_eq!((list[0].text.as_str(), list[1].text.as_str()), ("x", "n + a[1]"));
    assert!(matches!(property(&mut model, "inf: P(2).y"), Property::Extremum(Extremum::Inf, ..)));
    assert!(matches!(property(&mut model, "bounds: n"), Property::Extremum(Extremum::Bounds, ..)));
}

#[test]
fn what_is_not_supported_is_said() {
    let mut model = model(TEXT);
    for query in [
        "A[ Q.L U n == 1 ]",
        "A[ Q.L W n == 1 ]",
        "Pr[<=10](<> P(0).B)",
        "control: A[] Q.L",
        "simulate [<=10] { n }",
        "E[] not deadlock",
        "sup: x - P(0).y",
        "E<> x > 2.5",
    ] {
        assert_eq!(query_errors(&mut model, query), ["unsupported-query"], "{query}");
    }
    assert!(!query_errors(&mut model, "E<> P(7).A").is_empty());
    assert!(!query_errors(&mut model, "E<> P(0).C").is_empty());
    assert!(!query_errors(&mut model, "E<> nothing").is_empty());
    // The model is none the worse for it.
    assert!(model.network.unsupported.is_empty());
    assert!(holds(&mut model, "E<> P(0).B"));
}

#[test]
fn queries_look_into_processes() {
    all_hold(
        TEXT,
        &[
            "A[] forall (i : id) P(i).v == 2 * i",
            "A[] forall (i : id) P(i).B imply P(i).y >= i",
            "E<> forall (i : id) P(i).B",
            "A[] (sum (i : id) P(i).v) == 6",
            "E<> exists (i : id) P(i).B && not P(P(i).next).B",
            "A[] forall (i : id) P(P(i).next).v == (i == 2 ? 0 : 2 * i + 2)",
            "A[] P(2).twice() == 8",
            "A[] big(2) && !big(3)",
            "A[] first(a) == 1 && first(K) == 5",
            "A[] forall (i : id) K[i] == K[0] + i && K[n] == 6",
            "A[] forall (i : int[0,99]) i < 3 imply a[i] == i + 1",
            "A[] P(1).w[0] == 0",
            "E<> x > 5 && x < 6",
            "A[] P(0).A or P(0).B",
        ],
    );
    let mut model = model(TEXT);
    assert!(!holds(&mut model, "E<> P(1).B && P(1).y < 1"));
    assert!(!holds(&mut model, "A[] P(1).A"));
}

#[test]
fn names_can_look_like_words_of_queries() {
    all_hold(
        "int U = 1, A = 2, W = 3; process E() { state R, M; init R; } system E;",
        &["A[] U == 1 && A == 2 && W == 3", "E<> E.R"],
    );
}
