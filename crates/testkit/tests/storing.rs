//! `--keep auto` visits little more than `--keep all` does, breadth first and in the order that `auto` takes (paper 3), on our
//! families and examples. The table of `docs/papers/storing.md` has larger ones.

use dwell_engine::{Format, LoadOptions, Model, Options, Question, Stats, check};
use std::path::Path;

/// Visits for one visit, at most.
const BOUND: f64 = 1.3;

fn explored(model: &Model, order: &str, keep: &str) -> Stats {
    let mut options = Options::default();
    options.set("order", order).expect("an order");
    options.set("keep", keep).expect("a strategy");
    let question = Question::space();
    let plan = options.plan(model, &question).expect("a sound plan");
    check(model, &question, &plan, Default::default()).stats
}

/// With no more states at a time, too.
fn visits_little_more(name: &str, model: &Model) {
    for order in ["bfs", "auto"] {
        let (all, auto) = (explored(model, order, "all"), explored(model, order, "auto"));
        let overhead = auto.visited as f64 / all.visited as f64;
        assert!(overhead <= BOUND, "{name}, {order}: {overhead:.2} times the visits");
        assert!(auto.max_stored <= all.max_stored, "{name}, {order}: {} states", auto.max_stored);
    }
}

fn family(family: &str, size: u32) -> Model {
    let text = dwell_families::generate(family, size).expect("a model of ours");
    Model::from_tchecker(&text, &LoadOptions::default()).expect("a correct model")
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
    for (name, size) in models {
        visits_little_more(&format!("{name} {size}"), &family(name, size));
    }
}

/// Where it can; and in no order for nothing.
#[test]
fn auto_stores_fewer_states() {
    for (name, size) in [("flexray", 2), ("train-gate", 4)] {
        for order in ["bfs", "tw-bfs", "auto"] {
            let model = family(name, size);
            let (all, auto) = (explored(&model, order, "all"), explored(&model, order, "auto"));
            let share = auto.max_stored as f64 / all.max_stored as f64;
            assert!(share <= 0.75, "{name} {size}, {order}: {share:.2} of the states");
        }
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
