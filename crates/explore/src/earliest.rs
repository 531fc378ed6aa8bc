//! The goal of `--trace fastest`: when can it be met first in a state?
//!
//! The search runs with one more clock that is never reset, the time, and
//! takes states by the least time of their zones. A state may meet the goal
//! later than at its least time; then it waits once more, until no other state
//! can meet the goal before (`Met::Later`). Zones are abstracted by simulations
//! that leave the time as it is, so the least time on them is that of a run.

use crate::rank::goal_rank;
use crate::{Goal, Halt, LabelGoal, Met, ZoneOf};
use dwell_model::{CompiledFormula, LabelId};
use dwell_semantics::{Discrete, FormulaTest, Stepper, Truth};
use dwell_zones::{Bound, Zone};
use std::ops::ControlFlow;

/// Labels or a formula, at the least time possible.
#[derive(Clone, Debug)]
pub struct EarliestGoal<'f, B: Bound> {
    what: What<'f, B>,
    zone: Zone<B>,
    clock: usize,
}

#[derive(Clone, Debug)]
enum What<'f, B: Bound> {
    Labels(LabelGoal),
    Formula(Box<FormulaTest<'f, B>>),
}

impl<'f, B: Bound> EarliestGoal<'f, B> {
    /// All these labels; `clock` is the index of the time in the zones.
    pub fn labels(stepper: Stepper<'f, B>, labels: &[LabelId], clock: usize) -> Self {
        Self::new(What::Labels(LabelGoal::new(stepper.system, labels)), stepper, clock)
    }

    /// The formula; `clock` is the index of the time in the zones.
    pub fn formula(stepper: Stepper<'f, B>, formula: &'f CompiledFormula, clock: usize) -> Self {
        Self::new(What::Formula(Box::new(FormulaTest::new(formula, stepper))), stepper, clock)
    }

    fn new(what: What<'f, B>, stepper: Stepper<'f, B>, clock: usize) -> Self {
        Self { what, zone: Zone::new(stepper.system.zone_dimension()), clock }
    }
}

impl<B: Bound> Goal<B> for EarliestGoal<'_, B> {
    fn met(&mut self, state: &mut Discrete, zone: ZoneOf<'_, B>) -> Result<Met, Halt> {
        let truth = match &self.what {
            What::Labels(labels) if labels.carried_by(state) => Truth::Yes,
            What::Labels(_) => Truth::No,
            What::Formula(test) => test.discrete(state)?,
        };
        if truth == Truth::No || !zone(&mut self.zone)? {
            return Ok(Met::No);
        }
        let least = match &mut self.what {
            What::Formula(test) if truth == Truth::Open => {
                let mut least = None;
                test.parts(state, &self.zone, &mut |part| {
                    least = least.max(Some(part.get(0, self.clock)));
                    ControlFlow::Continue(())
                })?;
                least
            }
            _ => Some(self.zone.get(0, self.clock)),
        };
        Ok(least.map_or(Met::No, |bound| Met::Later(goal_rank(bound))))
    }

    fn registers(&self) -> usize {
        match &self.what {
            What::Labels(_) => 0,
            What::Formula(test) => test.registers(),
        }
    }
}
