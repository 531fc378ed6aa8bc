//! Several questions about one model: the states explored for one may answer
//! the next (David, Behrmann, Larsen, Yi, paper 2, section 5).
//!
//! S-1 States are kept of complete explorations only: no goal was met, nothing
//!     failed, nothing stopped the run.
//! S-2 They answer a question whose plan is the same and whose clock bounds are
//!     dominated by those of the exploration.
//! S-3 A question that fails on a stored state, or whose answer needs a trace
//!     where no parents were kept, is explored for as if nothing were there: the
//!     verdict is that of a run on its own.
//! S-4 At most one list of states is kept, and none while more than half of the
//!     memory limit is in use.

use crate::checkpoint::Disk;
use crate::plan::{Chains, Plan, TraceKind};
use crate::question::Goal;
use crate::run::{Ended, Run, explore, goal};
use crate::workers::path;
use crate::{Control, Model, Question, Report, Reused, Stats};
use dwell_base::limits::{Limits, resident_bytes};
use dwell_explore::measure::Gauge;
use dwell_explore::{Cover, KeyStore, Order, Outcome, PwList, Reduce, Scan, TraceStore, ZoneStore};
use dwell_model::System;
use dwell_model::analysis::ClockFacts;
use dwell_parallel::Cluster;
use dwell_semantics::{Stepper, Transitions, ZoneSystem};
use dwell_zones::Bound;
use std::time::Instant;

/// Questions about one model, one after the other.
pub struct Session<'m> {
    model: &'m Model,
    /// How many will be asked.
    expected: usize,
    asked: usize,
    kept: Option<Kept>,
    disk: Disk,
    cluster: Option<&'m dyn Cluster>,
}

/// The states of an exploration.
struct Kept {
    /// The question they were explored for, counted from 1.
    question: usize,
    plan: Plan,
    facts: ClockFacts,
    states: Box<dyn Stored>,
}

impl<'m> Session<'m> {
    /// A session in which `questions` questions will be asked: nothing is kept
    /// after the last.
    pub fn new(model: &'m Model, questions: usize) -> Self {
        Self { model, expected: questions, asked: 0, kept: None, disk: Disk::default(), cluster: None }
    }

    /// The same with what its runs may use of the disk.
    pub fn on_disk(self, disk: Disk) -> Self {
        Self { disk, ..self }
    }

    /// The same with other processes that ask the same questions.
    pub fn on_cluster(self, cluster: Option<&'m dyn Cluster>) -> Self {
        Self { cluster, ..self }
    }

    /// Answers a question. In a cluster the first process has the answer; those
    /// of others mean nothing.
    pub fn check(&mut self, question: &Question, plan: &Plan, control: Control<'_>) -> Report {
        self.asked += 1;
        if let Some(report) = self.reuse(question, plan, &control.limits) {
            return report;
        }
        let mut states = None;
        // The fastest run is looked for with one more clock.
        let keeps = self.asked < self.expected
            && question.is_of_states()
            && plan.trace != TraceKind::Fastest
            && self.cluster.is_none();
        let mut plan = plan.clone();
        if keeps && plan.chains == Chains::Auto {
            plan.chains = Chains::Off; // the next question may be about any state
            plan.reasons.retain(|reason| reason.part != "chains");
        }
        let limits = control.limits.clone();
        let report = {
            let beyond = (&self.disk, self.cluster);
            explore((self.model, question), &plan, control, beyond, keeps.then_some(&mut states))
        };
        if let Some(states) = states {
            let facts = question.facts(self.model).clone();
            self.keep(Kept { question: self.asked, plan, facts, states }, &limits);
        }
        report
    }

    /// The report on a question that could not even be asked.
    pub fn refused(&mut self, formula: String, why: String, plan: Plan) -> Report {
        self.asked += 1;
        Report::refused(formula, why, plan)
    }

    /// S-4. What answers more than what is kept takes its place.
    fn keep(&mut self, new: Kept, limits: &Limits) {
        if let Some(limit) = limits.memory_bytes
            && resident_bytes().unwrap_or(0).max(new.states.stats().held_bytes) > limit / 2
        {
            self.kept = None;
            return;
        }
        let more = |old: &Kept| new.facts.dominates(&old.facts) && !old.facts.dominates(&new.facts);
        if self.kept.as_ref().is_none_or(more) {
            self.kept = Some(new);
        }
    }

    /// The answer from the states that are kept, if they have it.
    fn reuse(&self, question: &Question, plan: &Plan, limits: &Limits) -> Option<Report> {
        let kept = self.kept.as_ref()?;
        let answers = question.is_of_states()
            && !matches!(question.goal, Goal::Space)
            && same(&kept.plan, plan)
            && kept.facts.dominates(question.facts(self.model));
        if !answers {
            return None;
        }
        let started = Instant::now();
        let transitions = Transitions::new(&self.model.system);
        let mut run = Run::new(self.model, &transitions, question, limits.clone());
        if let Goal::Measure(measure) = &question.goal {
            run.gauges = measure.gauges();
        }
        let (mut ended, states) =
            kept.states.ask(&self.model.system, &transitions, question, &mut run.gauges, limits);
        match (&ended.outcome, plan.trace) {
            (Outcome::Reached(_), TraceKind::None) => ended.path = None,
            (Outcome::Reached(_), TraceKind::Some) if ended.path.is_none() => return None, // S-3
            (Outcome::Reached(_), TraceKind::Some) | (Outcome::Complete | Outcome::Stopped(_), _) => {}
            _ => return None, // S-3
        }
        let mut report = run.report(ended, plan);
        if let Goal::Measure(measure) = &question.goal {
            measure.conclude(&mut report, &self.model.system, &run.gauges, None);
        }
        // Nothing was explored; the states are those that were there.
        let Stats { stored, max_stored, discrete, held_bytes, .. } = report.stats;
        report.stats = Stats { stored, max_stored, discrete, held_bytes, ..Stats::default() };
        report.reused = Some(Reused { question: kept.question, states });
        report.plan.width = kept.states.width();
        report.time = started.elapsed();
        Some(report)
    }
}

/// S-2: traces apart, which change no state, widths, orders, proofs on the side,
/// and what is passed through where nothing is kept: whatever they were found in or
/// interrupted by, all states are there.
fn same(a: &Plan, b: &Plan) -> bool {
    let shape = |plan: &Plan| Plan {
        order: b.order,
        heuristic: b.heuristic.clone(),
        edges: b.edges,
        side_proof: b.side_proof,
        chains: b.chains,
        seed: b.seed,
        trace: TraceKind::None,
        failure_trace: b.failure_trace,
        width: b.width,
        reasons: Vec::new(),
        ..plan.clone()
    };
    shape(a) == shape(b)
}

impl Question {
    /// Whether it asks each reachable state on its own, so that any complete
    /// list of them has the answer.
    pub(crate) fn is_of_states(&self) -> bool {
        match &self.goal {
            Goal::Space | Goal::Labels(_) | Goal::Reach(_) => true,
            Goal::Measure(measure) => !measure.has_clocks(),
            Goal::Live(_) => false,
        }
    }

    /// Whether asking it may fail on some state.
    fn may_fail(&self) -> bool {
        match &self.goal {
            Goal::Space | Goal::Labels(_) => false,
            Goal::Reach(reach) => reach.formula.code.may_fail(),
            Goal::Measure(_) | Goal::Live(_) => true,
        }
    }
}

/// A finished list of states, whatever its types.
pub(crate) trait Stored {
    /// Shows its states to the goal of a question; also, how many.
    fn ask(
        &self,
        system: &System,
        transitions: &Transitions,
        question: &Question,
        gauges: &mut [Gauge],
        limits: &Limits,
    ) -> (Ended, u64);
    /// What was counted when it was made.
    fn stats(&self) -> &Stats;
    /// Of its zones.
    fn width(&self) -> crate::Width;
}

/// The passed list of a pipeline.
pub(crate) type Passed<B, Z, C> = PwList<B, Box<dyn KeyStore>, Z, C, Box<dyn Order>, Box<dyn TraceStore>>;

/// What a pipeline leaves behind.
pub(crate) struct Space<B: Bound, Z, C> {
    pub zones: ZoneSystem<B>,
    pub reduce: Box<dyn Reduce>,
    /// One for each worker.
    pub lists: Vec<Passed<B, Z, C>>,
    pub stats: Stats,
}

impl<B: Bound, Z: ZoneStore<B>, C: Cover<B>> Stored for Space<B, Z, C> {
    fn ask(
        &self,
        system: &System,
        transitions: &Transitions,
        question: &Question,
        gauges: &mut [Gauge],
        limits: &Limits,
    ) -> (Ended, u64) {
        let stepper = Stepper { system, transitions, zones: &self.zones };
        let mut goal = goal::<B>(question, stepper, None, gauges);
        let scan = Scan { system, zones: &self.zones, to_the_end: question.may_fail(), limits };
        let (mut seen, mut end) = (0, Ended::new(Outcome::Complete, self.stats));
        for (worker, list) in self.lists.iter().enumerate() {
            let (outcome, states) = scan.run(list, &self.reduce, &mut *goal);
            seen += states;
            if let Outcome::Reached(node) = outcome {
                end.path = path(&self.lists, worker, node);
            }
            end.outcome = outcome;
            if end.outcome != Outcome::Complete {
                break;
            }
        }
        (end, seen)
    }

    fn stats(&self) -> &Stats {
        &self.stats
    }

    fn width(&self) -> crate::Width {
        if B::BITS == 16 { crate::Width::Bits16 } else { crate::Width::Bits32 }
    }
}
