//! Static guard analysis: lower and upper bounds of clocks per location.
//!
//! Behrmann, Bouyer, Fleury, Larsen, *Static guard analysis in timed automata
//! verification* (TACAS 2003); L and U apart as in Behrmann, Bouyer, Larsen,
//! Pelánek (TACAS 2004). For every location `l` of every process and every
//! clock `x`, `L(l, x)` is the largest constant that `x` may be compared with
//! from below (`x > c`, `x >= c`) before it is next reset, `U(l, x)` the same
//! from above; no value means the clock is not compared that way. At a
//! location vector the maximum over the processes counts.
//!
//! The least solution of
//! B-1 a guard or invariant `x ~ c` at `l` (edges: at their source) gives
//!     `bound(l, x) >= c`, with the largest value of `c` that the variable
//!     ranges allow;
//! B-2 an edge `l -> m` whose update leaves `x` the value `y + d` (`y` may be
//!     `x` itself) gives `bound(l, y) >= bound(m, x) - d`: invariants and later
//!     guards of the target count before the edge, minus the shift;
//! B-3 if the update copies another clock (`y` is not `x`), then also
//!     `bound(l, y) >= bound(k, x) - d` for every location `k` of every other
//!     process, since the value of `x` matters there too;
//! B-4 a constant (`x := c`) gives nothing: what came before is forgotten;
//! B-5 a receiver on a broadcast channel takes part or its guard is false, so
//!     both sides of its clock guard count, as L and as U;
//! B-6 what a query compares counts everywhere: it is put down at every
//!     location of the first process;
//! B-7 so do the clocks of a difference `x - y ~ c`: once one of them is set
//!     to `k`, the other is compared with `c` and `k`, as L and as U.
//!
//! A clock that a process neither compares nor copies has no bounds at its
//! locations, so there are unknowns for the *relevant* clocks of a process
//! only: those it compares, and those it copies to a clock that is relevant
//! somewhere.
//!
//! Every participant of a synchronisation contributes at its own source, so
//! the guards of all are covered. A clock is *active* at `l` if it is compared
//! at all before its next reset, diagonals included.

use super::Interval;
use super::solver::{Solver, Unknowns};
use super::updates::{Source, Sources, function_sources, sources};
use crate::expr::{ClockConstraint, ClockRef, Guard, Relation, Stmt};
use crate::{ChannelKind, ClockId, Edge, Network, Sync, visit};
use std::collections::{BTreeMap, BTreeSet};

/// Bounds at one location, for the clocks that are active there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LocationBounds {
    /// Clock, L and U, by increasing clock.
    pub clocks: Vec<(ClockId, Option<i32>, Option<i32>)>,
}

/// What the analysis found.
#[derive(Clone, Debug)]
pub struct ClockFacts {
    /// Per process and location.
    pub local: Vec<Vec<LocationBounds>>,
    /// The maximum over all locations.
    pub global: LocationBounds,
    /// Some guard or invariant compares a difference of clocks.
    pub diagonals: bool,
    /// The differences compared; `None` when they cannot be listed (too many,
    /// or clocks are copied so that differences become others).
    pub differences: Option<BTreeSet<ComparedDifference>>,
    /// Largest absolute constant that can occur in a guard, an invariant or an
    /// update of a clock.
    pub largest_constant: i64,
}

/// `left - right < bound` or `<=`, or what is not so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub struct ComparedDifference {
    pub left: ClockId,
    pub right: ClockId,
    pub bound: i32,
    pub strict: bool,
}

/// More differences than these cannot be split at.
const MAX_DIFFERENCES: usize = 256;

impl ClockFacts {
    /// With the larger of L and U as both: for analyses that ask where guards
    /// are false.
    pub fn symmetric(&self) -> Self {
        let both = |bounds: &LocationBounds| LocationBounds {
            clocks: bounds.clocks.iter().map(|&(x, l, u)| (x, l.max(u), l.max(u))).collect(),
        };
        Self {
            local: self.local.iter().map(|process| process.iter().map(both).collect()).collect(),
            global: both(&self.global),
            ..self.clone()
        }
    }
}

struct Analysis<'n> {
    network: &'n Network,
    /// Sources of the clocks each edge touches, by process and edge.
    updates: Vec<Vec<Sources>>,
    /// Of what happens around every update.
    around: Vec<Sources>,
    solver: Solver,
    differences: Option<BTreeSet<ComparedDifference>>,
    diagonals: bool,
    largest: i64,
    /// Largest value a clock starts with or is set to.
    largest_reset: i32,
}

/// Runs the analysis for a network and what a query compares in its states.
pub fn clock_facts(network: &Network, asked: &[&ClockConstraint]) -> ClockFacts {
    let functions = function_sources(network);
    let sources = |update| sources(update, network, &functions);
    let updates: Vec<Vec<Sources>> =
        network.processes.iter().map(|p| p.edges.iter().map(|e| sources(&e.update)).collect()).collect();
    let around: Vec<Sources> = [&network.before_update, &network.after_update].map(sources).into();
    let relevant = relevant(network, &updates, &around, asked);
    let sizes = network.processes.iter().map(|p| p.locations.len());
    let unknowns = Unknowns::new(relevant.into_iter().zip(sizes));
    let solver = Solver::new(unknowns);
    let shifts = |(x, sources): (&ClockId, &Vec<Source>)| {
        sources.iter().any(|s| matches!(s, Source::Clock(y, d) if (y, *d) != (x, 0)))
    };
    let copies = updates.iter().flatten().chain(&around).any(|sources| sources.iter().any(shifts));
    let mut analysis = Analysis {
        network,
        updates,
        around,
        solver,
        differences: (!copies).then(BTreeSet::new),
        diagonals: false,
        largest: 0,
        largest_reset: 0,
    };
    analysis.collect();
    for constraint in asked {
        let locations = network.processes.first().map_or(0, |p| p.locations.len());
        (0..locations).for_each(|l| analysis.constraint((0, l), constraint)); // B-6
        analysis.note_constants(constraint);
    }
    analysis.split_differences();
    analysis.solver.solve();
    analysis.facts()
}

/// How many unknowns the analysis would have.
pub fn clock_unknowns(network: &Network) -> usize {
    let compared = compared(network, &[]);
    network.processes.iter().zip(compared).map(|(p, clocks)| p.locations.len() * clocks.len()).sum()
}

/// The clocks each process compares; a query's belong to the first process.
fn compared(network: &Network, asked: &[&ClockConstraint]) -> Vec<BTreeSet<ClockId>> {
    let mut found = Vec::new();
    for process in &network.processes {
        let invariants = process.locations.iter().map(|l| &l.invariant);
        let guards = invariants.chain(process.edges.iter().map(|e| &e.guard));
        found.push(guards.flat_map(|g| &g.clocks).flat_map(constraint_clocks).collect());
    }
    let everywhere = asked.iter().copied().chain(differences(network));
    if let Some(first) = found.first_mut() {
        BTreeSet::extend(first, everywhere.flat_map(constraint_clocks));
    }
    found
}

/// The constraints on differences of two clocks.
fn differences(network: &Network) -> impl Iterator<Item = &ClockConstraint> {
    let guards = network.processes.iter().flat_map(|process| {
        let invariants = process.locations.iter().map(|l| &l.invariant);
        invariants.chain(process.edges.iter().map(|e| &e.guard))
    });
    guards.flat_map(|guard| &guard.clocks).filter(|c| c.minus.is_some())
}

fn relevant(
    network: &Network,
    updates: &[Vec<Sources>],
    around: &[Sources],
    asked: &[&ClockConstraint],
) -> Vec<BTreeSet<ClockId>> {
    let mut relevant = compared(network, asked);
    // (process, x, y): the process copies y to x.
    let mut copies = BTreeSet::new();
    let own = updates.iter().enumerate().flat_map(|(p, edges)| edges.iter().map(move |edge| (p, edge)));
    for (p, sources) in own.chain(around.iter().map(|sources| (0, sources))) {
        for (&x, sources) in sources {
            copies.extend(sources.iter().filter_map(|source| match source {
                Source::Clock(y, _) if *y != x => Some((p, x, *y)),
                _ => None,
            }));
        }
    }
    let mut somewhere: BTreeSet<ClockId> = relevant.iter().flatten().copied().collect();
    loop {
        let mut changed = false;
        for &(p, x, y) in &copies {
            if somewhere.contains(&x) && p < relevant.len() {
                changed |= relevant[p].insert(y) | somewhere.insert(y);
            }
        }
        if !changed {
            return relevant;
        }
    }
}

impl Analysis<'_> {
    fn collect(&mut self) {
        let network = self.network;
        for (p, process) in network.processes.iter().enumerate() {
            for (l, location) in process.locations.iter().enumerate() {
                self.guard((p, l), &location.invariant);
            }
            for (e, edge) in process.edges.iter().enumerate() {
                self.guard((p, edge.source.index()), &edge.guard);
                if receives_broadcast(network, edge) {
                    self.either_way((p, edge.source.index()), &edge.guard); // B-5
                }
                self.edge(p, edge, e);
            }
        }
        self.everywhere();
        visit::statements(network, |stmt| {
            if let Stmt::Reset { value, .. } = stmt {
                self.note_reset(Interval::of(value, network).max);
            }
        });
        network.clocks.iter().for_each(|clock| self.note_reset(clock.init));
    }

    fn note_reset(&mut self, value: i32) {
        self.largest_reset = self.largest_reset.max(value);
        self.note(i64::from(value.max(0)));
    }

    /// B-7
    fn split_differences(&mut self) {
        let locations = self.network.processes.first().map_or(0, |p| p.locations.len());
        for difference in self.differences.clone().unwrap_or_default() {
            let bound = difference.bound.saturating_abs().saturating_add(self.largest_reset);
            for l in 0..locations {
                for clock in [difference.left, difference.right] {
                    self.solver.activate((0, l), clock);
                    self.solver.raise_upper((0, l), clock, bound);
                    self.solver.raise_lower((0, l), clock, bound);
                }
            }
        }
    }

    fn edge(&mut self, p: usize, edge: &Edge, index: usize) {
        let (l, m) = ((p, edge.source.index()), (p, edge.target.index()));
        let sources = std::mem::take(&mut self.updates[p][index]);
        for x in self.solver.unknowns.clocks(p).to_vec() {
            let kept = [Source::Clock(x, 0)];
            for &source in sources.get(&x).map_or(&kept[..], Vec::as_slice) {
                let Source::Clock(y, d) = source else { continue }; // B-4
                self.solver.flow((m, x), (l, y), d); // B-2
            }
        }
        for (&x, sources) in &sources {
            for &source in sources {
                match source {
                    Source::Clock(y, d) if y != x => self.copied(x, (l, y), d, p), // B-3
                    _ => {}
                }
            }
        }
    }

    /// What `x` is worth in every process but one is what `y` is worth at a
    /// location.
    fn copied(&mut self, x: ClockId, to: ((usize, usize), ClockId), d: i32, but: usize) {
        for (q, process) in self.network.processes.iter().enumerate().filter(|(q, _)| *q != but) {
            for k in 0..process.locations.len() {
                self.solver.flow(((q, k), x), to, d);
            }
        }
    }

    /// What happens around every update: B-2 and B-3, put down at the first
    /// process. What is forgotten there is not taken into account.
    fn everywhere(&mut self) {
        let locations = self.network.processes.first().map_or(0, |p| p.locations.len());
        for sources in std::mem::take(&mut self.around) {
            for (x, sources) in sources {
                for source in sources {
                    let Source::Clock(y, d) = source else { continue };
                    (0..locations).for_each(|l| self.copied(x, ((0, l), y), d, usize::MAX));
                }
            }
        }
    }

    /// B-1.
    fn guard(&mut self, at: (usize, usize), guard: &Guard) {
        for constraint in &guard.clocks {
            self.constraint(at, constraint);
            self.note_constants(constraint);
        }
    }

    fn note_constants(&mut self, constraint: &ClockConstraint) {
        let range = Interval::of(&constraint.bound, self.network);
        self.note(i64::from(range.min));
        self.note(i64::from(range.max));
        if let Some(minus) = &constraint.minus {
            self.diagonals = true;
            self.difference(&constraint.left, minus, constraint.relation, range);
        }
    }

    fn difference(&mut self, left: &ClockRef, right: &ClockRef, relation: Relation, range: Interval) {
        let Some(known) = &mut self.differences else { return };
        let strictness: &[bool] = match relation {
            Relation::Lt | Relation::Ge => &[true],
            Relation::Le | Relation::Gt => &[false],
            Relation::Eq => &[true, false],
        };
        for (left, right) in clocks(left).flat_map(|left| clocks(right).map(move |right| (left, right))) {
            if i64::from(range.max) - i64::from(range.min) > MAX_DIFFERENCES as i64 {
                self.differences = None;
                return;
            }
            for bound in range.min..=range.max {
                let new = |&strict| ComparedDifference { left, right, bound, strict };
                known.extend(strictness.iter().filter(|_| left != right).map(new));
            }
        }
        if known.len() > MAX_DIFFERENCES {
            self.differences = None;
        }
    }

    fn constraint(&mut self, at: (usize, usize), constraint: &ClockConstraint) {
        for clock in constraint_clocks(constraint) {
            self.solver.activate(at, clock);
        }
        if constraint.minus.is_some() {
            return;
        }
        let bound = Interval::of(&constraint.bound, self.network).max.max(0);
        for clock in clocks(&constraint.left) {
            if !matches!(constraint.relation, Relation::Ge | Relation::Gt) {
                self.solver.raise_upper(at, clock, bound);
            }
            if !matches!(constraint.relation, Relation::Le | Relation::Lt) {
                self.solver.raise_lower(at, clock, bound);
            }
        }
    }

    fn either_way(&mut self, at: (usize, usize), guard: &Guard) {
        for constraint in guard.clocks.iter().filter(|c| c.minus.is_none()) {
            let bound = Interval::of(&constraint.bound, self.network).max.max(0);
            for clock in clocks(&constraint.left) {
                self.solver.raise_upper(at, clock, bound);
                self.solver.raise_lower(at, clock, bound);
            }
        }
    }

    fn note(&mut self, constant: i64) {
        self.largest = self.largest.max(constant.abs());
    }

    fn facts(&self) -> ClockFacts {
        let mut global: BTreeMap<ClockId, (Option<i32>, Option<i32>)> = BTreeMap::new();
        let mut local = Vec::new();
        for (p, process) in self.network.processes.iter().enumerate() {
            let mut bounds = Vec::new();
            for l in 0..process.locations.len() {
                let here: Vec<_> = self.solver.active((p, l)).collect();
                for &(clock, lower, upper) in &here {
                    let most = global.entry(clock).or_default();
                    *most = (most.0.max(lower), most.1.max(upper));
                }
                bounds.push(LocationBounds { clocks: here });
            }
            local.push(bounds);
        }
        ClockFacts {
            local,
            global: LocationBounds { clocks: global.into_iter().map(|(x, (l, u))| (x, l, u)).collect() },
            diagonals: self.diagonals,
            differences: self.differences.clone(),
            largest_constant: self.largest,
        }
    }
}

fn receives_broadcast(network: &Network, edge: &Edge) -> bool {
    matches!(&edge.sync, Sync::Receive(channel)
        if network.channels[channel.range().0.index()].kind == ChannelKind::Broadcast)
}

fn clocks(clock: &ClockRef) -> impl Iterator<Item = ClockId> + use<> {
    let (first, len) = match clock {
        ClockRef::Fixed(id) => (id.0, 1),
        ClockRef::Element { first, len, .. } => (first.0, *len),
    };
    (first..first + len).map(ClockId)
}

fn constraint_clocks(constraint: &ClockConstraint) -> impl Iterator<Item = ClockId> + use<'_> {
    clocks(&constraint.left).chain(constraint.minus.iter().flat_map(clocks))
}
