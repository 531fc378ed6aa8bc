//! Thousands of random networks: what the engine answers under every kind of
//! plan is what clock regions say. Failures print the seed, the plan and a
//! minimal network; `DWELL_SEED` runs one seed again under all plans,
//! `DWELL_RANDOM_NETWORKS` changes how many there are.

use dwell_base::Rng;
use dwell_model::Network;
use dwell_oracle::{ExploreError, RegionGraph, explore};
use dwell_testkit::differential::{Tally, disagreement};
use dwell_testkit::plans::{self, Choice};
use dwell_testkit::random::{Config, describe, minimise, network};
use dwell_testkit::seeds::{reproducing, seeds};

/// Most nodes of a region graph that is explored.
const LIMIT: usize = 15_000;

/// Networks that share all plans between them.
const SHARES: usize = 10;

/// Networks in the default run.
const NETWORKS: u64 = 2_200;

/// Plans that each network is checked under.
const PLANS_EACH: usize = 8;

/// The network of a seed. Guards do not fail: which of two guards is looked
/// at first is not fixed.
fn make(seed: u64) -> Network {
    let config = match seed % 6 {
        0 | 1 => Config::small(),
        2 => Config::timed(),
        3 => Config::loud(),
        4 => Config { max_constant: 3, ..Config::default() },
        _ => Config { max_constant: 3, max_clocks: 2, risky_percent: 0, ..Config::default() },
    };
    // Half of them with deadlines and priorities.
    let config = if (seed / 6).is_multiple_of(2) { config } else { config.with_subtraction() };
    network(&mut Rng::new(seed), &Config { risky_guard_percent: 0, ..config })
}

fn oracle(network: &Network) -> Option<RegionGraph<'_>> {
    match explore(network, LIMIT) {
        Ok(graph) => Some(graph),
        Err(ExploreError::Limit { .. }) => None,
        Err(other) => panic!("{other}\n{}", describe(network)),
    }
}

fn departs(network: &Network, choice: &Choice) -> Option<String> {
    let graph = explore(network, LIMIT).ok()?;
    disagreement(network, &graph, choice, &mut Tally::default())
}

fn fail(seed: u64, made: &Network, choice: &Choice, difference: &str) -> ! {
    eprintln!("DWELL_SEED={seed}, {choice}\n{difference}\nshrinking the network …");
    // A smaller network that breaks another law may do so for another reason.
    let law = &difference[..3];
    let least = minimise(made, |n| departs(n, choice).is_some_and(|d| d.starts_with(law)));
    panic!(
        "DWELL_SEED={seed}, {choice}\n{difference}\nminimal: {}\n{}",
        departs(&least, choice).unwrap_or_default(),
        describe(&least)
    );
}

#[test]
fn the_engine_agrees_with_regions_under_every_kind_of_plan() {
    let (all, cover) = (plans::usual(), plans::patient(plans::pairwise(1, 40)));
    assert!(cover.len() >= 20);
    let mut tally = Tally::default();
    let (mut compared, mut too_large, mut several, mut next) = (0, 0, 0, 0);
    let mut small = Vec::new();
    for seed in seeds(NETWORKS) {
        let made = make(seed);
        let Some(graph) = oracle(&made) else {
            too_large += 1;
            continue;
        };
        let chosen: Vec<&Choice> = if reproducing() {
            all.iter().collect()
        } else {
            (next..next + PLANS_EACH).map(|i| &cover[i % cover.len()]).collect()
        };
        next += PLANS_EACH;
        for choice in chosen {
            if let Some(difference) = disagreement(&made, &graph, choice, &mut tally) {
                fail(seed, &made, choice, &difference);
            }
        }
        compared += 1;
        several += u64::from(graph.discrete.len() > 1);
        // Too small shows nothing.
        if graph.discrete.len() > 3 && made.clocks.len() > 1 {
            small.push((graph.nodes, seed));
        }
    }
    small.sort_unstable();
    for (at, &(_, seed)) in small.iter().take(50).enumerate() {
        let made = make(seed);
        let graph = oracle(&made).expect("it was explored above");
        // All of them on every network are tried with properties of all kinds.
        for choice in all.iter().skip(at % SHARES).step_by(SHARES) {
            if let Some(difference) = disagreement(&made, &graph, choice, &mut tally) {
                fail(seed, &made, choice, &difference);
            }
        }
    }
    println!(
        "{compared} networks compared, {too_large} too large for regions, {several} with several states"
    );
    println!(
        "{} plans in the cover, {} in all on {} networks; {tally:?}",
        cover.len(),
        all.len(),
        small.len().min(50)
    );
    if !reproducing() {
        assert!(compared * 10 >= seeds(NETWORKS).end * 9, "too many networks are too large");
        assert!(several * 10 > compared * 8, "too many networks do nothing");
        assert!(tally.satisfied * 10 > tally.answers && tally.satisfied * 10 < tally.answers * 9);
        assert!(tally.errors > 50 && tally.open * 10 < tally.answers);
    }
}

/// Guards that divide by variables and index arrays with them.
#[test]
fn guards_that_fail_are_noticed() {
    let cover = plans::patient(plans::pairwise(2, 40));
    let mut tally = Tally::default();
    let mut next = 0;
    for seed in seeds(NETWORKS / 4) {
        // In which order clock conjuncts are looked at is left open, so they do not fail here.
        let config = if seed % 2 == 0 { Config::small() } else { Config::default() };
        let config = Config {
            risky_guard_percent: 15,
            bound_expr_percent: 0,
            clock_array_percent: 0,
            conditional_percent: 0,
            ..config
        };
        let made = network(&mut Rng::new(seed), &config);
        let Some(graph) = oracle(&made) else { continue };
        for _ in 0..4 {
            let choice = &cover[next % cover.len()];
            next += 1;
            if let Some(difference) = disagreement(&made, &graph, choice, &mut tally) {
                fail(seed, &made, choice, &difference);
            }
        }
    }
    println!("{tally:?}");
    assert!(reproducing() || tally.errors > 100);
}
