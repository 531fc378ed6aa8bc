//! Stays: how long a state may be stayed in, all the ways.
//!
//! In most states a zone is entered, time passes, and the invariants cut what
//! comes of it: one zone. Where deadlines ([`crate::Delay::Deadlines`]) or
//! something to *avoid* limit the stay, there are several.
//!
//! A stay leads from a clock valuation `v` to `w = v + d` such that
//! Y-1 both satisfy the invariants, and with them everything between;
//! Y-2 of every deadline some bound `x <= c` holds at `w`, or `d = 0`;
//! Y-3 nothing from `v` to `w` lies in a zone N that is avoided. A zone is
//!     convex, so that is the case iff `w` has nothing of N at or before it
//!     (`w` is not in N↑) or `v` is past N already (`v` is in N↑ but not in N).
//! Choosing one way for each deadline and each N gives constraints on `v` and
//! on `w`, each a zone: a [`Stay`] for each choice.
//! Y-4 Where clocks stand still, delay is over-approximated by the smallest
//!     zone, deadlines are forgotten, and N is avoided at the end only: what is
//!     found may not exist, what exists is found.

use crate::constraints::settle;
use crate::enabling::settled;
use crate::urgency::Deadline;
use crate::{Conjunction, Delay, Discrete, Scratch, Stepper, ZoneFault};
use dwell_model::ClockOperand;
use dwell_model::code::Machine;
use dwell_zones::{Bound, Federation, Zone};

/// Stays tried before giving up.
const MAX_STAYS: u32 = 1 << 16;

/// Deadlines and zones to avoid at once before giving up: each is a level of
/// recursion.
const MAX_CHOICES: usize = 512;

/// A way to stay in a state.
#[derive(Clone, Debug)]
pub struct Stay<B: Bound> {
    /// Where it begins.
    pub entry: Zone<B>,
    /// Where it may end: `entry` with its delays.
    pub exit: Zone<B>,
    /// No time passes.
    pub frozen: bool,
}

/// The ways to keep one deadline or to avoid one zone.
struct Choice<B: Bound> {
    entries: Vec<Zone<B>>,
    exits: Vec<Zone<B>>,
}

struct Search<B: Bound> {
    choices: Vec<Choice<B>>,
    found: Vec<Stay<B>>,
    tried: u32,
}

impl<B: Bound> Stepper<'_, B> {
    /// Whether there may be several stays, or clocks that stand still.
    pub fn stays_split(&self) -> bool {
        self.transitions.has_deadlines || !self.zones.rates.is_empty()
    }

    /// Whether some clock may stand still somewhere.
    pub fn has_stopwatches(&self) -> bool {
        !self.zones.rates.is_empty()
    }

    /// All stays that begin in `zone` (before its invariants are applied) and
    /// avoid the zones given.
    pub fn stays(
        &self,
        state: &mut Discrete,
        zone: &Zone<B>,
        avoid: &[Zone<B>],
    ) -> Result<Vec<Stay<B>>, ZoneFault> {
        let mut invariants = Conjunction::new(zone.dim());
        self.zones.invariants(self.system, state, &mut invariants)?;
        let mut entry = zone.clone();
        if !invariants.apply(&mut entry)? {
            return Ok(Vec::new());
        }
        let mut scratch = Scratch::default();
        let deadlines = match self.transitions.delay(self.system, state, &mut scratch)? {
            Delay::Frozen => None,
            Delay::Free => Some(Vec::new()),
            Delay::Deadlines => self.deadlines(state, &scratch)?,
        };
        let still = |zone: Zone<B>| Stay { entry: zone.clone(), exit: zone, frozen: true };
        let Some(deadlines) = deadlines else {
            return Ok(without(entry, avoid)?.into_iter().map(still).collect());
        };
        let standing = self.standing(state)?;
        let mut most = entry.clone();
        most.up_but(&standing);
        invariants.apply(&mut most)?;
        if !standing.is_empty() {
            // Y-4
            let stay = |exit| Stay { entry: entry.clone(), exit, frozen: false };
            return Ok(without(most, avoid)?.into_iter().map(stay).collect());
        }
        let mut found = Vec::new();
        if !deadlines.is_empty() {
            found.extend(without(entry.clone(), avoid)?.into_iter().map(still));
        }
        let mut choices: Vec<Choice<B>> = deadlines.iter().map(|d| keeping(d, &most)).collect();
        for n in avoid {
            choices.extend(avoiding(n, &most)?);
        }
        if choices.len() > MAX_CHOICES {
            return Err(ZoneFault::TooManySplits);
        }
        let mut search = Search { choices, found, tried: 0 };
        search.go(0, entry, most)?;
        if search.found.iter().any(|s| s.exit.overflowed() || s.entry.overflowed()) {
            return Err(ZoneFault::Overflow);
        }
        Ok(search.found)
    }

    /// The clocks that stand still in a state, as zone indices.
    pub fn standing(&self, state: &mut Discrete) -> Result<Vec<u16>, ZoneFault> {
        let mut standing = Vec::new();
        let Discrete { locations, registers, .. } = state;
        let machine = Machine::new(&self.system.code);
        for &(clock, rate) in self.zones.rates.at(locations) {
            if machine.run(rate, registers, &mut Vec::new())? == 0 {
                standing.push(match clock {
                    ClockOperand::Picked(code) => machine.run(code, registers, &mut Vec::new())? as u16 + 1,
                    ClockOperand::Clock(id) => id.0 as u16 + 1,
                    ClockOperand::Zero => continue,
                });
            }
        }
        Ok(standing)
    }
}

impl<B: Bound> Search<B> {
    /// Makes the choices from `k` on: stays from `entry` that end in `limit`.
    fn go(&mut self, k: usize, entry: Zone<B>, limit: Zone<B>) -> Result<(), ZoneFault> {
        self.tried += 1;
        if self.tried > MAX_STAYS {
            return Err(ZoneFault::TooManySplits);
        }
        let mut exit = entry.clone();
        exit.up();
        let left = exit.intersect(&limit);
        if !settle(&mut exit, left)? {
            return Ok(());
        }
        if k == self.choices.len() {
            self.found.push(Stay { entry, exit, frozen: false });
            return Ok(());
        }
        for at in 0..self.choices[k].entries.len() {
            let mut entry = entry.clone();
            let left = entry.intersect(&self.choices[k].entries[at]);
            if settle(&mut entry, left)? {
                self.go(k + 1, entry, limit.clone())?;
            }
        }
        for at in 0..self.choices[k].exits.len() {
            let mut limit = limit.clone();
            let left = limit.intersect(&self.choices[k].exits[at]);
            if settle(&mut limit, left)? {
                self.go(k + 1, entry.clone(), limit)?;
            }
        }
        Ok(())
    }
}

/// Y-2
fn keeping<B: Bound>(deadline: &Deadline<B>, most: &Zone<B>) -> Choice<B> {
    let mut exits = Vec::new();
    for d in deadline {
        let mut exit = most.clone();
        if exit.constrain(d.i.into(), d.j.into(), d.bound) {
            exits.push(exit);
        }
    }
    Choice { entries: Vec::new(), exits }
}

/// Y-3; `None` where nothing within `most` is to be avoided.
fn avoiding<B: Bound>(avoid: &Zone<B>, most: &Zone<B>) -> Result<Option<Choice<B>>, ZoneFault> {
    let mut shared = avoid.clone();
    let meets = shared.intersect(most);
    if !settle(&mut shared, meets)? {
        return Ok(None);
    }
    let mut after = avoid.clone();
    after.up();
    let mut entries = Federation::new(avoid.dim());
    entries.union_with(&after);
    entries.subtract(avoid);
    let mut exits = Federation::new(avoid.dim());
    exits.union_with(most);
    exits.subtract(&after);
    Ok(Some(Choice {
        entries: settled(&entries)?.zones().to_vec(),
        exits: settled(&exits)?.zones().to_vec(),
    }))
}

/// The parts of `zone` outside all of `avoid`.
pub(crate) fn without<B: Bound>(zone: Zone<B>, avoid: &[Zone<B>]) -> Result<Vec<Zone<B>>, ZoneFault> {
    if avoid.is_empty() {
        return Ok(vec![zone]);
    }
    let mut rest = Federation::new(zone.dim());
    rest.union_with(&zone);
    for n in avoid {
        rest.subtract(n);
        settled(&rest)?;
    }
    Ok(rest.zones().to_vec())
}
