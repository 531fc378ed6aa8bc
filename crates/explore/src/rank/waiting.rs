//! `--order waiting`: what others may still lead to waits.
//!
//! Paper 5, section 4: a state is not explored while there are states from
//! which its locations may be reached, since those may bring a larger zone.
//! "May be reached" is an order of the locations of each automaton, the
//! topological order of what is left of its graph when a depth-first search has
//! taken the edges away that lead back; location vectors are ordered point by
//! point (definition 1). Variables that say how far a process has come count
//! as automata.
//!
//! WS-1 The heap needs a total order that extends the point-wise one: the sum
//!      of the positions.

use super::Rank;
use super::control::{Control, variables};
use super::topology::{EdgeOrder, positions};
use dwell_model::System;
use dwell_semantics::Discrete;
use dwell_zones::{Bound, Zone};

/// Positions of the locations and values in their orders.
#[derive(Clone, Debug)]
pub struct Waiting {
    /// By location, one process after the other.
    locations: Vec<u32>,
    /// Where each process begins there.
    begins: Vec<u32>,
    variables: Vec<Control>,
}

impl Waiting {
    /// The order that depth-first searches from the initial locations give.
    pub fn new(system: &System, order: EdgeOrder) -> Self {
        let (mut locations, mut begins) = (Vec::new(), Vec::new());
        for (compiled, process) in system.processes.iter().zip(&system.network.processes) {
            let target = |edge: &dwell_model::EdgeId| compiled.edges[edge.index()].target;
            let successors =
                compiled.locations.iter().map(|l| l.edges.iter().map(target).collect()).collect();
            begins.push(locations.len() as u32);
            locations.extend(positions(successors, process.initial.iter().map(|l| l.index()), order));
        }
        Self { locations, begins, variables: variables(&system.network) }
    }

    #[inline]
    pub(super) fn position(&self, state: &Discrete) -> i64 {
        let locations = self.begins.iter().zip(&state.locations);
        let locations = locations.map(|(begin, at)| i64::from(self.locations[(begin + at) as usize]));
        let values = self.variables.iter().map(|v| v.position(state.registers[v.register]));
        locations.chain(values).sum() // WS-1
    }
}

impl<B: Bound> Rank<B> for Waiting {
    #[inline]
    fn of(&self, state: &mut Discrete, _zone: &Zone<B>, _active: &[u16]) -> i64 {
        self.position(state)
    }
}
