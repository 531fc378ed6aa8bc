//! Thousands of random networks: what the engine answers under every kind of
//! plan is what clock regions say. Failures print the seed, the plan and a
//! minimal network; `DWELL_SEED` runs one seed again under all plans,
//! `DWELL_RANDOM_NETWORKS` changes how many there are.

use dwell_base::Rng;
use dwell_model::analysis::variable_facts;
use dwell_model::expr::{BinaryOp, Expr, Place, Stmt};
use dwell_model::{Network, Overflow, Var, VarId, VarKind};
use dwell_oracle::{ExploreError, RegionGraph, explore};
use dwell_testkit::differential::{Tally, disagreement};
use dwell_testkit::plans::{self, Choice};
use dwell_testkit::random::{Config, describe, minimise, network};
use dwell_testkit::seeds::{reproducing, seeds};
use std::collections::BTreeSet;

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
    let (all, cover) = (plans::usual(), plans::pairwise(plans::patient(plans::all()), 1, 40));
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

/// Variables that hand values on: written and copied on some edges, tested on few,
/// so that they matter in places only. `None` where there is no room for them.
fn with_flows(mut network: Network, rng: &mut Rng) -> Option<Network> {
    if network.vars.iter().any(|var| var.kind != VarKind::State) {
        return None; // these come last
    }
    let first = network.vars.len() as u32;
    let flows = 4;
    let slot = |rng: &mut Rng| VarId(first + rng.below(flows) as u32);
    let var = |i| Var { name: format!("flow{i}"), max: 2, ..Var::default() };
    network.vars.extend((0..flows).map(var));
    for edge in network.processes.iter_mut().flat_map(|process| &mut process.edges) {
        for _ in 0..rng.below(3) {
            let value = match rng.below(3) {
                0 => Expr::Const(rng.range(0, 2)),
                1 => Expr::Var(slot(rng)),
                _ => Expr::IfThenElse(
                    Box::new(Expr::Var(slot(rng))),
                    Box::new(Expr::Const(rng.range(0, 2))),
                    Box::new(Expr::Var(slot(rng))),
                ),
            };
            edge.update.body.push(Stmt::Assign {
                place: Place::Var(slot(rng)),
                value,
                span: Default::default(),
            });
        }
        if rng.percent(15) {
            let test = (Box::new(Expr::Var(slot(rng))), Box::new(Expr::Const(rng.range(0, 2))));
            edge.guard.discrete.push(Expr::Binary(BinaryOp::Ne, test.0, test.1, Default::default()));
        }
    }
    Some(network)
}

/// What is forgotten is not missed, by any process.
#[test]
fn forgotten_variables_change_no_answer() {
    let forgets = |c: &Choice| c.keeps_all() && c.get("reduce-variables") == Some("on");
    let cover: Vec<Choice> = plans::all().into_iter().filter(|c| forgets(c) && c.ends()).collect();
    let mut tally = Tally::default();
    let (mut compared, mut forgotten) = (0, 0);
    for seed in seeds(NETWORKS) {
        let Some(mut made) = with_flows(make(seed), &mut Rng::new(seed)) else { continue };
        if seed.is_multiple_of(2) {
            made.overflow = Overflow::Wrap; // sums do not fail, so that reading may be for nothing
        }
        let Some(graph) = oracle(&made) else { continue };
        compared += 1;
        forgotten += u64::from(variable_facts(&made, &BTreeSet::new()).is_some());
        for turn in 0..2 {
            let choice = &cover[(seed as usize * 2 + turn) % cover.len()];
            if let Some(difference) = disagreement(&made, &graph, choice, &mut tally) {
                fail(seed, &made, choice, &difference);
            }
        }
    }
    println!(
        "{} plans; in {forgotten} of {compared} networks something is forgotten; {tally:?}",
        cover.len()
    );
    assert!(reproducing() || (compared * 3 > NETWORKS && forgotten * 2 > compared));
}

/// Guards that divide by variables and index arrays with them.
#[test]
fn guards_that_fail_are_noticed() {
    let cover = plans::pairwise(plans::patient(plans::all()), 2, 40);
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
