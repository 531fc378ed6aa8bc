//! The JSON documents scripts rely on: every field, with its type.

mod common;

use common::{COUNTER, Ran, dwell, examples, folder_with, large};
use serde_json::Value;
use std::path::Path;

const STATS: [&str; 8] = [
    "visited",
    "stored",
    "max_stored",
    "transitions",
    "mistakes",
    "seconds",
    "peak_bytes",
    "states_per_second",
];
const PLAN: [&str; 7] = ["order", "abstraction", "bounds", "store", "cover", "keep", "threads"];

fn check(folder: &Path, args: &[&str]) -> Ran {
    dwell(folder, &[&["check", "--json"], args].concat())
}

/// A document with queries; gives back the only one.
fn only_query(ran: &Ran) -> Value {
    let document = ran.json();
    assert_eq!(document["dwell"], env!("CARGO_PKG_VERSION"));
    assert!(document["model"].is_string() && document["diagnostics"].is_array(), "{document}");
    assert!(document.get("error").is_none(), "{document}");
    let queries = document["queries"].as_array().expect("queries");
    assert_eq!(queries.len(), 1);
    let query = queries[0].clone();
    assert!(query["formula"].is_string() && query["verdict"].is_string(), "{query}");
    for field in ["why", "values", "trace"] {
        assert!(query.get(field).is_some(), "{field} is missing in {query}");
    }
    assert!(query["values"].is_null());
    for field in STATS {
        let number = &query["stats"][field];
        assert!(if field == "seconds" { number.is_f64() } else { number.is_u64() }, "{field}: {number}");
    }
    for field in PLAN {
        let part = &query["plan"][field];
        assert!(if field == "threads" { part == 1 } else { part.is_string() }, "{field}: {part}");
    }
    query
}

fn is_finding(finding: &Value) {
    for field in ["severity", "message", "file"] {
        assert!(finding[field].is_string(), "{field} in {finding}");
    }
    assert!(finding["line"].is_u64() && finding["column"].is_u64(), "{finding}");
    assert!(finding["path"].is_null(), "only XML has paths: {finding}");
}

#[test]
fn satisfied() {
    let ran = check(&examples(), &["fischer-broken.tck", "--labels", "cs1,cs2"]);
    let query = only_query(&ran);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert_eq!(query["formula"], "labels cs1,cs2");
    assert_eq!(query["verdict"], "satisfied");
    assert!(query["why"].is_null() && query["trace"].is_null(), "no trace unless asked for: {query}");
    assert_eq!(ran.json()["model"], "fischer-broken.tck");
    assert_eq!(ran.json()["diagnostics"], Value::Array(vec![]));
}

#[test]
fn not_satisfied() {
    let ran = check(&examples(), &["fischer.tck", "--labels", "cs1,cs2", "--trace", "some"]);
    let query = only_query(&ran);
    assert_eq!((ran.code, &query["verdict"]), (1, &"not-satisfied".into()));
    assert!(query["why"].is_null() && query["trace"].is_null());
    assert_eq!(query["stats"]["stored"], 65);
    assert_eq!(query["stats"]["visited"].as_u64(), query["stats"]["mistakes"].as_u64().map(|m| m + 65));
}

#[test]
fn the_state_space() {
    let ran = check(&examples(), &["lamp.tck", "--space", "--order", "dfs", "--store", "copy"]);
    let query = only_query(&ran);
    assert_eq!((ran.code, &query["verdict"]), (0, &"satisfied".into()));
    assert_eq!(query["formula"], "state space");
    assert_eq!(query["plan"]["order"], "dfs");
    assert_eq!(query["plan"]["store"], "copy");
}

#[test]
fn several_queries_in_their_order_and_one_exit_code() {
    let labels = ["--labels", "cs2", "--labels", "cs1,cs2", "--space"];
    let ran = check(&examples(), &[&["fischer.tck"], &labels[..]].concat());
    let document = ran.json();
    let verdicts: Vec<&str> =
        document["queries"].as_array().unwrap().iter().map(|q| q["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["satisfied", "not-satisfied", "satisfied"]);
    assert_eq!(ran.code, 1);
}

#[test]
fn a_trace_has_states_and_steps() {
    let ran = check(&examples(), &["fischer-broken.tck", "--labels", "cs1,cs2", "--trace", "some"]);
    let query = only_query(&ran);
    is_trace(&query["trace"]);
    let states = query["trace"]["states"].as_array().unwrap();
    assert_eq!(states[0]["locations"], serde_json::json!({ "P1": "idle", "P2": "idle" }));
    assert_eq!(states[0]["variables"], serde_json::json!({ "id": 0 }));
    assert_eq!(
        states[states.len() - 1]["locations"],
        serde_json::json!({ "P1": "critical", "P2": "critical" })
    );
}

fn is_trace(trace: &Value) {
    let states = trace["states"].as_array().expect("states");
    let steps = trace["steps"].as_array().expect("steps");
    assert_eq!(states.len(), steps.len() + 1);
    assert!(trace["loop_at"].is_null() && trace.get("loop_at").is_some());
    for state in states {
        for field in ["locations", "variables", "clocks"] {
            assert!(state[field].is_object(), "{field} in {state}");
        }
        assert!(state["zone"].as_array().expect("a zone").iter().all(Value::is_string), "{state}");
        assert!(
            state["clocks"].as_object().unwrap().values().all(Value::is_string),
            "exact, so text: {state}"
        );
    }
    for step in steps {
        assert!(step["delay"].is_string(), "{step}");
        for edge in step["edges"].as_array().expect("edges") {
            for field in ["process", "from", "to", "sync"] {
                assert!(edge[field].is_string(), "{field} in {edge}");
            }
        }
    }
}

#[test]
fn unknown_says_why() {
    let folder = folder_with("json-unknown", "large.tck", large());
    let ran = check(&folder, &["large.tck", "--space", "--timeout", "50ms"]);
    let query = only_query(&ran);
    assert_eq!((ran.code, &query["verdict"]), (3, &"unknown".into()));
    let why = query["why"].as_str().expect("a reason");
    assert!(why.contains("out of time") && why.contains("--timeout"), "{why}");
    assert!(query["stats"]["visited"].as_u64().unwrap() > 0);
}

#[test]
fn a_run_time_error_is_a_verdict_with_the_way_to_it() {
    let folder = folder_with("json-error", "counter.tck", COUNTER);
    let ran = check(&folder, &["counter.tck", "--space"]);
    let query = only_query(&ran);
    assert_eq!((ran.code, &query["verdict"]), (2, &"error".into()));
    assert_eq!(query["why"], "3 is assigned to i, whose range is 0 to 2");
    is_trace(&query["trace"]);
    let document = ran.json();
    let findings = document["diagnostics"].as_array().unwrap();
    assert_eq!(findings.len(), 1);
    is_finding(&findings[0]);
    assert_eq!((&findings[0]["line"], &findings[0]["column"]), (&7.into(), &20.into()));
    assert_eq!(findings[0]["severity"], "error");
}

#[test]
fn warnings_are_diagnostics() {
    let folder = folder_with("json-warning", "warned.tck", common::WARNED);
    let ran = check(&folder, &["warned.tck", "--labels", "end"]);
    only_query(&ran);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let findings = &ran.json()["diagnostics"];
    is_finding(&findings[0]);
    assert_eq!((&findings[0]["severity"], &findings[0]["line"]), (&"warning".into(), &4.into()));

    let denied = check(&folder, &["warned.tck", "--labels", "end", "--deny-warnings"]);
    assert_eq!(denied.code, 2);
    assert!(denied.json()["error"]["message"].as_str().unwrap().contains("--deny-warnings"));
    is_finding(&denied.json()["diagnostics"][0]);
}

#[test]
fn bad_input_has_line_and_column() {
    let text = "system:s\nprocess:P\nlocation:P:a{initial:}\nedge:P:a:b:tau\n";
    let folder = folder_with("json-bad", "bad.tck", text);
    let ran = check(&folder, &["bad.tck", "--space"]);
    let document = ran.json();
    assert_eq!((ran.code, ran.err.as_str()), (2, ""));
    assert_eq!(document["dwell"], env!("CARGO_PKG_VERSION"));
    assert!(document["error"].is_object() && document.get("queries").is_none(), "{document}");
    let findings = document["diagnostics"].as_array().expect("diagnostics");
    findings.iter().for_each(is_finding);
    let places: Vec<(u64, u64)> =
        findings.iter().map(|f| (f["line"].as_u64().unwrap(), f["column"].as_u64().unwrap())).collect();
    assert_eq!(places, [(4, 10), (4, 12)]);
}

#[test]
fn refusals_are_documents_too() {
    let cases: [&[&str]; 5] = [
        &["nowhere.tck", "--space"],
        &["lamp.tck"],
        &["lamp.tck", "--labels", "brigth"],
        &["lamp.tck", "--space", "--abstraction", "a-lu", "--cover", "equality"],
        &["lamp.xml", "--space"],
    ];
    for case in cases {
        let ran = check(&examples(), case);
        assert_eq!((ran.code, ran.err.as_str()), (2, ""), "{case:?}");
        assert!(ran.json()["error"]["message"].is_string(), "{case:?}: {}", ran.out);
        assert_eq!(ran.json()["diagnostics"], Value::Array(vec![]), "{case:?}");
    }
}

#[test]
fn explaining_and_progress_leave_the_document_alone() {
    let ran = check(&examples(), &["lamp.tck", "--space", "--explain", "--progress", "on"]);
    only_query(&ran);
    assert!(ran.err.starts_with("plan for state space:\n"), "{}", ran.err);
}

#[test]
fn a_trace_that_cannot_be_written_leaves_one_document() {
    let ran = check(&examples(), &["lamp.tck", "--labels", "dim", "--trace-out", "nowhere/trace.json"]);
    let query = only_query(&ran);
    assert_eq!((ran.code, &query["verdict"]), (2, &"satisfied".into()));
    assert!(ran.err.starts_with("error: cannot write nowhere/trace.json"), "{}", ran.err);
}
