//! Successors where some moves come before others.

use super::work::Work;
use super::{Halt, Pipeline};
use crate::{
    Cover, Extrapolate, Goal, KeyStore, NodeId, Observer, Order, Rank, Reduce, TraceStore, ZoneStore,
};
use dwell_semantics::{Moves, ZoneFault, fire};
use dwell_zones::{Bound, compact};

impl<B, E, R, G, V, H, K, Z, C, O, T> Pipeline<'_, B, E, R, G, V, H, K, Z, C, O, T>
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
    /// All moves of `node`, each from the parts of its zone where none of a
    /// higher level can be taken.
    #[cold]
    pub(super) fn successors_by_priority(
        &mut self,
        node: NodeId,
        moves: &Moves,
        work: &mut Work<B>,
    ) -> Result<(), (Halt, Option<u32>)> {
        let system = self.system;
        let at_state = |fault: ZoneFault| (Halt::Fault(fault), None);
        let len = compact::compact_len(work.from_active.len());
        compact::unpack(&work.from_cells[..len], &work.from_active, &mut work.zone);
        if !work.from_invariants.apply(&mut work.zone).map_err(at_state)? {
            return Ok(());
        }
        let stepper = self.stepper();
        let turns = stepper.turns(&mut work.from, &work.zone, moves, &mut work.space).map_err(at_state)?;
        for turn in &turns {
            for &index in &turn.moves {
                let participants = moves.get(index as usize);
                let failed = |fault: ZoneFault| (Halt::Fault(fault), Some(index));
                let fired = fire(system, &work.from, participants, &mut work.to, &mut work.resets);
                self.note_transition(participants, work);
                for zone in &turn.zones {
                    work.zone.copy_from(zone);
                    self.stats.zone_copies += 1;
                    work.constraints.copy_from(&work.from_invariants);
                    let guards =
                        self.zones.guards(system, &mut work.from, participants, &mut work.constraints);
                    if guards.is_err() {
                        self.zones.sound_guards(system, &mut work.from, participants, &mut work.constraints);
                    }
                    if !work.constraints.apply(&mut work.zone).map_err(failed)? {
                        continue;
                    }
                    guards.map_err(failed)?;
                    match &fired {
                        Ok(true) => {}
                        Ok(false) => break,
                        Err(error) => return Err(failed(error.clone().into())),
                    }
                    self.zones.reset(&work.resets, &mut work.zone).map_err(failed)?;
                    self.enter(Some(node), index, work).map_err(|halt| (halt, Some(index)))?;
                }
            }
        }
        Ok(())
    }
}
