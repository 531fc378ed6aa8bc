//! Which zones of a discrete state a survey joins: those of one class.
//!
//! Classes tell how far clocks are apart: the bounds on the differences of
//! some clocks, rounded down to multiples of a step. What came first is then not
//! lost in a hull where it matters, and all other clocks are still joined. No
//! clocks, and there is one class; all of them and a small step, and nearly every
//! zone is alone.
//!
//! Which clocks, and which step, is found out from loops that are none
//! (Clarke, Grumberg, Jha, Lu, Veith: *Counterexample-guided abstraction
//! refinement*, CAV 2000).

use super::effects::Clocks;
use dwell_base::hash_words;
use dwell_zones::Bound;

/// What tells classes apart.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Classes {
    clocks: Clocks,
    /// Bounds on their differences are rounded down to multiples of it.
    step: i32,
}

impl Classes {
    /// Makes more classes: by these clocks too, and where they tell already, by
    /// steps half as long, the first being half the largest constant. False if
    /// there are none.
    pub fn refine(&mut self, clocks: Clocks, largest: i32) -> bool {
        let all = self.clocks | clocks;
        if all.count_ones() < 2 || (all == self.clocks && self.step == 1) {
            return false;
        }
        self.step = match self.step {
            0 => (largest / 2).max(1),
            step if all == self.clocks => step / 2,
            step => step,
        };
        self.clocks = all;
        true
    }

    /// The class of a zone. Two that are the same by chance are one.
    pub fn of<B: Bound>(&self, cells: &[B], active: &[u16]) -> u64 {
        if self.clocks == 0 {
            return 0;
        }
        let tells = |clock: u16| {
            clock != 0 && u32::from(clock) <= Clocks::BITS && self.clocks >> (clock - 1) & 1 == 1
        };
        let rounded = |bound: B| match bound.is_inf() {
            true => i32::MAX,
            false => bound.constant().div_euclid(self.step),
        };
        // As compact cells are laid out: rows without the diagonal.
        let width = active.len() - 1;
        let cell = |row: usize, column: usize| cells[row * width + column - usize::from(column > row)];
        let mut class = 0;
        for (row, _) in active.iter().enumerate().filter(|&(_, &clock)| tells(clock)) {
            for column in (row + 1..active.len()).filter(|&column| tells(active[column])) {
                let (above, below) = (rounded(cell(row, column)), rounded(cell(column, row)));
                class = hash_words(&[class, u64::from(above as u32) << 32 | u64::from(below as u32)]);
            }
        }
        class
    }
}
