//! The answers, to read.

use crate::trace;
use dwell_engine::units::{show_bytes, show_count};
use dwell_engine::{Model, Report, Reused, Value, Verdict};
use std::fmt::Write;

/// One report.
pub fn report(model: &Model, report: &Report, show_trace: bool) -> String {
    let mut out = String::new();
    let verdict = match report.verdict {
        Verdict::Satisfied if report.formula == "state space" => "explored",
        Verdict::Satisfied => "satisfied",
        Verdict::NotSatisfied => "NOT satisfied",
        Verdict::MaybeSatisfied => "maybe satisfied",
        Verdict::MaybeNotSatisfied => "maybe NOT satisfied",
        Verdict::Unknown => "unknown",
        Verdict::Error => "ERROR",
    };
    let stats = &report.stats;
    let _ = writeln!(out, "{}: {verdict}", report.formula);
    // A failure has been shown at its place in the source already.
    if let (Some(why), None) = (&report.why, &report.failure) {
        let _ = writeln!(out, "  {why}");
    }
    for Value { expression, value } in report.values.iter().flatten() {
        let _ = writeln!(out, "  {expression}: {value}");
    }
    let peak = dwell_engine::limits::peak_resident_bytes().unwrap_or(stats.held_bytes);
    if let Some(Reused { question, states }) = report.reused {
        let _ = writeln!(
            out,
            "  re-used the states of query {question}, {} looked at; {:.3} s, {}",
            show_count(states),
            report.time.as_secs_f64(),
            show_bytes(peak),
        );
    } else {
        counts(&mut out, report, peak);
        shared(&mut out, report);
    }
    if let (true, Some(trace)) = (show_trace, &report.trace) {
        out.push_str(&trace::to_text(model.network(), trace, report.least_time));
        if !report.failed_move.is_empty() {
            let moves = trace::moves_to_text(model.network(), &report.failed_move);
            let _ = writeln!(out, "  then fails  {moves}");
        }
    }
    out
}

/// The line of statistics.
fn counts(out: &mut String, report: &Report, peak: u64) {
    let stats = &report.stats;
    let _ = writeln!(
        out,
        "  {} visited, {} stored, {} transition{}, {} mistake{}{}{}{}; {:.3} s, {}{}{}",
        show_count(stats.visited),
        show_count(stats.stored),
        show_count(stats.transitions),
        plural(stats.transitions),
        show_count(stats.mistakes()),
        plural(stats.mistakes()),
        beside(stats.changed_after, "visited before the order was changed"),
        beside(
            (stats.probe_visited > 0).then_some(stats.probe_visited),
            "visited before a proof ended the search"
        ),
        beside(report.ranking_visits(), "ranking visits"),
        report.time.as_secs_f64(),
        show_bytes(peak),
        Some(stats.spilled_bytes)
            .filter(|&n| n > 0)
            .map(|n| format!(", {} on disk", show_bytes(n)))
            .unwrap_or_default(),
        report.seed().map(|seed| format!("; seed {seed}")).unwrap_or_default(),
    );
}

/// What several threads made of it.
fn shared(out: &mut String, report: &Report) {
    if let (Some(locality), Some(imbalance)) = (report.locality(), report.imbalance()) {
        let _ = writeln!(
            out,
            "  {} threads: {:.1} % of the states stayed where they were made; the busiest visited {:.2} times the mean",
            report.load.len(),
            100.0 * locality,
            imbalance,
        );
    }
}

/// A count that is told only where there is something to tell.
fn beside(count: Option<u64>, what: &str) -> String {
    count.filter(|&n| n > 0).map(|n| format!(", {} {what}", show_count(n))).unwrap_or_default()
}

fn plural(count: u64) -> &'static str {
    if count == 1 { "" } else { "s" }
}
