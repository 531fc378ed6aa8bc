//! The exploration loop.

mod choice;
mod deadlocks;
mod pass;
mod pause;
mod priorities;
mod shard;
mod work;

use crate::chains::Chains;
use crate::checkpoint::Best;
use crate::countdown::Countdown;
use crate::extrapolate::Differences;
use crate::keep::Keeping;
use crate::spill::make_room;
use crate::{
    At, BoundsMap, ChainsFrom, Cover, Exchange, Extrapolate, Goal, Inserted, Keeper, KeyStore, Met, NodeId,
    Observer, Order, Origin, PwList, Rank, Reduce, Stats,
};
use crate::{TraceStore, ZoneStore};
use dwell_base::SpillFile;
use dwell_base::limits::{Limits, Stop};
use dwell_base::persist::corrupt;
use dwell_model::System;
use dwell_model::expr::RuntimeError;
use dwell_semantics::{
    Delay, Moves, Participant, Stepper, Transitions, ZoneFault, ZoneSystem, fire, initial_locations,
};
use dwell_zones::{Bound, Federation, Zone, compact};
use std::io::{self, Read};
use std::time::{Duration, Instant};
use work::{Pause, Work};

/// Bytes of zones stored after which the memory is looked at in any case.
const CHECK_BYTES: usize = 1 << 23;
/// Time between two looks at the memory and reports to the observer: asking the
/// system costs as much as dozens of moves.
const REPORT_EVERY: Duration = Duration::from_millis(50);

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Everything was explored, the goal not met.
    Complete,
    /// This state meets the goal.
    Reached(NodeId),
    /// This state meets the goal with this rank, and none with a smaller one.
    ReachedAt(NodeId, i64),
    /// A limit was reached.
    Stopped(Stop),
    /// The model failed in a move of this state (or entering an initial one).
    Failed {
        /// What went wrong.
        error: RuntimeError,
        /// The state and its move; no move: while looking for moves.
        at: Option<(NodeId, Option<u32>)>,
    },
    /// A bound left the width of the zones.
    Overflow,
    /// The goal, or what the moves of a state leave, has more alternatives over clocks
    /// than can be tried.
    TooManySplits,
    /// What the run should go on from cannot be used, and why.
    NotResumed(String),
}

/// The stages of one run.
///
/// `B` bounds · `E` extrapolation · `R` clock reduction · `G` goal ·
/// `V` observer · `H` rank · `K` key store · `Z` zone store · `C` cover ·
/// `O` order · `T` trace store.
pub struct Pipeline<'s, B: Bound, E, R, G, V, H, K, Z, C, O, T> {
    /// What is explored.
    pub system: &'s System,
    /// *Transition*.
    pub transitions: &'s Transitions,
    /// *Successor* and *Delay*.
    pub zones: &'s ZoneSystem<B>,
    /// L and U for `extrapolate` and the cover.
    pub bounds: BoundsMap<B>,
    /// *Normalisation*.
    pub extrapolate: E,
    /// What zones are split at before that.
    pub differences: Differences<B>,
    /// *ActiveClockReduction*, and the same for variables.
    pub reduce: R,
    /// *Query*.
    pub goal: G,
    /// *Progress*.
    pub observer: V,
    /// What the order goes by, if it does.
    pub rank: H,
    /// Which states are stored; `None`: all.
    pub keeping: Option<Keeping>,
    /// From when on states in which nothing is decided are passed through.
    pub chains: ChainsFrom,
    /// *PWList*, with the trace store inside.
    pub pw: PwList<B, K, Z, C, O, T>,
    /// When to stop.
    pub limits: Limits,
    /// Writes the run down now and then, and where it is stopped.
    pub keeper: Box<dyn Keeper + 's>,
    /// For what does not fit into memory.
    pub spill: Option<SpillFile>,
    /// The way to other workers, where there are any.
    pub exchange: Option<Box<dyn Exchange<B> + 's>>,
    /// What was counted.
    pub stats: Stats,
}

/// Ends a run early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// A zone could not be computed.
    Fault(ZoneFault),
    /// A limit was reached.
    Stop(Stop),
}

impl From<ZoneFault> for Halt {
    fn from(fault: ZoneFault) -> Self {
        Self::Fault(fault)
    }
}

impl From<RuntimeError> for Halt {
    fn from(error: RuntimeError) -> Self {
        Self::Fault(ZoneFault::Runtime(error))
    }
}

impl<'s, B, E, R, G, V, H, K, Z, C, O, T> Pipeline<'s, B, E, R, G, V, H, K, Z, C, O, T>
where
    B: Bound,
    E: Extrapolate<B>,
    R: Reduce,
    G: Goal<B>,
    V: Observer,
    H: Rank<B>,
    K: KeyStore,
    Z: ZoneStore<B>,
    C: Cover<B>,
    O: Order,
    T: TraceStore,
{
    /// Explores from the initial states until the goal is met, everything is
    /// seen, or something stops the run.
    pub fn run(&mut self) -> Outcome {
        let mut work = self.work();
        let starts = self.exchange.as_ref().is_none_or(|exchange| exchange.starts());
        let begun = if starts { self.insert_initial(&mut work) } else { Ok(()) };
        let outcome = match begun {
            Ok(()) => self.explore(&mut work, None),
            Err(halt) => Outcome::halted(halt, None),
        };
        self.settle();
        self.leave();
        outcome
    }

    /// Leaves the other workers, if there are any.
    pub fn leave(&mut self) {
        if let Some(exchange) = &mut self.exchange {
            exchange.finish();
        }
    }

    /// Goes on from where a run with the same stages was written down.
    pub fn resume(&mut self, from: &mut dyn Read) -> io::Result<Outcome> {
        let mut work = self.work();
        let read = self.read_run(from, &mut work);
        let outcome = match read {
            Ok(Ok(best)) => Ok(self.explore(&mut work, best)),
            Ok(Err(halt)) => Ok(Outcome::halted(halt, None)),
            Err(error) => Err(error),
        };
        self.settle();
        self.leave();
        outcome
    }

    fn read_run(&mut self, from: &mut dyn Read, work: &mut Work<B>) -> io::Result<Result<Best, Halt>> {
        let best = match self.exchange.is_some() {
            true => self.read_back(from, work)?.map(|()| None),
            false => Ok(self.thaw(from)?),
        };
        if best.is_ok() && from.read(&mut [0])? != 0 {
            return Err(corrupt("there is more than a run"));
        }
        Ok(best)
    }

    /// Counts what is counted at the end.
    fn settle(&mut self) {
        self.stats.held_bytes = self.pw.bytes();
        self.stats.ranking_visits = self.pw.order().ranking_visits();
        self.stats.changed_after = self.pw.order().changed_after();
    }

    fn work(&self) -> Work<B> {
        let mut work = Work::new(self.system);
        work.splits = !self.differences.is_empty() || self.stepper().stays_split();
        work.from.reserve(self.goal.registers());
        let registers = self.rank.registers().max(self.goal.registers());
        work.to.reserve(registers);
        work.chains = self.chains.map(|from| Box::new(Chains::new(self.stepper(), from, registers)));
        work
    }

    /// `best` is the best state so far that meets the goal; taken again when no
    /// other can be better.
    fn explore(&mut self, work: &mut Work<B>, mut best: Best) -> Outcome {
        let mut moves = Moves::default();
        let mut countdown = Countdown::default();
        'states: loop {
            let node = match self.next(work) {
                Ok(Some(node)) => node,
                Ok(None) => break,
                Err(halt) => return Outcome::halted(halt, None),
            };
            if let Some((rank, found)) = best
                && found == node
            {
                return Outcome::ReachedAt(node, rank);
            }
            if best.is_some() && self.pw.was_taken(node) {
                continue;
            }
            match self.open(node, work) {
                Ok(true) => {}
                Ok(false) => {
                    // Many in a row are no reason not to look at the clock.
                    if countdown.due()
                        && let Err(halt) = self.check(work)
                    {
                        return Outcome::halted(halt, None);
                    }
                    continue;
                }
                Err(halt) => return Outcome::halted(halt, Some((node, None))),
            }
            match self.goal_met_before_moves(work) {
                Ok(Met::No) => {}
                Ok(Met::Yes) => match self.found(node, &mut best) {
                    Some(end) => return end,
                    None => continue,
                },
                Ok(Met::Later(rank)) if best.is_none_or(|(least, _)| rank < least) => {
                    best = Some((rank, node));
                    self.pw.wait(node, rank);
                }
                Ok(Met::Later(_)) => {}
                Err(halt) => return Outcome::halted(halt, Some((node, None))),
            }
            if self.keeping.is_some() {
                self.choose(node, work);
            }
            let scratch = &mut work.scratch;
            if let Err(error) = self.transitions.enabled(self.system, &mut work.from, &mut moves, scratch) {
                return Outcome::halted(error.into(), Some((node, None)));
            }
            if self.transitions.has_priorities()
                && let Err((halt, index)) = self.successors_by_priority(node, &moves, work)
            {
                return Outcome::halted(halt, Some((node, index)));
            }
            for index in 0..moves.len() {
                if !self.transitions.has_priorities()
                    && let Err(halt) = self.successor(node, moves.get(index), index as u32, work)
                {
                    if !self.goal_met_despite(&halt, work) {
                        return Outcome::halted(halt, Some((node, Some(index as u32))));
                    }
                    match self.found(node, &mut best) {
                        Some(end) => return end,
                        None => continue 'states,
                    }
                }
                countdown.count(std::mem::take(&mut work.passed));
                if (countdown.due() || work.unchecked_bytes > CHECK_BYTES)
                    && let Err(halt) = self.check(work)
                {
                    return Outcome::halted(halt, None);
                }
            }
            match self.goal_met_after_moves(work) {
                Ok(Met::Yes) => {
                    if let Some(end) = self.found(node, &mut best) {
                        return end;
                    }
                }
                Ok(_) => {}
                Err(halt) => return Outcome::halted(halt, Some((node, None))),
            }
            self.settle_choice(node, work);
            if self.exchange.is_none()
                && let Some(pause) = work.pause.take()
            {
                self.keep(best);
                if let Pause::Stop(stop) = pause {
                    return Outcome::Stopped(stop);
                }
            }
        }
        match (best, &self.exchange) {
            (Some((depth, node)), Some(_)) => Outcome::ReachedAt(node, depth),
            _ => Outcome::Complete,
        }
    }

    #[inline(always)]
    fn next(&mut self, work: &mut Work<B>) -> Result<Option<NodeId>, Halt> {
        if self.exchange.is_some() { self.next_shared(work) } else { Ok(self.pw.take()) }
    }

    /// The goal is met: that ends the run, unless shorter ways to it are looked for.
    #[cold]
    fn found(&mut self, node: NodeId, best: &mut Best) -> Option<Outcome> {
        let depth = self.pw.order().depth().saturating_sub(1);
        match &mut self.exchange {
            Some(exchange) if exchange.least_depth().is_some() => {
                exchange.found(depth);
                *best = Some((i64::from(depth), node));
                None
            }
            _ => Some(Outcome::Reached(node)),
        }
    }

    fn stepper(&self) -> Stepper<'s, B> {
        Stepper { system: self.system, transitions: self.transitions, zones: self.zones }
    }

    /// Reads the state that was taken, and makes ready what all its moves have
    /// in common. False if it need not be expanded.
    #[inline(always)]
    fn open(&mut self, node: NodeId, work: &mut Work<B>) -> Result<bool, Halt> {
        self.system.layout.unpack(self.pw.key(node), &mut work.from.locations, &mut work.from.registers);
        self.reduce.active(&work.from.locations, &mut work.from_active);
        for (rank, &i) in work.from_active.iter().enumerate() {
            work.from_rank[i as usize] = rank as u16;
        }
        let cells = &mut work.from_cells[..compact::compact_len(work.from_active.len())];
        self.pw.read(node, cells);
        if !self.pw.passing().is_unified() {
            self.bounds.at(&work.from.locations, &mut work.bounds);
        }
        let at = At { active: &work.from_active, bounds: &work.bounds };
        if !self.pw.admit(node, cells, at, &mut self.stats).map_err(Halt::Stop)? {
            return Ok(false);
        }
        self.zones.invariants(self.system, &mut work.from, &mut work.from_invariants)?;
        Ok(true)
    }

    #[inline(always)]
    fn goal_met(&mut self, work: &mut Work<B>) -> Result<Met, Halt> {
        let Work { from, from_active, from_cells, from_invariants, .. } = work;
        let cells = &from_cells[..compact::compact_len(from_active.len())];
        // Extrapolation may have widened the zone beyond the invariants.
        let mut zone = |zone: &mut Zone<B>| {
            compact::unpack(cells, from_active, zone);
            from_invariants.apply(zone)
        };
        self.goal.met(from, &mut zone)
    }

    /// One move of `node`: discrete part, guards against the stored zone, and
    /// only then a copy of the zone.
    #[inline(always)]
    fn successor(
        &mut self,
        node: NodeId,
        participants: &[Participant],
        index: u32,
        work: &mut Work<B>,
    ) -> Result<(), Halt> {
        let system = self.system;
        let m = work.from_active.len();
        let cells = &work.from_cells[..compact::compact_len(m)];
        // A clock in a guard is active at its source: the rank is not a dead one.
        let rank = &work.from_rank;
        let entry = |i: usize, j: usize| compact::entry(cells, m, rank[i].into(), rank[j].into());
        match self.zones.may_fire(system, &mut work.from, participants, entry) {
            Ok(true) => {}
            Ok(false) => return Ok(()),
            Err(ZoneFault::Runtime(error)) => return self.failed(participants, error, work),
            Err(overflow) => return Err(overflow.into()),
        }
        match fire(system, &work.from, participants, &mut work.to, &mut work.resets) {
            Ok(true) => {}
            Ok(false) => return Ok(()),
            Err(error) => return self.failed(participants, error, work),
        }
        compact::unpack(cells, &work.from_active, &mut work.zone);
        self.stats.zone_copies += 1;
        work.constraints.copy_from(&work.from_invariants);
        self.zones.guards(system, &mut work.from, participants, &mut work.constraints)?;
        if !work.constraints.apply(&mut work.zone)? {
            return Ok(());
        }
        if work.tells {
            let Work { from, to, resets, space, .. } = &mut *work;
            self.stepper().tell(from, participants, to, resets, space)?;
        }
        self.zones.reset(&work.resets, &mut work.zone)?;
        self.note_transition(participants, work);
        self.enter(Some(node), index, work)
    }

    /// A move with a guard or update that fails. The guards were tested one by
    /// one: the model has failed only if they and the invariants hold together.
    #[cold]
    fn failed(
        &self,
        participants: &[Participant],
        error: RuntimeError,
        work: &mut Work<B>,
    ) -> Result<(), Halt> {
        let len = compact::compact_len(work.from_active.len());
        compact::unpack(&work.from_cells[..len], &work.from_active, &mut work.zone);
        work.constraints.copy_from(&work.from_invariants);
        self.zones.sound_guards(self.system, &mut work.from, participants, &mut work.constraints);
        if work.constraints.apply(&mut work.zone)? { Err(error.into()) } else { Ok(()) }
    }

    /// From the discrete part and the zone after a move to the list.
    #[inline(always)]
    fn enter(&mut self, parent: Option<NodeId>, index: u32, work: &mut Work<B>) -> Result<(), Halt> {
        if work.splits {
            return self.enter_in_parts(parent, index, work);
        }
        let delay = self.transitions.delay(self.system, &mut work.to, &mut work.scratch);
        self.zones.invariants(self.system, &mut work.to, &mut work.constraints)?;
        // Guards that fail where no clock value is left do not matter.
        if !self.zones.enter(&work.constraints, delay == Ok(Delay::Free), &mut work.zone)? {
            return Ok(());
        }
        let delay = delay?;
        self.stats.transitions += u64::from(parent.is_some());
        if delay == Delay::Frozen && parent.is_some() && work.chains.is_some() {
            return self.pass(parent, index, work);
        }
        self.store(parent, index, work)
    }

    /// The same where a stay may be several zones, or a zone is split before it
    /// is widened.
    #[cold]
    fn enter_in_parts(&mut self, parent: Option<NodeId>, index: u32, work: &mut Work<B>) -> Result<(), Halt> {
        let stays = self.stepper().stays(&mut work.to, &work.zone, &[])?;
        if stays.is_empty() {
            return Ok(());
        }
        self.stats.transitions += u64::from(parent.is_some());
        let mut exits = Federation::new(work.zone.dim());
        stays.iter().for_each(|stay| exits.union_with(&stay.exit));
        for exit in exits.zones() {
            for part in self.differences.split(exit.clone())? {
                work.zone.copy_from(&part);
                self.store(parent, index, work)?;
            }
        }
        Ok(())
    }

    /// From the discrete part and the zone, delay included, to the list.
    #[inline(always)]
    fn store(&mut self, parent: Option<NodeId>, index: u32, work: &mut Work<B>) -> Result<(), Halt> {
        self.bounds.at(&work.to.locations, &mut work.bounds);
        if self.differences.is_empty() {
            self.extrapolate.widen(&mut work.zone, &work.bounds);
        } else {
            let before = work.zone.clone();
            self.extrapolate.widen(&mut work.zone, &work.bounds);
            self.differences.keep(&before, &mut work.zone);
        }
        if work.zone.overflowed() {
            return Err(ZoneFault::Overflow.into());
        }
        self.reduce.active(&work.to.locations, &mut work.active);
        self.reduce.forget(&work.to.locations, &mut work.to.registers);
        let cells = &mut work.cells[..compact::compact_len(work.active.len())];
        compact::pack(&work.zone, &work.active, cells);
        self.system.layout.pack(&work.to.locations, &work.to.registers, &mut work.words);
        let mut origin = Origin::here(parent, index);
        if self.exchange.is_some() {
            origin.depth = self.pw.order().depth();
            if self.hand_over(origin, work) {
                return Ok(());
            }
        }
        let cells = &work.cells[..compact::compact_len(work.active.len())];
        let at = At { active: &work.active, bounds: &work.bounds };
        let inserted = self.pw.insert(&work.words, cells, at, origin, &mut self.stats);
        work.unchecked_bytes += if let Inserted::New(_) = inserted { size_of_val(cells) } else { 0 };
        self.stats.chains.end(origin, inserted);
        if self.keeping.is_some() {
            self.flag(parent.is_some(), inserted, work);
        } else if let Inserted::New(node) = inserted {
            self.pw.wait(node, self.rank.of(&mut work.to, &work.zone, &work.active));
        }
        Ok(())
    }

    /// Every combination of initial locations.
    fn insert_initial(&mut self, work: &mut Work<B>) -> Result<(), Halt> {
        let mut countdown = Countdown::default();
        for (index, locations) in initial_locations(self.system).enumerate() {
            work.to.start(self.system, &locations);
            if work.to.invariants_hold(self.system)? {
                self.zones.start(self.system, &mut work.zone)?;
                self.enter(None, index as u32, work)?;
            }
            if countdown.due() {
                self.check(work)?;
                if let Some(Pause::Stop(stop)) = work.pause {
                    return Err(Halt::Stop(stop)); // nothing to go on from yet
                }
            }
        }
        Ok(())
    }

    #[cold]
    fn check(&mut self, work: &mut Work<B>) -> Result<(), Halt> {
        let mut stop = self.limits.interrupted().or_else(|| self.limits.exhausted(self.stats.visited));
        if work.unchecked_bytes > CHECK_BYTES || work.reported.elapsed() >= REPORT_EVERY {
            work.unchecked_bytes = 0;
            work.reported = Instant::now();
            self.stats.held_bytes = self.pw.bytes();
            self.observer.progress(&self.stats, self.pw.waiting());
            let (pw, file) = (&mut self.pw, self.spill.as_mut());
            stop = stop.or_else(|| make_room(pw, file, &self.limits, &mut self.stats));
        }
        match stop {
            Some(stop) if self.keeper.keeps() => work.pause = Some(Pause::Stop(stop)),
            Some(stop) => return Err(Halt::Stop(stop)),
            None if work.pause.is_none() && self.keeper.due() => work.pause = Some(Pause::GoOn),
            None => {}
        }
        Ok(())
    }
}

impl Outcome {
    /// Of a run that ended early, in a move of this state.
    pub fn halted(halt: Halt, at: Option<(NodeId, Option<u32>)>) -> Self {
        match halt {
            Halt::Stop(stop) => Self::Stopped(stop),
            Halt::Fault(ZoneFault::Overflow) => Self::Overflow,
            Halt::Fault(ZoneFault::TooManySplits) => Self::TooManySplits,
            Halt::Fault(ZoneFault::Runtime(error)) => Self::Failed { error, at },
        }
    }
}
