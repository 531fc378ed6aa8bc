//! The moves that the discrete part of a state enables.
//!
//! T-1 The order is fixed: synchronisation vectors in declaration order, then
//!     channels by sending process, then internal edges by process. Within a
//!     vector the last member varies fastest.
//! T-2 With a committed location active, some participant leaves one.
//! T-3 Guards of all participants hold on the source state (discrete part).

use crate::{Discrete, Moves, Participant};
use dwell_model::code::Machine;
use dwell_model::expr::{MAX_MOVES, RuntimeError, RuntimeErrorKind};
use dwell_model::{ChannelKind, EdgeId, LocationKind, Strength, Sync, System};

/// Tables that say, per process and location, which edges take part in what.
#[derive(Clone, Debug)]
pub struct Transitions {
    vectors: Vec<Vector>,
    /// `open[process][location]`: bit v is clear iff vector v is blocked there
    /// because a strong member has no edge.
    open: Vec<Vec<Vec<u64>>>,
    /// `local[process][location]`.
    local: Vec<Vec<LocalEdges>>,
    has_channels: bool,
    has_urgent_channels: bool,
}

#[derive(Clone, Debug)]
struct Vector {
    members: Vec<Member>,
}

#[derive(Clone, Debug)]
struct Member {
    process: u32,
    /// By location.
    edges: Vec<Vec<u32>>,
}

#[derive(Clone, Debug, Default)]
struct LocalEdges {
    internal: Vec<u32>,
    send: Vec<(u32, u32)>,
    receive: Vec<(u32, u32)>,
    committed: bool,
    no_delay: bool,
}

/// What the enumeration needs besides the tables.
struct Scan<'a> {
    system: &'a System,
    state: &'a mut Discrete,
    committed: bool,
    moves: &'a mut Moves,
    /// The participants of the move being made.
    chosen: Vec<Participant>,
    options: Options,
}

/// For each participant of a synchronisation the edges it may take.
#[derive(Clone, Debug, Default)]
pub(crate) struct Options {
    choices: Vec<Participant>,
    /// Start and end in `choices`; never empty.
    groups: Vec<(u32, u32)>,
    /// The counter over the groups.
    picked: Vec<u32>,
}

impl Options {
    fn clear(&mut self) {
        self.choices.clear();
        self.groups.clear();
    }

    fn only(&mut self, participant: Participant) {
        self.choices.push(participant);
        self.close(self.choices.len() - 1);
    }

    /// Ends a group that began at `start`; false when it is empty.
    fn close(&mut self, start: usize) -> bool {
        let end = self.choices.len();
        if start < end {
            self.groups.push((start as u32, end as u32));
        }
        start < end
    }
}

impl<'a> Scan<'a> {
    /// Borrows the buffers that `moves` keeps between states.
    fn new(system: &'a System, state: &'a mut Discrete, committed: bool, moves: &'a mut Moves) -> Self {
        let (chosen, options) = moves.take_scratch();
        Self { system, state, committed, moves, chosen, options }
    }

    fn finish(self) {
        self.moves.give_scratch(self.chosen, self.options);
    }

    /// Offers the edges of a process whose guards hold; tells whether there
    /// are any.
    fn offer(&mut self, process: u32, edges: impl Iterator<Item = u32>) -> Result<bool, RuntimeError> {
        let start = self.options.choices.len();
        for edge in edges {
            if self.guard_holds(process, edge)? {
                self.options.choices.push(Participant { process, edge });
            }
        }
        Ok(self.options.close(start))
    }

    fn guard_holds(&mut self, process: u32, edge: u32) -> Result<bool, RuntimeError> {
        let guard = &self.system.processes[process as usize].edges[edge as usize].guard;
        match guard.discrete {
            None => Ok(true),
            Some(code) => Machine::new(&self.system.code).holds(code, &mut self.state.registers),
        }
    }
}

impl Transitions {
    /// Builds the tables.
    pub fn new(system: &System) -> Self {
        let network = &system.network;
        let vectors: Vec<Vector> = network
            .vectors
            .iter()
            .map(|vector| Vector {
                members: vector
                    .members
                    .iter()
                    .map(|member| {
                        let process = &network.processes[member.process.index()];
                        let with_event = |e: &&EdgeId| process.edges[e.index()].event == member.event;
                        let compiled = &system.processes[member.process.index()];
                        Member {
                            process: member.process.0,
                            edges: compiled
                                .locations
                                .iter()
                                .map(|l| l.edges.iter().filter(with_event).map(|e| e.0).collect())
                                .collect(),
                        }
                    })
                    .collect(),
            })
            .collect();

        let words = vectors.len().div_ceil(64);
        let mut open: Vec<Vec<Vec<u64>>> =
            system.processes.iter().map(|p| vec![vec![u64::MAX; words]; p.locations.len()]).collect();
        for (v, (vector, declared)) in vectors.iter().zip(&network.vectors).enumerate() {
            for (member, declared) in vector.members.iter().zip(&declared.members) {
                for (l, edges) in member.edges.iter().enumerate() {
                    if edges.is_empty() && declared.strength == Strength::Strong {
                        open[member.process as usize][l][v / 64] &= !(1 << (v % 64));
                    }
                }
            }
        }
        // Bits above the last vector are never open.
        if let (Some(last), rest @ 1..) = (words.checked_sub(1), vectors.len() % 64) {
            for row in open.iter_mut().flatten() {
                row[last] &= (1 << rest) - 1;
            }
        }

        let local = system.processes.iter().map(|process| {
            let of_location = |location: &dwell_model::CompiledLocation| {
                let mut result = LocalEdges {
                    committed: location.kind == LocationKind::Committed,
                    no_delay: location.kind != LocationKind::Normal,
                    ..LocalEdges::default()
                };
                for edge in &location.edges {
                    match process.edges[edge.index()].sync {
                        Sync::Internal => result.internal.push(edge.0),
                        Sync::Send(channel) => result.send.push((channel.0, edge.0)),
                        Sync::Receive(channel) => result.receive.push((channel.0, edge.0)),
                        Sync::Vector => {}
                    }
                }
                result
            };
            process.locations.iter().map(of_location).collect()
        });
        Self {
            open,
            local: local.collect(),
            vectors,
            has_channels: !network.channels.is_empty(),
            has_urgent_channels: network.channels.iter().any(|c| c.urgent),
        }
    }

    /// Lists the moves of `state` into `moves`.
    pub fn enabled(
        &self,
        system: &System,
        state: &mut Discrete,
        moves: &mut Moves,
    ) -> Result<(), RuntimeError> {
        moves.clear();
        let committed = self.here(state).any(|local| local.committed);
        let mut scan = Scan::new(system, state, committed, moves);
        let result = self.scan(&mut scan);
        scan.finish();
        result
    }

    fn scan(&self, scan: &mut Scan<'_>) -> Result<(), RuntimeError> {
        self.enabled_vectors(scan)?;
        if self.has_channels {
            self.enabled_channels(scan)?;
        }
        for process in 0..self.local.len() {
            let local = &self.local[process][scan.state.locations[process] as usize];
            if scan.committed && !local.committed {
                continue; // T-2
            }
            for &edge in &local.internal {
                if scan.guard_holds(process as u32, edge)? {
                    scan.moves.push(&[Participant { process: process as u32, edge }]);
                }
            }
        }
        Ok(())
    }

    /// Whether time may pass: no urgent or committed location is active and
    /// no synchronisation on an urgent channel is enabled.
    #[inline]
    pub fn delay_allowed(&self, system: &System, state: &mut Discrete) -> Result<bool, RuntimeError> {
        if self.here(state).any(|local| local.no_delay) {
            return Ok(false);
        }
        if !self.has_urgent_channels {
            return Ok(true);
        }
        self.urgent_sync_enabled(system, state).map(|urgent| !urgent)
    }

    fn here<'a>(&'a self, state: &'a Discrete) -> impl Iterator<Item = &'a LocalEdges> {
        self.local.iter().zip(&state.locations).map(|(process, &l)| &process[l as usize])
    }

    fn enabled_vectors(&self, scan: &mut Scan<'_>) -> Result<(), RuntimeError> {
        for word in 0..self.vectors.len().div_ceil(64) {
            let mut open = u64::MAX;
            for (process, &l) in self.open.iter().zip(&scan.state.locations) {
                open &= process[l as usize][word];
            }
            while open != 0 {
                let v = word * 64 + open.trailing_zeros() as usize;
                open &= open - 1;
                self.product(&self.vectors[v].members, scan)?;
            }
        }
        Ok(())
    }

    /// All choices of one edge per member that takes part; T-1.
    fn product(&self, members: &[Member], scan: &mut Scan<'_>) -> Result<(), RuntimeError> {
        scan.options.clear();
        for member in members {
            let edges = &member.edges[scan.state.locations[member.process as usize] as usize];
            // No edge: a weak member; with a strong one the vector is not open.
            if !edges.is_empty() && !scan.offer(member.process, edges.iter().copied())? {
                return Ok(());
            }
        }
        self.combine(scan)
    }

    /// Every combination of one option of each participant, the last varying
    /// fastest: a counter, not a recursion, so that no model is too wide.
    fn combine(&self, scan: &mut Scan<'_>) -> Result<(), RuntimeError> {
        let Some(&first) = scan.options.choices.first() else { return Ok(()) };
        let groups = scan.options.groups.len();
        scan.options.picked.clear();
        scan.options.picked.resize(groups, 0);
        let mut combinations = 0;
        loop {
            scan.chosen.clear();
            for (group, &pick) in scan.options.groups.iter().zip(&scan.options.picked) {
                scan.chosen.push(scan.options.choices[(group.0 + pick) as usize]);
            }
            combinations += 1;
            if combinations + scan.moves.len() > MAX_MOVES {
                let process = &scan.system.network.processes[first.process as usize];
                let span = process.edges[first.edge as usize].span;
                return Err(RuntimeError { kind: RuntimeErrorKind::TooManyMoves, span });
            }
            if !scan.committed || scan.chosen.iter().any(|p| self.leaves_committed(p, scan.state)) {
                scan.moves.push(&scan.chosen); // T-2
            }
            // The next number of the counter.
            let mut at = groups;
            loop {
                if at == 0 {
                    return Ok(());
                }
                at -= 1;
                let (start, end) = scan.options.groups[at];
                scan.options.picked[at] += 1;
                if start + scan.options.picked[at] < end {
                    break;
                }
                scan.options.picked[at] = 0;
            }
        }
    }

    fn leaves_committed(&self, p: &Participant, state: &Discrete) -> bool {
        self.local[p.process as usize][state.locations[p.process as usize] as usize].committed
    }

    fn enabled_channels(&self, scan: &mut Scan<'_>) -> Result<(), RuntimeError> {
        for sender in 0..self.local.len() {
            let local = &self.local[sender][scan.state.locations[sender] as usize];
            for &(channel, edge) in &local.send {
                if !scan.guard_holds(sender as u32, edge)? {
                    continue;
                }
                let others = (0..self.local.len()).filter(|&r| r != sender);
                match scan.system.network.channels[channel as usize].kind {
                    ChannelKind::Binary => {
                        for receiver in others {
                            scan.options.clear();
                            scan.options.only(Participant { process: sender as u32, edge });
                            if self.offer_receive(receiver, channel, scan)? {
                                self.combine(scan)?;
                            }
                        }
                    }
                    ChannelKind::Broadcast => {
                        scan.options.clear();
                        scan.options.only(Participant { process: sender as u32, edge });
                        for receiver in others {
                            self.offer_receive(receiver, channel, scan)?;
                        }
                        self.combine(scan)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Offers the enabled receiving edges of a process; tells whether there
    /// are any.
    fn offer_receive(
        &self,
        receiver: usize,
        channel: u32,
        scan: &mut Scan<'_>,
    ) -> Result<bool, RuntimeError> {
        let local = &self.local[receiver][scan.state.locations[receiver] as usize];
        let edges = local.receive.iter().filter(|&&(c, _)| c == channel).map(|&(_, edge)| edge);
        scan.offer(receiver as u32, edges)
    }

    fn urgent_sync_enabled(&self, system: &System, state: &mut Discrete) -> Result<bool, RuntimeError> {
        let mut moves = Moves::default();
        let mut scan = Scan::new(system, state, false, &mut moves);
        for sender in 0..self.local.len() {
            let local = &self.local[sender][scan.state.locations[sender] as usize];
            for &(channel, edge) in &local.send {
                let declared = &system.network.channels[channel as usize];
                if !declared.urgent || !scan.guard_holds(sender as u32, edge)? {
                    continue;
                }
                if declared.kind == ChannelKind::Broadcast {
                    return Ok(true);
                }
                for receiver in (0..self.local.len()).filter(|&r| r != sender) {
                    if self.offer_receive(receiver, channel, &mut scan)? {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }
}
