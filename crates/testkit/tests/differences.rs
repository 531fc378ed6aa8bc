//! Differences of clocks in guards and formulas: what the engine says with zones
//! that are split at them, and with exact zones, is what naive exact zones say
//! where these end; other abstractions are refused. Failures print the seed,
//! the plan and a minimal network.

use dwell_base::Rng;
use dwell_engine::limits::Limits;
use dwell_engine::{Control, Model, Plan, Question, Report, TraceKind, Verdict, check, stored_states};
use dwell_model::property::{Formula, Property};
use dwell_model::{LocationId, Network};
use dwell_oracle::Discrete;
use dwell_testkit::answers::{formulas, property};
use dwell_testkit::differential::{as_known, replayed};
use dwell_testkit::naive::{exact_zones, holds_somewhere};
use dwell_testkit::plans::{self, Choice};
use dwell_testkit::random::{
    Config, describe, describe_formula, formula, minimise, names_locations_of, network,
};
use dwell_testkit::seeds::{reproducing, seeds};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// Networks in the default run.
const NETWORKS: u64 = 800;

/// Exact zones looked at before giving up.
const ZONES: usize = 200;

fn config(seed: u64) -> Config {
    let config = match seed % 3 {
        0 => Config::small(),
        1 => Config::timed(),
        _ => Config { max_constant: 2, ..Config::loud() },
    };
    // Copies make differences of others, which only exact zones can follow.
    let plain = seed % 5 != 4;
    // Naive zones have no subtraction: these are compared with the engine's exact ones.
    let config = if seed.is_multiple_of(2) { config } else { config.with_subtraction() };
    Config {
        risky_percent: 0,
        risky_guard_percent: 0,
        disable_percent: 100,
        diagonal_percent: 45,
        copies: !plain,
        shifts: !plain,
        ..config
    }
}

/// The choices by whether differences may be compared under them.
struct Plans {
    exact: Vec<Choice>,
    split: Vec<Choice>,
    others: Vec<Choice>,
}

impl Plans {
    fn new() -> Self {
        let of = |wanted: &[&str]| {
            plans::all().into_iter().filter(|c| wanted.contains(&c.get("abstraction").unwrap())).collect()
        };
        let others = ["extra-m+", "extra-lu", "extra-lu+", "a-lu"];
        Self { exact: of(&["none"]), split: of(&["extra-m"]), others: of(&others) }
    }
}

#[derive(Debug, Default)]
struct Tally {
    spaces: u64,
    answers: u64,
    reached: u64,
    more: u64,
    runs: u64,
    open: u64,
    unlisted: u64,
}

fn asked(model: &Model, network: &Network, property: &Property, choice: &Choice) -> Option<Report> {
    let question = Question::property(model, "random", property.clone(), network);
    let plan = Plan { trace: TraceKind::Some, ..choice.plan(model, &question).ok()? };
    let patience = Duration::from_millis(if choice.ends() { 20_000 } else { 10 });
    let limits = Limits { deadline: Some(Instant::now() + patience), ..Limits::default() };
    Some(check(model, &question, &plan, Control { limits, observer: None }))
}

/// What is asked of a network.
struct Case {
    formula: Formula,
    /// Others, deadlocks and liveness included.
    more: Vec<Property>,
}

/// Where the engine departs from exact zones, under one of the choices.
fn departs(network: &Network, case: &Case, choices: (&Choice, &Choice), tally: &mut Tally) -> Option<String> {
    let model = Model::from_network(network.clone()).expect("a valid network");
    let (exact, split) = choices;
    let subtracts = network.has_priorities() || network.channels.iter().any(|c| c.urgent);
    if !subtracts && !case.formula.has_deadlock() {
        match exact_zones(network, ZONES) {
            None => tally.open += 1,
            Some(zones) => {
                let difference = naive(&model, &zones, &case.formula, choices, tally);
                if difference.is_some() {
                    return difference;
                }
            }
        }
    }
    for property in &case.more {
        let Some(split) = asked(&model, network, property, split) else { continue };
        let why = |report: &Report| report.why.clone().unwrap_or_default();
        if split.verdict == Verdict::Unknown {
            return Some(format!("more: {property:?} {}", why(&split)));
        }
        tally.more += 1;
        tally.runs += u64::from(split.trace.is_some());
        let exact = asked(&model, network, property, exact)?;
        if why(&exact).contains("bug") {
            return Some(format!("more: {property:?} {}", why(&exact)));
        }
        if exact.verdict == Verdict::Unknown {
            tally.open += 1;
        } else if exact.verdict != split.verdict {
            return Some(format!("more: {property:?} exact {:?}, split {:?}", exact.verdict, split.verdict));
        }
    }
    None
}

/// The same for states, by naive zones.
fn naive(
    model: &Model,
    zones: &[dwell_testkit::naive::State],
    formula: &Formula,
    (exact, split): (&Choice, &Choice),
    tally: &mut Tally,
) -> Option<String> {
    let network = model.network();
    if let Ok(plan) = split.plan(model, &Question::space()) {
        let expected: BTreeSet<Discrete> = zones.iter().map(|zone| zone.discrete.clone()).collect();
        let expected = as_known(&plan, network, &expected);
        let stored = match stored_states(model, &plan) {
            Ok(stored) => stored,
            Err(why) => return Some(format!("space: {why}")),
        };
        let locations = |l: Vec<u32>| l.into_iter().map(LocationId).collect();
        let ours: BTreeSet<Discrete> = stored
            .into_iter()
            .map(|s| Discrete { locations: locations(s.locations), vars: s.vars })
            .collect();
        if ours != expected && (split.stores_all() || !ours.is_subset(&expected)) {
            let only = |a: &BTreeSet<Discrete>, b| format!("{:?}", a.difference(b).next());
            let (a, b) = (&ours, &expected);
            return Some(format!("space: only the engine {}, only exact zones {}", only(a, b), only(b, a)));
        }
        tally.spaces += 1;
    } else {
        tally.unlisted += 1;
    }
    let reached = zones.iter().any(|zone| holds_somewhere(network, zone, &[formula]));
    for (property, if_reached) in [
        (Property::Possibly(formula.clone()), Verdict::Satisfied),
        (Property::Invariantly { violation: formula.clone() }, Verdict::NotSatisfied),
    ] {
        for choice in [exact, split] {
            let Some(report) = asked(model, network, &property, choice) else { continue };
            let why = report.why.as_deref().unwrap_or_default();
            if report.verdict == Verdict::Unknown && !choice.ends() && !why.contains("bug") {
                tally.open += 1;
                continue;
            }
            if (report.verdict == if_reached, report.trace.is_some()) != (reached, reached) {
                return Some(format!("state: {choice}: {:?} ({why}), expected {reached}", report.verdict));
            }
            if let Some(Err(why)) = report.trace.as_ref().map(|trace| replayed(network, trace)) {
                return Some(format!("state: {choice}: {why}"));
            }
            tally.answers += 1;
            tally.reached += u64::from(reached);
        }
    }
    None
}

#[test]
fn differences_of_clocks_agree_with_exact_zones() {
    let plans = Plans::new();
    let mut tally = Tally::default();
    for seed in seeds(NETWORKS) {
        let config = config(seed);
        let rng = &mut Rng::new(seed);
        let made = network(rng, &config);
        let formula = formula(rng, &config, &made);
        let deadlocks = Config { deadlock_percent: 25, ..config.clone() };
        let more = (0..5).map(|kind| property(rng, &deadlocks, &made, kind)).collect();
        let case = Case { formula, more };
        let model = Model::from_network(made.clone()).expect("a valid network");
        let question = Question::property(&model, "random", Property::Possibly(case.formula.clone()), &made);
        let compared = |f: &Formula| f.clock_constraints().iter().any(|c| c.minus.is_some());
        if compared(&case.formula) {
            let refused = plans.others.iter().all(|choice| choice.plan(&model, &question).is_err());
            assert!(refused, "DWELL_SEED={seed}");
        }
        let choices = (
            &plans.exact[seed as usize % plans.exact.len()],
            &plans.split[seed as usize % plans.split.len()],
        );
        let Some(difference) = departs(&made, &case, choices, &mut tally) else { continue };
        eprintln!("DWELL_SEED={seed}, {}\n{difference}\nshrinking the network …", choices.1);
        let law = &difference[..5];
        let all: Vec<&Formula> =
            std::iter::once(&case.formula).chain(case.more.iter().flat_map(formulas)).collect();
        let least = minimise(&made, |n| {
            all.iter().all(|f| names_locations_of(f, n))
                && departs(n, &case, choices, &mut Tally::default()).is_some_and(|d| d.starts_with(law))
        });
        let texts: Vec<String> = all.iter().map(|f| describe_formula(&least, f)).collect();
        panic!("DWELL_SEED={seed}, {}\n{difference}\n{}\n{}", choices.1, texts.join("\n"), describe(&least));
    }
    println!("{tally:?}");
    if !reproducing() {
        assert!(tally.spaces > NETWORKS / 4 && tally.answers > NETWORKS && tally.reached * 5 > tally.answers);
        assert!(tally.more > NETWORKS * 3 && tally.runs * 4 > tally.more);
    }
}
