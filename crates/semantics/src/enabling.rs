//! Where a move can be taken, and where no move can.
//!
//! E-1 A move can be taken at a clock valuation iff the guards hold there and
//!     the target's invariants hold once its updates are done. Every clock is
//!     then `y + c` or `c` for a source clock `y`, so an invariant of the target
//!     is a difference of source clocks with another constant: the whole is
//!     one conjunction.
//! E-2 A state is a *deadlock* iff neither it nor anything it can delay to lets
//!     a move be taken: what remains of a zone when the pasts of all
//!     enabling zones are taken away. Priorities change nothing: of the moves
//!     that can be taken the highest are not blocked.
//! E-3 A move that fails where its guards hold is no deadlock: the search reports
//!     it when it is taken, and must not be kept from that by an answer. It blocks
//!     none of a lower priority.
//! E-4 Where clocks stand still, pasts are under-approximated by their ends when
//!     deadlocks are looked for, and over-approximated when states are that are
//!     none: neither is missed.

use crate::urgency::Deadline;
use crate::zones::bound;
use crate::{
    Conjunction, Delay, Difference, Discrete, Moves, Participant, Scratch, Stepper, ZoneFault, fire,
};
use dwell_model::System;
use dwell_model::code::ClockReset;
use dwell_zones::{Bound, Federation, Zone};

/// Memory for [`Stepper::stuck`] and its like.
#[derive(Clone, Debug)]
pub struct Workspace<B: Bound> {
    moves: Moves,
    scratch: Scratch,
    to: Discrete,
    resets: Vec<ClockReset>,
    /// Each clock after the updates: zone index of the source clock, constant.
    origins: Vec<(u16, i64)>,
    conjunction: Conjunction<B>,
    invariants: Conjunction<B>,
    room: Zone<B>,
    escape: Zone<B>,
    rest: Federation<B>,
    /// From where zones of the state at hand are reached.
    reach: Reach<B>,
}

/// What is made of delays while clocks stand still. E-4
#[derive(Clone, Copy)]
enum Standing {
    NoDelay,
    AnyDelay,
}

/// From where a zone can be reached by delay.
#[derive(Clone, Debug)]
enum Reach<B: Bound> {
    /// From itself only.
    Now,
    /// From its past, unless a deadline lies between.
    Later(Vec<Deadline<B>>),
    /// From its past, in which these clocks had the same values.
    LaterBut(Vec<u16>),
}

impl<B: Bound> Workspace<B> {
    /// For states of `system`.
    pub fn new(system: &System) -> Self {
        let dim = system.zone_dimension();
        Self {
            moves: Moves::default(),
            scratch: Scratch::default(),
            to: Discrete::new(system),
            resets: Vec::new(),
            origins: Vec::new(),
            conjunction: Conjunction::new(dim),
            invariants: Conjunction::new(dim),
            room: Zone::new(dim),
            escape: Zone::new(dim),
            rest: Federation::new(dim),
            reach: Reach::Now,
        }
    }
}

impl<B: Bound> Stepper<'_, B> {
    /// Shrinks `zone` to where a move can be taken and does not fail; false where
    /// it cannot. E-1
    pub fn enabling(
        &self,
        from: &mut Discrete,
        participants: &[Participant],
        zone: &mut Zone<B>,
        work: &mut Workspace<B>,
    ) -> Result<bool, ZoneFault> {
        match self.fired_conjunction(from, participants, work) {
            Ok(possible) => Ok(possible && work.conjunction.apply(zone)?),
            Err(ZoneFault::Runtime(_)) => Ok(false), // E-3
            Err(other) => Err(other),
        }
    }

    /// The constraints under which a move can be taken, fail or not; false where it
    /// cannot. E-3
    fn possible(
        &self,
        from: &mut Discrete,
        participants: &[Participant],
        work: &mut Workspace<B>,
    ) -> Result<bool, ZoneFault> {
        match self.fired_conjunction(from, participants, work) {
            Err(ZoneFault::Runtime(_)) => {
                work.conjunction.clear();
                self.zones.sound_guards(self.system, from, participants, &mut work.conjunction);
                Ok(!work.conjunction.never)
            }
            decided => decided,
        }
    }

    /// The constraints under which a move can be taken; false where it cannot, the
    /// error where it fails.
    fn fired_conjunction(
        &self,
        from: &mut Discrete,
        participants: &[Participant],
        work: &mut Workspace<B>,
    ) -> Result<bool, ZoneFault> {
        let fired = fire(self.system, from, participants, &mut work.to, &mut work.resets)?;
        Ok(fired && self.enabling_conjunction(from, participants, work)?)
    }

    /// The constraints under which a move that leads to `work.to` by
    /// `work.resets` can be taken; false where it cannot.
    fn enabling_conjunction(
        &self,
        from: &mut Discrete,
        participants: &[Participant],
        work: &mut Workspace<B>,
    ) -> Result<bool, ZoneFault> {
        let Workspace { to, resets, origins, conjunction, .. } = work;
        conjunction.clear();
        self.zones.guards(self.system, from, participants, conjunction)?;
        origins.clear();
        origins.extend((0..=self.system.network.clocks.len()).map(|i| (i as u16, 0)));
        for reset in resets.iter() {
            let value = i64::from(reset.value);
            let source = reset.from.map_or((0, 0), |y| origins[y.index() + 1]);
            origins[reset.clock.index() + 1] = (source.0, source.1 + value);
        }
        let before = |d: Difference<B>| {
            let ((i, plus), (j, minus)) = (origins[usize::from(d.i)], origins[usize::from(d.j)]);
            let constant = i64::from(d.bound.constant()) - plus + minus;
            if i == j {
                // Both sides are known: the constraint is true or false.
                let holds = 0 < constant || (constant == 0 && !d.bound.is_strict());
                conjunction.never |= !holds;
                return Ok(());
            }
            let bound = bound(constant, d.bound.is_strict()).ok_or(ZoneFault::Overflow)?;
            conjunction.add(Difference { i, j, bound });
            Ok(())
        };
        self.zones.each_invariant(self.system, to, before)?;
        Ok(!conjunction.never)
    }

    /// The deadlocks in `zone`, of which those are left out from which some
    /// delay leads into one of `but`. E-2
    pub fn stuck<'w>(
        &self,
        state: &mut Discrete,
        zone: &Zone<B>,
        but: &[Zone<B>],
        work: &'w mut Workspace<B>,
    ) -> Result<&'w Federation<B>, ZoneFault> {
        self.begin(state, zone, but, work)?;
        let mut moves = std::mem::take(&mut work.moves);
        self.transitions.enabled(self.system, state, &mut moves, &mut work.scratch)?;
        let mut index = 0;
        while index < moves.len() && !work.rest.is_empty() {
            let possible = self.possible(state, moves.get(index), work)?;
            escape(possible, work)?;
            index += 1;
        }
        work.moves = moves;
        self.still_stuck(work)
    }

    /// Starts looking for deadlocks in `zone` that cannot delay into one of
    /// `but`; the moves of the state are to be told one by one.
    pub fn begin(
        &self,
        state: &mut Discrete,
        zone: &Zone<B>,
        but: &[Zone<B>],
        work: &mut Workspace<B>,
    ) -> Result<(), ZoneFault> {
        work.rest.clear();
        work.rest.union_with(zone);
        if !self.prepare(state, Standing::NoDelay, work)? {
            work.rest.clear();
            return Ok(());
        }
        for n in but {
            work.escape.copy_from(n);
            if work.escape.intersect(&work.room) {
                pasts(work, Federation::subtract);
                settled(&work.rest)?;
            }
        }
        Ok(())
    }

    /// Tells of a move, one that leads to `to` by `resets`.
    pub fn tell(
        &self,
        state: &mut Discrete,
        participants: &[Participant],
        to: &Discrete,
        resets: &[ClockReset],
        work: &mut Workspace<B>,
    ) -> Result<(), ZoneFault> {
        if work.rest.is_empty() {
            return Ok(());
        }
        work.to.copy_from(to);
        work.resets.clear();
        work.resets.extend_from_slice(resets);
        let possible = self.enabling_conjunction(state, participants, work)?;
        escape(possible, work)
    }

    /// What remains when all moves have been told.
    pub fn still_stuck<'w>(&self, work: &'w Workspace<B>) -> Result<&'w Federation<B>, ZoneFault> {
        settled(&work.rest)
    }

    /// The parts of `zone` that are no deadlocks; they may overlap.
    pub fn free<'w>(
        &self,
        state: &mut Discrete,
        zone: &Zone<B>,
        work: &'w mut Workspace<B>,
    ) -> Result<&'w Federation<B>, ZoneFault> {
        work.rest.clear();
        if !self.prepare(state, Standing::AnyDelay, work)? {
            return Ok(&work.rest);
        }
        let mut moves = std::mem::take(&mut work.moves);
        self.transitions.enabled(self.system, state, &mut moves, &mut work.scratch)?;
        for index in 0..moves.len() {
            let possible = self.possible(state, moves.get(index), work)?;
            work.escape.copy_from(&work.room);
            if possible && work.conjunction.apply(&mut work.escape)? {
                pasts(work, |rest, escape| {
                    let mut part = escape.clone();
                    if part.intersect(zone) {
                        rest.union_with(&part);
                    }
                });
            }
        }
        work.moves = moves;
        self.still_stuck(work)
    }

    /// What all moves of a state have in common; false where no clock values
    /// satisfy the invariants.
    fn prepare(
        &self,
        state: &mut Discrete,
        standing: Standing,
        work: &mut Workspace<B>,
    ) -> Result<bool, ZoneFault> {
        work.reach = match self.transitions.delay(self.system, state, &mut work.scratch)? {
            Delay::Frozen => Reach::Now,
            Delay::Free => Reach::Later(Vec::new()),
            Delay::Deadlines => self.deadlines(state, &work.scratch)?.map_or(Reach::Now, Reach::Later),
        };
        if self.has_stopwatches() && matches!(work.reach, Reach::Later(_)) {
            let clocks = self.standing(state)?;
            if !clocks.is_empty() {
                work.reach = match standing {
                    Standing::NoDelay => Reach::Now,
                    Standing::AnyDelay => Reach::LaterBut(clocks),
                }; // E-4
            }
        }
        self.zones.invariants(self.system, state, &mut work.invariants)?;
        work.room.set_universe();
        work.invariants.apply(&mut work.room)
    }
}

/// Takes away what can delay to where a move is possible, if that is anywhere,
/// under the conditions of `work.conjunction`.
fn escape<B: Bound>(possible: bool, work: &mut Workspace<B>) -> Result<(), ZoneFault> {
    if possible {
        work.escape.copy_from(&work.room);
        if work.conjunction.apply(&mut work.escape)? {
            pasts(work, Federation::subtract);
            settled(&work.rest)?;
        }
    }
    Ok(())
}

/// The most zones that a union of them may have: each that is taken away may double
/// their number.
const MAX_PARTS: usize = 1 << 12;

/// Zones that others were taken away from.
pub(crate) fn settled<B: Bound>(parts: &Federation<B>) -> Result<&Federation<B>, ZoneFault> {
    match parts.overflowed() {
        true => Err(ZoneFault::Overflow),
        false if parts.zones().len() > MAX_PARTS => Err(ZoneFault::TooManySplits),
        false => Ok(parts),
    }
}

/// Shows `see` what can delay into `work.escape`.
fn pasts<B: Bound>(work: &mut Workspace<B>, see: impl Fn(&mut Federation<B>, &Zone<B>)) {
    let Workspace { escape, rest, reach, .. } = work;
    let deadlines = match reach {
        Reach::Now => return see(rest, escape),
        Reach::LaterBut(standing) => return see(rest, &past_but(escape, standing)),
        Reach::Later(deadlines) if deadlines.is_empty() => {
            escape.down();
            return see(rest, escape);
        }
        Reach::Later(deadlines) => deadlines,
    };
    see(rest, escape);
    let mut ends = vec![escape.clone()];
    for deadline in deadlines.iter() {
        let kept = ends.iter().flat_map(|end| {
            deadline.iter().filter_map(|d| {
                let mut end = end.clone();
                end.constrain(d.i.into(), d.j.into(), d.bound).then_some(end)
            })
        });
        ends = kept.collect();
    }
    for mut end in ends {
        end.down();
        see(rest, &end);
    }
}

/// The smallest zone with everything from which a zone is reached while some
/// clocks stand still: the others were smaller, also compared with these.
fn past_but<B: Bound>(zone: &Zone<B>, standing: &[u16]) -> Zone<B> {
    let stands = |x: usize| x == 0 || standing.contains(&(x as u16));
    let mut past = Zone::new(zone.dim());
    past.set_universe();
    for i in 0..zone.dim() {
        for j in (0..zone.dim()).filter(|&j| i != j && (stands(j) || !stands(i))) {
            past.constrain(i, j, zone.get(i, j));
        }
    }
    past
}
