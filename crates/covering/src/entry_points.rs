//! Entry points of loops.
//!
//! Larsson, Larsen, Pettersson, Yi, *Efficient verification of real-time
//! systems: compact data structure and state-space reduction* (RTSS 1997):
//! every cycle of the state space goes through a loop of some automaton, and
//! every loop through a location where a depth-first search closes one. So the
//! states that enter such a location are enough. As in paper 3, channels are
//! looked at too: a process all of whose cycles need partners in others needs
//! no entry points itself.

use crate::EdgeSet;
use crate::closure::Clauses;
use crate::cycles::Graph;
use crate::local::{CycleCount, Limits, Local};
use crate::rules::{Which, groups};
use dwell_model::{Network, Process};

/// Most steps of looking for processes that need none.
const WORK: u64 = 3_000_000;

/// The edges into entry points: a covering set.
pub fn entry_points(network: &Network) -> EdgeSet {
    let local = Local::new(network, Limits::default());
    let clauses = Clauses::new(&local, groups(network, &local, Which::SyncOnly));
    let entries: Vec<Vec<u32>> = network.processes.iter().map(entries).collect();
    let mut kept = vec![true; network.processes.len()];
    let mut work = 0;
    // Processes with many such edges are left out first.
    let mut order: Vec<usize> = (0..kept.len())
        .filter(|&p| local.counts[p] != CycleCount::TooMany && !entries[p].is_empty())
        .collect();
    order.sort_by_key(|&p| std::cmp::Reverse(entries[p].len()));
    for p in order {
        if work > WORK {
            break;
        }
        kept[p] = false;
        let mut covered = clauses.start();
        for (c, cycle) in local.cycles.iter().enumerate() {
            if kept[cycle.process as usize] {
                clauses.cover(&mut covered, c as u32);
            }
        }
        kept[p] = covered.uncovered() > 0;
        work += covered.work + local.cycles.len() as u64;
    }
    let mut set = EdgeSet::empty(network);
    for (p, edges) in entries.iter().enumerate().filter(|(p, _)| kept[*p]) {
        edges.iter().for_each(|&e| _ = set.insert(p as u32, e));
    }
    set
}

/// The edges into the locations where a depth-first search closes a loop.
fn entries(process: &Process) -> Vec<u32> {
    let (closing, _) = Graph::new(process, |_| true).back_edges();
    let mut is_entry = vec![false; process.locations.len()];
    closing.iter().for_each(|&e| is_entry[process.edges[e as usize].target.index()] = true);
    let edges = process.edges.iter().enumerate();
    edges.filter(|(_, edge)| is_entry[edge.target.index()]).map(|(e, _)| e as u32).collect()
}
