//! `--keep random:P`: states drawn with probability P.
//!
//! The flag is the draw, made when a state comes, so that an order can go by
//! it. `random:P,Q` draws targets of covering transitions with probability Q
//! instead: chances that are not uniform, as the paper tried them.

use super::covering::meets;
use super::{Flag, StoringStrategy, ToStore};
use crate::Stats;
use dwell_base::Rng;
use dwell_base::persist::{Persist, put, take};
use dwell_covering::EdgeSet;
use dwell_semantics::{Discrete, Participant};
use std::io::{self, Read, Write};

/// A probability, in millionths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share(pub u32);

impl Share {
    /// Of one.
    pub const WHOLE: u32 = 1_000_000;
}

/// Paper 3, section 3, *Random*.
#[derive(Clone, Debug)]
pub struct RandomStates {
    /// The probability of a state.
    pub share: Share,
    /// That of the target of a covering transition, if it has its own.
    pub covering: Option<(Share, EdgeSet)>,
    /// What is drawn from.
    pub rng: Rng,
}

impl StoringStrategy for RandomStates {
    fn to_store(&mut self, flag: Flag, _state: &Discrete, _stats: &Stats) -> ToStore {
        ToStore::when(flag == 1)
    }

    fn next_flag(&mut self, _flag: Flag, _stored: bool, covering: bool) -> Flag {
        let share = match &self.covering {
            Some((share, _)) if covering => *share,
            _ => self.share,
        };
        Flag::from(self.rng.below(u64::from(Share::WHOLE)) < u64::from(share.0))
    }

    fn covers(&self, edges: &[Participant]) -> bool {
        self.covering.as_ref().is_some_and(|(_, set)| meets(set, edges))
    }

    fn may_store(&self, flag: Flag, _state: &Discrete) -> bool {
        flag == 1
    }
}

impl Persist for RandomStates {
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        put(out, self.rng.state())
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        self.rng = Rng::new(take(from)?);
        Ok(())
    }
}
