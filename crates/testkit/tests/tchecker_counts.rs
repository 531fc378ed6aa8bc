//! TChecker's figures on its own benchmarks: verdict, visited, stored, transitions.
//!
//! Where the folder of other people's models lies beside the checkout, every
//! row of `counts.csv` that is ours to meet is run. `covreach` is extra-lu+
//! with local bounds and inclusion, `aLU-covreach` is a-lu, `reach` is
//! equality; `concur19` explores local-time zones and is not ours.
//!
//! The default run takes the cheap rows, since zone operations check
//! themselves in the test profile. All of them, in a few minutes:
//! `DWELL_ALL_COUNTS=1 cargo test --release -p dwell-testkit --test tchecker_counts`

use dwell_engine::{Model, Options, Question, Verdict, check};
use dwell_testkit::shared;
use std::path::Path;

/// Rows that expand more states are left to the full run.
const CHEAP_VISITED: u64 = 10_000;

struct Row<'t> {
    file: &'t str,
    algorithm: &'t str,
    order: &'t str,
    labels: Vec<&'t str>,
    reachable: bool,
    visited: u64,
    /// `reach` reports none.
    stored: Option<u64>,
    transitions: u64,
}

/// The one field that may hold commas, and then is quoted, is the sixth.
fn row(line: &str) -> Row<'_> {
    let (before, labels, after) = match line.split_once(",\"") {
        Some((before, rest)) => {
            let (labels, after) = rest.split_once("\",").expect("a closing quote");
            (before.split(',').collect(), labels, after.split(',').collect())
        }
        None => {
            let fields: Vec<&str> = line.split(',').collect();
            (fields[..5].to_vec(), fields[5], fields[6..].to_vec())
        }
    };
    let [_family, _size, file, algorithm, order] = before[..] else { panic!("before the labels: {line}") };
    let [reachable, visited, stored, transitions, ..] = after[..] else { panic!("after the labels: {line}") };
    let number = |text: &str| text.parse().unwrap_or_else(|_| panic!("'{text}' in {line}"));
    Row {
        file,
        algorithm,
        order,
        labels: labels.split(',').filter(|l| !l.is_empty()).collect(),
        reachable: reachable == "true",
        visited: number(visited),
        stored: (!stored.is_empty()).then(|| number(stored)),
        transitions: number(transitions),
    }
}

fn options(row: &Row) -> Options {
    let (abstraction, cover) = match row.algorithm {
        "covreach" => ("extra-lu+", "inclusion"),
        "aLU-covreach" => ("a-lu", "inclusion"),
        "reach" => ("extra-lu+", "equality"),
        other => panic!("unknown algorithm {other}"),
    };
    let mut options = Options::default();
    let settings = [
        ("abstraction", abstraction),
        ("cover", cover),
        ("order", row.order),
        ("bounds", "local"),
        ("out-of-range", "disable"),
    ];
    for (name, value) in settings {
        options.set(name, value).unwrap();
    }
    options
}

/// What differs, or nothing.
fn differences(root: &Path, row: &Row) -> Vec<String> {
    let text = std::fs::read_to_string(root.join(row.file)).expect("readable");
    let options = options(row);
    let model = Model::from_tchecker(
        &text,
        &dwell_engine::LoadOptions { out_of_range: options.out_of_range, ..Default::default() },
    )
    .unwrap_or_else(|e| panic!("{}: {:?}", row.file, e.diagnostics));
    let question = match row.labels[..] {
        [] => Question::space(),
        _ => Question::labels(&model, &row.labels).expect("known labels"),
    };
    let plan = options.plan(&model, &question).expect("a sound plan");
    let report = check(&model, &question, &plan, Default::default());

    let verdict =
        if row.reachable || row.labels.is_empty() { Verdict::Satisfied } else { Verdict::NotSatisfied };
    let mut different = Vec::new();
    if report.verdict != verdict {
        different.push(format!("verdict {:?} ({:?})", report.verdict, report.why));
    }
    let figures = [
        ("visited", report.stats.visited, Some(row.visited)),
        ("stored", report.stats.stored, row.stored),
        ("transitions", report.stats.transitions, Some(row.transitions)),
    ];
    for (name, ours, theirs) in figures {
        if theirs.is_some_and(|theirs| theirs != ours) {
            different.push(format!("{name} {ours}, not {}", theirs.unwrap_or_default()));
        }
    }
    different
}

#[test]
fn every_row_of_the_benchmarks_is_met() {
    let Some(root) = shared::models("tchecker") else { return };
    let all = std::env::var_os("DWELL_ALL_COUNTS").is_some();
    let text = std::fs::read_to_string(root.join("counts.csv")).expect("readable");
    let mut lines = text.lines();
    assert_eq!(
        lines.next(),
        Some("family,size,file,algorithm,order,labels,reachable,visited,stored,transitions,cpu_s,rss_mb")
    );
    let rows: Vec<Row> = lines.map(row).filter(|r| r.algorithm != "concur19").collect();
    let (mut met, mut costly, mut missed) = (0, 0, Vec::new());
    for row in &rows {
        if !all && row.visited > CHEAP_VISITED {
            costly += 1;
            continue;
        }
        match differences(&root, row)[..] {
            [] => met += 1,
            ref different => missed.push(format!(
                "{} {} {} {:?}: {}",
                row.file,
                row.algorithm,
                row.order,
                row.labels,
                different.join("; ")
            )),
        }
    }
    println!("{met} of {} rows met in every figure; {costly} left to DWELL_ALL_COUNTS=1", rows.len());
    assert!(missed.is_empty(), "{} rows differ:\n{}", missed.len(), missed.join("\n"));
    assert!(met >= 650, "only {met} rows were compared");
}
