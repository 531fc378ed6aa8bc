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
    /// Of each variable of the facts.
    blanks: Vec<Blank>,
    /// What is put in its place.
    values: Vec<i32>,
}

/// Where a variable is.
#[derive(Clone, Copy, Debug)]
struct Blank {
    slot: u32,
    /// How many of the facts' variables from this one on have slots one after the
    /// other: arrays are forgotten as a whole.
    neighbours: u32,
}

impl<R> LiveVariables<R> {
    /// `initial` are the values of all variables at the start.
    pub fn new(clocks: R, facts: Arc<VariableFacts>, initial: impl Fn(u32) -> i32) -> Self {
        let values = facts.slots.iter().map(|&slot| initial(slot)).collect();
        let mut blanks: Vec<Blank> = facts.slots.iter().map(|&slot| Blank { slot, neighbours: 1 }).collect();
        for at in (1..blanks.len()).rev() {
            if blanks[at - 1].slot + 1 == blanks[at].slot {
                blanks[at - 1].neighbours += blanks[at].neighbours;
            }
        }
        Self { clocks, facts, blanks, values }
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
                let first = dead.trailing_zeros();
                let Blank { slot, neighbours } = blanks[first as usize];
                let (slot, run) = (slot as usize, (dead >> first).trailing_ones().min(neighbours) as usize);
                let values = &self.values[word * 64 + first as usize..][..run];
                registers[slot..slot + run].copy_from_slice(values);
                dead &= !(u64::MAX >> (64 - run) << first);
            }
        }
    }
}
