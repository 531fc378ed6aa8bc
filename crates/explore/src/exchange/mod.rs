//! States that belong to other workers (Behrmann, Hune, Vaandrager:
//! *Distributing timed model checking*, CAV 2000, paper 4).
//!
//! Every worker runs the same loop over a list of its own. A state has one
//! owner; whoever makes it hands it over ([`Exchange::send`]) unless it is the
//! owner, and takes in what others made between two states
//! ([`Exchange::receive`]). How states travel, and how it is noticed that
//! nothing waits and nothing travels, is not known here.
//!
//! EX-1 The owner depends on the state alone, so that states that may cover
//!      each other meet in one list.
//! EX-2 A state that is not going to be stored may stay where it was made
//!      (paper 4, section 3.3): nobody is looked up by it later.

mod parcels;

use crate::keep::Flag;
use crate::{Halt, NodeId};
use dwell_zones::Bound;

/// Number of a worker.
pub type Worker = u16;

/// The state that made another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parent {
    /// None: it is an initial state.
    None,
    /// A state of the same list.
    Here(NodeId),
    /// A state of another worker.
    Elsewhere {
        /// Whose.
        worker: Worker,
        /// Its number there.
        node: u32,
    },
}

/// Where a state comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Which state made it.
    pub parent: Parent,
    /// By which of its moves, with the length of a chain behind it
    /// ([`unchained`](crate::unchained)); of initial states, which one it is.
    pub index: u32,
    /// How many transitions it is from the start, where that is not known from
    /// its parent.
    pub depth: u32,
}

impl Origin {
    /// Made by a state of the same list, or initial.
    #[inline]
    pub fn here(parent: Option<NodeId>, index: u32) -> Self {
        Self { parent: parent.map_or(Parent::None, Parent::Here), index, depth: 0 }
    }

    /// The parent's number, if it is in the same list.
    #[inline]
    pub fn local(&self) -> Option<u32> {
        match self.parent {
            Parent::Here(node) => Some(node.0),
            Parent::None | Parent::Elsewhere { .. } => None,
        }
    }
}

/// A state on its way to its owner.
#[derive(Clone, Copy, Debug)]
pub struct Parcel<'a, B> {
    /// Its discrete part, packed.
    pub words: &'a [u64],
    /// Its zone.
    pub cells: &'a [B],
    /// Where it comes from; the parent is the sender's.
    pub origin: Origin,
    /// What the sender's [`Rank`](crate::Rank) says of it.
    pub rank: i64,
    /// Its flag, where not all states are stored.
    pub flag: Flag,
    /// Whether it has been expanded before, by a run that was written down.
    pub progress: Progress,
}

/// What has become of a state that travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// It is to be expanded.
    Waits,
    /// It has been.
    Expanded,
}

/// The index of an [`Origin`] that is no move: the parent is the same state, in
/// a run that was written down and gone on with.
pub const SAME: u32 = u32::MAX;

/// What a worker that has nothing to do is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// Something may have arrived, or a while has passed.
    Look,
    /// Nobody has anything to do, and nothing is on its way.
    Over,
    /// Another worker has ended the run.
    Stopped,
    /// Said to the first worker: everybody pauses, and nothing is on its way.
    Quiet,
}

/// What is to be done before the next state is expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// Nothing.
    Go,
    /// What has arrived is to be taken in.
    Look,
    /// That too, and nothing is to be expanded: others have fallen behind. Then
    /// it is to be asked again.
    Hold,
}

/// How a worker stands to a pause, in which a run is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pausing {
    /// There is none.
    No,
    /// Said to the first worker: another one asks for it.
    Wanted,
    /// Nothing is to be expanded.
    Paused,
    /// Nor that, and the first worker asks for a part of what is stored.
    PartWanted,
}

/// The way to the other workers.
pub trait Exchange<B: Bound> {
    /// Whether this worker makes the initial states.
    fn starts(&self) -> bool;
    /// The owner of a state, unless it is this worker; EX-1.
    fn owner(&self, words: &[u64], cells: &[B]) -> Option<Worker>;
    /// Hands a state over.
    fn send(&mut self, to: Worker, parcel: Parcel<'_, B>);
    /// Takes in what has arrived; whether anything has.
    fn receive(&mut self, each: &mut dyn FnMut(Parcel<'_, B>) -> Result<(), Halt>) -> Result<bool, Halt>;
    /// A state has been expanded. Waits for a while before it says
    /// [`Pace::Hold`].
    fn pace(&mut self) -> Pace;
    /// Nothing waits here. Returns after a while, or when there may be news.
    fn rest(&mut self) -> Rest;
    /// Whether another worker has ended the run.
    fn stopped(&self) -> bool;
    /// Leaves the others, for good. Where the run has not ended for all, this
    /// ends it.
    fn finish(&mut self);
    /// How many workers there are.
    fn workers(&self) -> Worker;
    /// The first worker: nobody is to expand anything, until
    /// [`go_on`](Self::go_on). Others ask the first one for it.
    fn pause(&mut self);
    /// How that stands.
    fn pausing(&self) -> Pausing;
    /// The first worker: asks another one for its next part.
    fn ask_part(&mut self, of: Worker);
    /// Answers that; an empty part is the last.
    fn give_part(&mut self, bytes: Vec<u8>);
    /// The first worker: the part that it asked for, if it has arrived.
    fn take_part(&mut self) -> Option<Vec<u8>>;
    /// The first worker: the pause is over.
    fn go_on(&mut self);
    /// This worker has found what is looked for at this depth: states as deep
    /// or deeper need not be expanded by anybody.
    fn found(&mut self, depth: u32);
    /// The least depth at which it was found by anybody; `None`: what is found
    /// first ends the run.
    fn least_depth(&self) -> Option<u32>;
}
