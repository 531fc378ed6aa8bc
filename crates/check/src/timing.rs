//! When the moves of a path can be taken, and what the clocks can be then.
//!
//! A zone of a trace holds what can be reached on the way; not all of it can go
//! on to the end. What lies on a run of the whole path is smaller: stable both
//! ways. On times every constraint is a difference with a bound (see
//! `concrete`), so the largest difference of two times is a shortest path
//! between them, and the zone of a state is made of such differences: clocks
//! are set at one time and looked at between two others.
//!
//! Cost: a shortest-path search over all constraints for each time at which a
//! clock is set or a state left.

use crate::concrete::{AtLeast, ClockOrigin};
use crate::constraints::{ZoneConstraint, zone_constraints};
use dwell_zones::{Bound, Zone};
use std::collections::HashMap;

/// Most pairs of a time and a constraint: some seconds.
const MAX_PAIRS: usize = 400_000_000;

/// The times of a path and what bounds them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timing {
    /// At the start.
    clocks: Vec<ClockOrigin>,
    /// Clocks that are set: at which time, which one, to what.
    changes: Vec<(u32, usize, ClockOrigin)>,
    constraints: Vec<AtLeast>,
    /// The end of the stay in the last state.
    last: u32,
    /// The path ends there, and not anywhere in the stay.
    ends_there: bool,
}

/// At most this much; `None`: as much as one likes.
type Most = Option<(i64, Strictness)>;

/// Strict bounds are smaller than weak ones of the same value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Strictness {
    Strict,
    Weak,
}

impl Timing {
    pub(crate) fn new(
        clocks: Vec<ClockOrigin>,
        changes: Vec<(u32, usize, ClockOrigin)>,
        constraints: &[AtLeast],
        last: u32,
        ends_there: bool,
    ) -> Option<Self> {
        let affordable = constraints.len().checked_mul(last as usize)? <= MAX_PAIRS;
        affordable.then(|| Self { clocks, changes, constraints: constraints.to_vec(), last, ends_there })
    }

    /// For each state of the path, steps that only wait left out: the clock
    /// values, delay included, of all runs of the whole path. `None` when they
    /// exceed 32 bits.
    pub fn stable_zones(&self) -> Option<Vec<Vec<ZoneConstraint>>> {
        let mut clocks = self.clocks.clone();
        let mut changes = self.changes.iter().peekable();
        let mut known: HashMap<u32, Vec<Most>> = HashMap::new();
        let mut zones = Vec::new();
        for entered in 0..self.last {
            while let Some((_, clock, origin)) = changes.next_if(|(at, ..)| *at <= entered) {
                // The time, where it is a clock, is not the model's.
                if let Some(place) = clocks.get_mut(*clock) {
                    *place = *origin;
                }
            }
            let left = entered + 1;
            let seen = if left == self.last && self.ends_there { left } else { entered };
            known.retain(|at, _| *at == left || clocks.iter().any(|clock| clock.since == *at));
            zones.push(self.zone(&clocks, (seen, left), &mut known)?);
        }
        Some(zones)
    }

    /// The clocks between two times.
    fn zone(
        &self,
        clocks: &[ClockOrigin],
        (seen, left): (u32, u32),
        known: &mut HashMap<u32, Vec<Most>>,
    ) -> Option<Vec<ZoneConstraint>> {
        let mut zone = Zone::<i32>::new(clocks.len() + 1);
        zone.set_universe();
        // Row 0 is a clock that is always 0: set at the time that is looked at.
        let origin = |i: usize, now: u32| match i {
            0 => ClockOrigin { since: now, offset: 0 },
            i => clocks[i - 1],
        };
        for j in 0..=clocks.len() {
            // i - j is t(j's origin) - t(i's origin): at most as of leaving, at least as of entering.
            let from = origin(j, left);
            let most = known.entry(from.since).or_insert_with(|| self.most_after(from.since));
            for i in (0..=clocks.len()).filter(|&i| i != j) {
                let to = origin(i, seen);
                let Some((value, strictness)) = most[to.since as usize] else { continue };
                let constant = i32::try_from(value + to.offset - from.offset).ok()?;
                let bound = match strictness {
                    Strictness::Strict => Bound::strict(constant)?,
                    Strictness::Weak => Bound::weak(constant)?,
                };
                zone.tighten(i, j, bound);
            }
        }
        (zone.close() && !zone.overflowed()).then(|| zone_constraints(&zone))
    }

    /// How much later than each time the time `source` can be.
    fn most_after(&self, source: u32) -> Vec<Most> {
        let mut most: Vec<Most> = vec![None; self.last as usize + 1];
        most[source as usize] = Some((0, Strictness::Weak));
        for round in 0.. {
            let mut changed = false;
            let sweep: &mut dyn Iterator<Item = &AtLeast> = if round % 2 == 0 {
                &mut self.constraints.iter()
            } else {
                &mut self.constraints.iter().rev()
            };
            for c in sweep {
                let Some((value, strictness)) = most[c.from as usize] else { continue };
                let strictness = if c.strict { Strictness::Strict } else { strictness };
                let next = (value - c.least, strictness);
                let place = &mut most[c.to as usize];
                if place.is_none_or(|old| next < old) {
                    *place = Some(next);
                    changed = true;
                }
            }
            // The times of a run satisfy all constraints, so no circle shrinks for ever.
            if !changed || round > self.last {
                break;
            }
        }
        most
    }
}
