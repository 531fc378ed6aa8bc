//! Several workers on one question (paper 4).
//!
//! Every worker is a pipeline of its own over the states it owns
//! (`dwell_parallel`); the first one runs in the thread that asks, so that
//! whoever watches need not know of the others.
//!
//! W-1 A state that was reached is reached, a search that is complete everywhere
//!     is complete. A model that fails before anything was reached is explored
//!     again by one worker: which state fails is then no matter of who was faster.
//!     Whether one that is looked for comes before is, as it is one of the order.
//! W-2 Visited, stored and other counts are sums. `max_stored` is the sum of
//!     the largest numbers, which need not have been at the same time.

use crate::checkpoint::{FileKeeper, Frozen, KeptElsewhere};
use crate::cluster::{self, Summary};
use crate::plan::{DistributionName, Plan, TraceKind};
use crate::run::{Ended, MakeStore, Run, goal};
use crate::session::{Passed, Space};
use crate::stages::{self, Parts};
use crate::stored::{Visit, enumerate};
use crate::{Observer, Question, Stats};
use dwell_base::SpillFile;
use dwell_base::limits::{Beside, Stop};
use dwell_explore::measure::Gauge;
use dwell_explore::store::Unique;
use dwell_explore::{Cover, Keeper, NoKeeper, NoObserver, NodeId, Outcome, TraceStore, Worker, ZoneStore};
use dwell_model::System;
use dwell_parallel::{Distribution, Meeting, Shard, Transport, threads};
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
        if self.apart {
            return self.alone(plan, stepper, store(), cover, visit); // CL-3
        }
        let (system, facts) = self.explored();
        let mut limits = self.limits.clone();
        limits.beside.iter().for_each(Beside::begin);
        let mut ends: Vec<Box<dyn Transport + Send + '_>> = match self.cluster {
            Some(cluster) => cluster.connect(plan.workers),
            None => threads::connect(plan.workers).into_iter().map(|end| Box::new(end) as _).collect(),
        };
        if self.cluster.is_some() {
            cluster::begin(&mut Meeting::new(&mut *ends[0], plan.workers), &mut limits);
        }
        let totals = Totals::new(ends.len());
        let crew = Crew {
            parts: Parts { plan, facts: &facts, timed: None, limits: &limits },
            stepper,
            store,
            cover,
            question: self.question,
            gauges: &self.gauges,
            spill: self.spill,
            distribution: distribution(plan, system),
            totals: &totals,
        };
        let first = ends[0].me();
        let keeper: Box<dyn Keeper + '_> = match self.checkpoint {
            Some((file, identity)) if first == 0 => {
                Box::new(FileKeeper::new(file, identity, B::BITS, &mut self.on_file))
            }
            Some(_) => Box::new(KeptElsewhere),
            None => Box::new(NoKeeper),
        };
        let mut none = NoObserver;
        let job = Job {
            observer: match &mut self.observer {
                Some(observer) => observer,
                None => &mut none,
            },
            keeper,
            frozen: self.frozen.take(),
        };
        let done = crew.all(&mut ends, job, self.checkpoint.is_some());
        let mut summary = combined(&done, first, &self.gauges);
        let lists: Vec<Passed<B, Z, C>> = done.into_iter().map(|done| done.list).collect();
        let origin = |worker: Worker, node| match lists.get(usize::from(worker.checked_sub(first)?)) {
            Some(list) => list.trace().origin(node),
            None => lists.first()?.trace().past(worker, node),
        };
        if self.cluster.is_some() {
            summary = cluster::agree(&mut Meeting::new(&mut *ends[0], plan.workers), summary, origin);
        } else if let Outcome::Reached(node) | Outcome::ReachedAt(node, _) = summary.ended.outcome {
            summary.ended.path = cluster::path(summary.worker, node, origin);
        }
        let Summary { mut ended, gauges, loads, .. } = summary;
        if let Outcome::Failed { .. } = ended.outcome {
            self.apart = self.cluster.is_some();
            self.limits.beside.iter().for_each(Beside::begin);
            return self.alone(plan, stepper, store(), cover, visit); // W-1
        }
        // For the caller a state is reached, however deep.
        if let Outcome::ReachedAt(node, _) = ended.outcome {
            ended.outcome = Outcome::Reached(node);
        }
        self.gauges = gauges;
        ended.load = loads;
        let reduce = stages::reduce(plan, &facts, system);
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
        if self.cluster.is_some_and(|cluster| cluster.rank() != 0) {
            return Ended::new(Outcome::Stopped(Stop::Elsewhere), Stats::default()); // CL-3
        }
        // One worker writes its run down in another way than several.
        self.checkpoint = None;
        let plan = Plan { workers: 1, ranks: 1, ..plan.clone() };
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

/// What the first worker of a process does beside.
struct Job<'j> {
    observer: &'j mut dyn Observer,
    keeper: Box<dyn Keeper + 'j>,
    frozen: Option<Frozen>,
}

/// What a worker leaves behind.
struct Done<B: Bound, Z, C> {
    outcome: Outcome,
    stats: Stats,
    gauges: Vec<Gauge>,
    list: Passed<B, Z, C>,
}

impl<B: Bound, Z: ZoneStore<B> + 'static, C: Cover<B> + Copy + 'static> Crew<'_, B, Z, C> {
    /// All of them at once, the first in this thread with a job of its own.
    fn all(
        &self,
        ends: &mut [Box<dyn Transport + Send + '_>],
        job: Job<'_>,
        keeps: bool,
    ) -> Vec<Done<B, Z, C>> {
        std::thread::scope(|scope| {
            let mut ends = ends.iter_mut();
            let first = ends.next();
            let other = move |end: &mut dyn Transport| {
                let keeper: Box<dyn Keeper> =
                    if keeps { Box::new(KeptElsewhere) } else { Box::new(NoKeeper) };
                self.work(end, Job { observer: &mut NoObserver, keeper, frozen: None })
            };
            let others: Vec<_> = ends.map(|end| scope.spawn(move || other(&mut **end))).collect();
            let own = first.map(|end| self.work(&mut **end, job));
            let joined = others.into_iter().map(|other| match other.join() {
                Ok(done) => done,
                // A bug of ours, and the thread that asks has to know.
                Err(panic) => std::panic::resume_unwind(panic),
            });
            own.into_iter().chain(joined).collect()
        })
    }

    /// One worker.
    fn work(&self, end: &mut dyn Transport, job: Job<'_>) -> Done<B, Z, C> {
        let mut gauges = self.gauges.to_vec();
        let (outcome, stats, list) = self.explore(end, job, &mut gauges);
        Done { outcome, stats, gauges, list }
    }

    fn explore(
        &self,
        end: &mut dyn Transport,
        Job { observer, keeper, frozen }: Job<'_>,
        gauges: &mut [Gauge],
    ) -> (Outcome, Stats, Passed<B, Z, C>) {
        let Stepper { system, .. } = self.stepper;
        let plan = self.parts.plan;
        let goal = goal(self.question, self.stepper, None, gauges);
        let watch = Box::new(Share { totals: self.totals, worker: end.me() % plan.workers, observer });
        let stages = ((self.store)(), self.cover);
        let mut pipeline = self.parts.pipeline(self.stepper, stages, goal, watch, keeper);
        let sizes = (system.layout.words(), compact::compact_len(system.zone_dimension()));
        let starts = end.me() == 0;
        let shard = Shard::new(sizes, self.distribution.clone(), end);
        pipeline.exchange = Some(Box::new(shard.shortest(plan.trace == TraceKind::Shortest)));
        let outcome = match self.spill.map(SpillFile::create_in).transpose() {
            Ok(file) => {
                pipeline.spill = file;
                match frozen {
                    // The first worker of all reads; the others get what is theirs.
                    Some(mut frozen) if starts => pipeline
                        .resume(&mut frozen.body)
                        .unwrap_or_else(|error| Outcome::NotResumed(frozen.unusable(&error))),
                    _ => pipeline.run(),
                }
            }
            Err(error) => {
                pipeline.leave();
                Outcome::Stopped(Stop::Disk(error.kind()))
            }
        };
        if outcome != Outcome::Complete {
            self.parts.limits.beside.iter().for_each(Beside::give_up);
        }
        (outcome, pipeline.stats, pipeline.pw)
    }
}

/// What all workers of this process found, the first of which is `first`; W-1,
/// W-2.
fn combined<B: Bound, Z: ZoneStore<B>, C: Cover<B>>(
    done: &[Done<B, Z, C>],
    first: Worker,
    gauges: &[Gauge],
) -> Summary {
    let mut ended = Ended::new(Outcome::Complete, Stats::default());
    let mut worker = first;
    for (number, done) in (first..).zip(done) {
        if cluster::weight(&done.outcome) < cluster::weight(&ended.outcome) {
            (worker, ended.outcome) = (number, done.outcome.clone());
        }
        ended.stats += done.stats;
        ended.unique += Unique::of(done.list.keys(), done.list.zones());
    }
    let mut gauges = gauges.to_vec();
    for (at, gauge) in gauges.iter_mut().enumerate() {
        gauge.unite(done.iter().map(|done| &done.gauges[at]));
    }
    Summary { worker, ended, gauges, loads: done.iter().map(|done| done.stats.visited).collect() }
}

/// The way to a state of one of several lists of this process: which initial
/// state, and which moves.
pub(crate) fn path<B: Bound, Z: ZoneStore<B>, C: Cover<B>>(
    lists: &[Passed<B, Z, C>],
    worker: usize,
    node: NodeId,
) -> Option<(u32, Vec<u32>)> {
    if let [list] = lists {
        return list.trace().path_to(node.0);
    }
    let origin = |worker: Worker, node| lists.get(usize::from(worker))?.trace().origin(node);
    cluster::path(worker as Worker, node, origin)
}

fn distribution(plan: &Plan, system: &System) -> Distribution {
    let workers = plan.all_workers();
    let chosen = match plan.distribution {
        DistributionName::D0 => None,
        DistributionName::D1 => Some(Distribution::d1(workers)),
        DistributionName::D2 => Distribution::d2(workers, system),
        DistributionName::D3 => Distribution::d3(workers, system),
    };
    chosen.unwrap_or_else(|| Distribution::d0(workers))
}

/// How far each worker is.
pub(crate) struct Totals(Mutex<Vec<(Stats, usize)>>);

impl Totals {
    pub fn new(workers: usize) -> Self {
        Self(Mutex::new(vec![(Stats::default(), 0); workers]))
    }
}

/// Tells how far one worker is; the first one tells the observer of all.
pub(crate) struct Share<'s> {
    pub totals: &'s Totals,
    pub worker: Worker,
    pub observer: &'s mut dyn Observer,
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
