//! A system with one more clock: the time since the start.

use crate::analysis::{ClockFacts, LocationBounds};
use crate::{Clock, ClockId, System};

impl System {
    /// The same system with one more clock, the last, which starts at zero and
    /// which nothing sets or compares. Moves have the same numbers in both.
    pub fn with_time(&self) -> Self {
        let mut network = self.network.clone();
        network.clocks.push(Clock { name: "time".into(), init: 0 });
        Self::new(network)
    }

    /// Its number in [`Self::with_time`].
    pub fn time(&self) -> ClockId {
        ClockId::new(self.network.clocks.len())
    }
}

impl ClockFacts {
    /// The same facts and that `clock`, a new one, is active everywhere and no
    /// constant is above its bounds: no extrapolation changes it.
    pub fn with_exact(&self, clock: ClockId) -> Self {
        let mut facts = self.clone();
        let add = |bounds: &mut LocationBounds| bounds.clocks.push((clock, Some(i32::MAX), Some(i32::MAX)));
        facts.local.iter_mut().flatten().for_each(add);
        add(&mut facts.global);
        facts
    }
}
