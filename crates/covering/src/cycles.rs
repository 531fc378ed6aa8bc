//! Cycles of one automaton.
//!
//! Elementary cycles as sequences of edges, parallel edges apart, by Johnson,
//! *Finding all the elementary circuits of a directed graph* (SIAM J. Comput.
//! 4(1), 1975), without recursion. There may be exponentially many, so both
//! their number and the work are limited. Only what can be reached from the
//! initial locations counts.

use dwell_model::Process;

/// When to give up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CycleLimits {
    /// Most cycles of a process.
    pub cycles: usize,
    /// Most steps on the way to them, edges of the cycles included.
    pub work: u64,
}

/// Outgoing edges of each location, as edge and target.
pub(crate) struct Graph {
    outgoing: Vec<Vec<(u32, u32)>>,
    initial: Vec<u32>,
}

impl Graph {
    /// The edges of a process that `keep` lets stand.
    pub fn new(process: &Process, keep: impl Fn(u32) -> bool) -> Self {
        let mut outgoing = vec![Vec::new(); process.locations.len()];
        for (e, edge) in process.edges.iter().enumerate().filter(|(e, _)| keep(*e as u32)) {
            outgoing[edge.source.index()].push((e as u32, edge.target.0));
        }
        Self { outgoing, initial: process.initial.iter().map(|l| l.0).collect() }
    }

    /// The same without what cannot be reached.
    fn reachable(mut self) -> Self {
        let mut seen = vec![false; self.outgoing.len()];
        let mut stack = self.initial.clone();
        while let Some(at) = stack.pop() {
            if !std::mem::replace(&mut seen[at as usize], true) {
                stack.extend(self.outgoing[at as usize].iter().map(|&(_, to)| to));
            }
        }
        for (edges, seen) in self.outgoing.iter_mut().zip(seen) {
            if !seen {
                edges.clear();
            }
        }
        self
    }

    /// The edges that close a loop in a depth-first search from the initial
    /// locations, and with the first of them a cycle it closes. Without these
    /// edges there is no cycle.
    pub fn back_edges(&self) -> (Vec<u32>, Option<Vec<u32>>) {
        #[derive(Clone, Copy, PartialEq)]
        enum Colour {
            New,
            OnPath,
            Done,
        }
        let mut colours = vec![Colour::New; self.outgoing.len()];
        let (mut found, mut cycle) = (Vec::new(), None);
        for &start in &self.initial {
            if colours[start as usize] != Colour::New {
                continue;
            }
            colours[start as usize] = Colour::OnPath;
            // Location, edges already followed, the edge that led there.
            let mut path = vec![(start, 0, u32::MAX)];
            while let Some((at, next, _)) = path.last_mut() {
                let Some(&(edge, to)) = self.outgoing[*at as usize].get(*next) else {
                    colours[*at as usize] = Colour::Done;
                    path.pop();
                    continue;
                };
                *next += 1;
                match colours[to as usize] {
                    Colour::Done => {}
                    Colour::OnPath => {
                        found.push(edge);
                        cycle.get_or_insert_with(|| {
                            let from = path.iter().position(|&(at, ..)| at == to).expect("it is on the path");
                            path[from + 1..].iter().map(|&(.., by)| by).chain([edge]).collect()
                        });
                    }
                    Colour::New => {
                        colours[to as usize] = Colour::OnPath;
                        path.push((to, 0, edge));
                    }
                }
            }
        }
        found.sort_unstable();
        (found, cycle)
    }
}

/// The elementary cycles of a process, `None` when there are too many, and how
/// many steps that took.
pub(crate) fn cycles(process: &Process, limits: CycleLimits) -> (Option<Vec<Vec<u32>>>, u64) {
    let graph = Graph::new(process, |_| true).reachable();
    let size = graph.outgoing.len();
    let incoming = incoming(&graph);
    let mut search = Search {
        graph: &graph,
        inside: vec![false; size],
        blocked: vec![false; size],
        blocks: vec![Vec::new(); size],
        found: Vec::new(),
        work: 0,
        limits,
    };
    let finished = (0..size as u32).try_for_each(|start| match search.component(start, &incoming)? {
        true => search.from(start),
        false => Some(()),
    });
    (finished.map(|()| search.found), search.work)
}

/// The locations from which edges lead to each location.
fn incoming(graph: &Graph) -> Vec<Vec<u32>> {
    let mut incoming = vec![Vec::new(); graph.outgoing.len()];
    for (from, edges) in graph.outgoing.iter().enumerate() {
        edges.iter().for_each(|&(_, to)| incoming[to as usize].push(from as u32));
    }
    incoming
}

struct Search<'g> {
    graph: &'g Graph,
    /// The strong component of the start among the locations from it on.
    inside: Vec<bool>,
    blocked: Vec<bool>,
    /// Whom to unblock when a location is unblocked.
    blocks: Vec<Vec<u32>>,
    found: Vec<Vec<u32>>,
    work: u64,
    limits: CycleLimits,
}

impl Search<'_> {
    fn tick(&mut self, work: usize) -> Option<()> {
        self.work += work as u64;
        (self.work <= self.limits.work).then_some(())
    }

    /// Marks the locations not below `start` that lie on a cycle with it;
    /// false when there is no such cycle.
    fn component(&mut self, start: u32, incoming: &[Vec<u32>]) -> Option<bool> {
        let graph = self.graph;
        if graph.outgoing[start as usize].is_empty() {
            return Some(false);
        }
        let forward = self.search(start, |at| graph.outgoing[at].iter().map(|&(_, to)| to))?;
        let backward = self.search(start, |at| incoming[at].iter().copied())?;
        self.inside.fill(false);
        for at in forward {
            self.inside[at as usize] = true;
        }
        let both: Vec<u32> = backward.into_iter().filter(|&at| self.inside[at as usize]).collect();
        self.inside.fill(false);
        both.iter().for_each(|&at| self.inside[at as usize] = true);
        self.tick(self.inside.len() / 8)?;
        let to_itself = graph.outgoing[start as usize].iter().any(|&(_, to)| to == start);
        Some(both.len() > 1 || to_itself)
    }

    fn search<I: Iterator<Item = u32>>(&mut self, start: u32, next: impl Fn(usize) -> I) -> Option<Vec<u32>> {
        let mut seen = vec![false; self.graph.outgoing.len()];
        seen[start as usize] = true;
        let mut all = vec![start];
        let mut at = 0;
        while let Some(&here) = all.get(at) {
            at += 1;
            for to in next(here as usize) {
                self.tick(1)?;
                if to > start && !std::mem::replace(&mut seen[to as usize], true) {
                    all.push(to);
                }
            }
        }
        Some(all)
    }

    /// All cycles through `start` inside its component.
    fn from(&mut self, start: u32) -> Option<()> {
        struct Frame {
            at: u32,
            next: usize,
            closed: bool,
        }
        let graph = self.graph;
        self.blocked.fill(false);
        self.blocks.iter_mut().for_each(Vec::clear);
        self.blocked[start as usize] = true;
        let mut path: Vec<u32> = Vec::new();
        let mut frames = vec![Frame { at: start, next: 0, closed: false }];
        while let Some(frame) = frames.last_mut() {
            self.tick(1)?;
            if let Some(&(edge, to)) = graph.outgoing[frame.at as usize].get(frame.next) {
                frame.next += 1;
                if to == start {
                    frame.closed = true;
                    let cycle: Vec<u32> = path.iter().copied().chain([edge]).collect();
                    self.tick(cycle.len())?;
                    self.found.push(cycle);
                    if self.found.len() > self.limits.cycles {
                        return None;
                    }
                } else if self.inside[to as usize] && !self.blocked[to as usize] {
                    self.blocked[to as usize] = true;
                    path.push(edge);
                    frames.push(Frame { at: to, next: 0, closed: false });
                }
                continue;
            }
            let Frame { at, closed, .. } = *frame;
            frames.pop();
            path.pop();
            if closed {
                self.unblock(at)?;
            } else {
                for &(_, to) in &graph.outgoing[at as usize] {
                    if self.inside[to as usize] && !self.blocks[to as usize].contains(&at) {
                        self.blocks[to as usize].push(at);
                    }
                }
            }
            if let Some(parent) = frames.last_mut() {
                parent.closed |= closed;
            }
        }
        Some(())
    }

    fn unblock(&mut self, at: u32) -> Option<()> {
        let mut waiting = vec![at];
        while let Some(at) = waiting.pop() {
            self.tick(1)?;
            if std::mem::replace(&mut self.blocked[at as usize], false) {
                waiting.append(&mut self.blocks[at as usize]);
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dwell_model::{Edge, EventId, Location, LocationId, Span, Sync};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    const UNLIMITED: CycleLimits = CycleLimits { cycles: usize::MAX, work: u64::MAX };

    fn process(locations: usize, edges: &[(u32, u32)]) -> Process {
        let edge = |&(source, target): &(u32, u32)| Edge {
            source: LocationId(source),
            target: LocationId(target),
            guard: Default::default(),
            update: Default::default(),
            sync: Sync::Internal,
            event: EventId(0),
            span: Span::default(),
            select: Vec::new(),
        };
        Process {
            locations: vec![Location::default(); locations],
            edges: edges.iter().map(edge).collect(),
            initial: vec![LocationId(0)],
            ..Process::default()
        }
    }

    /// All paths from each location through larger ones, back to it.
    fn brute_force(edges: &[(u32, u32)], start: u32, path: &mut Vec<u32>, found: &mut BTreeSet<Vec<u32>>) {
        let at = path.last().map_or(start, |&e| edges[e as usize].1);
        if !path.is_empty() && at == start {
            found.insert(path.clone());
            return;
        }
        let visited: BTreeSet<u32> = path.iter().map(|&e| edges[e as usize].0).collect();
        for (e, &(from, to)) in edges.iter().enumerate() {
            if from == at && to >= start && !visited.contains(&at) && (to == start || !visited.contains(&to))
            {
                path.push(e as u32);
                brute_force(edges, start, path, found);
                path.pop();
            }
        }
    }

    fn reachable(edges: &[(u32, u32)]) -> BTreeSet<u32> {
        let mut seen = BTreeSet::from([0]);
        while let Some(&(_, to)) = edges.iter().find(|(from, to)| seen.contains(from) && !seen.contains(to)) {
            seen.insert(to);
        }
        seen
    }

    fn graphs() -> impl Strategy<Value = (usize, Vec<(u32, u32)>)> {
        (1..7_usize).prop_flat_map(|n| {
            let location = 0..n as u32;
            (Just(n), prop::collection::vec((location.clone(), location), 0..12))
        })
    }

    proptest! {
        #[test]
        fn johnson_finds_what_brute_force_finds((n, edges) in graphs()) {
            let (found, _) = cycles(&process(n, &edges), UNLIMITED);
            let found = found.expect("no limit");
            let seen = reachable(&edges);
            let mut expected = BTreeSet::new();
            for start in seen {
                brute_force(&edges, start, &mut Vec::new(), &mut expected);
            }
            prop_assert_eq!(found.len(), expected.len(), "none twice");
            prop_assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected);
        }

        #[test]
        fn every_cycle_has_a_back_edge((n, edges) in graphs()) {
            let process = process(n, &edges);
            let (back, cycle) = Graph::new(&process, |_| true).back_edges();
            let all = cycles(&process, UNLIMITED).0.expect("no limit");
            prop_assert!(all.iter().all(|cycle| cycle.iter().any(|e| back.contains(e))));
            prop_assert_eq!(cycle.is_some(), !all.is_empty());
            if let Some(mut cycle) = cycle {
                let least = cycle.iter().enumerate().min_by_key(|(_, e)| edges[**e as usize].0).map(|(at, _)| at);
                cycle.rotate_left(least.unwrap_or(0));
                prop_assert!(all.contains(&cycle));
            }
            let rest = Graph::new(&process, |e| !back.contains(&e));
            prop_assert!(rest.back_edges().0.is_empty());
        }
    }

    #[test]
    fn too_many_cycles_are_given_up() {
        // Two edges from each of thirty locations to the next: 2^30 cycles.
        let edges: Vec<(u32, u32)> = (0..60).map(|e| (e / 2, (e / 2 + 1) % 30)).collect();
        let limits = CycleLimits { cycles: 1_000, work: 1_000_000 };
        let (found, work) = cycles(&process(30, &edges), limits);
        assert!(found.is_none() && work < 100_000, "{work}");
    }
}
