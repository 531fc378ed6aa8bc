//! A proof on the side: is it certain that nothing can be found?
//!
//! A search that goes on for long is interrupted for a much smaller one,
//! with one zone for each discrete state (`--convex-hull`). That sees more than
//! there is; if it finds nothing, there is nothing, and the long search need
//! not go on. For runs that go on for ever: `dwell_explore::liveness::Survey`.
//!
//! SP-1 What it finds may not be there and means nothing: the search goes on from
//!      where it was, as if nothing had happened. So does it where the proof takes
//!      too long, fails, or does not fit.
//! SP-2 It begins when the search has visited a number of states, and may visit
//!      a few times as many; where it runs out of them, it is tried again when ten
//!      times as many have been visited. A proof that runs out met about as many
//!      discrete states, most of which the search will have to visit as well: it
//!      costs little more than what is still to come.
//!      Where the search has few zones for each discrete state, there is little to
//!      join and a proof would be another search: it waits as if it had run out.
//! SP-3 Where the states of the search would be used again for other questions,
//!      more must have been visited.
//! SP-4 It is made by the first worker while the others go on. Where one of them
//!      ends the search it is given up, and it gives way where memory is short.

use crate::plan::{Chains, CoverRule, OrderName, Plan, SideProof, Switch, TraceKind};
use crate::run::{Ended, Run};
use crate::{Keep, Observer, Stats};
use dwell_base::limits::{Beside, Limits, Stop};
use dwell_explore::Outcome;
use dwell_semantics::ConstantTooLarge;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// States visited before a proof is tried.
const AFTER: u64 = 100_000;
/// The same where the states would be used again.
const AFTER_IF_KEPT: u64 = 1_000_000;
/// How many times as many states a proof may visit.
pub(crate) const EFFORT: u64 = 4;
/// How many times as many states are visited before the next one.
const AGAIN: u64 = 10;
/// Zones for each discrete state, so many that joining them is worth a try.
const SPARSE: u64 = 2;

/// Explores, with a proof on the side where the plan says so; the plan then says
/// what was done.
pub(crate) fn explore<'a: 'o, 'o>(run: &mut Run<'a, 'o>, plan: &mut Plan) -> Result<Ended, ConstantTooLarge> {
    if plan.side_proof == SideProof::Off || run.is_in_file() {
        return run.widening(plan, None);
    }
    let after = if run.keep { AFTER_IF_KEPT } else { AFTER };
    let mut proof = Proof::new(run, plan);
    if plan.side_proof == SideProof::First {
        if let Attempt::Proved(answer) = proof.attempt(after * EFFORT) {
            let (ended, proved) = *answer;
            *plan = proved;
            return Ok(ended);
        }
        return run.widening(plan, None);
    }
    if run.cluster.is_some_and(|cluster| cluster.rank() != 0) {
        return run.widening(plan, None);
    }
    let answered = Arc::new(AtomicBool::new(false));
    let answer = Rc::new(RefCell::new(None));
    let limits = run.limits.clone();
    let beside = proof.beside.clone();
    let observer = run.observer.take();
    run.observer = Some(Box::new(Waiting {
        observer,
        after,
        proof,
        answer: answer.clone(),
        answered: answered.clone(),
    }));
    run.limits = Limits { answered: Some(answered), beside: Some(beside), ..limits.clone() };
    let ended = run.widening(plan, None);
    run.limits = limits;
    match (ended?, answer.take()) {
        (ended, Some((mut proof, proved))) if ended.outcome == Outcome::Stopped(Stop::Answered) => {
            proof.stats.probe_visited = ended.stats.visited;
            *plan = proved;
            Ok(proof)
        }
        (ended, _) => Ok(ended),
    }
}

/// What a proof needs.
struct Proof<'a> {
    run: Run<'a, 'static>,
    plan: Plan,
    beside: Beside,
}

impl<'a> Proof<'a> {
    fn new(run: &Run<'a, '_>, plan: &Plan) -> Self {
        let plan = Plan {
            convex_hull: Switch::On,
            cover: CoverRule::Inclusion,
            waiting_inclusion: Switch::On,
            // Zones that are still to grow wait; what runs that go on for ever avoid is surveyed in
            // an order of its own.
            order: OrderName::TwBfs,
            heuristic: None,
            keep: Keep::ALL,
            covering: None,
            chains: Chains::Off,
            side_proof: SideProof::Off,
            trace: TraceKind::None,
            failure_trace: Switch::Off,
            // By the threads of this process; other processes need not know.
            ranks: 1,
            ..plan.clone()
        };
        let beside = Beside::default();
        let mut run = run.beside();
        run.limits = beside.limits(&run.limits);
        Self { run, plan, beside }
    }

    fn attempt(&mut self, visits: u64) -> Attempt {
        self.run.limits.visits = Some(visits);
        let Self { run, plan, beside } = self;
        match beside.make(|| run.widening(plan, None)) {
            Ok(ended) if ended.outcome == Outcome::Complete => {
                Attempt::Proved(Box::new((ended, self.plan.clone())))
            }
            Ok(ended) if ended.outcome == Outcome::Stopped(Stop::Visits) => Attempt::RanOut,
            _ => Attempt::Failed,
        }
    }
}

/// What came of a proof.
enum Attempt {
    /// Nothing was found; what was done.
    Proved(Box<(Ended, Plan)>),
    /// It might have been one.
    RanOut,
    /// Something was found, and would be again.
    Failed,
}

/// Waits until the search has visited enough.
struct Waiting<'a, 'o> {
    observer: Option<Box<dyn Observer + 'o>>,
    /// When the next proof is tried.
    after: u64,
    proof: Proof<'a>,
    answer: Rc<RefCell<Option<(Ended, Plan)>>>,
    answered: Arc<AtomicBool>,
}

impl Observer for Waiting<'_, '_> {
    fn progress(&mut self, stats: &Stats, waiting: usize) {
        if let Some(observer) = &mut self.observer {
            observer.progress(stats, waiting);
        }
        if stats.visited < self.after || self.answered.load(Ordering::Relaxed) {
            return;
        }
        if stats.stored < stats.discrete * SPARSE {
            self.after *= AGAIN; // SP-2
            return;
        }
        match self.proof.attempt(self.after * EFFORT) {
            Attempt::Proved(answer) => {
                *self.answer.borrow_mut() = Some(*answer);
                self.answered.store(true, Ordering::Relaxed);
            }
            Attempt::RanOut => self.after *= AGAIN,
            Attempt::Failed => self.after = u64::MAX,
        }
    }
}
