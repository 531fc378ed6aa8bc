//! Whether a symbolic state has a part where a formula holds.
//!
//! Q-1 The discrete parts are evaluated first; a zone is looked at only if
//!     they leave the answer open.
//! Q-2 A disjunction over clocks splits: each side is tried on a copy of the
//!     zone, so the answer is exact, and the constraints of the side that
//!     holds can be given. Where all sides are tried, the one that holds at the
//!     least value of a clock is found.

use crate::zones::evaluate;
use crate::{Conjunction, Discrete, ZoneFault};
use dwell_model::code::{Code, CodeRef, Machine};
use dwell_model::expr::RuntimeError;
use dwell_model::{CompiledFormula, CompiledValue, Constraint, Test};
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
        place_locations(&self.formula.code, state);
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
        let mut found = None;
        self.sides(state, zone, &mut |constraints, _| {
            found = Some(constraints.to_vec());
            true
        })?;
        Ok(found)
    }

    /// The constraints that make the formula true in `zone` where `clock` is
    /// least, and the bound on minus the clock there; `None` if it holds
    /// nowhere in it. Q-2
    pub fn earliest<B: Bound>(
        &self,
        state: &mut Discrete,
        zone: &Zone<B>,
        clock: usize,
    ) -> Result<Option<(B, Vec<Constraint>)>, ZoneFault> {
        let mut found: Option<(B, Vec<Constraint>)> = None;
        self.sides(state, zone, &mut |constraints, part| {
            let bound = part.get(0, clock);
            if found.as_ref().is_none_or(|(least, _)| *least < bound) {
                found = Some((bound, constraints.to_vec()));
            }
            false
        })?;
        Ok(found)
    }

    /// Shows `see` the ways in which the formula holds somewhere in `zone`,
    /// until it says that this will do.
    fn sides<B: Bound>(
        &self,
        state: &mut Discrete,
        zone: &Zone<B>,
        see: &mut See<'_, B>,
    ) -> Result<bool, ZoneFault> {
        let mut search = Split { test: self, state, splits: 0 };
        search.all(&self.formula.test, &[], zone.clone(), &mut Vec::new(), see)
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

/// Given constraints and what they leave of a zone.
type See<'s, B> = dyn FnMut(&[Constraint], &Zone<B>) -> bool + 's;

struct Split<'a, 'f> {
    test: &'a FormulaTest<'f>,
    state: &'a mut Discrete,
    splits: u32,
}

impl Split<'_, '_> {
    /// Shows `see` the ways in which `first` and one of each of `open` hold
    /// somewhere in `zone`; true as soon as it says so. What needs no split
    /// comes first: it may make splits unnecessary.
    fn all<'t, B: Bound>(
        &mut self,
        first: &'t Test,
        open: &[&'t [Test]],
        mut zone: Zone<B>,
        chosen: &mut Vec<Constraint>,
        see: &mut See<'_, B>,
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
            let enough = see(chosen, &zone);
            chosen.truncate(mark);
            return Ok(enough);
        };
        for part in parts {
            self.splits += 1;
            if self.splits > MAX_SPLITS {
                return Err(ZoneFault::TooManySplits);
            }
            if self.all(part, &open, zone.clone(), chosen, see)? {
                return Ok(true);
            }
        }
        chosen.truncate(mark);
        Ok(false)
    }
}
