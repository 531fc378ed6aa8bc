//! From a plan to a pipeline.
//!
//! Zone width, zone store and cover are compiled into the loop: they change
//! its data layout or sit in its innermost comparison. The other stages are
//! boxed: a call per state is lost in the noise (`docs/performance.md`).

use crate::checkpoint::{Disk, FileKeeper, Frozen, Identity, Kept};
use crate::fastest::Timed;
use crate::live::Lasso;
use crate::plan::{Abstraction, CoverRule, Plan, StoreName, Switch, TraceKind, Width};
use crate::question::Goal;
use crate::session::{Space, Stored};
use crate::stored::{Visit, enumerate};
use crate::verdict::{blank, too_large};
use crate::{Model, Observer, Question, Report, Session, Stats, Verdict, approximate, aside, stages};
use dwell_base::SpillFile;
use dwell_base::limits::{Limits, Stop};
use dwell_explore::cover::{AluInclusion, Equality, Inclusion};
use dwell_explore::measure::{Gauge, MeasureGoal};
use dwell_explore::store::{CopiedZones, Omissions, SharedZones, Unique};
use dwell_explore::{
    Cover, EarliestGoal, FormulaGoal, Keeper, LabelGoal, NoGoal, NoKeeper, NoObserver, Outcome, ZoneStore,
};
use dwell_model::System;
use dwell_model::analysis::ClockFacts;
use dwell_parallel::Cluster;
use dwell_semantics::{ConstantTooLarge, Stepper, Transitions, ZoneSystem};
use dwell_zones::Bound;
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

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
    /// States visited by each of several workers.
    pub load: Vec<u64>,
    /// Initial state and moves to the state the outcome names.
    pub path: Option<(u32, Vec<u32>)>,
    /// How the run goes on for ever from there.
    pub lasso: Option<Lasso>,
    /// What a store that forgets may have left out.
    pub omissions: Option<Omissions>,
    /// Distinct parts, where they are kept once.
    pub unique: Unique,
}

impl Ended {
    /// Of a run of which nothing else is left.
    pub fn new(outcome: Outcome, stats: Stats) -> Self {
        let unique = Unique::default();
        Self { outcome, stats, load: Vec::new(), path: None, lasso: None, omissions: None, unique }
    }
}

/// Answers a question.
pub fn check(model: &Model, question: &Question, plan: &Plan, control: Control<'_>) -> Report {
    Session::new(model, 1).check(question, plan, control)
}

/// Answers a question by exploring; where everything was explored and the
/// states are to be kept, they are left in `kept`.
pub(crate) fn explore(
    (model, question): (&Model, &Question),
    plan: &Plan,
    control: Control<'_>,
    (disk, cluster): (&Disk, Option<&dyn Cluster>),
    kept: Option<&mut Option<Box<dyn Stored>>>,
) -> Report {
    let started = Instant::now();
    let system = &model.system;
    if let Some(refusal) = model.refusals().first() {
        let why = Some(refusal.message.clone());
        return Report { why, ..blank(question, plan, Verdict::Error) };
    }
    if plan.all_workers() == 1 && cluster.is_some_and(|cluster| cluster.rank() != 0) {
        return blank(question, plan, Verdict::Unknown); // CL-3
    }
    if let Some(why) = approximate::too_large(plan, &control.limits) {
        return Report { why: Some(why), ..blank(question, plan, Verdict::Unknown) };
    }
    let mut plan = plan.clone();
    let identity = disk.keeps_runs().then(|| Identity::new(model, question, &plan));
    let frozen = match disk.refuses(question, &plan) {
        Some(why) => Err(why),
        None => disk
            .resume
            .as_deref()
            .zip(identity.as_ref())
            .map(|(path, run)| Frozen::open(path, run))
            .transpose(),
    };
    let frozen = match frozen {
        Ok(frozen) => frozen,
        Err(why) => return Report { why: Some(why), ..blank(question, &plan, Verdict::Error) },
    };
    if let Some(frozen) = &frozen {
        plan.width = if frozen.bits == 16 { Width::Bits16 } else { Width::Bits32 };
    }
    let transitions = Transitions::new(system);
    let timed = (plan.trace == TraceKind::Fastest).then(|| Timed::new(system, question.facts(model)));
    let mut run = Run {
        timed: timed.as_ref(),
        observer: control.observer.map(|observer| Box::new(Watching(observer)) as Box<dyn Observer>),
        keep: kept.is_some(),
        checkpoint: disk.checkpoint.as_ref().zip(identity.as_ref()),
        frozen,
        spill: disk.spill.as_deref(),
        cluster,
        ..Run::new(model, &transitions, question, control.limits)
    };
    let ended = match &question.goal {
        Goal::Measure(measure) => measure.fill(&mut run, &mut plan),
        _ => aside::explore(&mut run, &mut plan),
    };
    if let Some(kept) = kept {
        *kept = run.kept.take();
    }
    let mut report = match ended {
        Err(error) => Report { why: Some(too_large(error)), ..blank(question, &plan, Verdict::Error) },
        Ok(mut ended) => {
            let artefact = plan.sees_more() || system.has_stopwatches();
            let failed = matches!(ended.outcome, Outcome::Failed { at: Some(_), .. }) && !artefact;
            if failed && ended.path.is_none() && plan.failure_trace == Switch::On {
                // A failure is shown with the way to it: once more, with parents.
                run.checkpoint = None;
                let mut traced = Plan { trace: TraceKind::Some, ..plan.clone() };
                match run.widening(&mut traced, None) {
                    Ok(again) if matches!(again.outcome, Outcome::Failed { .. }) => ended = again,
                    _ => {} // out of time: the failure stands without it
                }
            }
            let stopped = matches!(ended.outcome, Outcome::Stopped(_));
            let looped = ended.path.is_some() && ended.lasso.as_ref().is_some_and(Lasso::is_loop);
            let mut report = run.report(ended, &plan);
            if looped && report.trace.is_none() && plan.variables.take().is_some() {
                // A variable that is never read may have another value in every round, so that no
                // two are the same: once more, with all variables.
                report = match aside::explore(&mut run, &mut plan) {
                    Ok(again) => run.report(again, &plan),
                    Err(_) => report,
                };
            }
            if let (true, true, Some((path, _))) = (stopped, run.on_file.written, &disk.checkpoint) {
                let why = report.why.unwrap_or_default();
                report.why = Some(format!("{why}; to go on, give --resume {}", path.display()));
            }
            report.checkpoint_failed = run.on_file.failed.take();
            if let Goal::Measure(measure) = &question.goal {
                measure.conclude(&mut report, system, &run.gauges, run.gave_up.take());
            }
            report
        }
    };
    report.time = started.elapsed();
    report
}

/// Makes a zone store; every worker has one of its own.
pub(crate) type MakeStore<'f, Z> = &'f (dyn Fn() -> Z + Sync);

pub(crate) struct Run<'a, 'o> {
    pub system: &'a System,
    /// With one more clock, if the fastest run is wanted.
    pub timed: Option<&'a Timed>,
    pub transitions: &'a Transitions,
    pub facts: Cow<'a, ClockFacts>,
    /// A model without an initial state is wrong, in UPPAAL's language; in
    /// TChecker's format it has no states.
    pub must_start: bool,
    pub question: &'a Question,
    pub limits: Limits,
    pub observer: Option<Box<dyn Observer + 'o>>,
    /// What is measured.
    pub gauges: Vec<Gauge>,
    /// Why what is measured has no answer, or what is known all the same.
    pub gave_up: Option<String>,
    /// Whether the states of a complete exploration are kept.
    pub keep: bool,
    pub kept: Option<Box<dyn Stored>>,
    /// Where the run is written down, and what it is.
    pub checkpoint: Option<(&'a (PathBuf, Duration), &'a Identity)>,
    /// What became of that.
    pub on_file: Kept,
    /// What it goes on from.
    pub frozen: Option<Frozen>,
    /// Where to put what does not fit into memory.
    pub spill: Option<&'a Path>,
    /// The processes that share the question.
    pub cluster: Option<&'a dyn Cluster>,
    /// They do not any more; CL-3.
    pub apart: bool,
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
            timed: None,
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
            checkpoint: None,
            on_file: Kept::default(),
            frozen: None,
            spill: None,
            cluster: None,
            apart: false,
        }
    }

    /// A run that asks the same and leaves nothing behind.
    pub(crate) fn beside(&self) -> Run<'a, 'static> {
        Run {
            system: self.system,
            timed: None,
            transitions: self.transitions,
            facts: self.facts.clone(),
            must_start: self.must_start,
            question: self.question,
            limits: self.limits.clone(),
            observer: None,
            gauges: Vec::new(),
            gave_up: None,
            keep: false,
            kept: None,
            checkpoint: None,
            on_file: Kept::default(),
            frozen: None,
            spill: None,
            cluster: None,
            apart: false,
        }
    }

    /// Whether it comes from a file, or is to go there.
    pub(crate) fn is_in_file(&self) -> bool {
        self.checkpoint.is_some() || self.frozen.is_some()
    }

    /// What is explored.
    pub(crate) fn explored(&self) -> (&'a System, Cow<'a, ClockFacts>) {
        match self.timed {
            Some(timed) => (&timed.system, Cow::Borrowed(&timed.facts)),
            None => (self.system, self.facts.clone()),
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
        let zones = ZoneSystem::<B>::new(self.explored().0)?;
        Ok(match plan.store {
            StoreName::Copy => self.with_store(plan, &zones, &CopiedZones::default, visit),
            StoreName::Shared => self.with_store(plan, &zones, &SharedZones::default, visit),
            _ => {
                let (facts, dim) = (self.facts.clone(), self.explored().0.zone_dimension());
                self.with_store(plan, &zones, &|| stages::zones(plan, &facts, dim), visit)
            }
        })
    }

    fn with_store<B: Bound, Z: ZoneStore<B> + 'static>(
        &mut self,
        plan: &Plan,
        zones: &ZoneSystem<B>,
        store: MakeStore<'_, Z>,
        visit: Option<Visit<'_, '_>>,
    ) -> Ended {
        match (plan.abstraction, plan.cover) {
            (Abstraction::ALu, _) => self.with_cover(plan, zones, store, AluInclusion, visit),
            (_, CoverRule::Inclusion) => self.with_cover(plan, zones, store, Inclusion, visit),
            (_, CoverRule::Equality) => self.with_cover(plan, zones, store, Equality, visit),
        }
    }

    fn with_cover<B: Bound, Z: ZoneStore<B> + 'static, C: Cover<B> + Copy + 'static>(
        &mut self,
        plan: &Plan,
        zones: &ZoneSystem<B>,
        store: MakeStore<'_, Z>,
        cover: C,
        visit: Option<Visit<'_, '_>>,
    ) -> Ended {
        let question = self.question;
        if let Goal::Live(live) = &question.goal {
            return live.run(self, plan, zones, store(), cover);
        }
        let (system, _) = self.explored();
        let stepper = Stepper { system, transitions: self.transitions, zones };
        if plan.all_workers() > 1 {
            return self.shared(plan, stepper, store, cover, visit);
        }
        let store = store();
        let time = self.timed.map(Timed::clock);
        let mut gauges = std::mem::take(&mut self.gauges);
        let goal = goal(question, stepper, time, &mut gauges);
        let ended = self.pipeline(plan, stepper, store, cover, goal, visit);
        self.gauges = gauges;
        ended
    }

    /// Explores with a goal.
    pub(crate) fn pipeline<'z, B: Bound, Z: ZoneStore<B> + 'static, C: Cover<B> + 'static>(
        &mut self,
        plan: &Plan,
        stepper: Stepper<'z, B>,
        store: Z,
        cover: C,
        goal: Box<dyn dwell_explore::Goal<B> + '_>,
        visit: Option<Visit<'_, '_>>,
    ) -> Ended {
        let (_, facts) = self.explored();
        let Stepper { system, zones, .. } = stepper;
        let observer: Box<dyn Observer + '_> = match &mut self.observer {
            Some(observer) => Box::new(Watching(observer)),
            None => Box::new(NoObserver),
        };
        let keeper: Box<dyn Keeper> = match self.checkpoint {
            Some((file, identity)) => Box::new(FileKeeper::new(file, identity, B::BITS, &mut self.on_file)),
            None => Box::new(NoKeeper),
        };
        let parts = stages::Parts { plan, facts: &facts, timed: self.timed, limits: &self.limits };
        let mut pipeline = parts.pipeline(stepper, (store, cover), goal, observer, keeper);
        let outcome = match (self.spill.map(SpillFile::create_in).transpose(), self.frozen.take()) {
            (Err(error), _) => Outcome::Stopped(Stop::Disk(error.kind())),
            (Ok(file), frozen) => {
                pipeline.spill = file;
                match frozen {
                    None => pipeline.run(),
                    Some(mut frozen) => pipeline
                        .resume(&mut frozen.body)
                        .unwrap_or_else(|error| Outcome::NotResumed(frozen.unusable(&error))),
                }
            }
        };
        if let (Some(visit), Outcome::Complete) = (visit, &outcome) {
            enumerate(system, &pipeline.reduce, &pipeline.pw, visit);
        }
        let node = match &outcome {
            Outcome::Reached(node) | Outcome::ReachedAt(node, _) => Some(*node),
            Outcome::Failed { at, .. } => at.map(|(node, _)| node),
            _ => None,
        };
        let path = node.and_then(|node| pipeline.pw.trace().path_to(node.0));
        let omissions = pipeline.pw.passing().omissions();
        let unique = Unique::of(pipeline.pw.keys(), pipeline.pw.zones());
        if self.keep && outcome == Outcome::Complete && plan.has_all() {
            let (zones, reduce, stats) = (zones.clone(), pipeline.reduce, pipeline.stats);
            self.kept = Some(Box::new(Space { zones, reduce, lists: vec![pipeline.pw], stats }));
        }
        Ended { path, omissions, unique, ..Ended::new(outcome, pipeline.stats) }
    }
}

/// The stage that a question is; `time` is the index of the clock that
/// measures it, where the fastest run is wanted.
pub(crate) fn goal<'q, B: Bound>(
    question: &'q Question,
    stepper: Stepper<'q, B>,
    time: Option<usize>,
    gauges: &'q mut [Gauge],
) -> Box<dyn dwell_explore::Goal<B> + 'q> {
    match (&question.goal, time) {
        (Goal::Space, _) => Box::new(NoGoal),
        (Goal::Labels(labels), None) => Box::new(LabelGoal::new(stepper.system, labels)),
        (Goal::Labels(labels), Some(time)) => Box::new(EarliestGoal::labels(stepper, labels, time)),
        (Goal::Reach(reach), None) => Box::new(FormulaGoal::new(&reach.formula, stepper)),
        (Goal::Reach(reach), Some(time)) => Box::new(EarliestGoal::formula(stepper, &reach.formula, time)),
        (Goal::Measure(m), _) => Box::new(MeasureGoal::new(&m.formula, &m.compiled, gauges, stepper)),
        (Goal::Live(_), _) => unreachable!("runs that go on for ever have searches of their own"),
    }
}

/// An observer that is lent.
pub(crate) struct Watching<'w, O: ?Sized>(pub &'w mut O);

impl<O: Observer + ?Sized> Observer for Watching<'_, O> {
    fn progress(&mut self, stats: &Stats, waiting: usize) {
        self.0.progress(stats, waiting);
    }
}
