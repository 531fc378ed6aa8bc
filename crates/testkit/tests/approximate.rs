//! Stores that forget, against exact runs that compare as they do: the same
//! order, equal states only, no look at waiting states (paper 1, tables 5 to 7).
//! And convex hulls, against exact zones.

use dwell_base::Rng;
use dwell_engine::{Model, Options, Question, Report, Verdict, check};
use dwell_testkit::random::{Config, network};

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

/// How many states were not visited, and how many that should be, over some
/// seeds.
fn omitted(model: &Model, store: &str, exact: u64) -> (f64, f64) {
    (1..=8).fold((0.0, 0.0), |(measured, expected), seed| {
        let report = explore(model, &with(store, &LIKE_THE_PAPER), seed);
        assert_eq!(report.verdict, Verdict::MaybeSatisfied, "{store}: {:?}", report.why);
        let missing = exact - report.stats.visited;
        (measured + missing as f64, expected + report.omissions.expect("they are counted").expected)
    })
}

#[test]
fn short_signatures_omit_as_many_as_predicted() {
    // Bytes for each state: tables of which a third to five sixths are used.
    for (name, size, store, bytes, rest) in [
        ("csmacd", 6, "hash-compact", 1.2, "7"),
        ("csmacd", 6, "hash-compact", 2.5, "7"),
        ("csmacd", 6, "hash-compact", 5.0, "23,from-signature"),
        ("fischer", 6, "hash-compact", 1.5, "7"),
        ("lynch", 5, "hash-compact", 2.0, "7"),
        ("csmacd", 6, "bit-state", 2.0, "1"),
        ("csmacd", 6, "bit-state", 1.0, "3"),
        ("fischer", 6, "bit-state", 1.0, "2"),
    ] {
        let model = family(name, size);
        let states = explore(&model, &with("copy", &LIKE_THE_PAPER), 1).stats.visited;
        let store = format!("{store}:{:.3}KiB,{rest}", states as f64 * bytes / 1024.0);
        let (measured, expected) = omitted(&model, &store, states);
        println!("{name} {size} {store}: {measured} measured, {expected:.1} expected");
        assert!(expected > 2.0, "{name} {size} {store}: nothing to measure, {expected}");
        let ratio = measured / expected;
        assert!(ratio < 3.0 && ratio > 1.0 / 3.0, "{name} {size} {store}: {measured} and {expected}");
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
