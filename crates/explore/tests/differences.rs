//! Maximal constants alone are unsound where clocks are compared with each
//! other (Bouyer: *Untameable timed automata!*, STACS 2003); with zones split
//! at the differences first they are not.

use dwell_base::limits::Limits;
use dwell_explore::cover::Inclusion;
use dwell_explore::extrapolate::{Differences, ExtraM};
use dwell_explore::order::BreadthFirst;
use dwell_explore::rank::NoRank;
use dwell_explore::reduce::NoReduction;
use dwell_explore::store::{CopiedKeys, CopiedZones};
use dwell_explore::trace::NoTrace;
use dwell_explore::{BoundsMap, LabelGoal, NoKeeper, NoObserver, Outcome, Pipeline, PwList, Stats};
use dwell_model::{LabelId, System, tchecker};
use dwell_semantics::{Transitions, ZoneSystem};

/// After Bouyer's automaton: once x1 and x3 are reset together, x2 - x1 and x4 - x3
/// are equal, and every round keeps x2 - x1 as it is. So the guard of the error,
/// x2 - x1 > 2 and x4 - x3 < 2, never holds. After some rounds x3 and x4 are
/// beyond all constants, and what is forgotten is that the differences are equal.
const MODEL: &str = "system:untameable\nevent:e\n\
    clock:1:x1\nclock:1:x2\nclock:1:x3\nclock:1:x4\n\
    process:P\n\
    location:P:start{initial:}\nlocation:P:round{}\nlocation:P:half{}\nlocation:P:error{labels:error}\n\
    edge:P:start:round:e{provided:x3<=3 : do:x1=0;x3=0}\n\
    edge:P:round:half:e{provided:x2==3 : do:x2=0}\n\
    edge:P:half:round:e{provided:x1==3 : do:x1=0}\n\
    edge:P:round:error:e{provided:x2-x1>2 && x4-x3<2}\n";

fn reaches_error(system: &System, differences: Differences<i32>) -> bool {
    let transitions = Transitions::new(system);
    let zones = ZoneSystem::<i32>::new(system).expect("small constants");
    let words = system.layout.words();
    let (keys, store) = (CopiedKeys::new(words), CopiedZones::default());
    let mut pipeline = Pipeline {
        system,
        transitions: &transitions,
        zones: &zones,
        bounds: BoundsMap::local(&system.facts),
        extrapolate: ExtraM,
        differences,
        reduce: NoReduction { dim: system.zone_dimension() },
        goal: LabelGoal::new(system, &[LabelId(0)]),
        observer: NoObserver,
        rank: NoRank,
        keeping: None,
        chains: None,
        pw: PwList::new((words, 100), keys, store, Inclusion, BreadthFirst::default(), NoTrace),
        limits: Limits::default(),
        keeper: Box::new(NoKeeper),
        spill: None,
        exchange: None,
        stats: Stats::default(),
    };
    match pipeline.run() {
        Outcome::Complete => false,
        Outcome::Reached(_) => true,
        other => panic!("{other:?}"),
    }
}

#[test]
fn splitting_makes_maximal_constants_sound() {
    let (network, diagnostics) = tchecker::load(MODEL);
    let system = System::new(network.unwrap_or_else(|| panic!("{:?}", diagnostics.into_vec())));
    assert!(system.facts.diagonals);
    assert!(reaches_error(&system, Differences::default()), "without splitting the error is an artefact");
    assert!(!reaches_error(&system, Differences::new(&system.facts)));
}
