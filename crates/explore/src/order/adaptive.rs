//! `--order adaptive`, which `auto` takes: `tw-bfs` while it makes hardly any
//! mistakes, then `ranking`.
//!
//! Whatever the order, the visited states are those that are stored in the end
//! and the mistakes (paper 5, section 5). So an order with few mistakes is near
//! the best there is, and mistakes can be counted while they are made.
//!
//! AD-1 The first order goes on as long as at most a [`SHARE`] of its states
//!      are mistakes: if it does to the end, no order visits less than 49/50 of
//!      what it visits. Of states that are not stored ([`crate::keep`]) it is not
//!      known whether they are, and they do not count. This is looked at from
//!      [`SOME`] states on; a single mistake among few says nothing. Where
//!      several share the work, the first mistakes are about who was faster:
//!      those among the first [`MANY`] states do not count.
//! AD-2 Then the waiting states go over to the second order, in the sequence in
//!      which they wait, and nothing is done twice. It never goes back: ranking
//!      makes mistakes cheap where they cannot be avoided, and what it makes of
//!      a waiting list that the other one left says little about either.
//! AD-3 Ranks are about what is stored from then on. Older states are in no
//!      tree, so the first order pays for none.

use super::ranking::Ranking;
use super::{Buckets, Order};
use dwell_base::persist::{Persist, put, take};
use std::io::{self, Read, Write};

/// One mistake in so many states may be.
const SHARE: u64 = 50;
const SOME: u64 = 64;
const MANY: u64 = 4096;

/// `tw-bfs`, then `ranking`.
#[derive(Clone, Debug, Default)]
pub struct Adaptive {
    first: First,
    second: Option<Ranking>,
    /// One of several workers.
    shared: bool,
}

impl Adaptive {
    /// For one of several workers.
    pub fn shared() -> Self {
        Self { shared: true, ..Self::default() }
    }
}

/// The waiting states in the first order.
#[derive(Clone, Debug, Default)]
struct First {
    queues: Buckets,
    /// A bit for each node that waits.
    waiting: Vec<u64>,
    visited: u64,
    mistakes: u64,
    /// Of the visited states, those that were not stored.
    left: u64,
}

impl First {
    #[inline]
    fn bit(node: u32) -> (usize, u64) {
        (node as usize / 64, 1 << (node % 64))
    }

    #[inline]
    fn push(&mut self, node: u32, rank: i64) {
        self.reach(node);
        let (word, bit) = Self::bit(node);
        self.waiting[word] |= bit;
        self.queues.add(rank, node);
    }

    /// A state has this number. Of those that a run before this one expanded none
    /// waits.
    #[inline]
    fn reach(&mut self, node: u32) {
        let (word, _) = Self::bit(node);
        if word >= self.waiting.len() {
            self.waiting.resize(word + 1, 0);
        }
    }

    /// Whether the node waited; now it does not.
    #[inline]
    fn settle(&mut self, node: u32) -> bool {
        let (word, bit) = Self::bit(node);
        let Some(word) = self.waiting.get_mut(word) else { return false };
        let waited = *word & bit != 0;
        *word &= !bit;
        waited
    }

    /// AD-1
    #[inline]
    fn does_well(&self, enough: u64) -> bool {
        let stored = self.stored();
        stored < enough || self.mistakes * SHARE <= stored
    }

    #[inline]
    fn stored(&self) -> u64 {
        self.visited - self.left
    }

    /// AD-2, AD-3
    #[cold]
    fn hand_over(&mut self) -> Ranking {
        let mut ranking = Ranking::from_here(self.waiting.len() * 64);
        while let Some((rank, node)) = self.queues.next() {
            ranking.push(node, rank);
        }
        *self = Self { visited: self.visited, mistakes: self.mistakes, ..Self::default() };
        ranking
    }
}

impl Order for Adaptive {
    #[inline]
    fn push(&mut self, node: u32, rank: i64) {
        match &mut self.second {
            None => self.first.push(node, rank),
            Some(ranking) => ranking.push(node, rank),
        }
    }
    #[inline]
    fn pop(&mut self) -> Option<u32> {
        if self.second.is_none() {
            if self.first.does_well(if self.shared { MANY } else { SOME }) {
                let node = self.first.queues.take()?;
                // Not those that were dropped while they waited.
                self.first.visited += u64::from(self.first.settle(node));
                return Some(node);
            }
            self.second = Some(self.first.hand_over());
        }
        self.second.as_mut().and_then(Ranking::pop)
    }
    fn len(&self) -> usize {
        self.first.queues.count() + self.second.as_ref().map_or(0, Order::len)
    }
    fn bytes(&self) -> u64 {
        let first = self.first.queues.held() + (self.first.waiting.capacity() * size_of::<u64>()) as u64;
        first + self.second.as_ref().map_or(0, Order::bytes)
    }
    fn follows(&self) -> bool {
        true
    }
    #[inline]
    fn stored(&mut self, node: u32, parent: Option<u32>) {
        match &mut self.second {
            None => self.first.reach(node),
            Some(ranking) => ranking.stored(node, parent),
        }
    }
    fn dropped(&mut self, node: u32) {
        match &mut self.second {
            None => {
                let mistake = !self.first.settle(node);
                let early = self.shared && self.first.stored() < MANY;
                self.first.mistakes += u64::from(mistake && !early);
            }
            Some(ranking) => ranking.dropped(node),
        }
    }
    fn left(&mut self, node: u32) {
        match &mut self.second {
            None => self.first.left += 1,
            Some(ranking) => ranking.left(node),
        }
    }
    fn ranking_visits(&self) -> u64 {
        self.second.as_ref().map_or(0, Order::ranking_visits)
    }
    fn changed_after(&self) -> Option<u64> {
        self.second.as_ref().map(|_| self.first.visited)
    }
}

impl Persist for Adaptive {
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        self.first.queues.freeze(out)?;
        self.first.waiting.freeze(out)?;
        put(out, self.first.visited)?;
        put(out, self.first.mistakes)?;
        put(out, self.first.left)?;
        put(out, u8::from(self.second.is_some()))?;
        self.second.as_ref().map_or(Ok(()), |ranking| ranking.freeze(out))
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        self.first.queues.thaw(from)?;
        self.first.waiting.thaw(from)?;
        self.first.visited = take(from)?;
        self.first.mistakes = take(from)?;
        self.first.left = take(from)?;
        self.second = (take::<u8>(from)? != 0).then(Ranking::default);
        self.second.as_mut().map_or(Ok(()), |ranking| ranking.thaw(from))
    }
}
