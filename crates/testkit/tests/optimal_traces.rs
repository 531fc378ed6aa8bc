//! Shortest and fastest traces of random networks are that: compared with a
//! plain search level by level over exact zones, and with plain reachability
//! of the goal before one time after the other. And a heuristic changes when
//! states are looked at, not what is found.

use dwell_base::Rng;
use dwell_engine::{Heuristic, LeastTime, Model, Options, OrderName, Plan, Question, Report, Verdict, check};
use dwell_model::expr::{BinaryOp, ClockConstraint, ClockRef, Expr, Relation};
use dwell_model::property::{Formula, Property};
use dwell_model::{Clock, ClockId, LocationId, Network, ProcessId, VarId};
use dwell_testkit::differential::replayed;
use dwell_testkit::naive::{self, holds_somewhere};
use dwell_testkit::random::{Config, describe, describe_formula, formula, network};
use dwell_testkit::seeds::{reproducing, seeds};

/// Networks in the default run of each test.
const NETWORKS: u64 = 1_000;

/// Most exact zones of a network.
const ZONES: usize = 150;

/// Latest time that the plain search tries.
const LATEST: i32 = 24;

/// Networks whose updates and guards do not fail.
fn config(seed: u64) -> Config {
    let config = match seed % 4 {
        0 => Config::small(),
        1 | 2 => Config::timed(),
        _ => Config { max_constant: 3, max_clocks: 2, ..Config::loud() },
    };
    Config { risky_guard_percent: 0, risky_percent: 0, disable_percent: 100, ..config }
}

/// The options that a kind of trace leaves open, by turns.
fn plan(model: &Model, question: &Question, trace: &str, turn: u64) -> Plan {
    let mut options = Options::default();
    let mut set = |name, values: &[&str], divisor: u64| {
        options.set(name, values[(turn / divisor) as usize % values.len()]).expect("a value from the table");
    };
    let abstractions: &[&str] = match trace {
        "fastest" => &["extra-lu+", "extra-m", "extra-lu", "extra-m+"],
        _ => &["extra-lu+", "a-lu", "extra-m", "extra-lu", "extra-m+"],
    };
    set("abstraction", abstractions, 1);
    set("bounds", &["local", "global"], 2);
    set("reduce-clocks", &["on", "off"], 3);
    set("store", &["shared", "copy"], 5);
    set("trace", &[trace], 1);
    options.plan(model, question).expect("a sound plan")
}

fn ask(model: &Model, formula: &Formula, trace: &str, turn: u64) -> Report {
    let question =
        Question::property(model, "random", Property::Possibly(formula.clone()), model.network()).unwrap();
    check(model, &question, &plan(model, &question, trace, turn), Default::default())
}

/// The fewest transitions to the formula; `None` where there are too many
/// zones, `Some(None)` where it is not reached.
fn fewest(network: &Network, formula: &Formula) -> Option<Option<usize>> {
    let mut found: Vec<naive::State> = Vec::new();
    let mut level = naive::initial(network);
    for depth in 0.. {
        let mut next = Vec::new();
        for state in level {
            let mut same = found.iter().filter(|old| old.discrete == state.discrete);
            if same.any(|old| state.clocks.included_in(&old.clocks)) {
                continue;
            }
            if holds_somewhere(network, &state, &[formula]) {
                return Some(Some(depth));
            }
            if found.len() == ZONES {
                return None;
            }
            next.extend(naive::successors(network, &state.discrete, &state.clocks));
            found.push(state);
        }
        if next.is_empty() {
            return Some(None);
        }
        level = next;
    }
    unreachable!("depths do not end")
}

#[test]
fn shortest_traces_have_the_fewest_transitions() {
    let (mut reached, mut longest, mut unreached, mut too_large, mut not_first) = (0, 0, 0, 0, 0);
    for seed in seeds(NETWORKS) {
        let rng = &mut Rng::new(seed);
        let made = network(rng, &config(seed));
        let formula = formula(rng, &config(seed), &made);
        let Some(expected) = fewest(&made, &formula) else {
            too_large += 1;
            continue;
        };
        let model = Model::from_network(made.clone()).expect("a valid network");
        let report = ask(&model, &formula, "shortest", seed);
        let transitions = |r: &Report| {
            r.trace.as_ref().map(|t| t.steps.iter().filter(|s| !s.participants.is_empty()).count())
        };
        assert_eq!(
            (report.verdict, transitions(&report)),
            (if expected.is_some() { Verdict::Satisfied } else { Verdict::NotSatisfied }, expected),
            "DWELL_SEED={seed}: {:?}\n{}\n{}",
            report.why,
            describe_formula(&made, &formula),
            describe(&made)
        );
        if let Some(trace) = &report.trace {
            replayed(&made, trace).unwrap_or_else(|why| panic!("DWELL_SEED={seed}: {why}"));
            reached += 1;
            longest = trace.steps.len().max(longest);
            not_first += u64::from(transitions(&ask(&model, &formula, "some", seed)) != expected);
        } else {
            unreached += 1;
        }
    }
    println!(
        "{reached} reached by {longest} steps at most, {unreached} not, {too_large} too large; \
         plain breadth first was longer {not_first} times"
    );
    assert!(reproducing() || (reached * 10 > NETWORKS * 3 && unreached * 10 > NETWORKS && longest > 3));
}

/// `clock ~ bound`.
fn compared(clock: ClockId, relation: Relation, bound: i32) -> Formula {
    Formula::Clock(ClockConstraint {
        when: None,
        left: ClockRef::Fixed(clock),
        minus: None,
        relation,
        bound: Expr::Const(bound),
        span: Default::default(),
    })
}

/// The least time to the formula, by asking for one time after the other.
fn least(network: &Network, formula: &Formula) -> Option<LeastTime> {
    let mut timed = network.clone();
    let time = ClockId::new(timed.clocks.len());
    timed.clocks.push(Clock { name: "t".into(), init: 0 });
    let timed = Model::from_network(timed).expect("a valid network");
    let by = |relation, bound| {
        let both = Formula::And(vec![formula.clone(), compared(time, relation, bound)]);
        let report = ask(&timed, &both, "none", 0);
        assert_ne!(report.verdict, Verdict::Unknown, "{:?}", report.why);
        report.verdict == Verdict::Satisfied
    };
    if !by(Relation::Le, LATEST) {
        return None;
    }
    (0..=LATEST).find_map(|at| {
        let found = |time, attained| LeastTime { time: i64::from(time), attained };
        if by(Relation::Lt, at) {
            return Some(found(at - 1, false));
        }
        by(Relation::Le, at).then(|| found(at, true))
    })
}

#[test]
fn fastest_traces_take_the_least_time() {
    let (mut attained, mut limits, mut positive, mut unreached) = (0, 0, 0, 0);
    for seed in seeds(NETWORKS) {
        let rng = &mut Rng::new(seed);
        // Exact zones of models with differences of clocks may not end.
        let config = Config { diagonal_percent: 0, ..config(seed) };
        let made = network(rng, &config);
        let formula = formula(rng, &config, &made);
        let expected = least(&made, &formula);
        let model = Model::from_network(made.clone()).expect("a valid network");
        let report = ask(&model, &formula, "fastest", seed);
        let described =
            || format!("{:?}\n{}\n{}", report.why, describe_formula(&made, &formula), describe(&made));
        match report.least_time {
            None => {
                assert_eq!(report.verdict, Verdict::NotSatisfied, "DWELL_SEED={seed}: {}", described());
                assert_eq!(expected, None, "DWELL_SEED={seed}: {}", described());
                unreached += 1;
            }
            Some(least) if expected.is_none() => {
                assert!(least.time >= i64::from(LATEST), "DWELL_SEED={seed}: {least:?}");
            }
            Some(least) => {
                assert_eq!(Some(least), expected, "DWELL_SEED={seed}: {}", described());
                let trace = report.trace.as_ref().expect("a trace was asked for");
                replayed(&made, trace).unwrap_or_else(|why| panic!("DWELL_SEED={seed}: {why}"));
                let times = trace.steps.iter().map(|s| s.delay.to_string());
                let total: f64 = times.map(|t| rational(&t)).sum();
                let above = total - least.time as f64;
                assert!(
                    if least.attained { above.abs() < 1e-9 } else { above > 1e-9 && above < 1.0 },
                    "DWELL_SEED={seed}: {total} for {least:?}"
                );
                positive += u64::from(least.time > 0);
                *(if least.attained { &mut attained } else { &mut limits }) += 1;
            }
        }
    }
    println!("{attained} attained, {limits} not, {positive} above zero; {unreached} not reached");
    assert!(reproducing() || (attained > NETWORKS / 3 && limits > NETWORKS / 50 && positive > NETWORKS / 20));
}

/// `3/2` as a number.
fn rational(text: &str) -> f64 {
    let (above, below) = text.split_once('/').unwrap_or((text, "1"));
    above.parse::<f64>().unwrap() / below.parse::<f64>().unwrap()
}

#[test]
fn heuristics_change_no_answer() {
    let (mut reached, mut unreached, mut other_way) = (0, 0, 0);
    for seed in seeds(NETWORKS / 2) {
        let rng = &mut Rng::new(seed);
        let made = network(rng, &config(seed));
        let formula = formula(rng, &config(seed), &made);
        let model = Model::from_network(made.clone()).expect("a valid network");
        let question =
            Question::property(&model, "random", Property::Possibly(formula.clone()), &made).unwrap();
        let at = |process: usize, location: u32| Expr::At(ProcessId::new(process), LocationId(location));
        let first = match made.vars.len() {
            0 => Expr::Const(5),
            vars => Expr::Var(VarId::new(rng.below(vars as u64) as usize)),
        };
        // Half of them have no value where the last process is elsewhere.
        let ops = [BinaryOp::Sub, BinaryOp::Div];
        let last = at(made.processes.len() - 1, (seed % 2) as u32);
        let op = ops[seed as usize % 2];
        let expr = Expr::Binary(op, Box::new(first), Box::new(last), Default::default());
        let usual = plan(&model, &question, "some", seed);
        let heuristic = Some(Heuristic::of(&expr, "random", &made));
        let guided = Plan { order: OrderName::BestFirst, heuristic, ..usual.clone() };
        let reports = [&usual, &guided].map(|plan| check(&model, &question, plan, Default::default()));
        assert_eq!(reports[0].verdict, reports[1].verdict, "DWELL_SEED={seed}: {:?}", reports[1].why);
        match &reports[1].trace {
            Some(trace) => {
                replayed(&made, trace).unwrap_or_else(|why| panic!("DWELL_SEED={seed}: {why}"));
                reached += 1;
            }
            None => unreached += 1,
        }
        other_way += u64::from(reports[0].stats != reports[1].stats);
    }
    println!("{reached} reached, {unreached} not, {other_way} explored in another way");
    assert!(reproducing() || (reached > 100 && unreached > 50 && other_way > 50));
}
