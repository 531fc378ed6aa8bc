//! The local cycles of a network, numbered.

use crate::EdgeSet;
use crate::cycles::{CycleLimits, Graph, cycles};
use crate::edge_set::Numbers;
use dwell_model::Network;

/// An elementary cycle of one process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalCycle {
    /// The process.
    pub process: u32,
    /// Its edges, one after the other.
    pub edges: Vec<u32>,
}

/// How many local cycles a process has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CycleCount {
    /// So many.
    Known(usize),
    /// Too many to list.
    TooMany,
}

/// When to stop listing cycles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Most cycles of one process.
    pub per_process: usize,
    /// Most cycles of all.
    pub cycles: usize,
    /// Most steps of the search in one process.
    pub work_per_process: u64,
    /// Most steps of all searches.
    pub work: u64,
}

impl Default for Limits {
    /// The paper's industrial models had 500 cycles at most.
    fn default() -> Self {
        Self { per_process: 2_000, cycles: 50_000, work_per_process: 300_000, work: 1_000_000 }
    }
}

/// The local cycles of the processes that have not too many.
#[derive(Clone, Debug)]
pub(crate) struct Local {
    pub numbers: Numbers,
    pub cycles: Vec<LocalCycle>,
    /// Numbers of the cycles through each edge, by its number.
    pub through: Vec<Vec<u32>>,
    /// By process.
    pub counts: Vec<CycleCount>,
}

impl Local {
    pub fn new(network: &Network, limits: Limits) -> Self {
        let numbers = Numbers::new(network);
        let mut all: Vec<LocalCycle> = Vec::new();
        let mut counts = Vec::new();
        let mut work_left = limits.work;
        for (p, process) in network.processes.iter().enumerate() {
            let here = CycleLimits {
                cycles: limits.per_process.min(limits.cycles - all.len()),
                work: limits.work_per_process.min(work_left),
            };
            let (found, work) = cycles(process, here);
            work_left -= work.min(work_left);
            counts.push(match &found {
                Some(cycles) => CycleCount::Known(cycles.len()),
                None => CycleCount::TooMany,
            });
            let with_process = |edges| LocalCycle { process: p as u32, edges };
            all.extend(found.into_iter().flatten().map(with_process));
        }
        let mut through = vec![Vec::new(); numbers.len()];
        for (c, cycle) in all.iter().enumerate() {
            for &edge in &cycle.edges {
                through[numbers.of(cycle.process, edge)].push(c as u32);
            }
        }
        Self { numbers, cycles: all, through, counts }
    }

    /// The processes with too many cycles.
    pub fn unlisted(&self) -> impl Iterator<Item = u32> {
        let all = self.counts.iter().enumerate();
        all.filter(|(_, count)| **count == CycleCount::TooMany).map(|(p, _)| p as u32)
    }

    /// Edges that hit every cycle of the processes with too many of them.
    pub fn back_edges(&self, network: &Network) -> EdgeSet {
        let mut set = EdgeSet::over(self.numbers.clone());
        for p in self.unlisted() {
            let (edges, _) = Graph::new(&network.processes[p as usize], |_| true).back_edges();
            edges.into_iter().for_each(|e| _ = set.insert(p, e));
        }
        set
    }

    /// The numbers of the edges of a cycle.
    pub fn edges(&self, cycle: u32) -> impl Iterator<Item = usize> {
        let cycle = &self.cycles[cycle as usize];
        cycle.edges.iter().map(|&e| self.numbers.of(cycle.process, e))
    }
}
