//! What becomes of a state: an end, or successors.

use super::effects::Effect;
use super::work::Work;
use super::{Ending, LivenessStats, Stages};
use crate::chains::{Chains, via};
use crate::extrapolate::Differences;
use crate::pipeline::Halt;
use crate::{BoundsMap, Extrapolate, Observer, Reduce, Stats};
use dwell_base::limits::Limits;
use dwell_model::{CompiledFormula, LocationId};
use dwell_semantics::{Delay, Discrete, FormulaTest, Stepper, Truth, Turn, Workspace, ZoneFault, fire};
use dwell_zones::{Bound, Federation, LuBounds, Zone, compact};
use std::time::{Duration, Instant};

/// Time between two looks at the memory and reports, which take longer.
const REPORT_EVERY: Duration = Duration::from_millis(50);

/// Where the states go that are met.
pub(super) trait Sink<B: Bound> {
    /// What ends the search.
    type Found;
    /// Whether it asks what moves do to clocks.
    const EFFECTS: bool;
    /// Whether states may be passed through.
    const CHAINS: bool = false;
    /// Takes a state.
    fn meet(&mut self, new: New<'_, B>) -> Option<Self::Found>;
    /// How many it holds.
    fn stored(&self) -> u64;
    /// Of how many discrete states; 0 where that does not matter.
    fn discrete(&self) -> u64 {
        0
    }
    /// How many are to be looked into.
    fn waiting(&self) -> usize;
    /// In how many bytes.
    fn bytes(&self) -> u64;
}

/// A state that is met.
pub(super) struct New<'w, B: Bound> {
    pub words: &'w [u64],
    pub cells: &'w [B],
    pub active: &'w [u16],
    pub bounds: &'w LuBounds<B>,
    /// Number of the move that led to it, with the length of a chain
    /// ([`crate::chains`]).
    pub index: u32,
    /// What that move does to clocks.
    pub effect: Effect,
}

/// What came of a state.
pub(super) enum After<F> {
    /// A run ends in it.
    Ends(Ending),
    /// The sink has found something.
    Found(F),
}

/// The states of runs that keep away from something.
pub(super) struct Avoiding<'s, B: Bound> {
    pub stepper: Stepper<'s, B>,
    avoid: FormulaTest<'s, B>,
    bounds: BoundsMap<B>,
    extrapolate: Box<dyn Extrapolate<B>>,
    differences: Differences<B>,
    reduce: Box<dyn Reduce>,
    pub limits: Limits,
    observer: Box<dyn Observer + 's>,
    pub stats: LivenessStats,
    /// The move that is being made.
    pub moving: Option<u32>,
    /// It was made, and what is avoided fails in the state after it.
    pub asking: bool,
    work: Work<B>,
    chains: Option<Box<Chains<B>>>,
}

impl<'s, B: Bound> Avoiding<'s, B> {
    pub fn new<K, C>(stages: Stages<'s, B, K, C>, avoid: &'s CompiledFormula) -> (Self, K, C) {
        let Stages { stepper, bounds, extrapolate, differences, reduce, chains, .. } = stages;
        let Stages { keys, cover, limits, observer, .. } = stages;
        let mut work = Work::new(stepper.system);
        let avoid = FormulaTest::new(avoid, stepper);
        work.from.reserve(avoid.registers());
        work.to.reserve(avoid.registers());
        let chains = chains.map(|from| Box::new(Chains::new(stepper, from, avoid.registers())));
        let avoiding = Self {
            stepper,
            avoid,
            bounds,
            extrapolate,
            differences,
            reduce,
            limits,
            observer,
            stats: LivenessStats::default(),
            moving: None,
            asking: false,
            work,
            chains,
        };
        (avoiding, keys, cover)
    }

    /// Enters the initial state with these locations, and says whether it is one.
    pub fn start<S: Sink<B>>(
        &mut self,
        locations: &[LocationId],
        index: u32,
        sink: &mut S,
    ) -> Result<(bool, Option<S::Found>), Halt> {
        let Some((discrete, zone)) = self.stepper.start(locations)? else { return Ok((false, None)) };
        self.work.to.copy_from(&discrete);
        self.work.next.copy_from(&zone);
        // What keeps away from nothing at once is an initial state too.
        let started = !self.stepper.stays(&mut self.work.to, &zone, &[])?.is_empty();
        Ok((started, self.enter(index, sink)?))
    }

    /// Enters part of a state, at any moment.
    pub fn enter_at<S: Sink<B>>(
        &mut self,
        state: &Discrete,
        zone: &Zone<B>,
        sink: &mut S,
    ) -> Result<Option<S::Found>, Halt> {
        self.work.to.copy_from(state);
        self.work.next.copy_from(zone);
        self.enter(0, sink)
    }

    /// Puts the discrete part and the active clocks of a state in place.
    pub fn load(&mut self, words: &[u64]) {
        let Work { from, active, .. } = &mut self.work;
        self.stepper.system.layout.unpack(words, &mut from.locations, &mut from.registers);
        self.reduce.active(&from.locations, active);
    }

    /// How many cells the zone of the loaded state has.
    pub fn cells_len(&self) -> usize {
        compact::compact_len(self.work.active.len())
    }

    /// Puts its zone in place.
    pub fn unpack(&mut self, cells: &[B]) {
        compact::unpack(cells, &self.work.active, &mut self.work.zone);
    }

    /// Active clocks and bounds of the loaded state.
    pub fn clocks(&mut self) -> (&[u16], &LuBounds<B>) {
        let Work { from, active, bounds, .. } = &mut self.work;
        self.bounds.at(&from.locations, bounds);
        (active, bounds)
    }

    /// What was counted.
    pub fn counted<S: Sink<B>>(&self, sink: &S) -> LivenessStats {
        LivenessStats {
            stored: sink.stored(),
            discrete: sink.discrete(),
            held_bytes: sink.bytes(),
            ..self.stats
        }
    }

    /// Whether a run ends in the loaded state, and otherwise its successors.
    pub fn look_into<S: Sink<B>>(&mut self, sink: &mut S) -> Result<Option<After<S::Found>>, Halt> {
        let Work { from, zone, invariants, .. } = &mut self.work;
        self.stepper.zones.invariants(self.stepper.system, from, invariants)?;
        if !invariants.apply(zone)? {
            return Ok(None);
        }
        if self.runs_away()? {
            return Ok(Some(After::Ends(Ending::Unbounded)));
        }
        let Work { from, zone, whole, moves, scratch, space, avoid, universe, .. } = &mut self.work;
        let Stepper { system, transitions, .. } = self.stepper;
        self.avoid.maximal_parts(from, universe, avoid)?;
        whole.copy_from(zone);
        self.stepper.begin(from, zone, avoid, space)?;
        transitions.enabled(system, from, moves, scratch)?;
        let turns = match transitions.has_priorities() {
            true => Some(self.stepper.turns(from, zone, moves, &mut Workspace::new(system))?),
            false => None,
        };
        if let Some(found) = self.successors(turns, sink)? {
            return Ok(Some(After::Found(found)));
        }
        Ok(self.is_stuck()?.then_some(After::Ends(Ending::Stuck)))
    }

    /// Whether a run ends in a deadlock of the state at hand, all of whose
    /// successors have been made. They have told of the moves that can be taken
    /// inside its zone; the zone may be one part of several that a stay passes
    /// through, so what seems stuck is looked at once more, with all moves.
    fn is_stuck(&mut self) -> Result<bool, Halt> {
        let Work { from, whole, space, avoid, universe, .. } = &mut self.work;
        if self.stepper.still_stuck(space)?.is_empty() {
            return Ok(false);
        }
        self.avoid.maximal_parts(from, universe, avoid)?;
        Ok(!self.stepper.stuck(from, whole, avoid, space)?.is_empty())
    }

    /// All moves of the state at hand; those of a turn from its parts only.
    fn successors<S: Sink<B>>(
        &mut self,
        turns: Option<Vec<Turn<B>>>,
        sink: &mut S,
    ) -> Result<Option<S::Found>, Halt> {
        let Some(turns) = turns else {
            for index in 0..self.work.moves.len() as u32 {
                if let Some(found) = self.successor(index, sink)? {
                    return Ok(Some(found));
                }
            }
            return Ok(None);
        };
        for turn in turns {
            for index in turn.moves {
                for zone in &turn.zones {
                    self.work.zone.copy_from(zone);
                    if let Some(found) = self.successor(index, sink)? {
                        return Ok(Some(found));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Whether time can pass for ever in the state at hand.
    fn runs_away(&mut self) -> Result<bool, Halt> {
        let Stepper { system, transitions, .. } = self.stepper;
        let Work { from, zone, scratch, .. } = &mut self.work;
        if (1..zone.dim()).any(|x| !zone.get(x, 0).is_inf()) && !self.stepper.has_stopwatches() {
            return Ok(false);
        }
        let standing = self.stepper.standing(from)?;
        let runs_away = |x: usize| standing.contains(&(x as u16)) || zone.get(x, 0).is_inf();
        if !(1..zone.dim()).all(runs_away) {
            return Ok(false);
        }
        let delay = transitions.delay(system, from, scratch)?;
        // Where clocks stand still there are no deadlines (Y-4).
        Ok(delay == Delay::Free || (delay == Delay::Deadlines && !standing.is_empty()))
    }

    /// Takes a move from the zone at hand.
    fn successor<S: Sink<B>>(&mut self, index: u32, sink: &mut S) -> Result<Option<S::Found>, Halt> {
        self.moving = Some(index);
        let found = self.take(index, sink)?;
        self.moving = None;
        Ok(found)
    }

    fn take<S: Sink<B>>(&mut self, index: u32, sink: &mut S) -> Result<Option<S::Found>, Halt> {
        if self.work.countdown.due() {
            self.check(sink)?;
        }
        let Work { from, to, zone, next, moves, resets, constraints, space, effect, .. } = &mut self.work;
        let Stepper { system, zones, .. } = self.stepper;
        let participants = moves.get(index as usize);
        let entry = |i: usize, j: usize| zone.get(i, j);
        let fired = match zones.may_fire(system, from, participants, entry) {
            Ok(true) => fire(system, from, participants, to, resets).map_err(ZoneFault::from),
            other => other,
        };
        constraints.clear();
        next.copy_from(zone);
        match fired {
            Ok(true) => {}
            Ok(false) => return Ok(None),
            Err(fault) => {
                // It matters only where the guards hold together.
                zones.sound_guards(system, from, participants, constraints);
                return if constraints.apply(next)? { Err(fault.into()) } else { Ok(None) };
            }
        }
        zones.guards(system, from, participants, constraints)?;
        if !constraints.apply(next)? {
            return Ok(None);
        }
        self.stepper.tell(from, participants, to, resets, space)?;
        if S::EFFECTS {
            *effect = Effect::of(next, resets);
        }
        zones.reset(resets, next)?;
        self.enter(index, sink)
    }

    /// From `to` and `next`, before any delay, to the states met.
    fn enter<S: Sink<B>>(&mut self, index: u32, sink: &mut S) -> Result<Option<S::Found>, Halt> {
        let Work { to, next, scratch, invariants, avoid, universe, .. } = &mut self.work;
        let Stepper { system, transitions, zones } = self.stepper;
        let holds = match self.avoid.discrete(to) {
            Ok(holds) => holds,
            Err(error) => {
                // It matters only where the state can be entered.
                zones.invariants(system, to, invariants)?;
                if !invariants.apply(next)? {
                    return Ok(None);
                }
                self.asking = true;
                return Err(error.into());
            }
        };
        match holds {
            Truth::Yes => return Ok(None),
            Truth::No if !self.stepper.stays_split() && self.differences.is_empty() => {
                zones.invariants(system, to, invariants)?;
                let delay = transitions.delay(system, to, scratch);
                if !zones.enter(invariants, delay == Ok(Delay::Free), next)? {
                    return Ok(None);
                }
                let delay = delay?;
                self.stats.transitions += 1;
                // A chain begins with a move.
                if S::CHAINS && delay == Delay::Frozen && self.moving.is_some() {
                    return self.pass(index, sink);
                }
                return self.store(index, sink);
            }
            Truth::No | Truth::Open => self.avoid.maximal_parts(to, universe, avoid)?,
        }
        let mut exits = Federation::new(next.dim());
        self.stepper.stays(to, next, avoid)?.iter().for_each(|stay| exits.union_with(&stay.exit));
        for exit in exits.zones() {
            for part in self.differences.split(exit.clone())? {
                self.work.next.copy_from(&part);
                self.stats.transitions += 1;
                if let Some(found) = self.store(index, sink)? {
                    return Ok(Some(found));
                }
            }
        }
        Ok(None)
    }

    /// The same through states in which nothing is decided. None of them is
    /// avoided, and no run ends in one (CH-1).
    fn pass<S: Sink<B>>(&mut self, index: u32, sink: &mut S) -> Result<Option<S::Found>, Halt> {
        let Work { to, next, scratch, .. } = &mut self.work;
        let passed = match &mut self.chains {
            Some(chains) if chains.pay(self.stats.visited, &self.stats.chains) => {
                let keeps_away = |state: &mut Discrete| self.avoid.discrete(state) == Ok(Truth::No);
                chains.pass(self.stepper, (to, next), scratch, |_, _| true, keeps_away)
            }
            _ => 0,
        };
        self.stats.transitions += u64::from(passed);
        self.stats.chains.passed += u64::from(passed);
        self.work.countdown.count(passed.into());
        let stored = sink.stored();
        let found = self.store(via(index, passed), sink)?;
        if passed > 0 {
            self.stats.chains.count(sink.stored() > stored);
        }
        Ok(found)
    }

    fn store<S: Sink<B>>(&mut self, index: u32, sink: &mut S) -> Result<Option<S::Found>, Halt> {
        let Work { to, next, bounds, active, words, cells, effect, .. } = &mut self.work;
        self.bounds.at(&to.locations, bounds);
        if self.differences.is_empty() {
            self.extrapolate.widen(next, bounds);
        } else {
            let before = next.clone();
            self.extrapolate.widen(next, bounds);
            self.differences.keep(&before, next);
        }
        if next.overflowed() {
            return Err(ZoneFault::Overflow.into());
        }
        self.reduce.active(&to.locations, active);
        self.reduce.forget(&to.locations, &mut to.registers);
        let cells = &mut cells[..compact::compact_len(active.len())];
        compact::pack(next, active, cells);
        self.stepper.system.layout.pack(&to.locations, &to.registers, words);
        Ok(sink.meet(New { words, cells, active, bounds, index, effect: *effect }))
    }

    #[cold]
    fn check<S: Sink<B>>(&mut self, sink: &S) -> Result<(), Halt> {
        let mut stop = self.limits.interrupted();
        if self.work.reported.elapsed() >= REPORT_EVERY {
            self.work.reported = Instant::now();
            let counted = self.counted(sink);
            self.observer.progress(&Stats::from(counted), sink.waiting());
            stop = stop.or_else(|| self.limits.memory_exceeded(counted.held_bytes));
        }
        stop.map_or(Ok(()), |stop| Err(Halt::Stop(stop)))
    }
}
