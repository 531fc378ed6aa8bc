//! Locations that cannot be reached, and cycles in which time may stand
//! still.
//!
//! A cycle is safe when some clock is reset on it and some edge of it waits
//! for that clock (S. Tripakis, "Verifying progress in timed systems", 1999).
//! Edges that wait for a clock reset in the same component are cut, as are
//! those that need a partner, who may have a clock: cycles left are reported.
//! An edge that waits for a clock that is reset only on a neighbouring cycle
//! is cut, too: some candidates are missed.

use std::collections::{HashMap, HashSet};

use dwell_syntax::uppaal::tree::{Location, Template};
use dwell_syntax::{Diagnostics, Span};

use super::super::facts::{EdgeFacts, TemplateFacts};
use super::super::{Checker, codes};

/// An edge between numbered locations and branch points.
#[derive(Clone, Copy)]
struct Arc<'f> {
    from: usize,
    to: usize,
    facts: &'f EdgeFacts,
}

pub(super) fn report(checker: &Checker, out: &mut Diagnostics) {
    let facts = &checker.context.facts.templates;
    for (template, facts) in checker.document.templates.iter().zip(facts) {
        let ids = template.locations.iter().map(|location| location.id.as_str());
        let points = template.branchpoints.iter().map(|point| point.id.name.as_str());
        let numbers: HashMap<&str, usize> = ids.chain(points).enumerate().map(|(i, id)| (id, i)).collect();
        let arcs = arcs(template, facts, &numbers);
        let init = template.init.as_ref().and_then(|init| numbers.get(init.name.as_str()));
        if let Some(&init) = init {
            unreachable(template, init, &arcs, out);
        }
        zeno(template, &arcs, out);
    }
}

fn arcs<'f>(template: &Template, facts: &'f TemplateFacts, numbers: &HashMap<&str, usize>) -> Vec<Arc<'f>> {
    let edges = template.edges.iter().zip(&facts.edges).filter(|(_, facts)| !facts.never);
    edges
        .filter_map(|(edge, facts)| {
            let from = *numbers.get(edge.source.name.as_str())?;
            let to = *numbers.get(edge.target.name.as_str())?;
            Some(Arc { from, to, facts })
        })
        .collect()
}

fn unreachable(template: &Template, init: usize, arcs: &[Arc], out: &mut Diagnostics) {
    let nodes = template.locations.len() + template.branchpoints.len();
    let next = successors(nodes, arcs.iter().map(|arc| (arc.from, arc.to)));
    let mut reached = vec![false; nodes];
    let mut rest = vec![init];
    while let Some(node) = rest.pop() {
        if !std::mem::replace(&mut reached[node], true) {
            rest.extend(&next[node]);
        }
    }
    for (location, _) in template.locations.iter().zip(reached).filter(|(_, reached)| !reached) {
        let (what, span) = called(location);
        let message = format!("no path of edges leads to {what}");
        out.warning(codes::UNREACHABLE_LOCATION, span, message);
    }
}

fn called(location: &Location) -> (String, Span) {
    match &location.name {
        Some(name) => (format!("`{}`", name.name), name.span),
        None => ("this location".to_owned(), location.span),
    }
}

fn zeno(template: &Template, arcs: &[Arc], out: &mut Diagnostics) {
    let nodes = template.locations.len() + template.branchpoints.len();
    let alone: Vec<Arc> = arcs.iter().filter(|arc| !arc.facts.needs_partner).copied().collect();
    let component = components(nodes, &alone);
    let inside = |arc: &&Arc| component[arc.from] == component[arc.to];
    let resets: HashSet<(usize, u32)> = alone
        .iter()
        .filter(inside)
        .flat_map(|arc| arc.facts.writes.iter().map(|&clock| (component[arc.from], clock)))
        .collect();
    let hasty: Vec<Arc> = alone
        .iter()
        .filter(inside)
        .filter(|arc| {
            !arc.facts.waits_for.iter().any(|&clock| resets.contains(&(component[arc.from], clock)))
        })
        .copied()
        .collect();
    let component = components(nodes, &hasty);
    let mut reported = HashSet::new();
    let mut sources: Vec<usize> =
        hasty.iter().filter(|arc| component[arc.from] == component[arc.to]).map(|arc| arc.from).collect();
    sources.sort_unstable();
    for node in sources {
        if let Some(location) = template.locations.get(node)
            && reported.insert(component[node])
        {
            let (what, span) = called(location);
            let message =
                format!("a cycle through {what} may be run through again and again while no time passes");
            out.warning(codes::ZENO_CYCLE, span, message)
                .help("reset a clock on the cycle, and wait for it: `x >= 1`");
        }
    }
}

fn successors(nodes: usize, arcs: impl Iterator<Item = (usize, usize)>) -> Vec<Vec<usize>> {
    let mut next = vec![Vec::new(); nodes];
    for (from, to) in arcs {
        next[from].push(to);
    }
    next
}

/// The strongly connected component of each node (Kosaraju's algorithm,
/// without recursion).
fn components(nodes: usize, arcs: &[Arc]) -> Vec<usize> {
    let next = successors(nodes, arcs.iter().map(|arc| (arc.from, arc.to)));
    let before = successors(nodes, arcs.iter().map(|arc| (arc.to, arc.from)));
    let mut seen = vec![false; nodes];
    let mut finished = Vec::with_capacity(nodes);
    for root in 0..nodes {
        // A node and how many of its successors were looked at.
        let mut path = vec![(root, 0)];
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        while let Some((node, at)) = path.last_mut() {
            match next[*node].get(*at) {
                Some(&to) => {
                    *at += 1;
                    if !std::mem::replace(&mut seen[to], true) {
                        path.push((to, 0));
                    }
                }
                None => {
                    finished.push(*node);
                    path.pop();
                }
            }
        }
    }
    let mut component = vec![usize::MAX; nodes];
    for &root in finished.iter().rev() {
        let mut rest = vec![root];
        while let Some(node) = rest.pop() {
            if component[node] == usize::MAX {
                component[node] = root;
                rest.extend(&before[node]);
            }
        }
    }
    component
}
