//! What becomes of a state: an end, a loop, or successors.

use super::passed::Met;
use super::work::Work;
use super::{CHECK_EVERY, Ending, Liveness};
use crate::pipeline::Halt;
use crate::{Cover, KeyStore};
use dwell_semantics::{Delay, Stepper, Truth, Turn, Workspace, ZoneFault, fire};
use dwell_zones::{Bound, Federation, compact};

impl<B: Bound, K: KeyStore, C: Cover<B>> Liveness<'_, B, K, C> {
    /// Whether a run ends in a state (or loops), and otherwise its successors.
    pub(super) fn look_into(&mut self, node: u32) -> Result<Option<(Ending, Option<u32>)>, Halt> {
        self.load(node);
        let Work { from, active, zone, invariants, .. } = &mut self.work;
        compact::unpack(self.passed.cells(node, compact::compact_len(active.len())), active, zone);
        self.stepper.zones.invariants(self.stepper.system, from, invariants)?;
        if !invariants.apply(zone)? {
            return Ok(None);
        }
        if self.runs_away()? {
            return Ok(Some((Ending::Unbounded, None)));
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
        if let Some(found) = self.successors(turns)? {
            return Ok(Some(found));
        }
        Ok(self.is_stuck()?.then_some((Ending::Stuck, None)))
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
    fn successors(&mut self, turns: Option<Vec<Turn<B>>>) -> Result<Option<(Ending, Option<u32>)>, Halt> {
        let Some(turns) = turns else {
            for index in 0..self.work.moves.len() as u32 {
                if let Some(found) = self.successor(index)? {
                    return Ok(Some(found));
                }
            }
            return Ok(None);
        };
        for turn in turns {
            for index in turn.moves {
                for zone in &turn.zones {
                    self.work.zone.copy_from(zone);
                    if let Some(found) = self.successor(index)? {
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
    fn successor(&mut self, index: u32) -> Result<Option<(Ending, Option<u32>)>, Halt> {
        self.moving = Some(index);
        let found = self.take(index)?;
        self.moving = None;
        Ok(found)
    }

    fn take(&mut self, index: u32) -> Result<Option<(Ending, Option<u32>)>, Halt> {
        self.work.until_check -= 1;
        if self.work.until_check == 0 {
            self.work.until_check = CHECK_EVERY;
            self.check()?;
        }
        let Work { from, to, zone, next, moves, resets, constraints, space, .. } = &mut self.work;
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
        zones.reset(resets, next)?;
        let on_path = self.enter(index)?;
        Ok(on_path.map(|node| {
            let at = self.frames.iter().position(|frame| frame.node == node);
            (Ending::Loop(at.expect("grey states are on the path")), Some(index))
        }))
    }

    /// From `to` and `next`, before any delay, to the states met; one that is on
    /// the path closes a loop.
    pub(super) fn enter(&mut self, index: u32) -> Result<Option<u32>, Halt> {
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
                delay?;
                self.stats.transitions += 1;
                return self.store(index);
            }
            Truth::No | Truth::Open => self.avoid.maximal_parts(to, universe, avoid)?,
        }
        let mut exits = Federation::new(next.dim());
        self.stepper.stays(to, next, avoid)?.iter().for_each(|stay| exits.union_with(&stay.exit));
        for exit in exits.zones() {
            for part in self.differences.split(exit.clone())? {
                self.work.next.copy_from(&part);
                self.stats.transitions += 1;
                if let Some(node) = self.store(index)? {
                    return Ok(Some(node));
                }
            }
        }
        Ok(None)
    }

    fn store(&mut self, index: u32) -> Result<Option<u32>, Halt> {
        let Work { to, next, bounds, active, words, cells, .. } = &mut self.work;
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
        let cells = &mut cells[..compact::compact_len(active.len())];
        compact::pack(next, active, cells);
        self.stepper.system.layout.pack(&to.locations, &to.registers, words);
        match self.passed.meet(words, cells, active, bounds) {
            Met::Open(node) => self.pending.push((node, index)),
            Met::Done => {}
            Met::Loop(node) => return Ok(Some(node)),
        }
        Ok(None)
    }
}
