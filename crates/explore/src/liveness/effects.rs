//! What a move does to clocks, as far as it tells how long a loop takes.

use dwell_model::code::ClockReset;
use dwell_zones::{Bound, Zone};

/// A set of clocks, by number; those beyond the last bit are in none and
/// prove nothing.
pub(super) type Clocks = u64;

/// What holds of every run that makes a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Effect {
    /// Clocks that are set, to zero and nothing else.
    pub zeroed: Clocks,
    /// Clocks that are set to something else.
    pub set: Clocks,
    /// Clocks that are one or more when it is made.
    pub late: Clocks,
    /// Clocks with an upper bound then.
    pub bounded: Clocks,
}

impl Effect {
    /// Of a move that is made from `zone`, guards included, and then sets clocks.
    pub fn of<B: Bound>(zone: &Zone<B>, resets: &[ClockReset]) -> Self {
        let mut effect = Self::default();
        let one = B::from_word(-1); // ≤ -1, of 0 - x
        for x in 1..zone.dim().min(Clocks::BITS as usize + 1) {
            let clock = 1 << (x - 1);
            if zone.get(0, x) <= one {
                effect.late |= clock;
            }
            if !zone.get(x, 0).is_inf() {
                effect.bounded |= clock;
            }
        }
        for reset in resets {
            let Some(clock) = (1 as Clocks).checked_shl(reset.clock.index() as u32) else { continue };
            match (reset.from, reset.value) {
                (None, 0) => effect.zeroed |= clock,
                _ => effect.set |= clock,
            }
        }
        effect.zeroed &= !effect.set;
        effect
    }

    /// Clocks that are set.
    pub fn assigned(&self) -> Clocks {
        self.zeroed | self.set
    }
}
