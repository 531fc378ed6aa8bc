//! Which worker owns a state (paper 4, section 4.3).
//!
//! | | hashes |
//! |---|---|
//! | D0 | the discrete part: even, and every second state travels |
//! | D1 | the whole state: zones of one discrete state do not meet, so none covers another |
//! | D2 | the variables: transitions that change none stay |
//! | D3 | every second location: transitions of the other processes stay |

use dwell_base::{hash_bytes, hash_masked, hash_words};
use dwell_explore::Worker;
use dwell_model::System;
use dwell_zones::Bound;

/// The owner of every state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distribution {
    workers: Worker,
    /// The bits of each word that count; `None`: all, which is D0.
    masks: Option<Vec<u64>>,
    zones: bool,
}

impl Distribution {
    /// By the discrete part.
    pub fn d0(workers: Worker) -> Self {
        Self { workers, masks: None, zones: false }
    }

    /// By the whole state.
    pub fn d1(workers: Worker) -> Self {
        Self { zones: true, ..Self::d0(workers) }
    }

    /// By the variables; `None` if there are none.
    pub fn d2(workers: Worker, system: &System) -> Option<Self> {
        let processes = system.network.processes.len();
        Self::by(workers, system, |at| at >= processes)
    }

    /// By every second location; `None` if those never change.
    pub fn d3(workers: Worker, system: &System) -> Option<Self> {
        let processes = system.network.processes.len();
        Self::by(workers, system, |at| at < processes && at % 2 == 0)
    }

    /// By some of the locations and variables, as the packed state has them.
    fn by(workers: Worker, system: &System, counts: impl Fn(usize) -> bool) -> Option<Self> {
        let mut masks = vec![0; system.layout.words()];
        for (_, place) in system.layout.places().enumerate().filter(|(at, _)| counts(*at)) {
            masks[place.word] |= place.mask << place.shift;
        }
        masks.iter().any(|mask| *mask != 0).then_some(Self { workers, masks: Some(masks), zones: false })
    }

    /// The owner of a state.
    #[inline]
    pub fn owner<B: Bound>(&self, words: &[u64], cells: &[B]) -> Worker {
        // Bits that the owner's hash table does not go by.
        ((u128::from(self.hash(words, cells).rotate_left(32)) * u128::from(self.workers)) >> 64) as Worker
    }

    /// What the owner depends on.
    #[inline]
    pub fn hash<B: Bound>(&self, words: &[u64], cells: &[B]) -> u64 {
        let hash = match &self.masks {
            None => hash_words(words),
            Some(masks) => hash_masked(words, masks),
        };
        if self.zones { hash ^ zone_hash(cells) } else { hash }
    }
}

fn zone_hash<B: Bound>(cells: &[B]) -> u64 {
    cells.iter().fold(0, |hash: u64, cell| hash.rotate_left(5) ^ hash_bytes(cell.to_bytes().as_ref()))
}
