//! Traces for people and for programs.

use crate::sequence;
use dwell_engine::model_ir::{ChannelRef, EdgeId, LocationId, ProcessId, Sync, Var, VarKind};
use dwell_engine::simulate::Rational;
use dwell_engine::{After, LeastTime, Model, Network, Report, Trace, TraceState, TraceStep};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// A trace as scripts see it.
#[derive(Serialize, Deserialize)]
pub struct JsonTrace {
    #[serde(default)]
    pub states: Vec<JsonState>,
    pub steps: Vec<JsonStep>,
    /// The state an endless run returns to.
    #[serde(default)]
    pub loop_at: Option<usize>,
    /// How an endless run goes on: `loop`, `time-passes`, `deadlock`.
    #[serde(default, skip_deserializing)]
    ending: Option<&'static str>,
}

/// A state of it.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub struct JsonState {
    pub locations: BTreeMap<String, String>,
    pub variables: BTreeMap<String, i32>,
    pub zone: Vec<String>,
    pub clocks: BTreeMap<String, String>,
}

/// A step of it.
#[derive(Serialize, Deserialize)]
pub struct JsonStep {
    #[serde(default)]
    pub delay: Option<String>,
    pub edges: Vec<JsonEdge>,
}

/// An edge that is taken.
#[derive(Serialize, Deserialize)]
pub struct JsonEdge {
    pub process: String,
    pub from: String,
    pub to: String,
    pub sync: String,
}

/// An edge with its names.
pub struct EdgeNames<'n> {
    pub process: &'n str,
    pub from: &'n str,
    pub to: &'n str,
    pub sync: String,
}

/// How people know an edge.
pub fn names(network: &Network, process: ProcessId, edge: EdgeId) -> EdgeNames<'_> {
    let process = &network.processes[process.index()];
    let edge = &process.edges[edge.index()];
    let location = |id: LocationId| process.locations[id.index()].name.as_str();
    let sync = match &edge.sync {
        Sync::Send(ChannelRef::Fixed(channel)) => format!("{}!", network.channels[channel.index()].name),
        Sync::Receive(ChannelRef::Fixed(channel)) => format!("{}?", network.channels[channel.index()].name),
        _ => network.events[edge.event.index()].clone(),
    };
    EdgeNames { process: &process.name, from: location(edge.source), to: location(edge.target), sync }
}

impl JsonTrace {
    /// With the names of `network`.
    pub fn new(network: &Network, trace: &Trace) -> Self {
        let state = |state: &TraceState| JsonState {
            locations: (network.processes.iter().zip(&state.locations))
                .map(|(p, l)| (p.name.clone(), p.locations[l.index()].name.clone()))
                .collect(),
            variables: variables(network, &state.vars).map(|(v, x)| (v.name.clone(), x)).collect(),
            zone: state.zone.iter().flatten().map(|constraint| constraint.text(network)).collect(),
            clocks: network
                .clocks
                .iter()
                .zip(&state.clocks)
                .map(|(c, x)| (c.name.clone(), x.to_string()))
                .collect(),
        };
        let step = |step: &TraceStep| JsonStep {
            delay: Some(step.delay.to_string()),
            edges: (step.participants.iter())
                .map(|&(p, e)| {
                    let n = names(network, p, e);
                    JsonEdge { process: n.process.into(), from: n.from.into(), to: n.to.into(), sync: n.sync }
                })
                .collect(),
        };
        Self {
            states: trace.states.iter().map(state).collect(),
            steps: trace.steps.iter().map(step).collect(),
            loop_at: trace.loop_at(),
            ending: match trace.after {
                After::Open => None,
                After::Loop(_) => Some("loop"),
                After::TimePasses => Some("time-passes"),
                After::Deadlock => Some("deadlock"),
            },
        }
    }
}

/// The variables that are part of a state, with their values.
fn variables<'t>(network: &'t Network, vars: &'t [i32]) -> impl Iterator<Item = (&'t Var, i32)> {
    let all = network.vars.iter().zip(vars.iter().copied());
    all.filter(|(var, _)| var.kind == VarKind::State)
}

/// A trace to read: what moved, when, and what changed.
pub fn to_text(network: &Network, trace: &Trace, least: Option<LeastTime>) -> String {
    let mut out = String::new();
    let (start, end) = (&trace.states[0], trace.states.last().expect("a trace has a state"));
    let _ = writeln!(out, "  start       {}", locations(network, &start.locations));
    if let Some(values) = values(network, &start.vars) {
        let _ = writeln!(out, "              {values}");
    }
    for (i, (step, states)) in trace.steps.iter().zip(trace.states.windows(2)).enumerate() {
        if trace.after == After::Loop(i) {
            let _ = writeln!(out, "  from here on, for ever:");
        }
        let wait = wait_to_text(step.delay);
        let moves = match trace.after {
            After::Deadlock if i + 1 == trace.steps.len() && step.participants.is_empty() => {
                "time passes".into()
            }
            _ => moves_to_text(network, &step.participants),
        };
        let changes = changes(network, &states[0].vars, &states[1].vars);
        let _ = writeln!(out, "  {wait:<10}  {moves}{changes}");
    }
    if !trace.steps.is_empty() {
        let at = if matches!(trace.after, After::Loop(_)) { "again at" } else { "at the end" };
        let _ = writeln!(out, "  {at:<10}  {}", locations(network, &end.locations));
    }
    if !network.clocks.is_empty() {
        let _ = writeln!(out, "              {}", clocks(network, &end.clocks));
    }
    out.push_str(match trace.after {
        After::Open => "",
        After::Loop(_) => "  and so on\n",
        After::TimePasses => "  then time passes for ever\n",
        After::Deadlock => "  then nothing can happen any more\n",
    });
    if let Some(LeastTime { time, attained }) = least {
        let units = if time == 1 { "time unit" } else { "time units" };
        let _ = match attained {
            true => writeln!(out, "  takes {time} {units}, the least possible"),
            false => writeln!(out, "  takes more than {time} {units}, as close to that as one likes"),
        };
    }
    out
}

/// Writes the last trace of these reports, in the format that the name of the
/// file tells; false if there is none.
pub fn write(path: &str, model: &Model, reports: &[Report]) -> Result<bool, String> {
    let network = model.network();
    let last = reports.iter().rev().find_map(|report| Some((report, report.trace.as_ref()?)));
    let Some((report, trace)) = last else { return Ok(false) };
    let ending = Path::new(path).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let text = match ending {
        "json" => crate::json::to_text(&JsonTrace::new(network, trace)),
        "svg" => sequence::to_svg(network, &report.formula, trace, report.least_time),
        "xtr" => crate::verifyta::to_xtr(model, trace)?,
        _ => to_text(network, trace, report.least_time),
    };
    std::fs::write(path, text).map_err(|error| format!("cannot write {path}: {error}"))?;
    Ok(true)
}

/// How long a step waits.
pub fn wait_to_text(delay: Rational) -> String {
    if delay.is_zero() { "at once".to_owned() } else { format!("after {delay}") }
}

/// The variables that differ, each after two spaces.
pub fn changes(network: &Network, before: &[i32], after: &[i32]) -> String {
    let both = variables(network, before).zip(variables(network, after));
    let changed = both.filter(|((_, before), (_, after))| before != after);
    changed.map(|((var, before), (_, after))| format!("  {}: {before} -> {after}", var.name)).collect()
}

/// Most variables that are listed one by one.
const MANY: usize = 40;

/// The values of all variables, if there are any.
pub fn values(network: &Network, vars: &[i32]) -> Option<String> {
    let count = variables(network, vars).count();
    let many = count > MANY;
    let shown = variables(network, vars).filter(|(_, value)| !many || *value != 0);
    let mut shown: Vec<String> = shown.map(|(v, x)| format!("{}={x}", v.name)).collect();
    if many {
        shown.push("and all other variables are 0".into());
    }
    (count > 0).then(|| shown.join(" "))
}

/// Where the processes are.
pub fn locations(network: &Network, locations: &[LocationId]) -> String {
    let names = network.processes.iter().zip(locations);
    let names: Vec<String> =
        names.map(|(p, l)| format!("{}.{}", p.name, p.locations[l.index()].name)).collect();
    names.join(" ")
}

/// The values of the clocks.
pub fn clocks(network: &Network, values: &[Rational]) -> String {
    let values = network.clocks.iter().zip(values);
    values.map(|(clock, value)| format!("{}={value}", clock.name)).collect::<Vec<_>>().join(" ")
}

/// Who moves from where to where.
pub fn moves_to_text(network: &Network, participants: &[(ProcessId, EdgeId)]) -> String {
    if participants.is_empty() {
        return "there it is".into();
    }
    let moved = participants.iter().map(|&(p, e)| {
        let n = names(network, p, e);
        format!("{}: {} -> {} ({})", n.process, n.from, n.to, n.sync)
    });
    moved.collect::<Vec<_>>().join(", ")
}
