//! From a plan to a pipeline, and from its outcome to a verdict.
//!
//! Zone width, zone store and cover are compiled into the loop: they change
//! its data layout or sit in its innermost comparison. The other stages are
//! boxed: a call per state is lost in the noise (`docs/performance.md`).

use crate::plan::{
    Abstraction, BoundsScope, CoverRule, OrderName, Plan, StoreName, Switch, TraceKind, Width,
};
use crate::question::Goal;
use crate::session::{Space, Stored};
use crate::{Model, Observer, Question, Report, Session, Stats, Verdict};
use dwell_base::limits::{Limits, Stop};
use dwell_check::{End, Trace, next_move, rebuild};
use dwell_explore::cover::{AluInclusion, Equality, Inclusion};
use dwell_explore::extrapolate::{ExtraLu, ExtraLuPlus, ExtraM, ExtraMPlus, NoExtrapolation};
use dwell_explore::measure::{Gauge, MeasureGoal};
use dwell_explore::order::{BreadthFirst, DepthFirst};
use dwell_explore::reduce::{ActiveClocks, NoReduction};
use dwell_explore::store::{CopiedKeys, CopiedZones, SharedKeys, SharedZones};
use dwell_explore::trace::{NoTrace, Parents};
use dwell_explore::{
    BoundsMap, Cover, Extrapolate, FormulaGoal, KeyStore, LabelGoal, NoGoal, NoObserver, Order, Outcome,
    Pipeline, PwList, Reduce, TraceStore, ZoneStore,
};
use dwell_model::analysis::ClockFacts;
use dwell_model::expr::{MAX_MOVES, RuntimeError, RuntimeErrorKind};
use dwell_model::{Network, System};
use dwell_semantics::{ConstantTooLarge, Transitions, ZoneSystem};
use dwell_zones::{Bound, Zone, compact};
use std::borrow::Cow;
use std::time::Instant;

/// What holds a run back and what watches it.
#[derive(Default)]
pub struct Control<'a> {
    /// When to stop.
    pub limits: Limits,
    /// Told now and then how far the run is.
    pub observer: Option<&'a mut dyn Observer>,
}

/// What a pipeline leaves behind.
pub(crate) struct Ended {
    pub outcome: Outcome,
    pub stats: Stats,
    /// Initial state and moves to the state the outcome names.
    pub path: Option<(u32, Vec<u32>)>,
}

/// Something to do with the finished list: given every stored state.
type Visit<'v, 'f> = &'v mut (dyn FnMut(StoredState) + 'f);

/// Answers a question.
pub fn check(model: &Model, question: &Question, plan: &Plan, control: Control<'_>) -> Report {
    Session::new(model, 1).check(question, plan, control)
}

/// Answers a question by exploring; where everything was explored and the
/// states are to be kept, they are left in `kept`.
pub(crate) fn explore(
    model: &Model,
    question: &Question,
    plan: &Plan,
    control: Control<'_>,
    kept: Option<&mut Option<Box<dyn Stored>>>,
) -> Report {
    let started = Instant::now();
    let system = &model.system;
    if let Some(refusal) = model.refusals().first() {
        let why = Some(refusal.message.clone());
        return Report { why, ..blank(question, plan, Verdict::Error) };
    }
    let transitions = Transitions::new(system);
    let mut plan = plan.clone();
    let mut run = Run {
        observer: control.observer,
        keep: kept.is_some(),
        ..Run::new(model, &transitions, question, control.limits)
    };
    let ended = match &question.goal {
        Goal::Measure(measure) => measure.fill(&mut run, &mut plan),
        _ => run.widening(&mut plan, None),
    };
    if let Some(kept) = kept {
        *kept = run.kept.take();
    }
    let mut report = match ended {
        Err(error) => Report { why: Some(too_large(error)), ..blank(question, &plan, Verdict::Error) },
        Ok(mut ended) => {
            let failed = matches!(ended.outcome, Outcome::Failed { at: Some(_), .. });
            if failed && ended.path.is_none() && plan.failure_trace == Switch::On {
                // A failure is shown with the way to it: once more, with parents.
                let mut traced = Plan { trace: TraceKind::Some, ..plan.clone() };
                match run.widening(&mut traced, None) {
                    Ok(again) if matches!(again.outcome, Outcome::Failed { .. }) => ended = again,
                    _ => {} // out of time: the failure stands without it
                }
            }
            let no_start = matches!(ended.outcome, Outcome::Complete) && ended.stats.visited == 0;
            let mut report = run.report(ended, &plan);
            if let Goal::Measure(measure) = &question.goal {
                measure.conclude(&mut report, &run.gauges, run.gave_up.take());
            }
            if no_start && model.document().is_some() {
                // In UPPAAL's language that is a mistake of the model.
                report.verdict = Verdict::Error;
            }
            report
        }
    };
    report.time = started.elapsed();
    report
}

/// A stored symbolic state, for those who want to look at all of them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StoredState {
    /// Location of each process.
    pub locations: Vec<u32>,
    /// Value of each variable.
    pub vars: Vec<i32>,
    /// Every finite bound `(i, j, c, strict)`: clock i minus clock j is at
    /// most (less than) c; 0 is the reference clock, clocks count from 1.
    pub bounds: Vec<(u16, u16, i32, bool)>,
}

/// Explores everything and hands out the stored states.
pub fn stored_states(model: &Model, plan: &Plan) -> Result<Vec<StoredState>, String> {
    let question = Question::space();
    let transitions = Transitions::new(&model.system);
    let mut run = Run::new(model, &transitions, &question, Limits::default());
    let mut states = Vec::new();
    let ended = run.widening(&mut plan.clone(), Some(&mut |state| states.push(state))).map_err(too_large)?;
    match ended.outcome {
        Outcome::Complete => Ok(states),
        other => Err(format!("the exploration did not complete: {other:?}")),
    }
}

fn blank(question: &Question, plan: &Plan, verdict: Verdict) -> Report {
    Report::blank(question.formula.clone(), plan.clone(), verdict)
}

const TOO_MANY_SPLITS: &str =
    "the query has more alternatives over clocks than can be tried; ask for them one by one";

const NO_START: &str =
    "the model has no initial state: the invariants exclude every choice of initial locations";

fn too_large(error: ConstantTooLarge) -> String {
    format!(
        "a clock is compared with {}, but zones hold constants up to {} only; scale the model's time unit down",
        error.constant, error.limit
    )
}

pub(crate) struct Run<'a, 'o> {
    pub system: &'a System,
    pub transitions: &'a Transitions,
    pub facts: Cow<'a, ClockFacts>,
    /// A model without an initial state is wrong, in UPPAAL's language; in
    /// TChecker's format it has no states.
    must_start: bool,
    question: &'a Question,
    limits: Limits,
    observer: Option<&'o mut dyn Observer>,
    /// What is measured.
    pub gauges: Vec<Gauge>,
    /// Why what is measured has no answer, or what is known all the same.
    pub gave_up: Option<String>,
    /// Whether the states of a complete exploration are kept.
    keep: bool,
    kept: Option<Box<dyn Stored>>,
}

impl<'a, 'o> Run<'a, 'o> {
    pub(crate) fn new(
        model: &'a Model,
        transitions: &'a Transitions,
        question: &'a Question,
        limits: Limits,
    ) -> Self {
        Self {
            system: &model.system,
            transitions,
            facts: Cow::Borrowed(question.facts(model)),
            must_start: model.document().is_some(),
            question,
            limits,
            observer: None,
            gauges: Vec::new(),
            gave_up: None,
            keep: false,
            kept: None,
        }
    }

    /// Runs at the planned width; if a bound leaves 16 bits, again with 32.
    pub(crate) fn widening(
        &mut self,
        plan: &mut Plan,
        mut visit: Option<Visit<'_, '_>>,
    ) -> Result<Ended, ConstantTooLarge> {
        if plan.width == Width::Bits16 {
            match self.at_width::<i16>(plan, visit.as_deref_mut()) {
                Ok(ended) if ended.outcome != Outcome::Overflow => return Ok(ended),
                _ => plan.width = Width::Bits32,
            }
        }
        self.at_width::<i32>(plan, visit)
    }

    fn at_width<B: Bound>(
        &mut self,
        plan: &Plan,
        visit: Option<Visit<'_, '_>>,
    ) -> Result<Ended, ConstantTooLarge> {
        let zones = ZoneSystem::<B>::new(self.system)?;
        Ok(match plan.store {
            StoreName::Copy => self.with_store(plan, &zones, CopiedZones::default(), visit),
            StoreName::Shared => self.with_store(plan, &zones, SharedZones::default(), visit),
        })
    }

    fn with_store<B: Bound, Z: ZoneStore<B> + 'static>(
        &mut self,
        plan: &Plan,
        zones: &ZoneSystem<B>,
        store: Z,
        visit: Option<Visit<'_, '_>>,
    ) -> Ended {
        match (plan.abstraction, plan.cover) {
            (Abstraction::ALu, _) => self.pipeline(plan, zones, store, AluInclusion, visit),
            (_, CoverRule::Inclusion) => self.pipeline(plan, zones, store, Inclusion, visit),
            (_, CoverRule::Equality) => self.pipeline(plan, zones, store, Equality, visit),
        }
    }

    fn pipeline<B: Bound, Z: ZoneStore<B> + 'static, C: Cover<B> + 'static>(
        &mut self,
        plan: &Plan,
        zones: &ZoneSystem<B>,
        store: Z,
        cover: C,
        visit: Option<Visit<'_, '_>>,
    ) -> Ended {
        let system = self.system;
        let (words, location_words) = (system.layout.words(), system.layout.location_words());
        let keys: Box<dyn KeyStore> = match plan.store {
            StoreName::Shared if location_words < words => Box::new(SharedKeys::new(location_words, words)),
            _ => Box::new(CopiedKeys::new(words)),
        };
        let order: Box<dyn Order> = match plan.order {
            OrderName::Bfs => Box::<BreadthFirst>::default(),
            OrderName::Dfs => Box::<DepthFirst>::default(),
        };
        let trace: Box<dyn TraceStore> = match plan.trace {
            TraceKind::None => Box::new(NoTrace),
            TraceKind::Some => Box::<Parents>::default(),
        };
        let extrapolate: Box<dyn Extrapolate<B>> = match plan.abstraction {
            Abstraction::ExtraM => Box::new(ExtraM),
            Abstraction::ExtraMPlus => Box::new(ExtraMPlus),
            Abstraction::ExtraLu => Box::new(ExtraLu),
            Abstraction::ExtraLuPlus => Box::new(ExtraLuPlus),
            Abstraction::ALu | Abstraction::None => Box::new(NoExtrapolation),
        };
        let dim = system.zone_dimension();
        let reduce: Box<dyn Reduce> = match plan.reduce_clocks {
            Switch::On => Box::new(ActiveClocks::new(&self.facts, dim)),
            Switch::Off => Box::new(NoReduction { dim }),
        };
        let goal = goal(self.question, system, &mut self.gauges);
        let observer: Box<dyn Observer + '_> = match &mut self.observer {
            Some(observer) => Box::new(Watching(&mut **observer)),
            None => Box::new(NoObserver),
        };
        let bounds = match plan.bounds {
            BoundsScope::Local => BoundsMap::local(&self.facts),
            BoundsScope::Global => BoundsMap::global(&self.facts),
        };
        let mut pipeline = Pipeline {
            system,
            transitions: self.transitions,
            zones,
            bounds,
            extrapolate,
            reduce,
            goal,
            observer,
            pw: PwList::new(words, keys, store, cover, order, trace),
            limits: self.limits.clone(),
            stats: Stats::default(),
        };
        let outcome = pipeline.run();
        if let (Some(visit), Outcome::Complete) = (visit, &outcome) {
            enumerate(system, &pipeline.reduce, &pipeline.pw, visit);
        }
        let node = match &outcome {
            Outcome::Reached(node) => Some(*node),
            Outcome::Failed { at, .. } => at.map(|(node, _)| node),
            _ => None,
        };
        let path = node.and_then(|node| pipeline.pw.trace().path_to(node.0));
        if self.keep && outcome == Outcome::Complete {
            let (zones, reduce, pw, stats) = (zones.clone(), pipeline.reduce, pipeline.pw, pipeline.stats);
            self.kept = Some(Box::new(Space { zones, reduce, pw, stats }));
        }
        Ended { outcome, stats: pipeline.stats, path }
    }

    pub(crate) fn report(&self, ended: Ended, plan: &Plan) -> Report {
        let blank = Report { stats: ended.stats, ..blank(self.question, plan, Verdict::Unknown) };
        let (end, found, not_found) = match &self.question.goal {
            Goal::Space => (End::Anywhere, Verdict::Satisfied, Verdict::Satisfied),
            Goal::Measure(_) => (End::Anywhere, Verdict::Unknown, Verdict::Satisfied),
            Goal::Labels(labels) => (End::Labels(labels), Verdict::Satisfied, Verdict::NotSatisfied),
            Goal::Reach(reach) => match reach.violates {
                false => (End::Formula(&reach.formula), Verdict::Satisfied, Verdict::NotSatisfied),
                true => (End::Formula(&reach.formula), Verdict::NotSatisfied, Verdict::Satisfied),
            },
        };
        match ended.outcome {
            Outcome::Complete => {
                let why = (ended.stats.visited == 0).then(|| NO_START.into());
                let verdict = if why.is_some() && self.must_start { Verdict::Error } else { not_found };
                Report { verdict, why, ..blank }
            }
            Outcome::Reached(_) => match self.trace(ended.path, end) {
                Ok(trace) => Report { verdict: found, trace, ..blank },
                Err(why) => Report { why: Some(why), ..blank },
            },
            Outcome::Stopped(stop) => {
                Report { why: Some(stopped(stop, plan)), interrupted: stop == Stop::Cancelled, ..blank }
            }
            Outcome::Overflow => Report { why: Some(overflowed(plan)), ..blank },
            Outcome::TooManySplits => Report { why: Some(TOO_MANY_SPLITS.into()), ..blank },
            Outcome::Failed { error, at } => {
                let index = at.and_then(|(_, index)| index);
                let failed_move = (ended.path.as_ref().zip(index)).and_then(|((initial, moves), index)| {
                    next_move(self.system, self.transitions, *initial, moves, index)
                });
                let (why, trace) = match self.trace(ended.path, End::Anywhere) {
                    Ok(trace) => (explain(&error, &self.system.network), trace),
                    Err(bug) => (format!("{}; {bug}", explain(&error, &self.system.network)), None),
                };
                let failed_move = failed_move.unwrap_or_default();
                Report {
                    verdict: Verdict::Error,
                    why: Some(why),
                    failure: Some(error),
                    trace,
                    failed_move,
                    ..blank
                }
            }
        }
    }

    fn trace(&self, path: Option<(u32, Vec<u32>)>, end: End<'_>) -> Result<Option<Trace>, String> {
        let Some((initial, moves)) = path else { return Ok(None) };
        rebuild(self.system, self.transitions, initial, &moves, end).map(Some).map_err(|e| {
            format!("this is a bug in dwell: {e}; the verdict is withheld. Please report it with the model")
        })
    }
}

/// The stage that a question is.
pub(crate) fn goal<'q, B: Bound>(
    question: &'q Question,
    system: &System,
    gauges: &'q mut [Gauge],
) -> Box<dyn dwell_explore::Goal<B> + 'q> {
    match &question.goal {
        Goal::Space => Box::new(NoGoal),
        Goal::Labels(labels) => Box::new(LabelGoal::new(system, labels)),
        Goal::Reach(reach) => Box::new(FormulaGoal::new(&reach.formula, system)),
        Goal::Measure(m) => Box::new(MeasureGoal::new(&m.formula, &m.compiled, gauges, system)),
    }
}

struct Watching<'a>(&'a mut dyn Observer);

impl Observer for Watching<'_> {
    fn progress(&mut self, stats: &Stats, waiting: usize) {
        self.0.progress(stats, waiting);
    }
}

/// Unpacks every stored state.
fn enumerate<B, K, Z, C, O, T>(
    system: &System,
    reduce: &dyn Reduce,
    pw: &PwList<B, K, Z, C, O, T>,
    visit: Visit<'_, '_>,
) where
    B: Bound,
    K: KeyStore,
    Z: ZoneStore<B>,
    C: Cover<B>,
    O: Order,
    T: TraceStore,
{
    let mut active = Vec::new();
    let mut locations = vec![0; system.processes.len()];
    let initial: Vec<i32> = system.network.vars.iter().map(|v| v.init).collect();
    let mut vars = initial.clone();
    let mut zone = Zone::<B>::new(system.zone_dimension());
    let mut count = |words: &[u64]| {
        let mut vars = initial.clone();
        let mut locations = vec![0; system.processes.len()];
        system.layout.unpack(words, &mut locations, &mut vars);
        let mut active = Vec::new();
        reduce.active(&locations, &mut active);
        compact::compact_len(active.len())
    };
    pw.enumerate(&mut count, |words, cells| {
        system.layout.unpack(words, &mut locations, &mut vars);
        reduce.active(&locations, &mut active);
        compact::unpack(cells, &active, &mut zone);
        let dim = zone.dim();
        let pairs = (0..dim).flat_map(|i| (0..dim).map(move |j| (i, j)));
        let bounds = pairs.filter(|&(i, j)| i != j && !zone.get(i, j).is_inf()).map(|(i, j)| {
            let bound = zone.get(i, j);
            (i as u16, j as u16, bound.constant(), bound.is_strict())
        });
        visit(StoredState { locations: locations.clone(), vars: vars.clone(), bounds: bounds.collect() });
    });
}

fn stopped(stop: Stop, plan: &Plan) -> String {
    match stop {
        Stop::Timeout if plan.abstraction == Abstraction::None => {
            "out of time; exact zones may go on for ever: try another --abstraction, or a longer --timeout"
                .into()
        }
        Stop::Timeout => "out of time; try a longer --timeout".into(),
        Stop::Memory => {
            let other = if plan.store == StoreName::Copy { "try --store shared, or " } else { "try " };
            format!("out of memory; {other}a larger --memory")
        }
        Stop::Cancelled => "interrupted".into(),
    }
}

fn overflowed(plan: &Plan) -> String {
    let advice = match plan.abstraction {
        Abstraction::None | Abstraction::ALu => {
            "exact zones grow without limit where clocks run away: try --abstraction extra-lu+"
        }
        _ => "scale the model's time unit down",
    };
    format!("a bound on a clock difference grew beyond 32 bits; {advice}")
}

fn explain(error: &RuntimeError, network: &Network) -> String {
    match error.kind {
        RuntimeErrorKind::OutOfRange { var, value } => {
            let var = &network.vars[var.index()];
            format!("{value} is assigned to {}, whose range is {} to {}", var.name, var.min, var.max)
        }
        RuntimeErrorKind::BadIndex { index, low: 0, len } => {
            format!("index {index} is outside an array of {len}")
        }
        RuntimeErrorKind::BadIndex { index, low, len } => {
            let last = i64::from(low) + i64::from(len) - 1;
            format!("index {index} is outside an array with indices {low} to {last}")
        }
        RuntimeErrorKind::ValueOutOfRange { value, min, max } => {
            format!("the value {value} is outside the range {min} to {max}")
        }
        RuntimeErrorKind::BadShift { count } => format!("a shift by {count}; 0 to 31 are possible"),
        RuntimeErrorKind::NegativeExponent => "a negative exponent".into(),
        RuntimeErrorKind::AssertionFailed => "an assertion does not hold".into(),
        RuntimeErrorKind::DivisionByZero => "division by zero".into(),
        RuntimeErrorKind::Overflow => "a result does not fit into 32 bits".into(),
        RuntimeErrorKind::NegativeClock { value } => format!("a clock is set to {value}, below zero"),
        RuntimeErrorKind::Endless => "an update does not end".into(),
        RuntimeErrorKind::TooManyMoves => format!("a state has more than {MAX_MOVES} ways to synchronise"),
    }
}
