//! `E[]` and `A<>` by several threads: each searches from some of the first
//! states ([`Roots`]) with lists of its own.
//!
//! LW-1 What one finds is found; if all end without, there is nothing (RO-1). A
//!      model that fails before anything was found is searched again by one (W-1).
//! LW-2 A state that two of them meet is looked into twice, and counted so.

use crate::live::{Lasso, Live, add, stages_of};
use crate::plan::{Plan, TraceKind};
use crate::run::{Ended, Run};
use crate::workers::{Share, Totals};
use crate::{Observer, Stats};
use dwell_base::limits::{Beside, Limits, Stop};
use dwell_explore::liveness::{Liveness, LivenessStats, Roots};
use dwell_explore::{Cover, Halt, NoObserver, NodeId, Outcome, Worker};
use dwell_semantics::{Stepper, ZoneFault};
use dwell_zones::Bound;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a worker leaves behind.
type Done = (Result<Option<Lasso>, Halt>, LivenessStats);

impl Live {
    /// Searches from the start with all threads; none if one has to do it.
    pub fn share<B: Bound, C: Cover<B> + Copy + 'static>(
        &self,
        run: &mut Run<'_, '_>,
        plan: &Plan,
        stepper: Stepper<'_, B>,
        cover: C,
    ) -> Option<Ended> {
        if self.start.is_some() {
            return None;
        }
        let facts = run.facts.clone();
        let beside = run.limits.beside.clone();
        beside.iter().for_each(Beside::begin);
        let elsewhere = Arc::new(AtomicBool::new(false));
        let limits = Limits { elsewhere: Some(elsewhere.clone()), ..run.limits.clone() };
        let stages = stages_of(plan, stepper, (&facts, run.limits.clone()), cover, Box::new(NoObserver));
        let roots = match Roots::grow(stages, &self.avoid, plan.workers.into()) {
            Ok(roots) => roots?,
            Err(Halt::Stop(stop)) => return Some(Ended::new(Outcome::Stopped(stop), Stats::default())),
            Err(Halt::Fault(_)) => return None,
        };
        let totals = Totals::new(plan.workers.into());
        let end = || {
            roots.close();
            elsewhere.store(true, Ordering::Relaxed);
            beside.iter().for_each(Beside::give_up);
        };
        let work = |worker: Worker, limits: Limits, observer: &mut dyn Observer| -> Done {
            let _guard = InPanic(&end);
            let share = Box::new(Share { totals: &totals, worker, observer });
            let stages = stages_of(plan, stepper, (&facts, limits), cover, share);
            let mut search = Liveness::new(stages, &self.avoid);
            let found = search.from_roots(&roots, worker.into());
            if !matches!(found, Ok(None)) {
                end();
            }
            (found, search.stats())
        };
        let mut none = NoObserver;
        let observer: &mut dyn Observer = match &mut run.observer {
            Some(observer) => observer,
            None => &mut none,
        };
        let done: Vec<Done> = std::thread::scope(|scope| {
            let (work, limits) = (&work, &limits);
            let others: Vec<_> = (1..plan.workers)
                .map(|worker| scope.spawn(move || work(worker, limits.clone(), &mut NoObserver)))
                .collect();
            let first = work(0, limits.clone(), observer);
            let joined = others.into_iter().map(|other| match other.join() {
                Ok(done) => done,
                // A bug of ours, and the thread that asks has to know.
                Err(panic) => std::panic::resume_unwind(panic),
            });
            std::iter::once(first).chain(joined).collect()
        });
        let ended = combined(done, &roots, plan);
        if ended.is_none() {
            beside.iter().for_each(Beside::begin);
        }
        ended
    }
}

/// Does this in a panic: the others are not to go on to their ends first.
struct InPanic<'f>(&'f dyn Fn());

impl Drop for InPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            (self.0)();
        }
    }
}

/// What all found together, LW-1; none if one has to search again.
fn combined<B: Bound>(done: Vec<Done>, roots: &Roots<B>, plan: &Plan) -> Option<Ended> {
    let load = done.iter().map(|(_, stats)| stats.visited).collect();
    let Roots { visited, transitions, .. } = *roots;
    let first = Stats { visited, visited_stored: visited, transitions, ..Stats::default() };
    let stats = done.iter().fold(first, |all, (_, stats)| add(all, *stats));
    let (mut stopped, mut failed, mut overflowed) = (None, false, false);
    for (found, _) in done {
        match found {
            Ok(None) | Err(Halt::Stop(Stop::Elsewhere)) => {}
            Ok(Some(lasso)) => {
                let path = (plan.trace != TraceKind::None).then(|| (lasso.initial, Vec::new()));
                let reached = Ended::new(Outcome::Reached(NodeId(0)), stats);
                return Some(Ended { path, lasso: Some(lasso), load, ..reached });
            }
            // With an answer it does not matter what else ran out.
            Err(Halt::Stop(_)) if stopped == Some(Stop::Answered) => {}
            Err(Halt::Stop(stop)) => stopped = Some(stop),
            Err(Halt::Fault(ZoneFault::Overflow)) => overflowed = true,
            Err(Halt::Fault(_)) => failed = true,
        }
    }
    let outcome = match stopped {
        _ if failed => return None,
        _ if overflowed => Outcome::Overflow,
        Some(stop) => Outcome::Stopped(stop),
        None => Outcome::Complete,
    };
    Some(Ended { load, ..Ended::new(outcome, stats) })
}
