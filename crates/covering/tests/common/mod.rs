//! Small models as text.
#![allow(dead_code)] // each test file uses its own part

use dwell_covering::{EdgeSet, verify};
use dwell_model::{Network, System, tchecker};
use dwell_syntax::uppaal::parse_xta;
use dwell_uppaal::elaborate::elaborate;
use std::sync::Arc;

/// The network of a model in UPPAAL's textual format.
pub fn xta(text: &str) -> Network {
    let (document, found) = parse_xta(text);
    assert!(!found.has_errors(), "{text}\n{found:?}");
    let (elaborated, found) = elaborate(Arc::new(document));
    System::new(elaborated.unwrap_or_else(|| panic!("{text}\n{found:?}")).network).network
}

/// The network of a model in TChecker's format.
pub fn tck(text: &str) -> Network {
    let (network, found) = tchecker::load(text);
    System::new(network.unwrap_or_else(|| panic!("{:?}", found.iter().next()))).network
}

/// Edges, separated by commas or on lines of their own.
pub fn edges(network: &Network, text: &str) -> EdgeSet {
    EdgeSet::parse(&text.replace(',', "\n"), network).unwrap_or_else(|why| panic!("{text}: {why}"))
}

/// Whether these edges are shown to be covering.
pub fn covers(network: &Network, text: &str) -> bool {
    verify(network, &edges(network, text)).is_ok()
}

/// Figure 1 of the paper.
pub fn figure_1() -> Network {
    xta("chan a; int[0,1] i;
         process L() { state X, Y; init X; trans X -> Y { sync a?; }, Y -> X { assign i = 0; }; }
         process R() { state A, B, C; init C;
             trans A -> B { assign i = 1; }, B -> A { guard i == 0; },
                   B -> C { guard i == 1; }, C -> A { sync a!; }; }
         system L, R;")
}
