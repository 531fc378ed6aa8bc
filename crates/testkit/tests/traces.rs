//! Traces of real protocols: found breadth first and depth first, remade on
//! exact zones, replayed once more here; long ones in good time.

use dwell_engine::{Model, Options, Question, Report, Trace, Verdict, check};
use dwell_testkit::differential::replayed;
use dwell_testkit::plans;
use std::time::{Duration, Instant};

fn load(text: &str) -> Model {
    Model::from_tchecker(text, &Default::default()).unwrap_or_else(|e| panic!("{e:?}\n{text}"))
}

fn family(name: &str, size: u32) -> Model {
    load(&dwell_families::generate(name, size).expect("a family"))
}

/// Fischer's protocol where a process waits too short a time before it reads back.
fn broken_fischer(size: u32) -> Model {
    let text = dwell_families::generate("fischer", size).expect("a family");
    let broken = text.replace(">10&&", ">5&&");
    assert_ne!(text, broken, "the waiting time is written in another way now");
    load(&broken)
}

fn ask(model: &Model, labels: &[&str], settings: &[(&str, &str)]) -> Report {
    let mut options = Options::default();
    for (name, value) in settings.iter().chain(&[("trace", "some")]) {
        options.set(name, value).expect("a value from the table");
    }
    let question = Question::labels(model, labels).expect("known labels");
    let plan = options.plan(model, &question).expect("a sound plan");
    check(model, &question, &plan, Default::default())
}

fn trace<'r>(model: &Model, report: &'r Report) -> &'r Trace {
    assert_eq!(report.verdict, Verdict::Satisfied, "{:?}", report.why);
    let trace = report.trace.as_ref().expect("a trace was asked for");
    replayed(model.network(), trace).unwrap_or_else(|why| panic!("{why}"));
    for state in &trace.states {
        let shown = state.zone.as_ref().is_some_and(|zone| !zone.is_empty());
        assert!(model.network().clocks.is_empty() || shown, "a zone of a trace is shown");
    }
    stable(trace);
    trace
}

/// All that is reached at the end is on a run of the whole path; before, some of it.
fn stable(trace: &Trace) {
    let Some(timing) = &trace.timing else {
        assert!(trace.steps.len() > 1000, "only long traces are left alone");
        return;
    };
    let zones = timing.stable_zones().expect("small constants");
    let moves = trace.steps.iter().filter(|step| !step.participants.is_empty()).count();
    assert_eq!(zones.len(), moves + 1);
    if moves == trace.steps.len() {
        assert_eq!(zones.last(), trace.states[moves].zone.as_ref());
    }
}

#[test]
fn every_plan_explains_that_a_broken_fischer_is_unsafe() {
    let model = broken_fischer(3);
    let question = Question::labels(&model, &["cs1", "cs2"]).unwrap();
    let mut shortest = usize::MAX;
    // Exact zones may go down for ever before they come to the labels.
    for choice in plans::all().iter().filter(|c| c.ends()) {
        let mut options = choice.options();
        options.set("trace", "some").unwrap();
        let report = check(&model, &question, &options.plan(&model, &question).unwrap(), Default::default());
        let steps = trace(&model, &report).steps.len();
        assert!(steps >= 6, "{choice}: {steps} steps are too few");
        shortest = shortest.min(steps);
        if choice.get("order") == Some("bfs") {
            assert_eq!(steps, 6, "{choice}: breadth first is shortest");
        }
    }
    assert_eq!(shortest, 6);
}

#[test]
fn labels_of_all_families_that_are_reached_have_traces() {
    let (mut reached, mut longest) = (0, 0);
    for family in dwell_families::all() {
        let model = load(&(family.write)(family.min_size.max(2)));
        for label in &model.network().labels {
            for order in ["bfs", "dfs"] {
                let report = ask(&model, &[label], &[("order", order)]);
                if report.verdict == Verdict::Satisfied {
                    let trace = trace(&model, &report);
                    (reached, longest) = (reached + 1, trace.steps.len().max(longest));
                }
            }
        }
    }
    println!("{reached} traces, the longest with {longest} steps");
    assert!(reached >= 20);
}

#[test]
fn depth_first_traces_of_protocols_are_remade() {
    for (name, model, labels) in [
        ("critical-region 4", family("critical-region", 4), ["error1", "error2"]),
        ("broken fischer 6", broken_fischer(6), ["cs5", "cs6"]),
    ] {
        for order in ["bfs", "dfs"] {
            for abstraction in ["extra-m", "extra-lu+", "a-lu"] {
                let report = ask(&model, &labels, &[("order", order), ("abstraction", abstraction)]);
                let steps = trace(&model, &report).steps.len();
                println!("{name} {order} {abstraction}: {steps} steps in {:?}", report.time);
            }
        }
    }
}

/// A counter that takes `steps` steps, each at most one time unit after the
/// last; a watch that the last step may not be too early for.
fn counter(steps: u32, least_time: u32) -> Model {
    load(&format!(
        "system:counter\nevent:e\nclock:1:x\nclock:1:y\nint:1:0:{steps}:0:n\nprocess:P\n\
         location:P:a{{initial: : invariant:x<=1}}\nlocation:P:b{{labels:done}}\n\
         edge:P:a:a:e{{provided:n<{steps} : do:n=n+1;x=0}}\nedge:P:a:b:e{{provided:n=={steps} && y>={least_time}}}\n"
    ))
}

#[test]
fn traces_of_thousands_of_steps_are_remade_in_good_time() {
    for steps in [1_000, 4_000, 16_000] {
        // At once; and the hard case, where the end decides about the delay
        // before every single step.
        for least_time in [0, steps] {
            let model = counter(steps, least_time);
            for order in ["bfs", "dfs"] {
                let started = Instant::now();
                let report = ask(&model, &["done"], &[("order", order)]);
                let trace = trace(&model, &report);
                assert_eq!(trace.steps.len() as u32, steps + 1);
                println!("{steps} steps, at least {least_time} long, {order}: {:?}", started.elapsed());
                assert!(started.elapsed() < Duration::from_secs(60), "too slow");
            }
        }
    }
}
