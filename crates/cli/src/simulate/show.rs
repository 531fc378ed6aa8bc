//! States and transitions, to read.

use crate::trace::{changes, clocks, locations, names, values, wait_to_text};
use dwell_engine::explain;
use dwell_engine::simulate::{
    ClockView, DelayBar, Fault, Interval, Listing, Participants, Passage, Step, Transition, View,
};
use dwell_engine::syntax::{SourceFile, Span};
use dwell_engine::{Model, Network};
use std::fmt::Write;

/// Most transitions that are listed unless everything is asked for.
const MANY: usize = 50;

/// How much to show.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// What a step may have changed.
    Brief,
    /// Everything.
    Whole,
}

/// Locations, variables and clocks.
pub fn state(model: &Model, view: &View, detail: Detail) -> String {
    let network = model.network();
    let mut out = format!("  {}\n", locations(network, &view.locations));
    if let (Detail::Whole, Some(values)) = (detail, values(network, &view.vars)) {
        let _ = writeln!(out, "  {values}");
    }
    if network.clocks.is_empty() {
        return out;
    }
    match &view.clocks {
        ClockView::Values(values) => {
            let _ = writeln!(out, "  {}", clocks(network, values));
        }
        ClockView::Zones(zones) => {
            let first = if model.system().has_stopwatches() { "zone (over-approximated): " } else { "" };
            for (i, zone) in zones.iter().enumerate() {
                let zone = &zone.equations;
                let zone = if zone.is_empty() { "any clock values".into() } else { zone.join(", ") };
                let _ = writeln!(out, "  {}{zone}", if i == 0 { first } else { "or " });
            }
        }
    }
    out
}

/// What may happen.
pub fn listing(source: &SourceFile, model: &Model, listing: &Listing, detail: Detail) -> String {
    let network = model.network();
    let mut out = match &listing.time {
        Passage::Fails(why) => {
            format!("  whether time may pass cannot be told: {}\n", fault(source, model, why))
        }
        Passage::Barred(bar) => format!("  no time may pass: {}\n", barred(network, *bar)),
        Passage::Free(interval) if *interval == Interval::NOW => {
            "  no time may pass: an invariant ends here\n".into()
        }
        Passage::Free(interval) => match interval.high {
            None => "  time may pass\n".into(),
            Some(high) if high.open => format!("  time may pass, less than {}\n", high.at),
            Some(high) => format!("  time may pass, up to {}\n", high.at),
        },
    };
    let many = detail == Detail::Brief && listing.transitions.len() > MANY;
    let shown = if many { MANY } else { listing.transitions.len() };
    for (i, t) in listing.transitions[..shown].iter().enumerate() {
        let _ = writeln!(out, "  {}: {}", i + 1, transition(source, model, t));
    }
    if many {
        let _ = writeln!(out, "  and {} more; `state` lists all", listing.transitions.len() - MANY);
    }
    for (participants, why) in &listing.failures {
        let _ = writeln!(out, "  {} fails: {}", moves(network, participants), fault(source, model, why));
    }
    if listing.transitions.is_empty() && listing.failures.is_empty() {
        out.push_str("  no transition is possible\n");
    }
    out
}

fn transition(source: &SourceFile, model: &Model, transition: &Transition) -> String {
    let mut out = moves(model.network(), &transition.participants);
    if let Some(delays) = &transition.delays {
        let _ = write!(out, "  {delays}");
    }
    if let Some(why) = &transition.failure {
        let _ = write!(out, "  fails: {}", fault(source, model, why));
    }
    out
}

/// Who moves from where to where, with what was selected.
fn moves(network: &Network, participants: &Participants) -> String {
    if participants.is_empty() {
        return "time passes".into();
    }
    let moved = participants.iter().map(|&(process, edge)| {
        let n = names(network, process, edge);
        let select = &network.processes[process.index()].edges[edge.index()].select;
        let select: String = select.iter().map(|(name, value)| format!(" {name}={value}")).collect();
        format!("{}: {} -> {} ({}){select}", n.process, n.from, n.to, n.sync)
    });
    moved.collect::<Vec<_>>().join(", ")
}

/// A step of a run and what it changed.
pub fn step(network: &Network, number: usize, step: &Step, before: &[i32], after: &[i32]) -> String {
    let when = match step.delay {
        Some(delay) => wait_to_text(delay),
        None => format!("step {number}"),
    };
    let changes = changes(network, before, after);
    format!("{when:<10}  {}{changes}\n", moves(network, &step.participants))
}

fn barred(network: &Network, bar: DelayBar) -> String {
    match bar {
        DelayBar::Channel(channel) => {
            format!("{} is urgent and enabled", network.channels[channel.index()].name)
        }
        DelayBar::Location(process) => {
            format!("{} is in an urgent or committed location", network.processes[process.index()].name)
        }
    }
}

/// Why something cannot be done; a run-time error with its place.
pub fn fault(source: &SourceFile, model: &Model, fault: &Fault) -> String {
    match fault {
        Fault::Refused(why) => why.clone(),
        Fault::Runtime(error) => {
            let why = explain(error, model.network());
            if error.span == Span::default() {
                return why;
            }
            let (start, _) = source.positions(error.span);
            format!("{why} ({}:{}:{})", source.name(), start.line, start.column)
        }
    }
}
