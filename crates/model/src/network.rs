//! Networks of timed automata.

use crate::Span;
use crate::expr::{Guard, Program};

dwell_base::ids! {
    /// A clock of the network, from 0; row `index + 1` of a zone.
    ClockId;
    /// An integer slot of the network; arrays are flattened.
    VarId;
    /// A process.
    ProcessId;
    /// A location of one process.
    LocationId;
    /// An edge of one process.
    EdgeId;
    /// A channel.
    ChannelId;
    /// An event name, as used by synchronisation vectors.
    EventId;
    /// A label that locations may carry.
    LabelId;
}

/// A network of timed automata with bounded integers.
///
/// Invariants (checked by [`Network::validate`]):
/// N-1 every id is in range; N-2 every process has an initial location;
/// N-3 initial values lie in their ranges; N-4 a vector names a process at
/// most once; N-5 an edge is [`Sync::Vector`] iff its process and event occur
/// in a vector; N-6 receivers on broadcast channels and all edges on urgent
/// channels have no clock guard.
#[derive(Clone, Debug, Default)]
pub struct Network {
    /// The system's name.
    pub name: String,
    /// All clocks.
    pub clocks: Vec<Clock>,
    /// All integer slots.
    pub vars: Vec<Var>,
    /// The automata.
    pub processes: Vec<Process>,
    /// Channels for pairwise and broadcast synchronisation.
    pub channels: Vec<Channel>,
    /// Event names.
    pub events: Vec<String>,
    /// Synchronisation vectors, in the order they are tried.
    pub vectors: Vec<SyncVector>,
    /// Label names.
    pub labels: Vec<String>,
    /// What an assignment outside a variable's range does.
    pub out_of_range: OutOfRange,
}

/// What happens when a value outside its range is assigned to a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum OutOfRange {
    /// The model has failed: a run-time error.
    #[default]
    Error,
    /// The transition is impossible.
    Disable,
}

/// A clock. All clocks start at zero.
#[derive(Clone, Debug)]
pub struct Clock {
    /// Its name, with the index for an array element: `y[3]`.
    pub name: String,
}

/// An integer slot.
#[derive(Clone, Debug)]
pub struct Var {
    /// Its name, with the index for an array element.
    pub name: String,
    /// Least value.
    pub min: i32,
    /// Greatest value.
    pub max: i32,
    /// Initial value.
    pub init: i32,
}

/// One automaton.
#[derive(Clone, Debug)]
pub struct Process {
    /// Its name.
    pub name: String,
    /// Its locations.
    pub locations: Vec<Location>,
    /// Its edges, in declaration order.
    pub edges: Vec<Edge>,
    /// Where it may start: one initial state for each combination.
    pub initial: Vec<LocationId>,
}

/// Whether time may pass and who must move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum LocationKind {
    /// Time may pass.
    #[default]
    Normal,
    /// No time passes.
    Urgent,
    /// No time passes, and the next transition must leave a committed location.
    Committed,
}

/// A location.
#[derive(Clone, Debug)]
pub struct Location {
    /// Its name.
    pub name: String,
    /// Must hold on entry and while time passes.
    pub invariant: Guard,
    /// Normal, urgent or committed.
    pub kind: LocationKind,
    /// What it is labelled with.
    pub labels: Vec<LabelId>,
}

/// An edge of a process.
#[derive(Clone, Debug)]
pub struct Edge {
    /// From.
    pub source: LocationId,
    /// To.
    pub target: LocationId,
    /// Tested on the source state.
    pub guard: Guard,
    /// Executed after the updates of the participants before it.
    pub update: Program,
    /// With whom it is taken.
    pub sync: Sync,
    /// Its event.
    pub event: EventId,
    /// Where it is declared.
    pub span: Span,
}

/// With whom an edge is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sync {
    /// Alone.
    Internal,
    /// With a receiver (binary) or all enabled receivers (broadcast).
    Send(ChannelId),
    /// With a sender.
    Receive(ChannelId),
    /// As a member of a synchronisation vector.
    Vector,
}

/// A channel.
#[derive(Clone, Debug)]
pub struct Channel {
    /// Its name.
    pub name: String,
    /// One receiver, or as many as are enabled.
    pub kind: ChannelKind,
    /// No time passes while a synchronisation on it is enabled.
    pub urgent: bool,
}

/// How many receive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelKind {
    /// Exactly one.
    Binary,
    /// All that can, from none to all.
    Broadcast,
}

/// A synchronisation vector: who takes part, with which event.
#[derive(Clone, Debug)]
pub struct SyncVector {
    /// At most one entry per process; updates run in this order.
    pub members: Vec<SyncMember>,
}

/// One member of a [`SyncVector`].
#[derive(Clone, Debug)]
pub struct SyncMember {
    /// Who.
    pub process: ProcessId,
    /// With which event.
    pub event: EventId,
    /// Whether it must.
    pub strength: Strength,
}

/// Whether a member must take part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// The vector is blocked without it.
    Strong,
    /// Takes part iff its location has an edge with the event; a vector needs
    /// at least one participant.
    Weak,
}
