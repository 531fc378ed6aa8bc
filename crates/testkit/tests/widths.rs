//! Sixteen bits or thirty-two: the answer is the same. A network whose time
//! unit is a thousand times smaller has the same states as the network itself,
//! and leaves the sixteen-bit range on the way.

use dwell_base::Rng;
use dwell_engine::limits::Limits;
use dwell_engine::{Control, Model, Plan, Question, Report, TraceKind, Verdict, Width, check};
use dwell_model::expr::{BinaryOp, Expr, Stmt};
use dwell_model::{Network, Span, System};
use dwell_testkit::plans::{self, Choice};
use dwell_testkit::random::walk::{self, Visit};
use dwell_testkit::random::{Config, describe, minimise, network};
use dwell_testkit::seeds::{reproducing, seeds};
use std::time::{Duration, Instant};

/// The largest constant of a sixteen-bit zone.
const LIMIT: i64 = 4094;

fn times(expr: &Expr, factor: i32) -> Expr {
    match expr {
        Expr::Const(c) => Expr::Const(c * factor),
        other => Expr::Binary(
            BinaryOp::Mul,
            Box::new(other.clone()),
            Box::new(Expr::Const(factor)),
            Span::default(),
        ),
    }
}

/// The network with a time unit that is `factor` times smaller.
fn scaled(network: &Network, factor: i32) -> Network {
    let mut scaled = network.clone();
    for process in &mut scaled.processes {
        let invariants = process.locations.iter_mut().map(|l| &mut l.invariant);
        for guard in invariants.chain(process.edges.iter_mut().map(|e| &mut e.guard)) {
            guard.clocks.iter_mut().for_each(|c| c.bound = times(&c.bound, factor));
        }
    }
    scaled.clocks.iter_mut().for_each(|clock| clock.init *= factor);
    walk::network(&mut scaled, &mut Resets { factor });
    scaled
}

/// Multiplies what clocks are set to, in updates, functions and expressions.
struct Resets {
    factor: i32,
}

impl Visit for Resets {
    fn block(&mut self, body: &mut Vec<Stmt>) {
        for stmt in body {
            if let Stmt::Reset { value, .. } = stmt {
                *value = times(value, self.factor);
            }
        }
    }
}

/// What must not depend on the time unit.
#[derive(Debug, PartialEq, Eq)]
struct Answer {
    verdict: Verdict,
    counts: [u64; 5],
}

fn answer(report: &Report) -> Answer {
    let s = report.stats;
    let counts = [s.visited, s.stored, s.max_stored, s.transitions, s.discrete];
    Answer { verdict: report.verdict, counts }
}

fn questions(network: &Network) -> Vec<Question> {
    let model = Model::from_network(network.clone()).expect("valid");
    let labels = network.labels.iter().map(|label| Question::labels(&model, &[label]).expect("a label"));
    labels.chain([Question::space()]).collect()
}

/// How the zones of the scaled network begin.
#[derive(Clone, Copy, Debug)]
enum Start {
    /// As planned.
    Planned,
    /// With sixteen bits, whatever the plan says.
    Narrow,
}

/// The answers of the network and of the scaled one; `None` if the former
/// does not come to an end.
fn answers(
    network: &Network,
    factor: i32,
    choice: &Choice,
    start: Start,
) -> Option<Vec<(Answer, Answer, Plan)>> {
    let models = [network.clone(), scaled(network, factor)].map(|n| Model::from_network(n).expect("valid"));
    let mut found = Vec::new();
    for question in questions(network) {
        let ask = |model: &Model, start, patience: u64| {
            let mut plan = choice.plan(model, &question).expect("no diagonals");
            plan.trace = TraceKind::Some;
            if let Start::Narrow = start {
                plan.width = Width::Bits16;
            }
            let deadline = (!choice.ends()).then(|| Instant::now() + Duration::from_millis(patience));
            let limits = Limits { deadline, ..Limits::default() };
            check(model, &question, &plan, Control { limits, observer: None })
        };
        let small = ask(&models[0], Start::Planned, 10);
        if small.verdict == Verdict::Unknown && !choice.ends() {
            return None;
        }
        // Slower, since wider and sometimes twice: but it must end.
        let large = ask(&models[1], start, 60_000);
        found.push((answer(&small), answer(&large), large.plan));
    }
    Some(found)
}

fn differs(network: &Network, factor: i32, choice: &Choice, start: Start) -> bool {
    answers(network, factor, choice, start).is_some_and(|all| all.iter().any(|(a, b, _)| a != b))
}

#[test]
fn the_time_unit_and_the_width_do_not_matter() {
    let cover = plans::pairwise(plans::patient(plans::all()), 6, 40);
    let (mut compared, mut narrow, mut widened, mut wide) = (0, 0, 0, 0);
    for seed in seeds(1_000) {
        let config = [Config::small(), Config::timed()][seed as usize % 2].clone();
        let config = Config { max_constant: 3, max_clocks: 3, risky_percent: 2, ..config };
        let config = if seed % 5 < 3 { config } else { config.with_subtraction() };
        let config = Config { risky_guard_percent: 0, ..config };
        let rng = &mut Rng::new(seed);
        let made = network(rng, &config);
        let largest = System::new(made.clone()).facts.largest_constant.max(1);
        for (i, end) in [LIMIT / 2, LIMIT, 100 * LIMIT].into_iter().enumerate() {
            // The largest constant just below the end, or somewhat below.
            let factor = (end / largest) as i32 - if rng.percent(50) { 0 } else { rng.range(0, 50) };
            let start = if i == 0 { Start::Planned } else { Start::Narrow };
            let choice = &cover[rng.below(cover.len() as u64) as usize];
            let Some(all) = answers(&made, factor, choice, start) else { continue };
            for (small, large, plan) in all {
                if small != large {
                    let least = minimise(&made, |n| differs(n, factor, choice, start));
                    panic!(
                        "DWELL_SEED={seed}, {choice}, times {factor}, {start:?}: {small:?}, scaled {large:?}\n{}",
                        describe(&least)
                    );
                }
                compared += 1;
                match plan.width {
                    Width::Bits16 => narrow += 1,
                    // Mostly exact zones; others where one move adds several constants.
                    Width::Bits32 if i == 0 => widened += 1,
                    Width::Bits32 => wide += 1,
                }
            }
        }
    }
    println!("{compared} answers agree: {narrow} with 16 bits, {widened} widened on the way, {wide} wide");
    assert!(reproducing() || (narrow > 500 && widened > 10 && wide > 300));
}

/// A clock that runs away while another is reset every `step`.
fn runaway_text(step: i64) -> String {
    format!(
        "system:runaway\nevent:e\nclock:1:x\nclock:1:y\nprocess:P\n\
         location:P:a{{initial: : invariant:x<={step}}}\nlocation:P:b{{labels:late}}\nlocation:P:c{{labels:never}}\n\
         edge:P:a:a:e{{provided:x=={step} : do:x=0}}\nedge:P:a:b:e{{provided:y>={step} && x>=1 && x<{step}}}\n\
         edge:P:a:c:e{{provided:y<{step} && x>={step}}}\n"
    )
}

fn runaway(step: i64) -> Model {
    Model::from_tchecker(&runaway_text(step), &Default::default()).expect("a correct model")
}

#[test]
fn a_clock_that_runs_away_leaves_sixteen_bits_and_then_thirty_two() {
    for (step, width) in [(2000, Width::Bits16), (3000, Width::Bits32), (1 << 25, Width::Bits32)] {
        let model = runaway(step);
        for choice in plans::pairwise(plans::all(), 8, 100) {
            let plan = choice.plan(&model, &Question::space()).unwrap();
            assert_eq!(plan.width, width, "{choice}, {step}");
            let report = |question: &Question| {
                let deadline = (!choice.ends()).then(|| Instant::now() + Duration::from_millis(50));
                let limits = Limits { deadline, ..Limits::default() };
                check(&model, question, &plan, Control { limits, observer: None })
            };
            let late = report(&Question::labels(&model, &["late"]).unwrap());
            // Without end, orders that are not by age may leave the state waiting
            // for ever.
            let by_age = matches!(choice.get("order"), Some("bfs" | "dfs"));
            let lost = !choice.ends() && !by_age;
            if !(lost && late.verdict == Verdict::Unknown) {
                assert_eq!(late.verdict, Verdict::Satisfied, "{choice}, {step}: {:?}", late.why);
            }
            let never = report(&Question::labels(&model, &["never"]).unwrap());
            // A proof on the side compares by inclusion and ends where the search does not.
            let proved = choice.get("side-proof") == Some("first") && never.verdict != Verdict::Unknown;
            if choice.ends() || proved {
                assert_eq!(never.verdict, Verdict::NotSatisfied, "{choice}, {step}: {:?}", never.why);
            } else if choice.get("abstraction") != Some("none") {
                // It has an end, which may be far away.
                assert!(
                    matches!(never.verdict, Verdict::NotSatisfied | Verdict::Unknown),
                    "{choice}, {step}"
                );
            } else if step > 3000 {
                // Exact zones: every round is a new zone, until the words end.
                assert_eq!(never.verdict, Verdict::Unknown, "{choice}, {step}");
                assert!(never.why.unwrap().contains("32 bits"), "{choice}, {step}");
            } else {
                assert_eq!(never.verdict, Verdict::Unknown, "{choice}, {step}");
                assert_eq!(never.plan.width, Width::Bits32, "{choice}, {step}");
            }
        }
    }
}

#[test]
fn constants_that_no_zone_can_hold_are_refused_with_a_reason() {
    let limit = (1 << 28) - 2;
    assert!(Model::from_tchecker(&runaway_text(limit), &Default::default()).is_ok());
    let error = Model::from_tchecker(&runaway_text(limit + 1), &Default::default()).unwrap_err();
    assert_eq!(error.diagnostics.len(), 6, "one for each place: {error:?}");
    assert!(error.diagnostics.iter().all(|d| d.code == "constant-too-large"), "{error:?}");
    let (network, _) = dwell_model::tchecker::load(&runaway_text(limit + 1));
    let error = Model::from_network(network.expect("a correct model")).unwrap_err();
    assert!(error.contains("268435455"), "{error}");
}
