//! What is looked for.

use crate::pipeline::Halt;
use dwell_model::{CompiledFormula, LabelId, System};
use dwell_semantics::{Discrete, FormulaTest, Stepper, Truth, ZoneFault};
use dwell_zones::{Bound, Zone};

/// Puts the clock values of the state at hand into a zone; false when there
/// are none.
pub type ZoneOf<'z, B> = &'z mut dyn FnMut(&mut Zone<B>) -> Result<bool, ZoneFault>;

/// What a goal says of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Met {
    /// It is not met there.
    No,
    /// It is.
    Yes,
    /// It is, but states that wait with a smaller rank may meet it better.
    Later(i64),
}

impl From<bool> for Met {
    fn from(met: bool) -> Self {
        if met { Self::Yes } else { Self::No }
    }
}

/// Where in a state a goal can be met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chance {
    /// Nowhere.
    None,
    /// Where no move can be taken.
    InDeadlocks,
    /// It is to be asked.
    Anywhere,
}

/// A property of states that ends the search.
pub trait Goal<B: Bound> {
    /// Asked once for every state taken from the waiting list. Most goals need
    /// `zone` for few states or none.
    fn met(&mut self, state: &mut Discrete, zone: ZoneOf<'_, B>) -> Result<Met, Halt>;

    /// Where in this state it can be met. Where that is in deadlocks only, the moves
    /// are made first, and [`Goal::met`] is asked where they leave something.
    fn chance(&mut self, _state: &mut Discrete) -> Result<Chance, Halt> {
        Ok(Chance::Anywhere)
    }

    /// Registers that the states it is asked about must have.
    fn registers(&self) -> usize {
        0
    }
}

/// No goal: explore everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoGoal;

impl<B: Bound> Goal<B> for NoGoal {
    #[inline(always)]
    fn met(&mut self, _state: &mut Discrete, _zone: ZoneOf<'_, B>) -> Result<Met, Halt> {
        Ok(Met::No)
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

    /// Whether the locations of a state carry the labels.
    #[inline]
    pub fn carried_by(&self, state: &Discrete) -> bool {
        let here = || {
            let locations = self.carried.iter().zip(&state.locations);
            locations.flat_map(|(process, &l)| &process[l as usize])
        };
        // Few labels, few carriers: count first, look closer only if enough.
        here().count() >= self.wanted && (0..self.wanted as u32).all(|w| here().any(|&c| c == w))
    }
}

impl<B: Bound> Goal<B> for LabelGoal {
    #[inline]
    fn met(&mut self, state: &mut Discrete, _zone: ZoneOf<'_, B>) -> Result<Met, Halt> {
        Ok(self.carried_by(state).into())
    }
}

/// Is a state reached where a formula holds?
#[derive(Clone, Debug)]
pub struct FormulaGoal<'f, B: Bound> {
    test: FormulaTest<'f, B>,
    zone: Zone<B>,
    only_in_deadlocks: bool,
}

impl<'f, B: Bound> FormulaGoal<'f, B> {
    /// A goal for `formula` over the states of a system.
    pub fn new(formula: &'f CompiledFormula, stepper: Stepper<'f, B>) -> Self {
        let zone = Zone::new(stepper.system.zone_dimension());
        // What fails where it is asked must be asked.
        let only_in_deadlocks = formula.test.implies_deadlock() && !formula.code.may_fail();
        Self { test: FormulaTest::new(formula, stepper), zone, only_in_deadlocks }
    }
}

impl<B: Bound> Goal<B> for FormulaGoal<'_, B> {
    #[inline]
    fn met(&mut self, state: &mut Discrete, zone: ZoneOf<'_, B>) -> Result<Met, Halt> {
        let met = match self.test.discrete(state)? {
            Truth::No => false,
            Truth::Yes => true,
            Truth::Open => zone(&mut self.zone)? && self.test.somewhere(state, &self.zone)?,
        };
        Ok(met.into())
    }

    #[inline]
    fn chance(&mut self, state: &mut Discrete) -> Result<Chance, Halt> {
        Ok(match self.only_in_deadlocks {
            false => Chance::Anywhere,
            true if self.test.discrete(state)? == Truth::No => Chance::None,
            true => Chance::InDeadlocks,
        })
    }

    fn registers(&self) -> usize {
        self.test.registers()
    }
}

impl<B: Bound, T: Goal<B> + ?Sized> Goal<B> for Box<T> {
    #[inline]
    fn met(&mut self, state: &mut Discrete, zone: ZoneOf<'_, B>) -> Result<Met, Halt> {
        (**self).met(state, zone)
    }

    #[inline]
    fn chance(&mut self, state: &mut Discrete) -> Result<Chance, Halt> {
        (**self).chance(state)
    }

    fn registers(&self) -> usize {
        (**self).registers()
    }
}
