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
//! B-4 a constant (`x := c`) gives nothing: what came before is forgotten.
//!
//! Every participant of a synchronisation contributes at its own source, so
//! the guards of all are covered. A clock is *active* at `l` if it is compared
//! at all before its next reset, diagonals included.

use super::Interval;
use super::updates::{Source, sources};
use crate::expr::{ClockConstraint, ClockRef, Guard, Relation, Stmt};
use crate::{ClockId, Network};

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
    /// Largest absolute constant that can occur in a guard, an invariant or an
    /// update of a clock.
    pub largest_constant: i64,
}

/// One unknown per location of the network and clock.
struct Solver {
    clocks: usize,
    /// Value of each unknown; `None` is minus infinity.
    value: Vec<Option<i32>>,
    /// `(from, to, d)`: value(to) >= value(from) - d.
    flows: Vec<Vec<(u32, i32)>>,
}

impl Solver {
    fn new(locations: usize, clocks: usize) -> Self {
        let unknowns = locations * clocks;
        Self { clocks, value: vec![None; unknowns], flows: vec![Vec::new(); unknowns] }
    }

    fn raise(&mut self, location: usize, clock: ClockId, value: i32) {
        let slot = &mut self.value[location * self.clocks + clock.index()];
        *slot = (*slot).max(Some(value));
    }

    fn flow(&mut self, from: (usize, ClockId), to: (usize, ClockId), d: i32) {
        let from = from.0 * self.clocks + from.1.index();
        let to = to.0 * self.clocks + to.1.index();
        self.flows[from].push((to as u32, d));
    }

    /// Worklist iteration. Shifts are never negative, so values never grow
    /// around a cycle and it ends.
    fn solve(&mut self) {
        let mut work: Vec<u32> =
            (0..self.value.len() as u32).filter(|&i| self.value[i as usize].is_some()).collect();
        while let Some(from) = work.pop() {
            let Some(value) = self.value[from as usize] else { continue };
            for &(to, d) in &self.flows[from as usize] {
                // Below zero the comparison has one outcome whatever the clock is.
                let wanted = value.checked_sub(d).filter(|&bound| bound >= 0);
                if self.value[to as usize] < wanted {
                    self.value[to as usize] = wanted;
                    work.push(to);
                }
            }
        }
    }
}

struct Analysis<'n> {
    network: &'n Network,
    lower: Solver,
    upper: Solver,
    active: Solver,
    diagonals: bool,
    largest: i64,
}

/// Runs the analysis.
pub fn clock_facts(network: &Network) -> ClockFacts {
    let locations: usize = network.processes.iter().map(|p| p.locations.len()).sum();
    let new = || Solver::new(locations, network.clocks.len());
    let mut analysis =
        Analysis { network, lower: new(), upper: new(), active: new(), diagonals: false, largest: 0 };
    analysis.collect();
    analysis.lower.solve();
    analysis.upper.solve();
    analysis.active.solve();
    analysis.facts()
}

impl Analysis<'_> {
    fn collect(&mut self) {
        let network = self.network;
        let mut base = 0;
        let total: usize = network.processes.iter().map(|p| p.locations.len()).sum();
        for process in &network.processes {
            for (l, location) in process.locations.iter().enumerate() {
                self.guard(base + l, &location.invariant);
            }
            let own = base..base + process.locations.len();
            for edge in &process.edges {
                let (l, m) = (base + edge.source.index(), base + edge.target.index());
                self.guard(l, &edge.guard);
                self.constants(&edge.update.body);
                let sources = sources(&edge.update, network);
                for x in (0..network.clocks.len()).map(ClockId::new) {
                    let kept = [Source::Clock(x, 0)];
                    for &source in sources.get(&x).map_or(&kept[..], Vec::as_slice) {
                        let Source::Clock(y, d) = source else { continue }; // B-4
                        self.flow((m, x), (l, y), d); // B-2
                        if x != y {
                            for k in (0..total).filter(|k| !own.contains(k)) {
                                self.flow((k, x), (l, y), d); // B-3
                            }
                        }
                    }
                }
            }
            base = own.end;
        }
    }

    fn flow(&mut self, from: (usize, ClockId), to: (usize, ClockId), d: i32) {
        self.lower.flow(from, to, d);
        self.upper.flow(from, to, d);
        self.active.flow(from, to, 0);
    }

    /// B-1.
    fn guard(&mut self, location: usize, guard: &Guard) {
        for constraint in &guard.clocks {
            let range = Interval::of(&constraint.bound, self.network);
            self.note(i64::from(range.min));
            self.note(i64::from(range.max));
            for clock in constraint_clocks(constraint) {
                self.active.raise(location, clock, 0);
            }
            if constraint.minus.is_some() {
                self.diagonals = true;
                continue;
            }
            let bound = range.max.max(0);
            for clock in clocks(&constraint.left) {
                if !matches!(constraint.relation, Relation::Ge | Relation::Gt) {
                    self.upper.raise(location, clock, bound);
                }
                if !matches!(constraint.relation, Relation::Le | Relation::Lt) {
                    self.lower.raise(location, clock, bound);
                }
            }
        }
    }

    fn constants(&mut self, body: &[Stmt]) {
        for stmt in body {
            match stmt {
                Stmt::Reset { value, .. } => {
                    self.note(i64::from(Interval::of(value, self.network).max.max(0)))
                }
                Stmt::If { then, otherwise, .. } => {
                    self.constants(then);
                    self.constants(otherwise);
                }
                Stmt::While { body, .. } => self.constants(body),
                Stmt::Assign { .. } => {}
            }
        }
    }

    fn note(&mut self, constant: i64) {
        self.largest = self.largest.max(constant.abs());
    }

    fn facts(&self) -> ClockFacts {
        let clocks = self.network.clocks.len();
        let mut base = 0;
        let mut local = Vec::new();
        let mut global = vec![(false, None, None); clocks];
        for process in &self.network.processes {
            let mut bounds = Vec::new();
            for l in base..base + process.locations.len() {
                let mut here = LocationBounds::default();
                for (x, (active, gl, gu)) in global.iter_mut().enumerate() {
                    let i = l * clocks + x;
                    if self.active.value[i].is_some() {
                        let (low, up) = (self.lower.value[i], self.upper.value[i]);
                        here.clocks.push((ClockId::new(x), low, up));
                        *active = true;
                        *gl = (*gl).max(low);
                        *gu = (*gu).max(up);
                    }
                }
                bounds.push(here);
            }
            base += process.locations.len();
            local.push(bounds);
        }
        let global = global.into_iter().enumerate().filter(|(_, (active, ..))| *active);
        ClockFacts {
            local,
            global: LocationBounds { clocks: global.map(|(x, (_, l, u))| (ClockId::new(x), l, u)).collect() },
            diagonals: self.diagonals,
            largest_constant: self.largest,
        }
    }
}

fn clocks(clock: &ClockRef) -> impl Iterator<Item = ClockId> + use<> {
    let (first, len) = match clock {
        ClockRef::Fixed(id) => (id.0, 1),
        ClockRef::Element { first, len, .. } => (first.0, *len),
    };
    (first..first + len).map(ClockId)
}

fn constraint_clocks(constraint: &ClockConstraint) -> impl Iterator<Item = ClockId> {
    clocks(&constraint.left).chain(constraint.minus.iter().flat_map(clocks))
}
