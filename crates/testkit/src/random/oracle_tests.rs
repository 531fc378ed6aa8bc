//! The parts of the oracle agree on random networks. Failures print the seed
//! and a minimal network.

use dwell_base::Rng;
use dwell_model::property::Formula;
use dwell_model::{ChannelKind, EdgeId, Network, ProcessId, Sync};
use dwell_oracle::replay::delayed;
use dwell_oracle::{Participants, Rational, Replay, ReplayFault, Step, explore, explore_with, step, ticks};

use super::{Config, describe, describe_formula, formula, minimise, network};

/// Where two explorers differ, if both finish.
fn disagreement(network: &Network, formulas: &[Formula], limit: usize) -> Option<String> {
    let regions = explore_with(network, formulas, limit).ok()?;
    let sampled = ticks::explore_with(network, formulas, limit).ok()?;
    if regions.failure.is_some() != sampled.fails {
        return Some(format!("run-time errors: regions {:?}, ticks {}", regions.failure, sampled.fails));
    }
    for (asked, &met) in regions.asked.iter().zip(&sampled.met) {
        // After an error regions look no further, ticks do.
        if asked.met != met && asked.error.is_none() {
            return Some(format!("{:?}: regions {}, ticks {met}", asked.formula, asked.met));
        }
    }
    let only = |a: &std::collections::BTreeSet<_>, b: &_| format!("{:?}", a.difference(b).next());
    (regions.discrete != sampled.discrete).then(|| {
        let (a, b) = (&regions.discrete, &sampled.discrete);
        format!("only regions {}, only ticks {}", only(a, b), only(b, a))
    })
}

/// The network without clock constraints; `None` where these keep receivers
/// from taking part, so that less is possible without them.
fn untimed(network: &Network) -> Option<Network> {
    let mut plain = network.clone();
    for process in &mut plain.processes {
        process.locations.iter_mut().for_each(|l| l.invariant.clocks.clear());
        for edge in &mut process.edges {
            let guard = std::mem::take(&mut edge.guard.clocks);
            if let Sync::Receive(channel) = &edge.sync
                && network.channels[channel.range().0.index()].kind == ChannelKind::Broadcast
                && !guard.is_empty()
            {
                return None;
            }
        }
    }
    Some(plain)
}

#[test]
fn regions_and_ticks_agree() {
    let (mut compared, mut several, mut timed, mut failing, mut met, mut asked) = (0, 0, 0, 0, 0, 0);
    let (networks, limit) = (400, 15_000);
    for seed in 0..networks {
        let config = [Config::small(), Config::default(), Config::timed()][seed as usize % 3].clone();
        let config = if seed % 4 < 2 { config } else { config.with_subtraction() };
        let rng = &mut Rng::new(seed);
        let made = network(rng, &config);
        let safe = Config { risky_guard_percent: 0, ..config };
        let mut formulas = vec![formula(rng, &safe, &made), formula(rng, &safe, &made)];
        // Slow: every delay is looked at.
        if seed % 4 == 0 {
            let stuck = Formula::Deadlock(rng.percent(70));
            formulas[0] = Formula::And(vec![stuck, formulas[0].clone()]);
        }
        if let Some(difference) = disagreement(&made, &formulas, limit) {
            let least = minimise(&made, |n| disagreement(n, &[], limit).is_some());
            let texts: Vec<String> = formulas.iter().map(|f| describe_formula(&made, f)).collect();
            panic!("seed {seed}: {difference}\n{texts:?}\nminimal without formulas: {}", describe(&least));
        }
        let Ok(regions) = explore_with(&made, &formulas, limit) else { continue };
        compared += 1;
        several += usize::from(regions.discrete.len() > 1);
        failing += usize::from(regions.failure.is_some());
        asked += formulas.len();
        met += regions.asked.iter().filter(|asked| asked.met).count();
        // Priorities and deadlines take away by what is possible elsewhere.
        let subtracts = made.has_priorities() || config.deadline_percent > 0;
        let Some(plain) = untimed(&made).filter(|_| !subtracts) else { continue };
        let plain = explore(&plain, limit).unwrap();
        assert!(regions.discrete.is_subset(&plain.discrete), "seed {seed}");
        timed += usize::from(plain.discrete != regions.discrete);
    }
    println!("{networks} networks: {compared} compared, {several} with several states,");
    println!("{timed} where time decides, {failing} with run-time errors; {met} of {asked} formulas are met");
    assert!(
        compared * 10 > networks as usize * 9
            && several * 10 > compared * 8
            && timed * 5 > compared
            && failing > 5
    );
    assert!(failing * 4 < compared, "run-time errors are meant to be rare");
    assert!(met * 10 > asked * 2 && met * 10 < asked * 8);
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
        let config = Config { risky_percent: 0, risky_guard_percent: 0, ..Config::default() };
        let config = if seed % 2 == 0 { config } else { Config { deadline_percent: 60, ..config } };
        let made = network(rng, &config);
        let Ok(regions) = explore(&made, 20_000) else { continue };
        let Some(start) = step::initial(&made).into_iter().next() else { continue };
        let Ok(mut replay) = Replay::start(&made, &start.locations) else { continue };
        for _ in 0..60 {
            let at = replay.state().discrete.clone();
            assert!(regions.discrete.contains(&at), "seed {seed}: {at:?}\n{}", describe(&made));
            let waits = if rng.percent(40) { 0 } else { rng.below(13) };
            let delay = Rational::new(waits.into(), 1 + i128::from(rng.below(6))).unwrap();
            let transitions = step::transitions(&made, &at);
            let mut right = transitions.enabled;
            // Who takes part in these depends on when.
            if let Ok(later) = delayed(&made, replay.state(), delay) {
                let broadcasts = transitions.timed.iter().map(|b| b.participants(&made, &later));
                right.extend(broadcasts.flat_map(|all| all.expect("guards do not fail")));
            }
            let mut next = Vec::new();
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
