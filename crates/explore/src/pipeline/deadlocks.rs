//! Goals that are met in deadlocks only.
//!
//! To know whether a state has deadlocks its moves are to be found and taken, and
//! that is what expanding it does. So such a goal waits: each move tells where it
//! can be taken, and where they leave nothing the goal is not met.
//!
//! - D-1 The moves tell of what can be taken inside the stored zone. That may be
//!   one of several parts that a stay passes through, so of what is left the goal
//!   is asked itself.
//! - D-2 A state where a move fails may meet the goal all the same, and the answer
//!   comes first, as it does for other goals.

use super::work::Work;
use super::{Halt, Pipeline};
use crate::{
    Chance, Cover, Extrapolate, Goal, KeyStore, Met, Observer, Order, Rank, Reduce, TraceStore, ZoneStore,
};
use dwell_semantics::ZoneFault;
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
    /// What the goal says of the state at hand, if it need not wait for the moves.
    #[inline(always)]
    pub(super) fn goal_met_before_moves(&mut self, work: &mut Work<B>) -> Result<Met, Halt> {
        // A state that may not be stored is chosen about before its moves.
        let can_wait = self.keeping.is_none() && !self.transitions.has_priorities();
        work.tells = false;
        match self.goal.chance(&mut work.from)? {
            Chance::None => return Ok(Met::No),
            Chance::InDeadlocks if can_wait => work.tells = true,
            Chance::InDeadlocks | Chance::Anywhere => return self.goal_met(work),
        }
        let cells = &work.from_cells[..compact::compact_len(work.from_active.len())];
        compact::unpack(cells, &work.from_active, &mut work.zone);
        if work.from_invariants.apply(&mut work.zone)? {
            self.stepper().begin(&mut work.from, &work.zone, &[], &mut work.space)?;
        } else {
            work.tells = false;
        }
        Ok(Met::No)
    }

    /// What the goal says if it has waited. D-1
    #[inline(always)]
    pub(super) fn goal_met_after_moves(&mut self, work: &mut Work<B>) -> Result<Met, Halt> {
        if !work.tells || self.stepper().still_stuck(&work.space)?.is_empty() {
            return Ok(Met::No);
        }
        self.goal_met(work)
    }

    /// Whether the goal, if it has waited, is met in a state one of whose moves
    /// fails. D-2
    #[cold]
    pub(super) fn goal_met_despite(&mut self, halt: &Halt, work: &mut Work<B>) -> bool {
        let fails = matches!(halt, Halt::Fault(ZoneFault::Runtime(_)));
        fails && work.tells && matches!(self.goal_met(work), Ok(Met::Yes))
    }
}
