//! Clock constraints as bounds of one width, and conjunctions of them.

use crate::ZoneFault;
use dwell_zones::{Bound, ClockBox, Zone};

/// `x_i - x_j` is bounded by `bound`.
#[derive(Clone, Copy, Debug)]
pub struct Difference<B> {
    /// Zone index of the first clock; 0 is the reference clock.
    pub i: u16,
    /// Of the second.
    pub j: u16,
    /// The bound.
    pub bound: B,
}

/// A conjunction of clock constraints, gathered to be applied at once.
#[derive(Clone, Debug)]
pub struct Conjunction<B: Bound> {
    pub(crate) bounds: ClockBox<B>,
    /// On differences of two clocks.
    diagonals: Vec<Difference<B>>,
    /// Contradicts itself.
    pub(crate) never: bool,
}

impl<B: Bound> Conjunction<B> {
    /// True of every valuation of `dim - 1` clocks.
    pub fn new(dim: usize) -> Self {
        Self { bounds: ClockBox::new(dim), diagonals: Vec::new(), never: false }
    }

    /// Becomes true of everything.
    #[inline]
    pub fn clear(&mut self) {
        self.bounds.clear();
        self.diagonals.clear();
        self.never = false;
    }

    /// Becomes a copy of `other`.
    #[inline]
    pub fn copy_from(&mut self, other: &Self) {
        self.bounds.copy_from(&other.bounds);
        self.diagonals.clear();
        self.diagonals.extend_from_slice(&other.diagonals);
        self.never = other.never;
    }

    #[inline(always)]
    /// Adds a constraint.
    pub fn add(&mut self, d: Difference<B>) {
        let (i, j) = (usize::from(d.i), usize::from(d.j));
        if (i == 0) != (j == 0) {
            self.bounds.constrain(i, j, d.bound);
        } else if i == j {
            // Two elements of an array may be the same clock.
            self.never |= d.bound < B::LE_ZERO;
        } else {
            self.diagonals.push(d);
        }
    }

    /// Whether all points of a zone satisfy it.
    #[inline]
    pub fn includes(&self, zone: &Zone<B>) -> bool {
        !self.never
            && zone.within_box(&self.bounds)
            && self.diagonals.iter().all(|d| zone.get(d.i.into(), d.j.into()) <= d.bound)
    }

    /// Intersects `zone` with it; false when nothing is left.
    #[inline]
    pub fn apply(&self, zone: &mut Zone<B>) -> Result<bool, ZoneFault> {
        if self.never {
            return Ok(false);
        }
        let left = zone.constrain_box(&self.bounds)
            && self.diagonals.iter().all(|d| zone.constrain(d.i.into(), d.j.into(), d.bound));
        settle(zone, left)
    }
}

impl<B: Bound> Difference<B> {
    /// What holds where this does not: `x_j - x_i < -c` for `x_i - x_j <= c`.
    pub fn negated(self) -> Self {
        Self { i: self.j, j: self.i, bound: self.bound.complement() }
    }
}

/// Z-3: nothing is believed of a zone whose bounds left their width, not even
/// that it is empty.
#[inline]
pub(crate) fn settle<B: Bound>(zone: &mut Zone<B>, answer: bool) -> Result<bool, ZoneFault> {
    if zone.overflowed() {
        zone.clear_overflow();
        return Err(ZoneFault::Overflow);
    }
    Ok(answer)
}
