//! `--keep distance:K`: every K-th state of a path.

use super::{Flag, StoringStrategy, ToStore};
use crate::Stats;
use dwell_semantics::Discrete;

/// Paper 3, section 3, *Distance*. The flag is the distance modulo K.
#[derive(Clone, Copy, Debug)]
pub struct Distance {
    /// How far apart stored states are.
    pub k: Flag,
}

super::stateless!(Distance);

impl StoringStrategy for Distance {
    fn to_store(&mut self, flag: Flag, _state: &Discrete, _stats: &Stats) -> ToStore {
        ToStore::when(flag == 0)
    }

    fn next_flag(&mut self, flag: Flag, _stored: bool, _covering: bool) -> Flag {
        (flag + 1) % self.k
    }

    fn may_store(&self, flag: Flag, _state: &Discrete) -> bool {
        flag == 0
    }
}
