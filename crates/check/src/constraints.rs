//! Zones as the fewest constraints that say them.

use dwell_model::{ClockId, Network};
use dwell_zones::{Bound, MinimalGraph, Zone};

/// `left - right <= constant`, or `<`; no clock stands for zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ZoneConstraint {
    /// What is bounded from above.
    pub left: Option<ClockId>,
    /// What is taken from it.
    pub right: Option<ClockId>,
    /// The bound.
    pub constant: i32,
    /// Whether the bound itself is left out.
    pub strict: bool,
}

impl ZoneConstraint {
    /// With the names of `network`: `x<=3`, `x>2`, `x-y<=0`.
    pub fn text(&self, network: &Network) -> String {
        let name = |clock: ClockId| network.clocks[clock.index()].name.as_str();
        let (less, greater) = if self.strict { ("<", ">") } else { ("<=", ">=") };
        let c = self.constant;
        match (self.left, self.right) {
            (None, None) => format!("0{less}{c}"),
            (None, Some(y)) => format!("{}{greater}{}", name(y), -i64::from(c)),
            (Some(x), None) => format!("{}{less}{c}", name(x)),
            (Some(x), Some(y)) => format!("{}-{}{less}{c}", name(x), name(y)),
        }
    }
}

/// A closed, non-empty zone as the fewest constraints that say it.
pub fn zone_constraints(zone: &Zone<i32>) -> Vec<ZoneConstraint> {
    constraints(zone, &mut MinimalGraph::with_capacity(zone.dim()))
}

/// The same with a graph to use.
pub(crate) fn constraints(zone: &Zone<i32>, graph: &mut MinimalGraph<i32>) -> Vec<ZoneConstraint> {
    let clock = |i: u16| i.checked_sub(1).map(|i| ClockId::new(i.into()));
    graph.reduce(zone);
    let constraint = |&(i, j, bound): &(u16, u16, i32)| ZoneConstraint {
        left: clock(i),
        right: clock(j),
        constant: bound.constant(),
        strict: bound.is_strict(),
    };
    graph.edges().iter().map(constraint).collect()
}
