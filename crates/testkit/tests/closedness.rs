//! What an exploration leaves behind is closed: every initial state and every
//! successor of a stored state lies in a stored state. So nothing reachable
//! was missed, whatever the loop, its stores and its cover did. Successors are
//! computed by [`dwell_testkit::naive`], which shares nothing with them.

use dwell_base::Rng;
use dwell_engine::limits::Limits;
use dwell_engine::{Control, Model, Question, StoredState, Verdict, check, stored_states};
use dwell_model::analysis::ClockFacts;
use dwell_model::{LocationId, Network, System};
use dwell_oracle::{Discrete, explore};
use dwell_testkit::naive::{
    Dbm, Lu, State, exact_zones, included_in_alu, initial, point_outside_alu, successors,
};
use dwell_testkit::plans::{self, Choice};
use dwell_testkit::random::{Config, describe, minimise, network};
use dwell_testkit::seeds::{reproducing, seeds};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// Random networks in the default run.
const NETWORKS: u64 = 400;

/// Most nodes of the region graph of a random network.
const LIMIT: usize = 3_000;

/// The stored zones of every discrete state.
type Certificate = BTreeMap<Discrete, Vec<Dbm>>;

fn certificate(network: &Network, stored: &[StoredState]) -> Certificate {
    let mut found = Certificate::new();
    for state in stored {
        let locations = state.locations.iter().map(|&l| LocationId(l)).collect();
        let mut zone = Dbm::anything(network.clocks.len() + 1);
        for &(i, j, c, strict) in &state.bounds {
            zone.tighten(i.into(), j.into(), (c.into(), u8::from(!strict)));
        }
        assert!(zone.close(), "an empty zone is stored");
        found.entry(Discrete { locations, vars: state.vars.clone() }).or_default().push(zone);
    }
    found
}

/// L and U at a location vector.
fn bounds_at(facts: &ClockFacts, at: &Discrete, local: bool, dim: usize) -> Lu {
    let mut lu = Lu { lower: vec![None; dim], upper: vec![None; dim] };
    (lu.lower[0], lu.upper[0]) = (Some(0), Some(0));
    let here = facts.local.iter().zip(&at.locations).map(|(process, l)| &process[l.index()]);
    let lists = if local { here.collect() } else { vec![&facts.global] };
    for &(clock, lower, upper) in lists.iter().flat_map(|list| &list.clocks) {
        let x = clock.index() + 1;
        lu.lower[x] = lu.lower[x].max(lower.map(i64::from));
        lu.upper[x] = lu.upper[x].max(upper.map(i64::from));
    }
    lu
}

/// How one zone may be covered by another.
struct Covering {
    facts: ClockFacts,
    /// L and U per location, or global; `None` for plain inclusion.
    alu_local: Option<bool>,
    /// Look at points too, where there are few enough.
    points: bool,
}

impl Covering {
    fn covers(&self, at: &Discrete, zone: &Dbm, stored: &Dbm) -> bool {
        let Some(local) = self.alu_local else { return zone.included_in(stored) };
        let lu = bounds_at(&self.facts, at, local, zone.dim());
        let covered = included_in_alu(zone, stored, &lu);
        if covered && self.points && zone.dim() <= 3 {
            let point = point_outside_alu(zone, stored, &lu);
            assert_eq!(point, None, "{zone:?} is not in aLU of {stored:?}, {lu:?}");
        }
        covered
    }
}

/// A reachable symbolic state that the certificate lacks; else how many
/// successors it has.
fn gap(network: &Network, found: &Certificate, covering: &Covering) -> Result<u64, State> {
    let mut tried = 0;
    let mut covered = |state: State| {
        tried += 1;
        let stored = found.get(&state.discrete).map_or(&[][..], Vec::as_slice);
        let inside = stored.iter().any(|zone| covering.covers(&state.discrete, &state.clocks, zone));
        if inside { Ok(()) } else { Err(state) }
    };
    initial(network).into_iter().try_for_each(&mut covered)?;
    for (at, zones) in found {
        for zone in zones {
            successors(network, at, zone).into_iter().try_for_each(&mut covered)?;
        }
    }
    Ok(tried)
}

/// Those that leave a set that is to be closed.
fn all_stored(choices: Vec<Choice>) -> Vec<Choice> {
    choices.into_iter().filter(Choice::stores_everything).collect()
}

/// What is stored under a choice; `None` if that does not end.
fn explored(network: &Network, choice: &Choice) -> Option<Certificate> {
    let model = Model::from_network(network.clone()).expect("a valid network");
    let plan = choice.plan(&model, &Question::space()).expect("no diagonals");
    if !choice.ends() {
        let deadline = Some(Instant::now() + Duration::from_millis(20));
        let limits = Limits { deadline, ..Limits::default() };
        let control = Control { limits, observer: None };
        if check(&model, &Question::space(), &plan, control).verdict != Verdict::Satisfied {
            return None;
        }
    }
    let stored = stored_states(&model, &plan).unwrap_or_else(|why| panic!("{choice}: {why}"));
    Some(certificate(network, &stored))
}

fn covering(network: &Network, choice: &Choice, points: bool) -> Covering {
    let is_alu = choice.get("abstraction") == Some("a-lu");
    let local = choice.get("bounds") == Some("local");
    Covering { facts: System::new(network.clone()).facts, alu_local: is_alu.then_some(local), points }
}

#[test]
fn random_networks_leave_closed_sets() {
    let cover = plans::pairwise(all_stored(plans::all()), 3, 40);
    let (mut checked, mut open, mut tried, mut next) = (0, 0, 0, 0);
    for seed in seeds(NETWORKS) {
        let config = [Config::small(), Config::timed(), Config::loud()][seed as usize % 3].clone();
        let config = Config { risky_percent: 0, risky_guard_percent: 0, ..config };
        let made = network(&mut Rng::new(seed), &config);
        match explore(&made, LIMIT) {
            Ok(graph) if graph.failure.is_none() => {}
            _ => continue,
        }
        for _ in 0..4 {
            let choice = &cover[next % cover.len()];
            next += 1;
            let Some(found) = explored(&made, choice) else {
                open += 1;
                continue;
            };
            checked += 1;
            match gap(&made, &found, &covering(&made, choice, seed % 8 < 2)) {
                Ok(successors) => tried += successors,
                Err(state) => {
                    let fails = |n: &Network| {
                        let found = explored(n, choice);
                        found.is_some_and(|found| gap(n, &found, &covering(n, choice, false)).is_err())
                    };
                    let least = minimise(&made, fails);
                    panic!("DWELL_SEED={seed}, {choice}: {state:?} is missing\n{}", describe(&least));
                }
            }
        }
    }
    println!("{checked} sets are closed under {tried} successors; {open} explorations did not end");
    assert!(reproducing() || (checked > 3 * NETWORKS && tried > 10 * NETWORKS));
}

/// Networks that compare differences of clocks: exact zones, which need not
/// end, or zones that are split at the differences; every other extrapolation
/// is refused.
#[test]
fn networks_with_diagonals_are_explored_exactly() {
    let all = all_stored(plans::all());
    let (mut checked, mut open, mut states) = (0, 0, 0);
    for seed in seeds(NETWORKS) {
        let config = [Config::small(), Config::timed(), Config::loud()][seed as usize % 3].clone();
        let config = Config { diagonal_percent: 40, risky_percent: 0, risky_guard_percent: 0, ..config };
        let made = network(&mut Rng::new(seed), &Config { disable_percent: 100, ..config });
        let model = Model::from_network(made.clone()).expect("a valid network");
        if !System::new(made.clone()).facts.diagonals {
            continue;
        }
        let (exact, others): (Vec<Choice>, Vec<Choice>) =
            all.iter().cloned().partition(|c: &Choice| !c.ends());
        let (split, others): (Vec<Choice>, Vec<Choice>) =
            others.into_iter().partition(|c| c.get("abstraction") == Some("extra-m"));
        assert!(others.iter().all(|choice| choice.plan(&model, &Question::space()).is_err()));
        let Some(naive) = exact_zones(&made, 300) else {
            open += 1;
            continue;
        };
        let discrete: BTreeSet<_> = naive.iter().map(|s| &s.discrete).collect();
        let choice = &split[seed as usize % split.len()];
        if choice.plan(&model, &Question::space()).is_ok() {
            let found = explored(&made, choice).expect("it ends");
            let same = found.keys().eq(discrete.iter().copied());
            assert!(same, "DWELL_SEED={seed}, {choice}: other discrete states\n{}", describe(&made));
        }
        for i in 0..3 {
            let choice = &exact[(seed as usize * 3 + i) % exact.len()];
            let Some(found) = explored(&made, choice) else {
                open += 1;
                continue;
            };
            let same = found.keys().eq(discrete.iter().copied());
            assert!(same, "DWELL_SEED={seed}, {choice}: other discrete states\n{}", describe(&made));
            let closed = gap(&made, &found, &covering(&made, choice, false));
            assert!(closed.is_ok(), "DWELL_SEED={seed}, {choice}: {closed:?}\n{}", describe(&made));
            checked += 1;
            states += found.values().map(Vec::len).sum::<usize>();
        }
    }
    println!("{checked} sets with {states} zones are closed; {open} explorations did not end");
    assert!(reproducing() || (checked > NETWORKS / 2 && states > 10 * NETWORKS as usize));
}

fn family(name: &str, size: u32) -> Network {
    let text = dwell_families::generate(name, size).expect("a family");
    let model = Model::from_tchecker(&text, &Default::default()).expect("a correct model");
    model.network().clone()
}

#[test]
fn families_leave_closed_sets() {
    let cover = plans::pairwise(all_stored(plans::all()), 4, 0);
    for (name, size) in
        [("fischer", 3), ("csmacd", 3), ("critical-region", 2), ("fddi", 3), ("train-gate", 2)]
    {
        let made = family(name, size);
        let (mut checked, mut open, mut tried) = (0, 0, 0);
        for choice in &cover {
            let Some(found) = explored(&made, choice) else {
                open += 1;
                continue;
            };
            match gap(&made, &found, &covering(&made, choice, false)) {
                Ok(successors) => tried += successors,
                Err(state) => panic!("{name} {size}, {choice}: {state:?} is missing"),
            }
            checked += 1;
        }
        println!("{name} {size}: {checked} sets are closed under {tried} successors; {open} did not end");
        assert!(checked >= 20);
    }
}

/// The check itself notices what is missing.
#[test]
fn a_set_with_a_state_taken_out_is_not_closed() {
    let made = family("fischer", 2);
    // Under equality a zone may be stored beside a larger one and not be missed.
    let mut cover = plans::pairwise(all_stored(plans::all()), 5, 0);
    cover.retain(|choice| choice.get("cover") != Some("equality"));
    for choice in &cover {
        let Some(found) = explored(&made, choice) else { continue };
        let covering = covering(&made, choice, false);
        let (mut noticed, mut all) = (0, 0);
        for (at, zones) in &found {
            for i in 0..zones.len() {
                let mut less = found.clone();
                less.get_mut(at).expect("a key of it").remove(i);
                noticed += u32::from(gap(&made, &less, &covering).is_err());
                all += 1;
            }
        }
        assert!(noticed * 10 >= all * 9, "{choice}: {noticed} of {all} noticed");
    }
}
