//! `p --> q`: from every reachable state where p holds and q does not, a search
//! for a run that keeps away from q.

use super::{Lasso, Liveness, Survey};
use crate::goal::{Goal, Met, ZoneOf};
use crate::pipeline::Halt;
use crate::{Cover, KeyStore};
use dwell_model::CompiledFormula;
use dwell_semantics::{Discrete, FormulaTest, Stepper, Truth};
use dwell_zones::{Bound, Zone};

/// The goal of the outer search: a state from which such a run starts.
pub struct LeadsTo<'s, 'l, B: Bound, K, C> {
    start: FormulaTest<'s, B>,
    search: &'l mut Liveness<'s, B, K, C>,
    found: &'l mut Option<Lasso>,
    zone: Zone<B>,
    parts: Vec<Zone<B>>,
}

impl<'s, 'l, B: Bound, K: KeyStore, C: Cover<B>> LeadsTo<'s, 'l, B, K, C> {
    /// Runs of `search` start where `start` holds; one that is found is left in
    /// `found`.
    pub fn new(
        start: &'s CompiledFormula,
        stepper: Stepper<'s, B>,
        search: &'l mut Liveness<'s, B, K, C>,
        found: &'l mut Option<Lasso>,
    ) -> Self {
        let zone = Zone::new(stepper.system.zone_dimension());
        Self { start: FormulaTest::new(start, stepper), search, found, zone, parts: Vec::new() }
    }
}

impl<B: Bound, K: KeyStore, C: Cover<B>> Goal<B> for LeadsTo<'_, '_, B, K, C> {
    fn met(&mut self, state: &mut Discrete, zone: ZoneOf<'_, B>) -> Result<Met, Halt> {
        if self.start.discrete(state)? == Truth::No || !zone(&mut self.zone)? {
            return Ok(Met::No);
        }
        self.start.maximal_parts(state, &self.zone, &mut self.parts)?;
        for part in &self.parts {
            if let Some(lasso) = self.search.from_state(state, part)? {
                *self.found = Some(lasso);
                return Ok(Met::Yes);
            }
        }
        Ok(Met::No)
    }

    fn registers(&self) -> usize {
        self.start.registers()
    }
}

/// The goal of an outer search that sees all reachable states, or more: it
/// tells a survey where runs start, and is never met.
pub struct Starts<'s, 'l, B: Bound, K> {
    start: FormulaTest<'s, B>,
    survey: &'l mut Survey<'s, B, K>,
    zone: Zone<B>,
    parts: Vec<Zone<B>>,
}

impl<'s, 'l, B: Bound, K: KeyStore> Starts<'s, 'l, B, K> {
    /// Runs start where `start` holds.
    pub fn new(
        start: &'s CompiledFormula,
        stepper: Stepper<'s, B>,
        survey: &'l mut Survey<'s, B, K>,
    ) -> Self {
        let zone = Zone::new(stepper.system.zone_dimension());
        Self { start: FormulaTest::new(start, stepper), survey, zone, parts: Vec::new() }
    }
}

impl<B: Bound, K: KeyStore> Goal<B> for Starts<'_, '_, B, K> {
    fn met(&mut self, state: &mut Discrete, zone: ZoneOf<'_, B>) -> Result<Met, Halt> {
        if self.start.discrete(state)? == Truth::No || !zone(&mut self.zone)? {
            return Ok(Met::No);
        }
        self.start.maximal_parts(state, &self.zone, &mut self.parts)?;
        self.parts.iter().try_for_each(|part| self.survey.start_in(state, part))?;
        Ok(Met::No)
    }

    fn registers(&self) -> usize {
        self.start.registers()
    }
}
