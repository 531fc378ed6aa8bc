//! Every example holds what its header says.

mod common;

use std::path::{Path, PathBuf};

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

/// The files of a folder, without those of the folders in it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the examples");
    entries.map(|entry| entry.expect("an entry").path()).filter(|path| path.is_file()).collect()
}

fn name(path: &Path) -> &str {
    path.file_name().and_then(|n| n.to_str()).expect("a name")
}

/// The verdicts of a model in UPPAAL's language, and those that stand with its queries.
fn verdicts(path: &Path, constants: &[&str]) -> Option<(Vec<String>, Vec<&'static str>)> {
    let text = std::fs::read_to_string(path).expect("readable");
    let (file, marks) = match path.extension().and_then(|e| e.to_str()) {
        Some("xml") => (None, ["<expect outcome=\"success\"", "<expect outcome=\"failure\""]),
        Some("xta") => (Some(path.with_extension("q")), ["EXPECT: T", "EXPECT: F"]),
        _ => return None,
    };
    let text = file.as_ref().map_or(text, |file| std::fs::read_to_string(file).expect("queries"));
    let expected = text
        .lines()
        .filter_map(|line| match marks.map(|mark| line.contains(mark)) {
            [true, _] => Some("satisfied"),
            [_, true] => Some("not-satisfied"),
            _ => None,
        })
        .collect();
    let name = name(path);
    let mut args = vec!["check", name, "--json", "--deny-warnings"];
    args.extend(file.as_ref().and_then(|file| file.to_str()));
    args.extend(constants.iter().flat_map(|constant| ["-D", constant]));
    let ran = dwell(path.parent().expect("a folder"), &args);
    let report = ran.json();
    let answers = report["queries"].as_array().unwrap_or_else(|| panic!("{name}: {}", ran.out));
    let verdicts = answers.iter().map(|q| q["verdict"].as_str().expect("a verdict").to_owned()).collect();
    // Those that ask for values say which.
    let values_expected: Vec<&str> =
        text.lines().filter_map(|line| line.strip_prefix("// values: ")).collect();
    let value = |v: &serde_json::Value| v["value"].as_str().expect("a value").to_owned();
    let lists = answers.iter().filter_map(|q| q["values"].as_array());
    let values: Vec<String> =
        lists.map(|list| list.iter().map(value).collect::<Vec<_>>().join(", ")).collect();
    assert_eq!(values, values_expected, "{name}");
    Some((verdicts, expected))
}

/// In UPPAAL's language every query says what is expected of it.
#[test]
fn every_query_of_every_example_is_answered_as_expected() {
    let mut held = 0;
    for path in files(&examples()) {
        if let Some((verdicts, expected)) = verdicts(&path, &[]) {
            assert_eq!(verdicts, expected, "{}", name(&path));
            held += verdicts.len();
        }
    }
    assert!(held >= 20, "only {held} expectations");
}

/// A model of a paper's case study: constants that make it small, and its other versions, with the numbers of
/// the queries that then have another verdict.
struct CaseStudy {
    model: &'static str,
    small: &'static [&'static str],
    variants: &'static [(&'static [&'static str], &'static [usize])],
}

const CASE_STUDIES: [CaseStudy; 10] = [
    CaseStudy { model: "batch-plant-like.xml", small: &["BATCHES=2"], variants: &[] },
    CaseStudy { model: "bo-collision-like.xml", small: &["LEN=2"], variants: &[(&["FIXED=false"], &[1])] },
    CaseStudy {
        model: "bo-power-down-like.xml",
        small: &["LINKS=1"],
        variants: &[(&["FIXED=false"], &[1, 2])],
    },
    CaseStudy {
        model: "brp-like.xml",
        small: &["N=4", "MAX=2"],
        variants: &[(&["T1=2"], &[1, 2, 3]), (&["SYNC=10"], &[2, 3])],
    },
    CaseStudy { model: "bus-coupler-like.xml", small: &["TASKS=1"], variants: &[(&["FIXED=false"], &[1])] },
    CaseStudy { model: "cups-like.xml", small: &["HANDS=1"], variants: &[] },
    CaseStudy {
        model: "dacapo-like.xml",
        small: &["SPOILED=1", "RESTARTS=1"],
        variants: &[(&["UNIQUE=false"], &[3]), (&["N=4", "DRIFT=0"], &[])],
    },
    CaseStudy {
        model: "engine-gear-like.xml",
        small: &[],
        variants: &[(&["T_CLUTCH=120"], &[3, 4]), (&["OPEN_FIRST=false"], &[1])],
    },
    CaseStudy {
        model: "field-bus-like.xml",
        small: &["NUMBERS=1", "TRIES=1"],
        variants: &[(&["FAULT=1"], &[2, 4]), (&["FAULT=2"], &[2]), (&["FAULT=3"], &[3])],
    },
    CaseStudy {
        model: "philips-audio-like.xml",
        small: &["LEN=7"],
        variants: &[
            (&["TOL=4"], &[1, 2]),
            (&["SENDERS=1", "TOL=11"], &[5]),
            (&["SENDERS=1", "TOL=12"], &[1, 5]),
        ],
    },
];

/// The same for the models of the papers' case studies, and their faults are found.
#[test]
fn the_case_studies_are_answered_as_expected() {
    let folder = examples().join("papers");
    for CaseStudy { model, small, variants } in CASE_STUDIES {
        let (answers, expected) = verdicts(&folder.join(model), small).expect("a model");
        assert_eq!(answers, expected, "{model}");
        assert!(answers.len() >= 4, "{model}");
        for (constants, numbers) in variants {
            let (answers, expected) =
                verdicts(&folder.join(model), &[small, *constants].concat()).expect("a model");
            let differ: Vec<usize> =
                (1..=answers.len()).filter(|&n| answers[n - 1] != expected[n - 1]).collect();
            assert_eq!(&differ, numbers, "{model} with {constants:?}: {answers:?}");
        }
    }
    for path in files(&folder).iter().filter(|path| path.extension().is_some_and(|e| e == "xml")) {
        assert!(CASE_STUDIES.iter().any(|study| study.model == name(path)), "{} is not tested", name(path));
    }
}

#[test]
fn the_commands_in_the_headers_work() {
    let root = examples().join("..");
    for path in [files(&examples()), files(&examples().join("papers"))].concat() {
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
