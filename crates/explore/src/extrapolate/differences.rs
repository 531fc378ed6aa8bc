//! Extrapolation for models that compare differences of clocks.
//!
//! Bouyer: *Untameable timed automata!* (STACS 2003) shows that no
//! extrapolation of convex zones is sound there; Bengtsson, Yi: *On clock
//! difference constraints and termination in reachability analysis of timed
//! automata* (ICFEM 2003) how it becomes so: before a zone is widened by
//! maximal constants it is split at every difference that is compared, and
//! each part stays on its side afterwards.
//!
//! D-1 A part lies on one side of every difference, before and after.
//! D-2 The maximal constants of the clocks cover the differences: once one of
//!     the clocks is set, the difference is a bound on the other (B-7 of the
//!     clock bounds).
//! So points are exchanged only for points that satisfy the same differences
//! and are equal or beyond the constants, which no run can tell apart.

use dwell_model::analysis::ClockFacts;
use dwell_semantics::{Difference, ZoneFault};
use dwell_zones::{Bound, Zone};

/// The differences that zones are split at.
#[derive(Clone, Debug, Default)]
pub struct Differences<B> {
    atoms: Vec<Difference<B>>,
}

impl<B: Bound> Differences<B> {
    /// Those of a model and its query. A constant that does not fit the width
    /// is not split at here: comparing with it ends the run.
    pub fn new(facts: &ClockFacts) -> Self {
        let atom = |d: &dwell_model::analysis::ComparedDifference| {
            let bound = if d.strict { B::strict(d.bound) } else { B::weak(d.bound) };
            bound.map(|bound| Difference { i: d.left.0 as u16 + 1, j: d.right.0 as u16 + 1, bound })
        };
        Self { atoms: facts.differences.iter().flatten().filter_map(atom).collect() }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.atoms.is_empty()
    }

    /// The parts of a zone. D-1
    pub fn split(&self, zone: Zone<B>) -> Result<Vec<Zone<B>>, ZoneFault> {
        let mut parts = vec![zone];
        for d in &self.atoms {
            let other = d.negated();
            for at in 0..parts.len() {
                let mut outside = parts[at].clone();
                if !outside.constrain(other.i.into(), other.j.into(), other.bound) {
                    continue;
                }
                if parts[at].allows(d.i.into(), d.j.into(), d.bound) {
                    parts[at].constrain(d.i.into(), d.j.into(), d.bound);
                    parts.push(outside);
                }
            }
        }
        let overflowed = parts.iter().any(Zone::overflowed);
        if overflowed { Err(ZoneFault::Overflow) } else { Ok(parts) }
    }

    /// Puts a widened zone back to the side of every difference where it was
    /// as `before`.
    pub fn keep(&self, before: &Zone<B>, widened: &mut Zone<B>) {
        for d in &self.atoms {
            let inside = before.get(d.i.into(), d.j.into()) <= d.bound;
            let d = if inside { *d } else { d.negated() };
            widened.constrain(d.i.into(), d.j.into(), d.bound);
        }
    }
}
