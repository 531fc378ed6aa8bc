//! The generator makes sound and varied networks, and the parts of the oracle
//! agree on them. Failures print the seed and a minimal network.

use std::time::{Duration, Instant};

use dwell_base::Rng;
use dwell_model::expr::{Expr, Stmt};
use dwell_model::{ChannelKind, EdgeId, LocationKind, Network, OutOfRange, ProcessId, Strength, Sync};
use dwell_oracle::{ExploreError, Participants, Rational, Replay, ReplayFault, Step, explore, step, ticks};

use super::{Config, describe, minimise, network, shrink, well_formed};

/// Where two explorers differ, if both finish.
fn disagreement(network: &Network, limit: usize) -> Option<String> {
    let regions = explore(network, limit).ok()?;
    let sampled = ticks::explore(network, limit).ok()?;
    if regions.failure.is_some() != sampled.fails {
        return Some(format!("run-time errors: regions {:?}, ticks {}", regions.failure, sampled.fails));
    }
    let only = |a: &std::collections::BTreeSet<_>, b: &_| format!("{:?}", a.difference(b).next());
    (regions.discrete != sampled.discrete).then(|| {
        let (a, b) = (&regions.discrete, &sampled.discrete);
        format!("only regions {}, only ticks {}", only(a, b), only(b, a))
    })
}

/// The network without clock constraints.
fn untimed(network: &Network) -> Network {
    let mut plain = network.clone();
    for process in &mut plain.processes {
        process.locations.iter_mut().for_each(|l| l.invariant.clocks.clear());
        process.edges.iter_mut().for_each(|e| e.guard.clocks.clear());
    }
    plain
}

#[test]
fn networks_and_their_variants_are_well_formed() {
    for seed in 0..2000 {
        let made = network(&mut Rng::new(seed), &Config::default());
        well_formed(&made).unwrap_or_else(|law| panic!("seed {seed}: {law}\n{}", describe(&made)));
        let again = network(&mut Rng::new(seed), &Config::default());
        assert_eq!(format!("{made:?}"), format!("{again:?}"), "seed {seed}");
        if seed < 200 {
            for variant in shrink(&made) {
                well_formed(&variant)
                    .unwrap_or_else(|law| panic!("seed {seed}: {law}\n{}", describe(&variant)));
            }
        }
    }
}

#[test]
fn minimising_keeps_what_fails_and_drops_the_rest() {
    let fails = |n: &Network| n.processes.iter().flat_map(|p| &p.edges).any(|e| e.guard.clocks.len() > 1);
    let seed = (0..).find(|&seed| fails(&network(&mut Rng::new(seed), &Config::default()))).unwrap();
    let least = minimise(&network(&mut Rng::new(seed), &Config::default()), fails);
    assert!(fails(&least));
    assert_eq!(least.processes.len(), 1, "{}", describe(&least));
    assert_eq!(least.processes[0].edges.len(), 1, "{}", describe(&least));
    assert!(least.processes[0].edges[0].update.body.is_empty());
}

#[test]
fn regions_and_ticks_agree_on_500_networks() {
    let (limit, mut compared, mut several, mut timed, mut failing) = (20_000, 0, 0, 0, 0);
    for seed in 0..500 {
        let config = [Config::small(), Config::default(), Config::timed()][seed as usize % 3].clone();
        let made = network(&mut Rng::new(seed), &config);
        if let Some(difference) = disagreement(&made, limit) {
            let least = minimise(&made, |n| disagreement(n, limit).is_some());
            panic!(
                "seed {seed}: {difference}\nminimal: {:?}\n{}",
                disagreement(&least, limit),
                describe(&least)
            );
        }
        let Ok(regions) = explore(&made, limit) else { continue };
        compared += 1;
        several += usize::from(regions.discrete.len() > 1);
        failing += usize::from(regions.failure.is_some());
        let plain = untimed(&made);
        let plain = explore(&plain, limit).unwrap();
        assert!(regions.discrete.is_subset(&plain.discrete), "seed {seed}");
        timed += usize::from(plain.discrete != regions.discrete);
    }
    println!("500 networks: {compared} compared, {several} with several states,");
    println!("{timed} where time decides, {failing} with run-time errors");
    assert!(compared > 450 && several * 10 > compared * 8 && timed * 4 > compared && failing > 5);
    assert!(failing * 4 < compared, "run-time errors are meant to be rare");
}

/// What a network may have.
type Feature = (&'static str, fn(&Network) -> bool);

#[test]
fn default_networks_use_all_features() {
    let features: [Feature; 17] = [
        ("no clocks", |n| n.clocks.is_empty()),
        ("3 clocks", |n| n.clocks.len() == 3),
        ("arrays", |n| n.vars.iter().any(|v| v.name.ends_with(']'))),
        ("urgent", |n| any_location(n, LocationKind::Urgent)),
        ("committed", |n| any_location(n, LocationKind::Committed)),
        ("broadcast sent", |n| {
            n.processes.iter().flat_map(|p| &p.edges).any(|e| sends(n, e, ChannelKind::Broadcast))
        }),
        ("binary sent", |n| {
            n.processes.iter().flat_map(|p| &p.edges).any(|e| sends(n, e, ChannelKind::Binary))
        }),
        ("urgent channel", |n| n.channels.iter().any(|c| c.urgent)),
        ("vector edges", |n| n.processes.iter().flat_map(|p| &p.edges).any(|e| e.sync == Sync::Vector)),
        ("weak members", |n| n.vectors.iter().flat_map(|v| &v.members).any(|m| m.strength == Strength::Weak)),
        ("several initial", |n| n.processes.iter().any(|p| p.initial.len() > 1)),
        ("invariants", |n| {
            n.processes.iter().flat_map(|p| &p.locations).any(|l| !l.invariant.clocks.is_empty())
        }),
        ("bound expressions", |n| {
            let guards = n.processes.iter().flat_map(|p| &p.edges).flat_map(|e| &e.guard.clocks);
            guards.into_iter().any(|c| !matches!(c.bound, Expr::Const(_)))
        }),
        ("copies", |n| any_statement(n, |s| matches!(s, Stmt::Reset { from: Some(_), .. }))),
        ("conditionals", |n| any_statement(n, |s| matches!(s, Stmt::If { .. }))),
        ("loops", |n| any_statement(n, |s| matches!(s, Stmt::While { .. }))),
        ("disabling", |n| n.out_of_range == OutOfRange::Disable),
    ];
    let made: Vec<Network> = (0..1000).map(|seed| network(&mut Rng::new(seed), &Config::default())).collect();
    for (name, has) in features {
        let share = made.iter().filter(|n| has(n)).count();
        println!("{name}: {share} of 1000");
        assert!(share > 50, "{name}");
    }
}

fn any_location(network: &Network, kind: LocationKind) -> bool {
    network.processes.iter().flat_map(|p| &p.locations).any(|l| l.kind == kind)
}

fn any_statement(network: &Network, is_wanted: fn(&Stmt) -> bool) -> bool {
    network.processes.iter().flat_map(|p| &p.edges).flat_map(|e| &e.update.body).any(is_wanted)
}

fn sends(network: &Network, edge: &dwell_model::Edge, kind: ChannelKind) -> bool {
    matches!(edge.sync, Sync::Send(c) if network.channels[c.index()].kind == kind)
}

#[test]
fn default_networks_are_explored_quickly() {
    let (mut nodes, mut transitions, mut too_large, start) = (0, 0, 0, Instant::now());
    let mut sizes = Vec::new();
    for seed in 10_000..10_500 {
        match explore(&network(&mut Rng::new(seed), &Config::default()), 50_000) {
            Ok(graph) => {
                sizes.push(graph.discrete.len());
                nodes += graph.nodes;
                transitions += graph.transitions;
            }
            Err(ExploreError::Limit { .. }) => too_large += 1,
            Err(refused) => panic!("seed {seed}: {refused}"),
        }
    }
    let took = start.elapsed();
    println!("500 networks: {nodes} nodes, {transitions} transitions, {too_large} too large, {took:?}");
    sizes.sort_unstable();
    let quartile = |q: usize| sizes[q * (sizes.len() - 1) / 4];
    println!(
        "discrete states: quartiles {} {} {}, most {}",
        quartile(1),
        quartile(2),
        quartile(3),
        quartile(4)
    );
    assert!(too_large < 25);
    assert!(took < Duration::from_secs(60));
}

/// All lists of up to three participants, right and wrong ones, some longer.
fn attempts(rng: &mut Rng, network: &Network, right: &[Participants]) -> Vec<Participants> {
    let mut lists = right.to_vec();
    for _ in 0..20 {
        let mut list: Participants =
            if right.is_empty() || rng.percent(50) { Vec::new() } else { rng.pick(right).clone() };
        match rng.below(3) {
            0 if !list.is_empty() => drop(list.remove(rng.below(list.len() as u64) as usize)),
            1 if list.len() > 1 => list.swap(0, 1),
            _ => {
                let process = rng.below(network.processes.len() as u64) as usize;
                let edge = rng.below(network.processes[process].edges.len() as u64) as usize;
                list.push((ProcessId::new(process), EdgeId::new(edge)));
            }
        }
        if !list.is_empty() {
            lists.push(list);
        }
    }
    lists
}

/// Random walks: what replay accepts is what is enumerated, and what it
/// reaches is what regions reach.
#[test]
fn replay_agrees_with_enumeration_and_regions() {
    let (mut accepted, mut refused) = (0, 0);
    for seed in 0..300 {
        let rng = &mut Rng::new(seed);
        let made = network(rng, &Config { risky_percent: 0, risky_guard_percent: 0, ..Config::default() });
        let Ok(regions) = explore(&made, 20_000) else { continue };
        let Some(start) = step::initial(&made).into_iter().next() else { continue };
        let Ok(mut replay) = Replay::start(&made, &start.locations) else { continue };
        for _ in 0..60 {
            let at = replay.state().discrete.clone();
            assert!(regions.discrete.contains(&at), "seed {seed}: {at:?}\n{}", describe(&made));
            let right = step::transitions(&made, &at).enabled;
            let mut next = Vec::new();
            let waits = if rng.percent(40) { 0 } else { rng.below(13) };
            let delay = Rational::new(waits.into(), 1 + i128::from(rng.below(6))).unwrap();
            for participants in attempts(rng, &made, &right) {
                let mut ahead = replay.clone();
                let outcome = ahead.step(&Step { delay, participants: participants.clone() }).map(|_| ());
                let is_right = right.contains(&participants);
                match outcome.map_err(|e| e.fault) {
                    Ok(()) => {
                        assert!(is_right, "seed {seed}: {participants:?} at {at:?}\n{}", describe(&made));
                        next.push(ahead);
                    }
                    Err(
                        fault @ (ReplayFault::NoTransition(_)
                        | ReplayFault::NotAtSource(..)
                        | ReplayFault::ProcessTwice(_)
                        | ReplayFault::ReceiverLeftOut(_)
                        | ReplayFault::CommittedNotLeft),
                    ) => {
                        assert!(!is_right, "seed {seed}: {fault} {participants:?}\n{}", describe(&made));
                        refused += 1;
                    }
                    Err(_) => {}
                }
            }
            accepted += next.len();
            // Where nothing was possible, another delay may help.
            if !next.is_empty() {
                replay = rng.pick(&next).clone();
            }
        }
    }
    println!("{accepted} transitions accepted, {refused} refused for their form");
    assert!(accepted > 5000 && refused > 5000);
}
