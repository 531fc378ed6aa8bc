//! `--keep successors:K`: states with more than one successor.
//!
//! It is practically useless to store several states of a chain. The flag
//! counts the states of the chain so far; a chain of K is cut, for it may be a
//! cycle.

use super::{Flag, StoringStrategy, ToStore, next};
use crate::Stats;
use dwell_semantics::Discrete;

/// Paper 3, section 3, *Successors*.
#[derive(Clone, Copy, Debug)]
pub struct Successors {
    /// The longest chain of states that are not stored.
    pub k: Flag,
}

super::stateless!(Successors);

impl StoringStrategy for Successors {
    fn to_store(&mut self, flag: Flag, _state: &Discrete, _stats: &Stats) -> ToStore {
        if flag >= self.k { ToStore::Yes } else { ToStore::IfBranching }
    }

    fn next_flag(&mut self, flag: Flag, stored: bool, _covering: bool) -> Flag {
        if stored { 0 } else { next(flag) }
    }
}
