//! A network in TChecker's format.
//!
//! Channels become synchronisation vectors: a pair of a sender and a receiver
//! for a binary channel, a sender with all possible receivers as weak members
//! for a broadcast channel. A weak member whose guard is false blocks the
//! vector there, while in UPPAAL it stays behind; so receivers of broadcasts
//! must have no guards. Every location gets a label made of its process's name
//! and its own, to be asked about.

use super::names::{Block, Names};
use super::ranges::Ranges;
use super::text::{Language, Writer, Written};
use dwell_model::analysis::Interval;
use dwell_model::expr::{BinaryOp, Expr};
use dwell_model::visit::{self, Node};
use dwell_model::{
    ChannelKind, ChannelRef, Edge, LocationKind, Network, OutOfRange, Overflow, Sync, VarKind,
};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Words that mean something in expressions and statements.
const RESERVED: [&str; 8] = ["if", "then", "else", "end", "while", "do", "local", "nop"];

/// The network as a `.tck` file, or what of it cannot be said there.
pub(super) fn write(network: &Network) -> Written<String> {
    refuse(network)?;
    let mut names = Names::new(&RESERVED);
    let writer = Writer::new(network, Language::Tck, &mut names)?;
    let processes: Vec<String> = network.processes.iter().map(|p| names.pick(&p.name)).collect();
    let channels: Vec<String> = network.channels.iter().map(|c| names.pick(&c.name)).collect();
    let system = Names::new(&[]).pick(if network.name.is_empty() { "model" } else { &network.name });
    let mut out = format!("system:{system}\n\n");
    declarations(&writer, &mut out)?;
    let events = events(network, &channels, &mut names);
    let mut used = BTreeSet::new();
    let mut body = String::new();
    for (process, name) in network.processes.iter().zip(&processes) {
        let _ = writeln!(body, "\nprocess:{name}");
        let mut local = Names::new(&[]);
        let locations: Vec<String> = process.locations.iter().map(|l| local.pick(&l.name)).collect();
        for (id, location) in process.locations.iter().enumerate() {
            let mut attributes = Vec::new();
            if process.initial.iter().any(|l| l.index() == id) {
                attributes.push("initial:".to_owned());
            }
            match location.kind {
                LocationKind::Normal => {}
                LocationKind::Urgent => attributes.push("urgent:".into()),
                LocationKind::Committed => attributes.push("committed:".into()),
            }
            let invariant = writer.guard(&location.invariant)?;
            if !invariant.is_empty() {
                attributes.push(format!("invariant: {invariant}"));
            }
            let own = location.labels.iter().map(|l| network.labels[l.index()].clone());
            let labels: Vec<String> = own.chain([format!("{name}_{}", locations[id])]).collect();
            attributes.push(format!("labels: {}", labels.join(",")));
            let _ = writeln!(body, "location:{name}:{}{{{}}}", locations[id], attributes.join(" : "));
        }
        for edge in &process.edges {
            let Some(event) = events.of(network, edge) else { continue };
            used.insert(event.clone());
            let (from, to) = (&locations[edge.source.index()], &locations[edge.target.index()]);
            let attributes = edge_attributes(&writer, edge)?;
            let _ = writeln!(body, "edge:{name}:{from}:{to}:{event}{{{attributes}}}");
        }
    }
    for event in used {
        let _ = writeln!(out, "event:{event}");
    }
    out.push_str(&body);
    vectors(network, &processes, &events, &mut out);
    Ok(out)
}

fn edge_attributes(writer: &Writer<'_>, edge: &Edge) -> Written<String> {
    let mut attributes = Vec::new();
    let guard = writer.guard(&edge.guard)?;
    if !guard.is_empty() {
        attributes.push(format!("provided: {guard}"));
    }
    let update = writer.locals(&edge.update) + &writer.statements(&edge.update.body)?;
    if !update.is_empty() {
        attributes.push(format!("do: {update}"));
    }
    Ok(attributes.join(" : "))
}

/// What the format has no words for.
fn refuse(network: &Network) -> Written<()> {
    if let Some(first) = network.unsupported.first() {
        return Err(first.message.clone());
    }
    let no = |what: &str| Err(what.to_owned());
    if network.vars.iter().any(|v| v.kind == VarKind::Meta) {
        return no("meta variables");
    }
    if network.clocks.iter().any(|c| c.init != 0) {
        return no("clocks that do not start at zero");
    }
    if network.channels.iter().any(|c| c.urgent) {
        return no("urgent channels");
    }
    if !network.before_update.body.is_empty() || !network.after_update.body.is_empty() {
        return no("before_update and after_update");
    }
    if network.overflow == Overflow::Wrap && may_overflow(network) {
        return no("a result that may leave 32 bits: it wraps around here, but is an error there");
    }
    let internal = network.internal_priority;
    if network.channels.iter().any(|c| c.priority != internal)
        || network.processes.windows(2).any(|p| p[0].priority != p[1].priority)
    {
        return no("priorities");
    }
    let ranges = Ranges::new(network);
    for process in &network.processes {
        if process.locations.iter().any(|l| !l.rates.is_empty()) {
            return no("clocks that stop");
        }
        for edge in &process.edges {
            if network.out_of_range == OutOfRange::Error && !ranges.leaving(edge).is_empty() {
                return Err(format!(
                    "an assignment of {} that may leave the range of its variable: an error here, but an impossible \
                     transition there",
                    process.name
                ));
            }
            match &edge.sync {
                Sync::Send(ChannelRef::Element { .. }) | Sync::Receive(ChannelRef::Element { .. }) => {
                    return no("channels picked from an array by a variable");
                }
                Sync::Receive(ChannelRef::Fixed(channel))
                    if network.channels[channel.index()].kind == ChannelKind::Broadcast
                        && !edge.guard.is_trivial() =>
                {
                    return no("receivers of broadcasts with guards");
                }
                _ => {}
            }
        }
    }
    Ok(())
}

/// Whether some sum, product or such may leave 32 bits, judged by the ranges of
/// the variables: where results wrap around, such a result may be anything.
fn may_overflow(network: &Network) -> bool {
    use BinaryOp::{Add, Div, Mul, Pow, Sub};
    let mut found = false;
    visit::nodes(network, &mut |node| {
        if let Node::Expr(e @ (Expr::Neg(..) | Expr::Binary(Add | Sub | Mul | Div | Pow, ..))) = node {
            let range = Interval::of(e, network);
            found |= range.min == i32::MIN && range.max == i32::MAX;
        }
    });
    found
}

fn declarations(writer: &Writer<'_>, out: &mut String) -> Written<()> {
    let network = writer.network;
    let size = |block: &Block| block.slots();
    for block in &writer.vars.blocks {
        let slots = &network.vars[block.first..][..block.slots()];
        let first = &slots[0];
        if first.kind == VarKind::Constant && !block.is_array() {
            continue; // written as its value
        }
        if slots.iter().any(|v| (v.min, v.max, v.init) != (first.min, first.max, first.init)) {
            return Err(format!("the array {}, whose elements differ in range or initial value", block.name));
        }
        let _ =
            writeln!(out, "int:{}:{}:{}:{}:{}", size(block), first.min, first.max, first.init, block.name);
    }
    for block in &writer.clocks.blocks {
        let _ = writeln!(out, "clock:{}:{}", size(block), block.name);
    }
    Ok(())
}

/// Names of the events of edges.
struct Events {
    internal: String,
    /// Of sending and receiving, by channel.
    channels: Vec<(String, String)>,
    /// Of the events of a network that had vectors already.
    declared: Vec<String>,
    /// Channels that someone sends on, and that someone else receives from.
    heard: Vec<bool>,
}

fn events(network: &Network, channels: &[String], names: &mut Names) -> Events {
    let heard = (0..network.channels.len()).map(|c| {
        let has = |process: &dwell_model::Process, sends: bool| {
            process.edges.iter().any(|e| match &e.sync {
                Sync::Send(ChannelRef::Fixed(id)) => sends && id.index() == c,
                Sync::Receive(ChannelRef::Fixed(id)) => !sends && id.index() == c,
                _ => false,
            })
        };
        let pairs = network.processes.iter().enumerate().flat_map(|(i, p)| {
            network.processes.iter().enumerate().filter(move |(j, _)| *j != i).map(move |(_, q)| (p, q))
        });
        pairs.into_iter().any(|(p, q)| has(p, true) && has(q, false))
    });
    Events {
        heard: heard.collect(),
        internal: names.pick("tau"),
        channels: channels
            .iter()
            .map(|c| (names.pick(&format!("{c}_send")), names.pick(&format!("{c}_recv"))))
            .collect(),
        declared: network.events.iter().map(|e| Names::new(&[]).pick(e)).collect(),
    }
}

impl Events {
    /// The event of an edge; `None` for one that can never be taken.
    fn of(&self, network: &Network, edge: &Edge) -> Option<String> {
        match &edge.sync {
            Sync::Vector => Some(self.declared[edge.event.index()].clone()),
            Sync::Send(ChannelRef::Fixed(c)) if self.heard[c.index()] => {
                Some(self.channels[c.index()].0.clone())
            }
            Sync::Receive(ChannelRef::Fixed(c)) if self.heard[c.index()] => {
                Some(self.channels[c.index()].1.clone())
            }
            Sync::Send(ChannelRef::Fixed(c))
                if network.channels[c.index()].kind == ChannelKind::Broadcast =>
            {
                Some(self.internal.clone())
            }
            Sync::Internal => Some(self.internal.clone()),
            _ => None,
        }
    }
}

fn vectors(network: &Network, processes: &[String], events: &Events, out: &mut String) {
    out.push('\n');
    for vector in &network.vectors {
        let member = |m: &dwell_model::SyncMember| {
            let weak = if m.strength == dwell_model::Strength::Weak { "?" } else { "" };
            format!("{}@{}{weak}", processes[m.process.index()], events.declared[m.event.index()])
        };
        let members: Vec<String> = vector.members.iter().map(member).collect();
        let _ = writeln!(out, "sync:{}", members.join(":"));
    }
    let uses = |process: usize, sync: &Sync| network.processes[process].edges.iter().any(|e| e.sync == *sync);
    for sender in 0..processes.len() {
        for (c, channel) in network.channels.iter().enumerate() {
            let id = ChannelRef::Fixed(dwell_model::ChannelId::new(c));
            if !events.heard[c] || !uses(sender, &Sync::Send(id.clone())) {
                continue;
            }
            let (send, receive) = &events.channels[c];
            let receive_sync = Sync::Receive(id);
            let receivers = (0..processes.len()).filter(|&r| r != sender && uses(r, &receive_sync));
            let first = format!("sync:{}@{send}", processes[sender]);
            match channel.kind {
                ChannelKind::Binary => {
                    for receiver in receivers {
                        let _ = writeln!(out, "{first}:{}@{receive}", processes[receiver]);
                    }
                }
                ChannelKind::Broadcast => {
                    let all: String = receivers.map(|r| format!(":{}@{receive}?", processes[r])).collect();
                    let _ = writeln!(out, "{first}{all}");
                }
            }
        }
    }
}
