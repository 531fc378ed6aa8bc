//! Traces for people and for programs.

use dwell_engine::model_ir::{ChannelRef, EdgeId, ProcessId, Sync, Var, VarKind};
use dwell_engine::{LeastTime, Network, Trace, TraceState, TraceStep};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;

/// A trace as scripts see it.
#[derive(Serialize)]
pub struct JsonTrace {
    states: Vec<JsonState>,
    steps: Vec<JsonStep>,
    loop_at: Option<u32>,
}

#[derive(Serialize)]
struct JsonState {
    locations: BTreeMap<String, String>,
    variables: BTreeMap<String, i32>,
    zone: Vec<String>,
    clocks: BTreeMap<String, String>,
}

#[derive(Serialize)]
struct JsonStep {
    delay: String,
    edges: Vec<JsonEdge>,
}

#[derive(Serialize)]
struct JsonEdge {
    process: String,
    from: String,
    to: String,
    sync: String,
}

/// An edge with its names.
struct EdgeNames<'n> {
    process: &'n str,
    from: &'n str,
    to: &'n str,
    sync: String,
}

fn names(network: &Network, process: ProcessId, edge: EdgeId) -> EdgeNames<'_> {
    let process = &network.processes[process.index()];
    let edge = &process.edges[edge.index()];
    let location = |id: dwell_engine::model_ir::LocationId| process.locations[id.index()].name.as_str();
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
            variables: variables(network, state).map(|(v, x)| (v.name.clone(), x)).collect(),
            zone: state.zone.clone(),
            clocks: network
                .clocks
                .iter()
                .zip(&state.clocks)
                .map(|(c, x)| (c.name.clone(), x.to_string()))
                .collect(),
        };
        let step = |step: &TraceStep| JsonStep {
            delay: step.delay.to_string(),
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
            loop_at: None,
        }
    }
}

/// The variables that are part of a state, with their values.
fn variables<'t>(network: &'t Network, state: &'t TraceState) -> impl Iterator<Item = (&'t Var, i32)> {
    let all = network.vars.iter().zip(state.vars.iter().copied());
    all.filter(|(var, _)| var.kind == VarKind::State)
}

/// A trace to read: what moved, when, and what changed.
pub fn to_text(network: &Network, trace: &Trace, least: Option<LeastTime>) -> String {
    let mut out = String::new();
    let (start, end) = (&trace.states[0], trace.states.last().expect("a trace has a state"));
    let _ = writeln!(out, "  start       {}", locations(network, start));
    if variables(network, start).next().is_some() {
        let _ = writeln!(out, "              {}", initial_values(network, start));
    }
    for (step, states) in trace.steps.iter().zip(trace.states.windows(2)) {
        let wait = if step.delay.is_zero() { "at once".to_owned() } else { format!("after {}", step.delay) };
        let _ = write!(out, "  {wait:<10}  {}", moves_to_text(network, &step.participants));
        let changed = variables(network, &states[0]).zip(variables(network, &states[1]));
        for ((var, before), (_, after)) in changed.filter(|((_, before), (_, after))| before != after) {
            let _ = write!(out, "  {}: {before} -> {after}", var.name);
        }
        out.push('\n');
    }
    if !trace.steps.is_empty() {
        let _ = writeln!(out, "  at the end  {}", locations(network, end));
    }
    if !network.clocks.is_empty() {
        let clocks: Vec<String> =
            network.clocks.iter().zip(&end.clocks).map(|(c, x)| format!("{}={x}", c.name)).collect();
        let _ = writeln!(out, "              {}", clocks.join(" "));
    }
    if let Some(LeastTime { time, attained }) = least {
        let units = if time == 1 { "time unit" } else { "time units" };
        let _ = match attained {
            true => writeln!(out, "  takes {time} {units}, the least possible"),
            false => writeln!(out, "  takes more than {time} {units}, as close to that as one likes"),
        };
    }
    out
}

/// Most variables that are listed one by one.
const MANY: usize = 40;

fn initial_values(network: &Network, start: &TraceState) -> String {
    let many = variables(network, start).count() > MANY;
    let shown = variables(network, start).filter(|(_, value)| !many || *value != 0);
    let mut shown: Vec<String> = shown.map(|(v, x)| format!("{}={x}", v.name)).collect();
    if many {
        shown.push("and all other variables are 0".into());
    }
    shown.join(" ")
}

fn locations(network: &Network, state: &TraceState) -> String {
    let names = network.processes.iter().zip(&state.locations);
    let names: Vec<String> =
        names.map(|(p, l)| format!("{}.{}", p.name, p.locations[l.index()].name)).collect();
    names.join(" ")
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
