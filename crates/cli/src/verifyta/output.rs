//! What `verifyta` prints around traces: options, verdicts, counts, findings.

use super::flags::{Flags, Representation};
use dwell_engine::limits::{resident_bytes, user_time, virtual_bytes};
use dwell_engine::syntax::{Diagnostic, Severity, SourceFile};
use dwell_engine::{OrderName, Report, TraceKind, Value, Verdict};
use std::fmt::Write;
use std::time::Duration;

/// The options, before anything is verified.
pub fn options(flags: &Flags) -> String {
    let trace = match flags.trace {
        TraceKind::None => "no",
        TraceKind::Some => "some",
        TraceKind::Shortest => "shortest",
        TraceKind::Fastest => "fastest",
    };
    let order = match (flags.trace, flags.order()) {
        (TraceKind::Fastest, _) => "optimal first",
        (_, Some(OrderName::Dfs)) => "depth first",
        (_, Some(OrderName::RandomDfs)) => "random depth first",
        _ => "breadth first",
    };
    let space = match flags.reduction {
        0 => "no",
        1 => "conservative",
        _ => "aggressive",
    };
    let zones = match flags.representation {
        Representation::Compact => "minimal constraint systems",
        Representation::Dbm => "difference bound matrices",
        Representation::Under => "bit-state hashing (under-approximation)",
        Representation::Over => "convex hulls (over-approximation)",
    };
    let reuse = if flags.reuse { "  Using reuse optimisation\n" } else { "" };
    format!(
        "Options for the verification:\n  Generating {trace} trace\n  Search order is {order}\n  Using {space} \
         space optimisation\n{reuse}  Seed is {}\n  State space representation uses {zones}\n",
        flags.seed
    )
}

/// The verdict, with what was asked for by `sup` and the like.
pub fn verdict(report: &Report) -> String {
    let mut out = match report.verdict {
        Verdict::Satisfied => " -- Formula is satisfied.\n".to_owned(),
        Verdict::NotSatisfied => " -- Formula is NOT satisfied.\n".to_owned(),
        Verdict::MaybeSatisfied => " -- Formula MAY be satisfied.\n".to_owned(),
        Verdict::MaybeNotSatisfied => " -- Formula MAY NOT be satisfied.\n".to_owned(),
        Verdict::Unknown | Verdict::Error => {
            let why = report.why.as_deref().unwrap_or("there is no answer");
            format!(" -- Verification aborted: {why}\n")
        }
    };
    for Value { value, .. } in report.values.iter().flatten() {
        // A bound that is reached is the value.
        let value = value.strip_prefix("<= ").or_else(|| value.strip_prefix(">= ")).unwrap_or(value);
        let _ = writeln!(out, " -- Result: {value}");
    }
    out
}

/// What a query took. `before`: the processor time before it.
pub fn counts(report: &Report, before: Option<Duration>) -> String {
    let time = user_time().zip(before).map_or(report.time, |(now, before)| now.saturating_sub(before));
    let kib = |bytes: Option<u64>| bytes.unwrap_or(0) / 1024;
    format!(
        " -- States stored : {} states\n -- States explored : {} states\n -- CPU user time used : {} ms\n \
         -- Virtual memory used : {} KiB\n -- Resident memory used : {} KiB\n",
        report.stats.stored,
        report.stats.visited,
        time.as_millis(),
        kib(virtual_bytes()),
        kib(resident_bytes()),
    )
}

/// The word for a trace that shows why a verdict is what it is.
pub fn example(report: &Report) -> Option<&'static str> {
    match report.verdict {
        Verdict::Satisfied | Verdict::MaybeSatisfied => Some("example trace"),
        Verdict::NotSatisfied | Verdict::MaybeNotSatisfied => Some("counter example"),
        Verdict::Unknown | Verdict::Error => None,
    }
}

/// Most findings that are told: a file that is no model has millions.
const TOLD: usize = 100;

/// Findings, each on a line: `file:place: [error] message`. The place is the
/// XPath of the text where there is one, and the line otherwise.
pub fn findings(
    source: &SourceFile,
    found: &[Diagnostic],
    path: impl Fn(&Diagnostic) -> Option<String>,
) -> String {
    let mut out = String::new();
    for diagnostic in found.iter().take(TOLD) {
        let severity = if diagnostic.severity == Severity::Error { "error" } else { "warning" };
        let line = || source.positions(diagnostic.span).0.line.to_string();
        let place = path(diagnostic).unwrap_or_else(line);
        let _ = writeln!(out, "{}:{place}: [{severity}] {}", source.name(), diagnostic.message);
    }
    if found.len() > TOLD {
        let _ = writeln!(out, "note: {} more are not shown", found.len() - TOLD);
    }
    out
}
