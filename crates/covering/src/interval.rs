//! Intervals of values.

use dwell_model::Network;
use dwell_model::analysis::Interval;

/// The range of a variable.
pub(crate) fn of_var(network: &Network, var: u32) -> Interval {
    let var = &network.vars[var as usize];
    Interval { min: var.min, max: var.max }
}

/// What lies in both, if anything.
pub(crate) fn intersection(a: Interval, b: Interval) -> Option<Interval> {
    let (min, max) = (a.min.max(b.min), a.max.min(b.max));
    (min <= max).then_some(Interval { min, max })
}

/// All values plus a constant, if none of them leaves 32 bits.
pub(crate) fn shifted(a: Interval, by: i32) -> Option<Interval> {
    Some(Interval { min: a.min.checked_add(by)?, max: a.max.checked_add(by)? })
}
