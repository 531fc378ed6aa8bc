//! Queries and files of them.

mod uppaal_show;

use dwell_syntax::uppaal::tree::{Expectation, Extremum, Outcome, QueryItem, QueryKind, Syntax};
use dwell_syntax::uppaal::{parse_queries, parse_query};
use uppaal_show::{run, show};

fn show_query(kind: &QueryKind) -> String {
    match kind {
        QueryKind::Possibly(p) => format!("EF {}", show(p)),
        QueryKind::Invariantly(p) => format!("AG {}", show(p)),
        QueryKind::PotentiallyAlways(p) => format!("EG {}", show(p)),
        QueryKind::Eventually(p) => format!("AF {}", show(p)),
        QueryKind::LeadsTo(p, q) => format!("{} leads to {}", show(p), show(q)),
        QueryKind::Until(p, q) => format!("A {} until {}", show(p), show(q)),
        QueryKind::WeakUntil(p, q) => format!("A {} weak until {}", show(p), show(q)),
        QueryKind::Extremum(which, filter, list) => {
            let list: Vec<String> = list.iter().map(show).collect();
            format!("{which:?} {:?} {}", filter.as_ref().map(show), list.join(", "))
        }
        QueryKind::Unsupported(what) => (*what).to_owned(),
    }
}

fn query(text: &str) -> String {
    let (item, found) = parse_query(text);
    assert!(found.into_vec().is_empty() && item.diagnostics.is_empty(), "{text}: {:?}", item.diagnostics);
    show_query(&item.query.expect(text).kind)
}

/// Code of the only error.
fn wrong(text: &str) -> &'static str {
    let (item, _) = parse_query(text);
    assert!(item.query.is_none(), "{text}");
    let codes: Vec<_> = item.diagnostics.iter().map(|d| d.code).collect();
    assert_eq!(codes.len(), 1, "{text}: {codes:?}");
    codes[0]
}

#[test]
fn symbolic_queries() {
    assert_eq!(query("E<> P.a and not Q.b"), "EF (P.a And (Not Q.b))");
    assert_eq!(query("A[]not deadlock"), "AG (Not deadlock)");
    assert_eq!(query("E[] x < 3"), "EG (x Lt 3)");
    assert_eq!(query("A<>P(1).done"), "AF P(1).done");
    assert_eq!(query("P.a --> Q.b or x-- > 1"), "P.a leads to (Q.b Or ((x --) Gt 1))");
    assert_eq!(query("P.a-->Q.b"), "P.a leads to Q.b");
    assert_eq!(
        query("A[] forall (i : id_t) P(i).cs imply id == i"),
        "AG (Forall i:id_t. (P(i).cs Imply (id Eq i)))"
    );
    assert_eq!(query("A[ x < 3 U P.b ]"), "A (x Lt 3) until P.b");
    assert_eq!(query("A[f(U) W a[W]]"), "A f(U) weak until a[W]");
    assert_eq!(query("sup: x, y"), "Sup None x, y");
    assert_eq!(query("inf{P.a && x > 1}: c"), "Inf Some(\"(P.a And (x Gt 1))\") c");
    assert_eq!(query("bounds {true} : n + 1"), "Bounds Some(\"true\") (n Add 1)");
    assert!(matches!(
        parse_query("sup: a").0.query.unwrap().kind,
        QueryKind::Extremum(Extremum::Sup, None, _)
    ));
}

#[test]
fn blanks_inside_path_quantifiers_are_let_pass() {
    assert_eq!(query("A [] p"), "AG p");
    assert_eq!(query("A [ ] p"), "AG p");
    assert_eq!(query("E <> p"), "EF p");
    assert_eq!(query("E < > p"), "EF p");
}

#[test]
fn letters_are_names_where_they_can_be() {
    assert_eq!(
        query("A[] U.A && A[1] == E[W] && sup > inf"),
        "AG ((U.A And (A[1] Eq E[W])) And (sup Gt inf))"
    );
    assert_eq!(query("A[0] == 1 --> E.x"), "(A[0] Eq 1) leads to E.x");
    assert_eq!(
        query("E<> control.x == 1 && Pr.a && strategy"),
        "EF (((control.x Eq 1) And Pr.a) And strategy)"
    );
    assert_eq!(query("E<> P.select && P.exit"), "EF (P.select And P.exit)");
}

#[test]
fn queries_for_other_engines_are_recognised() {
    for (text, what) in [
        ("Pr[<=100](<> P.a)", "a statistical query"),
        ("Pr[#<=10; 100]([] x < 3) >= 0.5", "a statistical query"),
        ("Pr (<>[0,5] a)", "a statistical query"),
        ("Pr[c<=5](a U b) >= Pr[<=7](<> q)", "a statistical query"),
        ("E[<=100; 20](max: x)", "a statistical query"),
        ("E[x<=100; 20](min: x + 1)", "a statistical query"),
        ("simulate [<=10; 3] {x, y} : 2 : p", "a statistical query"),
        ("simulate 1 [<=10] {x}", "a statistical query"),
        ("Pmax a", "a statistical query"),
        ("control: A[] not P.bad", "a game query"),
        ("control: A[] (p && A<> q)", "a game query"),
        ("E<> control: A<> p", "a game query"),
        ("{ x, y < 3 } control: A[] p", "a game query"),
        ("control_t*(3, 4): A[ p U q ]", "a game query"),
        ("strategy S = control: A<> p", "a strategy query"),
        ("strategy S = loadStrategy {x} -> {y} (\"file\")", "a strategy query"),
        ("saveStrategy(\"file\", S)", "a strategy query"),
        ("A[] p under S", "a strategy query"),
        ("sup: x under S", "a strategy query"),
        ("minE(x)[<=10]{a}->{b}: <> p", "a learning query"),
        ("maxPr[<=10]: <> p", "a learning query"),
        ("sat: Scenario", "a scenario query"),
    ] {
        assert_eq!(query(text), what, "{text}");
    }
}

#[test]
fn what_is_no_query() {
    assert_eq!(wrong("x > 3"), "not-a-query");
    assert_eq!(wrong(" /* nothing */ "), "not-a-query");
    assert_eq!(wrong("E<>"), "unexpected-token");
    assert_eq!(wrong("A[] E<> p"), "nested-path-quantifier");
    assert_eq!(wrong("A[] (p imply A<> q)"), "nested-path-quantifier");
    assert_eq!(wrong("E<> p --> q"), "nested-path-quantifier");
    assert_eq!(wrong("A[] (p"), "unclosed-parenthesis");
    assert_eq!(wrong("A[] p q"), "unexpected-token");
    assert_eq!(wrong("some words"), "unexpected-token");
    assert_eq!(wrong("A[ p U ]"), "unexpected-token");
    assert_eq!(parse_query("A[] p /* never").1.into_vec()[0].code, "unclosed-comment");
}

#[test]
fn formulas_in_xml() {
    let (query, found) = run("A[] p &&\n  q // why\n", Syntax::New, |p| p.query());
    assert!(found.is_empty(), "{found:?}");
    assert_eq!(show_query(&query.unwrap().kind), "AG (p And q)");
    let (query, found) = run("  // no query yet", Syntax::New, |p| p.query());
    assert!(query.is_none() && found.is_empty());
    // Outside queries these are names.
    let (guard, _) = run("deadlock && control", Syntax::New, |p| p.guard());
    assert_eq!(show(&guard.unwrap()), "(deadlock And control)");
}

const FILE: &str = "//This file was generated from UPPAAL

/*
No deadlock,
  ever.
*/
A[] not deadlock

//NO_QUERY

/* EXPECT: F, 30 s, 5MB */
// second
E<> P.a and \\
    Q.b  // behind
/*

*/
A[] (x < 3 /* inside */ and

     y > 4)
A<> p /* EXPECT:T */
/* EXPECT:3.5,mt */ sup: x
a or
b --> c
a
  --> b
";

fn texts(items: &[QueryItem]) -> Vec<&str> {
    items.iter().map(|item| item.text.as_str()).collect()
}

#[test]
fn a_file() {
    let (items, found) = parse_queries(FILE);
    assert!(found.into_vec().is_empty());
    assert_eq!(
        texts(&items),
        [
            "A[] not deadlock",
            "E<> P.a and Q.b",
            "A[] (x < 3 and y > 4)",
            "A<> p",
            "sup: x",
            "a or b --> c",
            "a --> b",
        ]
    );
    assert!(items.iter().all(|item| item.diagnostics.is_empty() && item.query.is_some()));
    let comments: Vec<_> = items.iter().map(|item| item.comment.as_deref()).collect();
    assert_eq!(comments, [Some("No deadlock,\never."), Some("second"), None, None, None, None, None]);
    let span = items[1].span;
    assert_eq!(&FILE[span.start as usize..span.end as usize], "E<> P.a and \\\n    Q.b");
    let expect = |outcome, value: Option<&str>, resources: &[&str]| {
        Some(Expectation {
            outcome,
            value: value.map(str::to_owned),
            resources: resources.iter().map(|r| (*r).to_owned()).collect(),
        })
    };
    assert_eq!(items[0].expect, None);
    assert_eq!(items[1].expect, expect(Some(Outcome::NotSatisfied), None, &["30 s", "5 MB"]));
    assert_eq!(items[3].expect, expect(Some(Outcome::Satisfied), None, &[]));
    assert_eq!(items[4].expect, expect(Some(Outcome::MaybeSatisfied), Some("3.5"), &[]));
}

#[test]
fn a_broken_query_does_not_spoil_the_next() {
    let (items, _) = parse_queries("E<> (a\r\nA[] b\r\n\r\nfoo bar\r\nE<> c &&\r\n\r\nE<> d");
    assert_eq!(texts(&items), ["E<> (a", "A[] b", "foo bar", "E<> c &&", "E<> d"]);
    let errors: Vec<usize> = items.iter().map(|item| item.diagnostics.len()).collect();
    assert_eq!(errors, [1, 0, 1, 1, 0]);
}

#[test]
fn empty_files_and_long_ones() {
    assert!(parse_queries("").0.is_empty());
    assert!(parse_queries("\n// only this\n\n").0.is_empty());
    let (items, _) = parse_queries(&format!("E<> ({}a)", "\n".repeat(200_000)));
    assert_eq!(texts(&items), ["E<> ( a)"]);
    let (items, _) = parse_queries(&"A[] x\n".repeat(20_000));
    assert_eq!(items.len(), 20_000);
}
