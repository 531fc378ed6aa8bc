//! `--order waiting`: what others may still lead to waits.
//!
//! Paper 5, section 4: a state is not explored while there are states from
//! which its locations may be reached, since those may bring a larger zone.
//! "May be reached" is an order of the locations of each automaton, the
//! topological order of what is left of its graph when a depth-first search has
//! taken the edges away that lead back; location vectors are ordered point by
//! point (definition 1).
//!
//! WS-1 The heap needs a total order that extends the point-wise one: the sum
//!      of the positions.

use super::Rank;
use dwell_model::System;
use dwell_semantics::Discrete;
use dwell_zones::{Bound, Zone};

/// Positions of the locations in the order of their process.
#[derive(Clone, Debug)]
pub struct Waiting {
    /// `positions[process][location]`.
    positions: Vec<Vec<u32>>,
}

impl Waiting {
    /// The order that a depth-first search from the initial locations gives.
    pub fn new(system: &System) -> Self {
        Self { positions: (0..system.processes.len()).map(|process| positions(system, process)).collect() }
    }

    #[inline]
    pub(super) fn position(&self, state: &Discrete) -> i64 {
        let positions = self.positions.iter().zip(&state.locations);
        positions.map(|(process, &location)| i64::from(process[location as usize])).sum() // WS-1
    }
}

/// The reverse of the order in which a depth-first search leaves locations: a
/// topological order of the graph without the edges that lead back.
fn positions(system: &System, process: usize) -> Vec<u32> {
    let compiled = &system.processes[process];
    let size = compiled.locations.len();
    let mut seen = vec![false; size];
    let mut left = Vec::new();
    let roots = system.network.processes[process].initial.iter().map(|l| l.index());
    for root in roots.chain(0..size) {
        let mut stack = vec![(root, 0)];
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        while let Some((location, next)) = stack.last_mut() {
            let Some(edge) = compiled.locations[*location].edges.get(*next) else {
                left.push(*location);
                stack.pop();
                continue;
            };
            *next += 1;
            let target = compiled.edges[edge.index()].target as usize;
            if !std::mem::replace(&mut seen[target], true) {
                stack.push((target, 0));
            }
        }
    }
    let mut positions = vec![0; size];
    // Locations that no initial one leads to come last among the roots, so
    // they come first in the reverse; they are never met.
    for (position, location) in left.into_iter().rev().enumerate() {
        positions[location] = position as u32;
    }
    positions
}

impl<B: Bound> Rank<B> for Waiting {
    #[inline]
    fn of(&self, state: &mut Discrete, _zone: &Zone<B>, _active: &[u16]) -> i64 {
        self.position(state)
    }
}
