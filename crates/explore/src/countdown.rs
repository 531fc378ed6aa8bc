//! When to look at the clock and the cancel flag.

use dwell_base::effort;

/// Moves between two looks.
const MOVES: u64 = 1 << 10;
/// Operations of programs with loops that count as a move.
const OPERATIONS: u64 = 1 << 9;

/// Counts moves, and what takes as long.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Countdown(u64);

impl Default for Countdown {
    fn default() -> Self {
        Self(MOVES)
    }
}

impl Countdown {
    /// So many moves have been made.
    #[inline]
    pub fn count(&mut self, moves: u64) {
        self.0 = self.0.saturating_sub(moves);
    }

    /// One more move has been made; whether to look.
    #[inline]
    pub fn due(&mut self) -> bool {
        self.count(1 + effort::spent() / OPERATIONS);
        let due = self.0 == 0;
        if due {
            self.0 = MOVES;
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_count_as_moves() {
        let looks = |operations| {
            let mut countdown = Countdown::default();
            let looks = (0..10 * MOVES).filter(|_| {
                effort::spend(operations);
                countdown.due()
            });
            looks.count()
        };
        assert_eq!(looks(0), 10);
        assert_eq!(looks(3 * OPERATIONS), 40);
        assert_eq!(looks(MOVES * OPERATIONS), 10 * MOVES as usize);
    }
}
