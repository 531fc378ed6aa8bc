//! Sets of delays: intervals of rational numbers from zero on, and finite
//! unions of them.

use dwell_oracle::{Overflow, Rational};
use std::fmt;

/// One end of an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// Where it is.
    pub at: Rational,
    /// Whether that point lies outside.
    pub open: bool,
}

/// An interval of delays, perhaps empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The lower end, never negative.
    pub low: End,
    /// The upper end, if there is one.
    pub high: Option<End>,
}

/// Disjoint, non-empty intervals in ascending order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Delays(pub Vec<Interval>);

impl Interval {
    /// Every delay.
    pub const ALL: Self = Self { low: End { at: Rational::ZERO, open: false }, high: None };
    /// No delay: the one of length zero.
    pub const NOW: Self = Self { high: Some(Self::ALL.low), ..Self::ALL };

    /// True when it has no member.
    pub fn is_empty(&self) -> bool {
        self.high.is_some_and(|high| {
            high.at < self.low.at || (high.at == self.low.at && (high.open || self.low.open))
        })
    }

    /// Whether `delay` is a member.
    pub fn contains(&self, delay: Rational) -> bool {
        let above = delay > self.low.at || (delay == self.low.at && !self.low.open);
        let below = |high: End| delay < high.at || (delay == high.at && !high.open);
        above && self.high.is_none_or(below)
    }

    /// Keeps what is not below `end`.
    pub fn raise(&mut self, end: End) {
        if end.at > self.low.at || (end.at == self.low.at && end.open) {
            self.low = end;
        }
    }

    /// Keeps what is not above `end`.
    pub fn lower(&mut self, end: End) {
        let tighter = |high: End| end.at < high.at || (end.at == high.at && end.open);
        if self.high.is_none_or(tighter) {
            self.high = Some(end);
        }
    }

    /// What both have.
    pub fn and(mut self, other: Self) -> Self {
        self.raise(other.low);
        if let Some(high) = other.high {
            self.lower(high);
        }
        self
    }

    /// A member as early as it can be: the lower end, and where that lies
    /// outside one later, or half way to the upper end.
    pub fn earliest(&self) -> Result<Rational, Overflow> {
        if !self.low.open {
            return Ok(self.low.at);
        }
        let next = self.low.at.checked_add(1.into())?;
        match self.high {
            Some(high) if !self.contains(next) => half(self.low.at.checked_add(high.at)?),
            _ => Ok(next),
        }
    }
}

fn half(number: Rational) -> Result<Rational, Overflow> {
    let denominator = number.denominator().checked_mul(2).ok_or(Overflow)?;
    Rational::new(number.numerator(), denominator).ok_or(Overflow)
}

impl Delays {
    /// The members of one interval.
    pub fn of(interval: Interval) -> Self {
        Self(if interval.is_empty() { Vec::new() } else { vec![interval] })
    }

    /// True when there is no member.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether `delay` is a member.
    pub fn contains(&self, delay: Rational) -> bool {
        self.0.iter().any(|interval| interval.contains(delay))
    }

    /// What lies in `other` too.
    pub fn and(&self, other: Interval) -> Self {
        let parts = self.0.iter().map(|interval| interval.and(other));
        Self(parts.filter(|part| !part.is_empty()).collect())
    }

    /// What does not lie in `other`.
    pub fn minus(&self, other: Interval) -> Self {
        if other.is_empty() {
            return self.clone();
        }
        let flip = |end: End| End { open: !end.open, ..end };
        let mut parts = Vec::new();
        for &interval in &self.0 {
            let mut before = interval;
            before.lower(flip(other.low));
            parts.push(before);
            if let Some(high) = other.high {
                let mut after = interval;
                after.raise(flip(high));
                parts.push(after);
            }
        }
        parts.retain(|part| !part.is_empty());
        Self(parts)
    }

    /// What lies in none of `others`.
    pub fn without(&self, others: &Self) -> Self {
        others.0.iter().fold(self.clone(), |rest, &other| rest.minus(other))
    }

    /// A member as early as it can be, if there is one.
    pub fn earliest(&self) -> Option<Result<Rational, Overflow>> {
        self.0.first().map(Interval::earliest)
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let low = self.low.at;
        match (self.low.open, self.high) {
            (false, None) if low.is_zero() => write!(f, "at any time"),
            (false, None) => write!(f, "after {low} or more"),
            (true, None) => write!(f, "after more than {low}"),
            (false, Some(high)) if high.at == low && low.is_zero() => write!(f, "at once"),
            (false, Some(high)) if high.at == low => write!(f, "after {low}"),
            (false, Some(End { at, open: false })) => write!(f, "after {low} to {at}"),
            (false, Some(End { at, open: true })) => write!(f, "after {low} to less than {at}"),
            (true, Some(End { at, open: false })) => write!(f, "after more than {low}, at most {at}"),
            (true, Some(End { at, open: true })) => write!(f, "after more than {low}, less than {at}"),
        }
    }
}

impl fmt::Display for Delays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, interval) in self.0.iter().enumerate() {
            write!(f, "{}{interval}", if i == 0 { "" } else { " or " })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(at: i32, open: bool) -> End {
        End { at: at.into(), open }
    }

    /// Every interval with ends up to 3.
    fn intervals() -> Vec<Interval> {
        let ends: Vec<End> = (0..=3).flat_map(|at| [end(at, false), end(at, true)]).collect();
        let highs: Vec<Option<End>> = ends.iter().copied().map(Some).chain([None]).collect();
        ends.iter().flat_map(|&low| highs.iter().map(move |&high| Interval { low, high })).collect()
    }

    /// Whole numbers and halves tell all those intervals apart.
    fn points() -> impl Iterator<Item = Rational> {
        (0..=8).map(|n| Rational::new(n, 2).unwrap())
    }

    #[test]
    fn operations_agree_with_membership() {
        for a in intervals() {
            assert_eq!(a.is_empty(), !points().any(|p| a.contains(p)), "{a:?}");
            if !a.is_empty() {
                assert!(a.contains(a.earliest().unwrap()), "{a:?}");
            }
            for b in intervals() {
                let (all, both, less) = (Delays::of(a), Delays::of(a.and(b)), Delays::of(a).minus(b));
                assert_eq!(both, all.and(b));
                for p in points() {
                    assert_eq!(both.contains(p), a.contains(p) && b.contains(p), "{a:?} {b:?} {p}");
                    assert_eq!(less.contains(p), a.contains(p) && !b.contains(p), "{a:?} {b:?} {p}");
                }
            }
        }
    }

    #[test]
    fn intervals_read_well() {
        let show = |low, high| Interval { low, high }.to_string();
        assert_eq!(show(end(0, false), None), "at any time");
        assert_eq!(show(end(0, false), Some(end(0, false))), "at once");
        assert_eq!(show(end(3, false), Some(end(3, false))), "after 3");
        assert_eq!(show(end(3, false), Some(end(10, false))), "after 3 to 10");
        assert_eq!(show(end(3, true), Some(end(10, true))), "after more than 3, less than 10");
        assert_eq!(show(end(3, true), None), "after more than 3");
        let gap = Delays::of(Interval::ALL).minus(Interval { low: end(1, false), high: Some(end(2, true)) });
        assert_eq!(gap.to_string(), "after 0 to less than 1 or after 2 or more");
    }
}
