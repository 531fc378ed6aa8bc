//! Small random networks that use every feature of [`Network`].
//!
//! A network is a function of the generator's state and the [`Config`]. It
//! satisfies N-1 to N-6 ([`well_formed`] checks them). Run-time errors are
//! rare: assignments are mostly made to fit their ranges, indices to fit
//! their arrays.
//!
//! How it is made: clocks are either shared or belong to one process; every
//! location but the first is the target of an edge from an earlier one, so
//! that much of the graph is reachable; further edges are added at random.

mod config;
mod data;
mod describe;
mod shrink;
#[cfg(test)]
mod tests;
mod update;
mod wellformed;

pub use config::Config;
pub use describe::describe;
pub use shrink::{minimise, shrink};
pub use wellformed::well_formed;

use dwell_base::Rng;
use dwell_model::expr::{ClockConstraint, ClockRef, Expr, Guard, Program, Relation};
use dwell_model::{
    Channel, ChannelId, ChannelKind, Clock, ClockId, Edge, EventId, LabelId, Location, LocationId,
    LocationKind, Network, OutOfRange, Process, ProcessId, Span, Strength, Sync, SyncMember, SyncVector,
};

use data::Data;

/// A random network. It depends on `rng` and `config` alone.
pub fn network(rng: &mut Rng, config: &Config) -> Network {
    let process_count = *rng.pick(&[1, 2, 2, 2, 3, 3, 4]).min(&config.max_processes.max(1));
    let mut network = Network { name: "random".to_owned(), ..Network::default() };
    network.out_of_range =
        if rng.percent(config.disable_percent) { OutOfRange::Disable } else { OutOfRange::Error };
    let clock_count = pick_up_to(rng, config.max_clocks);
    network.clocks = (0..clock_count).map(|c| Clock { name: format!("x{c}") }).collect();
    network.labels = vec!["goal".to_owned(), "other".to_owned()];
    let data = Data::random(rng, config, &mut network);
    if process_count > 1 {
        add_channels(rng, config, &mut network);
        add_vectors(rng, config, &mut network, process_count);
    }
    // One event that no vector names.
    network.events.push("tau".to_owned());
    let owners: Vec<Option<u64>> = (0..clock_count)
        .map(|_| (!rng.percent(config.shared_clock_percent)).then(|| rng.below(process_count as u64)))
        .collect();
    for p in 0..process_count {
        let mine = owners.iter().enumerate().filter(|(_, owner)| owner.is_none_or(|o| o == p as u64));
        let clocks = mine.map(|(c, _)| ClockId::new(c)).collect();
        let process = Builder { rng, config, network: &network, data: &data, clocks }.process(p);
        network.processes.push(process);
    }
    network
}

/// 0 to `most`, the greater half of the numbers preferred.
fn pick_up_to(rng: &mut Rng, most: usize) -> usize {
    let n = most as u64 + 1;
    rng.below(n).max(rng.below(n)) as usize
}

fn add_channels(rng: &mut Rng, config: &Config, network: &mut Network) {
    for c in 0..rng.below(config.max_channels as u64 + 1) {
        let kind =
            if rng.percent(config.broadcast_percent) { ChannelKind::Broadcast } else { ChannelKind::Binary };
        let urgent = rng.percent(config.urgent_channel_percent);
        network.channels.push(Channel { name: format!("c{c}"), kind, urgent });
    }
}

fn add_vectors(rng: &mut Rng, config: &Config, network: &mut Network, process_count: usize) {
    network.events = vec!["a".to_owned(), "b".to_owned()];
    for _ in 0..rng.below(config.max_vectors as u64 + 1) {
        // N-4: distinct processes, in random order.
        let mut order: Vec<usize> = (0..process_count).collect();
        for i in (1..order.len()).rev() {
            order.swap(i, rng.below(i as u64 + 1) as usize);
        }
        order.truncate(2 + rng.below(2) as usize);
        let members = order.into_iter().map(|p| SyncMember {
            process: ProcessId::new(p),
            event: EventId(rng.below(2) as u32),
            strength: if rng.percent(config.weak_percent) { Strength::Weak } else { Strength::Strong },
        });
        network.vectors.push(SyncVector { members: members.collect() });
    }
}

struct Builder<'a> {
    rng: &'a mut Rng,
    config: &'a Config,
    /// Everything but the processes from this one on.
    network: &'a Network,
    data: &'a Data,
    /// The clocks that this process uses.
    clocks: Vec<ClockId>,
}

impl Builder<'_> {
    fn process(&mut self, index: usize) -> Process {
        let count = 2 + self.rng.below(self.config.max_locations.max(2) as u64 - 1) as usize;
        let mut initial = vec![LocationId(0)];
        if self.rng.percent(self.config.several_initial_percent) {
            initial.push(LocationId::new(1 + self.rng.below(count as u64 - 1) as usize));
        }
        let locations = (0..count).map(|l| self.location(l, initial.contains(&LocationId::new(l)))).collect();
        let mut ends: Vec<(usize, usize)> =
            (1..count).map(|l| (self.rng.below(l as u64) as usize, l)).collect();
        for from in 0..count {
            // Few places to get stuck in.
            if ends.iter().all(|&(source, _)| source != from) && self.rng.percent(85) {
                ends.push((from, self.rng.below(count as u64) as usize));
            }
        }
        for _ in 0..1 + self.rng.below(self.config.max_extra_edges as u64 + 1) {
            ends.push((self.rng.below(count as u64) as usize, self.rng.below(count as u64) as usize));
        }
        let edges = ends.into_iter().map(|(from, to)| self.edge(index, from, to)).collect();
        Process { name: format!("P{index}"), locations, edges, initial }
    }

    fn location(&mut self, index: usize, is_initial: bool) -> Location {
        let config = self.config;
        let mut invariant = Guard::default();
        if let Some(clock) = self.clock()
            && self.rng.percent(config.invariant_percent)
        {
            let relation = *self.rng.pick(&[Relation::Le, Relation::Le, Relation::Lt]);
            // A network that cannot start or dies at once shows little.
            let bound = if self.rng.percent(80) {
                Expr::Const(self.rng.range(1, config.max_constant.max(1)))
            } else {
                self.bound()
            };
            invariant.clocks.push(constraint(clock, relation, bound));
        }
        if let Some(clock) = self.clock()
            && !(is_initial && self.rng.percent(90))
            && self.rng.percent(config.odd_invariant_percent)
        {
            let relation = *self.rng.pick(&[Relation::Ge, Relation::Gt, Relation::Eq, Relation::Ge]);
            let bound = Expr::Const(self.rng.range(0, config.max_constant.min(2)));
            invariant.clocks.push(constraint(clock, relation, bound));
        }
        if !(is_initial && self.rng.percent(90)) && self.rng.percent(config.discrete_invariant_percent) {
            invariant.discrete.push(self.data.condition(self.rng, config));
        }
        let kind = match self.rng.below(100) {
            r if r < config.urgent_percent => LocationKind::Urgent,
            r if r < config.urgent_percent + config.committed_percent => LocationKind::Committed,
            _ => LocationKind::Normal,
        };
        let mut labels = Vec::new();
        for label in 0..2 {
            if !is_initial && self.rng.percent(25) {
                labels.push(LabelId(label));
            }
        }
        Location { name: format!("l{index}"), invariant, kind, labels }
    }

    fn edge(&mut self, process: usize, from: usize, to: usize) -> Edge {
        let config = self.config;
        let (sync, event) = self.synchronisation(process);
        let mut guard = Guard::default();
        if self.rng.percent(30) {
            guard.discrete.push(self.data.condition(self.rng, config));
            if self.rng.percent(25) {
                guard.discrete.push(self.data.condition(self.rng, config));
            }
        }
        // N-6
        let may_test_clocks = match sync {
            Sync::Send(c) => !self.network.channels[c.index()].urgent,
            Sync::Receive(c) => {
                let channel = &self.network.channels[c.index()];
                !channel.urgent && channel.kind == ChannelKind::Binary
            }
            Sync::Internal | Sync::Vector => true,
        };
        while may_test_clocks
            && guard.clocks.len() < 3
            && self.rng.percent(config.clock_guard_percent / (1 + guard.clocks.len() as u64))
        {
            let Some(clock) = self.clock() else { break };
            use Relation::*;
            let relation = *self.rng.pick(&[Lt, Le, Le, Ge, Ge, Ge, Gt, Gt, Eq]);
            let bound = self.bound();
            let mut made = constraint(clock, relation, bound);
            if self.rng.percent(config.diagonal_percent) {
                made.minus = self.clock();
            }
            guard.clocks.push(made);
        }
        let update = self.update(&mut guard);
        let (source, target) = (LocationId::new(from), LocationId::new(to));
        Edge { source, target, guard, update, sync, event, span: Span::default() }
    }

    /// N-5: an event that a vector names for this process makes the edge one
    /// of vectors; other edges have an event that none names for it.
    fn synchronisation(&mut self, process: usize) -> (Sync, EventId) {
        let mut named = Vec::new();
        for member in self.network.vectors.iter().flat_map(|v| &v.members) {
            if member.process.index() == process {
                named.push(member.event);
            }
        }
        let free: Vec<EventId> =
            (0..self.network.events.len()).map(EventId::new).filter(|e| !named.contains(e)).collect();
        let event = *self.rng.pick(&free);
        let channels = self.network.channels.len() as u64;
        match self.rng.below(100) {
            r if r < 22 && !named.is_empty() => (Sync::Vector, *self.rng.pick(&named)),
            r if r < 55 && channels > 0 => {
                let channel = ChannelId(self.rng.below(channels) as u32);
                // Even chances by process make pairs likely.
                let sends = self.rng.percent(if process.is_multiple_of(2) { 65 } else { 35 });
                (if sends { Sync::Send(channel) } else { Sync::Receive(channel) }, event)
            }
            _ => (Sync::Internal, event),
        }
    }

    /// One of the clocks of this process, or an element of two neighbours.
    fn clock(&mut self) -> Option<ClockRef> {
        if self.clocks.is_empty() {
            return None;
        }
        let clock = *self.rng.pick(&self.clocks);
        let next = ClockId(clock.0 + 1);
        if self.clocks.contains(&next) && self.rng.percent(self.config.clock_array_percent) {
            let index = self.data.index(self.rng, self.config.risky_guard_percent);
            return Some(ClockRef::Element { first: clock, len: 2, index, span: Span::default() });
        }
        Some(ClockRef::Fixed(clock))
    }

    fn bound(&mut self) -> Expr {
        let literal = self.rng.range(0, self.config.max_constant);
        if self.rng.percent(self.config.bound_expr_percent) {
            self.data.bound(self.rng, self.config, literal)
        } else {
            Expr::Const(literal)
        }
    }

    fn update(&mut self, guard: &mut Guard) -> Program {
        update::Writer::new(self.rng, self.config, self.network, self.data, &self.clocks).program(guard)
    }
}

fn constraint(left: ClockRef, relation: Relation, bound: Expr) -> ClockConstraint {
    ClockConstraint { left, minus: None, relation, bound, span: Span::default() }
}
