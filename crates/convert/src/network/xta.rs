//! A network in UPPAAL's text format.
//!
//! Synchronisation vectors become channels: a vector of two strong members a
//! binary channel, one of a strong member and weak members a broadcast channel
//! if the weak ones have no guards (a weak member whose guard is false blocks
//! the vector, a receiver whose guard is false stays behind). An edge whose
//! event is in several vectors is written once for each.
//!
//! An assignment that may leave its range makes a transition impossible in
//! TChecker's format: it gets a guard, where one can say so.

use super::names::Names;
use super::ranges::{Ranges, reads, slots};
use super::text::{Language, Writer, Written};
use dwell_model::expr::Place;
use dwell_model::{ChannelKind, Edge, LocationKind, Network, ProcessId, Strength, Sync, SyncVector, VarKind};
use std::fmt::Write;

/// Words that cannot be names, in models or in queries.
const RESERVED: [&str; 61] = [
    "A",
    "E",
    "U",
    "W",
    "R",
    "M",
    "and",
    "assign",
    "bool",
    "branchpoint",
    "broadcast",
    "chan",
    "clock",
    "commit",
    "const",
    "control",
    "deadlock",
    "default",
    "do",
    "double",
    "dynamic",
    "else",
    "exists",
    "exit",
    "false",
    "for",
    "forall",
    "gantt",
    "guard",
    "hybrid",
    "if",
    "imply",
    "import",
    "inf",
    "init",
    "int",
    "location",
    "meta",
    "not",
    "or",
    "priority",
    "probability",
    "process",
    "progress",
    "query",
    "return",
    "scalar",
    "select",
    "spawn",
    "state",
    "string",
    "struct",
    "sum",
    "sup",
    "sync",
    "system",
    "trans",
    "true",
    "typedef",
    "urgent",
    "xor",
];

/// The network as an `.xta` file and queries for its labels, or what of it
/// cannot be said there.
pub(super) fn write(network: &Network) -> Written<(String, Vec<String>)> {
    let mut names = Names::new(&RESERVED);
    names.pick("void");
    names.pick("while");
    names.pick("assert");
    let writer = Writer::new(network, Language::Uppaal, &mut names)?;
    let vectors = vectors(network, &mut names)?;
    let processes: Vec<String> = network.processes.iter().map(|p| names.pick(&p.name)).collect();
    let mut out = String::new();
    declarations(&writer, &vectors, &mut out);
    let ranges = Ranges::new(network);
    let mut labels = vec![Vec::new(); network.labels.len()];
    for (p, (process, name)) in network.processes.iter().zip(&processes).enumerate() {
        let [initial] = process.initial[..] else {
            return Err(format!("{}, which may start in several locations", process.name));
        };
        let mut local = Names::new(&RESERVED);
        let locations: Vec<String> = process.locations.iter().map(|l| local.pick(&l.name)).collect();
        let mut functions = String::new();
        let mut edges = Vec::new();
        for edge in &process.edges {
            let update = update(&writer, edge, &mut local, &mut functions)?;
            let mut guard = writer.guard(&edge.guard)?;
            for bound in in_range(&writer, &ranges, ProcessId::new(p), edge)? {
                guard = if guard.is_empty() { bound } else { format!("{guard} && {bound}") };
            }
            let (from, to) = (&locations[edge.source.index()], &locations[edge.target.index()]);
            for sync in syncs(network, &vectors, ProcessId::new(p), edge) {
                let mut text = format!("    {from} -> {to} {{ ");
                for (word, part) in [("guard", &guard), ("sync", &sync), ("assign", &update)] {
                    if !part.is_empty() {
                        let _ = write!(text, "{word} {part}; ");
                    }
                }
                text.push('}');
                edges.push(text);
            }
        }
        let _ = writeln!(out, "\nprocess {name}() {{\n{functions}  state");
        let states = process.locations.iter().zip(&locations).map(|(location, name)| {
            let invariant = writer.guard(&location.invariant)?;
            Ok(if invariant.is_empty() {
                format!("    {name}")
            } else {
                format!("    {name} {{ {invariant} }}")
            })
        });
        let _ = writeln!(out, "{};", states.collect::<Written<Vec<String>>>()?.join(",\n"));
        for (word, kind) in [("commit", LocationKind::Committed), ("urgent", LocationKind::Urgent)] {
            let here = process.locations.iter().zip(&locations).filter(|(l, _)| l.kind == kind);
            let here: Vec<&str> = here.map(|(_, name)| name.as_str()).collect();
            if !here.is_empty() {
                let _ = writeln!(out, "  {word} {};", here.join(", "));
            }
        }
        let _ = writeln!(out, "  init {};", locations[initial.index()]);
        if !edges.is_empty() {
            let _ = writeln!(out, "  trans\n{};", edges.join(",\n"));
        }
        out.push_str("}\n");
        for (location, location_name) in process.locations.iter().zip(&locations) {
            for label in &location.labels {
                labels[label.index()].push(format!("{name}.{location_name}"));
            }
        }
    }
    let _ = writeln!(out, "\nsystem {};", processes.join(", "));
    let queries = labels.into_iter().filter(|places| !places.is_empty());
    Ok((out, queries.map(|places| format!("E<> {}", places.join(" or "))).collect()))
}

fn declarations(writer: &Writer<'_>, vectors: &[VectorChannel], out: &mut String) {
    let network = writer.network;
    for block in &writer.clocks.blocks {
        let dims = if block.is_array() { format!("[{}]", block.len) } else { String::new() };
        let init = network.clocks[block.first].init;
        let init = if init == 0 { String::new() } else { format!(" = {init}") };
        let _ = writeln!(out, "clock {}{dims}{init};", block.name);
    }
    for block in &writer.vars.blocks {
        let slots = &network.vars[block.first..][..block.slots()];
        let prefix = match slots[0].kind {
            VarKind::State => "",
            VarKind::Meta => "meta ",
            VarKind::Constant => "const ",
        };
        let (min, max) = slots.iter().fold((i32::MAX, i32::MIN), |(a, b), v| (a.min(v.min), b.max(v.max)));
        let values: Vec<String> = slots.iter().map(|v| v.init.to_string()).collect();
        let _ = match block.is_array() {
            true => writeln!(
                out,
                "{prefix}int[{min},{max}] {}[{}] = {{ {} }};",
                block.name,
                block.len,
                values.join(", ")
            ),
            false => writeln!(out, "{prefix}int[{min},{max}] {} = {};", block.name, values[0]),
        };
    }
    for vector in vectors.iter().filter(|v| v.kind.is_some()) {
        let prefix = if vector.kind == Some(ChannelKind::Broadcast) { "broadcast " } else { "" };
        let _ = writeln!(out, "{prefix}chan {};", vector.name);
    }
}

/// A vector and the channel that stands for it; no channel for a member alone.
struct VectorChannel {
    name: String,
    kind: Option<ChannelKind>,
}

fn vectors(network: &Network, names: &mut Names) -> Written<Vec<VectorChannel>> {
    if !network.channels.is_empty() {
        return Err("channels".into());
    }
    network
        .vectors
        .iter()
        .map(|vector| Ok(VectorChannel { kind: kind(network, vector)?, name: name(network, vector, names) }))
        .collect()
}

fn name(network: &Network, vector: &SyncVector, names: &mut Names) -> String {
    let first = &vector.members[0];
    names.pick(&format!(
        "{}_{}",
        network.events[first.event.index()],
        network.processes[first.process.index()].name
    ))
}

fn kind(network: &Network, vector: &SyncVector) -> Written<Option<ChannelKind>> {
    let strong = vector.members.iter().filter(|m| m.strength == Strength::Strong).count();
    match (strong, vector.members.len()) {
        (1, 1) => Ok(None),
        (2, 2) => Ok(Some(ChannelKind::Binary)),
        (1, _) if vector.members[0].strength == Strength::Strong => {
            let weak = vector.members[1..].iter().flat_map(|m| {
                network.processes[m.process.index()].edges.iter().filter(move |e| e.event == m.event)
            });
            if weak.into_iter().all(|edge| edge.guard.is_trivial()) {
                Ok(Some(ChannelKind::Broadcast))
            } else {
                Err("weak synchronisation with guards".into())
            }
        }
        _ => Err("synchronisation of more than two, or of weak members only".into()),
    }
}

/// The sync labels under which an edge is written; an empty one is none.
fn syncs(network: &Network, vectors: &[VectorChannel], process: ProcessId, edge: &Edge) -> Vec<String> {
    if edge.sync != Sync::Vector {
        return vec![String::new()];
    }
    let mut found = Vec::new();
    for (vector, channel) in network.vectors.iter().zip(vectors) {
        let position = vector.members.iter().position(|m| m.process == process && m.event == edge.event);
        match (position, channel.kind) {
            (None, _) => {}
            (Some(_), None) => found.push(String::new()),
            (Some(0), Some(_)) => found.push(format!("{}!", channel.name)),
            (Some(_), Some(_)) => found.push(format!("{}?", channel.name)),
        }
    }
    found
}

/// The update of an edge: assignments, or the call of a function made for it.
fn update(writer: &Writer<'_>, edge: &Edge, names: &mut Names, functions: &mut String) -> Written<String> {
    if let Some(assignments) = writer.assignments(&edge.update)? {
        return Ok(assignments.join(", "));
    }
    let name = names.pick("update");
    let body = writer.statements(&edge.update.body)?;
    let _ = writeln!(functions, "  void {name}() {{ {}{body} }}", writer.locals(&edge.update));
    Ok(format!("{name}()"))
}

/// Guards that keep the assignments of an edge in their ranges.
fn in_range(
    writer: &Writer<'_>,
    ranges: &Ranges<'_>,
    process: ProcessId,
    edge: &Edge,
) -> Written<Vec<String>> {
    let network = writer.network;
    let mut guards = Vec::new();
    for leaving in ranges.leaving(edge) {
        let others = network.processes.iter().enumerate().filter(|(p, _)| *p != process.index());
        let disturbed = edge.sync == Sync::Vector
            && others.flat_map(|(_, p)| &p.edges).flat_map(|e| &e.update.body).any(|stmt| match stmt {
                dwell_model::expr::Stmt::Assign { place, .. } => reads(leaving.value, &slots(place)),
                dwell_model::expr::Stmt::Reset { .. } => false,
                _ => true,
            });
        let Place::Var(var) = leaving.place else {
            return Err(element_message(network, process));
        };
        if !leaving.plain || disturbed {
            return Err(element_message(network, process));
        }
        let value = writer.term(leaving.value)?;
        let var = &network.vars[var.index()];
        guards.push(format!("{value} >= {} && {value} <= {}", var.min, var.max));
    }
    Ok(guards)
}

fn element_message(network: &Network, process: ProcessId) -> String {
    format!(
        "an assignment of {} that may leave the range of its variable: an impossible transition here, but an error \
         there",
        network.processes[process.index()].name
    )
}
