//! All exact stores explore the same: every family of ours and models of the
//! papers' case studies, breadth first.

use dwell_engine::{Format, LoadOptions, Model, Options, OutOfRange, Question, StoreName, Verdict, check};
use std::path::Path;

/// Those that take a moment.
const PAPERS: [&str; 4] = ["brp-like", "engine-gear-like", "dacapo-like", "bo-collision-like"];

fn explored(model: &Model, settings: &[(&str, &str)]) -> (Verdict, [u64; 3]) {
    let mut options = Options::default();
    for (name, value) in [("order", "bfs")].iter().chain(settings) {
        options.set(name, value).expect("a value of this option");
    }
    let question = Question::space();
    let plan = options.plan(model, &question).expect("a sound plan");
    let report = check(model, &question, &plan, Default::default());
    (report.verdict, [report.stats.visited, report.stats.stored, report.stats.transitions])
}

fn families() -> Vec<(String, Model)> {
    let load = LoadOptions { out_of_range: OutOfRange::Disable, ..Default::default() };
    let small = |name: &str| {
        let text = dwell_families::generate(name, 2).or_else(|_| dwell_families::generate(name, 3));
        Model::from_tchecker(&text.expect("a small one"), &load).expect("a correct model")
    };
    dwell_families::all().iter().map(|family| (family.name.to_owned(), small(family.name))).collect()
}

fn papers() -> Vec<(String, Model)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/papers");
    let read = |name: &str| {
        let text = std::fs::read_to_string(folder.join(format!("{name}.xml"))).expect("a model of ours");
        Model::read(&text, Format::Xml, &Default::default()).expect("a correct model")
    };
    PAPERS.iter().map(|&name| (name.to_owned(), read(name))).collect()
}

#[test]
fn they_store_the_same_states() {
    for (name, model) in families().into_iter().chain(papers()) {
        let expected = explored(&model, &[("store", "copy")]);
        for store in StoreName::ALL.iter().filter(|store| store.is_exact()) {
            assert_eq!(explored(&model, &[("store", store.name())]), expected, "{name} {}", store.name());
        }
    }
}
