//! Sets of values that integers and clocks take.
//!
//! A clock is compared with integers only, so a set of its values is made of
//! *cells*: number 2c is the value c alone, number 2c + 1 everything between c
//! and c + 1. An integer c takes both, so that neighbours join.

use std::collections::BTreeMap;

/// The cell that stands for "and so on without end".
pub const FOREVER: i64 = i64::MAX;

/// A set of cells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Values {
    /// First and last cell of every run of cells; runs do not touch.
    spans: BTreeMap<i64, i64>,
}

impl Values {
    /// Adds the cells from `first` to `last`.
    pub fn add(&mut self, first: i64, last: i64) {
        let (mut from, mut to) = (first, last);
        while let Some((&low, &high)) = self.spans.range(..=last.saturating_add(1)).next_back() {
            if high.saturating_add(1) < from {
                break;
            }
            if low <= first && last <= high {
                return;
            }
            self.spans.remove(&low);
            (from, to) = (from.min(low), to.max(high));
        }
        self.spans.insert(from, to);
    }

    /// Adds them and everything between them and what is there: enough where
    /// only the ends are asked for.
    pub fn stretch(&mut self, first: i64, last: i64) {
        let (low, high) = self.ends().unwrap_or((first, last));
        if low > first || high < last || self.spans.is_empty() {
            self.spans.clear();
            self.spans.insert(low.min(first), high.max(last));
        }
    }

    /// The least and the greatest cell.
    pub fn ends(&self) -> Option<(i64, i64)> {
        Some((*self.spans.first_key_value()?.0, *self.spans.last_key_value()?.1))
    }

    /// First and last cell of every run of cells.
    pub fn spans(&self) -> impl Iterator<Item = (i64, i64)> + '_ {
        self.spans.iter().map(|(&first, &last)| (first, last))
    }

    /// No values at all.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.spans.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dwell_base::Rng;
    use std::collections::BTreeSet;

    #[test]
    fn sets_of_cells_are_sets() {
        for seed in 0..200 {
            let rng = &mut Rng::new(seed);
            let (mut values, mut hull, mut all) = (Values::default(), Values::default(), BTreeSet::new());
            for _ in 0..rng.range(1, 12) {
                let first = i64::from(rng.range(0, 40));
                let last = first + i64::from(rng.range(0, 6));
                values.add(first, last);
                hull.stretch(first, last);
                all.extend(first..=last);
            }
            let listed: Vec<i64> = values.spans().flat_map(|(a, b)| a..=b).collect();
            assert_eq!(listed, all.iter().copied().collect::<Vec<_>>(), "seed {seed}");
            let spans: Vec<_> = values.spans().collect();
            assert!(spans.windows(2).all(|w| w[0].1 + 1 < w[1].0), "runs touch: {spans:?}");
            assert_eq!(hull.ends(), values.ends());
            assert_eq!(hull.spans().count(), 1);
        }
    }

    #[test]
    fn no_end_is_an_end() {
        let mut values = Values::default();
        values.add(4, FOREVER);
        values.add(1, 2);
        values.add(9, FOREVER);
        assert_eq!(values.spans().collect::<Vec<_>>(), [(1, 2), (4, FOREVER)]);
        values.add(3, 3);
        assert_eq!(values.spans().collect::<Vec<_>>(), [(1, FOREVER)]);
    }
}
