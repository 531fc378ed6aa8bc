//! The answers, to read. Colours are for terminals; `print` takes them away
//! elsewhere.

use crate::questions::Asked;
use crate::show::Stream;
use crate::trace;
use anstyle::{AnsiColor, Style};
use dwell_engine::syntax::uppaal::tree::Outcome;
use dwell_engine::units::{show_bytes, show_count};
use dwell_engine::{Model, Report, Reused, Value, Verdict};
use std::fmt::{Display, Formatter, Write};

/// Most lines of a comment that are shown.
const COMMENT_LINES: usize = 6;

/// Columns a line may have where nobody reads it on a terminal.
const PAGE: usize = 100;

/// How a report is shown.
#[derive(Clone, Copy)]
pub struct Look {
    /// With its trace.
    pub trace: bool,
    /// With everything that was counted.
    pub counts: bool,
}

/// One report: a line with the verdict and what it cost, two where one is too
/// short for that; then what there is to say about it.
pub fn report(model: &Model, asked: &Asked, report: &Report, look: Look) -> String {
    let mut out = String::new();
    let verdict = match report.verdict {
        Verdict::Satisfied if report.formula == "state space" => "explored",
        verdict => words(verdict),
    };
    let style = style(report.verdict);
    let formula = visible(&report.formula);
    let _ = write!(out, "{formula}: {style}{verdict}{style:#}");
    let is_counted = report.stats.visited > 0 || report.verdict != Verdict::Error;
    if report.reused.is_some() || is_counted {
        let cost = Cost::of(report);
        // A colon, spaces and parentheses come on top.
        let columns = formula.chars().count() + verdict.len() + cost.columns() + 5;
        let fits = columns <= Stream::Out.columns().unwrap_or(PAGE);
        let (before, after) = if fits { (" (", ")") } else { ("\n  ", "") };
        let dim = Style::new().dimmed();
        let _ = write!(out, "{dim}{before}{cost}{after}{dim:#}");
    }
    out.push('\n');
    comment(&mut out, asked);
    if let Some(expected) = asked.expected.filter(|&expected| contradicts(report.verdict, expected)) {
        let _ = writeln!(out, "  its author expects: {}", words(verdict_of(expected)));
    }
    // A failure has been shown at its place in the source already.
    if let (Some(why), None) = (&report.why, &report.failure) {
        let _ = writeln!(out, "  {why}");
    }
    for Value { expression, value } in report.values.iter().flatten() {
        let _ = writeln!(out, "  {expression}: {value}");
    }
    if look.counts && is_counted && report.reused.is_none() {
        counts(&mut out, report);
    }
    shared(&mut out, report);
    if let (true, Some(trace)) = (look.trace, &report.trace) {
        out.push_str(&trace::to_text(model.network(), trace, report.least_time));
        if !report.failed_move.is_empty() {
            let moves = trace::moves_to_text(model.network(), &report.failed_move);
            let _ = writeln!(out, "  then fails  {moves}");
        }
    }
    out
}

/// What a verdict cost: time, states and memory.
struct Cost {
    seconds: String,
    states: String,
    memory: String,
    /// What is told only where there is something to tell.
    more: String,
}

impl Cost {
    fn of(report: &Report) -> Self {
        let stats = &report.stats;
        let (states, from) = match report.reused {
            Some(Reused { question, states }) => (states, format!(" of query {question}")),
            None => (stats.visited, String::new()),
        };
        let on_disk =
            (stats.spilled_bytes > 0).then(|| format!(", {} on disk", show_bytes(stats.spilled_bytes)));
        let seed = report.seed().map(|seed| format!(", seed {seed}"));
        let peak = dwell_engine::limits::peak_resident_bytes().unwrap_or(stats.held_bytes);
        Self {
            seconds: format!("{:.3} s", report.time.as_secs_f64()),
            states: format!("{} state{}{from}", show_count(states), plural(states)),
            memory: show_bytes(peak),
            more: on_disk.into_iter().chain(seed).collect(),
        }
    }

    /// The columns that it takes. A run that is a little slower or larger than
    /// the last one looks the same.
    fn columns(&self) -> usize {
        let room = |text: &str, usual: &str| text.len().max(usual.len());
        let separators = 4;
        let (seconds, memory) = (room(&self.seconds, "999.999 s"), room(&self.memory, "1023.9 MiB"));
        seconds + self.states.len() + memory + self.more.len() + separators
    }
}

impl Display for Cost {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}, {}, {}{}", self.seconds, self.states, self.memory, self.more)
    }
}

/// What became of several queries, in one line; `left` were not asked any more.
pub fn summary(reports: &[Report], left: usize) -> String {
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
    let told = told.map(|(verdict, n)| {
        let style = style(verdict);
        format!("{n} {style}{}{style:#}", words(verdict))
    });
    let told: Vec<String> = told.chain((left > 0).then(|| format!("{left} not asked"))).collect();
    let seconds: f64 = reports.iter().map(|r| r.time.as_secs_f64()).sum();
    let peak = dwell_engine::limits::peak_resident_bytes();
    let peak = peak.map(|bytes| format!(", {}", show_bytes(bytes))).unwrap_or_default();
    format!("{} queries: {}; {seconds:.3} s{peak}\n", reports.len() + left, told.join(", "))
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

/// A line of a file, with nothing in it that would move the cursor about.
fn visible(line: &str) -> String {
    line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// What its author says about a query.
fn comment(out: &mut String, asked: &Asked) {
    let style = Style::new().italic();
    let lines = asked.comment.as_deref().unwrap_or_default().lines().map(str::trim);
    let mut lines = lines.filter(|line| !line.is_empty());
    for line in lines.by_ref().take(COMMENT_LINES) {
        let _ = writeln!(out, "  {style}{}{style:#}", visible(line));
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

/// Whether a verdict is the opposite of what its author expects: what is not
/// known contradicts nobody.
fn contradicts(verdict: Verdict, expected: Outcome) -> bool {
    let holds = |verdict| match verdict {
        Verdict::Satisfied | Verdict::MaybeSatisfied => Some(true),
        Verdict::NotSatisfied | Verdict::MaybeNotSatisfied => Some(false),
        Verdict::Unknown | Verdict::Error => None,
    };
    let (found, expected) = (holds(verdict), holds(verdict_of(expected)));
    found.is_some() && found != expected
}

/// The line of statistics.
fn counts(out: &mut String, report: &Report) {
    let stats = &report.stats;
    let _ = writeln!(
        out,
        "  {} visited, {} stored, {} transition{}, {} mistake{}{}{}{}{}",
        show_count(stats.visited),
        show_count(stats.stored),
        show_count(stats.transitions),
        plural(stats.transitions),
        show_count(stats.mistakes()),
        plural(stats.mistakes()),
        beside(Some(stats.chains.passed), "passed through"),
        beside(stats.changed_after, "visited before the order was changed"),
        beside(
            (stats.probe_visited > 0).then_some(stats.probe_visited),
            "visited before a proof ended the search"
        ),
        beside(report.ranking_visits(), "ranking visits"),
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
