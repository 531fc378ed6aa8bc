//! The ways in which the members of a synchronisation can take part.

use crate::{Moves, Participant, Role};
use dwell_model::expr::MAX_MOVES;

/// For each member of a synchronisation the choices it has: usually an edge,
/// sometimes several edges it refuses at once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Options {
    pool: Vec<Participant>,
    /// Start and end in `pool`.
    choices: Vec<(u32, u32)>,
    /// Start and end in `choices`; never empty.
    groups: Vec<(u32, u32)>,
    /// The counter over the groups.
    picked: Vec<u32>,
    /// The participants of the move being made.
    chosen: Vec<Participant>,
}

impl Options {
    pub(crate) fn clear(&mut self) {
        self.pool.clear();
        self.choices.clear();
        self.groups.clear();
    }

    /// Starts a synchronisation that one participant certainly takes part in.
    pub(crate) fn begin(&mut self, sender: Participant) {
        self.clear();
        self.choice(sender);
        self.close(0);
    }

    /// Adds a choice to the group that is open.
    pub(crate) fn choice(&mut self, participant: Participant) {
        self.pool.push(participant);
        let end = self.pool.len() as u32;
        self.choices.push((end - 1, end));
    }

    /// Where the group that is open begins.
    pub(crate) fn open(&self) -> usize {
        self.choices.len()
    }

    /// Ends a group that began at `start`; false when it is empty.
    pub(crate) fn close(&mut self, start: usize) -> bool {
        let end = self.choices.len();
        if start < end {
            self.groups.push((start as u32, end as u32));
        }
        start < end
    }

    /// Adds the choices of refusing every edge of the group that began at
    /// `start`, where edge `i` of it has `atoms(i)` clock constraints: one
    /// choice for each combination of constraints that fail. False when there
    /// are too many.
    pub(crate) fn refuse_all(&mut self, start: usize, atoms: impl Fn(Participant) -> u32) -> bool {
        let edges: Vec<(Participant, u32)> = self.choices[start..]
            .iter()
            .map(|&(at, _)| self.pool[at as usize])
            .map(|edge| (edge, atoms(edge)))
            .collect();
        let mut failing = vec![0; edges.len()];
        loop {
            if self.choices.len() > MAX_MOVES {
                return false;
            }
            let begin = self.pool.len() as u32;
            let refused = edges.iter().zip(&failing);
            self.pool.extend(refused.map(|(&(edge, _), &k)| Participant { role: Role::Refuses(k), ..edge }));
            self.choices.push((begin, self.pool.len() as u32));
            let limits = edges.iter().map(|&(_, atoms)| atoms);
            if !advance(&mut failing, limits) {
                return true;
            }
        }
    }

    /// The first participant of all, for messages.
    pub(crate) fn first(&self) -> Option<Participant> {
        self.pool.first().copied()
    }

    /// Every combination of one choice of each group, the last varying
    /// fastest: a counter, not a recursion, so that no model is too wide.
    /// Those that `allowed` accepts become moves. False when there are too
    /// many.
    pub(crate) fn combine(&mut self, moves: &mut Moves, allowed: impl Fn(&[Participant]) -> bool) -> bool {
        if self.groups.is_empty() {
            return true;
        }
        self.picked.clear();
        self.picked.resize(self.groups.len(), 0);
        let mut combinations = 0;
        loop {
            self.chosen.clear();
            for (group, &pick) in self.groups.iter().zip(&self.picked) {
                let (start, end) = self.choices[(group.0 + pick) as usize];
                self.chosen.extend_from_slice(&self.pool[start as usize..end as usize]);
            }
            combinations += 1;
            if combinations + moves.len() > MAX_MOVES {
                return false;
            }
            if allowed(&self.chosen) {
                moves.push(&self.chosen);
            }
            let limits = self.groups.iter().map(|&(start, end)| end - start);
            if !advance(&mut self.picked, limits) {
                return true;
            }
        }
    }
}

/// The next number of a counter whose digits have these limits; false after
/// the last one.
fn advance(digits: &mut [u32], limits: impl DoubleEndedIterator<Item = u32> + ExactSizeIterator) -> bool {
    for (digit, limit) in digits.iter_mut().rev().zip(limits.rev()) {
        *digit += 1;
        if *digit < limit {
            return true;
        }
        *digit = 0;
    }
    false
}
