//! `--keep`, `--cover-set` and `--order unstored-first`, end to end.

mod common;

use common::{dwell, examples};
use serde_json::Value;

fn explored(options: &[&str]) -> Value {
    let ran = dwell(&examples(), &[&["check", "fischer.tck", "--space", "--json"], options].concat());
    ran.json()["queries"][0].clone()
}

fn number(query: &Value, field: &str) -> u64 {
    query["stats"][field].as_u64().unwrap_or_else(|| panic!("{field} of {query}"))
}

const STRATEGIES: [&str; 11] = [
    "auto",
    "non-committed",
    "entry-points",
    "covering",
    "successors",
    "successors:3",
    "distance:4",
    "random:0.3",
    "random:0.1,0.5",
    "every:5",
    "combination:2",
];

#[test]
fn every_strategy_sees_everything_and_says_what_it_is() {
    for order in ["bfs", "ranking", "adaptive"] {
        let all = explored(&["--order", order]);
        assert_eq!(all["plan"]["keep"], "all");
        for strategy in STRATEGIES {
            let some = explored(&["--order", order, "--keep", strategy]);
            assert_eq!(some["verdict"], "satisfied", "{strategy}");
            assert!(number(&some, "visited") >= number(&all, "visited"), "{strategy}");
            assert!(number(&some, "stored") <= number(&all, "stored"), "{strategy}");
            let shown = some["plan"]["keep"].as_str().unwrap_or_default();
            assert!(shown.starts_with(strategy.split(':').next().unwrap_or_default()), "{strategy}: {shown}");
        }
    }
    let all = explored(&["--order", "bfs"]);
    let distance = explored(&["--order", "bfs", "--keep", "distance:4"]);
    assert!(number(&distance, "stored") < number(&all, "stored"));
    let first = explored(&["--order", "unstored-first", "--keep", "covering"]);
    assert_eq!(first["verdict"], "satisfied");
    // What learns takes the order of those that store everything.
    assert_eq!(explored(&["--keep", "auto"])["plan"]["order"], explored(&[])["plan"]["order"]);
    assert_eq!(explored(&["--keep", "distance"])["plan"]["order"], "bfs");
}

#[test]
fn traces_go_through_states_that_were_not_stored() {
    for strategy in STRATEGIES {
        for trace in ["some", "shortest"] {
            let options = ["check", "fischer-broken.tck", "--labels", "cs1,cs2", "--json", "--trace", trace];
            let ran = dwell(&examples(), &[&options[..], &["--keep", strategy]].concat());
            let query = &ran.json()["queries"][0];
            assert_eq!(query["verdict"], "satisfied", "{strategy} {trace}: {}", ran.out);
            assert!(query["trace"]["steps"].as_array().is_some_and(|steps| !steps.is_empty()), "{strategy}");
        }
    }
}

#[test]
fn mixes_that_make_no_sense_are_refused() {
    let mixes: [(&[&str], &str); 7] = [
        (&["--keep", "distance:0"], "may be 1 to"),
        (&["--keep", "random:0"], "no probability"),
        (&["--keep", "covering:3"], "takes nothing more"),
        (&["--keep", "covering", "--store", "bit-state"], "forgets"),
        (&["--keep", "covering", "--convex-hull"], "--convex-hull"),
        (&["--keep", "covering", "--waiting-inclusion", "off"], "--waiting-inclusion"),
        (&["--order", "unstored-first"], "--keep"),
    ];
    for (options, why) in mixes {
        let ran = dwell(&examples(), &[&["check", "lamp.tck", "--space"], options].concat());
        assert_eq!(ran.code, 2, "{options:?}: {}{}", ran.out, ran.err);
        assert!(ran.err.contains(why), "{options:?}: {}", ran.err);
    }
}
