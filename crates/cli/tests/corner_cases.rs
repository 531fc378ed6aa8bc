//! Corner cases of UPPAAL's language, one small model each: `tests/corner-cases/NN-name.xta` or `.xml`. What is
//! expected stands at the head of the model:
//!
//! ```text
//! // expect T: E<> P.A                          satisfied
//! // expect F: E<> P.B                          not satisfied
//! // expect error "index": E<> a[n] == 0        fails while running, and says so in these words
//! // expect refused unknown-name: E<> m == 0    does not fit the model, with this code
//! // expect MT: E<> P.A                         maybe satisfied, with a sentence that says why; MF the other way
//! // expect value "<= 7, 3": sup: x, n          the values of `sup`, `inf` or `bounds`
//! // expect trace "P: A -> B": E<> P.B          satisfied, by a run that shows this
//! // expect warning: shadowed                   of the model; `with all`: under --warnings all only
//! // expect model error: duplicate-name at "B"  there is no model, but this finding at this text
//! ```
//!
//! A file `NN-name.q` beside the model has more queries, with UPPAAL's own `EXPECT` comments.

mod common;

use common::{Ran, dwell};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// What is expected of a query.
#[derive(Debug)]
enum Expect<'t> {
    Verdict(&'t str),
    Maybe(&'t str),
    Error(&'t str),
    Refused(&'t str),
    Value(&'t str),
    Trace(&'t str),
}

/// What is expected of a model.
#[derive(Debug, Default)]
struct Case<'t> {
    queries: Vec<(Expect<'t>, &'t str)>,
    warnings: Vec<&'t str>,
    more_warnings: Vec<&'t str>,
    /// Codes, and the texts they are found at.
    errors: Vec<(&'t str, &'t str)>,
}

impl<'t> Case<'t> {
    fn read(name: &str, text: &'t str) -> Self {
        let mut case = Self::default();
        for line in text.lines() {
            let line = line.trim_start_matches(['/', ' ']);
            let Some(line) = line.strip_prefix("expect ") else { continue };
            case.line(line).unwrap_or_else(|| panic!("{name}: what is '{line}'?"));
        }
        case
    }

    fn line(&mut self, line: &'t str) -> Option<()> {
        if let Some(code) = line.strip_prefix("warning: ") {
            self.warnings.push(code);
        } else if let Some(code) = line.strip_prefix("warning with all: ") {
            self.more_warnings.push(code);
        } else if let Some(finding) = line.strip_prefix("model error: ") {
            let (code, at) = finding.split_once(" at ")?;
            self.errors.push((code, at.trim_matches('"')));
        } else {
            self.query(line)?;
        }
        Some(())
    }

    fn query(&mut self, line: &'t str) -> Option<()> {
        let (word, rest) = line.split_at(line.find([' ', ':'])?);
        let rest = rest.trim_start();
        let (what, query) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once("\": ")?,
            None => rest.split_once(": ")?,
        };
        let expect = match word {
            "T" => Expect::Verdict("satisfied"),
            "F" => Expect::Verdict("not-satisfied"),
            "MT" => Expect::Maybe("maybe-satisfied"),
            "MF" => Expect::Maybe("maybe-not-satisfied"),
            "error" => Expect::Error(what),
            "refused" => Expect::Refused(what),
            "value" => Expect::Value(what),
            "trace" => Expect::Trace(what),
            _ => return None,
        };
        self.queries.push((expect, query));
        Some(())
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corner-cases")
}

/// The models, sorted, with their texts.
fn models() -> Vec<(String, String)> {
    let mut models = Vec::new();
    for entry in std::fs::read_dir(folder()).expect("the corner cases") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|e| e != "q") {
            let name = path.file_name().and_then(|n| n.to_str()).expect("a name").to_owned();
            models.push((name, std::fs::read_to_string(&path).expect("readable")));
        }
    }
    models.sort();
    models
}

fn codes<'r>(report: &'r Value, severity: &str) -> Vec<&'r str> {
    let findings = report["diagnostics"].as_array().expect("a list");
    findings.iter().filter(|d| d["severity"] == severity).map(|d| d["code"].as_str().unwrap()).collect()
}

/// The text a finding is at.
fn found_at<'t>(text: &'t str, finding: &Value) -> &'t str {
    let place = |line: &str, column: &str| {
        let before = text.split_inclusive('\n').take(finding[line].as_u64().unwrap() as usize - 1);
        before.map(str::len).sum::<usize>() + finding[column].as_u64().unwrap() as usize - 1
    };
    &text[place("line", "column")..place("end_line", "end_column")]
}

/// What is wrong with the answer to a query, if anything.
fn judge(expect: &Expect<'_>, answer: &Value, codes: &[&str], trace: impl Fn() -> Ran) -> Result<(), String> {
    let (verdict, why) = (answer["verdict"].as_str().unwrap(), answer["why"].as_str().unwrap_or_default());
    let right = match expect {
        Expect::Verdict(expected) => verdict == *expected && why.is_empty(),
        Expect::Maybe(expected) => verdict == *expected && !why.is_empty(),
        Expect::Error(words) => verdict == "error" && why.contains(words),
        Expect::Refused(code) => verdict == "error" && codes.contains(code),
        Expect::Value(expected) => {
            let values = answer["values"].as_array().map_or(&[][..], Vec::as_slice);
            let values: Vec<&str> = values.iter().map(|v| v["value"].as_str().unwrap()).collect();
            verdict == "satisfied" && values.join(", ") == *expected
        }
        Expect::Trace(shown) => verdict == "satisfied" && trace().out.contains(shown),
    };
    if right { Ok(()) } else { Err(format!("{verdict}, {why:?}, codes {codes:?}, expected {expect:?}")) }
}

/// Runs one model; adds what is not as expected.
fn run(name: &str, text: &str, wrong: &mut Vec<String>) {
    let case = Case::read(name, text);
    let mut args = vec!["check", name, "--json"];
    case.queries.iter().for_each(|(_, query)| args.extend(["-q", query]));
    if case.queries.is_empty() {
        args.push("--space");
    }
    let ran = dwell(&folder(), &args);
    let report = ran.json();
    if !case.errors.is_empty() || report["error"].is_object() {
        let findings =
            report["diagnostics"].as_array().expect("a list").iter().filter(|d| d["severity"] == "error");
        let found: Vec<_> = findings.map(|d| (d["code"].as_str().unwrap(), found_at(text, d))).collect();
        if found != case.errors || ran.code != 2 {
            wrong.push(format!("{name}: found {found:?}, expected {:?}", case.errors));
        }
        return;
    }
    if codes(&report, "warning") != case.warnings {
        wrong.push(format!("{name}: warnings {:?}, expected {:?}", codes(&report, "warning"), case.warnings));
    }
    for code in &case.more_warnings {
        let report = dwell(&folder(), &["check", name, "--json", "--space", "--warnings", "all"]).json();
        if !codes(&report, "warning").contains(code) {
            wrong.push(format!("{name}: no warning {code}"));
        }
    }
    let answers = report["queries"].as_array().expect("answers");
    for ((expect, query), answer) in case.queries.iter().zip(answers) {
        assert_eq!(answer["formula"], *query, "{name}");
        let trace = || dwell(&folder(), &["check", name, "-q", query]);
        if let Err(found) = judge(expect, answer, &codes(&report, "error"), trace) {
            wrong.push(format!("{name}: {query}: {found}"));
        }
    }
}

#[test]
fn every_corner_case() {
    let mut wrong = Vec::new();
    let models = models();
    models.iter().for_each(|(name, text)| run(name, text, &mut wrong));
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    for number in 1..=40 {
        let number = format!("{number:02}-");
        assert!(models.iter().any(|(name, _)| name.starts_with(&number)), "no case {number}");
    }
}

/// The files of queries say what they expect in UPPAAL's own way.
#[test]
fn files_of_queries() {
    for (name, _) in models() {
        let file = Path::new(&name).with_extension("q");
        let Ok(text) = std::fs::read_to_string(folder().join(&file)) else { continue };
        let expected: Vec<&str> = text
            .lines()
            .filter_map(|line| line.split_once("EXPECT: "))
            .map(|(_, outcome)| if outcome.starts_with('T') { "satisfied" } else { "not-satisfied" })
            .collect();
        let report = dwell(&folder(), &["check", &name, file.to_str().unwrap(), "--json"]).json();
        let answers = report["queries"].as_array().expect("answers");
        let verdicts: Vec<&str> = answers.iter().map(|a| a["verdict"].as_str().unwrap()).collect();
        assert_eq!(verdicts, expected, "{}", file.display());
    }
}
