//! Figures 1 and 3 of paper 5, step by step: which states are taken, in which
//! order, and how many of them are mistakes.

use dwell_base::limits::Limits;
use dwell_explore::cover::Inclusion;
use dwell_explore::extrapolate::{Differences, NoExtrapolation};
use dwell_explore::order::{BreadthFirst, Buckets, Depth, DepthFirst, Ranking};
use dwell_explore::rank::{EdgeOrder, NoRank, TrueThenWaiting, TrueZone, Waiting};
use dwell_explore::reduce::NoReduction;
use dwell_explore::store::{CopiedKeys, CopiedZones};
use dwell_explore::trace::NoTrace;
use dwell_explore::{
    BoundsMap, Goal, Halt, Met, NoKeeper, NoObserver, Order, Outcome, Pipeline, PwList, Rank, Stats, ZoneOf,
};
use dwell_model::{System, tchecker};
use dwell_semantics::{Discrete, Transitions, ZoneSystem};
use dwell_zones::{Bound, Zone};

/// Which edge of q1 comes first.
#[derive(Clone, Copy)]
enum First {
    ToQ2,
    ToQ3,
}

/// The automaton of figure 1a.
fn figure_1a(first: First) -> System {
    let (to_q3, to_q2) = ("edge:P:q1:q3:e{provided:y>1}\n", "edge:P:q1:q2:e{}\n");
    let edges = match first {
        First::ToQ2 => [to_q2, to_q3],
        First::ToQ3 => [to_q3, to_q2],
    };
    let text = format!(
        "system:figure_1a\nevent:e\nclock:1:y\nprocess:P\n\
         location:P:q1{{initial:}}\nlocation:P:q2{{}}\nlocation:P:q3{{}}\nlocation:P:q4{{invariant:y<=5}}\n\
         {}edge:P:q2:q3:e{{}}\nedge:P:q3:q4:e{{}}\nedge:P:q4:q1:e{{}}\n",
        edges.concat()
    );
    let (network, diagnostics) = tchecker::load(&text);
    System::new(network.unwrap_or_else(|| panic!("{:?}", diagnostics.into_vec())))
}

/// Writes down every state that is taken: q3 with y > 1 is "q3'".
#[derive(Default)]
struct Diary(Vec<String>);

impl<B: Bound> Goal<B> for &mut Diary {
    fn met(&mut self, state: &mut Discrete, zone: ZoneOf<'_, B>) -> Result<Met, Halt> {
        let mut values = Zone::new(2);
        assert!(zone(&mut values)?);
        let small = if values.get(0, 1) == B::LE_ZERO { "" } else { "'" };
        self.0.push(format!("q{}{small}", state.locations[0] + 1));
        Ok(Met::No)
    }
}

fn taken(system: &System, order: impl Order, rank: impl Rank<i32>) -> (String, Stats) {
    let mut diary = Diary::default();
    let transitions = Transitions::new(system);
    let zones = ZoneSystem::<i32>::new(system).expect("small constants");
    let words = system.layout.words();
    let (keys, store) = (CopiedKeys::new(words), CopiedZones::default());
    let mut pipeline = Pipeline {
        system,
        transitions: &transitions,
        zones: &zones,
        bounds: BoundsMap::local(&system.facts),
        extrapolate: NoExtrapolation,
        differences: Differences::default(),
        reduce: NoReduction { dim: system.zone_dimension() },
        goal: &mut diary,
        observer: NoObserver,
        rank,
        keeping: None,
        chains: None,
        keeper: Box::new(NoKeeper),
        spill: None,
        exchange: None,
        pw: PwList::new((words, 100), keys, store, Inclusion, order, NoTrace),
        limits: Limits::default(),
        stats: Stats::default(),
    };
    assert_eq!(pipeline.run(), Outcome::Complete);
    let stats = pipeline.stats;
    (diary.0.join(" "), stats)
}

#[test]
fn figure_1b_the_small_zone_first() {
    // A stack takes what was put in last.
    let (steps, stats) = taken(&figure_1a(First::ToQ2), DepthFirst::default(), NoRank);
    assert_eq!(steps, "q1 q3' q4' q2 q3 q4");
    assert_eq!((stats.mistakes(), stats.stored), (2, 4));
    // Breadth first goes on with q4' although q3 is known by then.
    let system = figure_1a(First::ToQ3);
    let runs = [taken(&system, BreadthFirst::default(), NoRank), taken(&system, Depth::default(), NoRank)];
    for (steps, stats) in runs {
        assert_eq!(steps, "q1 q3' q2 q4' q3 q4");
        assert_eq!((stats.mistakes(), stats.stored), (2, 4));
    }
}

#[test]
fn figure_1c_the_large_zone_first() {
    let (steps, stats) = taken(&figure_1a(First::ToQ3), DepthFirst::default(), NoRank);
    assert_eq!(steps, "q1 q2 q3 q4");
    assert_eq!((stats.mistakes(), stats.stored), (0, 4));
}

#[test]
fn figure_3_ranking_stops_below_the_small_zone() {
    // q3 takes the place of q3' and is ranked above q4', which is below it.
    let (steps, stats) = taken(&figure_1a(First::ToQ3), Ranking::default(), NoRank);
    assert_eq!(steps, "q1 q3' q2 q3 q4");
    assert_eq!((stats.mistakes(), stats.stored), (1, 4));
    // The walk looks at q3' and q4'.
    assert_eq!(stats.ranking_visits, 2);
}

#[test]
fn true_zones_and_the_waiting_order_make_no_mistakes_there() {
    let system = figure_1a(First::ToQ3);
    let runs = [
        taken(&system, Ranking::default(), TrueZone),
        taken(&system, Buckets::default(), TrueZone),
        taken(&system, Buckets::default(), Waiting::new(&system, EdgeOrder::Declared)),
        taken(&system, Buckets::default(), TrueThenWaiting::new(&system, EdgeOrder::ShortFirst)),
    ];
    for (steps, stats) in runs {
        assert_eq!(steps, "q1 q2 q3 q4");
        assert_eq!((stats.mistakes(), stats.ranking_visits), (0, 0));
    }
}
