//! Traces in UPPAAL's own format (`.xtr`), to be read with the compiled model.
//!
//! ```text
//! trace       state { state transition } ".\n"
//! state       { location " " } "\n.\n"     one number for each process, its own
//!             { i " " j " " bound "\n.\n" } ".\n"    clock i - clock j
//!             { value " " } "\n.\n"         one for each variable
//! transition  { process " " row { " " value } " ; " } ".\n"
//! bound       2 * constant, and 1 more if it is strict
//! ```
//!
//! Clock 0 is always 0, the others are numbered from 1. Constraints that are
//! left out follow from the others, or are `0 - x <= 0`. Rows are those of
//! [`Processes`], values those of its select variables. Meta variables count as
//! variables. A step that only waits is no transition: zones hold its delay.

use super::processes::Processes;
use dwell_engine::model_ir::{ClockId, EdgeId, ProcessId, VarKind};
use dwell_engine::{Trace, TraceState, TraceStep};
use std::fmt::Write;

/// The states of a trace with the transition that leads to each; the last of
/// several states that only waiting lies between.
pub fn transitions(trace: &Trace) -> Vec<(Option<&TraceStep>, &TraceState)> {
    let mut all = vec![(None, &trace.states[0])];
    for (step, state) in trace.steps.iter().zip(&trace.states[1..]) {
        match all.last_mut() {
            Some((_, last)) if step.participants.is_empty() => *last = state,
            _ => all.push((Some(step), state)),
        }
    }
    all
}

/// The number of a clock, 0 for none.
pub fn clock_number(clock: Option<ClockId>) -> usize {
    clock.map_or(0, |clock| clock.index() + 1)
}

/// The trace.
pub fn xtr(processes: &Processes<'_>, trace: &Trace) -> Result<String, String> {
    let mut out = String::new();
    for (step, at) in transitions(trace) {
        state(&mut out, processes, at)?;
        if let Some(step) = step {
            for &(process, edge) in &step.participants {
                participant(&mut out, processes, process, edge);
            }
            out.push_str(".\n");
        }
    }
    out.push_str(".\n");
    Ok(out)
}

fn state(out: &mut String, processes: &Processes<'_>, state: &TraceState) -> Result<(), String> {
    let zone = state.zone.as_ref().ok_or("the zones of the trace do not fit 32 bits")?;
    for location in &state.locations {
        let _ = write!(out, "{} ", location.index());
    }
    out.push_str("\n.\n");
    for constraint in zone {
        let (i, j) = (clock_number(constraint.left), clock_number(constraint.right));
        let bound = 2 * i64::from(constraint.constant) + i64::from(constraint.strict);
        let _ = write!(out, "{i} {j} {bound}\n.\n");
    }
    out.push_str(".\n");
    let all = processes.network.vars.iter().zip(&state.vars);
    for (_, value) in all.filter(|(var, _)| var.kind != VarKind::Constant) {
        let _ = write!(out, "{value} ");
    }
    out.push_str("\n.\n");
    Ok(())
}

fn participant(out: &mut String, processes: &Processes<'_>, process: ProcessId, edge: EdgeId) {
    let _ = write!(out, "{} {} ", process.index(), processes.row_of(process, edge));
    for (_, value) in &processes.network.processes[process.index()].edges[edge.index()].select {
        let _ = write!(out, "{value} ");
    }
    out.push_str("; ");
}
