//! A reusable list of moves: who takes part, with which edge.

use crate::transitions::Options;

/// One participant of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Participant {
    /// The process.
    pub process: u32,
    /// Its edge.
    pub edge: u32,
}

/// Moves of one state, flat: no allocation per move once it has grown.
#[derive(Clone, Debug, Default)]
pub struct Moves {
    participants: Vec<Participant>,
    ends: Vec<u32>,
    /// Kept between states so that enumeration does not allocate.
    scratch: (Vec<Participant>, Options),
}

impl Moves {
    /// Forgets all moves.
    pub fn clear(&mut self) {
        self.participants.clear();
        self.ends.clear();
    }

    /// Number of moves.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True when there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Participants of the `index`-th move; their updates run in this order.
    #[inline]
    pub fn get(&self, index: usize) -> &[Participant] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        &self.participants[start..self.ends[index] as usize]
    }

    /// Adds a move.
    #[inline]
    pub fn push(&mut self, participants: &[Participant]) {
        self.participants.extend_from_slice(participants);
        self.ends.push(self.participants.len() as u32);
    }

    pub(crate) fn take_scratch(&mut self) -> (Vec<Participant>, Options) {
        std::mem::take(&mut self.scratch)
    }

    pub(crate) fn give_scratch(&mut self, chosen: Vec<Participant>, options: Options) {
        self.scratch = (chosen, options);
    }
}
