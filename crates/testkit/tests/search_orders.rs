//! Orders that make few mistakes or none (paper 5, table 1), on our families.

use dwell_base::Rng;
use dwell_engine::{Model, Options, Question, Stats, StoredState, check, stored_states};
use dwell_model::Network;
use dwell_testkit::random::{Config, describe, network};
use dwell_testkit::seeds::seeds;

/// Every order that needs nothing but the model.
const ORDERS: [&str; 11] = [
    "dfs",
    "random-dfs",
    "random",
    "depth",
    "reversed-depth",
    "ranking",
    "true-zone",
    "waiting",
    "tw-bfs",
    "adaptive",
    "auto",
];

fn explored(family: &str, size: u32, order: &str) -> Stats {
    explored_text(&dwell_families::generate(family, size).expect("a model of ours"), order)
}

fn explored_text(text: &str, order: &str) -> Stats {
    let model = Model::from_tchecker(text, &Default::default()).expect("a correct model");
    let mut options = Options::default();
    options.set("order", order).expect("an order");
    let question = Question::space();
    let plan = options.plan(&model, &question).expect("a sound plan");
    check(&model, &question, &plan, Default::default()).stats
}

#[test]
fn tw_bfs_makes_no_mistakes_where_none_are_needed() {
    for (family, size) in [("fischer", 6), ("lynch", 6), ("csmacd", 7), ("fddi", 8)] {
        let (bfs, tw_bfs) = (explored(family, size, "bfs"), explored(family, size, "tw-bfs"));
        assert_eq!(tw_bfs.mistakes(), 0, "{family} {size}");
        assert_eq!(tw_bfs.visited, bfs.stored, "{family} {size}");
        assert_eq!(tw_bfs.max_stored, tw_bfs.stored, "{family} {size}");
    }
}

#[test]
fn each_half_of_it_helps_where_the_paper_says() {
    assert_eq!(explored("fischer", 6, "true-zone").mistakes(), 0);
    assert_eq!(explored("lynch", 6, "true-zone").mistakes(), 0);
    assert_eq!(explored("fddi", 8, "waiting").mistakes(), 0);
    // Without true zones the waiting order is worse than breadth first on lynch.
    assert!(explored("lynch", 6, "waiting").mistakes() > explored("lynch", 6, "bfs").mistakes());
    // fddi has no true zones.
    let but_bytes = |stats: Stats| Stats { held_bytes: 0, ..stats };
    assert_eq!(but_bytes(explored("fddi", 8, "true-zone")), but_bytes(explored("fddi", 8, "bfs")));
}

#[test]
fn what_is_stored_in_the_end_does_not_depend_on_the_order() {
    for (family, size) in [("fischer", 5), ("lynch", 5), ("csmacd", 6), ("fddi", 6), ("critical-region", 3)] {
        let bfs = explored(family, size, "bfs");
        for order in ORDERS {
            assert_eq!(explored(family, size, order).stored, bfs.stored, "{family} {size} {order}");
        }
    }
}

#[test]
fn ranking_meets_the_figures_of_the_paper_on_fddi() {
    // Visited, mistakes and ranking visits of FD-8 and FD-10 in table 1.
    for (size, figures) in [(8, (437, 96, 579)), (10, (684, 159, 1168))] {
        let stats = explored("fddi", size, "ranking");
        assert_eq!((stats.visited, stats.mistakes(), stats.ranking_visits), figures);
        assert_eq!(stats.max_stored, stats.stored);
    }
}

#[test]
fn ranking_overtakes_only_what_waits() {
    // Visited and mistakes of CR-3 in table 1; with rank 1 where nothing waits below, 1,546 and 323.
    let stats = explored("critical-region-formats15", 3, "ranking");
    assert_eq!((stats.visited, stats.mistakes()), (1532, 309));
    // There 9,641.
    assert_eq!(explored("csmacd-full", 7, "ranking").visited, 2633);
}

#[test]
fn the_waiting_order_of_fddi_does_not_hang_on_the_sequence_of_its_edges() {
    let text = dwell_families::generate("fddi", 8).expect("a model of ours");
    let (mut edges, others): (Vec<&str>, Vec<&str>) = text.lines().partition(|l| l.starts_with("edge:"));
    let (syncs, others): (Vec<&str>, Vec<&str>) = others.into_iter().partition(|l| l.starts_with("sync:"));
    let rng = &mut Rng::new(1);
    for _ in 0..10 {
        for i in (1..edges.len()).rev() {
            edges.swap(i, rng.below(i as u64 + 1) as usize);
        }
        let text = [&others[..], &edges, &syncs].concat().join("\n") + "\n";
        assert_eq!(explored_text(&text, "tw-bfs").mistakes(), 0, "{text}");
        assert_eq!(explored_text(&text, "auto").mistakes(), 0, "{text}");
    }
}

#[test]
fn adaptive_is_tw_bfs_where_that_makes_no_mistakes_and_changes_where_it_does() {
    let but_bytes = |stats: Stats| Stats { held_bytes: 0, ..stats };
    for (family, size) in [("fischer", 6), ("csmacd-full", 6), ("fddi", 8), ("dining-philosophers", 5)] {
        let [tw_bfs, adaptive] = ["tw-bfs", "adaptive"].map(|order| explored(family, size, order));
        assert_eq!(but_bytes(tw_bfs), but_bytes(adaptive), "{family} {size}");
    }
    for (family, size) in [("flexray", 2), ("critical-region", 3)] {
        assert!(explored(family, size, "adaptive").changed_after.is_some(), "{family} {size}");
    }
}

#[test]
fn one_machine_searches_by_depth_when_it_searches_breadth_first() {
    for (family, size) in [("fischer", 5), ("critical-region", 3), ("fddi", 6)] {
        let (bfs, depth) = (explored(family, size, "bfs"), explored(family, size, "depth"));
        assert_eq!((bfs.visited, bfs.mistakes()), (depth.visited, depth.mistakes()), "{family} {size}");
    }
}

/// The bounds of `docs/techniques/order.md`, on models that are quickly explored.
#[test]
fn auto_is_near_the_best_order_and_never_much_worse_than_breadth_first() {
    let sizes = [
        ("blowup", 8),
        ("corsso", 2),
        ("critical-region", 3),
        ("critical-region-formats15", 3),
        ("csmacd", 6),
        ("csmacd-full", 6),
        ("dining-philosophers", 5),
        ("fddi", 8),
        ("fischer", 5),
        ("flexray", 2),
        ("lynch", 5),
        ("parallel", 6),
        ("train-gate", 3),
    ];
    for (family, size) in sizes {
        let visited = explored(family, size, "auto").visited;
        let bfs = explored(family, size, "bfs").visited;
        let best = ORDERS.iter().map(|order| explored(family, size, order).visited).min();
        let best = best.expect("there are orders").min(bfs);
        assert!(visited * 100 <= bfs * 105, "{family} {size}: {visited}, breadth first {bfs}");
        assert!(visited * 100 <= best * 105, "{family} {size}: {visited}, best {best}");
    }
}

/// All zones of a random network under an order and abstraction, in a fixed
/// sequence.
fn stored(network: &Network, order: &str, abstraction: &str) -> Option<Vec<StoredState>> {
    let model = Model::from_network(network.clone()).expect("a valid network");
    let mut options = Options::default();
    options.set("order", order).expect("an order");
    options.set("abstraction", abstraction).expect("an abstraction");
    let plan = options.plan(&model, &Question::space()).ok()?;
    let mut states = stored_states(&model, &plan).ok()?;
    states.sort();
    Some(states)
}

/// Extra-M and Extra-LU are monotone: a larger zone becomes no smaller, so the
/// largest zones are stored in the end whatever came first.
#[test]
fn what_is_stored_does_not_depend_on_the_order_for_monotone_abstractions() {
    let mut compared = 0;
    for seed in seeds(400) {
        let config = [Config::small(), Config::timed(), Config::loud()][seed as usize % 3].clone();
        let config = Config { risky_percent: 0, risky_guard_percent: 0, ..config };
        let made = network(&mut Rng::new(seed), &config);
        let abstraction = ["extra-m", "extra-lu"][seed as usize / 3 % 2];
        let Some(bfs) = stored(&made, "bfs", abstraction) else { continue };
        for order in ORDERS {
            let found = stored(&made, order, abstraction);
            let same = found.as_ref() == Some(&bfs);
            assert!(same, "DWELL_SEED={seed}, {order}, {abstraction}\n{}", describe(&made));
            compared += 1;
        }
    }
    println!("{compared} pairs of sets are the same");
}
