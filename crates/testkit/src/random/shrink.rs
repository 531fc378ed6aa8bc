//! Smaller variants of a network, to report failures by minimal examples.
//!
//! Every variant satisfies N-1 to N-7 if the network does, and is smaller by
//! one part, so that shrinking ends. Loops and assignments to locals stay as
//! they are or go with what is around them: what remains must end and must
//! not read what it has not written.

use dwell_model::expr::{Expr, Guard, Place, Program, Stmt};
use dwell_model::{ChannelRef, LocationId, LocationKind, Network, ProcessId, Sync};

use super::walk::{self, Visit};

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
    variants.levels();
    variants.edges();
    variants.locations();
    variants.guards();
    variants.declarations();
    variants.blocks();
    variants.expressions();
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
        // All at once: those of an array are alike.
        if self.network.channels.iter().any(|c| c.urgent) {
            self.add(|n| n.channels.iter_mut().for_each(|c| c.urgent = false));
        }
    }

    fn levels(&mut self) {
        let network = self.network;
        if network.has_priorities() {
            self.add(|n| {
                n.internal_priority = 0;
                n.channels.iter_mut().for_each(|c| c.priority = 0);
                n.processes.iter_mut().for_each(|p| p.priority = 0);
            });
        }
        if network.internal_priority > 0 {
            self.add(|n| n.internal_priority -= 1);
        }
        for c in (0..network.channels.len()).filter(|&c| network.channels[c].priority > 0) {
            self.add(|n| n.channels[c].priority -= 1);
        }
        for p in (0..network.processes.len()).filter(|&p| network.processes[p].priority > 0) {
            self.add(|n| n.processes[p].priority -= 1);
        }
    }

    fn edges(&mut self) {
        for (p, e) in all_edges(self.network) {
            self.add(|n| {
                n.processes[p].edges.remove(e);
            });
        }
        for (p, e) in all_edges(self.network) {
            let sync = &self.network.processes[p].edges[e].sync;
            let (Sync::Send(channel) | Sync::Receive(channel)) = sync else { continue };
            self.add(|n| n.processes[p].edges[e].sync = Sync::Internal);
            if let ChannelRef::Element { first, .. } = channel {
                let fixed = ChannelRef::Fixed(*first);
                let sends = matches!(sync, Sync::Send(_));
                let sync = if sends { Sync::Send(fixed) } else { Sync::Receive(fixed) };
                self.add(|n| n.processes[p].edges[e].sync = sync);
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
                if !location.rates.is_empty() {
                    self.add(|n| n.processes[p].locations[l].rates.clear());
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
                if constraint.when.is_some() {
                    self.add(|n| n.processes[p].edges[e].guard.clocks[c].when = None);
                }
                if let Expr::Const(bound @ 1..) = constraint.bound {
                    self.add(|n| n.processes[p].edges[e].guard.clocks[c].bound = Expr::Const(bound - 1));
                }
            }
        }
    }

    fn declarations(&mut self) {
        if !self.network.before_update.body.is_empty() {
            self.add(|n| n.before_update = Program::default());
        }
        if !self.network.after_update.body.is_empty() {
            self.add(|n| n.after_update = Program::default());
        }
        for c in 0..self.network.clocks.len() {
            if self.network.clocks[c].init != 0 {
                self.add(|n| n.clocks[c].init = 0);
            }
        }
    }

    fn blocks(&mut self) {
        let mut all = Collected::default();
        walk::network(&mut self.network.clone(), &mut all);
        for (at, body) in all.blocks.into_iter().enumerate() {
            for smaller in smaller_blocks(&body) {
                self.add(|n| walk::network(n, &mut Exchange { block: Some((at, smaller)), expr: None }));
            }
        }
    }

    fn expressions(&mut self) {
        let mut all = Collected::default();
        walk::network(&mut self.network.clone(), &mut all);
        for (at, expr) in all.exprs.into_iter().enumerate() {
            for smaller in smaller_exprs(&expr) {
                self.add(|n| walk::network(n, &mut Exchange { block: None, expr: Some((at, smaller)) }));
            }
        }
    }
}

/// What can be shrunk on its own.
fn is_open(stmt: &Stmt) -> bool {
    let writes_local =
        matches!(stmt, Stmt::Assign { place: Place::Local(_) | Place::LocalElement { .. }, .. });
    !writes_local && !matches!(stmt, Stmt::While { .. })
}

#[derive(Default)]
struct Collected {
    blocks: Vec<Vec<Stmt>>,
    exprs: Vec<Expr>,
}

impl Visit for Collected {
    fn expr(&mut self, e: &mut Expr) {
        self.exprs.push(e.clone());
    }

    fn block(&mut self, body: &mut Vec<Stmt>) {
        self.blocks.push(body.clone());
    }

    fn enters(&self, stmt: &Stmt) -> bool {
        is_open(stmt)
    }
}

/// Puts something in the place of a block or an expression, by its number.
struct Exchange {
    block: Option<(usize, Vec<Stmt>)>,
    expr: Option<(usize, Expr)>,
}

/// The thing, when its number has come.
fn due<T>(pending: &mut Option<(usize, T)>) -> Option<T> {
    match pending {
        Some((0, _)) => pending.take().map(|(_, thing)| thing),
        Some((left, _)) => {
            *left -= 1;
            None
        }
        None => None,
    }
}

impl Visit for Exchange {
    fn expr(&mut self, e: &mut Expr) {
        if let Some(new) = due(&mut self.expr) {
            *e = new;
        }
    }

    fn block(&mut self, body: &mut Vec<Stmt>) {
        if let Some(new) = due(&mut self.block) {
            *body = new;
        }
    }

    fn enters(&self, stmt: &Stmt) -> bool {
        is_open(stmt)
    }
}

/// Parts of an expression that may stand for it, and 1, which lies in every
/// range and array.
fn smaller_exprs(e: &Expr) -> Vec<Expr> {
    let mut found = match e {
        Expr::Const(_) => return Vec::new(),
        Expr::And(left, right) | Expr::Or(left, right) => vec![(**left).clone(), (**right).clone()],
        Expr::IfThenElse(_, then, otherwise) => vec![(**then).clone(), (**otherwise).clone()],
        Expr::Seq(_, value) if !matches!(**value, Expr::Local(_)) => vec![(**value).clone()],
        _ => Vec::new(),
    };
    found.insert(0, Expr::Const(1));
    found
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
        match stmt {
            // F-2, and what the header says of locals.
            Stmt::Return(_) => continue,
            Stmt::Assign { .. } if !is_open(stmt) => continue,
            _ => found.push(with(&[])),
        }
        match stmt {
            Stmt::If { then, otherwise, .. } => {
                found.push(with(then));
                found.push(with(otherwise));
            }
            Stmt::Reset { clock, from: Some(_), span, .. } => {
                let value = Expr::Const(0);
                found.push(with(&[Stmt::Reset { clock: clock.clone(), from: None, value, span: *span }]));
            }
            _ => {}
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
