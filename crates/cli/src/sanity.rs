//! `dwell analyse --sanity`, to read and for scripts.

use crate::check::{catch_signals, limits};
use crate::exit;
use crate::progress::Progress;
use crate::show::{Stream, rendered};
use clap::ArgMatches;
use dwell_engine::syntax::{Diagnostic, Severity, SourceFile};
use dwell_engine::units::show_count;
use dwell_engine::{Control, Model, Observer, Sanity, sanity};
use serde::Serialize;
use std::fmt::Write;

/// Most findings that are shown.
const SHOWN: usize = 100;

/// What it is told beside the findings.
#[derive(Serialize)]
pub struct SanityFacts {
    /// Whether everything was explored.
    complete: bool,
    /// Why not.
    why: Option<String>,
    /// Processes with too many cycles to list.
    unlisted: Vec<String>,
    visited: u64,
    stored: u64,
    transitions: u64,
}

impl SanityFacts {
    pub fn new(found: &Sanity) -> Self {
        Self {
            complete: found.unfinished.is_none(),
            why: found.unfinished.clone(),
            unlisted: found.unlisted.clone(),
            visited: found.stats.visited,
            stored: found.stats.stored,
            transitions: found.stats.transitions,
        }
    }
}

/// Looks a model over, within the limits of the command line.
pub fn look(matches: &ArgMatches, model: &Model) -> Sanity {
    let limits = limits(matches, &catch_signals());
    let mut progress = Progress::new(matches.get_one::<String>("progress").expect("has a default"));
    let observer = progress.as_mut().map(|p| p as &mut dyn Observer);
    let mut found = sanity(model, Control { limits, observer });
    if let Some(progress) = &progress {
        progress.finish();
    }
    if let (Some(failure), Some(why)) = (&found.failure, &found.unfinished) {
        found.findings.push(Diagnostic {
            severity: Severity::Error,
            code: "run-time-error",
            message: why.clone(),
            span: failure.span,
            help: None,
        });
    }
    found
}

/// The findings, each at its place, and what they rest on.
pub fn text(found: &Sanity, source: &SourceFile) -> String {
    let shown = found.findings.iter().take(SHOWN);
    let mut text: String = shown.map(|finding| rendered(finding, source, Stream::Out)).collect();
    let hidden = found.findings.len().saturating_sub(SHOWN);
    if hidden > 0 {
        let _ = writeln!(text, "note: {hidden} more are not shown; --json has all of them");
    }
    for process in &found.unlisted {
        let _ = writeln!(text, "note: {process} has too many cycles to list: nothing is said about these");
    }
    let _ = match found.findings.len() {
        0 => write!(text, "nothing found; "),
        1 => write!(text, "1 finding; "),
        n => write!(text, "{n} findings; "),
    };
    let visited = show_count(found.stats.visited);
    let _ = match &found.unfinished {
        None => writeln!(text, "everything was explored, {visited} states"),
        Some(why) => writeln!(
            text,
            "not everything was explored, so nothing is said about what is reached or taken: {why}"
        ),
    };
    text
}

/// As that of `dwell check`: what was found counts before what is not known.
pub fn exit_code(found: &Sanity) -> u8 {
    if found.interrupted {
        exit::INTERRUPTED
    } else if found.failure.is_some() {
        exit::BAD
    } else if !found.findings.is_empty() {
        exit::NOT_SATISFIED
    } else if found.unfinished.is_some() {
        exit::UNKNOWN
    } else {
        exit::SATISFIED
    }
}
