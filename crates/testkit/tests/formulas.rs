//! Random properties of random networks: what the engine says of `E<> f` and
//! `A[] not f` is what clock regions say, or exact zones where the formula
//! compares differences of clocks; and every state it finds comes with a run.
//! Failures print the seed, the plan, the formula and a minimal network.

use dwell_base::Rng;
use dwell_engine::limits::Limits;
use dwell_engine::{Control, Model, Plan, Question, TraceKind, Verdict, check};
use dwell_model::Network;
use dwell_model::property::{Formula, Property};
use dwell_oracle::explore_with;
use dwell_testkit::differential::Tally;
use dwell_testkit::naive::{exact_zones, holds_somewhere};
use dwell_testkit::plans::{self, Choice};
use dwell_testkit::properties::{Asked, disagreement};
use dwell_testkit::random::{
    Config, describe, describe_formula, formula, minimise, names_locations_of, network,
    with_query_functions,
};
use dwell_testkit::seeds::{reproducing, seeds};
use std::time::{Duration, Instant};

/// Most nodes of a region graph that is explored.
const LIMIT: usize = 8_000;

/// Networks in the default run.
const NETWORKS: u64 = 1_200;

/// Formulas about each network.
const FORMULAS: usize = 3;

/// Plans that each formula is checked under.
const PLANS_EACH: usize = 2;

fn config(seed: u64) -> Config {
    let config = match seed % 4 {
        0 => Config::small(),
        1 => Config::timed(),
        2 => Config::loud(),
        _ => Config { max_constant: 3, max_clocks: 2, ..Config::default() },
    };
    Config { risky_guard_percent: 0, risky_percent: 2, ..config }
}

/// The functions made for the formulas are there for the oracle.
fn departs(network: &Network, asked: &Asked, choice: &Choice) -> Option<String> {
    let mut whole = network.clone();
    whole.functions.clone_from(&asked.network.functions);
    whole.locals = asked.network.locals;
    if !names_locations_of(&asked.formula, &whole) {
        return None;
    }
    let asked = Asked { network: whole.clone(), formula: asked.formula.clone() };
    let graph = explore_with(&whole, std::slice::from_ref(&asked.formula), LIMIT).ok()?;
    disagreement(network, &asked, &graph, choice, &mut Tally::default())
}

#[test]
fn reachability_and_invariance_agree_with_regions() {
    let cover = plans::pairwise(7, 40);
    let mut tally = Tally::default();
    let (mut too_large, mut timed, mut next) = (0, 0, 0);
    for seed in seeds(NETWORKS) {
        let config = config(seed);
        let rng = &mut Rng::new(seed);
        let made = network(rng, &config);
        let whole = with_query_functions(rng, &config, &made);
        let formulas: Vec<Formula> = (0..FORMULAS).map(|_| formula(rng, &config, &whole)).collect();
        let Ok(graph) = explore_with(&whole, &formulas, LIMIT) else {
            too_large += 1;
            continue;
        };
        for formula in formulas {
            timed += u64::from(!formula.clock_constraints().is_empty());
            let asked = Asked { network: whole.clone(), formula };
            let chosen: Vec<&Choice> = if reproducing() {
                cover.iter().collect()
            } else {
                (next..next + PLANS_EACH).map(|i| &cover[i % cover.len()]).collect()
            };
            next += PLANS_EACH;
            for choice in chosen {
                let Some(difference) = disagreement(&made, &asked, &graph, choice, &mut tally) else {
                    continue;
                };
                eprintln!("DWELL_SEED={seed}, {choice}\n{difference}\nshrinking the network …");
                let law = &difference[..3];
                let least =
                    minimise(&made, |n| departs(n, &asked, choice).is_some_and(|d| d.starts_with(law)));
                let text = describe_formula(&whole, &asked.formula);
                panic!("DWELL_SEED={seed}, {choice}\n{difference}\n{text}\n{}", describe(&least));
            }
        }
    }
    println!("{tally:?}; {timed} formulas with clocks, {too_large} networks too large for regions");
    if !reproducing() {
        let formulas = seeds(NETWORKS).end * FORMULAS as u64;
        let asked = formulas * PLANS_EACH as u64 * 2;
        assert!(tally.answers * 10 > asked * 8, "too few answers");
        assert!(tally.satisfied * 10 > tally.answers * 3 && tally.satisfied * 10 < tally.answers * 9);
        assert!(timed * 2 > formulas, "too few clocks");
    }
}

/// Formulas that compare differences of clocks: only exact zones are sound.
#[test]
fn differences_of_clocks_are_asked_of_exact_zones() {
    let (exact, others): (Vec<Choice>, Vec<Choice>) = plans::all().into_iter().partition(|c| !c.ends());
    let (mut answers, mut reached, mut open) = (0, 0, 0);
    for seed in seeds(NETWORKS / 2) {
        let diagonal_percent = if seed % 4 == 0 { 40 } else { 0 };
        let config = Config { risky_percent: 0, disable_percent: 100, diagonal_percent, ..config(seed) };
        let rng = &mut Rng::new(seed);
        let made = network(rng, &config);
        let formula = formula(rng, &Config { diagonal_percent: 70, ..config }, &made);
        if !formula.clock_constraints().iter().any(|c| c.minus.is_some()) {
            continue;
        }
        let Some(zones) = exact_zones(&made, 200) else {
            open += 1;
            continue;
        };
        let expected = zones.iter().any(|zone| holds_somewhere(&made, zone, &[&formula]));
        let model = Model::from_network(made.clone()).expect("a valid network");
        let ask = |property| Question::property(&model, "random", property, &made);
        let exists = ask(Property::Possibly(formula.clone()));
        let never = ask(Property::Invariantly { violation: formula.clone() });
        assert!(others.iter().all(|choice| choice.plan(&model, &exists).is_err()), "DWELL_SEED={seed}");
        let choice = &exact[seed as usize % exact.len()];
        for (question, if_reached) in [(exists, Verdict::Satisfied), (never, Verdict::NotSatisfied)] {
            let plan =
                Plan { trace: TraceKind::Some, ..choice.plan(&model, &question).expect("exact zones") };
            let deadline = Some(Instant::now() + Duration::from_millis(50));
            let limits = Limits { deadline, ..Limits::default() };
            let report = check(&model, &question, &plan, Control { limits, observer: None });
            let why = report.why.as_deref().unwrap_or_default();
            if report.verdict == Verdict::Unknown && !why.contains("bug") {
                open += 1;
                continue;
            }
            assert_eq!(
                (report.verdict == if_reached, report.trace.is_some()),
                (expected, expected),
                "DWELL_SEED={seed}, {choice}: {:?} ({why})\n{}\n{}",
                report.verdict,
                describe_formula(&made, &formula),
                describe(&made)
            );
            answers += 1;
            reached += u64::from(expected);
        }
    }
    println!("{answers} answers, {reached} with a state; {open} explorations did not end");
    let networks = seeds(NETWORKS / 2).end;
    assert!(reproducing() || (answers > networks / 2 && reached * 4 > answers && open * 2 < answers));
}
