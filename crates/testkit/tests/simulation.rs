//! The simulator on random networks: the delays it lists are those the oracle
//! accepts, both modes agree, and every run on zones has a concrete one unless
//! clocks stand still. Priorities, clock guards on urgent channels and rates are
//! put into the networks here.

use dwell_base::Rng;
use dwell_engine::simulate::{ClockView, Fault, Kept, Mode, Passage, Rational, Simulation, Step};
use dwell_engine::syntax::Span;
use dwell_engine::{Model, Network};
use dwell_model::expr::{ClockConstraint, ClockRef, Expr, Relation};
use dwell_model::{ChannelKind, ClockId, Sync};
use dwell_oracle::eval::Refusal;
use dwell_oracle::replay::{ReplayFault, delayed, running};
use dwell_oracle::step::{fire_all, transitions};
use dwell_oracle::{Discrete, Participants, State};
use dwell_testkit::random::{Config, network};
use dwell_testkit::seeds::{reproducing, seeds};
use std::collections::BTreeSet;

/// Random networks in the default run.
const NETWORKS: u64 = 900;

/// Steps of each walk.
const STEPS: usize = 10;

fn model(seed: u64) -> Option<Model> {
    let config = [Config::small(), Config::timed(), Config::loud()][(seed % 3) as usize].clone();
    let mut network = network(&mut Rng::new(seed), &config);
    let mut rng = Rng::new(!seed);
    let (priorities, deadlines, rates) = match seed / 3 % 5 {
        0 => (false, false, false),
        1 => (true, false, false),
        2 => (false, true, false),
        3 => (true, true, false),
        _ => (rng.percent(50), rng.percent(50), true),
    };
    if priorities {
        add_priorities(&mut rng, &mut network);
    }
    if deadlines {
        add_deadlines(&mut rng, &mut network);
    }
    if rates {
        add_rates(&mut rng, &mut network);
    }
    let model = Model::from_network(network).ok()?;
    model.refusals().is_empty().then_some(model)
}

fn add_priorities(rng: &mut Rng, network: &mut Network) {
    network.internal_priority = rng.below(3) as u32;
    for channel in &mut network.channels {
        channel.priority = rng.below(3) as u32;
    }
    for process in &mut network.processes {
        process.priority = rng.below(3) as u32;
    }
}

/// Makes channels urgent and leaves only lower bounds in the guards that
/// decide whether they are enabled; adds some.
fn add_deadlines(rng: &mut Rng, network: &mut Network) {
    if rng.percent(60) {
        network.channels.iter_mut().for_each(|channel| channel.urgent = true);
    }
    let (channels, clocks) = (&network.channels, network.clocks.len());
    for edge in network.processes.iter_mut().flat_map(|process| &mut process.edges) {
        let (channel, sends) = match &edge.sync {
            Sync::Send(channel) => (&channels[channel.range().0.index()], true),
            Sync::Receive(channel) => (&channels[channel.range().0.index()], false),
            Sync::Internal | Sync::Vector => continue,
        };
        if !channel.urgent || (channel.kind == ChannelKind::Broadcast && !sends) {
            continue;
        }
        let guards = &mut edge.guard.clocks;
        guards.retain(|constraint| constraint.minus.is_none());
        guards.iter_mut().for_each(|constraint| constraint.relation = Relation::Ge);
        if clocks > 0 && guards.len() < 2 && rng.percent(60) {
            guards.push(ClockConstraint {
                when: None,
                left: ClockRef::Fixed(ClockId::new(rng.below(clocks as u64) as usize)),
                minus: None,
                relation: Relation::Ge,
                bound: Expr::Const(rng.range(0, 3)),
                span: Span::default(),
            });
        }
    }
}

/// Lets clocks stand still in some locations; some do not agree.
fn add_rates(rng: &mut Rng, network: &mut Network) {
    let clocks = network.clocks.len();
    for location in network.processes.iter_mut().flat_map(|process| &mut process.locations) {
        if clocks > 0 && rng.percent(35) {
            let clock = ClockRef::Fixed(ClockId::new(rng.below(clocks as u64) as usize));
            location.rates.push((clock, Expr::Const(i32::from(rng.percent(15)))));
        }
    }
}

fn state(simulation: &Simulation<'_>) -> State<Vec<Rational>> {
    let view = simulation.view(simulation.path().len());
    let ClockView::Values(clocks) = view.clocks else { panic!("this is concrete mode") };
    State { discrete: Discrete { locations: view.locations, vars: view.vars }, clocks }
}

/// What the oracle lets happen after a delay: who moves, and who fails.
fn outcomes(
    network: &Network,
    later: &State<Vec<Rational>>,
) -> (BTreeSet<Participants>, BTreeSet<Participants>) {
    let (mut able, mut failing) = (BTreeSet::new(), BTreeSet::new());
    let all = transitions(network, &later.discrete);
    let _ = fire_all(network, later, &all, |participants, outcome| {
        match outcome {
            Ok(_) => able.insert(participants.to_vec()),
            Err(Refusal::Error(_)) => failing.insert(participants.to_vec()),
            Err(_) => false,
        };
        Ok::<(), ()>(())
    });
    (able, failing)
}

/// What was seen in listings.
#[derive(Debug, Default)]
struct Seen {
    transitions: usize,
    /// Delays after which a priority blocks something.
    blocked: usize,
    /// Delays that an urgent channel forbids and a shorter one does not.
    deadlines: usize,
    /// States in which a clock stands still.
    standing: usize,
}

/// Without priorities.
fn flat(network: &Network) -> Network {
    let mut flat = network.clone();
    flat.internal_priority = 0;
    flat.channels.iter_mut().for_each(|channel| channel.priority = 0);
    flat.processes.iter_mut().for_each(|process| process.priority = 0);
    flat
}

/// Compares the listing with the oracle, delay by delay.
fn listing_is_exact(seed: u64, simulation: &mut Simulation<'_>, seen: &mut Seen) {
    let Ok(listing) = simulation.listing() else { return };
    let here = state(simulation);
    let network = &simulation.system().network;
    let flat = network.has_priorities().then(|| flat(network));
    seen.transitions += listing.transitions.len();
    let running = running(network, &here.discrete);
    seen.standing += usize::from(running.is_ok_and(|running| running.contains(&false)));
    for delay in (0..=16).map(|n| Rational::new(n, 2).expect("small")) {
        let later = delayed(network, &here, delay);
        if !delay.is_zero() {
            let free = matches!(&listing.time, Passage::Free(interval) if interval.contains(delay));
            assert_eq!(free, later.is_ok(), "seed {seed}: a delay of {delay}");
            let urgent = matches!(later, Err(ReplayFault::UrgentChannel(_)));
            seen.deadlines += usize::from(urgent && matches!(listing.time, Passage::Free(_)));
        }
        let Ok(later) = later else { continue };
        let listed = |fails: bool| -> BTreeSet<Participants> {
            let suits = listing.transitions.iter().filter(|t| {
                t.failure.is_some() == fails && t.delays.as_ref().is_some_and(|d| d.contains(delay))
            });
            suits.map(|t| t.participants.clone()).collect()
        };
        let (able, failing) = outcomes(network, &later);
        assert_eq!(listed(false), able, "seed {seed}: transitions after {delay}");
        seen.blocked += usize::from(flat.as_ref().is_some_and(|flat| outcomes(flat, &later).0 != able));
        if listing.failures.is_empty() {
            assert_eq!(listed(true), failing, "seed {seed}: failures after {delay}");
        }
    }
}

fn moves(path: &[Step]) -> Vec<Participants> {
    path.iter().map(|step| step.participants.clone()).filter(|p| !p.is_empty()).collect()
}

/// Takes on zones what was taken with exact clocks; false when it cannot be
/// taken because the model fails. A delay is part of a step on zones, so that
/// one fails where it cannot be told whether time may pass afterwards.
fn follow_on_zones(seed: u64, zones: &mut Simulation<'_>, concrete: &mut Simulation<'_>) -> bool {
    let Ok(listing) = zones.listing() else { return false };
    let step = concrete.path().last().expect("a step");
    let number = listing.transitions.iter().position(|t| t.participants == step.participants);
    let number = number.unwrap_or_else(|| panic!("seed {seed}: {step:?} is not possible on zones"));
    match zones.take(number, None) {
        Ok(()) => true,
        Err(Fault::Runtime(_)) => {
            let time = concrete.listing().map(|listing| listing.time.clone());
            assert!(matches!(time, Ok(Passage::Fails(_)) | Err(_)), "seed {seed}: {time:?}");
            false
        }
        Err(why) => panic!("seed {seed}: {why:?}"),
    }
}

#[test]
fn both_modes_agree_with_the_oracle_and_with_each_other() {
    let (mut steps, mut seen) = (0, Seen::default());
    for seed in seeds(NETWORKS) {
        let Some(model) = model(seed) else { continue };
        let Ok(mut concrete) = Simulation::new(model.system(), Mode::Concrete, seed) else { continue };
        let mut zones = Simulation::new(model.system(), Mode::Zone, seed).expect("as before");
        let mut followed = true;
        for _ in 0..STEPS {
            listing_is_exact(seed, &mut concrete, &mut seen);
            if !concrete.random().unwrap_or(false) {
                break;
            }
            followed = followed && follow_on_zones(seed, &mut zones, &mut concrete);
            steps += 1;
        }
        if followed {
            let before = concrete.view(concrete.path().len());
            let path = concrete.path().to_vec();
            let trace = concrete.trace().unwrap_or_else(|why| panic!("seed {seed}: {why:?}"));
            assert_eq!(trace.steps.len(), path.len());
            concrete.set_mode(Mode::Zone).unwrap_or_else(|why| panic!("seed {seed}: {why:?}"));
            for i in 0..=path.len() {
                assert_eq!(concrete.view(i), zones.view(i), "seed {seed}");
            }
            assert_eq!(concrete.set_mode(Mode::Concrete), Ok(Kept::Same), "seed {seed}");
            assert_eq!(concrete.view(path.len()), before, "seed {seed}");
        }
    }
    let Seen { transitions, blocked, deadlines, standing } = seen;
    let enough = steps > 2_000 && transitions > 5_000 && blocked.min(deadlines).min(standing) > 200;
    assert!(reproducing() || enough, "{steps} steps, {seen:?}");
}

#[test]
fn every_run_on_zones_has_a_concrete_one() {
    let (mut steps, mut standing, mut unknown) = (0, 0, 0);
    for seed in seeds(NETWORKS) {
        let Some(model) = model(seed) else { continue };
        let Ok(mut zones) = Simulation::new(model.system(), Mode::Zone, seed) else { continue };
        while zones.path().len() < STEPS && zones.random().unwrap_or(false) {}
        let path = moves(zones.path());
        steps += path.len();
        standing += usize::from(model.system().has_stopwatches());
        let trace = match zones.trace() {
            Ok(trace) => trace,
            Err(_) if model.system().has_stopwatches() => {
                unknown += 1;
                continue;
            }
            Err(why) => panic!("seed {seed}: {why:?}"),
        };
        assert_eq!(trace.steps.len(), path.len(), "seed {seed}");
        for (i, state) in trace.states.iter().enumerate() {
            let view = zones.view(i);
            assert_eq!((&view.locations, &view.vars), (&state.locations, &state.vars), "seed {seed}");
            let ClockView::Zones(all) = view.clocks else { panic!("this is zone mode") };
            let texts = state.zone.iter().flatten().map(|constraint| constraint.text(model.network()));
            let texts: Vec<String> = texts.collect();
            assert!(all.iter().any(|zone| zone.constraints == texts), "seed {seed}");
        }
        zones.set_mode(Mode::Concrete).unwrap_or_else(|why: Fault| panic!("seed {seed}: {why:?}"));
        assert_eq!(moves(zones.path()), path, "seed {seed}");
    }
    assert!(reproducing() || steps > 2_000, "{steps} steps");
    assert!(reproducing() || unknown * 20 < standing, "{unknown} of {standing} runs without delays");
}
