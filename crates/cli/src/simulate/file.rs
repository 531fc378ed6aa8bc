//! Runs in files: names to ids.

use crate::trace::{JsonState, JsonStep, JsonTrace, names};
use dwell_engine::Network;
use dwell_engine::model_ir::{ClockId, EdgeId, LocationId, ProcessId, VarId};
use dwell_engine::simulate::{Landmark, Waypoint};
use std::collections::HashMap;

/// A run as far as its names are known, and why it ends where it does.
pub struct Run {
    /// Where it starts.
    pub start: Landmark,
    /// Its steps.
    pub steps: Vec<Waypoint>,
    /// Why the next step makes no sense for this model.
    pub cut: Option<String>,
    /// After how many steps it is where it comes back to at its end.
    pub loop_at: Option<usize>,
}

/// Reads a trace: alone, or the first one in a document of `check --json`.
pub fn read(network: &Network, text: &str) -> Result<Run, String> {
    let mut json: serde_json::Value =
        serde_json::from_str(text).map_err(|error| format!("this is not JSON: {error}"))?;
    if let Some(queries) = json.get_mut("queries").and_then(|queries| queries.as_array_mut()) {
        let traces = queries.iter_mut().filter_map(|query| query.get_mut("trace"));
        let first = traces.map(serde_json::Value::take).find(|trace| !trace.is_null());
        json = first.ok_or("no query in it has a trace")?;
    } else if let Some(trace) = json.get_mut("trace") {
        json = trace.take();
    }
    let trace: JsonTrace =
        serde_json::from_value(json).map_err(|error| format!("this is not a trace: {error}"))?;
    if let Some(at) = trace.loop_at.filter(|&at| at > trace.steps.len()) {
        return Err(format!("this is not a trace: it goes back to state {at}, which it does not have"));
    }
    let names = Names::new(network);
    let start = trace.states.first().map_or(Ok(Landmark::default()), |state| names.landmark(state))?;
    let mut run = Run { start, steps: Vec::new(), cut: None, loop_at: trace.loop_at };
    for (i, step) in trace.steps.iter().enumerate() {
        match names.waypoint(step, trace.states.get(i + 1)) {
            Ok(waypoint) => run.steps.push(waypoint),
            Err(why) => {
                run.cut = Some(why);
                break;
            }
        }
    }
    Ok(run)
}

/// What the names of a network stand for.
struct Names<'n> {
    network: &'n Network,
    processes: HashMap<&'n str, ProcessId>,
    vars: HashMap<&'n str, VarId>,
    clocks: HashMap<&'n str, ClockId>,
}

impl<'n> Names<'n> {
    fn new(network: &'n Network) -> Self {
        let processes = network.processes.iter().enumerate();
        let vars = network.vars.iter().enumerate();
        let clocks = network.clocks.iter().enumerate();
        Self {
            network,
            processes: processes.map(|(i, p)| (p.name.as_str(), ProcessId::new(i))).collect(),
            vars: vars.map(|(i, v)| (v.name.as_str(), VarId::new(i))).collect(),
            clocks: clocks.map(|(i, c)| (c.name.as_str(), ClockId::new(i))).collect(),
        }
    }

    fn process(&self, name: &str) -> Result<ProcessId, String> {
        self.processes.get(name).copied().ok_or_else(|| format!("the model has no process {name}"))
    }

    fn landmark(&self, state: &JsonState) -> Result<Landmark, String> {
        let mut landmark = Landmark { zone: state.zone.clone(), ..Landmark::default() };
        for (process, location) in &state.locations {
            let id = self.process(process)?;
            let mut declared = self.network.processes[id.index()].locations.iter();
            let at = declared.position(|declared| declared.name == *location);
            let at = at.ok_or_else(|| format!("{process} has no location {location}"))?;
            landmark.locations.push((id, LocationId::new(at)));
        }
        for (name, &value) in &state.variables {
            let id = self.vars.get(name.as_str());
            landmark.vars.push((*id.ok_or_else(|| format!("the model has no variable {name}"))?, value));
        }
        for (name, value) in &state.clocks {
            let id = self.clocks.get(name.as_str());
            let id = *id.ok_or_else(|| format!("the model has no clock {name}"))?;
            let value = value.parse().map_err(|_| format!("`{value}` is no value for {name}"))?;
            landmark.clocks.push((id, value));
        }
        Ok(landmark)
    }

    fn waypoint(&self, step: &JsonStep, then: Option<&JsonState>) -> Result<Waypoint, String> {
        let delay = step.delay.as_ref().map(|delay| {
            let number: Result<dwell_engine::simulate::Rational, _> = delay.parse();
            number.map_err(|_| format!("`{delay}` is no delay"))
        });
        let mut edges = Vec::new();
        for edge in &step.edges {
            let process = self.process(&edge.process)?;
            let all = (0..self.network.processes[process.index()].edges.len()).map(EdgeId::new);
            let able: Vec<EdgeId> = all
                .filter(|&id| {
                    let n = names(self.network, process, id);
                    (n.from, n.to, n.sync.as_str()) == (&*edge.from, &*edge.to, &*edge.sync)
                })
                .collect();
            if able.is_empty() {
                let (from, to, sync) = (&edge.from, &edge.to, &edge.sync);
                return Err(format!("{} has no edge {from} -> {to} ({sync})", edge.process));
            }
            edges.push((process, able));
        }
        let then = then.map(|state| self.landmark(state)).transpose()?;
        Ok(Waypoint { delay: delay.transpose()?, edges, then })
    }
}
