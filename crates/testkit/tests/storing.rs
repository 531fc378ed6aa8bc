//! `--keep auto` visits little more than `--keep all` does breadth first (paper 3), on our families and examples. The table of
//! `docs/papers/storing.md` has larger ones.

use dwell_engine::{Format, LoadOptions, Model, Options, Question, Stats, check};
use std::path::Path;

/// Visits for one visit, at most.
const BOUND: f64 = 1.3;

fn explored(model: &Model, keep: &str) -> Stats {
    let mut options = Options::default();
    options.set("order", "bfs").expect("an order");
    options.set("keep", keep).expect("a strategy");
    let question = Question::space();
    let plan = options.plan(model, &question).expect("a sound plan");
    check(model, &question, &plan, Default::default()).stats
}

/// Breadth first; with no more states at a time, too.
fn visits_little_more(name: &str, model: &Model) {
    let (all, auto) = (explored(model, "all"), explored(model, "auto"));
    let overhead = auto.visited as f64 / all.visited as f64;
    assert!(overhead <= BOUND, "{name}: {overhead:.2} times the visits");
    assert!(auto.max_stored <= all.max_stored, "{name}: {} states", auto.max_stored);
}

#[test]
fn auto_visits_little_more_on_families() {
    let models = [
        ("blowup", 6),
        ("corsso", 2),
        ("critical-region", 3),
        ("csmacd", 6),
        ("csmacd-full", 6),
        ("dining-philosophers", 4),
        ("fddi", 7),
        ("fischer", 5),
        ("flexray", 2),
        ("lynch", 5),
        ("parallel", 4),
        ("train-gate", 3),
    ];
    for (family, size) in models {
        let text = dwell_families::generate(family, size).expect("a model of ours");
        let model = Model::from_tchecker(&text, &LoadOptions::default()).expect("a correct model");
        visits_little_more(&format!("{family} {size}"), &model);
    }
}

#[test]
fn auto_visits_little_more_on_examples() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let files = std::fs::read_dir(&root).expect("examples").map(|entry| entry.expect("a file").path());
    let mut files: Vec<_> = files.collect();
    files.extend(
        ["brp-like.xml", "dacapo-like.xml", "engine-gear-like.xml"].map(|f| root.join("papers").join(f)),
    );
    let mut seen = 0;
    for path in files {
        let format = path.extension().and_then(|e| e.to_str()).and_then(Format::from_extension);
        let Some(format) = format else { continue };
        let text = std::fs::read_to_string(&path).expect("a readable file");
        let model = Model::read(&text, format, &LoadOptions::default()).expect("a correct model");
        visits_little_more(&path.display().to_string(), &model);
        seen += 1;
    }
    assert!(seen >= 12, "{seen} models");
}
