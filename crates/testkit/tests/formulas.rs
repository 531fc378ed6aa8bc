//! Random properties of random networks: what the engine says of `E<> f` and
//! `A[] not f` is what clock regions say, and every state it finds comes with a
//! run.
//! Failures print the seed, the plan, the formula and a minimal network.

use dwell_base::Rng;
use dwell_model::Network;
use dwell_model::property::Formula;
use dwell_oracle::explore_with;
use dwell_testkit::differential::Tally;
use dwell_testkit::plans::{self, Choice};
use dwell_testkit::properties::{Asked, disagreement};
use dwell_testkit::random::{
    Config, describe, describe_formula, formula, minimise, names_locations_of, network, with_query_functions,
};
use dwell_testkit::seeds::{reproducing, seeds};

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
    let config = if (seed / 4).is_multiple_of(2) { config } else { config.with_subtraction() };
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
    let cover = plans::pairwise(plans::patient(plans::all()), 7, 40);
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
