//! `--keep non-committed`: states without a committed location.
//!
//! No time passes in the others, and they are left at once: UPPAAL's oldest way
//! to save space. A cycle of committed states only is possible, so a chain of
//! [`CHAIN`] is cut.

use super::{Flag, StoringStrategy, ToStore, next};
use crate::Stats;
use dwell_model::{LocationKind, System};
use dwell_semantics::Discrete;

/// The longest chain of committed states that are not stored.
const CHAIN: Flag = 64;

/// Which locations are committed.
#[derive(Clone, Debug)]
pub struct NonCommitted {
    committed: Vec<Vec<bool>>,
}

super::stateless!(NonCommitted);

impl NonCommitted {
    /// For the states of a system.
    pub fn new(system: &System) -> Self {
        let kinds = system.network.processes.iter().map(|process| {
            process.locations.iter().map(|location| location.kind == LocationKind::Committed).collect()
        });
        Self { committed: kinds.collect() }
    }
}

impl StoringStrategy for NonCommitted {
    fn to_store(&mut self, flag: Flag, state: &Discrete, _stats: &Stats) -> ToStore {
        ToStore::when(self.may_store(flag, state))
    }

    fn next_flag(&mut self, flag: Flag, stored: bool, _covering: bool) -> Flag {
        if stored { 0 } else { next(flag) }
    }

    fn may_store(&self, flag: Flag, state: &Discrete) -> bool {
        let mut locations = self.committed.iter().zip(&state.locations);
        let committed = locations.any(|(committed, &location)| committed[location as usize]);
        !committed || flag >= CHAIN
    }
}
