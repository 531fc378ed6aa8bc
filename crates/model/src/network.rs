//! Networks of timed automata.

use crate::Span;
use crate::expr::{ClockRef, Expr, Function, Guard, Program};

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
    /// A function.
    FunctionId;
}

/// A network of timed automata with bounded integers.
///
/// Invariants (checked by [`Network::validate`]):
/// N-1 every id is in range; N-2 every process has an initial location;
/// N-3 initial values lie in their ranges; N-4 a vector names a process at
/// most once; N-5 an edge is [`Sync::Vector`] iff its process and event occur
/// in a vector; N-6 variables come in the order of their kinds; N-7 clocks do
/// not start below zero.
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
    /// What an operation whose result does not fit 32 bits does.
    pub overflow: Overflow,
    /// Functions, callees before callers.
    pub functions: Vec<Function>,
    /// Number of local slots of functions, guards and updates together.
    pub locals: u32,
    /// Executed before the updates of every transition.
    pub before_update: Program,
    /// Executed after them.
    pub after_update: Program,
    /// Priority of transitions without a channel.
    pub internal_priority: u32,
    /// What the model needs and no analysis here can do: every question about
    /// it is refused with these sentences.
    pub unsupported: Vec<Unsupported>,
}

impl Network {
    /// Whether transitions differ in priority.
    pub fn has_priorities(&self) -> bool {
        self.processes.windows(2).any(|pair| pair[0].priority != pair[1].priority)
            || self.channels.iter().any(|channel| channel.priority != self.internal_priority)
    }
}

/// What happens when a result does not fit 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Overflow {
    /// The model has failed: a run-time error.
    #[default]
    Error,
    /// It is taken modulo 2^32, as two's complement.
    Wrap,
}

/// Something the model needs and we cannot do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// A sentence without a full stop.
    pub message: String,
    /// Where.
    pub span: Span,
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

/// A clock.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    /// Its name, with the index for an array element: `y[3]`.
    pub name: String,
    /// Its value at the start, not negative.
    pub init: i32,
}

/// An integer slot.
#[derive(Clone, Debug, Default)]
pub struct Var {
    /// Its name, with the index for an array element.
    pub name: String,
    /// Least value.
    pub min: i32,
    /// Greatest value.
    pub max: i32,
    /// Initial value.
    pub init: i32,
    /// Whether it is part of the state.
    pub kind: VarKind,
}

/// Whether a variable is part of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum VarKind {
    /// It is.
    #[default]
    State,
    /// It has its initial value at the start of every transition.
    Meta,
    /// It is never written.
    Constant,
}

/// One automaton.
#[derive(Clone, Debug, Default)]
pub struct Process {
    /// Its name.
    pub name: String,
    /// Its priority.
    pub priority: u32,
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
#[derive(Clone, Debug, Default)]
pub struct Location {
    /// Its name.
    pub name: String,
    /// Must hold on entry and while time passes.
    pub invariant: Guard,
    /// Normal, urgent or committed.
    pub kind: LocationKind,
    /// What it is labelled with.
    pub labels: Vec<LabelId>,
    /// Clocks that may stand still here, with their rates: 0 or 1.
    pub rates: Vec<(ClockRef, Expr)>,
    /// Where it is declared.
    pub span: Span,
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
    /// The values of its select variables: one edge for each choice.
    pub select: Vec<(String, i32)>,
}

/// With whom an edge is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sync {
    /// Alone.
    Internal,
    /// With a receiver (binary) or all enabled receivers (broadcast).
    Send(ChannelRef),
    /// With a sender.
    Receive(ChannelRef),
    /// As a member of a synchronisation vector.
    Vector,
}

/// A channel, fixed or picked from an array in the source state, once the
/// discrete guard holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChannelRef {
    /// One channel.
    Fixed(ChannelId),
    /// Element `index` of the `len` channels from `first` on, which differ in
    /// nothing but name and priority.
    Element {
        /// Channel of element 0.
        first: ChannelId,
        /// Number of elements.
        len: u32,
        /// Which one.
        index: Expr,
        /// For the message when the index is out of bounds.
        span: Span,
    },
}

impl ChannelRef {
    /// The channels it may be: the first one and how many.
    pub fn range(&self) -> (ChannelId, u32) {
        match self {
            Self::Fixed(channel) => (*channel, 1),
            Self::Element { first, len, .. } => (*first, *len),
        }
    }
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
    /// Its priority.
    pub priority: u32,
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
