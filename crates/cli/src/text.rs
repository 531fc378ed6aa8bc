//! The answers, to read. Colours are for terminals; `print` takes them away
//! elsewhere.

use crate::questions::Asked;
use crate::trace;
use anstyle::{AnsiColor, Style};
use dwell_engine::syntax::uppaal::tree::Outcome;
use dwell_engine::units::{show_bytes, show_count};
use dwell_engine::{Model, Report, Reused, Value, Verdict};
use std::fmt::Write;

/// Most lines of a comment that are shown.
const COMMENT_LINES: usize = 6;

/// One report.
pub fn report(model: &Model, asked: &Asked, report: &Report, show_trace: bool) -> String {
    let mut out = String::new();
    let verdict = match report.verdict {
        Verdict::Satisfied if report.formula == "state space" => "explored",
        verdict => words(verdict),
    };
    let stats = &report.stats;
    let style = style(report.verdict);
    let _ = writeln!(out, "{}: {style}{verdict}{style:#}", report.formula);
    comment(&mut out, asked);
    if let Some(expected) = asked.expected.map(verdict_of).filter(|&expected| expected != report.verdict) {
        let _ = writeln!(out, "  its author expects: {}", words(expected));
    }
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
    } else if stats.visited > 0 || report.verdict != Verdict::Error {
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

/// What became of several queries, in one line.
pub fn summary(reports: &[Report]) -> String {
    const ALL: [Verdict; 6] = [
        Verdict::Satisfied,
        Verdict::NotSatisfied,
        Verdict::MaybeSatisfied,
        Verdict::MaybeNotSatisfied,
        Verdict::Unknown,
        Verdict::Error,
    ];
    let count = |verdict| reports.iter().filter(|r| r.verdict == verdict).count();
    let told = ALL.into_iter().map(|verdict| (verdict, count(verdict))).filter(|&(_, n)| n > 0);
    let told: Vec<String> = told
        .map(|(verdict, n)| {
            let style = style(verdict);
            format!("{n} {style}{}{style:#}", words(verdict))
        })
        .collect();
    let seconds: f64 = reports.iter().map(|r| r.time.as_secs_f64()).sum();
    let peak = dwell_engine::limits::peak_resident_bytes();
    let peak = peak.map(|bytes| format!(", {}", show_bytes(bytes))).unwrap_or_default();
    format!("{} queries: {}; {seconds:.3} s{peak}\n", reports.len(), told.join(", "))
}

fn words(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Satisfied => "satisfied",
        Verdict::NotSatisfied => "NOT satisfied",
        Verdict::MaybeSatisfied => "maybe satisfied",
        Verdict::MaybeNotSatisfied => "maybe NOT satisfied",
        Verdict::Unknown => "unknown",
        Verdict::Error => "ERROR",
    }
}

fn style(verdict: Verdict) -> Style {
    let colour = match verdict {
        Verdict::Satisfied => AnsiColor::Green,
        Verdict::NotSatisfied | Verdict::Error => AnsiColor::Red,
        Verdict::MaybeSatisfied | Verdict::MaybeNotSatisfied | Verdict::Unknown => AnsiColor::Yellow,
    };
    colour.on_default().bold()
}

/// What its author says about a query.
fn comment(out: &mut String, asked: &Asked) {
    let style = Style::new().italic();
    let lines = asked.comment.as_deref().unwrap_or_default().lines().map(str::trim);
    let mut lines = lines.filter(|line| !line.is_empty());
    for line in lines.by_ref().take(COMMENT_LINES) {
        // Nothing in a file may move the cursor about.
        let line: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let _ = writeln!(out, "  {style}{line}{style:#}");
    }
    if lines.next().is_some() {
        let _ = writeln!(out, "  {style}…{style:#}");
    }
}

/// The verdict that an expected outcome is.
fn verdict_of(outcome: Outcome) -> Verdict {
    match outcome {
        Outcome::Satisfied => Verdict::Satisfied,
        Outcome::NotSatisfied => Verdict::NotSatisfied,
        Outcome::MaybeSatisfied => Verdict::MaybeSatisfied,
        Outcome::MaybeNotSatisfied => Verdict::MaybeNotSatisfied,
        Outcome::Error => Verdict::Error,
    }
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
