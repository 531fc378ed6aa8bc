//! The real mailboxes under a schedule explorer: whatever thread runs when, every node is expanded, nobody waits
//! for ever (there is no clock that would wake a worker up), and all leave.
//!
//! `cargo test -p dwell-parallel --features shuttle --test schedules`

mod toy;

use dwell_base::Rng;
use dwell_explore::{Rest, Worker};
use dwell_parallel::threads;
use shuttle::thread;
use toy::{Graph, Toy, lots, tight};

/// Graphs, and schedules for each.
const GRAPHS: u64 = 12;
const SCHEDULES: usize = 1_000;

/// Explores a graph; worker `stops` ends the run after its third step.
fn explore(seed: u64, stops: Option<Worker>) {
    let mut rng = Rng::new(seed);
    let graph = Graph::random(&mut rng, 8, 3);
    let tuning = if seed % 3 == 0 { lots(&mut rng) } else { tight(&mut rng) };
    let workers = 2 + (seed % 2) as Worker;
    let ends = threads::connect(workers);
    let handles: Vec<_> = ends
        .into_iter()
        .zip(0..)
        .map(|(end, me)| {
            let graph = graph.clone();
            thread::spawn(move || {
                let mut toy = Toy::new(&graph, end, tuning);
                let mut steps = 0;
                let end = loop {
                    if let Some(end) = toy.step() {
                        break end;
                    }
                    steps += 1;
                    if steps == 3 && stops == Some(me) {
                        toy.post.stop();
                    }
                };
                assert!(end == Rest::Stopped || !toy.busy());
                toy.post.finish();
                (end, toy.expanded)
            })
        })
        .collect();
    let done: Vec<(Rest, Vec<u32>)> =
        handles.into_iter().map(|handle| handle.join().expect("no panic")).collect();
    if stops.is_some() {
        return;
    }
    assert!(done.iter().all(|(end, _)| *end == Rest::Over));
    let mut expanded: Vec<u32> = done.into_iter().flat_map(|(_, expanded)| expanded).collect();
    expanded.sort_unstable();
    assert_eq!(expanded, graph.reachable().into_iter().collect::<Vec<_>>());
}

#[test]
fn random_schedules() {
    for seed in 0..GRAPHS {
        shuttle::check_random(move || explore(seed, None), SCHEDULES);
    }
}

/// Few changes of the running thread, at the worst places.
#[test]
fn schedules_by_priority() {
    for seed in 0..GRAPHS {
        shuttle::check_pct(move || explore(seed, None), SCHEDULES, 3);
    }
}

#[test]
fn stopping() {
    for seed in 0..GRAPHS {
        shuttle::check_random(move || explore(seed, Some((seed % 2) as Worker)), SCHEDULES);
    }
}
