//! Where in a symbolic state a formula holds.
//!
//! Q-1 The discrete parts are evaluated first; a zone is looked at only if
//!     they leave the answer open.
//! Q-2 A disjunction over clocks splits: each side is tried on a copy of the
//!     zone, so the answer is exact, and the parts of the zone where the formula
//!     holds can be given.
//! Q-3 Deadlocks are looked for last, in what is left of the zone by then.
//! Q-4 Looking for them runs code of the system, whose scratch registers may be
//!     those where code of the formula looks for locations; they are put back.

use crate::zones::evaluate;
use crate::{Conjunction, Discrete, Stepper, Workspace, ZoneFault};
use dwell_model::code::{Code, CodeRef, Machine};
use dwell_model::expr::RuntimeError;
use dwell_model::{CompiledFormula, CompiledValue, Constraint, Test};
use dwell_zones::{Bound, Zone};
use std::ops::ControlFlow;

/// What the discrete part of a state says about a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// It holds whatever the clocks are.
    Yes,
    /// It does not hold.
    No,
    /// It depends on the clocks.
    Open,
}

/// Splits tried before giving up on a formula whose disjunctions multiply.
const MAX_SPLITS: u32 = 1 << 20;

/// The value of an expression in a state with room for its registers.
#[inline]
pub fn value_at(value: &CompiledValue, state: &mut Discrete) -> Result<i32, RuntimeError> {
    place_locations(&value.code, state);
    Machine::new(&value.code).run(value.value, &mut state.registers, &mut Vec::new())
}

/// Puts the locations where code of a property looks for them.
#[inline]
fn place_locations(code: &Code, state: &mut Discrete) {
    let first = code.location_registers();
    for (register, &location) in state.registers[first..].iter_mut().zip(&state.locations) {
        *register = location as i32;
    }
}

/// Evaluates a formula on states.
#[derive(Clone, Debug)]
pub struct FormulaTest<'f, B: Bound> {
    formula: &'f CompiledFormula,
    stepper: Stepper<'f, B>,
    work: Workspace<B>,
}

/// Told a part of a zone where the formula holds; says whether to go on.
type See<'a, B> = &'a mut dyn FnMut(&Zone<B>) -> ControlFlow<()>;

impl<'f, B: Bound> FormulaTest<'f, B> {
    /// A test for `formula` on the states of a system.
    pub fn new(formula: &'f CompiledFormula, stepper: Stepper<'f, B>) -> Self {
        Self { formula, stepper, work: Workspace::new(stepper.system) }
    }

    /// Registers that the states it is asked about must have.
    pub fn registers(&self) -> usize {
        self.formula.code.registers()
    }

    /// Must be asked before the others: it puts the locations where the
    /// code looks for them.
    pub fn discrete(&self, state: &mut Discrete) -> Result<Truth, RuntimeError> {
        place_locations(&self.formula.code, state);
        self.truth(&self.formula.test, state)
    }

    fn truth(&self, test: &Test, state: &mut Discrete) -> Result<Truth, RuntimeError> {
        match test {
            Test::Discrete(code) => {
                Ok(if holds(self.formula, *code, state)? { Truth::Yes } else { Truth::No })
            }
            Test::Clocks(_) | Test::Deadlock(_) => Ok(Truth::Open),
            Test::All(parts) => self.fold(parts, state, Truth::Yes, Truth::No),
            Test::Any(parts) => self.fold(parts, state, Truth::No, Truth::Yes),
        }
    }

    /// `none` of no parts; decided as soon as a part is `decided`.
    fn fold(
        &self,
        parts: &[Test],
        state: &mut Discrete,
        none: Truth,
        decided: Truth,
    ) -> Result<Truth, RuntimeError> {
        let mut truth = none;
        for part in parts {
            match self.truth(part, state)? {
                part if part == decided => return Ok(decided),
                Truth::Open => truth = Truth::Open,
                _ => {}
            }
        }
        Ok(truth)
    }

    /// Whether the formula holds somewhere in `zone`.
    pub fn somewhere(&mut self, state: &mut Discrete, zone: &Zone<B>) -> Result<bool, ZoneFault> {
        Ok(self.witness(state, zone)?.is_some())
    }

    /// A part of `zone` where the formula holds.
    pub fn witness(&mut self, state: &mut Discrete, zone: &Zone<B>) -> Result<Option<Zone<B>>, ZoneFault> {
        let mut found = None;
        self.parts(state, zone, &mut |part| {
            found = Some(part.clone());
            ControlFlow::Break(())
        })?;
        Ok(found)
    }

    /// All parts of `zone` where the formula holds; they may overlap. Q-2
    pub fn parts(&mut self, state: &mut Discrete, zone: &Zone<B>, see: See<'_, B>) -> Result<(), ZoneFault> {
        let Self { formula, stepper, work } = self;
        let mut split = Split { formula, stepper: *stepper, work, state, splits: 0 };
        split.all(&formula.test, &[], &[], zone.clone(), see).map(|_| ())
    }

    /// Puts the parts of a zone where the formula holds into `parts`, but for
    /// those included in others.
    pub fn maximal_parts(
        &mut self,
        state: &mut Discrete,
        zone: &Zone<B>,
        parts: &mut Vec<Zone<B>>,
    ) -> Result<(), ZoneFault> {
        parts.clear();
        match self.discrete(state)? {
            Truth::No => Ok(()),
            Truth::Yes => {
                parts.push(zone.clone());
                Ok(())
            }
            Truth::Open => self.parts(state, zone, &mut |part| {
                if !parts.iter().any(|other| part.included_in(other)) {
                    parts.retain(|other| !other.included_in(part));
                    parts.push(part.clone());
                }
                ControlFlow::Continue(())
            }),
        }
    }
}

fn holds(formula: &CompiledFormula, code: CodeRef, state: &mut Discrete) -> Result<bool, RuntimeError> {
    Machine::new(&formula.code).run(code, &mut state.registers, &mut Vec::new()).map(|v| v != 0)
}

struct Split<'a, 'f, B: Bound> {
    formula: &'a CompiledFormula,
    stepper: Stepper<'f, B>,
    work: &'a mut Workspace<B>,
    state: &'a mut Discrete,
    splits: u32,
}

impl<B: Bound> Split<'_, '_, B> {
    /// Shows the parts of `zone` where `first`, one of each of `open` and all
    /// of `deadlocks` hold. What needs no split comes first: it may make splits
    /// unnecessary.
    fn all<'t>(
        &mut self,
        first: &'t Test,
        open: &[&'t [Test]],
        deadlocks: &[bool],
        mut zone: Zone<B>,
        see: See<'_, B>,
    ) -> Result<ControlFlow<()>, ZoneFault> {
        let mut work = vec![first];
        let mut open = open.to_vec();
        let mut deadlocks = deadlocks.to_vec();
        while let Some(test) = work.pop() {
            let possible = match test {
                Test::Discrete(code) => holds(self.formula, *code, self.state)?,
                Test::Clocks(constraints) => self.restrict(constraints, &mut zone)?,
                Test::All(parts) => {
                    work.extend(parts);
                    true
                }
                Test::Any(parts) => {
                    open.push(parts);
                    true
                }
                Test::Deadlock(wanted) => {
                    deadlocks.push(*wanted);
                    true
                }
            };
            if !possible {
                return Ok(ControlFlow::Continue(()));
            }
        }
        let Some(parts) = open.pop() else { return self.deadlocked(&deadlocks, &zone, see) };
        for part in parts {
            self.splits += 1;
            if self.splits > MAX_SPLITS {
                return Err(ZoneFault::TooManySplits);
            }
            if self.all(part, &open, &deadlocks, zone.clone(), see)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    ///
    fn deadlocked(
        &mut self,
        wanted: &[bool],
        zone: &Zone<B>,
        see: See<'_, B>,
    ) -> Result<ControlFlow<()>, ZoneFault> {
        let parts = match (wanted.contains(&true), wanted.contains(&false)) {
            (false, false) => return Ok(see(zone)),
            (true, true) => return Ok(ControlFlow::Continue(())),
            (true, false) => self.stepper.stuck(self.state, zone, &[], self.work)?,
            (false, true) => self.stepper.free(self.state, zone, self.work)?,
        };
        //
        place_locations(&self.formula.code, self.state);
        for part in parts.zones() {
            if see(part).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn restrict(&mut self, constraints: &[Constraint], zone: &mut Zone<B>) -> Result<bool, ZoneFault> {
        let mut conjunction = Conjunction::new(zone.dim());
        for constraint in constraints {
            if let Some(d) = evaluate(constraint, &self.formula.code, &mut self.state.registers)? {
                conjunction.add(d);
            }
        }
        conjunction.apply(zone)
    }
}
