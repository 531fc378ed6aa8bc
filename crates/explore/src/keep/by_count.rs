//! `--keep every:K`: every K-th state that is taken.
//!
//! The deterministic version of drawing states (paper 3, section 3, *Random*).

use super::{Flag, StoringStrategy, ToStore};
use crate::Stats;
use dwell_base::persist::{Persist, put, take};
use dwell_semantics::Discrete;
use std::io::{self, Read, Write};

/// Counts states.
#[derive(Clone, Copy, Debug)]
pub struct EveryKth {
    /// One in so many is stored.
    k: Flag,
    /// Taken since the last that was.
    since: Flag,
}

impl EveryKth {
    /// Stores one state in `k`.
    pub fn new(k: Flag) -> Self {
        Self { k, since: 0 }
    }
}

impl StoringStrategy for EveryKth {
    fn to_store(&mut self, _flag: Flag, _state: &Discrete, _stats: &Stats) -> ToStore {
        self.since = (self.since + 1) % self.k;
        ToStore::when(self.since == 0)
    }

    fn next_flag(&mut self, _flag: Flag, _stored: bool, _covering: bool) -> Flag {
        0
    }
}

impl Persist for EveryKth {
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        put(out, self.since)
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        self.since = take::<Flag>(from)? % self.k;
        Ok(())
    }
}
