//! `sup`, `inf` and `bounds`.
//!
//! Integers need one run. Clocks are told apart up to a constant only (M-1 of
//! `dwell_explore::measure`): the first is the largest that the model knows,
//! and where the answer lies above it the run is made again with a larger one.
//! A value above it ends a run at once, and the way there is looked at with
//! exact zones: perhaps it shows that there is no end ([`growth`]).
//!
//! X-1 A constant only ever grows, to at most [`MOST`]; then the answer is
//!     *unknown*, with a sentence.
//! X-2 Whatever is known early, everything is explored: a model that fails, or
//!     a quantity that does, is reported.
//! X-3 No value without an exact zone behind it: *infinity* is said of a clock
//!     only if a path was found on which it has no upper bound, or a loop that
//!     can be taken again and again with the clock ever larger.
//! X-4 Where clocks stand still, more is looked at than can be reached: the values
//!     are bounds of the true ones, and the verdict says *maybe*.

mod growth;
mod text;

pub use text::Value;

use crate::plan::{Abstraction, Plan, Switch, TraceKind, Width};
use crate::question::bounds;
use crate::run::{Ended, Run};
use crate::{Report, Verdict};
use dwell_explore::Outcome;
use dwell_explore::measure::{FOREVER, Gauge};
use dwell_model::analysis::ClockFacts;
use dwell_model::expr::{ClockConstraint, Expr, Relation};
use dwell_model::property::{Extremum, Formula, Measured, Quantity};
use dwell_model::{CompiledFormula, CompiledQuantities, Network, Span, System};
use dwell_semantics::ConstantTooLarge;
use dwell_zones::Bound;
use growth::Growth;
use std::borrow::Cow;

/// The largest constant up to which clocks are told apart: sums of two must fit
/// the widest zones.
const MOST: i32 = <i32 as Bound>::MAX_CONSTANT / 2;

/// How much larger a constant is in the next run.
const STEP: i32 = 4;

/// Quantities and the states they are measured in.
#[derive(Clone, Debug)]
pub(crate) struct Measure {
    pub kind: Extremum,
    pub formula: CompiledFormula,
    pub quantities: Vec<Quantity>,
    pub compiled: CompiledQuantities,
    /// Clock bounds of the model and the formula.
    pub plain: ClockFacts,
    /// The same with the measured clocks told apart up to `first`.
    pub facts: ClockFacts,
    /// The largest constant of the model and the formula.
    first: i32,
}

impl Measure {
    /// Measures `quantities` where `formula` holds.
    pub fn new(
        kind: Extremum,
        formula: Formula,
        quantities: Vec<Quantity>,
        system: &System,
        network: &Network,
    ) -> Self {
        let plain = bounds(&formula, network, &formula.clock_constraints());
        let first = plain.largest_constant.clamp(1, MOST.into()) as i32;
        let compiled = CompiledQuantities::new(&quantities, network);
        let formula = CompiledFormula::new(formula, system, network);
        let facts = plain.clone();
        let mut measure = Self { kind, formula, quantities, compiled, plain, facts, first };
        if measure.has_clocks() {
            measure.facts = measure.facts_for(network, |_| Some(first));
        }
        measure
    }

    /// Whether a clock is measured.
    pub fn has_clocks(&self) -> bool {
        self.compiled.has_clocks()
    }

    /// The clock bounds with every measured clock told apart up to a constant.
    fn facts_for(&self, network: &Network, most: impl Fn(usize) -> Option<i32>) -> ClockFacts {
        let exact = |(i, quantity): (usize, &Quantity)| match &quantity.value {
            Measured::Integer(_) => None,
            Measured::Clock(clock) => Some(ClockConstraint {
                when: None,
                left: clock.clone(),
                minus: None,
                relation: Relation::Eq,
                bound: Expr::Const(most(i)?),
                span: Span::default(),
            }),
        };
        let exact: Vec<ClockConstraint> = self.quantities.iter().enumerate().filter_map(exact).collect();
        let mut asked = self.formula.formula.clock_constraints();
        asked.extend(&exact);
        bounds(&self.formula.formula, network, &asked)
    }

    /// One gauge for each quantity.
    pub fn gauges(&self) -> Vec<Gauge> {
        self.quantities.iter().map(|_| Gauge::new(self.kind)).collect()
    }

    /// Fills the gauges of `run`. What ends with a state that was reached has
    /// no answer, for the reason that is left in `run`.
    pub fn fill(&self, run: &mut Run<'_, '_>, plan: &mut Plan) -> Result<Ended, ConstantTooLarge> {
        run.gauges = self.gauges();
        if !self.has_clocks() || plan.abstraction == Abstraction::None {
            return run.widening(plan, None);
        }
        let count = self.quantities.len();
        let mut search = Search { measure: self, tails: vec![None; count], exceeded: vec![None; count] };
        for (gauge, quantity) in run.gauges.iter_mut().zip(&self.quantities) {
            if matches!(quantity.value, Measured::Clock(_)) {
                gauge.exact_to = Some(self.first);
                gauge.stops = self.kind != Extremum::Inf;
            }
        }
        let mut traced = Plan { trace: TraceKind::Some, ..plan.clone() };
        let ended = search.run(run, &mut traced)?;
        plan.width = traced.width;
        for (gauge, tail) in run.gauges.iter_mut().zip(search.tails) {
            if let Some(from) = tail {
                gauge.values.add(from, FOREVER);
            }
        }
        if let (Outcome::Stopped(_), None) = (&ended.outcome, &run.gave_up) {
            let known = self.quantities.iter().zip(search.exceeded);
            run.gave_up = known.filter_map(|(q, most)| Some(text::above(&q.text, most?))).next();
        }
        // The way to a failure is shown, unless the user said otherwise.
        let shown = matches!(ended.outcome, Outcome::Failed { .. }) && plan.failure_trace == Switch::On;
        Ok(Ended { path: ended.path.filter(|_| shown), ..ended })
    }

    /// Puts what was measured into a report.
    pub fn conclude(&self, report: &mut Report, system: &System, gauges: &[Gauge], gave_up: Option<String>) {
        if report.verdict == Verdict::Unknown {
            report.why = match (report.why.take(), gave_up) {
                (Some(why), Some(known)) => Some(format!("{why}; {known}")),
                (why, known) => why.or(known),
            };
        } else if report.verdict == Verdict::Satisfied {
            if gauges.iter().any(|gauge| gauge.values.is_empty()) {
                report.why.get_or_insert_with(|| text::NO_STATE.into());
            }
            let values = self.quantities.iter().zip(gauges).map(|(q, gauge)| text::value(q, gauge));
            report.values = Some(values.collect());
            //
            if system.has_stopwatches() && gauges.iter().any(|gauge| !gauge.values.is_empty()) {
                report.verdict = report.verdict.maybe();
                report.why = Some(text::STOPWATCHES.into());
            }
        }
    }
}

/// Runs with larger and larger constants.
struct Search<'m> {
    measure: &'m Measure,
    /// For each quantity, the cell from which on it has all values.
    tails: Vec<Option<i64>>,
    /// The largest constant that a value was found above.
    exceeded: Vec<Option<i32>>,
}

impl Search<'_> {
    fn run(&mut self, run: &mut Run<'_, '_>, plan: &mut Plan) -> Result<Ended, ConstantTooLarge> {
        let measure = self.measure;
        let system = run.system;
        let network = measure.formula.network.as_deref().unwrap_or(&system.network);
        loop {
            let gauges = &run.gauges;
            let most = |i: usize| if gauges[i].settled { None } else { gauges[i].exact_to };
            let largest = (0..gauges.len()).filter_map(most).max().unwrap_or(0);
            let facts = measure.facts_for(network, most);
            run.facts = Cow::Owned(facts);
            if largest > <i16 as Bound>::MAX_CONSTANT / 2 {
                plan.width = Width::Bits32;
            }
            let ended = run.widening(plan, None)?;
            let again = match ended.outcome {
                // No value below the constant, but some above.
                Outcome::Complete => self.raise(run, |g| g.kind == Extremum::Inf && g.values.is_empty()),
                Outcome::Reached(_) => self.went_above(run, ended.path.as_ref()),
                _ => return Ok(ended),
            };
            if !again {
                return Ok(ended);
            }
        }
    }

    /// A search ended at a value above the constant of its clock. Whether to
    /// go on.
    fn went_above(&mut self, run: &mut Run<'_, '_>, path: Option<&(u32, Vec<u32>)>) -> bool {
        let (initial, moves) = path.expect("the parents were kept");
        let mut found = false;
        for i in 0..run.gauges.len() {
            let gauge = &mut run.gauges[i];
            if !gauge.stops || !gauge.above {
                continue;
            }
            let most = gauge.exact_to.unwrap_or(0);
            match growth::look(self.measure, i, most, run.system, run.transitions, *initial, moves) {
                None => continue,
                Some(Growth { from }) if gauge.kind == Extremum::Sup => {
                    gauge.settled = true;
                    self.tails[i] = Some(from.unwrap_or(FOREVER));
                }
                Some(Growth { from: Some(from) }) => {
                    // What lies below the tail must still be told apart.
                    let needed = i32::try_from(from / 2 + 1).unwrap_or(MOST).min(MOST);
                    gauge.exact_to = gauge.exact_to.max(Some(needed));
                    self.tails[i] = Some(from);
                }
                Some(Growth { from: None }) => {
                    run.gave_up = Some(text::no_pattern(&self.measure.quantities[i].text));
                    return false;
                }
            }
            gauge.stops = false;
            found = true;
        }
        found || self.raise(run, |gauge| gauge.stops)
    }

    /// Raises the constants of clocks with values above; X-1. Whether to go on.
    fn raise(&mut self, run: &mut Run<'_, '_>, wanted: impl Fn(&Gauge) -> bool) -> bool {
        let mut raised = false;
        for (i, gauge) in run.gauges.iter_mut().enumerate() {
            let (true, true, Some(most)) = (gauge.above, wanted(gauge), gauge.exact_to) else { continue };
            self.exceeded[i] = Some(most);
            if most >= MOST {
                run.gave_up = Some(text::too_large(&self.measure.quantities[i].text, most));
                return false;
            }
            gauge.exact_to = Some(most.saturating_mul(STEP).min(MOST));
            raised = true;
        }
        raised
    }
}
