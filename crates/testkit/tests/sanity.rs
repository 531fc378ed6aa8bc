//! What `sanity` says about random networks against regions: locations that
//! are reached, edges that are taken, invariants that stop an edge.
//!
//! An edge is watched by changing the network: it sets a variable that nothing
//! else knows, or a copy of it leads to a place without an invariant.

use dwell_base::Rng;
use dwell_engine::limits::Limits;
use dwell_engine::{Control, Format, LoadOptions, Model, Options, Question, Sanity, Verdict, check, sanity};
use dwell_model::expr::{ClockConstraint, Expr, Guard, Place, Relation, Stmt};
use dwell_model::property::{Formula, Property};
use dwell_model::{Edge, Location, LocationId, LocationKind, Network, ProcessId, Span, Sync, Var, VarId};
use dwell_oracle::{explore, explore_with};
use dwell_testkit::random::{Config, describe, network};
use dwell_testkit::seeds::{reproducing, seeds};
use dwell_testkit::shared;
use std::collections::BTreeSet;

/// Random networks of a test in the default run.
const NETWORKS: u64 = 250;

/// Most nodes of a region graph.
const LIMIT: usize = 20_000;

/// A random network in which every location and edge has a place of its own.
fn placed(seed: u64, config: &Config) -> Network {
    let mut network = network(&mut Rng::new(seed), config);
    let mut next = 1..;
    let mut place = || {
        let at = next.next().expect("endless");
        Span::new(at, at + 1)
    };
    for process in &mut network.processes {
        process.locations.iter_mut().for_each(|location| location.span = place());
        process.edges.iter_mut().for_each(|edge| edge.span = place());
    }
    network
}

/// The places of the findings with a code.
fn places(found: &Sanity, code: &str) -> BTreeSet<Span> {
    found.findings.iter().filter(|finding| finding.code == code).map(|finding| finding.span).collect()
}

fn looked_over(network: &Network) -> Option<Sanity> {
    let model = Model::from_network(network.clone()).ok()?;
    let found = sanity(&model, Control::default());
    found.unfinished.is_none().then_some(found)
}

/// Whether regions take an edge; `None` where they are too many or fail.
fn is_taken(network: &Network, process: usize, edge: usize) -> Option<bool> {
    let mut watched = network.clone();
    let hit = VarId::new(watched.vars.len());
    watched.vars.push(Var { name: "hit".into(), max: 1, ..Var::default() });
    watched.processes[process].edges[edge].update.body.push(Stmt::Assign {
        place: Place::Var(hit),
        value: Expr::Const(1),
        span: Span::default(),
    });
    let regions = explore(&watched, LIMIT).ok()?;
    let taken = regions.discrete.iter().any(|state| state.vars[hit.index()] == 1);
    regions.failure.is_none().then_some(taken)
}

#[test]
fn reached_and_taken_as_by_regions() {
    let (mut compared, mut dead, mut never) = (0, 0, 0);
    let config = Config { max_processes: 3, max_locations: 4, ..Config::default() };
    for seed in seeds(NETWORKS) {
        let network = placed(seed, &config);
        let Ok(regions) = explore(&network, LIMIT) else { continue };
        if regions.failure.is_some() || regions.discrete.is_empty() {
            continue;
        }
        let found = looked_over(&network).expect("regions find no failure");
        let unreached = places(&found, "unreachable-location");
        let (untaken, stopped) = (places(&found, "edge-never-taken"), places(&found, "stopped-by-invariant"));
        for (p, process) in network.processes.iter().enumerate() {
            let reached: BTreeSet<LocationId> =
                regions.discrete.iter().map(|state| state.locations[p]).collect();
            for (l, location) in process.locations.iter().enumerate() {
                let is_reached = reached.contains(&LocationId::new(l));
                assert_eq!(
                    unreached.contains(&location.span),
                    !is_reached,
                    "seed {seed}: {} of {}\n{}",
                    location.name,
                    process.name,
                    describe(&network)
                );
                dead += u64::from(!is_reached);
            }
            for (e, edge) in process.edges.iter().enumerate() {
                let told = reached.contains(&edge.source) && reached.contains(&edge.target);
                let Some(taken) = is_taken(&network, p, e).filter(|_| told) else { continue };
                // One that is stopped may be taken elsewhere; the message says which.
                if !stopped.contains(&edge.span) {
                    let said = untaken.contains(&edge.span);
                    assert_eq!(
                        said,
                        !taken,
                        "seed {seed}: edge {e} of {}\n{}",
                        process.name,
                        describe(&network)
                    );
                } else {
                    let finding = found.findings.iter().find(|finding| finding.span == edge.span);
                    let said = finding.is_some_and(|finding| finding.message.contains("is never taken"));
                    assert_eq!(
                        said,
                        !taken,
                        "seed {seed}: edge {e} of {}\n{}",
                        process.name,
                        describe(&network)
                    );
                }
                never += u64::from(!taken);
                compared += 1;
            }
        }
    }
    println!("{compared} edges, {never} never taken; {dead} locations never reached");
    assert!(reproducing() || (compared > 500 && never > 50 && dead > 50), "{compared} {never} {dead}");
}

/// That a guard or an invariant does not hold.
fn violated(guard: &Guard) -> Formula {
    let not = |e: &Expr| Formula::Discrete(Expr::Not(Box::new(e.clone())));
    let mut ways: Vec<Formula> = guard.discrete.iter().map(not).collect();
    let data: Vec<Formula> = guard.discrete.iter().cloned().map(Formula::Discrete).collect();
    for constraint in &guard.clocks {
        let relations: &[Relation] = match constraint.relation {
            Relation::Lt => &[Relation::Ge],
            Relation::Le => &[Relation::Gt],
            Relation::Eq => &[Relation::Lt, Relation::Gt],
            Relation::Ge => &[Relation::Lt],
            Relation::Gt => &[Relation::Le],
        };
        for &relation in relations {
            let clock = Formula::Clock(ClockConstraint { relation, when: None, ..constraint.clone() });
            let counts = constraint.when.iter().cloned().map(Formula::Discrete);
            ways.push(Formula::And(data.iter().cloned().chain(counts).chain([clock]).collect()));
        }
    }
    Formula::Or(ways)
}

/// Whether regions find that the invariant of its target stops an edge of the
/// only process.
fn is_stopped(network: &Network, edge: &Edge) -> Option<bool> {
    let mut watched = network.clone();
    let process = &mut watched.processes[0];
    let target = process.locations[edge.target.index()].invariant.clone();
    let trap = LocationId::new(process.locations.len());
    process.locations.push(Location {
        name: "trap".into(),
        kind: LocationKind::Urgent,
        ..Location::default()
    });
    process.edges.push(Edge { target: trap, ..edge.clone() });
    let there = Formula::Discrete(Expr::At(ProcessId::new(0), trap));
    let formula = Formula::And(vec![there, violated(&target)]);
    let regions = explore_with(&watched, std::slice::from_ref(&formula), LIMIT).ok()?;
    let fails = regions.failure.is_some() || regions.asked[0].error.is_some();
    (!fails).then_some(regions.asked[0].met)
}

#[test]
fn stopped_as_by_regions() {
    let (mut compared, mut stops) = (0, 0);
    let config = Config {
        max_processes: 1,
        max_vectors: 0,
        max_channels: 0,
        committed_percent: 0,
        invariant_percent: 60,
        odd_invariant_percent: 10,
        discrete_invariant_percent: 15,
        disable_percent: 0,
        ..Config::default()
    };
    for seed in seeds(NETWORKS * 2) {
        let network = placed(seed, &config);
        let Some(found) = looked_over(&network) else { continue };
        let said = places(&found, "stopped-by-invariant");
        let process = &network.processes[0];
        let limited = |edge: &&Edge| !process.locations[edge.target.index()].invariant.is_trivial();
        for edge in process.edges.iter().filter(limited).filter(|edge| edge.sync == Sync::Internal) {
            let Some(stopped) = is_stopped(&network, edge) else { continue };
            assert_eq!(
                said.contains(&edge.span),
                stopped,
                "seed {seed}: edge at {:?}\n{}",
                edge.span,
                describe(&network)
            );
            stops += u64::from(stopped);
            compared += 1;
        }
    }
    println!("{compared} edges, {stops} stopped");
    assert!(reproducing() || (compared > 300 && stops > 50), "{compared} {stops}");
}

/// Of every so many models of the folder, one.
const EVERY: usize = 30;

/// Most states of an exploration of one of them.
const VISITS: u64 = 1_000;

/// Other people's models: what is said to be never reached is asked for, with
/// the plan that queries have.
#[test]
fn models_of_other_people() {
    let Some(root) = shared::models("uppaal") else { return };
    let mut files: Vec<_> =
        std::fs::read_dir(root).expect("a folder").map(|e| e.expect("an entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "xml"));
    files.sort();
    let limits = || Limits { visits: Some(VISITS), memory_bytes: Some(2 << 30), ..Limits::default() };
    let (mut complete, mut asked) = (0, 0);
    for file in files.iter().step_by(EVERY) {
        let Ok(text) = std::fs::read_to_string(file) else { continue };
        let options = LoadOptions { lints: true, ..LoadOptions::default() };
        let Ok(model) = Model::read(&text, Format::Xml, &options) else { continue };
        // What is asserted of zones takes cubic time.
        if model.network().clocks.len() > 20 {
            continue;
        }
        let found = sanity(&model, Control { limits: limits(), observer: None });
        assert!(found.findings.iter().all(|d| d.span.end as usize <= text.len()), "{}", file.display());
        let why = found.unfinished.unwrap_or_default();
        assert!(!why.contains("bug in dwell"), "{}: {why}", file.display());
        complete += u64::from(why.is_empty());
        let unreached = found.findings.iter().filter(|d| d.code == "unreachable-location").map(|d| d.span);
        let unreached: BTreeSet<Span> = unreached.collect();
        for (p, process) in model.network().processes.iter().enumerate() {
            for (l, location) in
                process.locations.iter().enumerate().filter(|(_, l)| unreached.contains(&l.span))
            {
                let at = Expr::At(ProcessId::new(p), LocationId::new(l));
                let property = Property::Possibly(Formula::Discrete(at));
                let question = Question::property(&model, "reached", property, model.network());
                let plan = Options::default().plan(&model, &question).expect("a plan");
                let report = check(&model, &question, &plan, Control { limits: limits(), observer: None });
                let place = format!("{}: {} of {}", file.display(), location.name, process.name);
                assert!(matches!(report.verdict, Verdict::NotSatisfied | Verdict::Unknown), "{place}");
                asked += u64::from(report.verdict == Verdict::NotSatisfied);
            }
        }
    }
    println!("{complete} explored, {asked} locations asked for");
    assert!(complete > 5 && asked > 5, "{complete} {asked}");
}
