//! Zones and symbolic successors once more, as slow and plain as can be: 64
//! bits, Floyd–Warshall after every change, trees walked by the oracle.
//! Nothing of the engine's zones, code or loop is used.

use dwell_model::expr::{ClockConstraint, Relation};
use dwell_model::{ClockId, Network};
use dwell_oracle::eval::{self, Clocks, Inexpressible};
use dwell_oracle::{Discrete, State, step};

/// A bound: the constant, and 1 for `<=` or 0 for `<`. Smaller is tighter.
pub type Bound = (i64, u8);

/// No bound.
pub const INF: Bound = (i64::MAX / 4, 0);

/// `<= 0`.
pub const ZERO: Bound = (0, 1);

/// The bound on a sum.
pub fn add(a: Bound, b: Bound) -> Bound {
    if a == INF || b == INF { INF } else { (a.0 + b.0, a.1.min(b.1)) }
}

/// A zone; `get(i, j)` bounds clock i minus clock j, 0 is the reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dbm {
    dim: usize,
    cells: Vec<Bound>,
}

impl Dbm {
    /// Clocks that may have any value, negative ones too.
    pub fn anything(dim: usize) -> Self {
        let mut dbm = Self { dim, cells: vec![INF; dim * dim] };
        (0..dim).for_each(|i| dbm.cells[i * dim + i] = ZERO);
        dbm
    }

    /// All clocks are zero.
    pub fn zero(dim: usize) -> Self {
        Self { dim, cells: vec![ZERO; dim * dim] }
    }

    pub fn dim(&self) -> usize {
        self.dim
    }

    pub fn get(&self, i: usize, j: usize) -> Bound {
        self.cells[i * self.dim + j]
    }

    /// Adds the constraint that clock i minus clock j meets `bound`.
    pub fn tighten(&mut self, i: usize, j: usize, bound: Bound) {
        let cell = &mut self.cells[i * self.dim + j];
        *cell = bound.min(*cell);
    }

    /// Shortest paths; false when there is no valuation.
    pub fn close(&mut self) -> bool {
        for k in 0..self.dim {
            for i in 0..self.dim {
                for j in 0..self.dim {
                    self.tighten(i, j, add(self.get(i, k), self.get(k, j)));
                }
            }
        }
        (0..self.dim).all(|i| self.get(i, i) >= ZERO)
    }

    /// Time passes.
    pub fn up(&mut self) {
        (1..self.dim).for_each(|i| self.cells[i * self.dim] = INF);
    }

    pub fn included_in(&self, other: &Self) -> bool {
        self.cells.iter().zip(&other.cells).all(|(a, b)| a <= b)
    }

    /// Adds a clock constraint of a guard or an invariant.
    fn constrain(&mut self, constraint: &ClockConstraint, vars: &[i32]) {
        let index = |clock: ClockId| clock.index() + 1;
        let x = index(eval::clock(&constraint.left, vars, &[]).expect("a clock"));
        let y = constraint.minus.as_ref();
        let y = y.map_or(0, |y| index(eval::clock(y, vars, &[]).expect("a clock")));
        let c = i64::from(eval::value(&constraint.bound, vars, &[]).expect("a bound"));
        match constraint.relation {
            Relation::Lt => self.tighten(x, y, (c, 0)),
            Relation::Le => self.tighten(x, y, (c, 1)),
            Relation::Ge => self.tighten(y, x, (-c, 1)),
            Relation::Gt => self.tighten(y, x, (-c, 0)),
            Relation::Eq => {
                self.tighten(x, y, (c, 1));
                self.tighten(y, x, (-c, 1));
            }
        }
    }
}

/// Updates write zones directly.
impl Clocks for Dbm {
    fn holds(&self, _: ClockId, _: Option<ClockId>, _: Relation, _: i32) -> Result<bool, Inexpressible> {
        unreachable!("updates test no clocks")
    }

    fn assign(&mut self, clock: ClockId, from: Option<ClockId>, value: i32) -> Result<(), Inexpressible> {
        let (x, y, c) = (clock.index() + 1, from.map_or(0, |f| f.index() + 1), i64::from(value));
        let old = self.clone();
        for j in (0..self.dim).filter(|&j| j != x) {
            self.cells[x * self.dim + j] = add(old.get(y, j), (c, 1));
            self.cells[j * self.dim + x] = add(old.get(j, y), (-c, 1));
        }
        Ok(())
    }
}

/// Adds the clock invariants of all locations; false when nothing is left.
fn within_invariants(network: &Network, at: &State<Dbm>) -> Option<State<Dbm>> {
    let mut state = at.clone();
    for (process, location) in network.processes.iter().zip(&at.discrete.locations) {
        for constraint in &process.locations[location.index()].invariant.clocks {
            state.clocks.constrain(constraint, &at.discrete.vars);
        }
    }
    state.clocks.close().then_some(state)
}

/// Enters a discrete state: invariants, delay if allowed, invariants.
fn enter(network: &Network, at: State<Dbm>) -> Option<State<Dbm>> {
    for (process, location) in network.processes.iter().zip(&at.discrete.locations) {
        let discrete = &process.locations[location.index()].invariant.discrete;
        if !eval::all_true(discrete, &at.discrete.vars).expect("invariants do not fail") {
            return None;
        }
    }
    let mut state = within_invariants(network, &at)?;
    if step::delay_bar(network, &state.discrete).expect("guards do not fail").is_none() {
        state.clocks.up();
        state = within_invariants(network, &state)?;
    }
    Some(state)
}

/// The initial symbolic states.
pub fn initial(network: &Network) -> Vec<State<Dbm>> {
    let dim = network.clocks.len() + 1;
    let all = step::initial(network).into_iter().map(|discrete| State { discrete, clocks: Dbm::zero(dim) });
    all.filter_map(|state| enter(network, state)).collect()
}

/// The successors of a symbolic state, without any abstraction. What lies
/// outside the invariants of the state itself is no state.
pub fn successors(network: &Network, from: &Discrete, zone: &Dbm) -> Vec<State<Dbm>> {
    let from = State { discrete: from.clone(), clocks: zone.clone() };
    let Some(from) = within_invariants(network, &from) else { return Vec::new() };
    let transitions = step::transitions(network, &from.discrete);
    assert!(transitions.failing.is_empty(), "guards do not fail");
    let mut found = Vec::new();
    'moves: for participants in &transitions.enabled {
        let mut state = from.clone();
        for &(process, edge) in participants {
            for constraint in &step::edge(network, process, edge).guard.clocks {
                state.clocks.constrain(constraint, &from.discrete.vars);
            }
        }
        if !state.clocks.close() {
            continue;
        }
        for &(process, id) in participants {
            let edge = step::edge(network, process, id);
            match eval::run(network, &edge.update, &mut state) {
                Ok(()) => state.discrete.locations[process.index()] = edge.target,
                Err(eval::Refusal::OutOfRange { .. }) => continue 'moves,
                Err(other) => panic!("updates do not fail: {other:?}"),
            }
        }
        found.extend(enter(network, state));
    }
    found
}

/// Lower and upper bounds of clocks, by zone index; `None` where there is none.
#[derive(Clone, Debug)]
pub struct Lu {
    pub lower: Vec<Option<i64>>,
    pub upper: Vec<Option<i64>>,
}

/// Whether `a` is included in aLU(`b`), by the theorem of Herbreteau,
/// Srivathsan and Walukiewicz (LICS 2012): it is not iff for some x and y
/// the first bound of x is at least `<= -U_x`, the bound on y - x is smaller in
/// `b`, and stays below the first bound of x when `< -L_y` is added.
pub fn included_in_alu(a: &Dbm, b: &Dbm, lu: &Lu) -> bool {
    let pairs = (0..a.dim()).flat_map(|x| (0..a.dim()).map(move |y| (x, y)));
    !pairs.filter(|(x, y)| x != y).any(|(x, y)| {
        let (Some(upper), Some(lower)) = (lu.upper[x], lu.lower[y]) else { return false };
        a.get(0, x) >= (-upper, 1) && b.get(y, x) < a.get(y, x) && add(b.get(y, x), (-lower, 0)) < a.get(0, x)
    })
}

/// A point of `a` from which no point of `b` can be reached in the
/// LU-simulation: by definition `a` is then not included in aLU(`b`). Looks at
/// all points whose coordinates are multiples of a fraction small enough for
/// the number of clocks, up to just above every constant.
pub fn point_outside_alu(a: &Dbm, b: &Dbm, lu: &Lu) -> Option<Vec<i64>> {
    let (dim, parts) = (a.dim(), a.dim() as i64);
    let constants = a.cells.iter().chain(&b.cells).filter(|&&c| c != INF).map(|c| c.0.abs());
    let bounds = lu.lower.iter().chain(&lu.upper).flatten().copied();
    let last = (constants.chain(bounds).max().unwrap_or(0) + 1) * parts;
    let mut point = vec![0; dim];
    loop {
        if contains(a, &point, parts) && !meets_simulating(b, &point, parts, lu) {
            return Some(point);
        }
        let at = (1..dim).find(|&x| point[x] < last)?;
        point[1..at].fill(0);
        point[at] += 1;
    }
}

/// Whether the point, in multiples of 1 / `parts`, is in the zone.
fn contains(zone: &Dbm, point: &[i64], parts: i64) -> bool {
    let pairs = (0..zone.dim).flat_map(|i| (0..zone.dim).map(move |j| (i, j)));
    pairs.into_iter().all(|(i, j)| {
        let bound = zone.get(i, j);
        bound == INF || (point[i] - point[j], 1) <= (bound.0 * parts, bound.1)
    })
}

/// Whether some valuation w of `zone` simulates v: w(x) < v(x) only above L_x, and
/// w(x) > v(x) only where v(x) is above U_x. All times `parts`.
fn meets_simulating(zone: &Dbm, v: &[i64], parts: i64, lu: &Lu) -> bool {
    let mut near = zone.clone();
    for cell in near.cells.iter_mut().filter(|cell| **cell != INF) {
        cell.0 *= parts;
    }
    for (x, &at) in v.iter().enumerate().skip(1) {
        match lu.lower[x].map(|l| l * parts) {
            None => near.tighten(0, x, ZERO),
            Some(l) if l < at => near.tighten(0, x, (-l, 0)),
            Some(_) => near.tighten(0, x, (-at, 1)),
        }
        match lu.upper[x].map(|u| u * parts) {
            None => {}
            Some(u) if u < at => {}
            Some(_) => near.tighten(x, 0, (at, 1)),
        }
    }
    near.close()
}
