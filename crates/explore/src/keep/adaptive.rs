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
//! For the same reason a sample that is met from a state that was left out
//! counts less: it would not have been met as often otherwise.
//!
//! What all of it costs is bounded, whatever classes promise:
//!
//! AK-1 Each sample that would have been left out stands for as many states as
//!      it was drawn from, so what comes back is known, whatever the reason.
//!      It may come to a [`BUDGET`] of the visits: the more of that is spent,
//!      the less may a state cost, and in the end nothing is left out.
//! AK-2 Samples cannot tell in time what comes back after a long way round:
//!      when it does, everything was left out already. So targets of a covering
//!      set are always stored, which every way round meets; and of the first
//!      states at most [one in so many](EARLY_LEFT) is left out.
//! AK-3 Ranks go by which states take the place of which, and what was left out
//!      has none. Where the order was changed because of mistakes and more than
//!      one in so many [`MISTAKES`] is one still, everything is stored: what
//!      mistakes lead to are new states, and no sample shows them.
//!
//! KS-2 holds by the covering set; and since every state that is left out
//! counts at least one [`LEVELS`]-th of what it may cost.

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
/// At most one of so many of those is left out.
const EARLY_LEFT: u64 = 4;
/// How many visits a state that is left out may cost at first.
const COST: f32 = 0.5;
/// The share of the visits that may be made again.
const BUDGET: f32 = 0.2;
/// One mistake in so many states: more than that are many.
const MISTAKES: u64 = 50;
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
/// Of a sample, in the place of these: it would have been left out.
const LEFT_OUT: Flag = 1;
/// It has several successors.
const BRANCHING: Flag = 2;
/// It is one of the first.
const IS_EARLY: Flag = 4;
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
    /// Whether the state at hand is a sample, and one of the first states.
    is_sample: bool,
    is_early: bool,
    /// How many states left.
    left: u64,
    /// How many, as far as is known, were visited again for that; AK-1.
    spent: u64,
    /// What a state that is left out may cost by now.
    limit: f32,
}

impl Adaptive {
    /// Stores targets of `edges`, and what experience tells it to.
    pub fn new(edges: EdgeSet) -> Self {
        let none = [Class::default(); 2];
        let classes = vec![none; 1 << TRANSITION_BITS];
        let (is_sample, is_early, left, spent, limit) = (false, true, 0, 0, COST);
        Self { edges, classes, whole: none, transition: 0, is_sample, is_early, left, spent, limit }
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
        let too_much = f32::from(LEVELS + 1);
        let levels = (rate / self.limit * f32::from(LEVELS)).min(too_much) as Flag;
        (flag & LEVELS) + levels.max(1)
    }

    /// What a state that is left out may cost by now; AK-1, AK-2, AK-3.
    fn may_cost(&self, stats: &Stats) -> f32 {
        let many_left = self.is_early && self.left * EARLY_LEFT > stats.visited;
        let stored = stats.visited - stats.transient;
        if many_left || stats.changed_after.is_some() && stats.mistakes() * MISTAKES > stored {
            return 0.0;
        }
        let budget = BUDGET * stats.visited as f32;
        COST * (1.0 - self.spent as f32 / budget).max(0.0)
    }
}

/// One discrete state in so many is a sample.
fn one_in(early: bool) -> u64 {
    if early { SAMPLED_EARLY } else { SAMPLED }
}

fn transition(flag: Flag) -> usize {
    usize::from(flag >> (COST_BITS + 1)) & ((1 << TRANSITION_BITS) - 1)
}

impl StoringStrategy for Adaptive {
    fn to_store(&mut self, flag: Flag, state: &Discrete, stats: &Stats) -> ToStore {
        self.is_early = stats.visited < EARLY;
        // The high bits: the low ones of a product are poor.
        self.is_sample = (state.hash() >> 40).is_multiple_of(one_in(self.is_early));
        self.limit = self.may_cost(stats);
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

    fn sample(&mut self, flag: Flag, branching: bool, stored: bool) -> Option<Flag> {
        if !self.is_sample {
            self.left += u64::from(!stored);
            return None;
        }
        self.class(flag, branching).for_each(|class| class.samples += 1);
        let traits = [(!stored, LEFT_OUT), (branching, BRANCHING), (self.is_early, IS_EARLY)];
        let traits = traits.into_iter().filter(|(is, _)| *is).map(|(_, bit)| bit);
        Some(flag & !(COVERING | LEVELS) | traits.sum::<Flag>())
    }

    fn returned(&mut self, sample: Flag, from: Option<Flag>) {
        let visits = 1.0 + from.map_or(0.0, |from| f32::from(from & LEVELS) / f32::from(LEVELS) * COST);
        self.class(sample, sample & BRANCHING != 0).for_each(|class| class.returns += 1.0 / visits);
        if sample & LEFT_OUT != 0 {
            self.spent += one_in(sample & IS_EARLY != 0);
        }
    }
}

impl Persist for Adaptive {
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        self.classes.iter().chain([&self.whole]).flatten().try_for_each(|class| {
            put(out, class.samples)?;
            put(out, class.returns.to_bits())
        })?;
        put(out, self.left)?;
        put(out, self.spent)
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        for class in self.classes.iter_mut().chain([&mut self.whole]).flatten() {
            *class = Class { samples: take(from)?, returns: f32::from_bits(take(from)?) };
        }
        self.left = take(from)?;
        self.spent = take(from)?;
        Ok(())
    }
}
