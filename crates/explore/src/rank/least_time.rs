//! The least time at which a state can be reached, for `--trace fastest`.
//!
//! LT-1 Ranks are in the order of time; "more than c" comes after "c" and
//!      before "c + 1".
//! LT-2 A goal that is met at a time comes before the states of that time:
//!      none of them can lead to an earlier one.

use super::Rank;
use dwell_semantics::Discrete;
use dwell_zones::{Bound, Zone};

/// The least value of a clock that is never reset.
#[derive(Clone, Copy, Debug)]
pub struct LeastTime {
    /// Its index in the zones.
    pub clock: usize,
}

impl<B: Bound> Rank<B> for LeastTime {
    #[inline]
    fn of(&self, _state: &mut Discrete, zone: &Zone<B>, _active: &[u16]) -> i64 {
        goal_rank(zone.get(0, self.clock)) + 1 // LT-2
    }
}

/// The rank of a goal met where minus the time is bounded by `bound`: four times
/// the constant, two more if it is not attained.
pub(crate) fn goal_rank<B: Bound>(bound: B) -> i64 {
    -4 * i64::from(bound.constant()) + if bound.is_strict() { 2 } else { 0 } // LT-1
}

/// The time of the goal with this rank, and whether it is attained.
pub fn goal_time(rank: i64) -> (i64, bool) {
    (rank.div_euclid(4), rank.rem_euclid(4) == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_in_the_order_of_time_and_goals_come_first() {
        let bound = |c: i32, strict| if strict { i16::strict(-c) } else { i16::weak(-c) }.unwrap();
        let times = [(0, false), (0, true), (1, false), (1, true), (7, false)];
        let ranks = times.map(|(c, strict)| goal_rank(bound(c, strict)));
        for (rank, (c, strict)) in ranks.iter().zip(times) {
            assert_eq!(goal_time(*rank), (i64::from(c), !strict));
        }
        assert!(ranks.windows(2).all(|pair| pair[0] + 1 < pair[1]), "{ranks:?}");
    }
}
