//! Which cycles come with which: lemma 2 of the paper, as Horn clauses.
//!
//! A clause says of a cycle that it occurs infinitely often only if one of a
//! *group* of cycles does (R-0 in the crate's header). Where all of a group are
//! covered its heads are. A group is the cycles through some edges:
//!
//! R-1 *need_change_to*: the cycle leaves a variable with a value of one
//!     interval (it sets it, or its guard says so) and later needs one of an
//!     interval apart, and does not write the variable in between. Someone else
//!     changes it, and the last change is into the second interval: cycles
//!     through edges that may change it so.
//! R-2 *increasing*, *decreasing*: the cycle only adds constants to a variable,
//!     and more than zero in sum. Variables are bounded and sums do not wrap
//!     around, so some cycle does not only add, or subtracts in sum.
//! R-3 *sync*: an edge that sends or receives needs a partner in another
//!     process. The sender of a broadcast does not. A member of vectors needs a
//!     strong member of each of them.
//! R-4 *needs_reset*: the cycle passes a lower bound of a clock and later an
//!     upper bound below it, and does not set the clock in between. Time cannot
//!     do that, whether or not the clock stands still, nor can extrapolation:
//!     at all locations between the two, U of the clock is at least the upper
//!     bound, so a lower bound is kept or becomes `> U`.
//!
//! The cycle itself is never needed in its own group (the crate's header says
//! why), and for R-3 none of its process is.

use crate::effects::{Change, ClockBound, ClockBounds, EdgeFacts, Reader};
use crate::interval::intersection;
use crate::local::{Local, LocalCycle};
use dwell_model::analysis::Interval;
use dwell_model::{ChannelKind, ChannelRef, EventId, Network, ProcessId, Strength, Sync};
use std::collections::{BTreeMap, BTreeSet};

/// What the cycles of a group do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Does {
    /// Change a variable to a value from the first to the second one.
    Changes(u32, i32, i32),
    /// Change a variable other than by adding at least zero.
    NotIncreasing(u32),
    /// The same the other way.
    NotDecreasing(u32),
    /// Set a clock.
    Resets(u32),
    /// Send on one of so many channels from the first one on.
    Sends(u32, u32),
    /// Receive on one of them.
    Receives(u32, u32),
    /// Take part in the vectors of a process and an event, as the n-th strong
    /// member besides it.
    Partners(u32, u32, u32),
}

impl Does {
    /// Whether it is about partners, not about variables or clocks.
    pub fn is_sync(self) -> bool {
        matches!(self, Self::Sends(..) | Self::Receives(..) | Self::Partners(..))
    }
}

/// Cycles of which one must occur, and who needs that.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub does: Does,
    /// By number.
    pub members: Vec<u32>,
    /// The cycles that need a member other than themselves; for partners, one
    /// of another process.
    pub heads: Vec<u32>,
}

/// Which rules are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    All,
    SyncOnly,
}

/// Most members of all groups together; what is left out makes sets larger,
/// never wrong.
const MAX_MEMBERS: usize = 2_000_000;

/// The clauses of a network.
pub(crate) fn groups(network: &Network, local: &Local, which: Which) -> Vec<Group> {
    let mut builder = Builder::new(network, local, which);
    for cycle in 0..local.cycles.len() as u32 {
        builder.partners(cycle);
        if which == Which::All {
            builder.variables(cycle);
            builder.clocks(cycle);
        }
    }
    builder.sums();
    builder.finish()
}

struct Builder<'a> {
    network: &'a Network,
    local: &'a Local,
    /// By the numbers of the edges.
    facts: Vec<EdgeFacts>,
    /// By process and location.
    invariants: Vec<Vec<ClockBounds>>,
    /// The edges that write each variable that is of interest.
    writers: BTreeMap<u32, Vec<(usize, Change)>>,
    senders: Vec<Vec<usize>>,
    receivers: Vec<Vec<usize>>,
    /// Edges of a process with an event.
    events: BTreeMap<(ProcessId, EventId), Vec<usize>>,
    /// Vectors that a process and an event take part in.
    vectors: BTreeMap<(ProcessId, EventId), Vec<usize>>,
    heads: BTreeMap<Does, BTreeSet<u32>>,
}

impl<'a> Builder<'a> {
    fn new(network: &'a Network, local: &'a Local, which: Which) -> Self {
        let mut builder = Self {
            network,
            local,
            facts: Vec::new(),
            invariants: Vec::new(),
            writers: BTreeMap::new(),
            senders: vec![Vec::new(); network.channels.len()],
            receivers: vec![Vec::new(); network.channels.len()],
            events: BTreeMap::new(),
            vectors: BTreeMap::new(),
            heads: BTreeMap::new(),
        };
        builder.note_partners();
        if which == Which::All {
            let reader = Reader::new(network);
            let edges = network.processes.iter().flat_map(|p| &p.edges);
            builder.facts = edges.map(|edge| reader.edge(edge)).collect();
            let bounds = |p: &dwell_model::Process| {
                p.locations.iter().map(|l| reader.clock_bounds(&l.invariant)).collect()
            };
            builder.invariants = network.processes.iter().map(bounds).collect();
            builder.note_writers(&reader);
        }
        builder
    }

    fn note_partners(&mut self) {
        let mut number = 0;
        for (p, process) in self.network.processes.iter().enumerate() {
            for edge in &process.edges {
                match &edge.sync {
                    Sync::Send(channel) => channels(channel).for_each(|c| self.senders[c].push(number)),
                    Sync::Receive(channel) => channels(channel).for_each(|c| self.receivers[c].push(number)),
                    Sync::Vector => {
                        self.events.entry((ProcessId::new(p), edge.event)).or_default().push(number);
                    }
                    Sync::Internal => {}
                }
                number += 1;
            }
        }
        for (v, vector) in self.network.vectors.iter().enumerate() {
            for member in &vector.members {
                self.vectors.entry((member.process, member.event)).or_default().push(v);
            }
        }
    }

    fn note_writers(&mut self, reader: &Reader<'_>) {
        let needed = self.facts.iter().flat_map(|facts| facts.needs.iter().map(|&(var, _)| var));
        let mut writers: BTreeMap<u32, Vec<_>> = needed.map(|var| (var, Vec::new())).collect();
        for (var, change) in self.facts.iter().flat_map(EdgeFacts::written) {
            if matches!(change, Change::Add(_)) && reader.is_plain(var) {
                writers.entry(var).or_default();
            }
        }
        let mut size = 0;
        for (number, facts) in self.facts.iter().enumerate() {
            let single = facts.written().map(|(var, _)| var);
            let arrays = facts.written_arrays().flat_map(|a| {
                writers.range(a.first..a.first + a.len).map(|(&var, _)| var).collect::<Vec<_>>()
            });
            let vars: BTreeSet<u32> = single.chain(arrays).filter(|var| writers.contains_key(var)).collect();
            size += vars.len();
            if size > MAX_MEMBERS {
                self.facts.iter_mut().for_each(|facts| facts.needs.clear());
                return;
            }
            for var in vars {
                let change = facts.change(var, self.network);
                writers.get_mut(&var).expect("of interest").push((number, change));
            }
        }
        self.writers = writers;
    }

    fn needs(&mut self, cycle: u32, does: Does) {
        self.heads.entry(does).or_default().insert(cycle);
    }

    /// Twice around: what holds at the end of one round does so at the
    /// start of the next.
    fn variables(&mut self, cycle: u32) {
        let mut known: BTreeMap<u32, Interval> = BTreeMap::new();
        let mut found = Vec::new();
        for edge in self.local.edges(cycle).chain(self.local.edges(cycle)) {
            let facts = &self.facts[edge];
            for &(var, needed) in &facts.needs {
                let both = match known.get(&var) {
                    Some(&before) => intersection(before, needed),
                    None => Some(needed),
                };
                if both.is_none() {
                    found.push(Does::Changes(var, needed.min, needed.max));
                }
                known.insert(var, both.unwrap_or(needed));
            }
            known.retain(|&var, _| facts.change(var, self.network) == Change::Keep);
            let set = facts.written().filter(|(var, _)| self.writers.contains_key(var));
            known.extend(set.filter_map(|(var, change)| match change {
                Change::Set(values) => Some((var, values)),
                _ => None,
            }));
        }
        found.into_iter().for_each(|does| self.needs(cycle, does));
    }

    /// Guards are tested before clocks are set, invariants after.
    fn clocks(&mut self, cycle: u32) {
        let mut above: BTreeMap<u32, ClockBound> = BTreeMap::new();
        let mut found = Vec::new();
        let mut pass = |bounds: &ClockBounds, above: &mut BTreeMap<u32, ClockBound>| {
            for upper in &bounds.upper {
                if above.get(&upper.clock).is_some_and(|lower| excludes(lower, upper)) {
                    found.push(Does::Resets(upper.clock));
                }
            }
            for lower in &bounds.lower {
                let most = above.entry(lower.clock).or_insert(*lower);
                if (most.constant, most.strict) < (lower.constant, lower.strict) {
                    *most = *lower;
                }
            }
        };
        let process = &self.network.processes[self.local.cycles[cycle as usize].process as usize];
        let invariants = &self.invariants[self.local.cycles[cycle as usize].process as usize];
        let edges = &self.local.cycles[cycle as usize].edges;
        let targets = edges.iter().map(|&e| process.edges[e as usize].target.index());
        let around: Vec<(usize, usize)> = self.local.edges(cycle).zip(targets).collect();
        for &(edge, target) in around.iter().chain(&around) {
            let facts = &self.facts[edge];
            pass(&facts.clocks, &mut above);
            above.retain(|&clock, _| !facts.may_reset(clock));
            pass(&invariants[target], &mut above);
        }
        found.into_iter().for_each(|does| self.needs(cycle, does));
    }

    ///
    fn partners(&mut self, cycle: u32) {
        let LocalCycle { process, ref edges } = self.local.cycles[cycle as usize];
        let network = self.network;
        for &edge in edges {
            let edge = &network.processes[process as usize].edges[edge as usize];
            match &edge.sync {
                Sync::Internal => {}
                Sync::Receive(channel) => {
                    let (first, len) = channel.range();
                    self.needs(cycle, Does::Sends(first.0, len));
                }
                Sync::Send(channel) => {
                    let (first, len) = channel.range();
                    // An empty range is no channel at all: the edge is never taken.
                    let kind = network.channels.get(first.index()).map(|channel| channel.kind);
                    if kind == Some(ChannelKind::Binary) {
                        self.needs(cycle, Does::Receives(first.0, len));
                    }
                }
                Sync::Vector => {
                    let strong = self.strong(ProcessId(process), edge.event);
                    // Which member of each vector is a free choice.
                    for nth in 0..strong {
                        self.needs(cycle, Does::Partners(process, edge.event.0, nth));
                    }
                }
            }
        }
    }

    /// The most strong members besides this one that one of its vectors has;
    /// 0 when one has none.
    fn strong(&self, process: ProcessId, event: EventId) -> u32 {
        let others = |&v: &usize| {
            let members = self.network.vectors[v].members.iter();
            members.filter(|m| m.strength == Strength::Strong && m.process != process).count() as u32
        };
        let counts = self.vectors.get(&(process, event)).into_iter().flatten().map(others);
        let (least, most) = counts.fold((u32::MAX, 0), |(least, most), n| (least.min(n), most.max(n)));
        if least == 0 { 0 } else { most }
    }

    ///
    fn sums(&mut self) {
        let mut found = Vec::new();
        for (&var, writers) in &self.writers {
            if !writers.iter().any(|(_, change)| matches!(change, Change::Add(_))) {
                continue;
            }
            for cycle in through(self.local, writers.iter().map(|&(edge, _)| edge)) {
                match self.sum(cycle, var) {
                    Some(1..) => found.push((cycle, Does::NotIncreasing(var))),
                    Some(..=-1) => found.push((cycle, Does::NotDecreasing(var))),
                    _ => {}
                }
            }
        }
        found.into_iter().for_each(|(cycle, does)| self.needs(cycle, does));
    }

    /// What a cycle adds to a variable, where adding is all it does.
    fn sum(&self, cycle: u32, var: u32) -> Option<i64> {
        let mut sum = 0;
        for edge in self.local.edges(cycle) {
            match self.facts[edge].change(var, self.network) {
                Change::Keep => {}
                Change::Add(d) => sum += i64::from(d),
                Change::Set(_) | Change::MaySet(_) => return None,
            }
        }
        Some(sum)
    }

    fn members(&self, does: Does) -> Vec<u32> {
        let writers = |var: u32| self.writers.get(&var).into_iter().flatten();
        let all = |edges: &mut dyn Iterator<Item = usize>| through(self.local, edges);
        match does {
            Does::Changes(var, min, max) => {
                let into = Interval { min, max };
                all(&mut writers(var).filter(|(_, change)| change.may_reach(into)).map(|&(e, _)| e))
            }
            Does::NotIncreasing(var) | Does::NotDecreasing(var) => {
                let sign = if matches!(does, Does::NotIncreasing(_)) { 1 } else { -1 };
                let mut cycles = all(&mut writers(var).map(|&(e, _)| e));
                cycles.retain(|&cycle| self.sum(cycle, var).is_none_or(|sum| sum * sign < 0));
                cycles
            }
            Does::Resets(clock) => {
                let sets = |(e, facts): (usize, &EdgeFacts)| facts.may_reset(clock).then_some(e);
                all(&mut self.facts.iter().enumerate().filter_map(sets))
            }
            Does::Sends(first, len) => all(&mut self.senders[range(first, len)].iter().flatten().copied()),
            Does::Receives(first, len) => {
                all(&mut self.receivers[range(first, len)].iter().flatten().copied())
            }
            Does::Partners(process, event, nth) => {
                let vectors = self.vectors.get(&(ProcessId(process), EventId(event))).into_iter().flatten();
                let partner = |&v: &usize| {
                    let members = self.network.vectors[v].members.iter();
                    let strong =
                        members.filter(|m| m.strength == Strength::Strong && m.process != ProcessId(process));
                    strong.take(nth as usize + 1).last()
                };
                let edges =
                    vectors.filter_map(partner).filter_map(|m| self.events.get(&(m.process, m.event)));
                all(&mut edges.flatten().copied())
            }
        }
    }

    fn finish(mut self) -> Vec<Group> {
        let heads = std::mem::take(&mut self.heads);
        let mut size = 0;
        let mut groups = Vec::new();
        for (does, heads) in heads {
            let members = self.members(does);
            size += members.len() + heads.len();
            if size > MAX_MEMBERS {
                break;
            }
            groups.push(Group { does, members, heads: heads.into_iter().collect() });
        }
        groups
    }
}

/// The cycles through some edges.
fn through(local: &Local, edges: impl Iterator<Item = usize>) -> Vec<u32> {
    let all: BTreeSet<u32> = edges.flat_map(|edge| local.through[edge].iter().copied()).collect();
    all.into_iter().collect()
}

fn range(first: u32, len: u32) -> std::ops::Range<usize> {
    first as usize..(first + len) as usize
}

fn channels(channel: &ChannelRef) -> std::ops::Range<usize> {
    let (first, len) = channel.range();
    range(first.0, len)
}

/// Whether no value is above the first and below the second.
fn excludes(lower: &ClockBound, upper: &ClockBound) -> bool {
    lower.constant > upper.constant || lower.constant == upper.constant && (lower.strict || upper.strict)
}
