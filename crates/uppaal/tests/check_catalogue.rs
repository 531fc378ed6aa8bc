//! Every finding of the checker, on a small model of its own: the code, and
//! the text it points at.

mod check_rows;
mod check_support;

use check_rows::{edges, queries};
use check_support::{check_model, check_query, parse, slices, well_worded, whole};
use dwell_uppaal::check::{Checker, codes, lint};
use std::collections::BTreeSet;

#[test]
fn names() {
    check_rows::names::ROWS.iter().for_each(|(model, found)| check_model(model, found));
}

#[test]
fn types_and_initial_values() {
    check_rows::types::ROWS.iter().for_each(|(model, found)| check_model(model, found));
}

#[test]
fn functions_and_statements() {
    check_rows::functions::ROWS.iter().for_each(|(model, found)| check_model(model, found));
}

#[test]
fn expressions() {
    check_rows::expressions::ROWS.iter().for_each(|(model, found)| check_model(model, found));
}

#[test]
fn locations_and_edges() {
    edges::ROWS.iter().for_each(|(model, found)| check_model(model, found));
    edges::EDGES.iter().for_each(|(labels, found)| check_model(&edges::with_edge(labels), found));
    edges::INVARIANTS
        .iter()
        .for_each(|(invariant, found)| check_model(&edges::with_invariant(invariant), found));
}

#[test]
fn system() {
    check_rows::system::ROWS.iter().for_each(|(model, found)| check_model(model, found));
}

#[test]
fn queries() {
    for (model, query, found) in queries::ROWS {
        check_query(if model.is_empty() { queries::MODEL } else { model }, query, found);
    }
}

#[test]
fn extra_warnings() {
    for (model, found) in check_rows::lints::ROWS {
        let text = whole(model);
        let document = parse(&text);
        let (_, findings) = Checker::new(&document);
        assert!(!findings.has_errors(), "{text}\n{findings:#?}");
        let findings = lint(&document);
        assert_eq!(slices(&text, &findings), *found, "{text}\n{findings:#?}");
        well_worded(&findings);
    }
}

#[test]
fn no_code_is_left_out() {
    let models = check_rows::names::ROWS
        .iter()
        .chain(check_rows::types::ROWS)
        .chain(check_rows::functions::ROWS)
        .chain(check_rows::expressions::ROWS)
        .chain(edges::ROWS)
        .chain(edges::EDGES)
        .chain(edges::INVARIANTS)
        .chain(check_rows::system::ROWS)
        .chain(check_rows::lints::ROWS)
        .flat_map(|(_, found)| found.iter());
    let queries = queries::ROWS.iter().flat_map(|(_, _, found)| found.iter());
    let tested: BTreeSet<&str> = models.chain(queries).map(|(code, _)| *code).collect();
    // These need more than a line of text: see `check_trees.rs`.
    let elsewhere = BTreeSet::from([codes::HYBRID_PREFIX, codes::TYPE_TOO_DEEP]);
    let all: BTreeSet<&str> = codes::ALL.iter().copied().collect();
    assert_eq!(all.len(), codes::ALL.len(), "two codes are the same");
    let missing: Vec<_> = all.difference(&tested).filter(|code| !elsewhere.contains(**code)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(tested.is_subset(&all), "{:?}", tested.difference(&all));
}
