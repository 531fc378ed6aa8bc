//! Orders that make few mistakes or none (paper 5, table 1), on our families.

use dwell_engine::{Model, Options, Question, Stats, check};

fn explored(family: &str, size: u32, order: &str) -> Stats {
    let text = dwell_families::generate(family, size).expect("a model of ours");
    let model = Model::from_tchecker(&text, &Default::default()).expect("a correct model");
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
        for order in ["dfs", "random-dfs", "true-zone", "waiting", "tw-bfs"] {
            assert_eq!(explored(family, size, order).stored, bfs.stored, "{family} {size} {order}");
        }
    }
}
