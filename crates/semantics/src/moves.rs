//! A reusable list of moves: who takes part, with which edge.

/// One participant of a move, or one edge that must not be able to take part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Participant {
    /// The process.
    pub process: u32,
    /// Its edge.
    pub edge: u32,
    /// What it does.
    pub role: Role,
}

/// What an edge does in a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// It is taken.
    Takes,
    /// It would receive the broadcast, but its clock guard is false: all clock
    /// constraints before this one hold, and this one does not. So the ways
    /// in which a guard can be false are disjoint and each is convex.
    Refuses(u32),
}

impl Participant {
    /// One that takes part.
    pub fn takes(process: u32, edge: u32) -> Self {
        Self { process, edge, role: Role::Takes }
    }
}

/// Moves of one state, flat: no allocation per move once it has grown.
#[derive(Clone, Debug, Default)]
pub struct Moves {
    participants: Vec<Participant>,
    ends: Vec<u32>,
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
}
