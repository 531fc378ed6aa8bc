//! The stages that a plan stands for.

use crate::fastest::Timed;
use crate::plan::{Abstraction, BoundsScope, OrderName, Plan, StoreName, Switch, TraceKind};
use crate::{Table, keep};
use dwell_base::limits::Limits;
use dwell_explore::extrapolate::{
    Differences, ExtraLu, ExtraLuPlus, ExtraM, ExtraMPlus, Forgiving, NoExtrapolation,
};
use dwell_explore::order::{
    Adaptive, BestFirst, BreadthFirst, Buckets, Depth, DepthFirst, Random, RandomDepthFirst, Ranking,
    ReversedDepth,
};
use dwell_explore::rank::{Heuristic, LeastTime, NoRank, TrueThenWaiting, TrueZone, Waiting};
use dwell_explore::reduce::{ActiveClocks, LiveVariables, NoReduction};
use dwell_explore::store::{
    Audited, BitHash, BitStates, BitsCodec, CodedZones, CopiedKeys, CopiedZones, MinimalZones, NumberCodec,
    PackedKeys, PositionalHash, SharedKeys, Signatures, StateHash, StateSet, WordKeys, WordZones,
    ZonesBySignature,
};
use dwell_explore::trace::{Across, Depths, NoTrace, Parents, ShortestPaths};
use dwell_explore::{
    BoundsMap, Cover, Extrapolate, Goal, Keeper, KeyStore, Observer, Order, Passing, Pipeline, PwList, Rank,
    Reduce, Stats, TraceStore, ZoneStore,
};
use dwell_model::System;
use dwell_model::analysis::ClockFacts;
use dwell_semantics::Stepper;
use dwell_zones::{Bound, compact};

/// What the stages of a run are made of.
#[derive(Clone, Copy)]
pub(crate) struct Parts<'p> {
    pub plan: &'p Plan,
    pub facts: &'p ClockFacts,
    pub timed: Option<&'p Timed>,
    pub limits: &'p Limits,
}

/// A pipeline with everything boxed that may be.
pub(crate) type Boxed<'p, B, Z, C> = Pipeline<
    'p,
    B,
    Box<dyn Extrapolate<B>>,
    Box<dyn Reduce>,
    Box<dyn Goal<B> + 'p>,
    Box<dyn Observer + 'p>,
    Box<dyn Rank<B> + 'p>,
    Box<dyn KeyStore>,
    Z,
    C,
    Box<dyn Order>,
    Box<dyn TraceStore>,
>;

impl<'p> Parts<'p> {
    /// A pipeline for one worker, ready to run.
    pub fn pipeline<B: Bound, Z: ZoneStore<B>, C: Cover<B>>(
        &self,
        stepper: Stepper<'p, B>,
        (store, cover): (Z, C),
        goal: Box<dyn Goal<B> + 'p>,
        observer: Box<dyn Observer + 'p>,
        keeper: Box<dyn Keeper + 'p>,
    ) -> Boxed<'p, B, Z, C> {
        let Self { plan, facts, timed, limits } = *self;
        let Stepper { system, transitions, zones } = stepper;
        let sizes = (system.layout.words(), compact::compact_len(system.zone_dimension()));
        Pipeline {
            system,
            transitions,
            zones,
            bounds: bounds(plan, facts),
            extrapolate: extrapolate(plan, timed),
            differences: differences(plan, facts),
            reduce: reduce(plan, facts, system),
            goal,
            observer,
            rank: rank(plan, system, timed),
            keeping: keep::keeping(plan, system),
            chains: plan.chains.from(),
            pw: PwList::new(sizes, keys(plan, system), store, cover, order(plan), trace(plan))
                .with_passing(passing(plan, system, facts))
                .with_convex_hull(plan.convex_hull == Switch::On)
                .with_transients(!plan.keep.is_all()),
            limits: limits.clone(),
            keeper,
            spill: None,
            exchange: None,
            stats: Stats::default(),
        }
    }
}

pub(crate) fn keys(plan: &Plan, system: &System) -> Box<dyn KeyStore> {
    let (words, location_words) = (system.layout.words(), system.layout.location_words());
    match plan.store {
        StoreName::Shared | StoreName::SharedMinimal if location_words < words => {
            Box::new(SharedKeys::new(location_words, words))
        }
        StoreName::PackedNumber | StoreName::PackedBits => Box::new(PackedKeys::new(system.layout.places())),
        StoreName::Words => Box::new(WordKeys::new(system.layout.places())),
        _ => Box::new(CopiedKeys::new(words)),
    }
}

/// Zone stores that are called through a table; the loop is compiled for the
/// others.
pub(crate) fn zones<B: Bound>(plan: &Plan, facts: &ClockFacts, dim: usize) -> Box<dyn ZoneStore<B>> {
    match plan.store {
        StoreName::Minimal => Box::new(MinimalZones::copied()),
        StoreName::SharedMinimal => Box::new(MinimalZones::shared()),
        StoreName::PackedNumber => Box::new(CodedZones::<B, NumberCodec>::new(largest_digit(plan, facts))),
        StoreName::PackedBits => Box::new(CodedZones::<B, BitsCodec>::new(largest_digit(plan, facts))),
        StoreName::Words => Box::new(WordZones::new(dim)),
        _ => Box::new(CopiedZones::default()),
    }
}

/// The largest constant that zones may hold, most of them: extrapolated ones
/// keep to the constants of the model.
fn largest_digit(plan: &Plan, facts: &ClockFacts) -> u32 {
    let exact = matches!(plan.abstraction, Abstraction::None | Abstraction::ALu);
    let largest = facts.largest_constant.clamp(1, 1 << 28) as u32;
    if exact { 2 * largest } else { largest }
}

/// What becomes of states that are taken.
pub(crate) fn passing<B: Bound>(plan: &Plan, system: &System, facts: &ClockFacts) -> Passing<B> {
    let Table { bytes, bits, hashes, from_signature, positional, skip_when_full, audit } = plan.table;
    let (layout, dim) = (&system.layout, system.zone_dimension());
    let largest = largest_digit(plan, facts);
    let hash = || StateHash::new(plan.seed, layout.words(), compact::compact_len(dim));
    let passed: Box<dyn StateSet<B>> = match (plan.store, plan.waiting_inclusion) {
        (StoreName::BitState, _) if positional => {
            let hash = BitHash::Positional(PositionalHash::new(layout.places(), largest));
            Box::new(BitStates::new(bytes, 1, hash))
        }
        (StoreName::BitState, _) => Box::new(BitStates::new(bytes, hashes, BitHash::Universal(hash()))),
        (StoreName::HashCompact, _) => Box::new(Signatures::new(bytes, bits, from_signature, hash())),
        (StoreName::HashCompactZone, _) =>
        // Zones with and without a code are not compared: room for sums of two bounds.
        {
            Box::new(ZonesBySignature::new(bytes, bits, hash(), dim, 2 * largest))
        }
        (_, Switch::On) => return Passing::Unified,
        (_, Switch::Off) => return Passing::TwoLists,
    };
    let passed = if audit { Box::new(Audited::new(passed)) } else { passed };
    let compare_waiting = plan.waiting_inclusion == Switch::On;
    Passing::Approximate { passed, compare_waiting, skip_when_full }
}

pub(crate) fn order(plan: &Plan) -> Box<dyn Order> {
    match plan.order {
        OrderName::Adaptive if plan.all_workers() > 1 => Box::new(Adaptive::shared()),
        OrderName::Adaptive => Box::<Adaptive>::default(),
        OrderName::Bfs => Box::<BreadthFirst>::default(),
        OrderName::Dfs => Box::<DepthFirst>::default(),
        OrderName::RandomDfs => Box::new(RandomDepthFirst::new(plan.seed)),
        OrderName::Random => Box::new(Random::new(plan.seed)),
        OrderName::Depth => Box::<Depth>::default(),
        OrderName::ReversedDepth => Box::<ReversedDepth>::default(),
        OrderName::Ranking => Box::<Ranking>::default(),
        OrderName::BestFirst => Box::<BestFirst>::default(),
        OrderName::TrueZone | OrderName::Waiting | OrderName::TwBfs | OrderName::UnstoredFirst => {
            Box::<Buckets>::default()
        }
    }
}

pub(crate) fn trace(plan: &Plan) -> Box<dyn TraceStore> {
    match plan.trace {
        TraceKind::None => Box::new(NoTrace),
        TraceKind::Shortest if plan.all_workers() > 1 => Box::new(Across::new(Depths::Respected)),
        _ if plan.all_workers() > 1 => Box::new(Across::new(Depths::Ignored)),
        TraceKind::Some | TraceKind::Fastest => Box::<Parents>::default(),
        TraceKind::Shortest => Box::<ShortestPaths>::default(),
    }
}

pub(crate) fn rank<'p, B: Bound>(
    plan: &'p Plan,
    system: &System,
    timed: Option<&Timed>,
) -> Box<dyn Rank<B> + 'p> {
    match (timed, &plan.heuristic, plan.order) {
        (Some(timed), ..) => Box::new(LeastTime { clock: timed.clock() }),
        (None, Some(heuristic), _) => Box::new(Heuristic { value: &heuristic.value }),
        (None, None, OrderName::TrueZone | OrderName::Ranking) => Box::new(TrueZone),
        (None, None, OrderName::Waiting) => Box::new(Waiting::new(system, plan.edges)),
        (None, None, OrderName::TwBfs | OrderName::Adaptive) => {
            Box::new(TrueThenWaiting::new(system, plan.edges))
        }
        (None, None, _) => Box::new(NoRank),
    }
}

pub(crate) fn extrapolate<B: Bound>(plan: &Plan, timed: Option<&Timed>) -> Box<dyn Extrapolate<B>> {
    let extrapolate: Box<dyn Extrapolate<B>> = match plan.abstraction {
        Abstraction::ExtraM => Box::new(ExtraM),
        Abstraction::ExtraMPlus => Box::new(ExtraMPlus),
        Abstraction::ExtraLu => Box::new(ExtraLu),
        Abstraction::ExtraLuPlus => Box::new(ExtraLuPlus),
        Abstraction::ALu | Abstraction::None => Box::new(NoExtrapolation),
    };
    match timed {
        Some(timed) => Box::new(Forgiving { inner: extrapolate, clock: timed.clock() }),
        None => extrapolate,
    }
}

pub(crate) fn differences<B: Bound>(plan: &Plan, facts: &ClockFacts) -> Differences<B> {
    match plan.abstraction {
        Abstraction::ExtraM if facts.diagonals => Differences::new(facts),
        _ => Differences::default(),
    }
}

pub(crate) fn reduce(plan: &Plan, facts: &ClockFacts, system: &System) -> Box<dyn Reduce> {
    let dim = system.zone_dimension();
    let clocks: Box<dyn Reduce> = match plan.reduce_clocks {
        Switch::On => Box::new(ActiveClocks::new(facts, dim)),
        Switch::Off => Box::new(NoReduction { dim }),
    };
    match &plan.variables {
        Some(variables) => {
            let initial = |slot: u32| system.network.vars[slot as usize].init;
            Box::new(LiveVariables::new(clocks, variables.clone(), initial))
        }
        None => clocks,
    }
}

pub(crate) fn bounds<B: Bound>(plan: &Plan, facts: &ClockFacts) -> BoundsMap<B> {
    match plan.bounds {
        BoundsScope::Local => BoundsMap::local(facts),
        BoundsScope::Global => BoundsMap::global(facts),
    }
}
