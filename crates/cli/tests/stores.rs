//! `--store`, `--waiting-inclusion` and `--convex-hull` from outside.

mod common;

use common::{Ran, dwell, examples};
use serde_json::Value;

const EXACT: [&str; 7] =
    ["copy", "shared", "minimal", "shared-minimal", "packed-number", "packed-bits", "words"];
const APPROXIMATE: [&str; 3] = ["bit-state", "hash-compact", "hash-compact-zone"];

fn check(args: &[&str]) -> Ran {
    dwell(&examples(), &[&["check", "--json"], args].concat())
}

fn queries(ran: &Ran) -> Vec<Value> {
    ran.json()["queries"].as_array().expect("queries").clone()
}

#[test]
fn exact_stores_agree_on_verdicts_and_counts() {
    for model in ["fischer.xml", "train-gate.xml", "vikings.xml", "philosophers.xta", "polling.xta"] {
        let facts = |store: &str| -> Vec<Value> {
            let file = model.strip_suffix(".xta").map(|name| format!("{name}.q"));
            let files: Vec<&str> = [model].into_iter().chain(file.as_deref()).collect();
            let ran = check(&[&files[..], &["--store", store, "--order", "bfs"]].concat());
            let fact = |query: &Value| {
                let stats = &query["stats"];
                assert_eq!(query["plan"]["store"], store);
                serde_json::json!([query["verdict"], stats["visited"], stats["stored"], stats["transitions"]])
            };
            queries(&ran).iter().map(fact).collect()
        };
        let expected = facts("copy");
        for store in EXACT {
            assert_eq!(facts(store), expected, "{model} {store}");
        }
    }
}

#[test]
fn what_may_be_missing_is_said() {
    for store in APPROXIMATE {
        let ran = check(&["fischer.tck", "--labels", "cs1,cs2", "--store", store]);
        assert_eq!(ran.code, 3);
        let query = &queries(&ran)[0];
        assert_eq!(query["verdict"], "maybe-not-satisfied", "{store}");
        assert!(query["why"].as_str().expect("a reason").contains("left out"), "{query}");
        for field in ["table_fill", "expected_omissions", "omission_probability"] {
            assert!(query["stats"][field].is_f64(), "{field} in {query}");
        }
        assert!(query["plan"]["table"].as_str().expect("a table").starts_with("64MiB,"));
        let ran = check(&["fischer.xml", "--only", "1", "--store", store]);
        assert!(queries(&ran)[0]["verdict"].as_str().expect("a verdict").starts_with("maybe-"));
        // What is found is there.
        let ran = check(&["fischer-broken.tck", "--labels", "cs1,cs2", "--store", store, "--trace", "some"]);
        let query = &queries(&ran)[0];
        assert_eq!(query["verdict"], "satisfied", "{store}");
        assert!(query["trace"]["steps"].as_array().is_some_and(|steps| !steps.is_empty()));
        // The whole space may not be whole.
        assert_eq!(
            queries(&check(&["fischer.tck", "--space", "--store", store]))[0]["verdict"],
            "maybe-satisfied"
        );
    }
}

#[test]
fn a_full_table_stops_the_run_or_is_left_as_it_is() {
    let generated = dwell(&examples(), &["generate", "fischer", "-n", "5", "--to", "tck"]);
    let folder = common::folder_with("full-tables", "f.tck", generated.out);
    let check = |store: &str| dwell(&folder, &["check", "--json", "f.tck", "--space", "--store", store]);
    for store in ["hash-compact:1KiB,47", "hash-compact-zone:1KiB,47"] {
        let ran = check(store);
        let query = &queries(&ran)[0];
        assert_eq!((ran.code, query["verdict"].as_str()), (3, Some("unknown")));
        let why = query["why"].as_str().expect("a reason");
        assert!(why.contains("full") && why.contains("larger size") && why.contains("skip"), "{why}");
        // What is not remembered comes again and again; there is an end all the same.
        let query = &queries(&check(&format!("{store},skip")))[0];
        let why = query["why"].as_str().expect("a reason");
        assert!(query["verdict"] == "unknown" && why.contains("not remembered"), "{why}");
        assert!(query["stats"]["table_fill"].as_f64().is_some_and(|fill| fill > 0.9));
    }
}

#[test]
fn a_table_that_does_not_fit_is_not_made() {
    for store in ["hash-compact:4000GiB", "bit-state:4000GiB", "hash-compact-zone:4000GiB"] {
        let ran = check(&["fischer.tck", "--space", "--store", store]);
        let query = &queries(&ran)[0];
        assert_eq!((ran.code, query["verdict"].as_str()), (3, Some("unknown")), "{store}");
        assert!(query["why"].as_str().is_some_and(|why| why.contains("smaller size")), "{query}");
    }
}

#[test]
fn seeds_choose_other_hash_functions() {
    let visited = |seed: &str| {
        let ran = check(&["train-gate.xml", "--space", "--store", "bit-state:1KiB,1", "--seed", seed]);
        queries(&ran)[0]["stats"]["visited"].as_u64().expect("a number")
    };
    assert_eq!(visited("1"), visited("1"));
    let all: std::collections::HashSet<u64> = ["1", "2", "3", "4", "5"].into_iter().map(visited).collect();
    assert!(all.len() > 1, "{all:?}");
}

#[test]
fn mixes_that_say_nothing_are_refused() {
    let fischer: [&[&str]; 11] = [
        &["--store", "bit-state", "--convex-hull"],
        &["--store", "hash-compact", "-q", "A<> true"],
        &["--store", "hash-compact", "-q", "sup: 1"],
        &["--store", "bit-state", "--trace", "shortest"],
        &["--store", "bit-state", "--abstraction", "a-lu"],
        &["--store", "bit-state:1B"],
        &["--store", "copy:1MiB"],
        &["--store", "hash-compact:1MiB,99"],
        &["--convex-hull", "-q", "E[] true"],
        &["--convex-hull", "--waiting-inclusion", "off"],
        &["--convex-hull", "--abstraction", "none"],
    ];
    for options in fischer {
        let mut args = vec!["fischer.xml"];
        if !options.contains(&"-q") {
            args.extend(["-q", "E<> true"]);
        }
        let ran = dwell(&examples(), &[&["check"], &args[..], options].concat());
        assert_eq!(ran.code, 2, "{options:?}: {}{}", ran.out, ran.err);
        assert!(ran.err.contains("error: "), "{options:?}: {}", ran.err);
    }
}

#[test]
fn what_a_convex_hull_finds_may_not_be_there() {
    let ran = check(&["fischer-broken.tck", "--labels", "cs1,cs2", "--convex-hull", "--trace", "some"]);
    let query = &queries(&ran)[0];
    assert_eq!((ran.code, query["verdict"].as_str()), (3, Some("maybe-satisfied")));
    assert!(query["trace"].is_null() && query["plan"]["convex_hull"] == true);
    // What it does not find is not there.
    let ran = check(&["fischer.tck", "--labels", "cs1,cs2", "--convex-hull"]);
    assert!(
        ["not-satisfied", "maybe-satisfied"].contains(&queries(&ran)[0]["verdict"].as_str().expect("one"))
    );
    let ran = check(&["lamp.tck", "--space", "--convex-hull"]);
    assert_eq!(queries(&ran)[0]["verdict"], "maybe-satisfied", "some of the states may not be there");
}

#[test]
fn two_lists_explore_more_and_find_the_same() {
    let stats = |switch: &str| {
        let ran = check(&["train-gate.xml", "--space", "--waiting-inclusion", switch]);
        let query = queries(&ran)[0].clone();
        assert_eq!(query["plan"]["waiting_inclusion"], switch);
        query["stats"].clone()
    };
    let (on, off) = (stats("on"), stats("off"));
    assert_eq!(on["stored"], off["stored"]);
    assert!(on["visited"].as_u64() <= off["visited"].as_u64());
    assert!(on["max_stored"].as_u64() < off["max_stored"].as_u64());
}
