//! Priorities: a move is blocked where one of a higher level can be taken.
//!
//! David, Håkansson, Larsen, Pettersson: *Model checking timed automata with
//! priorities using DBM subtraction* (FORMATS 2006).
//!
//! R-1 The level of a move is that of its channel (or of moves without one),
//!     and between equals the highest level among its processes.
//! R-2 Blocked are exactly the clock valuations at which a move of a strictly
//!     higher level can be taken (E-1): from the highest level down, each level
//!     has what the levels above leave over.

use crate::enabling::settled;
use crate::transitions::{Scan, Transitions};
use crate::{Discrete, Moves, Participant, Role, Scratch, Stepper, Workspace, ZoneFault};
use dwell_model::expr::RuntimeError;
use dwell_model::{CompiledSync, System};
use dwell_zones::{Bound, Federation, Zone};

/// Moves of one level, and where they are not blocked.
#[derive(Clone, Debug)]
pub struct Turn<B: Bound> {
    /// Numbers of the moves.
    pub moves: Vec<u32>,
    /// Disjoint parts of the zone at hand.
    pub zones: Vec<Zone<B>>,
}

impl Transitions {
    /// Whether moves may block each other.
    #[inline]
    pub fn has_priorities(&self) -> bool {
        self.has_priorities
    }

    ///
    fn level(
        &self,
        system: &System,
        state: &mut Discrete,
        participants: &[Participant],
        scratch: &mut Scratch,
    ) -> Result<(u32, u32), RuntimeError> {
        let network = &system.network;
        let mut channel = network.internal_priority;
        let mut process = 0;
        for p in participants.iter().filter(|p| p.role == Role::Takes) {
            process = process.max(network.processes[p.process as usize].priority);
            if let CompiledSync::Send(operand) =
                system.processes[p.process as usize].edges[p.edge as usize].sync
            {
                let mut moves = Moves::default();
                let mut scan = Scan { system, state, committed: false, moves: &mut moves, scratch };
                channel = network.channels[scan.channel(&operand)? as usize].priority;
            }
        }
        Ok((channel, process))
    }
}

impl<B: Bound> Stepper<'_, B> {
    /// The moves of a state by level, highest first, with the parts of `zone`
    /// (where the invariants hold) in which they are not blocked. R-2
    pub fn turns(
        &self,
        state: &mut Discrete,
        zone: &Zone<B>,
        moves: &Moves,
        work: &mut Workspace<B>,
    ) -> Result<Vec<Turn<B>>, ZoneFault> {
        let all = 0..moves.len() as u32;
        if !self.transitions.has_priorities() {
            return Ok(vec![Turn { moves: all.collect(), zones: vec![zone.clone()] }]);
        }
        let mut scratch = Scratch::default();
        let mut ranked = Vec::new();
        for index in all {
            let participants = moves.get(index as usize);
            ranked.push((self.transitions.level(self.system, state, participants, &mut scratch)?, index));
        }
        ranked.sort_by_key(|&((channel, process), index)| (std::cmp::Reverse((channel, process)), index));
        let mut free = Federation::new(zone.dim());
        free.union_with(zone);
        let mut turns = Vec::new();
        for level in ranked.chunk_by(|a, b| a.0 == b.0) {
            let moves_here: Vec<u32> = level.iter().map(|&(_, index)| index).collect();
            let zones = free.zones().to_vec();
            for &index in &moves_here {
                let mut enabled = zone.clone();
                if self.enabling(state, moves.get(index as usize), &mut enabled, work)? {
                    free.subtract(&enabled);
                    settled(&free)?;
                }
            }
            turns.push(Turn { moves: moves_here, zones });
            if free.is_empty() {
                break;
            }
        }
        Ok(turns)
    }
}
