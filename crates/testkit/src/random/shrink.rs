//! Smaller variants of a network, to report failures by minimal examples.
//!
//! Every variant satisfies N-1 to N-6 if the network does, and is smaller by
//! one part, so that shrinking ends.

use dwell_model::expr::{Expr, Guard, Stmt};
use dwell_model::{LocationId, LocationKind, Network, ProcessId, Sync};

/// Shrinks `network` for as long as a smaller variant still `fails`.
pub fn minimise(network: &Network, mut fails: impl FnMut(&Network) -> bool) -> Network {
    let mut least = network.clone();
    while let Some(smaller) = shrink(&least).into_iter().find(|variant| fails(variant)) {
        least = smaller;
    }
    least
}

/// All variants of `network` that lack one part, the largest parts first.
pub fn shrink(network: &Network) -> Vec<Network> {
    let mut variants = Variants { network, found: Vec::new() };
    variants.processes();
    variants.vectors();
    variants.edges();
    variants.locations();
    variants.guards();
    variants.updates();
    variants.found
}

struct Variants<'a> {
    network: &'a Network,
    found: Vec<Network>,
}

impl Variants<'_> {
    fn add(&mut self, change: impl FnOnce(&mut Network)) {
        let mut variant = self.network.clone();
        change(&mut variant);
        restore_vector_edges(&mut variant);
        self.found.push(variant);
    }

    fn processes(&mut self) {
        for p in 0..self.network.processes.len() {
            if self.network.processes.len() > 1 {
                self.add(|n| remove_process(n, p));
            }
            if self.network.processes[p].edges.len() > 1 {
                self.add(|n| n.processes[p].edges.clear());
            }
            if self.network.processes[p].initial.len() > 1 {
                self.add(|n| n.processes[p].initial.truncate(1));
            }
        }
    }

    fn vectors(&mut self) {
        for v in 0..self.network.vectors.len() {
            self.add(|n| {
                n.vectors.remove(v);
            });
            for m in 0..self.network.vectors[v].members.len() {
                self.add(|n| {
                    n.vectors[v].members.remove(m);
                });
            }
        }
        for c in 0..self.network.channels.len() {
            if self.network.channels[c].urgent {
                self.add(|n| n.channels[c].urgent = false);
            }
        }
    }

    fn edges(&mut self) {
        for (p, e) in all_edges(self.network) {
            self.add(|n| {
                n.processes[p].edges.remove(e);
            });
        }
        for (p, e) in all_edges(self.network) {
            if matches!(self.network.processes[p].edges[e].sync, Sync::Send(_) | Sync::Receive(_)) {
                self.add(|n| n.processes[p].edges[e].sync = Sync::Internal);
            }
        }
    }

    fn locations(&mut self) {
        for (p, process) in self.network.processes.iter().enumerate() {
            for (l, location) in process.locations.iter().enumerate() {
                let id = LocationId::new(l);
                let in_use = process.edges.iter().any(|e| e.source == id || e.target == id);
                if !in_use && !process.initial.contains(&id) {
                    self.add(|n| remove_location(n, p, id));
                }
                if location.kind != LocationKind::Normal {
                    self.add(|n| n.processes[p].locations[l].kind = LocationKind::Normal);
                }
                for conjunct in 0..conjuncts(&location.invariant) {
                    self.add(|n| remove_conjunct(&mut n.processes[p].locations[l].invariant, conjunct));
                }
            }
        }
    }

    fn guards(&mut self) {
        for (p, e) in all_edges(self.network) {
            let guard = &self.network.processes[p].edges[e].guard;
            for conjunct in 0..conjuncts(guard) {
                self.add(|n| remove_conjunct(&mut n.processes[p].edges[e].guard, conjunct));
            }
            for (c, constraint) in guard.clocks.iter().enumerate() {
                match constraint.bound {
                    Expr::Const(bound) if bound > 0 => {
                        self.add(|n| n.processes[p].edges[e].guard.clocks[c].bound = Expr::Const(bound - 1))
                    }
                    Expr::Const(_) => {}
                    _ => self.add(|n| n.processes[p].edges[e].guard.clocks[c].bound = Expr::Const(1)),
                }
            }
        }
    }

    fn updates(&mut self) {
        for (p, e) in all_edges(self.network) {
            for body in smaller_blocks(&self.network.processes[p].edges[e].update.body) {
                self.add(|n| n.processes[p].edges[e].update.body = body);
            }
        }
    }
}

fn all_edges(network: &Network) -> Vec<(usize, usize)> {
    let edges = |(p, process): (usize, &dwell_model::Process)| (0..process.edges.len()).map(move |e| (p, e));
    network.processes.iter().enumerate().flat_map(edges).collect()
}

fn conjuncts(guard: &Guard) -> usize {
    guard.discrete.len() + guard.clocks.len()
}

fn remove_conjunct(guard: &mut Guard, conjunct: usize) {
    if conjunct < guard.discrete.len() {
        guard.discrete.remove(conjunct);
    } else {
        guard.clocks.remove(conjunct - guard.discrete.len());
    }
}

/// Blocks with one statement less, or with a statement replaced by less.
fn smaller_blocks(body: &[Stmt]) -> Vec<Vec<Stmt>> {
    let mut found = Vec::new();
    for (s, stmt) in body.iter().enumerate() {
        let with = |replacement: &[Stmt]| {
            let mut block = body.to_vec();
            block.splice(s..=s, replacement.iter().cloned());
            block
        };
        found.push(with(&[]));
        match stmt {
            Stmt::If { then, otherwise, .. } => {
                found.push(with(then));
                found.push(with(otherwise));
            }
            // A loop may be dropped, not opened: what remains must end.
            Stmt::While { .. } => {}
            Stmt::Reset { clock, from, value, span } if from.is_some() || *value != Expr::Const(0) => {
                let value = Expr::Const(0);
                found.push(with(&[Stmt::Reset { clock: clock.clone(), from: None, value, span: *span }]));
            }
            Stmt::Assign { .. } | Stmt::Reset { .. } => {}
        }
    }
    found
}

fn remove_process(network: &mut Network, p: usize) {
    network.processes.remove(p);
    for vector in &mut network.vectors {
        vector.members.retain(|m| m.process.index() != p);
        for member in &mut vector.members {
            if member.process.index() > p {
                member.process = ProcessId::new(member.process.index() - 1);
            }
        }
    }
}

fn remove_location(network: &mut Network, p: usize, gone: LocationId) {
    let process = &mut network.processes[p];
    process.locations.remove(gone.index());
    let moved = |l: &mut LocationId| {
        if *l > gone {
            *l = LocationId(l.0 - 1);
        }
    };
    process.initial.iter_mut().for_each(moved);
    for edge in &mut process.edges {
        moved(&mut edge.source);
        moved(&mut edge.target);
    }
}

/// N-5: edges whose vectors are gone go too, and so do empty vectors.
fn restore_vector_edges(network: &mut Network) {
    network.vectors.retain(|v| !v.members.is_empty());
    let vectors = &network.vectors;
    for (p, process) in network.processes.iter_mut().enumerate() {
        process.edges.retain(|edge| {
            edge.sync != Sync::Vector
                || vectors
                    .iter()
                    .flat_map(|v| &v.members)
                    .any(|m| m.process.index() == p && m.event == edge.event)
        });
    }
}
