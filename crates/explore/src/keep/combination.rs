//! `--keep combination:K`: branching states, K covering transitions apart.
//!
//! The flag counts covering transitions since the last stored state. After K of
//! them the next state with more than one successor is stored; after K² any.

use super::covering::meets;
use super::{Flag, StoringStrategy, ToStore, next};
use crate::Stats;
use dwell_covering::EdgeSet;
use dwell_semantics::{Discrete, Participant};

/// Paper 3, section 3, *Combinations*.
#[derive(Clone, Debug)]
pub struct Combination {
    /// Covering transitions between stored states, at least.
    pub k: Flag,
    /// Edges that every cycle takes one of.
    pub edges: EdgeSet,
}

super::stateless!(Combination);

impl StoringStrategy for Combination {
    fn to_store(&mut self, flag: Flag, _state: &Discrete, _stats: &Stats) -> ToStore {
        match flag {
            _ if flag >= self.k * self.k => ToStore::Yes,
            _ if flag >= self.k => ToStore::IfBranching,
            _ => ToStore::No,
        }
    }

    fn next_flag(&mut self, flag: Flag, stored: bool, covering: bool) -> Flag {
        match (stored, covering) {
            (true, _) => 0,
            (false, true) => next(flag),
            (false, false) => flag,
        }
    }

    fn covers(&self, edges: &[Participant]) -> bool {
        meets(&self.edges, edges)
    }

    fn may_store(&self, flag: Flag, _state: &Discrete) -> bool {
        flag >= self.k
    }
}
