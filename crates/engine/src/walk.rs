//! Random walks through the symbolic states, to learn how often edges are
//! taken (paper 3, section 4: *random walk coefficients*).
//!
//! A walk takes any transition that is possible, each equally likely, and
//! starts again at a deadlock, at a run-time error and now and then. Zones are
//! exact. What all walks may cost is bounded and counted in steps, not in time:
//! the same seed gives the same coefficients on every machine.

use dwell_base::Rng;
use dwell_covering::Coefficients;
use dwell_model::System;
use dwell_semantics::{Moves, Role, Stepper, SymbolicState, Transitions, ZoneFault, ZoneSystem};

/// Most transitions of all walks.
const TRANSITIONS: u64 = 4_000;

/// Most transitions of one walk.
const LENGTH: u64 = 500;

/// Most cells of zones, moves and tries that may be looked at.
const WORK: u64 = 20_000_000;

/// Walks through a system; uniform coefficients where that is not possible.
pub fn random_walk(system: &System, seed: u64) -> Coefficients {
    let network = &system.network;
    let Ok(zones) = ZoneSystem::<i32>::new(system) else {
        return Coefficients::uniform(network).with_seed(seed);
    };
    let transitions = Transitions::new(system);
    let stepper = Stepper { system, transitions: &transitions, zones: &zones };
    let cells = (system.zone_dimension() * system.zone_dimension()) as u64;
    let mut walker = Walker {
        stepper,
        rng: Rng::new(seed),
        counts: network.processes.iter().map(|p| vec![0; p.edges.len()]).collect(),
        transitions: 0,
        work: 0,
        cells,
    };
    // A model that fails at once is not tried for ever.
    for _ in 0..TRANSITIONS {
        if walker.is_done() {
            break;
        }
        // A walk that ends in an error has counted what came before it.
        let _ = walker.walk();
    }
    if walker.transitions == 0 {
        return Coefficients::uniform(network).with_seed(seed);
    }
    Coefficients::from_counts(network, &walker.counts, walker.transitions).with_seed(seed)
}

struct Walker<'s> {
    stepper: Stepper<'s, i32>,
    rng: Rng,
    counts: Vec<Vec<u64>>,
    transitions: u64,
    work: u64,
    /// Of a zone.
    cells: u64,
}

impl Walker<'_> {
    fn is_done(&self) -> bool {
        self.transitions >= TRANSITIONS || self.work >= WORK
    }

    fn walk(&mut self) -> Result<(), ZoneFault> {
        let processes = &self.stepper.system.network.processes;
        let start: Vec<_> = processes.iter().map(|p| *self.rng.pick(&p.initial)).collect();
        self.work += self.cells + 1;
        let mut states = self.stepper.initial(&start)?;
        for _ in 0..LENGTH {
            if states.is_empty() || self.is_done() {
                break;
            }
            let at = self.rng.below(states.len() as u64) as usize;
            states = self.step(&states[at])?;
        }
        Ok(())
    }

    /// The states after a transition of this one; none at a deadlock.
    fn step(&mut self, state: &SymbolicState<i32>) -> Result<Vec<SymbolicState<i32>>, ZoneFault> {
        let moves = self.stepper.moves(state)?;
        self.work += moves.len() as u64;
        let mut order: Vec<usize> = (0..moves.len()).collect();
        while !order.is_empty() {
            let next = order.swap_remove(self.rng.below(order.len() as u64) as usize);
            self.work += self.cells;
            let states = self.stepper.step(state, moves.get(next))?;
            if !states.is_empty() {
                self.count(&moves, next);
                return Ok(states);
            }
        }
        Ok(Vec::new())
    }

    fn count(&mut self, moves: &Moves, taken: usize) {
        self.transitions += 1;
        for p in moves.get(taken).iter().filter(|p| p.role == Role::Takes) {
            self.counts[p.process as usize][p.edge as usize] += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Model;

    fn walked(text: &str) -> (Model, Coefficients) {
        let model = Model::from_tchecker(text, &Default::default()).expect("a correct model");
        let found = random_walk(model.system(), 7);
        (model, found)
    }

    #[test]
    fn edges_are_counted_as_often_as_they_are_taken() {
        let (_, found) = walked(
            "system:s\nevent:a\nprocess:P\nclock:1:x\nlocation:P:l{initial:}\nlocation:P:m{}\n\
             edge:P:l:m:a\nedge:P:m:l:a\nedge:P:m:l:a{provided: x<0}\n",
        );
        assert!((found.of(0, 0) - 0.5).abs() < 0.01 && (found.of(0, 1) - 0.5).abs() < 0.01);
        assert!(found.of(0, 2) < 0.001 && found.of(0, 2) > 0.0);
    }

    #[test]
    fn deadlocks_and_errors_end_walks_and_nothing_else() {
        let (_, stuck) = walked("system:s\nevent:a\nprocess:P\nlocation:P:l{initial:}\n");
        assert_eq!(stuck.seed, 7);
        let (_, failing) = walked(
            "system:s\nevent:a\nprocess:P\nint:1:0:2:0:i\nlocation:P:l{initial:}\nedge:P:l:l:a{do: i=i+1}\n",
        );
        assert!(failing.of(0, 0) > 0.9);
    }

    #[test]
    fn the_same_seed_gives_the_same_walk() {
        let text = two_processes();
        let (model, first) = walked(&text);
        let (_, second) = walked(&text);
        let all: Vec<(u32, u32)> = dwell_covering::entry_points(model.network()).iter().collect();
        assert!(!all.is_empty());
        assert!(all.iter().all(|&(p, e)| first.of(p, e).to_bits() == second.of(p, e).to_bits()));
    }

    /// With a choice each.
    fn two_processes() -> String {
        let process = |p: &str| {
            format!(
                "process:{p}\nclock:1:x{p}\nlocation:{p}:a{{initial: : invariant: x{p}<=3}}\nlocation:{p}:b{{}}\n\
                 edge:{p}:a:b:e{{provided: x{p}>=1}}\nedge:{p}:b:a:e{{do: x{p}=0}}\nedge:{p}:b:b:e\n"
            )
        };
        format!("system:s\nevent:e\n{}{}", process("P"), process("Q"))
    }
}
