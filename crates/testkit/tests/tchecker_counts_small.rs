//! TChecker's small tests of the integer language: states and transitions.
//!
//! They were run with `reach` without labels: the whole space, equality.
//! An assignment out of range makes a transition impossible there.

use dwell_engine::{LoadOptions, Model, Options, OutOfRange, Question, Verdict, check};
use dwell_testkit::shared;
use std::path::Path;

/// A model that came to us inside a script.
const BUG_008A: &str = "system:S\nprocess:P\nlocation:P:A{initial:}\nevent:tau\nedge:P:A:A:tau{}\n";

/// Figures of each run in a file of expected output, by their names.
fn figure(text: &str, name: &str) -> Option<u64> {
    let value = text.lines().find_map(|l| l.strip_prefix("// ")?.strip_prefix(name))?;
    Some(value.trim().parse().expect("a number"))
}

/// Runs the whole space and compares with `expected`.
fn compare(name: &str, model: &str, cover: &str, expected: &str) {
    let model =
        Model::from_tchecker(model, &LoadOptions { out_of_range: OutOfRange::Disable, ..Default::default() })
            .unwrap_or_else(|e| panic!("{name}: {:?}", e.diagnostics));
    let mut options = Options::default();
    options.set("cover", cover).unwrap();
    let plan = options.plan(&model, &Question::space()).expect("a sound plan");
    let report = check(&model, &Question::space(), &plan, Default::default());
    assert_eq!(report.verdict, Verdict::Satisfied, "{name}: {:?}", report.why);
    let ours = [
        ("VISITED_STATES", report.stats.visited),
        ("VISITED_TRANSITIONS", report.stats.transitions),
        ("STORED_STATES", report.stats.stored),
    ];
    for (figure_name, ours) in ours {
        match figure(expected, figure_name) {
            Some(theirs) => assert_eq!(ours, theirs, "{name}: {figure_name}"),
            None => assert_eq!(figure_name, "STORED_STATES", "{name} has no {figure_name}"),
        }
    }
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

#[test]
fn small_models_have_the_expected_states() {
    let Some(root) = shared::models("tchecker") else { return };
    let mut compared = 0;
    for folder in ["tests/simple-nr", "tests/bugfixes"] {
        for entry in std::fs::read_dir(root.join(folder)).expect("a folder") {
            let expected = entry.expect("an entry").path();
            let model = expected.with_extension("tck");
            // Models without expected output are bad inputs; the command line's tests have them.
            if expected.extension().is_none_or(|e| e != "out-expected") || !model.exists() {
                continue;
            }
            let text = read(&expected);
            // One file lists the states in a format of its own, without figures.
            if !text.contains("VISITED_STATES") {
                continue;
            }
            compare(&model.display().to_string(), &read(&model), "equality", &text);
            compared += 1;
        }
    }
    println!("{compared} models compared");
    assert!(compared >= 31, "only {compared} models were compared");
}

#[test]
fn models_that_came_in_scripts_have_the_expected_states() {
    let Some(root) = shared::models("tchecker") else { return };
    let folder = root.join("tests/bugfixes");
    compare("bug-008a", BUG_008A, "inclusion", &read(&folder.join("bug-008a.out-expected")));
    let ad94 = read(&root.join("tests/algos-inputs/ad94.tck"));
    compare("bug-005a", &ad94, "equality", &read(&folder.join("bug-005a.out-expected")));
    let both = read(&folder.join("bug-041.out-expected"));
    let (covreach, reach) = both.split_once("EXPLORE output").expect("two runs");
    let fischer = read(&folder.join("fischer_2.txt"));
    compare("bug-041", &fischer, "inclusion", covreach);
    compare("bug-041", &fischer, "equality", reach);
}
