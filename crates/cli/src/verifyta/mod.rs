//! `dwell verifyta`: for tools that are written against UPPAAL's `verifyta`.
//!
//! Flags and output are those of UPPAAL 4.1.26, as far as they are known;
//! `docs/verifyta.md` says what each flag does here. Also what the program does
//! when it is called as `verifyta`.
//!
//! Options, verdicts and counts go to standard output. Traces, the names of the
//! files they are written to, and findings go to standard error.

mod command;
mod compiled;
mod flags;
mod output;
mod processes;
mod trace_text;
mod trace_xml;
mod xtr;

use crate::check::{catch_signals, failure, refused};
use crate::input::{InputError, load, text};
use crate::progress::Progress;
use crate::{complain, exit, print};
use clap::ArgMatches;
use command::SPOKEN;
pub use command::command;
use dwell_engine::limits::{Limits, available_bytes, user_time};
use dwell_engine::syntax::uppaal::parse_queries;
use dwell_engine::syntax::uppaal::tree::QueryItem;
use dwell_engine::syntax::{Diagnostic, Severity, SourceFile};
use dwell_engine::{
    Control, LoadOptions, Model, Observer, Options, Question, Report, Session, Trace, Verdict, share_observed,
};
use flags::{Destination, Flags};
use processes::Processes;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use trace_text::Stability;

/// The queries of a model, and where they stand.
struct Queries {
    items: Vec<QueryItem>,
    /// Their file; `None`: the model's.
    source: Option<SourceFile>,
}

/// Does what the flags say; answers with the exit code.
pub fn run(matches: &ArgMatches) -> u8 {
    if matches.get_flag("version") {
        print(&banner());
        return exit::SATISFIED;
    }
    answer(matches).unwrap_or_else(|message| {
        complain(&format!("error: {message}\n"));
        exit::BAD
    })
}

/// A trace in UPPAAL's own format.
pub fn to_xtr(model: &Model, trace: &Trace) -> Result<String, String> {
    xtr::xtr(&Processes::new(model)?, trace)
}

/// Clients look for the word `UPPAAL` and the version after it.
fn banner() -> String {
    format!("dwell {}, with the flags and output of UPPAAL {SPOKEN}\n", env!("CARGO_PKG_VERSION"))
}

fn answer(matches: &ArgMatches) -> Result<u8, String> {
    let flags = Flags::read(matches)?;
    for note in &flags.notes {
        complain(&format!("note: {note}\n"));
    }
    let Some(path) = &flags.model else {
        let activates = matches.contains_id("key") || matches.contains_id("lease");
        return if activates {
            Ok(exit::SATISFIED)
        } else {
            Err("no model is given; see verifyta -h".into())
        };
    };
    let Some((source, model)) = read(path)? else { return Ok(exit::BAD) };
    let processes = Processes::new(&model)?;
    if set("UPPAAL_COMPILE_ONLY") {
        print(&compiled::compiled(&processes));
        return Ok(exit::SATISFIED);
    }
    let queries = queries(&flags, &model, path)?;
    let unsupported = refused(&model, "");
    if !unsupported.is_empty() {
        complain(&output::findings(&source, &unsupported, |found| model.path(found.span).map(Into::into)));
        return Ok(exit::BAD);
    }
    if flags.option_summary {
        print(&output::options(&flags));
    }
    Verification { flags: &flags, source: &source, processes, model: &model, cancel: catch_signals() }
        .all(&queries)
}

/// Whether a variable of the environment is set to something.
fn set(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| !value.is_empty())
}

/// Reads the model; `None` when it is none, which has been said then.
fn read(path: &str) -> Result<Option<(SourceFile, Model)>, String> {
    let old = set("UPPAAL_OLD_SYNTAX").then_some("ta");
    if old.is_some() && path.to_ascii_lowercase().ends_with(".xml") {
        return Err("UPPAAL_OLD_SYNTAX is for .xta files; XML in the old syntax is not supported".into());
    }
    match load(path, old, &LoadOptions::default()) {
        Ok((source, model)) => {
            let path = |found: &Diagnostic| model.path(found.span).map(Into::into);
            complain(&output::findings(&source, model.warnings(), path));
            Ok(Some((source, model)))
        }
        Err(InputError::Unreadable(message)) => Err(message),
        Err(InputError::Rejected(source, error)) => {
            let path = |found: &Diagnostic| error.path(found.span).map(Into::into);
            complain(&output::findings(&source, &error.diagnostics, path));
            Ok(None)
        }
    }
}

/// The queries of the file that is named, of the model, or of the file beside it.
fn queries(flags: &Flags, model: &Model, path: &str) -> Result<Queries, String> {
    let beside = || Path::new(path).with_extension("q").to_string_lossy().into_owned();
    let file = match &flags.queries {
        Some(file) => file.clone(),
        None if model.queries().is_empty() && Path::new(&beside()).is_file() => beside(),
        None if model.queries().is_empty() => {
            return Err(format!(
                "{path} has no queries, and there is no {}; give a file of queries",
                beside()
            ));
        }
        None => return Ok(Queries { items: model.queries().to_vec(), source: None }),
    };
    let source = text(&file)?.map_err(|(_, found)| format!("{file}: {}", found.message))?;
    let (items, stray) = parse_queries(source.text());
    if let Some(first) = stray.iter().find(|found| found.severity == Severity::Error) {
        return Err(format!("{file}:{}: {}", source.positions(first.span).0.line, first.message));
    }
    if items.is_empty() {
        return Err(format!("{file} has no queries"));
    }
    Ok(Queries { items, source: Some(source) })
}

/// A model and how it is to be verified.
struct Verification<'v> {
    flags: &'v Flags,
    source: &'v SourceFile,
    processes: Processes<'v>,
    model: &'v Model,
    cancel: Arc<AtomicBool>,
}

impl Verification<'_> {
    /// Verifies one query after the other.
    fn all(&self, queries: &Queries) -> Result<u8, String> {
        let count = queries.items.len();
        if let Some(index) = self.flags.index.filter(|&index| index >= count) {
            return Err(format!("--query-index {index}: there are queries 0 to {}", count - 1));
        }
        let options = self.flags.options();
        let mut code = exit::SATISFIED;
        let mut shared = Session::new(self.model, count);
        let mut questions = self.model.questions(&queries.items);
        share_observed(questions.iter_mut().filter_map(|question| question.as_mut().ok()));
        for (at, (question, item)) in questions.into_iter().zip(&queries.items).enumerate() {
            if self.flags.index.is_some_and(|index| index != at) {
                continue;
            }
            let source = queries.source.as_ref().unwrap_or(self.source);
            let path = |found: &Diagnostic| match queries.source {
                None => self.model.path(found.span).map(Into::into),
                Some(_) => None,
            };
            print(&format!(
                "\nVerifying formula {} at {}\n",
                at + 1,
                place(self.model, queries, source, item)
            ));
            let before = user_time();
            let report = match question {
                Err(error) => {
                    complain(&output::findings(source, &error.diagnostics, path));
                    Report::refused(
                        item.text.clone(),
                        error.why,
                        options.plan(self.model, &Question::space())?,
                    )
                }
                Ok(question) => {
                    let mut alone = Session::new(self.model, 1);
                    let session = if self.flags.reuse { &mut shared } else { &mut alone };
                    self.ask(session, &question, &options)?
                }
            };
            if let Some(found) = failure(&report) {
                let source = if report.failed_in_question { source } else { self.source };
                let path = |found: &Diagnostic| self.model.path(found.span).map(Into::into);
                complain(&output::findings(source, &[found], path));
            }
            print(&output::verdict(&report));
            if let Err(message) = self.trace(&report, at + 1) {
                complain(&format!("error: {message}\n"));
                code = exit::BAD;
            }
            if self.flags.summary {
                print(&output::counts(&report, before));
            }
            if report.interrupted {
                return Ok(exit::INTERRUPTED);
            }
            if matches!(report.verdict, Verdict::Error | Verdict::Unknown) {
                code = exit::BAD;
            }
        }
        Ok(code)
    }

    fn ask(
        &self,
        session: &mut Session<'_>,
        question: &Question,
        options: &Options,
    ) -> Result<Report, String> {
        // A query that these options cannot answer does not keep the others from being answered.
        let plan = match options.plan(self.model, question) {
            Ok(plan) => plan,
            Err(why) => {
                let plan = Options::default().plan(self.model, question)?;
                let why = why.replace("--convex-hull", "-A").replace("--store bit-state", "-Z");
                return Ok(session.refused(question.formula.clone(), why, plan));
            }
        };
        let limits = Limits {
            memory_bytes: available_bytes().map(|free| free / 10 * 9),
            cancel: Arc::clone(&self.cancel),
            ..Limits::default()
        };
        let mut progress = Progress::new(if self.flags.progress { "auto" } else { "off" });
        let observer = progress.as_mut().map(|p| p as &mut dyn Observer);
        let report = session.check(question, &plan, Control { limits, observer });
        if let Some(progress) = &progress {
            progress.finish();
        }
        Ok(report)
    }

    /// Shows or writes the trace of query number `number`, if there is one.
    fn trace(&self, report: &Report, number: usize) -> Result<(), String> {
        // The way to a failure is no counter example, and clients would take it for one.
        let (Some(trace), Some(example)) = (&report.trace, output::example(report)) else { return Ok(()) };
        let processes = &self.processes;
        let (file, text) = match &self.flags.destination {
            shown @ (Destination::Shown | Destination::Zones | Destination::StableZones) => {
                let text = match shown {
                    Destination::Zones => trace_text::zones(processes, trace, Stability::Reached)?,
                    Destination::StableZones => {
                        trace_text::zones(processes, trace, Stability::ReachedAndGoingOn)?
                    }
                    _ => trace_text::run(processes, trace),
                };
                print(&format!("Showing {example}.\n"));
                complain(&text);
                return Ok(());
            }
            Destination::Xtr(prefix) => (format!("{prefix}-{number}.xtr"), xtr::xtr(processes, trace)?),
            Destination::Xml(prefix) => (format!("{prefix}-{number}.xml"), trace_xml::xml(processes, trace)?),
        };
        std::fs::write(&file, text).map_err(|error| format!("cannot write {file}: {error}"))?;
        complain(&format!("Writing {example} to {file}\n"));
        Ok(())
    }
}

/// Where a query stands: its XPath in the model, or file and line.
fn place(model: &Model, queries: &Queries, source: &SourceFile, item: &QueryItem) -> String {
    let path = if queries.source.is_none() { model.path(item.span) } else { None };
    path.map_or_else(|| format!("{}:{}", source.name(), source.positions(item.span).0.line), Into::into)
}
