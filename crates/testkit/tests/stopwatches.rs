//! Clocks that stand still: more is looked at than there is, so a definite answer
//! must be one that no concrete run contradicts. Random runs with exact delays
//! are replayed by the oracle; where one comes to a state that is asked for, or
//! goes on for ever as asked, the engine may not say that there is none.

use dwell_base::Rng;
use dwell_engine::limits::Limits;
use dwell_engine::syntax::uppaal::parse_query;
use dwell_engine::{Control, Format, Model, Options, Question, Verdict, check};
use dwell_model::Network;
use dwell_model::expr::Expr;
use dwell_model::property::{Formula, Property};
use dwell_oracle::replay::delayed;
use dwell_oracle::{Rational, Replay, Step, replay_maximal, step};
use dwell_testkit::answers::{formulas, property};
use dwell_testkit::plans;
use dwell_testkit::random::{Config, describe, describe_formula, minimise, names_locations_of, network};
use dwell_testkit::seeds::{reproducing, seeds};
use std::time::{Duration, Instant};

/// Networks in the default run.
const NETWORKS: u64 = 1_500;

/// Random runs in each, and their steps.
const RUNS: usize = 12;
const STEPS: usize = 8;

fn config(seed: u64) -> Config {
    let config = match seed % 3 {
        0 => Config::small(),
        1 => Config { max_clocks: 2, ..Config::timed() },
        _ => Config { max_clocks: 2, ..Config::loud() },
    };
    let config = if seed.is_multiple_of(2) {
        config.with_subtraction()
    } else {
        Config { deadlock_percent: 15, ..config }
    };
    Config { risky_percent: 0, risky_guard_percent: 0, disable_percent: 100, rate_percent: 45, ..config }
}

/// Which of the properties concrete runs witness (`E<>`, `E[]`) or refute.
fn seen(rng: &mut Rng, network: &Network, properties: &[Property]) -> Vec<bool> {
    let mut seen = vec![false; properties.len()];
    let starts = step::initial(network);
    for _ in 0..RUNS {
        if starts.is_empty() {
            break;
        }
        let start = rng.pick(&starts).clone();
        let Ok(mut replay) = Replay::start(network, &start.locations) else { continue };
        let mut steps: Vec<Step> = Vec::new();
        look(network, &start.locations, &steps, &replay, properties, &mut seen);
        for _ in 0..STEPS {
            let waits = if rng.percent(50) { 0 } else { 1 + rng.below(12) };
            let delay = Rational::new(waits.into(), 1 + i128::from(rng.below(3))).expect("small");
            let Ok(later) = delayed(network, replay.state(), delay) else { continue };
            let transitions = step::transitions(network, &later.discrete);
            let mut possible = transitions.enabled;
            possible.extend(
                transitions.timed.iter().flat_map(|b| b.participants(network, &later).expect("safe")),
            );
            possible.push(Vec::new());
            let taken = Step { delay, participants: rng.pick(&possible).clone() };
            if replay.step(&taken).is_ok() {
                steps.push(taken);
                look(network, &start.locations, &steps, &replay, properties, &mut seen);
            }
        }
    }
    seen
}

fn look(
    network: &Network,
    start: &[dwell_model::LocationId],
    steps: &[Step],
    replay: &Replay<'_>,
    properties: &[Property],
    seen: &mut [bool],
) {
    let lasts = |from: usize, always: &Formula| {
        let loops = (from..steps.len()).map(Some).chain([None]);
        loops.into_iter().any(|at| replay_maximal(network, start, steps, at, from, always).is_ok())
    };
    for (property, seen) in properties.iter().zip(seen).filter(|(_, seen)| !**seen) {
        *seen = match property {
            Property::Possibly(f) | Property::Invariantly { violation: f } => replay.holds(f) == Ok(true),
            Property::PotentiallyAlways(f) | Property::Eventually { avoiding: f } => lasts(0, f),
            // Only from the last state on: others were the last one before.
            Property::LeadsTo(p, f) => replay.holds(p) == Ok(true) && lasts(steps.len(), f),
            Property::Extremum(..) => false,
        };
    }
}

/// What is wrong with the engine's answer to a property that a run decides.
fn departs(network: &Network, property: &Property, options: &Options, decided: bool) -> Option<String> {
    let model = Model::from_network(network.clone()).expect("a valid network");
    let question = Question::property(&model, "random", property.clone(), network);
    let plan = options.plan(&model, &question).expect("no differences");
    let limits = Limits { deadline: Some(Instant::now() + Duration::from_millis(500)), ..Limits::default() };
    let report = check(&model, &question, &plan, Control { limits, observer: None });
    let wrong = match property {
        Property::Possibly(_) | Property::PotentiallyAlways(_) => Verdict::NotSatisfied,
        _ => Verdict::Satisfied,
    };
    // What is found may be there only because more was looked at.
    let rates = network
        .processes
        .iter()
        .flat_map(|p| &p.locations)
        .any(|l| l.rates.iter().any(|(_, rate)| *rate != Expr::Const(1)));
    let definite = matches!(report.verdict, Verdict::Satisfied | Verdict::NotSatisfied);
    let too_sure = rates && definite && report.verdict != wrong;
    (too_sure || (decided && report.verdict == wrong))
        .then(|| format!("{:?} ({:?})", report.verdict, report.why))
}

#[test]
fn no_concrete_run_contradicts_a_definite_answer() {
    let choices: Vec<_> = plans::all().into_iter().filter(|c| c.ends()).collect();
    let choices = plans::pairwise(choices, 5, 20);
    let (mut decided, mut found, mut next) = (0, [0; 5], 0);
    for seed in seeds(NETWORKS) {
        let config = config(seed);
        let rng = &mut Rng::new(seed);
        let made = network(rng, &config);
        let properties: Vec<Property> = (0..5).map(|kind| property(rng, &config, &made, kind)).collect();
        let seen = seen(rng, &made, &properties);
        for (kind, (property, &seen)) in properties.iter().zip(&seen).enumerate() {
            next += 1;
            decided += u64::from(seen);
            found[kind] += u64::from(seen);
            let choice = &choices[next % choices.len()];
            let Some(difference) = departs(&made, property, &choice.options(), seen) else { continue };
            eprintln!("DWELL_SEED={seed}, {choice}: {difference}\nshrinking the network …");
            let least = minimise(&made, |n| {
                formulas(property).into_iter().all(|f| names_locations_of(f, n))
                    && self::seen(&mut Rng::new(seed), n, std::slice::from_ref(property))[0] == seen
                    && departs(n, property, &choice.options(), seen).is_some()
            });
            let texts: Vec<String> = formulas(property).iter().map(|f| describe_formula(&least, f)).collect();
            let kind = format!("{property:?}");
            let kind = kind.split(['(', ' ']).next().unwrap_or_default();
            panic!("DWELL_SEED={seed}, {choice}: {difference}\n{kind} {texts:?}\n{}", describe(&least));
        }
    }
    println!("{decided} properties decided by runs: {found:?} of each kind");
    assert!(reproducing() || (decided > NETWORKS && found.iter().all(|&n| n > NETWORKS / 10)));
}

fn verdict(text: &str, query: &str) -> Verdict {
    let model = Model::read(text, Format::Xta, &Default::default()).unwrap_or_else(|e| panic!("{e:?}"));
    let (item, _) = parse_query(query);
    let question = model.questions(&[item]).remove(0).unwrap_or_else(|e| panic!("{query}: {}", e.why));
    let plan = Options::default().plan(&model, &question).expect("a plan");
    check(&model, &question, &plan, Control::default()).verdict
}

/// A move that comes with time keeps a state from being a deadlock, although a
/// clock stands still until then.
#[test]
fn states_before_a_move_are_no_deadlocks() {
    let text = "clock x, t;
        process P() { state A { x' == 0 }, B; init A; trans A -> B { guard t >= 3 && x == 0; }; }
        system P;";
    assert_eq!(verdict(text, "E<> P.A && t < 1 && not deadlock"), Verdict::MaybeSatisfied);
    assert_eq!(verdict(text, "A[] P.A imply deadlock"), Verdict::MaybeNotSatisfied);
    // What stands still cannot come later.
    assert_eq!(verdict(text, "E<> P.A && x > 0"), Verdict::NotSatisfied);
}

/// A deadline that is never met, since its clock stands still, does not keep
/// time from passing for ever.
#[test]
fn time_passes_for_ever_before_a_deadline_that_stands_still() {
    let text = "clock x; urgent broadcast chan c;
        process P() { state A; init A; trans A -> A { guard x >= 1; sync c!; }; }
        process Q() { state S { x' == 0 }, T; init S; trans S -> T {}; }
        system P, Q;";
    assert_eq!(verdict(text, "E[] Q.S"), Verdict::MaybeSatisfied);
    assert_eq!(verdict(text, "A<> Q.T"), Verdict::MaybeNotSatisfied);
}
