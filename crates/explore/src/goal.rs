//! What is looked for.

use dwell_model::{LabelId, System};
use dwell_semantics::Discrete;

/// A property of states that ends the search.
pub trait Goal {
    /// Asked once for every state taken from the waiting list.
    fn met(&self, state: &Discrete) -> bool;
}

/// No goal: explore everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoGoal;

impl Goal for NoGoal {
    #[inline(always)]
    fn met(&self, _state: &Discrete) -> bool {
        false
    }
}

/// Is a state reached whose locations carry all the labels?
#[derive(Clone, Debug)]
pub struct LabelGoal {
    /// `carried[process][location]`: indices into the wanted labels.
    carried: Vec<Vec<Vec<u32>>>,
    wanted: usize,
}

impl LabelGoal {
    /// A goal for `labels`; duplicates do not matter.
    pub fn new(system: &System, labels: &[LabelId]) -> Self {
        let mut wanted = labels.to_vec();
        wanted.sort_unstable();
        wanted.dedup();
        let position = |label: &LabelId| wanted.iter().position(|w| w == label).map(|i| i as u32);
        let carried = system.network.processes.iter();
        let carried = carried
            .map(|p| p.locations.iter().map(|l| l.labels.iter().filter_map(position).collect()).collect())
            .collect();
        Self { carried, wanted: wanted.len() }
    }
}

impl Goal for LabelGoal {
    #[inline]
    fn met(&self, state: &Discrete) -> bool {
        let here = || {
            let locations = self.carried.iter().zip(&state.locations);
            locations.flat_map(|(process, &l)| &process[l as usize])
        };
        // Few labels, few carriers: count first, look closer only if enough.
        here().count() >= self.wanted && (0..self.wanted as u32).all(|w| here().any(|&c| c == w))
    }
}

impl<T: Goal + ?Sized> Goal for Box<T> {
    #[inline]
    fn met(&self, state: &Discrete) -> bool {
        (**self).met(state)
    }
}
