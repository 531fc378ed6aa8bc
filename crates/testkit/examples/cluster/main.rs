//! `cluster FAMILY SIZE RANKS BATCH PATIENCE NS_STATE NS_BYTE NS_MESSAGE NS_LATENCY MBYTE_PER_SECOND`: a state space
//! explored by so many ranks on a network that there is not, in virtual time.
//!
//! The exploration is the real one: every rank is a pipeline with its own list, states travel through the real post, and
//! the end is noticed by the real algorithm. Only time is made up ([`virtual_time`]): a visited state, a byte and a message
//! cost what one says they cost. So the counts include what other arrival orders make of the search.
//!
//! Prints one line: visited and stored states, nanoseconds to the end, the busiest rank's visits in terms of the mean,
//! messages and bytes of states, and states handed over.

mod virtual_time;

use dwell_base::limits::Limits;
use dwell_engine::Model;
use dwell_explore::cover::Inclusion;
use dwell_explore::extrapolate::{Differences, ExtraLuPlus};
use dwell_explore::order::Depth;
use dwell_explore::rank::NoRank;
use dwell_explore::reduce::ActiveClocks;
use dwell_explore::store::{CopiedKeys, CopiedZones};
use dwell_explore::trace::NoTrace;
use dwell_explore::{BoundsMap, NoGoal, NoKeeper, NoObserver, Outcome, Pipeline, PwList, Stats, Worker};
use dwell_model::System;
use dwell_parallel::{Distribution, Shard, Transport, Tuning};
use dwell_semantics::{Transitions, ZoneSystem};
use dwell_zones::compact;
use virtual_time::{Costs, Rank, connect};

/// Bytes of a rank's stack: there are many ranks.
const STACK: usize = 1 << 19;

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [family, numbers @ ..] = arguments.as_slice() else { return Err(USAGE.into()) };
    let numbers: Vec<f64> = numbers.iter().filter_map(|text| text.parse().ok()).collect();
    let [size, ranks, batch, patience, state, byte, message, latency, mbytes] = numbers[..] else {
        return Err(USAGE.into());
    };
    let text = dwell_families::generate(family, size as u32).map_err(|error| error.to_string())?;
    let model = Model::from_tchecker(&text, &Default::default()).map_err(|error| format!("{error:?}"))?;
    let costs = Costs { state, byte, message, latency, bytes: mbytes / 1e3 };
    let tuning = Tuning { batch: batch as usize, patience: patience as u32, ..Tuning::default() };
    let (ends, world) = connect(ranks as Worker, costs);
    let done = explore(model.system(), ends, tuning)?;
    let world = world.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let mut all = Stats::default();
    done.iter().for_each(|stats| all += *stats);
    let most = done.iter().map(|stats| stats.visited).max().unwrap_or(0) as f64;
    let imbalance = most * done.len() as f64 / all.visited.max(1) as f64;
    println!(
        "{} {} {:.0} {imbalance:.4} {} {} {}",
        all.visited,
        all.stored,
        world.over_at(),
        world.messages,
        world.bytes,
        all.sent
    );
    Ok(())
}

const USAGE: &str =
    "usage: cluster FAMILY SIZE RANKS BATCH PATIENCE NS_STATE NS_BYTE NS_MESSAGE NS_LATENCY MBYTE_PER_SECOND";

/// All ranks, each in a thread of its own; one at a time runs.
fn explore(system: &System, ends: Vec<Rank>, tuning: Tuning) -> Result<Vec<Stats>, String> {
    let transitions = Transitions::new(system);
    let zones = ZoneSystem::<i16>::new(system).map_err(|_| "constants are too large")?;
    std::thread::scope(|scope| {
        let (transitions, zones) = (&transitions, &zones);
        let spawn = |end| {
            let work = move || rank(system, transitions, zones, end, tuning);
            std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work)
        };
        let handles: Vec<_> = ends.into_iter().map(spawn).collect();
        let joined = handles.into_iter().map(|handle| {
            let handle = handle.map_err(|error| format!("too many ranks: {error}"))?;
            handle.join().map_err(|_| "a rank failed".to_owned())?
        });
        joined.collect()
    })
}

fn rank(
    system: &System,
    transitions: &Transitions,
    zones: &ZoneSystem<i16>,
    end: Rank,
    tuning: Tuning,
) -> Result<Stats, String> {
    let words = system.layout.words();
    let cells = compact::compact_len(system.zone_dimension());
    let (keys, store) = (CopiedKeys::new(words), CopiedZones::default());
    let distribution = Distribution::d0(end.workers());
    let mut pipeline = Pipeline {
        system,
        transitions,
        zones,
        bounds: BoundsMap::local(&system.facts),
        extrapolate: ExtraLuPlus,
        differences: Differences::default(),
        reduce: ActiveClocks::new(&system.facts, system.zone_dimension()),
        goal: NoGoal,
        observer: NoObserver,
        rank: NoRank,
        keeping: None,
        chains: None,
        keeper: Box::new(NoKeeper),
        spill: None,
        exchange: Some(Box::new(Shard::tuned((words, cells), distribution, end, tuning))),
        pw: PwList::new((words, cells), keys, store, Inclusion, Depth::default(), NoTrace),
        limits: Limits::default(),
        stats: Stats::default(),
    };
    match pipeline.run() {
        Outcome::Complete => Ok(pipeline.stats),
        other => Err(format!("{other:?}")),
    }
}
