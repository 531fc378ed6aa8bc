//! Several workers on one question (paper 4).
//!
//! Every worker is a pipeline of its own over the states it owns
//! (`dwell_parallel`); the first one runs in the thread that asks, so that
//! whoever watches need not know of the others.
//!
//! W-1 The answer is that of one worker. A state that was reached is reached, a
//!     search that is complete everywhere is complete. A model that fails is
//!     explored again by one worker: which state fails first, or whether one
//!     that is looked for comes before, is then no matter of who was faster.
//! W-2 Visited, stored and other counts are sums. `max_stored` is the sum of
//!     the largest numbers, which need not have been at the same time.

use crate::plan::{DistributionName, Plan, TraceKind};
use crate::run::{Ended, MakeStore, Run, Watching, goal};
use crate::session::{Passed, Space};
use crate::stages::{self, Parts};
use crate::stored::{Visit, enumerate};
use crate::{Observer, Question, Stats};
use dwell_base::SpillFile;
use dwell_base::limits::Stop;
use dwell_explore::measure::Gauge;
use dwell_explore::store::Unique;
use dwell_explore::{Cover, NoKeeper, NoObserver, NodeId, Outcome, Parent, TraceStore, Worker, ZoneStore};
use dwell_model::System;
use dwell_parallel::threads::{self, Threads};
use dwell_parallel::{Distribution, Shard, Transport};
use dwell_semantics::Stepper;
use dwell_zones::{Bound, compact};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

impl Run<'_, '_> {
    /// Explores with as many workers as the plan says.
    pub(crate) fn shared<B: Bound, Z: ZoneStore<B> + 'static, C: Cover<B> + Copy + 'static>(
        &mut self,
        plan: &Plan,
        stepper: Stepper<'_, B>,
        store: MakeStore<'_, Z>,
        cover: C,
        visit: Option<Visit<'_, '_>>,
    ) -> Ended {
        let (system, facts) = self.explored();
        let totals = Totals::new(plan.workers.into());
        let crew = Crew {
            parts: Parts { plan, facts: &facts, timed: None, limits: &self.limits },
            stepper,
            store,
            cover,
            question: self.question,
            gauges: &self.gauges,
            spill: self.spill,
            distribution: distribution(plan, system),
            totals: &totals,
        };
        let done = match &mut self.observer {
            Some(observer) => crew.all(&mut Watching(observer)),
            None => crew.all(&mut NoObserver),
        };
        let (worker, mut ended) = combined(&done);
        if let Outcome::Failed { .. } = ended.outcome {
            return self.alone(plan, stepper, store(), cover, visit); // W-1
        }
        for (at, gauge) in self.gauges.iter_mut().enumerate() {
            gauge.unite(done.iter().map(|done| &done.gauges[at]));
        }
        let lists: Vec<Passed<B, Z, C>> = done.into_iter().map(|done| done.list).collect();
        if let Outcome::Reached(node) = ended.outcome {
            ended.path = path(&lists, worker, node);
        }
        let reduce = stages::reduce(plan, &facts, system.zone_dimension());
        if let (Some(visit), Outcome::Complete) = (visit, &ended.outcome) {
            lists.iter().for_each(|list| enumerate(system, &reduce, list, visit));
        }
        if self.keep && ended.outcome == Outcome::Complete && plan.has_all() {
            let (zones, stats) = (stepper.zones.clone(), ended.stats);
            self.kept = Some(Box::new(Space { zones, reduce, lists, stats }));
        }
        ended
    }

    /// Explores with one worker after all.
    fn alone<B: Bound, Z: ZoneStore<B> + 'static, C: Cover<B> + 'static>(
        &mut self,
        plan: &Plan,
        stepper: Stepper<'_, B>,
        store: Z,
        cover: C,
        visit: Option<Visit<'_, '_>>,
    ) -> Ended {
        let plan = Plan { workers: 1, ..plan.clone() };
        let mut gauges = std::mem::take(&mut self.gauges);
        let goal = goal(self.question, stepper, None, &mut gauges);
        let ended = self.pipeline(&plan, stepper, store, cover, goal, visit);
        self.gauges = gauges;
        ended
    }
}

/// What all workers need.
struct Crew<'c, B: Bound, Z, C> {
    parts: Parts<'c>,
    stepper: Stepper<'c, B>,
    store: MakeStore<'c, Z>,
    cover: C,
    question: &'c Question,
    gauges: &'c [Gauge],
    spill: Option<&'c Path>,
    distribution: Distribution,
    totals: &'c Totals,
}

/// What a worker leaves behind.
struct Done<B: Bound, Z, C> {
    outcome: Outcome,
    stats: Stats,
    gauges: Vec<Gauge>,
    list: Passed<B, Z, C>,
}

impl<B: Bound, Z: ZoneStore<B> + 'static, C: Cover<B> + Copy + 'static> Crew<'_, B, Z, C> {
    /// All of them at once, the first in this thread.
    fn all(&self, observer: &mut dyn Observer) -> Vec<Done<B, Z, C>> {
        let mut ends = threads::connect(self.parts.plan.workers).into_iter();
        std::thread::scope(|scope| {
            let first = ends.next();
            let others: Vec<_> = ends.map(|end| scope.spawn(|| self.work(end, &mut NoObserver))).collect();
            let own = first.map(|end| self.work(end, observer));
            let joined = others.into_iter().map(|other| match other.join() {
                Ok(done) => done,
                // A bug of ours, and the thread that asks has to know.
                Err(panic) => std::panic::resume_unwind(panic),
            });
            own.into_iter().chain(joined).collect()
        })
    }

    /// One worker.
    fn work(&self, mut end: Threads, observer: &mut dyn Observer) -> Done<B, Z, C> {
        let mut gauges = self.gauges.to_vec();
        let (outcome, stats, list) = self.explore(&mut end, observer, &mut gauges);
        Done { outcome, stats, gauges, list }
    }

    fn explore(
        &self,
        end: &mut Threads,
        observer: &mut dyn Observer,
        gauges: &mut [Gauge],
    ) -> (Outcome, Stats, Passed<B, Z, C>) {
        let Stepper { system, .. } = self.stepper;
        let plan = self.parts.plan;
        let goal = goal(self.question, self.stepper, None, gauges);
        let watch = Box::new(Share { totals: self.totals, worker: end.me(), observer });
        let stages = ((self.store)(), self.cover);
        let mut pipeline = self.parts.pipeline(self.stepper, stages, goal, watch, Box::new(NoKeeper));
        let sizes = (system.layout.words(), compact::compact_len(system.zone_dimension()));
        let shard = Shard::new(sizes, self.distribution.clone(), end);
        pipeline.exchange = Some(Box::new(shard.shortest(plan.trace == TraceKind::Shortest)));
        let outcome = match self.spill.map(SpillFile::create_in).transpose() {
            Ok(file) => {
                pipeline.spill = file;
                pipeline.run()
            }
            Err(error) => {
                pipeline.leave();
                Outcome::Stopped(Stop::Disk(error.kind()))
            }
        };
        (outcome, pipeline.stats, pipeline.pw)
    }
}

/// What all of them found, and who found it; W-1, W-2.
fn combined<B: Bound, Z: ZoneStore<B>, C: Cover<B>>(done: &[Done<B, Z, C>]) -> (usize, Ended) {
    let weight = |outcome: &Outcome| match outcome {
        Outcome::Reached(_) => (0, 0),
        Outcome::ReachedAt(_, depth) => (1, *depth),
        Outcome::Failed { .. } => (2, 0),
        Outcome::Overflow => (3, 0),
        Outcome::TooManySplits => (4, 0),
        Outcome::NotResumed(_) => (5, 0),
        Outcome::Stopped(Stop::Elsewhere) => (7, 0),
        Outcome::Stopped(_) => (6, 0),
        Outcome::Complete => (8, 0),
    };
    let mut stats = Stats::default();
    done.iter().for_each(|done| stats += done.stats);
    let first = done.iter().enumerate().min_by_key(|(_, done)| weight(&done.outcome));
    let (worker, outcome) = match first.map(|(worker, done)| (worker, &done.outcome)) {
        // For the caller a state is reached, however deep.
        Some((worker, Outcome::ReachedAt(node, _))) => (worker, Outcome::Reached(*node)),
        Some((worker, outcome)) => (worker, outcome.clone()),
        None => (0, Outcome::Complete),
    };
    let mut unique = Unique::default();
    done.iter().for_each(|done| unique += Unique::of(done.list.keys(), done.list.zones()));
    let load = done.iter().map(|done| done.stats.visited).collect();
    (worker, Ended { unique, load, ..Ended::new(outcome, stats) })
}

/// The way to a state of one of several lists: which initial state, and which
/// moves.
pub(crate) fn path<B: Bound, Z, C>(
    lists: &[Passed<B, Z, C>],
    worker: usize,
    node: NodeId,
) -> Option<(u32, Vec<u32>)>
where
    Z: ZoneStore<B>,
    C: Cover<B>,
{
    if let [list] = lists {
        return list.trace().path_to(node.0);
    }
    let (mut worker, mut node) = (worker, node.0);
    let mut moves = Vec::new();
    loop {
        let origin = lists.get(worker)?.trace().origin(node)?;
        match origin.parent {
            Parent::None => {
                moves.reverse();
                return Some((origin.index, moves));
            }
            Parent::Here(parent) => node = parent.0,
            Parent::Elsewhere { worker: other, node: parent } => (worker, node) = (other.into(), parent),
        }
        moves.push(origin.index);
    }
}

fn distribution(plan: &Plan, system: &System) -> Distribution {
    let workers = plan.workers;
    let chosen = match plan.distribution {
        DistributionName::D0 => None,
        DistributionName::D1 => Some(Distribution::d1(workers)),
        DistributionName::D2 => Distribution::d2(workers, system),
        DistributionName::D3 => Distribution::d3(workers, system),
    };
    chosen.unwrap_or_else(|| Distribution::d0(workers))
}

/// How far each worker is.
struct Totals(Mutex<Vec<(Stats, usize)>>);

impl Totals {
    fn new(workers: usize) -> Self {
        Self(Mutex::new(vec![(Stats::default(), 0); workers]))
    }
}

/// Tells how far one worker is; the first one tells the observer of all.
struct Share<'s> {
    totals: &'s Totals,
    worker: Worker,
    observer: &'s mut dyn Observer,
}

impl Observer for Share<'_> {
    fn progress(&mut self, stats: &Stats, waiting: usize) {
        let mut all = self.totals.0.lock().unwrap_or_else(PoisonError::into_inner);
        all[usize::from(self.worker)] = (*stats, waiting);
        if self.worker == 0 {
            let (mut sum, mut waiting) = (Stats::default(), 0);
            for (stats, count) in all.iter() {
                sum += *stats;
                waiting += count;
            }
            drop(all);
            self.observer.progress(&sum, waiting);
        }
    }
}
