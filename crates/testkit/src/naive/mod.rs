//! Zones and symbolic successors once more, as slow and plain as can be: 64
//! bits, Floyd–Warshall after every change, trees walked by the oracle.
//! Nothing of the engine's zones, code or loop is used.

mod alu;
mod formula;
mod successors;

pub use alu::{Lu, included_in_alu, point_outside_alu};
pub use formula::holds_somewhere;
pub use successors::{exact_zones, initial, successors};

use dwell_model::expr::{ClockConstraint, Relation};
use dwell_model::{ClockId, Network};
use dwell_oracle::Discrete;
use dwell_oracle::eval::{self, Clocks, Inexpressible};

/// A symbolic state.
pub type State = dwell_oracle::State<Dbm>;

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

    /// Clocks and the reference.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// The bound on clock i minus clock j.
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

    /// Whether every valuation of this zone is one of the other, both closed.
    pub fn included_in(&self, other: &Self) -> bool {
        self.cells.iter().zip(&other.cells).all(|(a, b)| a <= b)
    }

    /// Adds a clock constraint.
    pub fn constrain(&mut self, network: &Network, constraint: &ClockConstraint, at: &Discrete) {
        for (i, j, bound) in differences(network, constraint, at) {
            self.tighten(i, j, bound);
        }
    }
}

/// A clock constraint as bounds on differences; none where its condition is
/// false.
fn differences(network: &Network, constraint: &ClockConstraint, at: &Discrete) -> Vec<(usize, usize, Bound)> {
    let Some(c) = eval::comparison(network, constraint, at).expect("constraints do not fail") else {
        return Vec::new();
    };
    let (x, y) = (c.left.index() + 1, c.minus.map_or(0, |minus| minus.index() + 1));
    let bound = i64::from(c.bound);
    match c.relation {
        Relation::Lt => vec![(x, y, (bound, 0))],
        Relation::Le => vec![(x, y, (bound, 1))],
        Relation::Ge => vec![(y, x, (-bound, 1))],
        Relation::Gt => vec![(y, x, (-bound, 0))],
        Relation::Eq => vec![(x, y, (bound, 1)), (y, x, (-bound, 1))],
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
