//! From what was seen to findings, each with its place in the text.

use super::survey::Seen;
use crate::Model;
use dwell_covering::LocalCycle;
use dwell_model::{Network, Sync};
use dwell_syntax::uppaal::tree::{Location, Template};
use dwell_syntax::{Diagnostics, Span};
use std::collections::{BTreeMap, BTreeSet};

const UNREACHABLE_LOCATION: &str = "unreachable-location";
const EDGE_NEVER_TAKEN: &str = "edge-never-taken";
const STOPPED_BY_INVARIANT: &str = "stopped-by-invariant";
pub(super) const ZENO_CYCLE: &str = "zeno-cycle";

/// Locations that no process with that place in the text reaches.
pub(super) fn locations(network: &Network, seen: &Seen, found: &mut Diagnostics) {
    let mut places: BTreeMap<Span, (&str, bool)> = BTreeMap::new();
    for (process, reached) in network.processes.iter().zip(&seen.reached) {
        for (location, &reached) in process.locations.iter().zip(reached) {
            places.entry(location.span).or_insert((&location.name, false)).1 |= reached;
        }
    }
    for (span, (name, _)) in places.into_iter().filter(|(_, (_, reached))| !reached) {
        found.warning(UNREACHABLE_LOCATION, span, format!("`{name}` is never reached"));
    }
}

/// What all edges with one place in the text do.
struct EdgeUse<'n> {
    from: &'n str,
    to: &'n str,
    alone: bool,
    /// Its source is reached.
    lives: bool,
    /// Its target is reached: if not, that is said already.
    leads: bool,
    taken: bool,
    stopped: bool,
}

/// Edges that no process takes where it could, and edges that the invariant of
/// their target stops.
pub(super) fn edges(model: &Model, seen: &Seen, found: &mut Diagnostics) {
    let places = uses(model.network(), seen);
    // Where clocks stand still there are more clock values than can be reached.
    let sure = !model.system().has_stopwatches();
    for (&span, edge) in places.iter().filter(|(_, edge)| edge.lives) {
        let EdgeUse { from, to, .. } = edge;
        if edge.stopped && sure && edge.taken {
            let message = format!(
                "the invariant of `{to}` may stop the edge from `{from}`: the guard holds where the invariant does \
                 not"
            );
            let help = "the edge cannot be taken then; say so in its guard, or reset the clock";
            found.warning(STOPPED_BY_INVARIANT, span, message).help(help);
        } else if edge.stopped && sure {
            let message = format!(
                "the edge from `{from}` to `{to}` is never taken: where the guard holds, the invariant of `{to}` \
                 does not"
            );
            found.warning(STOPPED_BY_INVARIANT, span, message);
        } else if !edge.taken && edge.leads {
            let help = match edge.alone {
                true => "no reachable state satisfies its guard, or others always go first",
                false => "in no reachable state its guard holds and a partner is ready",
            };
            found.warning(EDGE_NEVER_TAKEN, span, never_taken(from, to)).help(help);
        }
    }
    guards_that_are_false(model, seen, &places, found);
}

fn never_taken(from: &str, to: &str) -> String {
    format!("the edge from `{from}` to `{to}` is never taken")
}

fn uses<'n>(network: &'n Network, seen: &Seen) -> BTreeMap<Span, EdgeUse<'n>> {
    let mut places: BTreeMap<Span, EdgeUse<'n>> = BTreeMap::new();
    for (p, process) in network.processes.iter().enumerate() {
        for (e, edge) in process.edges.iter().enumerate() {
            let name = |location: dwell_model::LocationId| process.locations[location.index()].name.as_str();
            let place = places.entry(edge.span).or_insert_with(|| EdgeUse {
                from: name(edge.source),
                to: name(edge.target),
                alone: edge.sync == Sync::Internal,
                lives: false,
                leads: false,
                taken: false,
                stopped: false,
            });
            place.lives |= seen.reached[p][edge.source.index()];
            place.leads |= seen.reached[p][edge.target.index()];
            place.taken |= seen.taken[p][e];
            place.stopped |= seen.stopped[p][e];
        }
    }
    places
}

/// Edges that are in the text and not in the network: their guards are false
/// whatever happens.
fn guards_that_are_false(
    model: &Model,
    seen: &Seen,
    there: &BTreeMap<Span, EdgeUse<'_>>,
    found: &mut Diagnostics,
) {
    let all = model.network().processes.iter().zip(&seen.reached);
    let reached: BTreeSet<Span> = all
        .flat_map(|(process, reached)| process.locations.iter().zip(reached))
        .filter_map(|(location, reached)| reached.then_some(location.span))
        .collect();
    for template in model.document().iter().flat_map(|document| &document.templates) {
        let by_id: BTreeMap<&str, &Location> =
            template.locations.iter().map(|location| (location.id.as_str(), location)).collect();
        for edge in template.edges.iter().filter(|edge| !there.contains_key(&edge.span)) {
            let Some(source) = by_id.get(edge.source.name.as_str()) else { continue };
            if reached.contains(&place(source)) {
                let message =
                    never_taken(&called(template, &edge.source.name), &called(template, &edge.target.name));
                let help = "its guard is false whatever the values of variables";
                found.warning(EDGE_NEVER_TAKEN, edge.span, message).help(help);
            }
        }
    }
}

fn place(location: &Location) -> Span {
    location.name.as_ref().map_or(location.span, |name| name.span)
}

/// What people call a location or branch point.
fn called(template: &Template, id: &str) -> String {
    let location = template.locations.iter().find(|location| location.id == id);
    location
        .and_then(|location| location.name.as_ref())
        .map_or_else(|| format!("_{id}"), |name| name.name.clone())
}

/// Cycles in which time may stand still, once for each first location.
pub(super) fn cycles(network: &Network, candidates: &[LocalCycle], found: &mut Diagnostics) {
    /// A name for people, and the cycles as places of their edges: those of
    /// several processes or choices are one.
    type Cycles = (String, BTreeSet<Vec<Span>>);
    let mut places: BTreeMap<Span, Cycles> = BTreeMap::new();
    for cycle in candidates {
        let process = &network.processes[cycle.process as usize];
        let edges = || cycle.edges.iter().map(|&edge| &process.edges[edge as usize]);
        let Some(first) = edges().map(|edge| process.locations[edge.source.index()].span).min() else {
            continue;
        };
        let (_, all) = places.entry(first).or_insert_with(|| (cycle.name(network), BTreeSet::new()));
        all.insert(edges().map(|edge| edge.span).collect());
    }
    for (span, (name, all)) in places {
        let more = match all.len() {
            1 => String::new(),
            2 => "; so may another one from here".into(),
            n => format!("; so may {} others from here", n - 1),
        };
        let message =
            format!("a cycle may be run through again and again while no time passes: {name}{more}");
        let help = "reset a clock on the cycle, and wait for it: `x >= 1`";
        found.warning(ZENO_CYCLE, span, message).help(help);
    }
}
