//! Elaborates small models and runs them on the oracle.
#![allow(dead_code)] // Every test file uses its own part.

use std::collections::BTreeMap;
use std::sync::Arc;

use dwell_model::Network;
use dwell_model::expr::RuntimeErrorKind;
use dwell_model::property::Property;
use dwell_oracle::explore_with;
use dwell_syntax::uppaal::tree::Document;
use dwell_syntax::uppaal::{parse_query, parse_xta};
use dwell_syntax::{Diagnostics, Severity};
use dwell_uppaal::check::Checker;
use dwell_uppaal::elaborate::{Elaborated, elaborate};

const LIMIT: usize = 100_000;

/// The document of an XTA text, which must be well-formed.
pub fn document(text: &str) -> Document {
    let (document, found) = parse_xta(text);
    assert!(!found.has_errors(), "{text}\n{found:?}");
    document
}

/// A well-typed model, which must elaborate.
pub fn model(text: &str) -> Elaborated {
    let document = document(text);
    let (_, found) = Checker::new(&document);
    assert!(!found.has_errors(), "{text}\n{found:?}");
    unchecked(text)
}

/// A model that must elaborate, whatever its types.
pub fn unchecked(text: &str) -> Elaborated {
    let (elaborated, found) = elaborate(Arc::new(document(text)));
    elaborated.unwrap_or_else(|| panic!("{text}\n{found:?}"))
}

/// The codes of the errors of a model that must not elaborate.
pub fn errors(text: &str) -> Vec<&'static str> {
    let (elaborated, found) = elaborate(Arc::new(document(text)));
    assert!(elaborated.is_none(), "no error in\n{text}");
    codes(&found)
}

pub fn codes(found: &Diagnostics) -> Vec<&'static str> {
    found.iter().filter(|d| d.severity == Severity::Error).map(|d| d.code).collect()
}

/// What is not supported in a model.
pub fn unsupported(text: &str) -> Vec<String> {
    unchecked(text).network.unsupported.into_iter().map(|u| u.message).collect()
}

/// The property of a query that must be in order.
pub fn property(model: &mut Elaborated, text: &str) -> Property {
    let (item, found) = parse_query(text);
    assert!(!found.has_errors(), "{text}\n{found:?}");
    let query = item.query.expect("a query");
    let before = (model.network.vars.len(), model.network.clocks.len());
    let property = model.query(&query).unwrap_or_else(|found| panic!("{text}\n{found:?}"));
    assert_eq!(before, (model.network.vars.len(), model.network.clocks.len()));
    property
}

/// The errors of a query.
pub fn query_errors(model: &mut Elaborated, text: &str) -> Vec<&'static str> {
    let (item, _) = parse_query(text);
    let query = item.query.expect("a query");
    codes(&model.query(&query).expect_err("an error"))
}

/// Whether an `E<>` or `A[]` query holds, by the region graph.
pub fn holds(model: &mut Elaborated, text: &str) -> bool {
    let property = property(model, text);
    assert!(model.network.unsupported.is_empty(), "{:?}", model.network.unsupported);
    let (formula, when_met) = match property {
        Property::Possibly(formula) => (formula, true),
        Property::Invariantly { violation } => (violation, false),
        other => panic!("{other:?}"),
    };
    let graph = explore_with(&model.network, &[formula], LIMIT).expect("small enough");
    assert_eq!(graph.failure, None, "{text}");
    assert_eq!(graph.asked[0].error, None, "{text}");
    graph.asked[0].met == when_met
}

/// Asserts that queries hold.
pub fn all_hold(text: &str, queries: &[&str]) {
    let mut model = model(text);
    for query in queries {
        assert!(holds(&mut model, query), "{query} does not hold in\n{text}");
    }
}

/// The first run-time error of a model, if it has one.
pub fn failure(network: &Network) -> Option<RuntimeErrorKind> {
    explore_with(network, &[], LIMIT).expect("small enough").failure.map(|failure| failure.error.kind)
}

/// The variables after one update, or the run-time error.
pub fn run(declarations: &str, update: &str) -> Result<BTreeMap<String, i32>, RuntimeErrorKind> {
    let text = format!(
        "{declarations}\nprocess P() {{ state A, B; init A; trans A -> B {{ assign {update}; }}; }}\nsystem P;"
    );
    let model = model(&text);
    let network = &model.network;
    assert!(network.unsupported.is_empty(), "{:?}", network.unsupported);
    let graph = explore_with(network, &[], LIMIT).expect("small enough");
    if let Some(failure) = graph.failure {
        return Err(failure.error.kind);
    }
    let after = graph.discrete.iter().find(|state| state.locations[0].0 == 1).expect("the edge is taken");
    Ok(network.vars.iter().map(|v| v.name.clone()).zip(after.vars.iter().copied()).collect())
}

/// The value of an expression.
pub fn value(declarations: &str, expression: &str) -> Result<i32, RuntimeErrorKind> {
    let declarations = format!("{declarations}\nint32_t result;");
    Ok(run(&declarations, &format!("result = {expression}"))?["result"])
}
