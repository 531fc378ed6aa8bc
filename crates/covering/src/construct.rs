//! The constructions of the paper's figure 4, with the heuristics of its
//! section 5.1.
//!
//! One phase (O1 to O5): choose an edge, cover the cycles through it and what
//! follows, until nothing is left. Two phases (T1 to T4): choose cycles that
//! cover all, then edges that hit these. What the paper does not do: edges that
//! are not needed in the end are taken out again, the most frequent first.
//! Every choice is determined: ties go to what comes first.

use crate::closure::{Clauses, Covered};
use crate::hitting::hitting_set;
use crate::local::Local;
use crate::{Coefficients, EdgeSet};
use dwell_base::Rng;

/// How a covering set is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heuristic {
    /// The least frequent edge of the most frequent cycle.
    O1,
    /// The edge with the most newly covered cycles for its frequency.
    O2,
    /// The edge with the most newly covered cycles.
    O3,
    /// Any edge, at random.
    O4,
    /// The most frequent edge.
    O5,
    /// The shortest cycles.
    T1,
    /// The longest cycles.
    T2,
    /// All cycles that change a variable or set a clock.
    T3,
    /// All cycles that are partners over a channel.
    T4,
}

impl Heuristic {
    /// All of them.
    pub const ALL: [Self; 9] =
        [Self::O1, Self::O2, Self::O3, Self::O4, Self::O5, Self::T1, Self::T2, Self::T3, Self::T4];

    /// The paper's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::O1 => "O1",
            Self::O2 => "O2",
            Self::O3 => "O3",
            Self::O4 => "O4",
            Self::O5 => "O5",
            Self::T1 => "T1",
            Self::T2 => "T2",
            Self::T3 => "T3",
            Self::T4 => "T4",
        }
    }
}

/// Most steps of closures that are tried out and taken back, for one
/// heuristic; after that an edge counts for the cycles through it.
const TRIAL_WORK: u64 = 1_000_000;

/// Most steps of finding out which edges are not needed, for one heuristic.
const TAKE_OUT_WORK: u64 = 200_000;

/// What the constructions work on.
pub(crate) struct Task<'a> {
    pub local: &'a Local,
    pub clauses: &'a Clauses,
    pub coefficients: &'a Coefficients,
    /// Edges that are in every set: they hit all cycles that are not listed.
    pub start: EdgeSet,
}

/// A set that grows until everything is covered.
struct Growing {
    set: EdgeSet,
    covered: Covered,
}

impl Task<'_> {
    pub fn construct(&self, heuristic: Heuristic) -> EdgeSet {
        let mut set = match heuristic {
            Heuristic::O1 => self.frequent_cycles(),
            Heuristic::O2 => self.greedy(|gain, weight| gain / weight),
            Heuristic::O3 => self.greedy(|gain, _| gain),
            Heuristic::O4 => self.in_order(self.shuffled()),
            Heuristic::O5 => {
                let mut edges: Vec<usize> = (0..self.local.through.len()).collect();
                edges.sort_by(|&a, &b| self.weight(b).total_cmp(&self.weight(a)));
                self.in_order(edges)
            }
            Heuristic::T1 => self.two_phases(|length| length),
            Heuristic::T2 => self.two_phases(std::cmp::Reverse),
            Heuristic::T3 => self.whole_groups(false),
            Heuristic::T4 => self.whole_groups(true),
        };
        self.take_out(&mut set);
        set
    }

    /// Takes out what is not needed.
    fn take_out(&self, set: &mut EdgeSet) {
        let mut edges: Vec<(u32, u32)> = set.iter().filter(|&(p, e)| !self.start.contains(p, e)).collect();
        edges.sort_by(|&(p, e), &(q, f)| self.coefficients.of(q, f).total_cmp(&self.coefficients.of(p, e)));
        let mut work = 0;
        for (process, edge) in edges {
            if work > TAKE_OUT_WORK {
                break;
            }
            set.remove(process, edge);
            let covered = self.clauses.covered_by(self.local, set);
            if covered.uncovered() > 0 {
                set.insert(process, edge);
            }
            work += covered.work;
        }
    }

    fn weight(&self, edge: usize) -> f64 {
        let (process, edge) = self.local.numbers.edge(edge);
        self.coefficients.of(process, edge)
    }

    fn begin(&self) -> Growing {
        Growing { set: self.start.clone(), covered: self.clauses.start() }
    }

    fn take(&self, growing: &mut Growing, edge: usize) {
        let (process, number) = self.local.numbers.edge(edge);
        growing.set.insert(process, number);
        for &cycle in &self.local.through[edge] {
            self.clauses.cover(&mut growing.covered, cycle);
        }
    }

    /// Uncovered cycles through an edge.
    fn open_through<'t>(&'t self, edge: usize, covered: &'t Covered) -> impl Iterator<Item = u32> + 't {
        self.local.through[edge].iter().copied().filter(|&cycle| !covered.has(cycle))
    }

    /// Takes edges in this order where something through them is left.
    fn in_order(&self, edges: Vec<usize>) -> EdgeSet {
        let mut growing = self.begin();
        for edge in edges {
            if self.open_through(edge, &growing.covered).next().is_some() {
                self.take(&mut growing, edge);
            }
        }
        growing.set
    }

    fn shuffled(&self) -> Vec<usize> {
        let mut rng = Rng::new(self.coefficients.seed);
        let mut edges: Vec<usize> = (0..self.local.through.len()).collect();
        for last in (1..edges.len()).rev() {
            edges.swap(last, rng.below(last as u64 + 1) as usize);
        }
        edges
    }

    /// O1. A cycle is as frequent as its edges in sum.
    fn frequent_cycles(&self) -> EdgeSet {
        let frequency = |cycle: u32| self.local.edges(cycle).map(|e| self.weight(e)).sum::<f64>();
        let mut cycles: Vec<(f64, u32)> =
            (0..self.local.cycles.len() as u32).map(|c| (frequency(c), c)).collect();
        cycles.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut growing = self.begin();
        for (_, cycle) in cycles {
            if growing.covered.has(cycle) {
                continue;
            }
            let least = |&a: &usize, &b: &usize| {
                let open = |edge| self.open_through(edge, &growing.covered).count();
                self.weight(a).total_cmp(&self.weight(b)).then_with(|| open(b).cmp(&open(a)))
            };
            let edge = self.local.edges(cycle).min_by(least).expect("cycles have edges");
            self.take(&mut growing, edge);
        }
        growing.set
    }

    /// O2 and O3: the edge with the best score of newly covered cycles and
    /// frequency; the less frequent one of equals.
    fn greedy(&self, score: impl Fn(f64, f64) -> f64) -> EdgeSet {
        let mut growing = self.begin();
        'choose: while growing.covered.uncovered() > 0 {
            let mut best: Option<(f64, f64, usize)> = None;
            for edge in 0..self.local.through.len() {
                if growing.covered.work > TRIAL_WORK {
                    break 'choose;
                }
                let gain = self.gain(&mut growing.covered, edge);
                if gain == 0 {
                    continue;
                }
                let weight = self.weight(edge);
                let new = (score(gain as f64, weight), -weight, edge);
                let better =
                    |old: &(f64, f64, usize)| new.0.total_cmp(&old.0).then(new.1.total_cmp(&old.1)).is_gt();
                if best.as_ref().is_none_or(better) {
                    best = Some(new);
                }
            }
            let Some((.., edge)) = best else { break };
            self.take(&mut growing, edge);
        }
        // Where that took too long: what is left, cycle by cycle.
        let open = (0..self.local.cycles.len() as u32).filter(|&c| !growing.covered.has(c)).collect();
        let rest = hitting_set(self.local, open, |hits, edge| score(hits as f64, self.weight(edge)));
        for edge in rest {
            if self.open_through(edge, &growing.covered).next().is_some() {
                self.take(&mut growing, edge);
            }
        }
        growing.set
    }

    /// How many cycles an edge would newly cover.
    fn gain(&self, covered: &mut Covered, edge: usize) -> usize {
        let before = covered.count();
        for &cycle in &self.local.through[edge] {
            self.clauses.cover(covered, cycle);
        }
        let gain = covered.count() - before;
        self.clauses.undo(covered, before);
        gain
    }

    /// T1 and T2: uncovered cycles by length.
    fn two_phases<K: Ord>(&self, key: impl Fn(usize) -> K) -> EdgeSet {
        let mut covered = self.clauses.start();
        let mut chosen = Vec::new();
        self.choose_by_length(key, &mut covered, &mut chosen);
        self.second_phase(chosen)
    }

    fn choose_by_length<K: Ord>(
        &self,
        key: impl Fn(usize) -> K,
        covered: &mut Covered,
        chosen: &mut Vec<u32>,
    ) {
        let mut cycles: Vec<u32> = (0..self.local.cycles.len() as u32).collect();
        cycles.sort_by_key(|&c| key(self.local.cycles[c as usize].edges.len()));
        for cycle in cycles {
            if !covered.has(cycle) {
                chosen.push(cycle);
                self.clauses.cover(covered, cycle);
            }
        }
    }

    /// T3 and T4: all cycles of the group that most uncovered cycles need, for
    /// its size; where none is left, the shortest cycles.
    fn whole_groups(&self, sync: bool) -> EdgeSet {
        let mut covered = self.clauses.start();
        let mut chosen = Vec::new();
        let groups = self.clauses.groups.iter().filter(|g| g.does.is_sync() == sync);
        let mut groups: Vec<_> = groups.collect();
        let mut work = 0;
        while covered.uncovered() > 0 && work < TRIAL_WORK {
            let mut best: Option<(f64, usize)> = None;
            for (at, group) in groups.iter().enumerate() {
                work += (group.members.len() + group.heads.len()) as u64;
                let open = |cycles: &[u32]| cycles.iter().filter(|&&c| !covered.has(c)).count() as f64;
                let score = open(&group.heads) / (open(&group.members) + 1.0);
                if score > best.map_or(0.0, |(score, _)| score) {
                    best = Some((score, at));
                }
            }
            let Some((_, at)) = best else { break };
            for &cycle in &groups.swap_remove(at).members {
                if !covered.has(cycle) {
                    chosen.push(cycle);
                }
            }
            chosen.iter().for_each(|&cycle| self.clauses.cover(&mut covered, cycle));
        }
        self.choose_by_length(|length| length, &mut covered, &mut chosen);
        self.second_phase(chosen)
    }

    /// Edges that hit the chosen cycles: many cycles for little frequency.
    fn second_phase(&self, chosen: Vec<u32>) -> EdgeSet {
        let mut set = self.start.clone();
        for edge in hitting_set(self.local, chosen, |hits, edge| hits as f64 / self.weight(edge)) {
            let (process, edge) = self.local.numbers.edge(edge);
            set.insert(process, edge);
        }
        set
    }
}
