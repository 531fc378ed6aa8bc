//! The JSON document that scripts rely on. Fields may be added, none removed.

use crate::trace::JsonTrace;
use dwell_engine::syntax::{Diagnostic, Severity, SourceFile, Span};
use dwell_engine::{Model, Plan, Report, Switch, Value};
use serde::Serialize;

#[derive(Serialize)]
struct Document {
    dwell: &'static str,
    model: String,
    queries: Vec<Query>,
    diagnostics: Vec<Finding>,
}

#[derive(Serialize)]
struct BadInput {
    dwell: &'static str,
    model: String,
    error: Message,
    diagnostics: Vec<Finding>,
}

#[derive(Serialize)]
struct Message {
    message: String,
}

#[derive(Serialize)]
struct Query {
    formula: String,
    verdict: &'static str,
    why: Option<String>,
    values: Option<Vec<JsonValue>>,
    stats: Counters,
    plan: PlanFields,
    trace: Option<JsonTrace>,
}

#[derive(Serialize)]
struct JsonValue {
    expression: String,
    value: String,
}

#[derive(Serialize)]
struct Counters {
    visited: u64,
    stored: u64,
    max_stored: u64,
    transitions: u64,
    mistakes: u64,
    seconds: f64,
    peak_bytes: u64,
    states_per_second: u64,
    discrete_states: u64,
    held_bytes: u64,
    /// Of those, bytes in a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    spilled_bytes: Option<u64>,
    /// States that were passed through.
    #[serde(skip_serializing_if = "Option::is_none")]
    passed: Option<u64>,
    /// Stored states looked at to rank others.
    #[serde(skip_serializing_if = "Option::is_none")]
    ranking_visits: Option<u64>,
    /// States visited before the order was changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    changed_after: Option<u64>,
    /// States visited by a search before a proof on the side ended it.
    #[serde(skip_serializing_if = "Option::is_none")]
    probe_visited: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    least_time: Option<String>,
    covered: u64,
    covered_by_waiting: u64,
    replaced: u64,
    replaced_waiting: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    unique_locations: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unique_variables: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unique_zones: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    table_fill: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected_omissions: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    omission_probability: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    measured_omissions: Option<u64>,
    /// Successors handed over to other threads.
    #[serde(skip_serializing_if = "Option::is_none")]
    sent: Option<u64>,
    /// Of those, stored and not covered.
    #[serde(skip_serializing_if = "Option::is_none")]
    arrived: Option<u64>,
    /// The share of the states that stayed where they were made.
    #[serde(skip_serializing_if = "Option::is_none")]
    locality: Option<f64>,
    /// States visited by each thread.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    load: Vec<u64>,
    /// Stored states of an earlier query that were looked at instead.
    reused: Option<u64>,
}

/// What was done.
#[derive(Serialize)]
pub struct PlanFields {
    order: &'static str,
    abstraction: &'static str,
    bounds: &'static str,
    store: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<String>,
    cover: &'static str,
    waiting_inclusion: &'static str,
    convex_hull: bool,
    keep: String,
    threads: u32,
    /// Under mpirun, how many.
    #[serde(skip_serializing_if = "Option::is_none")]
    processes: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    distribution: Option<&'static str>,
    reduce_clocks: &'static str,
    reduce_variables: &'static str,
    chains: &'static str,
    zone_bits: u32,
}

impl PlanFields {
    /// With the names scripts rely on.
    pub fn new(plan: &Plan) -> Self {
        Self {
            order: plan.order.name(),
            abstraction: plan.abstraction.name(),
            bounds: plan.bounds.name(),
            store: plan.store.name(),
            table: (!plan.store.is_exact()).then(|| plan.table.show(plan.store).to_string()),
            cover: plan.cover.name(),
            waiting_inclusion: plan.waiting_inclusion.name(),
            convex_hull: plan.convex_hull == Switch::On,
            keep: plan.keep.to_string(),
            threads: plan.workers.into(),
            processes: (plan.ranks > 1).then_some(plan.ranks.into()),
            distribution: (plan.all_workers() > 1).then(|| plan.distribution.name()),
            reduce_clocks: plan.reduce_clocks.name(),
            reduce_variables: if plan.variables.is_some() { "on" } else { "off" },
            chains: plan.chains.name(),
            zone_bits: plan.width.bits(),
        }
    }
}

/// A diagnostic.
#[derive(Serialize)]
pub struct Finding {
    severity: &'static str,
    code: &'static str,
    message: String,
    help: Option<String>,
    file: String,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    path: Option<String>,
}

/// A warning about the options, which has no place in the model.
pub fn warning(path: &str, message: &str) -> Finding {
    Finding {
        severity: "warning",
        code: "options",
        message: message.to_owned(),
        help: None,
        file: path.to_owned(),
        line: 1,
        column: 1,
        end_line: 1,
        end_column: 1,
        path: None,
    }
}

/// Diagnostics as data; `path` tells the XPath of a place, in XML.
pub fn findings<'d>(
    source: &SourceFile,
    diagnostics: impl IntoIterator<Item = &'d Diagnostic>,
    path: impl Fn(Span) -> Option<&'d str>,
) -> Vec<Finding> {
    diagnostics
        .into_iter()
        .map(|d| {
            let (start, end) = source.positions(d.span);
            Finding {
                severity: if d.severity == Severity::Error { "error" } else { "warning" },
                code: d.code,
                message: d.message.clone(),
                help: d.help.clone(),
                file: source.name().to_owned(),
                line: start.line,
                column: start.column,
                end_line: end.line,
                end_column: end.column,
                path: path(d.span).map(str::to_owned),
            }
        })
        .collect()
}

fn json_value(value: &Value) -> JsonValue {
    JsonValue { expression: value.expression.clone(), value: value.value.clone() }
}

/// A document as it is printed.
pub fn to_text(document: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(document).expect("plain data");
    text.push('\n');
    text
}

/// The answers.
pub fn document(model: &Model, path: &str, reports: &[Report], diagnostics: Vec<Finding>) -> String {
    let peak_bytes = dwell_engine::limits::peak_resident_bytes();
    let query = |report: &Report| {
        let (stats, plan, seconds) = (&report.stats, &report.plan, report.time.as_secs_f64());
        Query {
            formula: report.formula.clone(),
            verdict: report.verdict.name(),
            why: report.why.clone(),
            values: report.values.as_ref().map(|values| values.iter().map(json_value).collect()),
            stats: Counters {
                visited: stats.visited,
                stored: stats.stored,
                max_stored: stats.max_stored,
                transitions: stats.transitions,
                mistakes: stats.mistakes(),
                seconds,
                peak_bytes: peak_bytes.unwrap_or(stats.held_bytes),
                states_per_second: (stats.visited as f64 / seconds.max(1e-9)) as u64,
                discrete_states: stats.discrete,
                held_bytes: stats.held_bytes,
                spilled_bytes: (stats.spilled_bytes > 0).then_some(stats.spilled_bytes),
                passed: (stats.chains.passed > 0).then_some(stats.chains.passed),
                ranking_visits: report.ranking_visits(),
                changed_after: stats.changed_after,
                probe_visited: (stats.probe_visited > 0).then_some(stats.probe_visited),
                seed: report.seed(),
                least_time: report.least_time.map(|least| match least.attained {
                    true => least.time.to_string(),
                    false => format!("> {}", least.time),
                }),
                covered: stats.covered,
                covered_by_waiting: stats.covered_by_waiting,
                replaced: stats.replaced,
                replaced_waiting: stats.replaced_waiting,
                unique_locations: report.unique.discrete.map(|(locations, _)| locations),
                unique_variables: report.unique.discrete.map(|(_, variables)| variables),
                unique_zones: report.unique.zones,
                table_fill: report.omissions.map(|omissions| omissions.fill),
                expected_omissions: report.omissions.map(|omissions| omissions.expected),
                omission_probability: report.omissions.map(|omissions| omissions.probability),
                measured_omissions: report.omissions.and_then(|omissions| omissions.measured),
                sent: report.locality().map(|_| stats.sent),
                arrived: report.locality().map(|_| stats.arrived),
                locality: report.locality(),
                load: report.load.clone(),
                reused: report.reused.map(|reused| reused.states),
            },
            plan: PlanFields::new(plan),
            trace: report.trace.as_ref().map(|trace| JsonTrace::new(model.network(), trace)),
        }
    };
    to_text(&Document {
        dwell: env!("CARGO_PKG_VERSION"),
        model: path.to_owned(),
        queries: reports.iter().map(query).collect(),
        diagnostics,
    })
}

/// Input that cannot be used.
pub fn bad_input(path: &str, message: &str, diagnostics: Vec<Finding>) -> String {
    to_text(&BadInput {
        dwell: env!("CARGO_PKG_VERSION"),
        model: path.to_owned(),
        error: Message { message: message.to_owned() },
        diagnostics,
    })
}
