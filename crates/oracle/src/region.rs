//! Clock regions (Alur and Dill 1994).
//!
//! A region says of each clock either that it is above its cap, or its
//! integer part and the rank of its fraction: rank 0 for a whole number, else
//! the position of the fraction among the fractions of all clocks that are
//! not above their caps.
//!
//! G-1 ranks in use are 0 or not, and 1 to some k without gaps: equal regions
//! are equal structures. G-2 a clock whose rank is not 0 has an integer part
//! below its cap. G-3 no bound exceeds the cap of the clock it is compared
//! with (C-1).

use dwell_model::ClockId;
use dwell_model::expr::Relation;

use crate::eval::{Clocks, Inexpressible};
use crate::formula::Time;
use crate::rational::Rational;

/// What a region says of one clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Value {
    /// The integer part; `u32::MAX` above the cap.
    whole: u32,
    /// The rank of the fraction; 0 above the cap.
    rank: u16,
}

impl Value {
    /// The integer part, and whether the clock is a whole number; `None` above
    /// the cap.
    pub fn known(self) -> Option<(u32, bool)> {
        (self != ABOVE).then_some((self.whole, self.rank == 0))
    }
}

const ABOVE: Value = Value { whole: u32::MAX, rank: 0 };

/// A region, with the caps it is relative to.
#[derive(Clone, Debug)]
pub struct Region<'a> {
    caps: &'a [u32],
    /// One value per clock.
    pub values: Vec<Value>,
}

impl<'a> Region<'a> {
    /// The region in which these values lie, one for each clock, none negative.
    pub fn of(caps: &'a [u32], clocks: &[Rational]) -> Self {
        let parts: Vec<(i128, Rational)> = clocks.iter().map(|value| value.split()).collect();
        let is_above = |cap: u32, (whole, fraction): (i128, Rational)| {
            whole > cap.into() || (whole == cap.into() && !fraction.is_zero())
        };
        let bounded = parts.iter().zip(caps).filter(|&(&part, &cap)| !is_above(cap, part));
        let mut fractions: Vec<Rational> = bounded.map(|(part, _)| part.1).collect();
        // Rank 0 is for whole numbers, whether there are any or not.
        fractions.push(Rational::ZERO);
        fractions.sort_unstable();
        fractions.dedup();
        let value = |(&(whole, fraction), &cap): (&(i128, Rational), &u32)| {
            if is_above(cap, (whole, fraction)) {
                return ABOVE;
            }
            let rank = fractions.partition_point(|&smaller| smaller < fraction);
            Value { whole: whole as u32, rank: rank as u16 }
        };
        Self { caps, values: parts.iter().zip(caps).map(value).collect() }
    }

    /// The region of these values.
    pub fn from_values(caps: &'a [u32], values: &[Value]) -> Self {
        Self { caps, values: values.to_vec() }
    }

    fn bounded(&self) -> impl Iterator<Item = Value> {
        self.values.iter().copied().filter(|&v| v != ABOVE)
    }

    /// Restores G-1 and keeps the order of the fractions.
    fn close_gaps(&mut self) {
        let mut ranks: Vec<u16> = self.bounded().map(|v| v.rank).filter(|&r| r > 0).collect();
        ranks.sort_unstable();
        ranks.dedup();
        for value in &mut self.values {
            if let Ok(at) = ranks.binary_search(&value.rank) {
                value.rank = at as u16 + 1;
            }
        }
    }
}

impl Time for Region<'_> {
    /// Moves on to the next region that is met as time passes. False, and no
    /// change, if every clock is above its cap.
    fn advance(&mut self) -> bool {
        if self.values.iter().all(|&v| v == ABOVE) {
            return false;
        }
        if self.bounded().any(|v| v.rank == 0) {
            // Whole values get the least fraction, the others move up.
            for (value, &cap) in self.values.iter_mut().zip(self.caps) {
                if *value == ABOVE {
                    continue;
                }
                if value.rank == 0 && value.whole == cap {
                    *value = ABOVE;
                } else {
                    value.rank += 1;
                }
            }
            self.close_gaps();
        } else {
            // The greatest fractions reach the next whole value.
            let top = self.bounded().map(|v| v.rank).max().unwrap_or(0);
            for value in &mut self.values {
                if *value != ABOVE && value.rank == top {
                    *value = Value { whole: value.whole + 1, rank: 0 };
                }
            }
        }
        true
    }
}

impl Clocks for Region<'_> {
    fn holds(
        &self,
        left: ClockId,
        minus: Option<ClockId>,
        relation: Relation,
        bound: i32,
    ) -> Result<bool, Inexpressible> {
        if minus.is_some() {
            return Err(Inexpressible);
        }
        // G-3
        assert!(
            i64::from(bound) <= i64::from(self.caps[left.index()]),
            "a bound exceeds the cap of its clock"
        );
        let value = self.values[left.index()];
        let (whole, bound) = (i64::from(value.whole), i64::from(bound));
        // Above the cap the value is greater than the bound; between two whole
        // numbers it is greater than a bound up to the lower one, less than any other.
        Ok(match relation {
            _ if value == ABOVE => matches!(relation, Relation::Ge | Relation::Gt),
            Relation::Lt => whole < bound,
            Relation::Ge => whole >= bound,
            Relation::Le if value.rank == 0 => whole <= bound,
            Relation::Le => whole < bound,
            Relation::Gt if value.rank == 0 => whole > bound,
            Relation::Gt => whole >= bound,
            Relation::Eq => value.rank == 0 && whole == bound,
        })
    }

    fn assign(&mut self, clock: ClockId, from: Option<ClockId>, value: i32) -> Result<(), Inexpressible> {
        let cap = u64::from(self.caps[clock.index()]);
        let source = from.map_or(Value { whole: 0, rank: 0 }, |from| self.values[from.index()]);
        let added = u64::try_from(value).map_err(|_| Inexpressible)?;
        let whole = u64::from(source.whole) + added;
        // G-2. A source above its cap puts the clock above its own cap (C-2).
        let is_above = source == ABOVE || whole > cap || (whole == cap && source.rank > 0);
        self.values[clock.index()] =
            if is_above { ABOVE } else { Value { whole: whole as u32, rank: source.rank } };
        self.close_gaps();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(caps: &[u32]) -> Region<'_> {
        Region::of(caps, &vec![Rational::ZERO; caps.len()])
    }

    /// The regions met from zero on, as text.
    fn walk(mut region: Region<'_>) -> Vec<String> {
        let mut seen = Vec::new();
        loop {
            let show = |v: &Value| match *v {
                ABOVE => "∞".to_owned(),
                Value { whole, rank } => format!("{whole}+{rank}"),
            };
            seen.push(region.values.iter().map(show).collect::<Vec<_>>().join(" "));
            if !region.advance() {
                return seen;
            }
        }
    }

    #[test]
    fn time_passes_all_regions_of_two_clocks() {
        assert_eq!(walk(start(&[1, 0])), ["0+0 0+0", "0+1 ∞", "1+0 ∞", "∞ ∞"]);
        let mut region = start(&[1, 2]);
        region.advance();
        region.assign(ClockId(0), None, 0).unwrap();
        assert_eq!(
            walk(region),
            ["0+0 0+1", "0+1 0+2", "0+1 1+0", "0+2 1+1", "1+0 1+1", "∞ 1+1", "∞ 2+0", "∞ ∞"]
        );
    }

    #[test]
    fn copies_and_shifts_respect_the_cap() {
        let mut region = start(&[2, 2]);
        region.advance();
        region.assign(ClockId(0), Some(ClockId(1)), 1).unwrap();
        assert_eq!(region.values, [Value { whole: 1, rank: 1 }, Value { whole: 0, rank: 1 }]);
        region.assign(ClockId(0), Some(ClockId(1)), 2).unwrap();
        assert_eq!(region.values, [ABOVE, Value { whole: 0, rank: 1 }]);
        region.assign(ClockId(1), Some(ClockId(0)), 0).unwrap();
        assert_eq!(region.values, [ABOVE, ABOVE]);
        region.assign(ClockId(1), None, 2).unwrap();
        assert_eq!(region.values, [ABOVE, Value { whole: 2, rank: 0 }]);
    }

    #[test]
    fn values_are_found_in_their_regions() {
        let caps = [1, 2, 2, 3, 3];
        let values = ["5/4", "4/3", "2", "5/2", "1/3"].map(|text| text.parse().unwrap());
        let value = |whole, rank| Value { whole, rank };
        // 5/4 is above its cap, so that its fraction does not count.
        assert_eq!(
            Region::of(&caps, &values).values,
            [ABOVE, value(1, 1), value(2, 0), value(2, 2), value(0, 1)]
        );
        let mut moved = start(&caps);
        for step in 1..40 {
            moved.advance();
            // All clocks started together: a region every half unit.
            let now = Rational::new(step, 2).unwrap();
            assert_eq!(moved.values, Region::of(&caps, &[now; 5]).values, "{now}");
        }
    }
}
