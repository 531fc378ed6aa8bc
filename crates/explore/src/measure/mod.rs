//! `sup`, `inf` and `bounds`: which values quantities take in the states
//! where a formula holds.
//!
//! A stage in the place of the goal: it looks at every state taken from the
//! waiting list and writes down values instead of ending the search.
//!
//! Clocks are read off zones that were extrapolated. Where L and U of a clock
//! are both at least c everywhere, an abstract state stands for a reachable one
//! in which the clock has the same value or both values are above c (the
//! simulation behind Extra⁺LU; Behrmann, Bouyer, Larsen, Pelánek, TACAS 2004).
//!
//! M-1 The values of a clock up to [`Gauge::exact_to`] are exactly those of
//!     reachable states, and [`Gauge::above`] says whether there are others.
//! M-2 A value is looked at only where the formula holds: an error in reading
//!     it is an error of the query.

mod values;

pub use values::{FOREVER, Values};

use crate::{Goal, Halt, Met, ZoneOf};
use dwell_model::expr::RuntimeError;
use dwell_model::property::Extremum;
use dwell_model::{CompiledFormula, CompiledQuantities};
use dwell_semantics::{Discrete, FormulaTest, QuantityReader, Reading, Stepper, Truth};
use dwell_zones::{Bound, Zone};
use std::ops::ControlFlow;

/// What is known of one quantity.
#[derive(Clone, Debug)]
pub struct Gauge {
    /// What is asked of it.
    pub kind: Extremum,
    /// The values of a clock above this are not told apart; `None`: zones are
    /// exact.
    pub exact_to: Option<i32>,
    /// Whether the search ends at a value above that.
    pub stops: bool,
    /// Nothing needs to be known any more.
    pub settled: bool,
    /// Whether there was a value above.
    pub above: bool,
    /// The values.
    pub values: Values,
}

impl Gauge {
    /// Nothing is known; zones are exact.
    pub fn new(kind: Extremum) -> Self {
        let values = Values::default();
        Self { kind, exact_to: None, stops: false, settled: false, above: false, values }
    }

    /// Takes what several workers have seen for what was seen.
    pub fn unite<'g>(&mut self, parts: impl Iterator<Item = &'g Self>) {
        self.clear();
        for part in parts {
            self.above |= part.above;
            part.values.spans().for_each(|(first, last)| self.note(first, last));
        }
    }

    /// Takes these values, and whether there was one above, for what was seen.
    pub fn set(&mut self, above: bool, spans: impl Iterator<Item = (i64, i64)>) {
        self.clear();
        self.above = above;
        spans.for_each(|(first, last)| self.note(first, last));
    }

    /// Forgets what was seen.
    fn clear(&mut self) {
        self.values.clear();
        self.above = false;
    }

    fn note(&mut self, first: i64, last: i64) {
        match self.kind {
            Extremum::Bounds => self.values.add(first, last),
            Extremum::Sup | Extremum::Inf => self.values.stretch(first, last),
        }
    }

    fn integer(&mut self, value: i32) {
        let cell = 2 * i64::from(value);
        self.note(cell, cell + 1);
    }

    /// M-1.
    fn clock<B: Bound>(&mut self, clock: usize, zone: &Zone<B>) {
        let (first, mut last) = cells(clock, zone);
        if let Some(most) = self.exact_to {
            // Larger bounds were cut to the width of the zones.
            let most = 2 * i64::from(most.min(B::MAX_CONSTANT));
            self.above |= last > most;
            last = last.min(most);
        }
        if first <= last {
            self.note(first, last);
        }
    }
}

/// The first and the last cell of the values of a clock in a zone.
pub fn cells<B: Bound>(clock: usize, zone: &Zone<B>) -> (i64, i64) {
    let (lower, upper) = (zone.get(0, clock), zone.get(clock, 0));
    let first = -2 * i64::from(lower.constant()) + i64::from(lower.is_strict());
    let last =
        if upper.is_inf() { FOREVER } else { 2 * i64::from(upper.constant()) - i64::from(upper.is_strict()) };
    (first, last)
}

/// Measures instead of looking for a state.
#[derive(Debug)]
pub struct MeasureGoal<'g, B: Bound> {
    test: FormulaTest<'g, B>,
    reader: QuantityReader<'g>,
    gauges: &'g mut [Gauge],
    zone: Zone<B>,
}

impl<'g, B: Bound> MeasureGoal<'g, B> {
    /// For quantities in the states where `formula` holds; there is a gauge for
    /// each. Both were compiled for the same network.
    pub fn new(
        formula: &'g CompiledFormula,
        quantities: &'g CompiledQuantities,
        gauges: &'g mut [Gauge],
        stepper: Stepper<'g, B>,
    ) -> Self {
        debug_assert_eq!(gauges.len(), quantities.items.len());
        gauges.iter_mut().for_each(Gauge::clear);
        let reader = QuantityReader::new(quantities);
        let zone = Zone::new(stepper.system.zone_dimension());
        Self { test: FormulaTest::new(formula, stepper), reader, gauges, zone }
    }

    /// Reads every clock in every part of the zone where the formula holds.
    fn clocks(&mut self, state: &mut Discrete, zone: ZoneOf<'_, B>) -> Result<bool, Halt> {
        if !zone(&mut self.zone)? {
            return Ok(false);
        }
        let Self { test, reader, gauges, zone } = self;
        // M-2
        if !test.somewhere(state, zone)? {
            return Ok(false);
        }
        let readings =
            (0..reader.len()).map(|i| reader.read(state, i)).collect::<Result<Vec<_>, RuntimeError>>()?;
        record_integers(&readings, gauges);
        // Reading may have used the registers in which locations are looked for.
        test.discrete(state)?;
        test.parts(state, zone, &mut |part| {
            for (reading, gauge) in readings.iter().zip(gauges.iter_mut()).filter(|(_, g)| !g.settled) {
                if let Reading::Clock(clock) = reading {
                    gauge.clock(*clock, part);
                }
            }
            ControlFlow::Continue(())
        })?;
        Ok(gauges.iter().any(|gauge| gauge.stops && gauge.above))
    }
}

fn record_integers(readings: &[Reading], gauges: &mut [Gauge]) {
    for (reading, gauge) in readings.iter().zip(gauges) {
        if let Reading::Integer(value) = reading {
            gauge.integer(*value);
        }
    }
}

impl<B: Bound> Goal<B> for MeasureGoal<'_, B> {
    fn met(&mut self, state: &mut Discrete, zone: ZoneOf<'_, B>) -> Result<Met, Halt> {
        let truth = self.test.discrete(state)?;
        if truth == Truth::No {
            return Ok(Met::No);
        }
        if self.reader.has_clocks() {
            return self.clocks(state, zone).map(Met::from);
        }
        let open = truth == Truth::Open;
        if open && !(zone(&mut self.zone)? && self.test.somewhere(state, &self.zone)?) {
            return Ok(Met::No);
        }
        for (i, gauge) in self.gauges.iter_mut().enumerate() {
            if let Reading::Integer(value) = self.reader.read(state, i)? {
                gauge.integer(value);
            }
        }
        Ok(Met::No)
    }

    fn registers(&self) -> usize {
        self.test.registers().max(self.reader.registers())
    }
}
