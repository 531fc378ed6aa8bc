//! All exact stores explore the same: every family of ours and models of the
//! papers' case studies, breadth first.

use dwell_engine::{
    Format, LoadOptions, Model, Options, OutOfRange, Plan, Question, Report, StoreName, Verdict, check,
    unique_parts,
};
use std::path::Path;

/// Those that take a moment.
const PAPERS: [&str; 4] = ["brp-like", "engine-gear-like", "dacapo-like", "bo-collision-like"];

fn plan(model: &Model, store: &str) -> Plan {
    let mut options = Options::default();
    for (name, value) in [("order", "bfs"), ("store", store)] {
        options.set(name, value).expect("a value of this option");
    }
    options.plan(model, &Question::space()).expect("a sound plan")
}

fn report(model: &Model, store: &str) -> Report {
    check(model, &Question::space(), &plan(model, store), Default::default())
}

fn explored(model: &Model, store: &str) -> (Verdict, [u64; 3]) {
    let report = report(model, store);
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
        let expected = explored(&model, "copy");
        for store in StoreName::ALL.iter().filter(|store| store.is_exact()) {
            assert_eq!(explored(&model, store.name()), expected, "{name} {}", store.name());
        }
    }
}

/// More than a word of variables, so that a store that shares tells the parts apart.
const WIDE: &str = "system:wide\nevent:a\nint:4:0:2000000:0:x\nprocess:P\nlocation:P:s{initial:}\n\
    location:P:t{}\nedge:P:s:t:a{provided: x[0]<5 : do: x[0]=x[0]+1}\nedge:P:t:s:a{do: x[1]=1-x[1]; x[2]=x[1]; x[3]=x[0]}\n";

/// What is counted after a run is what a store that shares found on the way.
#[test]
fn unique_parts_do_not_depend_on_the_store() {
    let mut told_apart = 0;
    let wide = Model::from_tchecker(WIDE, &Default::default()).expect("a correct model");
    for (name, model) in families().into_iter().chain(papers()).chain([("wide".to_owned(), wide)]) {
        let parts = unique_parts(&model, &plan(&model, "packed-bits")).expect("a small model");
        assert_eq!(unique_parts(&model, &plan(&model, "copy")), Ok(parts), "{name}");
        let report = report(&model, "shared");
        assert_eq!(parts.states, report.stats.stored, "{name}");
        if let Some(discrete) = report.unique.discrete {
            // Parts of states that were dropped stay in the store.
            assert!(parts.locations <= discrete.0 && parts.variables <= discrete.1, "{name}");
            told_apart += 1;
        }
    }
    assert!(told_apart > 0);
}
