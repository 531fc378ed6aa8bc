//! TChecker's tests of bad inputs are refused here too, at the same place.

mod common;

use common::dwell;
use dwell_testkit::shared;

/// Where TChecker points to the first line of a statement of several lines, we
/// point to the line of it that is wrong.
const MORE_PRECISE: [(&str, u64); 3] = [("memleak-01", 23), ("local-array-2", 33), ("local-array-3", 38)];

/// `ERROR: 21.25-33 expression is not bool valued` into the line.
fn lines(expected: &str) -> Vec<u64> {
    let place = |line: &str| line.strip_prefix("ERROR: ")?.split_once('.')?.0.parse().ok();
    expected.lines().filter_map(place).collect()
}

#[test]
fn bad_inputs_are_refused_at_the_expected_line() {
    let Some(root) = shared::models("tchecker") else { return };
    let mut refused = 0;
    for folder in ["tests/simple-nr", "tests/bugfixes"] {
        let folder = root.join(folder);
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let expected = entry.expect("an entry").path();
            let model = expected.with_extension("tck");
            if expected.extension().is_none_or(|e| e != "err-expected") || !model.exists() {
                continue;
            }
            let stem = model.file_stem().and_then(|s| s.to_str()).expect("a name").to_owned();
            let ran = dwell(&folder, &["check", &format!("{stem}.tck"), "--space", "--json"]);
            assert_eq!((ran.code, ran.err.as_str()), (2, ""), "{stem}");
            let document = ran.json();
            let found: Vec<u64> = document["diagnostics"]
                .as_array()
                .expect("diagnostics")
                .iter()
                .map(|f| f["line"].as_u64().expect("a line"))
                .collect();
            let text = std::fs::read_to_string(&expected).expect("readable");
            let expected = match MORE_PRECISE.iter().find(|(name, _)| *name == stem) {
                Some((_, line)) => vec![*line],
                None => lines(&text),
            };
            if expected.is_empty() {
                // TChecker fails while running, without a place; so do we, with one.
                assert!(text.contains("out-of-bounds value: 11 out of [0, 10]"), "{stem}: {text}");
                assert_eq!(document["queries"][0]["verdict"], "error", "{stem}");
                assert_eq!(found, [22], "{stem}");
            }
            for line in expected {
                assert!(found.contains(&line), "{stem}: nothing at line {line}, but at {found:?}");
            }
            refused += 1;
        }
    }
    assert!(refused >= 10, "only {refused} bad inputs");
}

#[test]
fn nothing_at_all_is_refused() {
    // TChecker's bug-004: an empty standard input.
    let ran = dwell(&common::folder("tchecker-empty"), &["check", "-", "--space", "--input-format", "tck"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("<stdin>:1:1"), "{}", ran.err);
}
