//! Small random networks that use every feature of [`Network`].
//!
//! A network is a function of the generator's state and the [`Config`]. It
//! satisfies N-1 to N-7, F-1 and F-2 ([`well_formed`] checks them). Run-time
//! errors are rare: assignments are mostly made to fit their ranges, indices
//! to fit their arrays.
//!
//! How it is made: clocks are either shared or belong to one process; every
//! location but the first is the target of an edge from an earlier one, so
//! that much of the graph is reachable; further edges are added at random.

mod config;
mod data;
mod describe;
mod formula;
mod functions;
#[cfg(test)]
mod oracle_tests;
mod shrink;
mod sync;
mod terms;
#[cfg(test)]
mod tests;
mod update;
pub mod walk;
mod wellformed;
mod writer;

pub use config::Config;
pub use describe::{describe, describe_formula};
pub use formula::{formula, names_locations_of, two_clocks, with_query_functions};
pub use shrink::{minimise, shrink};
pub use wellformed::well_formed;

use dwell_base::Rng;
use dwell_model::expr::{ClockConstraint, ClockRef, Expr, Guard, Program, Relation};
use dwell_model::{
    ChannelKind, Clock, ClockId, Edge, LabelId, Location, LocationId, LocationKind, Network, OutOfRange,
    Overflow, Process, Span, Sync,
};

use data::Data;
use writer::{Effects, Writer};

/// A random network. It depends on `rng` and `config` alone.
pub fn network(rng: &mut Rng, config: &Config) -> Network {
    let process_count = *rng.pick(&[1, 2, 2, 2, 3, 3, 4]).min(&config.max_processes.max(1));
    let mut network = Network { name: "random".to_owned(), locals: writer::SLOTS, ..Network::default() };
    network.out_of_range =
        if rng.percent(config.disable_percent) { OutOfRange::Disable } else { OutOfRange::Error };
    network.overflow = if rng.percent(50) { Overflow::Wrap } else { Overflow::Error };
    let clock_count = pick_up_to(rng, config.max_clocks);
    for c in 0..clock_count {
        let init = if rng.percent(config.clock_init_percent) { rng.range(1, 2) } else { 0 };
        network.clocks.push(Clock { name: format!("x{c}"), init });
    }
    network.labels = vec!["goal".to_owned(), "other".to_owned()];
    let data = Data::random(rng, config, &mut network);
    for _ in 0..rng.below(config.max_functions as u64 + 1) {
        let effects = if rng.percent(50) { Effects::Any } else { Effects::None };
        functions::add(rng, config, &mut network, effects);
    }
    let mut channels = Vec::new();
    if process_count > 1 {
        channels = sync::add_channels(rng, config, &mut network);
        sync::add_vectors(rng, config, &mut network, process_count);
    }
    // One event that no vector names.
    network.events.push("tau".to_owned());
    let owners: Vec<Option<u64>> = (0..clock_count)
        .map(|_| (!rng.percent(config.shared_clock_percent)).then(|| rng.below(process_count as u64)))
        .collect();
    for p in 0..process_count {
        let mine = owners.iter().enumerate().filter(|(_, owner)| owner.is_none_or(|o| o == p as u64));
        let clocks = mine.map(|(c, _)| ClockId::new(c)).collect();
        let process =
            Builder { rng, config, network: &network, data: &data, channels: &channels, clocks }.process(p);
        network.processes.push(process);
    }
    priorities(rng, config, &mut network);
    network.before_update = around(rng, config, &network, &data);
    network.after_update = around(rng, config, &network, &data);
    network
}

/// Levels of channels, of what has none, and of processes. Nothing is drawn
/// where the configuration has none.
fn priorities(rng: &mut Rng, config: &Config, network: &mut Network) {
    let mut chosen = |percent: u64| percent > 0 && rng.percent(percent);
    let (channels, processes) =
        (chosen(config.channel_priority_percent), chosen(config.process_priority_percent));
    if channels {
        network.internal_priority = rng.below(3) as u32;
        network.channels.iter_mut().for_each(|channel| channel.priority = rng.below(3) as u32);
    }
    if processes {
        network.processes.iter_mut().for_each(|process| process.priority = rng.below(3) as u32);
    }
}

/// 0 to `most`, the greater half of the numbers preferred.
fn pick_up_to(rng: &mut Rng, most: usize) -> usize {
    let n = most as u64 + 1;
    rng.below(n).max(rng.below(n)) as usize
}

/// Something to do at every transition, or nothing. A clock that is set every
/// time hardly matters, so that is rare.
fn around(rng: &mut Rng, config: &Config, network: &Network, data: &Data) -> Program {
    let mut clocks: Vec<ClockId> = (0..network.clocks.len()).map(ClockId::new).collect();
    if !rng.percent(config.around_percent) {
        return Program::default();
    }
    if rng.percent(70) {
        clocks.clear();
    }
    Writer::update(rng, config, network, data, &clocks).program(&mut Guard::default())
}

struct Builder<'a> {
    rng: &'a mut Rng,
    config: &'a Config,
    /// Everything but the processes from this one on.
    network: &'a Network,
    data: &'a Data,
    channels: &'a [sync::Channels],
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
        Process { name: format!("P{index}"), locations, edges, initial, ..Process::default() }
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
            invariant.clocks.push(self.constraint(clock, relation, bound));
        }
        if let Some(clock) = self.clock()
            && !(is_initial && self.rng.percent(90))
            && self.rng.percent(config.odd_invariant_percent)
        {
            let relation = *self.rng.pick(&[Relation::Ge, Relation::Gt, Relation::Eq, Relation::Ge]);
            let bound = Expr::Const(self.rng.range(0, config.max_constant.min(2)));
            invariant.clocks.push(self.constraint(clock, relation, bound));
        }
        if !(is_initial && self.rng.percent(90)) && self.rng.percent(config.discrete_invariant_percent) {
            invariant.discrete.push(self.test().condition());
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
        let mut rates = Vec::new();
        if config.rate_percent > 0 && self.rng.percent(config.rate_percent) && !self.clocks.is_empty() {
            let clock = *self.rng.pick(&self.clocks);
            let rate = match self.rng.below(6) {
                0 => Expr::Const(1),
                1 => {
                    let holds = self.test().condition();
                    Expr::IfThenElse(holds.into(), Expr::Const(0).into(), Expr::Const(1).into())
                }
                _ => Expr::Const(0),
            };
            rates.push((ClockRef::Fixed(clock), rate));
        }
        Location { name: format!("l{index}"), invariant, kind, labels, rates, span: Span::default() }
    }

    fn edge(&mut self, process: usize, from: usize, to: usize) -> Edge {
        let config = self.config;
        let (sync, event) = self.synchronisation(process);
        let mut guard = Guard::default();
        if self.rng.percent(30) {
            guard.discrete.push(self.test().condition());
            if self.rng.percent(25) {
                guard.discrete.push(self.test().condition());
            }
        }
        let mut deadline = false;
        let most = match &sync {
            Sync::Send(channel) | Sync::Receive(channel) => {
                let channel = &self.network.channels[channel.range().0.index()];
                match (channel.urgent, channel.kind, &sync) {
                    (true, ..) if config.deadline_percent == 0 => 0,
                    (true, ChannelKind::Binary, _) | (true, _, Sync::Send(_)) => {
                        deadline = true;
                        if self.rng.percent(config.deadline_percent) { 2 } else { 0 }
                    }
                    (true, ..) => 1,
                    // Each constraint doubles the ways to take part, or more.
                    (false, ChannelKind::Broadcast, Sync::Receive(_)) => 2,
                    _ => 3,
                }
            }
            Sync::Internal | Sync::Vector => 3,
        };
        while guard.clocks.len() < most
            && self.rng.percent(config.clock_guard_percent / (1 + guard.clocks.len() as u64))
        {
            let Some(clock) = self.clock() else { break };
            use Relation::*;
            let relation = *self.rng.pick(&[Lt, Le, Le, Ge, Ge, Ge, Gt, Gt, Eq]);
            let relation = if deadline { Ge } else { relation };
            let bound = self.bound();
            let mut made = self.constraint(clock, relation, bound);
            if !deadline && self.rng.percent(config.diagonal_percent) {
                made.minus = self.clock();
            }
            guard.clocks.push(made);
        }
        let update = Writer::update(self.rng, config, self.network, self.data, &self.clocks);
        let update = update.program(&mut guard);
        let (source, target) = (LocationId::new(from), LocationId::new(to));
        Edge { source, target, guard, update, sync, event, span: Span::default(), select: Vec::new() }
    }

    fn test(&mut self) -> Writer<'_> {
        Writer::test(self.rng, self.config, self.network, self.data)
    }

    /// `left ~ bound`, sometimes under a condition.
    fn constraint(&mut self, left: ClockRef, relation: Relation, bound: Expr) -> ClockConstraint {
        let when = self.rng.percent(self.config.conditional_percent).then(|| self.test().condition());
        ClockConstraint { when, left, minus: None, relation, bound, span: Span::default() }
    }

    /// One of the clocks of this process, or an element of two neighbours.
    fn clock(&mut self) -> Option<ClockRef> {
        if self.clocks.is_empty() {
            return None;
        }
        let clock = *self.rng.pick(&self.clocks);
        let next = ClockId(clock.0 + 1);
        if self.clocks.contains(&next) && self.rng.percent(self.config.clock_array_percent) {
            let index = self.test().index(2);
            return Some(ClockRef::Element { first: clock, len: 2, index, span: Span::default() });
        }
        Some(ClockRef::Fixed(clock))
    }

    fn bound(&mut self) -> Expr {
        let literal = self.rng.range(0, self.config.max_constant);
        if self.rng.percent(self.config.bound_expr_percent) {
            self.test().bound(literal)
        } else {
            Expr::Const(literal)
        }
    }
}
