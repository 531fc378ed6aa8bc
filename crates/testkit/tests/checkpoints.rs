//! A run cut into slices, each by a process that knows only the file, ends as
//! a run in one piece does.
//!
//! A run that is asked to stop before it begins stops at its first look at the
//! limits, about a thousand moves later: so the slices are the same each time.

use dwell_engine::limits::Limits;
use dwell_engine::{
    Control, Disk, Format, Model, Options, OrderName, Plan, Question, Report, Session, Stats, TraceKind,
    Verdict, check,
};
use dwell_testkit::plans;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

fn file(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&path);
    path
}

fn model(family: &str, size: u32) -> Model {
    let text = dwell_families::generate(family, size).unwrap();
    Model::read(&text, Format::Tck, &Default::default()).unwrap()
}

fn slice(model: &Model, question: &Question, plan: &Plan, disk: Disk) -> Report {
    let limits = Limits { cancel: Arc::new(AtomicBool::new(true)), ..Limits::default() };
    Session::new(model, 1).on_disk(disk).check(question, plan, Control { limits, observer: None })
}

/// The report of the last slice, and how many there were.
fn in_slices(model: &Model, question: &Question, plan: &Plan, file: &Path) -> (Report, usize) {
    let checkpoint = Some((file.to_owned(), Duration::from_secs(3600)));
    let mut slices = 0;
    loop {
        let resume = (slices > 0).then(|| file.to_owned());
        let report =
            slice(model, question, plan, Disk { checkpoint: checkpoint.clone(), resume, ..Disk::default() });
        slices += 1;
        if !report.interrupted {
            return (report, slices);
        }
        assert!(report.why.as_deref().unwrap().contains("--resume"), "{:?}", report.why);
    }
}

/// What must agree.
fn essence(report: &Report) -> (Verdict, Option<String>, Stats, String) {
    let stats = Stats { held_bytes: 0, ..report.stats };
    let shown = format!("{:?} {:?} {:?}", report.trace, report.least_time, report.plan.width);
    (report.verdict, report.why.clone(), stats, shown)
}

fn compare(model: &Model, question: &Question, plan: &Plan, file: &Path) -> usize {
    let whole = check(model, question, plan, Control::default());
    let (last, slices) = in_slices(model, question, plan, file);
    assert_eq!(essence(&last), essence(&whole), "{}\n{plan}", question.formula);
    slices
}

#[test]
fn every_plan_goes_on_where_it_stopped() {
    let file = file("plans.checkpoint");
    let mut slices = 0;
    for (i, choice) in plans::pairwise(plans::all(), 5, 20).iter().enumerate() {
        // Depth first, what is not stored is visited very often.
        let sizes = if choice.keeps_all() {
            [("fischer", 5), ("csmacd", 4)]
        } else {
            [("fischer", 3), ("csmacd", 3)]
        };
        let (family, size) = sizes[i % 2];
        let model = model(family, size);
        let question = Question::space();
        // A plan that does not fit the question, or need not end, is for other tests.
        let Ok(plan) = choice.plan(&model, &question) else { continue };
        if choice.ends() {
            slices += compare(&model, &question, &plan, &file);
        }
    }
    assert!(slices > 40, "{slices}");
}

#[test]
fn sets_that_forget_remember_what_they_did() {
    let file = file("approximate.checkpoint");
    let (model, question) = (model("fischer", 5), Question::space());
    for store in ["bit-state:1KiB,2", "hash-compact:64KiB,9", "hash-compact-zone:256KiB,9"] {
        let mut options = Options::default();
        options.set("store", store).unwrap();
        let plan = options.plan(&model, &question).unwrap();
        assert!(compare(&model, &question, &plan, &file) > 2, "{store}");
    }
}

#[test]
fn every_order_and_trace_finds_the_same() {
    let file = file("orders.checkpoint");
    let model = model("fischer", 5);
    let mut slices = 0;
    for labels in [&["cs1", "cs2"][..], &["cs5"]] {
        let question = Question::labels(&model, labels).unwrap();
        for &order in OrderName::ALL {
            let heuristic = (order == OrderName::BestFirst).then(|| "id".to_owned());
            let options = Options { order: Some(order), heuristic, ..Options::default() };
            for trace in [TraceKind::None, TraceKind::Some] {
                if let Ok(plan) = (Options { trace: Some(trace), ..options.clone() }).plan(&model, &question)
                {
                    slices += compare(&model, &question, &plan, &file);
                }
            }
        }
        for trace in [TraceKind::Shortest, TraceKind::Fastest] {
            let plan = Options { trace: Some(trace), ..Options::default() }.plan(&model, &question).unwrap();
            slices += compare(&model, &question, &plan, &file);
        }
    }
    assert!(slices > 40, "{slices}");
}

#[test]
fn another_model_query_or_plan_is_refused_with_what_differs() {
    let file = file("other.checkpoint");
    let (here, there) = (model("fischer", 5), model("fischer", 6));
    let question = Question::space();
    let plan = |set: &[(&str, &str)]| {
        let mut options = Options::default();
        set.iter().for_each(|(name, value)| options.set(name, value).unwrap());
        options.plan(&here, &question).unwrap()
    };
    let usual = plan(&[]);
    let checkpoint = Some((file.clone(), Duration::from_secs(3600)));
    assert!(slice(&here, &question, &usual, Disk { checkpoint, ..Disk::default() }).interrupted);
    let resume = |model: &Model, question: &Question, plan: &Plan| {
        let report = slice(model, question, plan, Disk { resume: Some(file.clone()), ..Disk::default() });
        assert_eq!((report.verdict, report.interrupted), (Verdict::Error, false));
        report.why.unwrap()
    };
    let refused = |why: String, part: &str| assert!(why.contains(part), "{why}");
    refused(resume(&there, &question, &usual), "a checkpoint of another model");
    let labels = Question::labels(&here, &["cs1"]).unwrap();
    refused(resume(&here, &labels, &usual), "a checkpoint of another query: state space");
    refused(
        resume(&here, &question, &plan(&[("order", "dfs")])),
        "order adaptive; this one would have order dfs",
    );
    refused(
        resume(&here, &question, &plan(&[("store", "copy")])),
        "store shared; this one would have store copy",
    );
    refused(
        resume(&here, &question, &plan(&[("trace", "some")])),
        "trace none; this one would have trace some",
    );
    refused(
        resume(&here, &question, &Plan { seed: 2, ..usual.clone() }),
        "seed 1; this one would have seed 2",
    );
    assert!(
        slice(&here, &question, &usual, Disk { resume: Some(file.clone()), ..Disk::default() }).interrupted
    );
}

#[test]
fn a_damaged_file_is_refused() {
    let file = file("damaged.checkpoint");
    let model = model("fischer", 5);
    let question = Question::space();
    let plan = Options::default().plan(&model, &question).unwrap();
    let checkpoint = Some((file.clone(), Duration::from_secs(3600)));
    assert!(slice(&model, &question, &plan, Disk { checkpoint, ..Disk::default() }).interrupted);
    let bytes = std::fs::read(&file).unwrap();
    let resumed = |bytes: &[u8]| {
        std::fs::write(&file, bytes).unwrap();
        slice(&model, &question, &plan, Disk { resume: Some(file.clone()), ..Disk::default() })
    };
    let good = resumed(&bytes);
    assert!(good.interrupted);
    let mut rng = dwell_base::Rng::new(3);
    for at in (0..40).chain((0..150).map(|_| rng.below(bytes.len() as u64) as usize)) {
        let short = resumed(&bytes[..at]);
        assert_eq!(short.verdict, Verdict::Error, "{at}");
        assert!(short.why.unwrap().contains("is cut short"), "{at}");
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        let report = resumed(&damaged);
        // A bit that zstd does not look at may differ, what is unpacked may not.
        assert!(report.verdict == Verdict::Error || essence(&report) == essence(&good), "{at}");
    }
    assert_eq!(resumed(&[&bytes[..], b"x"].concat()).verdict, Verdict::Error);
    assert_eq!(resumed(b"").verdict, Verdict::Error);
}

#[test]
fn a_checkpoint_that_cannot_be_written_does_not_end_the_run() {
    let model = model("fischer", 6);
    let question = Question::space();
    let plan = Options::default().plan(&model, &question).unwrap();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("in-the-place-of.checkpoint");
    let asked = |file: PathBuf| {
        let disk = Disk { checkpoint: Some((file, Duration::ZERO)), ..Disk::default() };
        Session::new(&model, 1).on_disk(disk).check(&question, &plan, Control::default())
    };
    // Where nothing can be written at all, nothing is begun.
    let report = asked(folder.join("no/such/folder/x.checkpoint"));
    assert_eq!(report.verdict, Verdict::Error);
    // A folder cannot be replaced by a file, which comes out late.
    std::fs::create_dir_all(&folder).unwrap();
    let report = asked(folder);
    assert_eq!(report.verdict, Verdict::Satisfied);
    assert!(report.checkpoint_failed.unwrap().starts_with("cannot write the checkpoint "));
}

/// What several workers wrote down goes on with any number of them: the same
/// verdict, the same states, a trace across all runs.
#[test]
fn several_workers_go_on_as_more_or_fewer() {
    let file = file("workers.checkpoint");
    let mut slices = 0;
    for (family, size, labels) in
        [("fischer", 5, &["cs5"][..]), ("fischer", 5, &["cs1", "cs2"]), ("csmacd", 5, &["collision"])]
    {
        let model = model(family, size);
        let questions = [Question::space(), Question::labels(&model, labels).unwrap_or(Question::space())];
        for (question, order) in questions.iter().zip(["auto", "depth"]) {
            let plan = |threads| {
                let mut options = Options { threads, trace: Some(TraceKind::Some), ..Options::default() };
                options.set("order", order).unwrap();
                options.plan(&model, question).unwrap()
            };
            let whole = check(&model, question, &plan(1), Control::default());
            let checkpoint = Some((file.clone(), Duration::from_secs(3600)));
            for number in 0.. {
                let resume = (number > 0).then(|| file.clone());
                let disk = Disk { checkpoint: checkpoint.clone(), resume, ..Disk::default() };
                // Longer and longer, so that there is an end on any machine.
                let deadline = Some(Instant::now() + Duration::from_millis(2 << number));
                let limits = Limits { deadline, ..Limits::default() };
                let mut session = Session::new(&model, 1).on_disk(disk);
                let plan = plan([2, 3, 5, 2][number % 4]);
                let report = session.check(question, &plan, Control { limits, observer: None });
                slices += 1;
                if report.verdict == Verdict::Unknown {
                    assert!(report.why.as_deref().unwrap().contains("--resume"), "{:?}", report.why);
                    continue;
                }
                assert_eq!(
                    report.verdict, whole.verdict,
                    "{family} {size} {}: {:?}",
                    question.formula, report.why
                );
                assert_eq!(report.trace.is_some(), whole.trace.is_some(), "{family} {size}");
                if whole.trace.is_none() {
                    assert_eq!(report.stats.stored, whole.stats.stored, "{family} {size}");
                    assert!(report.stats.visited >= whole.stats.stored, "{family} {size}");
                }
                break;
            }
        }
    }
    assert!(slices > 10, "{slices}");
}
