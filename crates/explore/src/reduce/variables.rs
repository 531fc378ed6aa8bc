//! `--reduce-variables on`.

use super::Reduce;
use dwell_model::analysis::VariableFacts;
use std::sync::Arc;

/// Clocks as another stage says, and no variable that is not live (LV-4 of
/// `dwell_model::analysis`).
#[derive(Debug)]
pub struct LiveVariables<R> {
    clocks: R,
    facts: Arc<VariableFacts>,
    /// Of each variable of the facts: its slot and what is put in its place.
    blanks: Vec<(u32, i32)>,
}

impl<R> LiveVariables<R> {
    /// `initial` are the values of all variables at the start.
    pub fn new(clocks: R, facts: Arc<VariableFacts>, initial: impl Fn(u32) -> i32) -> Self {
        let blanks = facts.slots.iter().map(|&slot| (slot, initial(slot))).collect();
        Self { clocks, facts, blanks }
    }
}

impl<R: Reduce> Reduce for LiveVariables<R> {
    #[inline]
    fn active(&self, locations: &[u32], out: &mut Vec<u16>) {
        self.clocks.active(locations, out);
    }

    #[inline]
    fn forget(&self, locations: &[u32], registers: &mut [i32]) {
        let VariableFacts { words, live, .. } = &*self.facts;
        for (word, blanks) in self.blanks.chunks(64).enumerate() {
            let mut dead = u64::MAX >> (64 - blanks.len());
            for (process, masks) in live {
                dead &= !masks[locations[*process as usize] as usize * words + word];
            }
            while dead != 0 {
                let (slot, value) = blanks[dead.trailing_zeros() as usize];
                registers[slot as usize] = value;
                dead &= dead - 1;
            }
        }
    }
}
