//! Whether a symbolic state has a part where a formula holds.
//!
//! Q-1 The discrete parts are evaluated first; a zone is looked at only if
//!     they leave the answer open.
//! Q-2 A disjunction over clocks splits: each side is tried on a copy of the
//!     zone, so the answer is exact, and the constraints of the side that
//!     holds can be given.

use crate::zones::evaluate;
use crate::{Conjunction, Discrete, ZoneFault};
use dwell_model::code::{CodeRef, Machine};
use dwell_model::expr::RuntimeError;
use dwell_model::{CompiledFormula, Constraint, Test};
use dwell_zones::{Bound, Zone};

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

/// Evaluates a formula on states.
#[derive(Clone, Copy, Debug)]
pub struct FormulaTest<'f> {
    formula: &'f CompiledFormula,
}

impl<'f> FormulaTest<'f> {
    /// A test for `formula`.
    pub fn new(formula: &'f CompiledFormula) -> Self {
        Self { formula }
    }

    /// Registers that the states it is asked about must have.
    pub fn registers(&self) -> usize {
        self.formula.code.registers()
    }

    /// Must be asked before [`Self::witness`]: it puts the locations
    /// where the code looks for them.
    pub fn discrete(&self, state: &mut Discrete) -> Result<Truth, RuntimeError> {
        let first = self.formula.code.location_registers();
        for (register, &location) in state.registers[first..].iter_mut().zip(&state.locations) {
            *register = location as i32;
        }
        self.truth(&self.formula.test, state)
    }

    fn truth(&self, test: &Test, state: &mut Discrete) -> Result<Truth, RuntimeError> {
        match test {
            Test::Discrete(code) => Ok(if self.holds(*code, state)? { Truth::Yes } else { Truth::No }),
            Test::Clocks(_) => Ok(Truth::Open),
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

    fn holds(&self, code: CodeRef, state: &mut Discrete) -> Result<bool, RuntimeError> {
        Machine::new(&self.formula.code).run(code, &mut state.registers, &mut Vec::new()).map(|v| v != 0)
    }

    /// Constraints that hold somewhere in `zone` and make the formula true
    /// there; `None` if it holds nowhere in it. Q-2
    pub fn witness<B: Bound>(
        &self,
        state: &mut Discrete,
        zone: &Zone<B>,
    ) -> Result<Option<Vec<Constraint>>, ZoneFault> {
        let mut witness = None;
        let mut first = |_: &mut Discrete, _: &Zone<B>, chosen: &[Constraint]| {
            witness = Some(chosen.to_vec());
            Ok(true)
        };
        let mut search = Split { test: self, state, splits: 0, found: &mut first };
        search.all(&self.formula.test, &[], zone.clone(), &mut Vec::new())?;
        Ok(witness)
    }

    /// Shows `see` every part of `zone` where the formula holds, each convex;
    /// parts may overlap. Q-2, with all sides.
    pub fn parts<B: Bound>(
        &self,
        state: &mut Discrete,
        zone: &Zone<B>,
        mut see: impl FnMut(&mut Discrete, &Zone<B>) -> Result<(), ZoneFault>,
    ) -> Result<(), ZoneFault> {
        let mut each =
            |state: &mut Discrete, part: &Zone<B>, _: &[Constraint]| see(state, part).map(|()| false);
        let mut search = Split { test: self, state, splits: 0, found: &mut each };
        search.all(&self.formula.test, &[], zone.clone(), &mut Vec::new()).map(|_| ())
    }

    /// Shrinks `zone` to where `constraints` hold; false when nothing is left.
    pub fn restrict<B: Bound>(
        &self,
        constraints: &[Constraint],
        state: &mut Discrete,
        zone: &mut Zone<B>,
    ) -> Result<bool, ZoneFault> {
        let mut conjunction = Conjunction::new(zone.dim());
        for constraint in constraints {
            if let Some(d) = evaluate(constraint, &self.formula.code, &mut state.registers)? {
                conjunction.add(d);
            }
        }
        conjunction.apply(zone)
    }
}

/// Told of a part of a zone where a formula holds and of the constraints that
/// make it so; true ends the search.
type Found<'a, B> = &'a mut dyn FnMut(&mut Discrete, &Zone<B>, &[Constraint]) -> Result<bool, ZoneFault>;

struct Split<'a, 'f, B: Bound> {
    test: &'a FormulaTest<'f>,
    state: &'a mut Discrete,
    splits: u32,
    found: Found<'a, B>,
}

impl<B: Bound> Split<'_, '_, B> {
    /// Finds where `first` and one of each of `open` hold in `zone`; true when
    /// the search is over. What needs no split comes first: it may make splits
    /// unnecessary.
    fn all<'t>(
        &mut self,
        first: &'t Test,
        open: &[&'t [Test]],
        mut zone: Zone<B>,
        chosen: &mut Vec<Constraint>,
    ) -> Result<bool, ZoneFault> {
        let mark = chosen.len();
        let mut work = vec![first];
        let mut open = open.to_vec();
        while let Some(test) = work.pop() {
            let possible = match test {
                Test::Discrete(code) => self.test.holds(*code, self.state)?,
                Test::Clocks(constraints) => {
                    chosen.extend_from_slice(constraints);
                    self.test.restrict(constraints, self.state, &mut zone)?
                }
                Test::All(parts) => {
                    work.extend(parts);
                    true
                }
                Test::Any(parts) => {
                    open.push(parts);
                    true
                }
            };
            if !possible {
                chosen.truncate(mark);
                return Ok(false);
            }
        }
        let Some(parts) = open.pop() else {
            let over = (self.found)(self.state, &zone, chosen)?;
            chosen.truncate(mark);
            return Ok(over);
        };
        for part in parts {
            self.splits += 1;
            if self.splits > MAX_SPLITS {
                return Err(ZoneFault::TooManySplits);
            }
            if self.all(part, &open, zone.clone(), chosen)? {
                return Ok(true);
            }
        }
        chosen.truncate(mark);
        Ok(false)
    }
}
