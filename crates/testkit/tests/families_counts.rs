//! Recorded figures of our own families: verdict, visited, stored, transitions.
//!
//! The figures are TChecker's (`crates/families/tests/counts.csv` says how they
//! came about), and every one of them is met.

use dwell_engine::{LoadOptions, Model, Options, OutOfRange, Question, Verdict, check};

const COUNTS: &str = include_str!("../../families/tests/counts.csv");

/// The one field that may hold commas, and then is quoted, is the fifth.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            _ => fields.last_mut().expect("never empty").push(c),
        }
    }
    fields
}

#[test]
fn every_recorded_figure_is_met() {
    let mut lines = COUNTS.lines().skip_while(|l| l.starts_with('#'));
    assert_eq!(lines.next(), Some("family,size,algorithm,order,labels,reachable,visited,stored,transitions"));
    let (mut met, mut missed) = (0, Vec::new());
    for line in lines {
        let row = fields(line);
        let [family, size, algorithm, order, labels, reachable, visited, stored, transitions] = &row[..]
        else {
            panic!("fields of {line}")
        };
        let text = dwell_families::generate(family, size.parse().expect("a size")).expect("a model of ours");
        let model = Model::from_tchecker(
            &text,
            &LoadOptions { out_of_range: OutOfRange::Disable, ..Default::default() },
        )
        .unwrap_or_else(|e| panic!("{family} {size}: {:?}", e.diagnostics));
        let (abstraction, cover) = match algorithm.as_str() {
            "covreach" => ("extra-lu+", "inclusion"),
            "aLU-covreach" => ("a-lu", "inclusion"),
            "reach" => ("extra-lu+", "equality"),
            other => panic!("unknown algorithm {other}"),
        };
        let mut options = Options::default();
        for (name, value) in [("abstraction", abstraction), ("cover", cover), ("order", order.as_str())] {
            options.set(name, value).unwrap();
        }
        let labels: Vec<&str> = labels.split(',').filter(|l| !l.is_empty()).collect();
        let (question, verdict) = match (&labels[..], reachable.as_str()) {
            ([], _) => (Question::space(), Verdict::Satisfied),
            (_, "true") => (Question::labels(&model, &labels).unwrap(), Verdict::Satisfied),
            _ => (Question::labels(&model, &labels).unwrap(), Verdict::NotSatisfied),
        };
        let plan = options.plan(&model, &question).expect("a sound plan");
        let report = check(&model, &question, &plan, Default::default());
        let stats = &report.stats;
        // Equality reports no stored figure.
        let stored_or_none = if stored.is_empty() { String::new() } else { stats.stored.to_string() };
        let found =
            (report.verdict, stats.visited.to_string(), stored_or_none, stats.transitions.to_string());
        if found == (verdict, visited.clone(), stored.clone(), transitions.clone()) {
            met += 1;
        } else {
            missed.push(format!("{line}: {found:?}"));
        }
    }
    println!("{met} rows met in every figure");
    assert!(missed.is_empty(), "{} rows differ:\n{}", missed.len(), missed.join("\n"));
    assert!(met >= 150, "only {met} rows were compared");
}
