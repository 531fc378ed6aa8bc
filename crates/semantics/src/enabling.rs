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
//! E-3 A move that fails is none here; the search reports it when it is taken.
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
        }
    }
}

impl<B: Bound> Stepper<'_, B> {
    /// Shrinks `zone` to where a move can be taken; false where it cannot. E-1
    pub fn enabling(
        &self,
        from: &mut Discrete,
        participants: &[Participant],
        zone: &mut Zone<B>,
        work: &mut Workspace<B>,
    ) -> Result<bool, ZoneFault> {
        Ok(self.enabling_conjunction(from, participants, work)? && work.conjunction.apply(zone)?)
    }

    fn enabling_conjunction(
        &self,
        from: &mut Discrete,
        participants: &[Participant],
        work: &mut Workspace<B>,
    ) -> Result<bool, ZoneFault> {
        let Workspace { to, resets, origins, conjunction, .. } = work;
        if !matches!(fire(self.system, from, participants, to, resets), Ok(true)) {
            return Ok(false); // E-3
        }
        conjunction.clear();
        match self.zones.guards(self.system, from, participants, conjunction) {
            Ok(()) => {}
            Err(ZoneFault::Runtime(_)) => return Ok(false), // E-3
            Err(other) => return Err(other),
        }
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
        match self.zones.each_invariant(self.system, to, before) {
            Ok(()) => Ok(!conjunction.never),
            Err(ZoneFault::Runtime(_)) => Ok(false), // E-3
            Err(other) => Err(other),
        }
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
        work.rest.clear();
        work.rest.union_with(zone);
        self.escapes(state, but, Standing::NoDelay, work, |rest, escape| {
            rest.subtract(escape);
            rest.is_empty()
        })?;
        if work.rest.overflowed() { Err(ZoneFault::Overflow) } else { Ok(&work.rest) }
    }

    /// The parts of `zone` that are no deadlocks; they may overlap.
    pub fn free<'w>(
        &self,
        state: &mut Discrete,
        zone: &Zone<B>,
        work: &'w mut Workspace<B>,
    ) -> Result<&'w Federation<B>, ZoneFault> {
        work.rest.clear();
        self.escapes(state, &[], Standing::AnyDelay, work, |rest, escape| {
            let mut part = escape.clone();
            if part.intersect(zone) {
                rest.union_with(&part);
            }
            false
        })?;
        if work.rest.overflowed() { Err(ZoneFault::Overflow) } else { Ok(&work.rest) }
    }

    /// Shows `see` the zones from which a move can be taken now or later, and
    /// the pasts of `but`, until it says that it has seen enough.
    fn escapes(
        &self,
        state: &mut Discrete,
        but: &[Zone<B>],
        standing: Standing,
        work: &mut Workspace<B>,
        mut see: impl FnMut(&mut Federation<B>, &Zone<B>) -> bool,
    ) -> Result<(), ZoneFault> {
        let mut moves = std::mem::take(&mut work.moves);
        let result = self.escapes_by(state, but, standing, &mut moves, work, &mut see);
        work.moves = moves;
        result
    }

    fn escapes_by(
        &self,
        state: &mut Discrete,
        but: &[Zone<B>],
        standing: Standing,
        moves: &mut Moves,
        work: &mut Workspace<B>,
        see: &mut dyn FnMut(&mut Federation<B>, &Zone<B>) -> bool,
    ) -> Result<(), ZoneFault> {
        self.transitions.enabled(self.system, state, moves, &mut work.scratch)?;
        let delay = self.transitions.delay(self.system, state, &mut work.scratch)?;
        let mut reach = match delay {
            Delay::Frozen => Reach::Now,
            Delay::Free => Reach::Later(Vec::new()),
            Delay::Deadlines => self.deadlines(state, &work.scratch)?.map_or(Reach::Now, Reach::Later),
        };
        if !self.zones.rates.is_empty() && matches!(reach, Reach::Later(_)) {
            let clocks = self.standing(state)?;
            if !clocks.is_empty() {
                reach = match standing {
                    Standing::NoDelay => Reach::Now,
                    Standing::AnyDelay => Reach::LaterBut(clocks),
                }; // E-4
            }
        }
        self.zones.invariants(self.system, state, &mut work.invariants)?;
        work.room.set_universe();
        if !work.invariants.apply(&mut work.room)? {
            return Ok(());
        }
        for n in but {
            work.escape.copy_from(n);
            if work.escape.intersect(&work.room) && pasts(work, &reach, see) {
                return Ok(());
            }
        }
        for index in 0..moves.len() {
            if !self.enabling_conjunction(state, moves.get(index), work)? {
                continue;
            }
            work.escape.copy_from(&work.room);
            if work.conjunction.apply(&mut work.escape)? && pasts(work, &reach, see) {
                return Ok(());
            }
        }
        Ok(())
    }
}

/// What is made of delays while clocks stand still. E-4
#[derive(Clone, Copy)]
enum Standing {
    NoDelay,
    AnyDelay,
}

/// From where a zone can be reached by delay.
enum Reach<B: Bound> {
    /// From itself only.
    Now,
    /// From its past, unless a deadline lies between.
    Later(Vec<Deadline<B>>),
    /// From its past, in which these clocks had the same values.
    LaterBut(Vec<u16>),
}

/// Shows what can delay into `work.escape`; true when enough was seen.
fn pasts<B: Bound>(
    work: &mut Workspace<B>,
    reach: &Reach<B>,
    see: &mut dyn FnMut(&mut Federation<B>, &Zone<B>) -> bool,
) -> bool {
    let deadlines = match reach {
        Reach::Now => return see(&mut work.rest, &work.escape),
        Reach::Later(deadlines) => deadlines,
        Reach::LaterBut(standing) => {
            let past = past_but(&work.escape, standing);
            return see(&mut work.rest, &past);
        }
    };
    if deadlines.is_empty() {
        work.escape.down();
        return see(&mut work.rest, &work.escape);
    }
    if see(&mut work.rest, &work.escape) {
        return true;
    }
    let mut ends = vec![work.escape.clone()];
    for deadline in deadlines {
        let kept = ends.iter().flat_map(|end| {
            deadline.iter().filter_map(|d| {
                let mut end = end.clone();
                end.constrain(d.i.into(), d.j.into(), d.bound).then_some(end)
            })
        });
        ends = kept.collect();
    }
    ends.into_iter().any(|mut end| {
        end.down();
        see(&mut work.rest, &end)
    })
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
