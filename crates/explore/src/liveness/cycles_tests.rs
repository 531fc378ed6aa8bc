//! Loops and time, on small graphs, against all sets of edges.

use super::cycles::Graph;
use super::effects::{Clocks, Effect};
use dwell_base::Rng;
use dwell_base::limits::Limits;

/// From, to, effect.
type Edge = (u32, u32, Effect);

fn all_runs_end(nodes: u32, edges: &[Edge], timed: bool) -> bool {
    let (mut ranges, mut sorted, mut effects) = (Vec::new(), Vec::new(), Vec::new());
    for node in 0..nodes {
        let begin = sorted.len() as u32;
        for &(_, to, effect) in edges.iter().filter(|(from, ..)| *from == node) {
            sorted.push((to, effects.len() as u32));
            effects.push(effect);
        }
        ranges.push((begin, sorted.len() as u32));
    }
    Graph { ranges: &ranges, edges: &sorted, effects: &effects }
        .all_runs_end(timed, &Limits::default())
        .is_ok()
}

/// Whether each of these edges can be taken after each other one.
fn goes_round(edges: &[Edge]) -> bool {
    edges.iter().all(|&(_, start, _)| {
        let mut seen = vec![start];
        while let Some(&(_, to, _)) =
            edges.iter().find(|(from, to, _)| seen.contains(from) && !seen.contains(to))
        {
            seen.push(to);
        }
        edges.iter().all(|(from, ..)| seen.contains(from))
    })
}

/// Whether a run may take exactly these edges for ever, as far as the rules say.
fn stands(edges: &[Edge], timed: bool) -> bool {
    if edges.is_empty() || !goes_round(edges) {
        return false;
    }
    let any = |part: fn(&Effect) -> Clocks| edges.iter().fold(0, |all, (.., effect)| all | part(effect));
    let diverges = any(|e| e.bounded) & !any(Effect::assigned) == 0;
    let converges = any(|e| e.zeroed) & any(|e| e.late) & !any(|e| e.set) == 0;
    !timed || diverges || converges
}

fn expected(edges: &[Edge], timed: bool) -> bool {
    (0u32..1 << edges.len()).all(|chosen| {
        let some: Vec<Edge> =
            edges.iter().enumerate().filter(|(i, _)| chosen >> i & 1 == 1).map(|(_, &e)| e).collect();
        !stands(&some, timed)
    })
}

#[test]
fn a_loop_ends_if_it_takes_time_and_time_is_short() {
    let loops = |effect| [(0, 1, effect), (1, 0, Effect::default())];
    let plain = Effect::default();
    assert!(!all_runs_end(2, &loops(plain), true));
    assert!(all_runs_end(2, &[(0, 1, plain)], false));
    let takes_time = Effect { zeroed: 1, late: 1, ..plain };
    assert!(!all_runs_end(2, &loops(takes_time), true), "time may diverge");
    let short = Effect { bounded: 2, ..plain };
    assert!(!all_runs_end(2, &loops(short), true), "it may take no time");
    let both = Effect { bounded: 2, ..takes_time };
    assert!(all_runs_end(2, &loops(both), true));
    assert!(!all_runs_end(2, &loops(both), false));
    assert!(!all_runs_end(2, &loops(Effect { set: 2, ..both }), true), "the short clock is set again");
}

#[test]
fn the_rules_say_what_all_sets_of_edges_say() {
    let mut rng = Rng::new(5);
    let mut ended = 0;
    for round in 0..20_000 {
        let nodes = 1 + rng.below(4) as u32;
        let mut clocks = |share: u64| (0..3).filter(|_| rng.below(share) == 0).fold(0, |all, x| all | 1 << x);
        let sets = round % 4 == 0;
        let effects: Vec<Effect> = (0..9)
            .map(|_| {
                let set = if sets { clocks(6) } else { 0 };
                Effect { zeroed: clocks(3) & !set, set, late: clocks(2), bounded: clocks(2) }
            })
            .collect();
        let edges: Vec<Edge> = effects
            .into_iter()
            .take(rng.below(10) as usize)
            .map(|e| (rng.below(nodes.into()) as u32, rng.below(nodes.into()) as u32, e))
            .collect();
        for timed in [true, false] {
            let (found, naive) = (all_runs_end(nodes, &edges, timed), expected(&edges, timed));
            assert!(!found || naive, "round {round}: {edges:?}");
            assert!(sets || found == naive, "round {round}: {edges:?}");
            ended += u32::from(found && timed);
        }
    }
    assert!(ended > 1_000, "{ended} graphs whose runs end");
}
