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
//! Clock 0 is always 0, the others are numbered from 1. Constraints are sorted;
//! those that are left out follow from the others. Rows are those of
//! [`Processes`], values those of its select variables. Meta variables count as
//! variables. A step that only waits is no transition: zones hold its delay.

use super::processes::Processes;
use dwell_engine::model_ir::{ClockId, EdgeId, ProcessId, VarKind};
use dwell_engine::{Network, Trace, TraceState, TraceStep, ZoneConstraint};
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

/// The constraints of a zone, with those that say that no clock is negative,
/// sorted. Our zones leave these out; readers may not know.
pub fn constraints(network: &Network, state: &TraceState) -> Result<Vec<ZoneConstraint>, String> {
    let mut all = state.zone.clone().ok_or("the zones of the trace do not fit 32 bits")?;
    let mut at_least_zero = vec![false; network.clocks.len()];
    let known = |clock: Option<ClockId>, of: &[bool]| clock.is_none_or(|clock| of[clock.index()]);
    loop {
        // From 0 <= x and x - y <= 0 follows 0 <= y.
        while let Some(clock) = all.iter().find_map(|c| {
            let follows = c.constant <= 0 && known(c.left, &at_least_zero) && !known(c.right, &at_least_zero);
            c.right.filter(|_| follows)
        }) {
            at_least_zero[clock.index()] = true;
        }
        let mut open = (0..at_least_zero.len()).filter(|&at| !at_least_zero[at]).map(ClockId::new);
        let Some(first) = open.clone().next() else { break };
        // The smaller clock first, where they are ordered: the larger one follows.
        let larger = |clock: ClockId| all.iter().any(|c| c.constant <= 0 && c.right == Some(clock));
        let clock = open.find(|&clock| !larger(clock)).unwrap_or(first);
        all.push(ZoneConstraint { left: None, right: Some(clock), constant: 0, strict: false });
    }
    all.sort_by_key(|c| (clock_number(c.left), clock_number(c.right)));
    Ok(all)
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
    let zone = constraints(processes.network, state)?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use dwell_engine::model_ir::Clock;

    fn numbers(clocks: usize, zone: &[(usize, usize, i32)]) -> Vec<(usize, usize, i32)> {
        let network = Network { clocks: vec![Clock::default(); clocks], ..Network::default() };
        let clock = |number: usize| number.checked_sub(1).map(ClockId::new);
        let constraint = |&(i, j, constant): &(usize, usize, i32)| ZoneConstraint {
            left: clock(i),
            right: clock(j),
            constant,
            strict: false,
        };
        let zone = Some(zone.iter().map(constraint).collect());
        let state = TraceState { locations: Vec::new(), vars: Vec::new(), zone, clocks: Vec::new() };
        let all = constraints(&network, &state).expect("a zone");
        all.iter().map(|c| (clock_number(c.left), clock_number(c.right), c.constant)).collect()
    }

    #[test]
    fn that_no_clock_is_negative_is_said_once() {
        // Free clocks, each by itself.
        assert_eq!(numbers(2, &[]), [(0, 1, 0), (0, 2, 0)]);
        // Equal clocks: for the first of them.
        assert_eq!(numbers(2, &[(2, 1, 0), (1, 2, 0)]), [(0, 1, 0), (1, 2, 0), (2, 1, 0)]);
        // Clock 1 is not below clock 2: for clock 2.
        assert_eq!(numbers(2, &[(2, 1, 0), (1, 0, 9)]), [(0, 2, 0), (1, 0, 9), (2, 1, 0)]);
        // It follows from a lower bound.
        assert_eq!(numbers(2, &[(0, 2, -3), (2, 1, -1)]), [(0, 2, -3), (2, 1, -1)]);
    }
}
