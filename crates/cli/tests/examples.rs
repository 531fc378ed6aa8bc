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

/// In UPPAAL's language every query says what is expected of it.
#[test]
fn every_query_of_every_example_is_answered_as_expected() {
    let folder = examples();
    let mut held = 0;
    for entry in std::fs::read_dir(&folder).expect("the examples") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|n| n.to_str()).expect("a name");
        let text = std::fs::read_to_string(&path).expect("readable");
        let (file, marks) = match path.extension().and_then(|e| e.to_str()) {
            Some("xml") => (None, ["<expect outcome=\"success\"", "<expect outcome=\"failure\""]),
            Some("xta") => (Some(path.with_extension("q")), ["EXPECT: T", "EXPECT: F"]),
            _ => continue,
        };
        let text = file.as_ref().map_or(text, |file| std::fs::read_to_string(file).expect("queries"));
        let expected: Vec<&str> = text
            .lines()
            .filter_map(|line| match marks.map(|mark| line.contains(mark)) {
                [true, _] => Some("satisfied"),
                [_, true] => Some("not-satisfied"),
                _ => None,
            })
            .collect();
        let mut args = vec!["check", name, "--json", "--deny-warnings"];
        args.extend(file.as_ref().and_then(|file| file.to_str()));
        let ran = dwell(&folder, &args);
        let report = ran.json();
        let answers = report["queries"].as_array().unwrap_or_else(|| panic!("{name}: {}", ran.out));
        let verdicts: Vec<&str> = answers.iter().map(|q| q["verdict"].as_str().expect("a verdict")).collect();
        assert_eq!(verdicts, expected, "{name}");
        // Those that ask for values say which.
        let expected: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("// values: ")).collect();
        let value = |v: &serde_json::Value| v["value"].as_str().expect("a value").to_owned();
        let lists = answers.iter().filter_map(|q| q["values"].as_array());
        let values: Vec<String> =
            lists.map(|list| list.iter().map(value).collect::<Vec<_>>().join(", ")).collect();
        assert_eq!(values, expected, "{name}");
        held += verdicts.len();
    }
    assert!(held >= 20, "only {held} expectations");
}

#[test]
fn the_commands_in_the_headers_work() {
    let root = examples().join("..");
    for entry in std::fs::read_dir(examples()).expect("the examples") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("readable");
        let command = |l| ["#   dwell ", "//   dwell "].iter().find_map(|start| str::strip_prefix(l, start));
        for line in text.lines().filter_map(command) {
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
