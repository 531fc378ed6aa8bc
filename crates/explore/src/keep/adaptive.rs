//! `--keep auto`: as few states as can be without visiting many again.
//!
//! Whether a state that was not stored is explored again cannot be known without
//! storing it. So a sample is stored: one discrete state in [`SAMPLED`], by
//! hash, with all its zones. A state that comes and that a sample covers would
//! have *returned*: been explored once more, had the sample not been stored.
//! States that were entered by the same transition and have one successor, or
//! several, are a class, and samples say how often a state of a class returns.
//!
//! A state that is left out and that returns leads to its successors once more,
//! and so on until one is stored. So what a state costs is what its class
//! returns and what the states left out before it on its path do: the flag
//! counts that, and a state is left out while it costs at most [`COST`] visits.
//! Then visits grow by no more than that share, as far as samples tell. For the
//! same reason a sample that is met from a state that was left out counts less:
//! it would not have been met as often otherwise.
//!
//! What samples cannot tell in time is what comes back after a long way round:
//! when it does, everything was left out already. So targets of a covering set
//! are always stored, which every way round meets. KS-2 holds by that; and since
//! every state that is left out counts at least one [`LEVELS`]-th of the cost.

use super::covering::meets;
use super::{Flag, StoringStrategy, ToStore};
use crate::Stats;
use dwell_base::persist::{Persist, put, take};
use dwell_covering::EdgeSet;
use dwell_semantics::{Discrete, Participant};
use std::io::{self, Read, Write};

/// One discrete state in so many is a sample.
const SAMPLED: u64 = 32;
/// One in so many of the first.
const SAMPLED_EARLY: u64 = 4;
/// The first.
const EARLY: u64 = 2_000;
/// How many visits a state that is left out may cost.
const COST: f32 = 0.25;
/// What is believed of a class without samples is worth so many.
const PRIOR: f32 = 4.0;
/// What is believed at the start.
const FIRST: f32 = 0.5;
/// Bits of the cost so far.
const COST_BITS: u32 = 5;
/// Steps in which it is counted, and so the longest path without a stored state.
const LEVELS: Flag = (1 << COST_BITS) - 1;
/// Set where a covering transition led.
const COVERING: Flag = 1 << COST_BITS;
/// Bits of a transition.
const TRANSITION_BITS: u32 = 7;

/// What was seen of a class.
#[derive(Clone, Copy, Debug, Default)]
struct Class {
    samples: u32,
    returns: f32,
}

impl Class {
    /// Returns for each state, if it was this many before there were samples.
    fn rate(self, before: f32) -> f32 {
        (self.returns + PRIOR * before) / (self.samples as f32 + PRIOR)
    }
}

/// Learns what it costs not to store states.
#[derive(Clone, Debug)]
pub struct Adaptive {
    /// Edges that every cycle takes one of.
    edges: EdgeSet,
    /// By transition; with one successor, with several.
    classes: Vec<[Class; 2]>,
    /// All of them.
    whole: [Class; 2],
    /// Of the transition at hand.
    transition: Flag,
    /// Whether the state at hand is a sample.
    is_sample: bool,
}

impl Adaptive {
    /// Stores targets of `edges`, and what experience tells it to.
    pub fn new(edges: EdgeSet) -> Self {
        let none = [Class::default(); 2];
        let classes = vec![none; 1 << TRANSITION_BITS];
        Self { edges, classes, whole: none, transition: 0, is_sample: false }
    }

    /// The class of a state, and the whole.
    fn class(&mut self, flag: Flag, branching: bool) -> impl Iterator<Item = &mut Class> {
        let i = usize::from(branching);
        [&mut self.classes[transition(flag)][i], &mut self.whole[i]].into_iter()
    }

    /// What a state costs, in levels, if it is left out.
    fn cost(&self, flag: Flag, branching: bool) -> Flag {
        let i = usize::from(branching);
        let rate = self.classes[transition(flag)][i].rate(self.whole[i].rate(FIRST));
        let levels = (rate / COST * f32::from(LEVELS)).min(f32::from(LEVELS)) as Flag;
        (flag & LEVELS) + levels.max(1)
    }
}

fn transition(flag: Flag) -> usize {
    usize::from(flag >> (COST_BITS + 1)) & ((1 << TRANSITION_BITS) - 1)
}

impl StoringStrategy for Adaptive {
    fn to_store(&mut self, flag: Flag, state: &Discrete, stats: &Stats) -> ToStore {
        let one_in = if stats.visited < EARLY { SAMPLED_EARLY } else { SAMPLED };
        // The high bits: the low ones of a product are poor.
        self.is_sample = (state.hash() >> 40).is_multiple_of(one_in);
        let left_out = |branching| self.cost(flag, branching) <= LEVELS;
        match (left_out(false), left_out(true)) {
            _ if flag & COVERING != 0 => ToStore::Yes,
            (true, true) => ToStore::No,
            (true, false) => ToStore::IfBranching,
            (false, _) => ToStore::Yes,
        }
    }

    fn next_flag(&mut self, flag: Flag, stored: bool, covering: bool) -> Flag {
        // Whether it branches is not known yet.
        let cost = if stored { 0 } else { self.cost(flag, false).min(LEVELS) };
        let covering = if covering { COVERING } else { 0 };
        self.transition << (COST_BITS + 1) | covering | cost
    }

    fn after_stored(&self, flag: Flag) -> Flag {
        flag & !LEVELS
    }

    fn note(&mut self, edges: &[Participant]) {
        const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
        let mix = |hash: u64, part: u32| (hash.rotate_left(5) ^ u64::from(part)).wrapping_mul(ODD);
        let hash = edges.iter().fold(0, |hash, p| mix(mix(hash, p.process), p.edge));
        self.transition = (hash >> (64 - TRANSITION_BITS)) as Flag;
    }

    fn covers(&self, edges: &[Participant]) -> bool {
        meets(&self.edges, edges)
    }

    fn samples(&mut self, flag: Flag, branching: bool) -> bool {
        if self.is_sample {
            self.class(flag, branching).for_each(|class| class.samples += 1);
        }
        self.is_sample
    }

    fn returned(&mut self, flag: Flag, branching: bool, from: Option<Flag>) {
        let visits = 1.0 + from.map_or(0.0, |from| f32::from(from & LEVELS) / f32::from(LEVELS) * COST);
        self.class(flag, branching).for_each(|class| class.returns += 1.0 / visits);
    }
}

impl Persist for Adaptive {
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        self.classes.iter().chain([&self.whole]).flatten().try_for_each(|class| {
            put(out, class.samples)?;
            put(out, class.returns.to_bits())
        })
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        for class in self.classes.iter_mut().chain([&mut self.whole]).flatten() {
            *class = Class { samples: take(from)?, returns: f32::from_bits(take(from)?) };
        }
        Ok(())
    }
}
