//! `--order random`: any of the waiting states, each equally likely.
//!
//! The seed decides, so a run can be made again. References to states that
//! were dropped while they waited are drawn like the others and thrown away
//! (PW-2), which leaves the rest equally likely.

use super::Order;
use dwell_base::Rng;
use dwell_base::persist::{Persist, put, take};
use std::io::{self, Read, Write};

/// A bag.
#[derive(Clone, Debug)]
pub struct Random {
    bag: Vec<u32>,
    rng: Rng,
}

impl Random {
    /// An empty list.
    pub fn new(seed: u64) -> Self {
        Self { bag: Vec::new(), rng: Rng::new(seed) }
    }
}

impl Order for Random {
    #[inline]
    fn push(&mut self, node: u32, _rank: i64) {
        self.bag.push(node);
    }
    #[inline]
    fn pop(&mut self) -> Option<u32> {
        if self.bag.is_empty() {
            return None;
        }
        let at = self.rng.below(self.bag.len() as u64) as usize;
        Some(self.bag.swap_remove(at))
    }
    fn len(&self) -> usize {
        self.bag.len()
    }
    fn bytes(&self) -> u64 {
        (self.bag.capacity() * size_of::<u32>()) as u64
    }
}

impl Persist for Random {
    fn freeze(&self, out: &mut dyn Write) -> io::Result<()> {
        self.bag.freeze(out)?;
        put(out, self.rng.state())
    }

    fn thaw(&mut self, from: &mut dyn Read) -> io::Result<()> {
        self.bag.thaw(from)?;
        self.rng = Rng::new(take(from)?);
        Ok(())
    }
}
