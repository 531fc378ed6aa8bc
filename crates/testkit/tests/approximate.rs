//! Stores that forget, against exact runs that compare as they do: the same
//! order, equal states only, no look at waiting states (paper 1, tables 5 to 7).
//! And convex hulls, against exact zones.

use dwell_base::Rng;
use dwell_engine::limits::Limits;
use dwell_engine::{Control, Format, Model, Options, Question, Report, Verdict, check};
use dwell_testkit::random::{Config, network};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn explore(model: &Model, settings: &[(&str, &str)], seed: u64) -> Report {
    let mut options = Options { seed, ..Options::default() };
    for (name, value) in [("order", "bfs")].iter().chain(settings) {
        options.set(name, value).expect("a value of this option");
    }
    let question = Question::space();
    let plan = options.plan(model, &question).expect("a sound plan");
    check(model, &question, &plan, Default::default())
}

fn family(name: &str, size: u32) -> Model {
    let text = dwell_families::generate(name, size).expect("a model of ours");
    Model::from_tchecker(&text, &Default::default()).expect("a correct model")
}

const FAMILIES: [(&str, u32); 6] =
    [("fischer", 6), ("csmacd", 6), ("lynch", 5), ("fddi", 5), ("critical-region", 3), ("train-gate", 4)];

const LIKE_THE_PAPER: [(&str, &str); 2] = [("waiting-inclusion", "off"), ("cover", "equality")];

fn with<'s>(store: &'s str, others: &[(&'s str, &'s str)]) -> Vec<(&'s str, &'s str)> {
    [&[("store", store)], others].concat()
}

/// A model of the papers' case studies.
fn paper(name: &str) -> Model {
    read(&root().join(format!("examples/papers/{name}-like.xml"))).expect("a model of ours")
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A model in any format; nothing if it is not one, or not one that can be explored.
fn read(file: &Path) -> Option<Model> {
    let format = match file.extension()?.to_str()? {
        "xml" => Format::Xml,
        "xta" => Format::Xta,
        "tck" => Format::Tck,
        _ => return None,
    };
    Model::read(&std::fs::read_to_string(file).ok()?, format, &Default::default()).ok()
}

#[test]
fn long_signatures_omit_nothing() {
    for (name, size) in FAMILIES {
        let model = family(name, size);
        let exact = explore(&model, &with("copy", &LIKE_THE_PAPER), 1);
        for store in ["hash-compact:16MiB,47", "hash-compact:16MiB,47,from-signature", "bit-state:16MiB,8"] {
            let report = explore(&model, &with(store, &LIKE_THE_PAPER), 1);
            assert_eq!(report.verdict, Verdict::MaybeSatisfied);
            assert_eq!(
                (report.stats.visited, report.stats.transitions),
                (exact.stats.visited, exact.stats.transitions),
                "{name} {size} {store}"
            );
            let omissions = report.omissions.expect("they are counted");
            assert!(omissions.expected < 0.01 && omissions.fill < 0.2, "{omissions:?}");
        }
        // Inclusion with signatures of discrete parts: as with two lists.
        let exact = explore(&model, &with("copy", &[("waiting-inclusion", "off")]), 1);
        let report = explore(&model, &with("hash-compact-zone:64MiB,47", &[("waiting-inclusion", "off")]), 1);
        assert_eq!(
            (report.stats.visited, report.stats.stored),
            (exact.stats.visited, exact.stats.stored),
            "{name}"
        );
    }
}

/// The files of a folder that are models, in order.
fn models_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    files.sort();
    files
}

/// The same with signatures of 47 bits as for equality, if that ends in time;
/// says whether it did.
fn omits_nothing(name: &str, model: &Model, patience: Duration) -> bool {
    let run = |settings: &[(&str, &str)]| {
        let mut options = Options { seed: 1, ..Options::default() };
        for (name, value) in [("order", "bfs")].iter().chain(settings) {
            options.set(name, value).expect("a value of this option");
        }
        let question = Question::space();
        let plan = options.plan(model, &question).ok()?;
        let limits = Limits { deadline: Some(Instant::now() + patience), ..Limits::default() };
        Some(check(model, &question, &plan, Control { limits, ..Control::default() }))
    };
    let Some(exact) = run(&with("copy", &LIKE_THE_PAPER)) else { return false };
    if exact.verdict != Verdict::Satisfied {
        return false;
    }
    let report = run(&with("hash-compact:16MiB,47", &LIKE_THE_PAPER)).expect("the same plan");
    if report.verdict != Verdict::MaybeSatisfied {
        return false; // out of time
    }
    let counts = |report: &Report| (report.stats.visited, report.stats.transitions);
    assert_eq!(counts(&report), counts(&exact), "{name}");
    true
}

/// The examples, and the small ones of other people's models: those that an
/// exact run for equality gets through in the time there is.
#[test]
fn long_signatures_omit_nothing_on_the_corpus() {
    let ours = ["examples", "examples/papers"].map(|folder| (folder, Duration::from_secs(3)));
    let theirs = [("../shared/models/uppaal", Duration::from_millis(60))];
    for (folder, patience) in ours.into_iter().chain(theirs) {
        let files = models_in(&root().join(folder));
        if files.is_empty() {
            println!("{folder} is not there and was left out");
            continue;
        }
        let begin = Instant::now();
        let (mut tried, mut compared) = (0, 0);
        for file in &files {
            if begin.elapsed() > Duration::from_secs(12) {
                break;
            }
            let Some(model) = read(file) else { continue };
            tried += 1;
            compared += u32::from(omits_nothing(&file.display().to_string(), &model, patience));
        }
        println!("{folder}: {compared} of {tried} models tried compared, {} files", files.len());
        assert!(compared >= 2, "{folder}: {compared}");
    }
}

/// States not visited, states that were taken for others, and how many that
/// should be, over some seeds where there are few.
fn omitted(model: &Model, store: &str, exact: u64) -> [f64; 3] {
    let seeds = if exact > 100_000 { 1 } else { 8 };
    (1..=seeds).fold([0.0; 3], |[missing, direct, expected], seed| {
        let report = explore(model, &with(store, &LIKE_THE_PAPER), seed);
        assert_eq!(report.verdict, Verdict::MaybeSatisfied, "{store}: {:?}", report.why);
        let omissions = report.omissions.expect("they are counted");
        let audited = omissions.measured.expect("an exact set beside it");
        let lost = exact - report.stats.visited;
        // What is taken for another is not visited, and what is visited was not.
        assert!(audited <= lost && (audited > 0) == (lost > 0), "{store}: {audited} of {lost}");
        [missing + lost as f64, direct + audited as f64, expected + omissions.expected]
    })
}

/// The formulas are about states that are taken for others. What only those
/// lead to is missing too, and not foretold.
#[test]
fn short_signatures_omit_as_many_as_predicted() {
    // Bytes for each state: tables of which a third to five sixths are used.
    let families = [
        ("csmacd", 6, "hash-compact", 1.2, "7"),
        ("csmacd", 6, "hash-compact", 2.5, "7"),
        ("csmacd", 6, "hash-compact", 5.0, "23,from-signature"),
        ("fischer", 6, "hash-compact", 1.5, "7"),
        ("lynch", 5, "hash-compact", 2.0, "7"),
        ("csmacd", 6, "bit-state", 2.0, "1"),
        ("csmacd", 6, "bit-state", 1.0, "3"),
        ("fischer", 6, "bit-state", 1.0, "2"),
    ];
    let families = families.map(|(name, size, store, bytes, rest)| {
        (format!("{name} {size}"), family(name, size), store, bytes, rest)
    });
    let papers = [
        ("dacapo", "hash-compact", 1.2, "7"),
        ("dacapo", "hash-compact", 4.0, "7"),
        ("dacapo", "hash-compact", 5.0, "23,from-signature"),
        ("dacapo", "bit-state", 2.0, "1"),
        ("brp", "hash-compact", 1.5, "7"),
        ("engine-gear", "hash-compact", 1.2, "7"),
    ];
    let papers = papers.map(|(name, store, bytes, rest)| (name.to_owned(), paper(name), store, bytes, rest));
    for (name, model, store, bytes, rest) in families.into_iter().chain(papers) {
        let states = explore(&model, &with("copy", &LIKE_THE_PAPER), 1).stats.visited;
        let store = format!("{store}:{:.3}KiB,{rest},audit", (states as f64 * bytes / 1024.0).max(1.0));
        let [missing, direct, expected] = omitted(&model, &store, states);
        println!(
            "{name} {store}: {states} states, {missing} missing, {direct} direct, {expected:.1} expected"
        );
        assert!(expected > 2.0, "{name} {store}: nothing to measure, {expected}");
        let ratio = direct / expected;
        assert!(ratio < 3.0 && ratio > 1.0 / 3.0, "{name} {store}: {direct} and {expected}");
    }
}

#[test]
fn less_is_never_more_and_more_is_never_less() {
    let (mut found, mut missed, mut artefacts) = (0, 0, 0);
    for seed in 0..400 {
        let config = [Config::small(), Config::timed(), Config::loud()][seed as usize % 3].clone();
        let config = Config { risky_percent: 0, risky_guard_percent: 0, disable_percent: 100, ..config };
        let made = network(&mut Rng::new(seed), &Config { diagonal_percent: 0, ..config });
        let model = Model::from_network(made).expect("a valid network");
        let labels = model.network().labels.clone();
        for label in labels.iter().take(2) {
            let question = Question::labels(&model, &[label.as_str()]).expect("a label of the model");
            let ask = |settings: &[(&str, &str)], hull: bool| {
                let mut options = Options { seed, ..Options::default() };
                settings.iter().for_each(|(name, value)| options.set(name, value).expect("a value"));
                if hull {
                    options.convex_hull = dwell_engine::Switch::On;
                }
                let plan = options.plan(&model, &question).expect("a sound plan");
                check(&model, &question, &plan, Default::default()).verdict
            };
            let exact = ask(&[], false);
            if explore(&model, &[], seed).stats.visited == 0 {
                continue; // there is no initial state, and nothing to be missed
            }
            assert!(matches!(exact, Verdict::Satisfied | Verdict::NotSatisfied));
            for store in ["bit-state:1KiB,1", "hash-compact:1KiB,7,skip", "hash-compact-zone:1KiB,7,skip"] {
                match ask(&[("store", store)], false) {
                    Verdict::Satisfied => assert_eq!(exact, Verdict::Satisfied, "DWELL_SEED={seed} {store}"),
                    // A table that is full may end nothing.
                    Verdict::Unknown => assert!(store.ends_with("skip")),
                    verdict => {
                        assert_eq!(verdict, Verdict::MaybeNotSatisfied, "DWELL_SEED={seed} {store}");
                        missed += u32::from(exact == Verdict::Satisfied);
                    }
                }
            }
            match ask(&[], true) {
                Verdict::NotSatisfied => assert_eq!(exact, Verdict::NotSatisfied, "DWELL_SEED={seed}"),
                verdict => {
                    assert_eq!(verdict, Verdict::MaybeSatisfied, "DWELL_SEED={seed}");
                    artefacts += u32::from(exact == Verdict::NotSatisfied);
                }
            }
            found += u32::from(exact == Verdict::Satisfied);
        }
    }
    println!("{found} reachable, {missed} missed, {artefacts} that are not there");
    assert!(found > 100);
}
