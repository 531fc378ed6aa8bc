//! Traces in UPPAAL's XML (`-X`).
//!
//! ```text
//! trace @initial_node
//!   system
//!     clock @id @name         of the system; those of a process stand in it
//!     variable @id @name
//!     process @id @name
//!       clock, variable
//!       location @id @name    its invariant as text
//!       edge @id @from @to    guard, sync, update
//!   node @id @location_vector @dbm_instance @variable_vector
//!   location_vector @id @locations
//!   dbm_instance @id          clockbound @clock1 @clock2 @bound @comp
//!   variable_vector @id       variable_state @variable @value
//!   transition @from @to @edges
//! ```
//!
//! Ids of what belongs to no process begin with `sys.`. Lists are separated by
//! blanks, and names hold none.

use super::processes::Processes;
use super::xtr::{clock_number, constraints, transitions};
use dwell_engine::model_ir::{EdgeId, ProcessId, VarKind};
use dwell_engine::{Trace, TraceState, ZoneConstraint};
use std::fmt::Write;

/// The trace.
pub fn xml(processes: &Processes<'_>, trace: &Trace) -> Result<String, String> {
    let mut out =
        String::from("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<trace initial_node=\"State0\">\n");
    system(&mut out, processes);
    for (at, (step, state)) in transitions(trace).into_iter().enumerate() {
        if let Some(step) = step {
            let edge = |&(process, edge): &(ProcessId, EdgeId)| {
                edge_id(processes, process.index(), processes.row_of(process, edge))
            };
            let edges: Vec<String> = step.participants.iter().map(edge).collect();
            let edges = escaped(&edges.join(" "));
            let _ =
                writeln!(out, "  <transition from=\"State{}\" to=\"State{at}\" edges=\"{edges}\"/>", at - 1);
        }
        node(&mut out, processes, at, state)?;
    }
    out.push_str("</trace>\n");
    Ok(out)
}

fn system(out: &mut String, processes: &Processes<'_>) {
    let network = processes.network;
    out.push_str("  <system>\n");
    let _ = writeln!(out, "    <clock id=\"sys.t(0)\" name=\"t(0)\"/>");
    let names = names(processes);
    let of = |owner: Option<&str>, indent: &str, out: &mut String| {
        for (kind, name) in &names {
            let (owned, own) = owner_of(processes, name);
            if owned == owner {
                let (id, own) = (escaped(&id(processes, name)), escaped(own));
                let _ = writeln!(out, "{indent}<{kind} id=\"{id}\" name=\"{own}\"/>");
            }
        }
    };
    of(None, "    ", out);
    for (at, process) in network.processes.iter().enumerate() {
        let name = escaped(&process.name);
        let _ = writeln!(out, "    <process id=\"{name}\" name=\"{name}\">");
        of(Some(&process.name), "      ", out);
        for (number, location) in process.locations.iter().enumerate() {
            let (own, invariant) = (escaped(&location.name), escaped(&processes.invariant(at, number)));
            let _ =
                writeln!(out, "      <location id=\"{name}.{own}\" name=\"{own}\">{invariant}</location>");
        }
        for (number, row) in processes.rows(at).iter().enumerate() {
            let place = |location: usize| format!("{name}.{}", escaped(&process.locations[location].name));
            let _ = writeln!(
                out,
                "      <edge id=\"{}\" from=\"{}\" to=\"{}\"><guard>{}</guard><sync>{}</sync><update>{}</update></edge>",
                escaped(&edge_id(processes, at, number)),
                place(row.source.index()),
                place(row.target.index()),
                escaped(&row.guard()),
                escaped(&row.sync().unwrap_or_default()),
                escaped(&row.update("=")),
            );
        }
        out.push_str("    </process>\n");
    }
    out.push_str("  </system>\n");
}

fn node(out: &mut String, processes: &Processes<'_>, at: usize, state: &TraceState) -> Result<(), String> {
    let network = processes.network;
    let _ = writeln!(
        out,
        "  <node id=\"State{at}\" location_vector=\"Locations{at}\" dbm_instance=\"Zone{at}\" variable_vector=\"Values{at}\"/>"
    );
    let here = network.processes.iter().zip(&state.locations);
    let here: Vec<String> = here
        .map(|(process, location)| format!("{}.{}", process.name, process.locations[location.index()].name))
        .collect();
    let _ =
        writeln!(out, "  <location_vector id=\"Locations{at}\" locations=\"{}\"/>", escaped(&here.join(" ")));
    let _ = writeln!(out, "  <dbm_instance id=\"Zone{at}\">");
    for ZoneConstraint { left, right, constant, strict } in constraints(network, state)? {
        let clock = |clock| match clock_number(clock) {
            0 => "sys.t(0)".into(),
            number => escaped(&id(processes, &network.clocks[number - 1].name)),
        };
        let comp = if strict { "&lt;" } else { "&lt;=" };
        let (left, right) = (clock(left), clock(right));
        let _ = writeln!(
            out,
            "    <clockbound clock1=\"{left}\" clock2=\"{right}\" bound=\"{constant}\" comp=\"{comp}\"/>"
        );
    }
    let _ = writeln!(out, "  </dbm_instance>\n  <variable_vector id=\"Values{at}\">");
    let vars = network.vars.iter().zip(&state.vars).filter(|(var, _)| var.kind != VarKind::Constant);
    for (var, value) in vars {
        let name = escaped(&id(processes, &var.name));
        let _ = writeln!(out, "    <variable_state variable=\"{name}\" value=\"{value}\"/>");
    }
    out.push_str("  </variable_vector>\n");
    Ok(())
}

/// Everything with a value: its element and its name.
fn names<'m>(processes: &Processes<'m>) -> Vec<(&'static str, &'m str)> {
    let network = processes.network;
    let clocks = network.clocks.iter().map(|clock| ("clock", clock.name.as_str()));
    let vars = network.vars.iter().filter(|var| var.kind != VarKind::Constant);
    clocks.chain(vars.map(|var| ("variable", var.name.as_str()))).collect()
}

/// The process a name belongs to, and the name there.
fn owner_of<'n>(processes: &Processes<'n>, name: &'n str) -> (Option<&'n str>, &'n str) {
    let owned = |process: &'n str| Some((Some(process), name.strip_prefix(process)?.strip_prefix('.')?));
    let mut all = processes.network.processes.iter().map(|process| process.name.as_str());
    all.find_map(owned).unwrap_or((None, name))
}

fn id(processes: &Processes<'_>, name: &str) -> String {
    match owner_of(processes, name) {
        (Some(_), _) => name.into(),
        (None, _) => format!("sys.{name}"),
    }
}

fn edge_id(processes: &Processes<'_>, process: usize, row: usize) -> String {
    format!("{}.Edge{row}", processes.network.processes[process].name)
}

/// Text that may stand in an attribute or an element.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
