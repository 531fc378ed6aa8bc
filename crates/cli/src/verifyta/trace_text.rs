//! Traces as `verifyta` shows them on standard error.
//!
//! ```text
//! State:
//! ( P.A Q.B )
//! n=0 x=0 P.t=0 #depth=0
//!
//! Delay: 3
//!
//! Transitions:
//!   P.A->P.C { t >= 2, c!, t := 0 }
//!   Q.B->Q.D { 1, c?, 1 }
//! ```
//!
//! Values are those of one run, exact, fractions as `3/2`; or the constraints
//! of zones. `#depth` counts transitions. A state after a delay is shown where
//! all clocks run.

use super::processes::Processes;
use super::xtr::transitions;
use dwell_engine::model_ir::VarKind;
use dwell_engine::simulate::Rational;
use dwell_engine::{After, Trace, TraceState, TraceStep};
use std::fmt::Write;

/// The trace with the clock values of one run.
pub fn run(processes: &Processes<'_>, trace: &Trace) -> String {
    let mut out = String::new();
    let mut depth = 0;
    for (at, state) in trace.states.iter().enumerate() {
        show(&mut out, processes, state, &values(processes, &state.clocks), depth);
        let Some(step) = trace.steps.get(at) else { break };
        if !step.delay.is_zero() {
            let _ = writeln!(out, "Delay: {}\n", step.delay);
            if let Some(clocks) = later(processes, state, step.delay)
                && !step.participants.is_empty()
            {
                show(&mut out, processes, state, &values(processes, &clocks), depth);
            }
        }
        if !step.participants.is_empty() {
            depth += 1;
            moves(&mut out, processes, step);
        }
    }
    out
}

/// Which clock values a zone holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stability {
    /// Those that can be reached on the way.
    Reached,
    /// Those of them from which the rest of the trace can be taken.
    ReachedAndGoingOn,
}

/// The trace with zones.
pub fn zones(processes: &Processes<'_>, trace: &Trace, stability: Stability) -> Result<String, String> {
    let mut out = String::new();
    let reached = || transitions(trace).into_iter().map(|(_, state)| state.zone.clone()).collect();
    let zones: Option<Vec<_>> = match (stability, &trace.timing) {
        (Stability::Reached, _) => reached(),
        (Stability::ReachedAndGoingOn, Some(timing)) => timing.stable_zones(),
        (Stability::ReachedAndGoingOn, None) if trace.after == After::Open => {
            return Err("the trace is too long for -Y; -y shows what can be reached on the way".into());
        }
        (Stability::ReachedAndGoingOn, None) => {
            return Err("-Y is for traces that end, and this one goes on for ever; -y shows it".into());
        }
    };
    let zones = zones.ok_or("the zones of the trace do not fit 32 bits")?;
    for (depth, ((step, state), zone)) in transitions(trace).into_iter().zip(zones).enumerate() {
        if let Some(step) = step {
            moves(&mut out, processes, step);
        }
        let zone: Vec<String> = zone.iter().map(|constraint| constraint.text(processes.network)).collect();
        show(&mut out, processes, state, &zone, depth);
    }
    Ok(out)
}

fn show(out: &mut String, processes: &Processes<'_>, state: &TraceState, clocks: &[String], depth: usize) {
    let network = processes.network;
    out.push_str("State:\n( ");
    for (process, location) in network.processes.iter().zip(&state.locations) {
        let _ = write!(out, "{}.{} ", process.name, process.locations[location.index()].name);
    }
    out.push_str(")\n");
    let vars = network.vars.iter().zip(&state.vars).filter(|(var, _)| var.kind == VarKind::State);
    for (var, value) in vars {
        let _ = write!(out, "{}={value} ", var.name);
    }
    for clock in clocks {
        let _ = write!(out, "{clock} ");
    }
    let _ = writeln!(out, "#depth={depth}\n");
}

fn values(processes: &Processes<'_>, clocks: &[Rational]) -> Vec<String> {
    let clocks = processes.network.clocks.iter().zip(clocks);
    clocks.map(|(clock, value)| format!("{}={value}", clock.name)).collect()
}

/// The clocks after a delay, where all of them run.
fn later(processes: &Processes<'_>, state: &TraceState, delay: Rational) -> Option<Vec<Rational>> {
    let mut here = processes.network.processes.iter().zip(&state.locations);
    let all_run = here.all(|(process, location)| process.locations[location.index()].rates.is_empty());
    let add = |clock: &Rational| clock.checked_add(delay).ok();
    state.clocks.iter().map(add).collect::<Option<Vec<_>>>().filter(|_| all_run)
}

fn moves(out: &mut String, processes: &Processes<'_>, step: &TraceStep) {
    out.push_str("Transitions:\n");
    for &(process, edge) in &step.participants {
        let found = &processes.network.processes[process.index()];
        let row = &processes.rows(process.index())[processes.row_of(process, edge)];
        let name = |location: usize| format!("{}.{}", found.name, found.locations[location].name);
        let (from, to) = (name(row.source.index()), name(row.target.index()));
        let sync = row.sync().unwrap_or_else(|| "tau".into());
        let _ = writeln!(out, "  {from}->{to} {{ {}, {sync}, {} }}", row.guard(), row.update(":="));
    }
    out.push('\n');
}
