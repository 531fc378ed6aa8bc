//! What a run counts. Plain additions on words that are in cache anyway.

use crate::ChainCounts;
use std::ops::AddAssign;

/// Counters of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Symbolic states taken from the waiting list.
    pub visited: u64,
    /// Symbolic states in the passed/waiting list now.
    pub stored: u64,
    /// The most there were at any time.
    pub max_stored: u64,
    /// Of the visited states, those still stored.
    pub visited_stored: u64,
    /// Successors computed (with a zone that is not empty).
    pub transitions: u64,
    /// Distinct discrete states; 0 where passed states are not kept.
    pub discrete: u64,
    /// States explored and not remembered, because a table was full.
    pub skipped: u64,
    /// States explored and not stored, by choice (paper 3).
    pub transient: u64,
    /// States that were passed through.
    pub chains: ChainCounts,
    /// New states that a stored one covers.
    pub covered: u64,
    /// Of those, covered by a waiting one (paper 2, table 1, *subset*).
    pub covered_by_waiting: u64,
    /// Stored states that a new one covers.
    pub replaced: u64,
    /// Of those, waiting ones (paper 2, table 1, *superset*).
    pub replaced_waiting: u64,
    /// Successors handed over to other workers (paper 4).
    pub sent: u64,
    /// States that other workers made and that were stored here.
    pub arrived: u64,
    /// Zones copied out of the store and into it.
    pub zone_copies: u64,
    /// Stored states looked at to rank others (paper 5, table 1).
    pub ranking_visits: u64,
    /// Symbolic states visited before the order was changed, if it was.
    pub changed_after: Option<u64>,
    /// States visited by a search before a proof on the side ended it.
    pub probe_visited: u64,
    /// Bytes held by the passed/waiting list and the trace store.
    pub held_bytes: u64,
    /// Of those, bytes in a file.
    pub spilled_bytes: u64,
}

/// Of several workers.
impl AddAssign for Stats {
    fn add_assign(&mut self, mut other: Self) {
        self.changed_after = self.changed_after.max(other.changed_after);
        self.counters().into_iter().zip(other.counters()).for_each(|(sum, count)| *sum += *count);
    }
}

impl Stats {
    /// Everything that is counted, in a fixed order.
    pub fn counters(&mut self) -> [&mut u64; 22] {
        let Self {
            visited,
            stored,
            max_stored,
            visited_stored,
            transitions,
            discrete,
            skipped,
            transient,
            chains: ChainCounts { passed, chains, met },
            covered,
            covered_by_waiting,
            replaced,
            replaced_waiting,
            sent,
            arrived,
            zone_copies,
            ranking_visits,
            changed_after: _,
            probe_visited,
            held_bytes,
            spilled_bytes,
        } = self;
        [
            visited,
            stored,
            max_stored,
            visited_stored,
            transitions,
            discrete,
            skipped,
            transient,
            passed,
            chains,
            met,
            covered,
            covered_by_waiting,
            replaced,
            replaced_waiting,
            sent,
            arrived,
            zone_copies,
            ranking_visits,
            probe_visited,
            held_bytes,
            spilled_bytes,
        ]
    }

    /// Visited states that were later dropped for larger ones (paper 5).
    pub fn mistakes(&self) -> u64 {
        self.visited - self.visited_stored - self.skipped - self.transient
    }
}
