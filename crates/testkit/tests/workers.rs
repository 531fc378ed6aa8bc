//! Several workers answer what one does: on random networks against clock
//! regions, under all orders, stores, abstractions and storing strategies; what
//! is stored in the end; shortest traces.

use dwell_base::Rng;
use dwell_engine::{
    Control, Model, Options, Question, StoredState, TraceKind, Verdict, check, stored_states,
};
use dwell_model::Network;
use dwell_oracle::explore;
use dwell_testkit::differential::{Tally, disagreement, replayed};
use dwell_testkit::plans;
use dwell_testkit::random::{Config, describe, network};
use dwell_testkit::seeds::seeds;

/// Most nodes of a region graph that is explored.
const LIMIT: usize = 4_000;

fn make(seed: u64, risky_percent: u64) -> Network {
    let config = [Config::small(), Config::timed(), Config::loud()][seed as usize % 3].clone();
    let config = if seed.is_multiple_of(2) { config } else { config.with_subtraction() };
    network(&mut Rng::new(seed), &Config { risky_guard_percent: 0, risky_percent, ..config })
}

/// Sooner or later every sound pair of options, with 2 to 5 workers.
#[test]
fn random_networks_agree_with_regions() {
    let all: Vec<_> = plans::all().into_iter().filter(plans::Choice::ends).collect();
    let all = plans::pairwise(all, 21, 40);
    let mut tally = Tally::default();
    let (mut compared, mut next) = (0, 0);
    for seed in seeds(700) {
        let made = make(seed, if seed.is_multiple_of(5) { 3 } else { 0 });
        let Ok(graph) = explore(&made, LIMIT) else { continue };
        compared += 1;
        for _ in 0..4 {
            next += 1;
            let distribution = ["d0", "auto", "d1"][next % 3];
            let choice = all[next % all.len()].shared(2 + (next % 4) as u16, distribution);
            if let Some(difference) = disagreement(&made, &graph, &choice, &mut tally) {
                panic!("DWELL_SEED={seed}, {choice}\n{difference}\n{}", describe(&made));
            }
        }
    }
    println!("{compared} networks: {tally:?}");
    assert!(compared >= 500 || std::env::var_os("DWELL_SEED").is_some());
}

fn stored(network: &Network, options: &Options) -> Option<Vec<StoredState>> {
    let model = Model::from_network(network.clone()).expect("a valid network");
    let plan = options.plan(&model, &Question::space()).ok()?;
    let mut states = stored_states(&model, &plan).ok()?;
    states.sort();
    Some(states)
}

/// Extra-M and Extra-LU are monotone: the largest zones are stored in the end,
/// whoever found them.
#[test]
fn what_is_stored_does_not_depend_on_the_workers() {
    for seed in seeds(200) {
        let made = make(seed, 0);
        let mut options = Options::default();
        options.set("abstraction", ["extra-m", "extra-lu"][seed as usize % 2]).expect("an abstraction");
        let Some(alone) = stored(&made, &options) else { continue };
        for threads in [2, 3, 8] {
            let shared = stored(&made, &Options { threads, ..options.clone() });
            assert!(shared.as_ref() == Some(&alone), "DWELL_SEED={seed}, {threads}\n{}", describe(&made));
        }
    }
}

#[test]
fn families_have_the_same_states_and_few_more_visits() {
    for (family, size) in [("fischer", 6), ("lynch", 6), ("csmacd", 7), ("critical-region", 3)] {
        let text = dwell_families::generate(family, size).expect("a model of ours");
        let model = Model::from_tchecker(&text, &Default::default()).expect("a correct model");
        let explored = |threads| {
            let options = Options { threads, ..Options::default() };
            let plan = options.plan(&model, &Question::space()).expect("a sound plan");
            check(&model, &Question::space(), &plan, Control::default()).stats
        };
        let alone = explored(1);
        for threads in [2, 4] {
            let shared = explored(threads);
            assert_eq!(shared.stored, alone.stored, "{family} {size}");
            assert!(shared.sent > 0 && shared.arrived > 0, "{family} {size}");
            // How many more depends on who is faster; half as many again would be a bug.
            assert!(shared.visited <= alone.visited * 3 / 2, "{family} {size}: {}", shared.visited);
        }
    }
}

/// Paper 4, section 3.4.
#[test]
fn shortest_traces_are_shortest() {
    let (mut found, mut longer) = (0, 0);
    for seed in seeds(250) {
        let made = make(seed, 0);
        let model = Model::from_network(made.clone()).expect("a valid network");
        for label in ["goal", "other"] {
            let question = Question::labels(&model, &[label]).expect("a label of the model");
            let traced = |threads, trace| {
                let options = Options { threads, trace: Some(trace), ..Options::default() };
                let plan = options.plan(&model, &question).expect("a sound plan");
                check(&model, &question, &plan, Control::default())
            };
            let alone = traced(1, TraceKind::Shortest);
            for threads in [2, 4] {
                let shared = traced(threads, TraceKind::Shortest);
                assert_eq!(shared.verdict, alone.verdict, "DWELL_SEED={seed}\n{}", describe(&made));
                if shared.verdict != Verdict::Satisfied {
                    continue;
                }
                let length = |report: &dwell_engine::Report| report.trace.as_ref().map(|t| t.steps.len());
                assert_eq!(length(&shared), length(&alone), "DWELL_SEED={seed}\n{}", describe(&made));
                replayed(&made, shared.trace.as_ref().expect("a trace")).expect("a run of the model");
                found += 1;
                let any = traced(threads, TraceKind::Some);
                longer += usize::from(length(&any) > length(&shared));
            }
        }
    }
    println!("{found} shortest traces, {longer} others were longer");
    assert!(found > 50 || std::env::var_os("DWELL_SEED").is_some());
}
