//! A zone is copied twice at most: from the store into the memory of its
//! successor, and from there into the store.

use dwell_engine::{Model, Options, Question, check, stored_states};
use dwell_model::LocationId;
use dwell_oracle::{Discrete, step};

#[test]
fn a_zone_is_copied_at_most_twice_per_state() {
    let families = [("fischer", 4), ("csmacd", 4), ("critical-region", 2), ("fddi", 4), ("train-gate", 3)];
    for (name, size) in families {
        let text = dwell_families::generate(name, size).expect("a family");
        let model = Model::from_tchecker(&text, &Default::default()).expect("a correct model");
        for store in ["copy", "shared"] {
            // Nothing is dropped under equality: what is stored at the end is
            // what was inserted and what was expanded.
            let mut options = Options::default();
            options.set("cover", "equality").unwrap();
            options.set("store", store).unwrap();
            let plan = options.plan(&model, &Question::space()).unwrap();
            let stats = check(&model, &Question::space(), &plan, Default::default()).stats;
            assert_eq!((stats.stored, stats.mistakes()), (stats.visited, 0));
            let moves_of = |locations: Vec<u32>, vars| {
                let at = Discrete { locations: locations.into_iter().map(LocationId).collect(), vars };
                step::transitions(model.network(), &at).enabled.len() as u64
            };
            let stored = stored_states(&model, &plan).unwrap();
            let tried: u64 = stored.into_iter().map(|s| moves_of(s.locations, s.vars)).sum();
            let (copies, inserted) = (stats.zone_copies, stats.stored);
            println!(
                "{name} {size} {store}: {copies} copies, {tried} moves, {} successors, {inserted} inserted",
                stats.transitions
            );
            assert!(copies <= tried + inserted, "{name} {size}");
            // No state without the copy it needs: the counter does count.
            assert!(copies >= stats.transitions + inserted, "{name} {size}");
            // Guards are tested before anything is copied.
            assert!(copies == tried + inserted || stats.transitions < tried, "{name} {size}");
        }
    }
}
