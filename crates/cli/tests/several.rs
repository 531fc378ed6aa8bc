//! `sup`, `inf`, `bounds`, and several queries at once, from the command line.

mod common;

use common::{dwell, examples, folder_with, mask};
use serde_json::Value;

const MODEL: &str = "clock x, y; int[0,3] n; int a[2];
process P() { state A { y <= 7 }, B { y < 4 }; init A;
  trans A -> B { guard y >= 2; assign y = 0; }, B -> A { guard n < 3; assign n++, y = 0; }; }
system P;
";

fn values(answer: &Value) -> Vec<(&str, &str)> {
    let list = answer["values"].as_array().expect("values").iter();
    list.map(|v| (v["expression"].as_str().unwrap(), v["value"].as_str().unwrap())).collect()
}

#[test]
fn values_for_programs() {
    let folder = folder_with("several-values", "m.xta", MODEL);
    let queries = ["sup{P.B}: y, n", "inf{P.B}: x", "bounds: y, n", "sup{n > 3}: x"];
    let mut args = vec!["check", "m.xta", "--json"];
    queries.iter().for_each(|query| args.extend(["-q", query]));
    let ran = dwell(&folder, &args);
    let report = ran.json();
    let answers = report["queries"].as_array().unwrap();
    assert_eq!(ran.code, 0);
    assert!(answers.iter().all(|a| a["verdict"] == "satisfied" && a["trace"].is_null()));
    assert_eq!(values(&answers[0]), [("y", "< 4"), ("n", "3")]);
    assert_eq!(values(&answers[1]), [("x", ">= 2")]);
    assert_eq!(values(&answers[2]), [("y", "[0, 7]"), ("n", "[0, 3]")]);
    assert_eq!(values(&answers[3]), [("x", "none")]);
    assert!(answers[3]["why"].as_str().unwrap().contains("no reachable state"));
    assert!(answers[0]["why"].is_null() && answers[0]["stats"]["visited"].as_u64().unwrap() > 0);
}

#[test]
fn values_to_read() {
    let folder = folder_with("several-text", "m.xta", MODEL);
    let ran = dwell(&folder, &["check", "m.xta", "-q", "sup: x, n", "-q", "bounds{P.B}: y"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let shown = mask(&ran.out);
    assert!(shown.contains("sup: x, n: satisfied (TIME, 8 states, SIZE)\n  x: < 44\n  n: 3\n"), "{shown}");
    assert!(ran.out.contains("\n  y: [0, 4)\n"), "{}", ran.out);
}

#[test]
fn what_cannot_be_measured() {
    let folder = folder_with("several-refused", "m.xta", MODEL);
    let ran = dwell(&folder, &["check", "m.xta", "-q", "sup: x", "--abstraction", "a-lu"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("a-lu") && ran.err.contains("extreme values of clocks"), "{}", ran.err);
    assert_eq!(dwell(&folder, &["check", "m.xta", "-q", "sup: n", "--abstraction", "a-lu"]).code, 0);
    let ran = dwell(&folder, &["check", "m.xta", "-q", "sup: a[n]", "--json"]);
    assert_eq!((ran.code, &ran.json()["queries"][0]["verdict"]), (2, &Value::from("error")));
    let ran = dwell(&folder, &["check", "m.xta", "-q", "sup: a[n]"]);
    assert!(ran.out.contains("at the end"), "the way to the error is shown: {}", ran.out);
}

#[test]
fn the_states_of_one_query_answer_the_next() {
    let folder = folder_with("several-reuse", "m.xta", MODEL);
    let queries = ["-q", "A[] n <= 3", "-q", "E<> nonsense", "-q", "E<> n == 2", "-q", "A[] y < 100"];
    let ran = dwell(&folder, &[&["check", "m.xta"][..], &queries].concat());
    assert!(ran.out.contains(" states of query 1, "), "{}", ran.out);
    assert!(ran.out.contains("n: 1 -> 2"), "with a trace: {}", ran.out);
    let report = dwell(&folder, &[&["check", "m.xta", "--json"][..], &queries].concat()).json();
    let reused: Vec<bool> =
        report["queries"].as_array().unwrap().iter().map(|q| q["stats"]["reused"].is_u64()).collect();
    assert_eq!(reused, [false, false, true, false], "the last compares with a larger constant");
    assert_eq!(report["queries"][2]["stats"]["visited"], 0);
}

/// Together and one by one.
#[test]
fn the_examples_get_the_same_answers() {
    let mut reused = 0;
    for (file, more) in [
        ("fischer.xml", None),
        ("train-gate.xml", None),
        ("vikings.xml", None),
        ("polling.xta", Some("polling.q")),
    ] {
        let mut args = vec!["check", file];
        args.extend(more);
        args.push("--json");
        let together = dwell(&examples(), &args).json();
        for (i, answer) in together["queries"].as_array().expect("answers").iter().enumerate() {
            let number = (i + 1).to_string();
            let alone = dwell(&examples(), &[&args[..], &["--only", &number]].concat()).json();
            let alone = &alone["queries"][0];
            for field in ["formula", "verdict", "why", "values"] {
                assert_eq!(answer[field], alone[field], "{file}, query {number}");
            }
            assert!(alone["stats"]["reused"].is_null());
            reused += u32::from(answer["stats"]["reused"].is_u64());
        }
    }
    assert!(reused >= 2, "{reused}");
}
