//! The stages that a plan stands for.

use crate::fastest::Timed;
use crate::plan::{Abstraction, BoundsScope, OrderName, Plan, StoreName, Switch, TraceKind};
use dwell_explore::extrapolate::{
    Differences, ExtraLu, ExtraLuPlus, ExtraM, ExtraMPlus, Forgiving, NoExtrapolation,
};
use dwell_explore::order::{
    BestFirst, BreadthFirst, Buckets, Depth, DepthFirst, Random, RandomDepthFirst, Ranking,
};
use dwell_explore::rank::{Heuristic, LeastTime, NoRank, TrueThenWaiting, TrueZone, Waiting};
use dwell_explore::reduce::{ActiveClocks, NoReduction};
use dwell_explore::store::{CopiedKeys, SharedKeys};
use dwell_explore::trace::{NoTrace, Parents, ShortestPaths};
use dwell_explore::{BoundsMap, Extrapolate, KeyStore, Order, Rank, Reduce, TraceStore};
use dwell_model::System;
use dwell_model::analysis::ClockFacts;
use dwell_zones::Bound;

pub(crate) fn keys(plan: &Plan, system: &System) -> Box<dyn KeyStore> {
    let (words, location_words) = (system.layout.words(), system.layout.location_words());
    match plan.store {
        StoreName::Shared if location_words < words => Box::new(SharedKeys::new(location_words, words)),
        _ => Box::new(CopiedKeys::new(words)),
    }
}

pub(crate) fn order(plan: &Plan) -> Box<dyn Order> {
    match plan.order {
        OrderName::Bfs => Box::<BreadthFirst>::default(),
        OrderName::Dfs => Box::<DepthFirst>::default(),
        OrderName::RandomDfs => Box::new(RandomDepthFirst::new(plan.seed)),
        OrderName::Random => Box::new(Random::new(plan.seed)),
        OrderName::Depth => Box::<Depth>::default(),
        OrderName::Ranking => Box::<Ranking>::default(),
        OrderName::BestFirst => Box::<BestFirst>::default(),
        OrderName::TrueZone | OrderName::Waiting | OrderName::TwBfs => Box::<Buckets>::default(),
    }
}

pub(crate) fn trace(plan: &Plan) -> Box<dyn TraceStore> {
    match plan.trace {
        TraceKind::None => Box::new(NoTrace),
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
        (None, None, OrderName::TwBfs) => Box::new(TrueThenWaiting::new(system, plan.edges)),
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

pub(crate) fn reduce(plan: &Plan, facts: &ClockFacts, dim: usize) -> Box<dyn Reduce> {
    match plan.reduce_clocks {
        Switch::On => Box::new(ActiveClocks::new(facts, dim)),
        Switch::Off => Box::new(NoReduction { dim }),
    }
}

pub(crate) fn bounds<B: Bound>(plan: &Plan, facts: &ClockFacts) -> BoundsMap<B> {
    match plan.bounds {
        BoundsScope::Local => BoundsMap::local(facts),
        BoundsScope::Global => BoundsMap::global(facts),
    }
}
