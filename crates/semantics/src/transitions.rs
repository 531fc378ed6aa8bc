//! The moves that the discrete part of a state enables.
//!
//! T-1 The order is fixed: synchronisation vectors in declaration order, then
//!     channels by sending process, then internal edges by process. Within a
//!     vector the last member varies fastest.
//! T-2 With a committed location active, some participant leaves one.
//! T-3 Guards of all participants hold on the source state (discrete part).

use crate::options::Options;
use crate::{Discrete, Moves, Participant, Role};
use dwell_model::code::Machine;
use dwell_model::expr::{MAX_MOVES, RuntimeError, RuntimeErrorKind};
use dwell_model::{ChannelOperand, CompiledEdge, CompiledSync, EdgeId, LocationKind, Span, Strength, System};

/// Tables that say, per process and location, which edges take part in what.
#[derive(Clone, Debug)]
pub struct Transitions {
    vectors: Vec<Vector>,
    /// `open[process][location]`: bit v is clear iff vector v is blocked there
    /// because a strong member has no edge.
    open: Vec<Vec<Vec<u64>>>,
    /// `local[process][location]`.
    pub(crate) local: Vec<Vec<LocalEdges>>,
    has_channels: bool,
    pub(crate) has_urgent_channels: bool,
    /// A clock guard may decide whether an urgent synchronisation is enabled.
    pub(crate) has_deadlines: bool,
    pub(crate) has_priorities: bool,
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
pub(crate) struct LocalEdges {
    internal: Vec<u32>,
    pub(crate) send: Vec<(ChannelOperand, u32)>,
    pub(crate) receive: Vec<(ChannelOperand, u32)>,
    pub(crate) committed: bool,
    pub(crate) no_delay: bool,
}

/// Buffers of the enumeration, kept between states so that it does not
/// allocate.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    pub(crate) options: Options,
    /// Enabled senders and receivers, with their channels.
    pub(crate) sends: Vec<(u32, Participant)>,
    pub(crate) receives: Vec<(u32, Participant)>,
    /// Bit c: someone sends on channel c.
    pub(crate) sent: Vec<u64>,
    /// Synchronisations on urgent channels that only clock guards delay:
    /// sender and, on binary channels, receiver.
    pub(crate) urgent: Vec<(Participant, Option<Participant>)>,
}

/// What the enumeration needs besides the tables.
pub(crate) struct Scan<'a> {
    pub(crate) system: &'a System,
    pub(crate) state: &'a mut Discrete,
    pub(crate) committed: bool,
    pub(crate) moves: &'a mut Moves,
    pub(crate) scratch: &'a mut Scratch,
}

impl Scan<'_> {
    pub(crate) fn guard_holds(&mut self, process: u32, edge: u32) -> Result<bool, RuntimeError> {
        let guard = &self.system.processes[process as usize].edges[edge as usize].guard;
        match guard.discrete {
            None => Ok(true),
            Some(code) => Machine::new(&self.system.code).holds(code, &mut self.state.registers),
        }
    }

    /// Turns the options into moves. T-2
    pub(crate) fn combine(&mut self, local: &[Vec<LocalEdges>]) -> Result<(), RuntimeError> {
        let (committed, locations) = (self.committed, &self.state.locations);
        let leaves_committed = |p: &Participant| {
            let process = p.process as usize;
            p.role == Role::Takes && local[process][locations[process] as usize].committed
        };
        let allowed = |chosen: &[Participant]| !committed || chosen.iter().any(leaves_committed);
        if self.scratch.options.combine(self.moves, allowed) { Ok(()) } else { Err(self.too_many()) }
    }

    #[cold]
    pub(crate) fn too_many(&self) -> RuntimeError {
        let span = self.scratch.options.first().map_or(Span::default(), |p| {
            self.system.network.processes[p.process as usize].edges[p.edge as usize].span
        });
        RuntimeError { kind: RuntimeErrorKind::TooManyMoves, span }
    }
}

/// Whether a clock guard may decide if an urgent synchronisation is enabled.
pub fn has_deadlines(system: &System) -> bool {
    let has_deadline = |edge: &CompiledEdge| match edge.sync {
        CompiledSync::Send(channel) | CompiledSync::Receive(channel) => {
            system.network.channels[channel.first as usize].urgent && !edge.guard.clocks.is_empty()
        }
        CompiledSync::Internal | CompiledSync::Vector => false,
    };
    system.processes.iter().flat_map(|p| &p.edges).any(has_deadline)
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
                        CompiledSync::Internal => result.internal.push(edge.0),
                        CompiledSync::Send(channel) => result.send.push((channel, edge.0)),
                        CompiledSync::Receive(channel) => result.receive.push((channel, edge.0)),
                        CompiledSync::Vector => {}
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
            has_deadlines: has_deadlines(system),
            has_priorities: network.has_priorities(),
        }
    }

    /// Lists the moves of `state` into `moves`.
    pub fn enabled(
        &self,
        system: &System,
        state: &mut Discrete,
        moves: &mut Moves,
        scratch: &mut Scratch,
    ) -> Result<(), RuntimeError> {
        moves.clear();
        let committed = self.here(state).any(|local| local.committed);
        self.scan(&mut Scan { system, state, committed, moves, scratch })
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
                    scan.moves.push(&[Participant::takes(process as u32, edge)]);
                }
            }
        }
        if scan.moves.len() > MAX_MOVES {
            return Err(scan.too_many());
        }
        Ok(())
    }

    pub(crate) fn here<'a>(&'a self, state: &'a Discrete) -> impl Iterator<Item = &'a LocalEdges> {
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
        scan.scratch.options.clear();
        for member in members {
            let edges = &member.edges[scan.state.locations[member.process as usize] as usize];
            let start = scan.scratch.options.open();
            for &edge in edges {
                if scan.guard_holds(member.process, edge)? {
                    scan.scratch.options.choice(Participant::takes(member.process, edge));
                }
            }
            // No edge: a weak member; with a strong one the vector is not open.
            if !scan.scratch.options.close(start) && !edges.is_empty() {
                return Ok(());
            }
        }
        scan.combine(&self.local)
    }
}
