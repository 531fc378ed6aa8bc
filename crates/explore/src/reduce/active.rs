//! `--reduce-clocks on`.

use super::Reduce;
use dwell_model::analysis::ClockFacts;

/// The active clocks found by static analysis, as bit masks.
#[derive(Clone, Debug)]
pub struct ActiveClocks {
    words: usize,
    /// `masks[process][location]`, `words` words each; bit i is zone index i.
    masks: Vec<Vec<u64>>,
}

impl ActiveClocks {
    /// Masks for zones of dimension `dim`.
    pub fn new(facts: &ClockFacts, dim: usize) -> Self {
        let words = dim.div_ceil(64);
        let masks = facts.local.iter().map(|process| {
            let mut masks = vec![0; process.len() * words];
            for (l, bounds) in process.iter().enumerate() {
                for &(clock, ..) in &bounds.clocks {
                    let i = clock.index() + 1;
                    masks[l * words + i / 64] |= 1 << (i % 64);
                }
            }
            masks
        });
        Self { words, masks: masks.collect() }
    }
}

impl Reduce for ActiveClocks {
    #[inline]
    fn active(&self, locations: &[u32], out: &mut Vec<u16>) {
        out.clear();
        out.push(0);
        for word in 0..self.words {
            let mut mask = 0;
            for (process, &location) in self.masks.iter().zip(locations) {
                mask |= process[location as usize * self.words + word];
            }
            while mask != 0 {
                out.push((word * 64) as u16 + mask.trailing_zeros() as u16);
                mask &= mask - 1;
            }
        }
    }
}
