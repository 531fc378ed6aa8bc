//! Whether the clock bounds of one question are good enough for another.
//!
//! An exploration abstracts zones by the bounds it was given. What it found
//! answers another question too if those bounds are at least the other's at
//! every location: every clock that the other needs is active, and no constant
//! that the other compares with is beyond them (paper 2, section 5, asks the
//! next query of the states that are there).

use super::{ClockFacts, LocationBounds};

impl ClockFacts {
    /// Whether zones abstracted by these facts are exact enough for a question
    /// with the facts `other`, about the same network.
    pub fn dominates(&self, other: &Self) -> bool {
        let split = match (&self.differences, &other.differences) {
            (Some(ours), Some(theirs)) => ours.is_superset(theirs),
            _ => !self.diagonals, // with differences that cannot be listed, zones are exact
        };
        self.diagonals == other.diagonals
            && (split || self.differences.is_none())
            && self.local.len() == other.local.len()
            && self.global.dominates(&other.global)
            && self.local.iter().zip(&other.local).all(|(ours, theirs)| {
                ours.len() == theirs.len() && ours.iter().zip(theirs).all(|(a, b)| a.dominates(b))
            })
    }
}

impl LocationBounds {
    /// Every clock of `other` is here, with bounds that are not smaller.
    fn dominates(&self, other: &Self) -> bool {
        let mut ours = self.clocks.iter();
        // Both are sorted by clock; no bound is less than any.
        other.clocks.iter().all(|(clock, l, u)| {
            ours.find(|(mine, ..)| mine >= clock)
                .is_some_and(|(mine, lower, upper)| mine == clock && lower >= l && upper >= u)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ClockId;

    type Entry = (u32, Option<i32>, Option<i32>);

    fn bounds(clocks: &[Entry]) -> LocationBounds {
        LocationBounds { clocks: clocks.iter().map(|&(x, l, u)| (ClockId(x), l, u)).collect() }
    }

    fn facts(locations: &[&[Entry]]) -> ClockFacts {
        let local = vec![locations.iter().map(|clocks| bounds(clocks)).collect()];
        ClockFacts {
            local,
            global: LocationBounds::default(),
            diagonals: false,
            differences: None,
            largest_constant: 0,
        }
    }

    #[test]
    fn every_bound_counts() {
        let wide = facts(&[&[(0, Some(3), Some(5)), (2, None, Some(1))], &[(1, None, None)]]);
        assert!(wide.dominates(&wide));
        assert!(wide.dominates(&facts(&[&[], &[]])));
        assert!(wide.dominates(&facts(&[&[(0, Some(3), None)], &[]])));
        assert!(wide.dominates(&facts(&[&[(2, None, Some(0))], &[(1, None, None)]])));
        assert!(!wide.dominates(&facts(&[&[(0, Some(4), None)], &[]])));
        assert!(!wide.dominates(&facts(&[&[(0, None, Some(6))], &[]])));
        assert!(!wide.dominates(&facts(&[&[(2, Some(0), Some(0))], &[]])));
    }

    #[test]
    fn a_clock_must_be_active_where_it_is_needed() {
        let wide = facts(&[&[(0, Some(3), Some(5)), (2, None, Some(1))], &[(1, None, None)]]);
        assert!(!wide.dominates(&facts(&[&[(1, None, None)], &[]])));
        assert!(!wide.dominates(&facts(&[&[(3, None, None)], &[]])));
        assert!(!wide.dominates(&facts(&[&[], &[(0, None, None)]])));
    }

    #[test]
    fn diagonals_must_be_the_same_and_global_bounds_count() {
        let plain = facts(&[&[]]);
        let diagonal = ClockFacts { diagonals: true, ..plain.clone() };
        assert!(!plain.dominates(&diagonal) && !diagonal.dominates(&plain));
        let global = ClockFacts { global: bounds(&[(0, Some(1), None)]), ..plain.clone() };
        assert!(global.dominates(&plain) && !plain.dominates(&global));
    }
}
