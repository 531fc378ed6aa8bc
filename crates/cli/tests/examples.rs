//! Every example holds what its header says.

mod common;

use common::{dwell, examples};

#[test]
fn every_expectation_of_every_example_holds() {
    let folder = examples();
    let mut held = 0;
    for entry in std::fs::read_dir(&folder).expect("the examples") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|e| e != "tck") {
            continue;
        }
        let name = path.file_name().and_then(|n| n.to_str()).expect("a name");
        let text = std::fs::read_to_string(&path).expect("readable");
        let expectations: Vec<&str> = text.lines().filter_map(|l| l.strip_prefix("# expect: ")).collect();
        assert!(!expectations.is_empty(), "{name} expects nothing");
        for expectation in expectations {
            let (kind, what) = expectation.split_once(' ').expect("two words");
            match kind {
                "reachable" | "unreachable" => {
                    let ran = dwell(&folder, &["check", name, "--labels", what]);
                    let code = i32::from(kind == "unreachable");
                    assert_eq!((ran.code, ran.err.as_str()), (code, ""), "{name}: {expectation}");
                    // A label that is reached is shown to be.
                    assert_eq!(ran.out.contains("  start "), code == 0, "{name}: {expectation}: {}", ran.out);
                }
                "states" => {
                    let ran = dwell(&folder, &["check", name, "--space", "--json"]);
                    assert_eq!(ran.code, 0, "{name}: {}", ran.err);
                    let stored = &ran.json()["queries"][0]["stats"]["stored"];
                    assert_eq!(stored.to_string(), what, "{name}: {expectation}");
                }
                other => panic!("{name}: what is '{other}'?"),
            }
            held += 1;
        }
    }
    assert!(held >= 25, "only {held} expectations");
}

#[test]
fn the_commands_in_the_headers_work() {
    let root = examples().join("..");
    for entry in std::fs::read_dir(examples()).expect("the examples") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("readable");
        for line in text.lines().filter_map(|l| l.strip_prefix("#   dwell ")) {
            let ran = dwell(&root, &line.split_whitespace().collect::<Vec<_>>());
            assert!(ran.code < 2, "{line}: {}", ran.err);
        }
    }
}

#[test]
fn no_example_has_a_warning() {
    let folder = examples();
    for entry in std::fs::read_dir(&folder).expect("the examples") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|e| e == "tck") {
            let name = path.display().to_string();
            assert_eq!(dwell(&folder, &["check", &name, "--space", "--deny-warnings"]).code, 0, "{name}");
        }
    }
}
