//! Symbolic successors.

use super::{Dbm, State, differences};
use dwell_model::{ClockId, Network};
use dwell_oracle::eval::{self, Clocks};
use dwell_oracle::{Discrete, Participants, step};

/// Adds the clock invariants of all locations; false when nothing is left.
fn within_invariants(network: &Network, at: &State) -> Option<State> {
    let mut state = at.clone();
    for (process, location) in network.processes.iter().zip(&at.discrete.locations) {
        for constraint in &process.locations[location.index()].invariant.clocks {
            state.clocks.constrain(network, constraint, &at.discrete);
        }
    }
    state.clocks.close().then_some(state)
}

/// Enters a discrete state: invariants, delay if allowed, invariants.
fn enter(network: &Network, at: State) -> Option<State> {
    for (process, location) in network.processes.iter().zip(&at.discrete.locations) {
        let discrete = &process.locations[location.index()].invariant.discrete;
        if !eval::all_true(network, discrete, &at.discrete).expect("invariants do not fail") {
            return None;
        }
    }
    let mut state = within_invariants(network, &at)?;
    if step::delay_bar(network, &state).expect("guards do not fail").is_none() {
        state.clocks.up();
        state = within_invariants(network, &state)?;
    }
    Some(state)
}

/// The initial symbolic states.
pub fn initial(network: &Network) -> Vec<State> {
    let mut start = Dbm::zero(network.clocks.len() + 1);
    for (c, clock) in network.clocks.iter().enumerate() {
        start.assign(ClockId::new(c), None, clock.init).expect("a constant");
    }
    let all = step::initial(network).into_iter().map(|discrete| State { discrete, clocks: start.clone() });
    all.filter_map(|state| enter(network, state)).collect()
}

/// The successors of a symbolic state, without any abstraction. What lies
/// outside the invariants of the state itself is no state.
pub fn successors(network: &Network, from: &Discrete, zone: &Dbm) -> Vec<State> {
    let from = State { discrete: from.clone(), clocks: zone.clone() };
    let Some(from) = within_invariants(network, &from) else { return Vec::new() };
    let transitions = step::transitions(network, &from.discrete);
    assert!(transitions.failing.is_empty(), "guards do not fail");
    let mut found = Vec::new();
    for participants in &transitions.enabled {
        found.extend(taken(network, from.clone(), participants));
    }
    for broadcast in &transitions.timed {
        // Each process takes one of its edges, or all their guards are false.
        let mut ways: Vec<(Participants, Dbm)> = vec![(vec![broadcast.sender], from.clocks.clone())];
        for edges in &broadcast.receivers {
            let mut longer = Vec::new();
            for (participants, zone) in &ways {
                let with = |&edge| ([&participants[..], &[edge]].concat(), zone.clone());
                longer.extend(edges.iter().map(with));
                let none = refusing(network, &from.discrete, edges, zone);
                longer.extend(none.into_iter().map(|zone| (participants.clone(), zone)));
            }
            ways = longer;
        }
        for (participants, zone) in ways {
            if step::respects_committed(network, &from.discrete, &participants) {
                let part = State { discrete: from.discrete.clone(), clocks: zone };
                found.extend(taken(network, part, &participants));
            }
        }
    }
    found
}

/// The parts of a zone where no guard of these edges holds, each guard by its
/// first bound that does not: a zone that covers one part need not cover two.
fn refusing(network: &Network, at: &Discrete, edges: &Participants, zone: &Dbm) -> Vec<Dbm> {
    let mut parts = vec![zone.clone()];
    for &(process, edge) in edges {
        let guard = &step::edge(network, process, edge).guard.clocks;
        let bounds: Vec<_> = guard.iter().flat_map(|c| differences(network, c, at)).collect();
        let mut outside = Vec::new();
        for part in &parts {
            let mut before = part.clone();
            for &(i, j, (c, weak)) in &bounds {
                let mut fails = before.clone();
                fails.tighten(j, i, (-c, 1 - weak));
                if fails.close() {
                    outside.push(fails);
                }
                before.tighten(i, j, (c, weak));
            }
        }
        parts = outside;
    }
    parts
}

/// What a transition makes of a zone.
fn taken(network: &Network, mut state: State, participants: &Participants) -> Option<State> {
    let at = state.discrete.clone();
    for &(process, edge) in participants {
        for constraint in &step::edge(network, process, edge).guard.clocks {
            state.clocks.constrain(network, constraint, &at);
        }
    }
    if !state.clocks.close() {
        return None;
    }
    match step::update(network, &mut state, participants) {
        Ok(()) => enter(network, state),
        Err(eval::Refusal::OutOfRange { .. }) => None,
        Err(other) => panic!("updates do not fail: {other:?}"),
    }
}

/// All exact zones; `None` if there are too many.
pub fn exact_zones(network: &Network, most: usize) -> Option<Vec<State>> {
    let mut found: Vec<State> = Vec::new();
    let mut waiting = initial(network);
    while let Some(state) = waiting.pop() {
        let mut same = found.iter().filter(|old| old.discrete == state.discrete);
        if same.any(|old| state.clocks.included_in(&old.clocks)) {
            continue;
        }
        if found.len() == most {
            return None;
        }
        waiting.extend(successors(network, &state.discrete, &state.clocks));
        found.push(state);
    }
    Some(found)
}
