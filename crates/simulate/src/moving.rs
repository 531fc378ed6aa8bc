//! Clock values after a delay that is not known yet.
//!
//! A clock is a number, plus the delay unless it stands still or has been set
//! since. So every constraint on clocks is one on the delay, and constraints are
//! only ever required together. That makes an interval:
//!
//! M-1 [`Clocks::holds`] narrows the interval to the delays for which the
//!     constraint holds, and says whether any is left. All copies of the
//!     values share the interval, so that whatever the oracle requires of a
//!     state and its successor together ends up in it.

use crate::interval::{End, Interval};
use dwell_model::ClockId;
use dwell_model::expr::Relation;
use dwell_oracle::Rational;
use dwell_oracle::eval::{Clocks, Inexpressible};
use std::cell::Cell;
use std::rc::Rc;

/// Clock values that depend on a delay, and the delays still possible.
#[derive(Clone, Debug)]
pub(crate) struct Moving {
    values: Vec<Value>,
    delays: Rc<Cell<Interval>>,
}

#[derive(Clone, Copy, Debug)]
struct Value {
    number: Rational,
    /// Whether the delay is to be added.
    moves: bool,
}

impl Moving {
    /// Clocks at these values before a delay out of `delays`, which moves those
    /// that run.
    pub fn new(values: &[Rational], running: &[bool], delays: Interval) -> Self {
        let values = values.iter().zip(running).map(|(&number, &moves)| Value { number, moves }).collect();
        Self { values, delays: Rc::new(Cell::new(delays)) }
    }

    /// The delays that are left.
    pub fn delays(&self) -> Interval {
        self.delays.get()
    }
}

impl Clocks for Moving {
    fn holds(
        &self,
        left: ClockId,
        minus: Option<ClockId>,
        relation: Relation,
        bound: i32,
    ) -> Result<bool, Inexpressible> {
        let left = self.values[left.index()];
        let minus = minus.map_or(Value { number: Rational::ZERO, moves: false }, |m| self.values[m.index()]);
        let difference = left.number.checked_sub(minus.number).map_err(|_| Inexpressible)?;
        let rest = Rational::from(bound).checked_sub(difference).map_err(|_| Inexpressible)?;
        let (limit, relation) = match (left.moves, minus.moves) {
            // The delay stands on the left: delay ~ rest.
            (true, false) => (rest, relation),
            // It is subtracted: -delay ~ rest.
            (false, true) => {
                let turned = match relation {
                    Relation::Lt => Relation::Gt,
                    Relation::Le => Relation::Ge,
                    Relation::Eq => Relation::Eq,
                    Relation::Ge => Relation::Le,
                    Relation::Gt => Relation::Lt,
                };
                (Rational::ZERO.checked_sub(rest).map_err(|_| Inexpressible)?, turned)
            }
            _ => {
                return Ok(match relation {
                    Relation::Lt => Rational::ZERO < rest,
                    Relation::Le => Rational::ZERO <= rest,
                    Relation::Eq => rest.is_zero(),
                    Relation::Ge => Rational::ZERO >= rest,
                    Relation::Gt => Rational::ZERO > rest,
                });
            }
        };
        let end = End { at: limit, open: matches!(relation, Relation::Lt | Relation::Gt) };
        let mut delays = self.delays.get();
        if matches!(relation, Relation::Lt | Relation::Le | Relation::Eq) {
            delays.lower(end);
        }
        if matches!(relation, Relation::Gt | Relation::Ge | Relation::Eq) {
            delays.raise(end);
        }
        self.delays.set(delays); // M-1
        Ok(!delays.is_empty())
    }

    fn assign(&mut self, clock: ClockId, from: Option<ClockId>, value: i32) -> Result<(), Inexpressible> {
        let from =
            from.map_or(Value { number: Rational::ZERO, moves: false }, |from| self.values[from.index()]);
        let number = from.number.checked_add(value.into()).map_err(|_| Inexpressible)?;
        self.values[clock.index()] = Value { number, ..from };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Constraints agree with the oracle's on the values after the delay.
    #[test]
    fn a_delay_is_left_iff_the_constraint_holds_after_it() {
        let start = [Rational::new(1, 2).unwrap(), 2.into()];
        let delays = || (0..=8).map(|n| Rational::new(n, 2).unwrap());
        let relations = [Relation::Lt, Relation::Le, Relation::Eq, Relation::Ge, Relation::Gt];
        let (x, y) = (ClockId(0), ClockId(1));
        for (runs, set) in [[true, true], [true, false], [false, true], [false, false]]
            .into_iter()
            .flat_map(|runs| [None, Some((None, 1)), Some((Some(y), 0))].map(|set| (runs, set)))
        {
            for (left, minus) in [(x, None), (y, None), (x, Some(y)), (y, Some(x))] {
                for relation in relations {
                    for bound in -3..=5 {
                        let mut moving = Moving::new(&start, &runs, Interval::ALL);
                        if let Some((from, value)) = set {
                            moving.assign(x, from, value).unwrap();
                        }
                        let any = moving.holds(left, minus, relation, bound).unwrap();
                        for delay in delays() {
                            let mut values: Vec<Rational> = start.to_vec();
                            for (value, _) in values.iter_mut().zip(runs).filter(|(_, runs)| *runs) {
                                *value = value.checked_add(delay).unwrap();
                            }
                            if let Some((from, value)) = set {
                                values.assign(x, from, value).unwrap();
                            }
                            let expected = values.holds(left, minus, relation, bound).unwrap();
                            assert_eq!(any && moving.delays().contains(delay), expected);
                        }
                    }
                }
            }
        }
    }
}
