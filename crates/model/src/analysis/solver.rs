//! The fixpoint behind the clock bounds: unknowns, flows and worklists.

use crate::ClockId;
use std::collections::BTreeSet;

/// An unknown for every process, location and relevant clock of the process.
#[derive(Debug)]
pub(super) struct Unknowns {
    /// Relevant clocks by process, ascending.
    clocks: Vec<Vec<ClockId>>,
    /// First unknown of each process.
    base: Vec<usize>,
    len: usize,
}

impl Unknowns {
    /// Relevant clocks and number of locations, process by process.
    pub fn new(processes: impl Iterator<Item = (BTreeSet<ClockId>, usize)>) -> Self {
        let mut this = Self { clocks: Vec::new(), base: Vec::new(), len: 0 };
        for (clocks, locations) in processes {
            this.base.push(this.len);
            this.len += clocks.len() * locations;
            this.clocks.push(clocks.into_iter().collect());
        }
        this
    }

    /// Relevant clocks of a process.
    pub fn clocks(&self, process: usize) -> &[ClockId] {
        &self.clocks[process]
    }

    fn get(&self, (process, location): (usize, usize), clock: ClockId) -> Option<usize> {
        let clocks = &self.clocks[process];
        let rank = clocks.binary_search(&clock).ok()?;
        Some(self.base[process] + location * clocks.len() + rank)
    }
}

/// Bounds and activity of every unknown, and how they follow from each other.
#[derive(Debug)]
pub(super) struct Solver {
    pub unknowns: Unknowns,
    /// `None` is minus infinity.
    lower: Vec<Option<i32>>,
    upper: Vec<Option<i32>>,
    active: Vec<bool>,
    /// `(from, to, d)`: bound(to) >= bound(from) - d.
    flows: Vec<(u32, u32, i32)>,
}

impl Solver {
    pub fn new(unknowns: Unknowns) -> Self {
        let n = unknowns.len;
        Self {
            unknowns,
            lower: vec![None; n],
            upper: vec![None; n],
            active: vec![false; n],
            flows: Vec::new(),
        }
    }

    pub fn raise_lower(&mut self, at: (usize, usize), clock: ClockId, bound: i32) {
        if let Some(i) = self.unknowns.get(at, clock) {
            self.lower[i] = self.lower[i].max(Some(bound));
        }
    }

    pub fn raise_upper(&mut self, at: (usize, usize), clock: ClockId, bound: i32) {
        if let Some(i) = self.unknowns.get(at, clock) {
            self.upper[i] = self.upper[i].max(Some(bound));
        }
    }

    pub fn activate(&mut self, at: (usize, usize), clock: ClockId) {
        if let Some(i) = self.unknowns.get(at, clock) {
            self.active[i] = true;
        }
    }

    /// What is not an unknown has no bounds and passes none on.
    pub fn flow(&mut self, from: ((usize, usize), ClockId), to: ((usize, usize), ClockId), d: i32) {
        if let (Some(from), Some(to)) = (self.unknowns.get(from.0, from.1), self.unknowns.get(to.0, to.1))
            && from != to
        {
            self.flows.push((from as u32, to as u32, d));
        }
    }

    /// Least solution, by worklists. Shifts are never negative, so values
    /// never grow around a cycle and it ends.
    pub fn solve(&mut self) {
        self.flows.sort_unstable();
        self.flows.dedup();
        let mut starts = vec![0u32; self.active.len() + 1];
        for &(from, ..) in &self.flows {
            starts[from as usize + 1] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let flows = &self.flows;
        let from = |i: usize| &flows[starts[i] as usize..starts[i + 1] as usize];
        for values in [&mut self.lower, &mut self.upper] {
            let mut work: Vec<usize> = (0..values.len()).filter(|&i| values[i].is_some()).collect();
            while let Some(i) = work.pop() {
                let Some(value) = values[i] else { continue };
                for &(_, to, d) in from(i) {
                    // Below zero the comparison has one outcome whatever the clock is.
                    let wanted = value.checked_sub(d).filter(|&bound| bound >= 0);
                    if values[to as usize] < wanted {
                        values[to as usize] = wanted;
                        work.push(to as usize);
                    }
                }
            }
        }
        let mut work: Vec<usize> = (0..self.active.len()).filter(|&i| self.active[i]).collect();
        while let Some(i) = work.pop() {
            for &(_, to, _) in from(i) {
                if !std::mem::replace(&mut self.active[to as usize], true) {
                    work.push(to as usize);
                }
            }
        }
    }

    /// The clocks that are active at a location, with their bounds.
    pub fn active(
        &self,
        at: (usize, usize),
    ) -> impl Iterator<Item = (ClockId, Option<i32>, Option<i32>)> + '_ {
        let clocks = self.unknowns.clocks(at.0);
        let base = self.unknowns.base[at.0] + at.1 * clocks.len();
        let all = clocks.iter().enumerate().map(move |(rank, &clock)| (base + rank, clock));
        all.filter(|&(i, _)| self.active[i]).map(|(i, clock)| (clock, self.lower[i], self.upper[i]))
    }
}
