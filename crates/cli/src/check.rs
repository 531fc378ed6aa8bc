//! `dwell check`.

use crate::input::{self, InputError, load};
use crate::log::Log;
use crate::processes::{World, silent};
use crate::progress::{Progress, Watch};
use crate::questions::questions;
use crate::show::show;
use crate::{complain, exit, json, print, text, trace};
use clap::ArgMatches;
use dwell_engine::limits::{Limits, available_bytes};
use dwell_engine::model_ir::Unsupported;
use dwell_engine::syntax::{Diagnostic, Severity, SourceFile};
use dwell_engine::{
    Control, Disk, LoadOptions, Model, ModelError, OPTIONS, Options, Plan, Question, Report, Session, Switch,
    TraceKind, Verdict,
};
use signal_hook::consts::{SIGINT, SIGTERM};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// What ends a command before its answer: a sentence and perhaps diagnostics.
pub struct Refusal {
    message: String,
    found: Option<Box<(SourceFile, ModelError)>>,
}

impl From<String> for Refusal {
    fn from(message: String) -> Self {
        Self { message, found: None }
    }
}

/// Checks a model; answers with the exit code.
pub fn run(matches: &ArgMatches) -> u8 {
    let path = matches.get_one::<String>("model").expect("required");
    let code = match answer(matches, path) {
        Ok(code) => code,
        Err(refusal) => refuse_input(path, refusal, matches.get_flag("json")),
    };
    // Launchers take any other code for the failure of a process.
    if silent() { exit::SATISFIED } else { code }
}

/// Says why there is no answer, in JSON where that was asked for.
pub fn refuse_input(path: &str, refusal: Refusal, as_json: bool) -> u8 {
    if !as_json {
        return refuse(&refusal);
    }
    let findings = refusal.found.map(|found| {
        let (source, error) = *found;
        json::findings(&source, &error.diagnostics, |span| error.path(span))
    });
    print(&json::bad_input(path, &refusal.message, findings.unwrap_or_default()));
    exit::BAD
}

/// Says why there is no answer.
pub fn refuse(refusal: &Refusal) -> u8 {
    if let Some((source, error)) = refusal.found.as_deref() {
        show(source, &error.diagnostics);
    }
    complain(&format!("error: {}\n", refusal.message));
    exit::BAD
}

/// A model that was read and is none.
pub fn describe(path: &str, source: SourceFile, error: ModelError) -> Refusal {
    let errors = error.diagnostics.iter().filter(|d| d.severity == Severity::Error).count();
    let message = match errors {
        1 => format!("{path} has an error"),
        n => format!("{path} has {n} errors"),
    };
    Refusal { message, found: Some(Box::new((source, error))) }
}

fn answer(matches: &ArgMatches, path: &str) -> Result<u8, Refusal> {
    let as_json = matches.get_flag("json");
    let world = World::join()?;
    let ranks = world.cluster().map_or(1, |cluster| cluster.ranks());
    let options = Options { ranks, ..options(matches)? };
    let (source, model) = model(matches, path, &options)?;
    let asked = questions(matches, &model, path)?;
    let refused = refused(&model, "queries about this model are refused");
    if !as_json {
        show(&source, model.warnings());
        show(&source, &refused);
    }

    let cancel = catch_signals();
    let mut reports = Vec::new();
    // One trace goes to the file; those of several queries are shown all the same.
    let show_traces = asked.len() > 1 || matches.get_one::<String>("trace-out").is_none();
    let mut findings = json::findings(&source, model.warnings().iter().chain(&refused), |s| model.path(s));
    let written = |name| matches.get_one::<String>(name).filter(|_| !silent());
    let mut log = written("log").map(|file| Log::create(file, path)).transpose()?;
    let session = Session::new(&model, asked.len()).on_disk(disk(matches, asked.len())?);
    let mut session = session.on_cluster(world.cluster());
    let (mut warned, total) = (None, asked.len());
    for asked in asked {
        let in_model = asked.source.is_none();
        let text = asked.source.as_ref().unwrap_or(&source);
        let report = match &asked.question {
            Err(why) => {
                let plan = options.plan(&model, &Question::space())?;
                if let Some(log) = &mut log {
                    log.start(&asked.formula, &plan);
                }
                session.refused(asked.formula.clone(), why.clone(), plan)
            }
            Ok(question) => {
                let options = traced(&options, question, matches, as_json);
                let plan = options.plan(&model, question)?;
                if matches.get_flag("explain") {
                    let explained = format!("plan for {}:\n{plan}", question.formula);
                    if as_json { complain(&explained) } else { print(&explained) }
                }
                warned = warned.or(plan.warning());
                if let Some(log) = &mut log {
                    log.start(&question.formula, &plan);
                }
                ask(matches, &mut session, (question, &plan), &cancel, log.as_mut())
            }
        };
        if let Some(log) = &mut log {
            log.end(&report);
        }
        let failure: Vec<Diagnostic> = failure(&report).into_iter().collect();
        let failed_in = if report.failed_in_question { text } else { &source };
        if as_json {
            let path = |span| if in_model { model.path(span) } else { None };
            findings.extend(json::findings(text, &asked.diagnostics, path));
            let path = |span| if in_model || !report.failed_in_question { model.path(span) } else { None };
            findings.extend(json::findings(failed_in, &failure, path));
        } else {
            show(text, &asked.diagnostics);
            show(failed_in, &failure);
            // Whoever explores everything, or wants to know why, wants to know what was counted.
            let counts = report.formula == "state space" || matches.get_flag("explain");
            let look = text::Look { trace: show_traces, counts };
            print(&text::report(&model, &asked, &report, look));
        }
        let interrupted = report.interrupted;
        reports.push(report);
        if interrupted {
            break;
        }
    }
    match warned {
        Some(warning) if as_json => findings.push(json::warning(path, warning)),
        Some(warning) => complain(&format!("warning: {warning}\n")),
        None => {}
    }
    if as_json {
        print(&json::document(&model, path, &reports, findings));
    } else if total > 1 {
        print(&text::summary(&reports, total - reports.len()));
    }
    if let Some(failed) = log.as_ref().and_then(Log::failure) {
        complain(&format!("warning: {failed}\n"));
    }
    if let Some(path) = written("trace-out") {
        match trace::write(path, &model, &reports) {
            Ok(true) => {}
            Ok(false) => complain("note: there is no trace to write\n"),
            Err(message) => {
                // The answer is out already: with --json a second document would spoil it.
                complain(&format!("error: {message}\n"));
                return Ok(exit::BAD);
            }
        }
    }
    Ok(exit_code(&reports))
}

/// What the model needs and we cannot do, as diagnostics that say what
/// follows.
pub fn refused(model: &Model, so: &str) -> Vec<Diagnostic> {
    let diagnostic = |refusal: &Unsupported| Diagnostic {
        severity: Severity::Error,
        code: "unsupported",
        message: refusal.message.clone(),
        span: refusal.span,
        help: Some(so.into()),
    };
    model.refusals().iter().map(diagnostic).collect()
}

fn options(matches: &ArgMatches) -> Result<Options, String> {
    let mut options = Options::default();
    for option in OPTIONS {
        options.set(option.name, matches.get_one::<String>(option.name).expect("has a default"))?;
    }
    if matches.get_flag("convex-hull") {
        options.convex_hull = Switch::On;
    }
    options.heuristic = matches.get_one::<String>("heuristic").cloned();
    if let Some(file) = matches.get_one::<String>("cover-set") {
        options.cover_set = Some(input::plain(file)?);
    }
    options.threads = *matches.get_one::<u16>("threads").expect("has a default");
    options.seed = *matches.get_one::<u64>("seed").expect("has a default");
    Ok(options)
}

/// A trace explains what was found, unless the user said otherwise.
fn traced(options: &Options, question: &Question, matches: &ArgMatches, as_json: bool) -> Options {
    let wanted = !as_json || matches.contains_id("trace-out");
    let mut options = options.clone();
    if options.trace.is_none() && wanted && question.has_goal() {
        options.trace = Some(TraceKind::Some);
    }
    options
}

/// What the run may use of the disk: a checkpoint is of one run.
fn disk(matches: &ArgMatches, queries: usize) -> Result<Disk, String> {
    let path = |name| matches.get_one::<String>(name).map(PathBuf::from);
    let every = *matches.get_one::<Duration>("checkpoint-every").expect("has a default");
    let disk = Disk {
        checkpoint: path("checkpoint").map(|file| (file, every)),
        resume: path("resume"),
        spill: path("spill"),
    };
    if queries > 1 && disk.keeps_runs() {
        return Err(format!(
            "--checkpoint and --resume are for one query, and there are {queries}; choose one with --only N"
        ));
    }
    Ok(disk)
}

fn model(matches: &ArgMatches, path: &str, options: &Options) -> Result<(SourceFile, Model), Refusal> {
    let format = matches.get_one::<String>("input-format").map(String::as_str);
    let defines = matches.get_many::<(String, String)>("define").into_iter().flatten().cloned().collect();
    let lints = matches.get_one::<String>("warnings").is_some_and(|which| which == "all");
    let load_options =
        LoadOptions { out_of_range: options.out_of_range, overflow: options.overflow, defines, lints };
    input::fits(path, matches.get_one::<u64>("memory").copied())?;
    let (source, model) = match load(path, format, &load_options) {
        Ok(loaded) => loaded,
        Err(InputError::Unreadable(message)) => return Err(message.into()),
        Err(InputError::Rejected(source, error)) => return Err(describe(path, *source, error)),
    };
    if matches.get_flag("deny-warnings") && !model.warnings().is_empty() {
        let message = format!("{path} has warnings, and --deny-warnings makes them errors");
        let paths = model.document().map(|document| document.paths.clone()).unwrap_or_default();
        let error = ModelError { diagnostics: model.warnings().to_vec(), paths };
        return Err(Refusal { message, found: Some(Box::new((source, error))) });
    }
    Ok((source, model))
}

/// The first Ctrl-C asks the run to stop, the second ends the process.
pub fn catch_signals() -> Arc<AtomicBool> {
    let cancel = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // Order matters: armed by the first signal, the shutdown acts on the second.
        // Without handlers the program still runs; it only ends less politely.
        let _ = signal_hook::flag::register_conditional_shutdown(
            signal,
            i32::from(exit::INTERRUPTED),
            Arc::clone(&cancel),
        );
        let _ = signal_hook::flag::register(signal, Arc::clone(&cancel));
    }
    cancel
}

/// What `--timeout` and `--memory` allow from now on.
pub fn limits(matches: &ArgMatches, cancel: &Arc<AtomicBool>) -> Limits {
    let timeout = matches.get_one::<Duration>("timeout");
    // Without a limit the system would end the process without a word.
    let memory = matches.get_one::<u64>("memory").copied();
    Limits {
        deadline: timeout.and_then(|t| Instant::now().checked_add(*t)),
        memory_bytes: memory.or_else(|| available_bytes().map(|free| free / 10 * 9)),
        cancel: Arc::clone(cancel),
        ..Limits::default()
    }
}

fn ask(
    matches: &ArgMatches,
    session: &mut Session<'_>,
    (question, plan): (&Question, &Plan),
    cancel: &Arc<AtomicBool>,
    log: Option<&mut Log>,
) -> Report {
    let limits = limits(matches, cancel);
    let shown = matches.get_one::<String>("progress").expect("has a default");
    let progress = if silent() { None } else { Progress::new(shown) };
    let mut watch = Watch { progress, log };
    let report = session.check(question, plan, Control { limits, observer: Some(&mut watch) });
    if let Some(progress) = &watch.progress {
        progress.finish();
    }
    if let Some(failed) = &report.checkpoint_failed {
        complain(&format!("warning: {failed}\n"));
    }
    report
}

/// A run-time error as a diagnostic at its place in the source.
pub fn failure(report: &Report) -> Option<Diagnostic> {
    let failure = report.failure.as_ref()?;
    Some(Diagnostic {
        severity: Severity::Error,
        code: "run-time-error",
        message: report.why.clone().unwrap_or_default(),
        span: failure.span,
        help: None,
    })
}

fn exit_code(reports: &[Report]) -> u8 {
    let any = |verdict| reports.iter().any(|r| r.verdict == verdict);
    if reports.iter().any(|r| r.interrupted) {
        exit::INTERRUPTED
    } else if any(Verdict::Error) {
        exit::BAD
    } else if any(Verdict::NotSatisfied) {
        exit::NOT_SATISFIED
    } else if [Verdict::Unknown, Verdict::MaybeSatisfied, Verdict::MaybeNotSatisfied].into_iter().any(any) {
        exit::UNKNOWN
    } else {
        exit::SATISFIED
    }
}
