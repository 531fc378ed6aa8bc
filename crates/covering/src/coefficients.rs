//! How often each edge is taken.

use crate::EdgeSet;
use crate::edge_set::Numbers;
use dwell_model::Network;

/// The share of transitions that take each edge, as far as it is known: the
/// paper's *random walk coefficients*. Also the seed of the heuristic that
/// chooses at random.
#[derive(Clone, Debug)]
pub struct Coefficients {
    numbers: Numbers,
    values: Vec<f64>,
    /// For random choices.
    pub seed: u64,
}

/// What an edge that was never seen counts for: it is not free, and of two
/// sets of such edges the smaller one is better.
const UNSEEN: f64 = 0.5;

impl Coefficients {
    /// Every edge as often as any other.
    pub fn uniform(network: &Network) -> Self {
        let numbers = Numbers::new(network);
        let values = vec![1.0 / numbers.len().max(1) as f64; numbers.len()];
        Self { numbers, values, seed: 1 }
    }

    /// From how often each edge (by process and edge) was taken in so many
    /// transitions.
    pub fn from_counts(network: &Network, counts: &[Vec<u64>], transitions: u64) -> Self {
        let numbers = Numbers::new(network);
        let all = transitions.max(1) as f64;
        let mut values = vec![UNSEEN / all; numbers.len()];
        for (p, edges) in counts.iter().enumerate().take(network.processes.len()) {
            for (e, &count) in edges.iter().enumerate().take(network.processes[p].edges.len()) {
                values[numbers.of(p as u32, e as u32)] = (count as f64).max(UNSEEN) / all;
            }
        }
        Self { numbers, values, seed: 1 }
    }

    /// With another seed.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// That of one edge.
    pub fn of(&self, process: u32, edge: u32) -> f64 {
        self.values[self.numbers.of(process, edge)]
    }

    /// The sum over a set: the share of transitions that take one of its
    /// edges, or a little more where one takes several.
    pub fn sum(&self, set: &EdgeSet) -> f64 {
        set.iter().map(|(p, e)| self.of(p, e)).sum()
    }
}
