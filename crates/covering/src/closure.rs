//! Which cycles are covered once some are: CLOSURE of the paper's figure 4.
//!
//! Counters instead of sets: each group knows how many of its members are not
//! covered yet and in how many processes, and (by exclusive or) which cycle or
//! process is left when it is one. So the clauses "all but the cycle itself"
//! and "all but those of its process" need no groups of their own, and covering
//! everything takes time linear in the size of the groups.

use crate::EdgeSet;
use crate::local::Local;
use crate::rules::Group;

/// The groups, the other way round.
#[derive(Debug)]
pub(crate) struct Clauses {
    pub groups: Vec<Group>,
    processes: Vec<u32>,
    /// For each cycle the groups it is in, with the slot that counts the
    /// members of its process there.
    member_of: Vec<Vec<(u32, u32)>>,
    slots: Vec<u32>,
    left: Vec<Left>,
}

/// What is not covered of a group.
#[derive(Clone, Copy, Debug, Default)]
struct Left {
    cycles: u32,
    cycles_xor: u32,
    processes: u32,
    processes_xor: u32,
}

/// Which cycles are covered.
#[derive(Clone, Debug)]
pub(crate) struct Covered {
    covered: Vec<bool>,
    slots: Vec<u32>,
    left: Vec<Left>,
    uncovered: usize,
    /// Everything covered, in order.
    trail: Vec<u32>,
    /// Steps taken.
    pub work: u64,
}

impl Clauses {
    pub fn new(local: &Local, groups: Vec<Group>) -> Self {
        let processes: Vec<u32> = local.cycles.iter().map(|c| c.process).collect();
        let mut member_of = vec![Vec::new(); processes.len()];
        let mut slots: Vec<u32> = Vec::new();
        let mut left = vec![Left::default(); groups.len()];
        for ((g, group), left) in groups.iter().enumerate().zip(&mut left) {
            let mut process = None;
            // Cycles are numbered by process.
            for &member in &group.members {
                let of = processes[member as usize];
                if process.replace(of) != Some(of) {
                    slots.push(0);
                    left.processes += 1;
                    left.processes_xor ^= of;
                }
                let slot = slots.len() - 1;
                slots[slot] += 1;
                left.cycles += 1;
                left.cycles_xor ^= member;
                member_of[member as usize].push((g as u32, slot as u32));
            }
        }
        Self { groups, processes, member_of, slots, left }
    }

    /// Nothing is covered but what cannot occur.
    pub fn start(&self) -> Covered {
        let mut state = Covered {
            covered: vec![false; self.processes.len()],
            slots: self.slots.clone(),
            left: self.left.clone(),
            uncovered: self.processes.len(),
            trail: Vec::new(),
            work: (self.slots.len() + self.left.len() + self.processes.len()) as u64 / 8,
        };
        let mut ready = Vec::new();
        (0..self.groups.len()).for_each(|g| self.fire(g, &mut state, &mut ready));
        self.propagate(&mut state, ready);
        state
    }

    /// What a set of edges covers.
    pub fn covered_by(&self, local: &Local, set: &EdgeSet) -> Covered {
        let mut state = self.start();
        for (process, edge) in set.iter() {
            for &cycle in &local.through[local.numbers.of(process, edge)] {
                self.cover(&mut state, cycle);
            }
        }
        state
    }

    /// Covers a cycle and all that follow.
    pub fn cover(&self, state: &mut Covered, cycle: u32) {
        self.propagate(state, vec![cycle]);
    }

    fn propagate(&self, state: &mut Covered, mut ready: Vec<u32>) {
        while let Some(cycle) = ready.pop() {
            state.work += 1;
            if std::mem::replace(&mut state.covered[cycle as usize], true) {
                continue;
            }
            state.trail.push(cycle);
            state.uncovered -= 1;
            for &(g, slot) in &self.member_of[cycle as usize] {
                state.work += 1;
                let (g, process) = (g as usize, self.processes[cycle as usize]);
                let left = &mut state.left[g];
                left.cycles -= 1;
                left.cycles_xor ^= cycle;
                state.slots[slot as usize] -= 1;
                let process_done = state.slots[slot as usize] == 0;
                if process_done {
                    left.processes -= 1;
                    left.processes_xor ^= process;
                }
                if left.cycles <= 1 || (process_done && left.processes <= 1) {
                    self.fire(g, state, &mut ready);
                }
            }
        }
    }

    /// Lists the heads of a group that need nothing more of it.
    fn fire(&self, g: usize, state: &mut Covered, ready: &mut Vec<u32>) {
        let (group, left) = (&self.groups[g], state.left[g]);
        let one_process = group.does.is_sync() && left.processes <= 1;
        if left.cycles > 1 && !one_process {
            return;
        }
        state.work += group.heads.len() as u64;
        let covered = &state.covered;
        ready.extend(group.heads.iter().copied().filter(|&head| {
            let itself = left.cycles == 1 && left.cycles_xor == head;
            let own = one_process && left.processes_xor == self.processes[head as usize];
            !covered[head as usize] && (left.cycles == 0 || itself || own)
        }));
    }

    /// Takes back everything covered after the first `keep` cycles.
    pub fn undo(&self, state: &mut Covered, keep: usize) {
        while state.trail.len() > keep {
            let cycle = state.trail.pop().expect("longer");
            state.covered[cycle as usize] = false;
            state.uncovered += 1;
            for &(g, slot) in &self.member_of[cycle as usize] {
                let left = &mut state.left[g as usize];
                left.cycles += 1;
                left.cycles_xor ^= cycle;
                if state.slots[slot as usize] == 0 {
                    left.processes += 1;
                    left.processes_xor ^= self.processes[cycle as usize];
                }
                state.slots[slot as usize] += 1;
            }
        }
    }
}

impl Covered {
    pub fn has(&self, cycle: u32) -> bool {
        self.covered[cycle as usize]
    }

    /// How many are not covered.
    pub fn uncovered(&self) -> usize {
        self.uncovered
    }

    /// How many are.
    pub fn count(&self) -> usize {
        self.trail.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::local::LocalCycle;
    use crate::rules::Does;
    use dwell_base::Rng;
    use dwell_model::Network;
    use std::collections::BTreeSet;

    /// Word by word: a head is covered when all members but itself, or but
    /// those of its process, are.
    fn naive(processes: &[u32], groups: &[Group], mut covered: BTreeSet<u32>) -> BTreeSet<u32> {
        loop {
            let before = covered.len();
            for group in groups {
                for &head in &group.heads {
                    let of = |cycle: u32| processes[cycle as usize];
                    let own =
                        |cycle| if group.does.is_sync() { of(cycle) == of(head) } else { cycle == head };
                    if group.members.iter().all(|&m| own(m) || covered.contains(&m)) {
                        covered.insert(head);
                    }
                }
            }
            if covered.len() == before {
                return covered;
            }
        }
    }

    #[test]
    fn counters_find_what_sets_find_and_can_be_taken_back() {
        let mut rng = Rng::new(3);
        for _ in 0..2_000 {
            let cycles = 1 + rng.below(12) as u32;
            let mut processes: Vec<u32> = (0..cycles).map(|_| rng.below(4) as u32).collect();
            processes.sort_unstable();
            let mut some = |percent| (0..cycles).filter(|_| rng.percent(percent)).collect::<Vec<u32>>();
            let kinds = [Does::Resets(0), Does::Sends(0, 1)];
            let groups: Vec<Group> =
                (0..6).map(|g| Group { does: kinds[g % 2], members: some(25), heads: some(25) }).collect();
            let mut local = Local::new(&Network::default(), Default::default());
            local.cycles =
                processes.iter().map(|&process| LocalCycle { process, edges: Vec::new() }).collect();
            let clauses = Clauses::new(&local, groups.clone());
            let mut state = clauses.start();
            let all = |state: &Covered| (0..cycles).filter(|&c| state.has(c)).collect::<BTreeSet<u32>>();
            let mut expected = naive(&processes, &groups, BTreeSet::new());
            assert_eq!(all(&state), expected);
            for _ in 0..3 {
                let cycle = rng.below(cycles.into()) as u32;
                let before = (state.count(), all(&state));
                clauses.cover(&mut state, cycle);
                expected.insert(cycle);
                expected = naive(&processes, &groups, expected);
                assert_eq!(all(&state), expected);
                assert_eq!(state.uncovered(), cycles as usize - expected.len());
                clauses.undo(&mut state, before.0);
                assert_eq!(all(&state), before.1);
                clauses.cover(&mut state, cycle);
                assert_eq!(all(&state), expected);
            }
        }
    }
}
