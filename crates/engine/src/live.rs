//! `E[] p`, `A<> p` and `p --> q`: is there a run that goes on for ever and
//! keeps away from something?

use crate::plan::{Chains, Plan, Switch, TraceKind};
use crate::run::{Ended, Run};
use crate::verdict::bug;
use crate::{Stats, stages};
use dwell_base::limits::Limits;
use dwell_check::{Forever, Trace, rebuild_forever};
use dwell_explore::liveness::{LeadsTo, Liveness, LivenessStats, Stages, Starts, Survey};
use dwell_explore::{Cover, KeyStore, NoObserver, NodeId, Observer, Outcome, ZoneStore};
use dwell_model::analysis::{ClockFacts, clock_facts};
use dwell_model::property::Formula;
use dwell_model::{CompiledFormula, Network, Span, System};
use dwell_semantics::{Stepper, ZoneSystem};
use dwell_zones::Bound;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

pub(crate) use dwell_explore::liveness::{Ending, Lasso};

/// A run to be found, or not to be found.
#[derive(Clone, Debug)]
pub(crate) struct Live {
    /// What it keeps away from.
    pub avoid: CompiledFormula,
    /// Where it starts; at the start if not said.
    pub start: Option<CompiledFormula>,
    /// What holds all along.
    always: Formula,
    /// Clock bounds, the same from below and from above.
    pub facts: ClockFacts,
    /// Finding it makes the query false.
    pub violates: bool,
}

impl Live {
    /// A run on which `always` holds, from the start on or from anywhere where
    /// `start` holds.
    pub fn new(
        start: Option<Formula>,
        always: Formula,
        violates: bool,
        system: &System,
        network: &Network,
    ) -> Self {
        let start = start.map(|start| Formula::And(vec![start, always.clone()]));
        let mut asked = always.clock_constraints();
        asked.extend(start.iter().flat_map(Formula::clock_constraints));
        let facts = clock_facts(network, &asked).symmetric();
        let compile = |formula| CompiledFormula::new(formula, system, network);
        Self { avoid: compile(always.negated()), start: start.map(compile), always, facts, violates }
    }

    /// Whether something it evaluates comes from this text.
    pub fn has_text(&self, span: Span) -> bool {
        self.avoid.code.comes_from(span)
            || self.start.as_ref().is_some_and(|start| start.code.comes_from(span))
    }

    /// Searches.
    pub fn run<B: Bound, Z: ZoneStore<B> + 'static, C: Cover<B> + Copy + 'static>(
        &self,
        run: &mut Run<'_, '_>,
        plan: &Plan,
        zones: &ZoneSystem<B>,
        store: Z,
        cover: C,
    ) -> Ended {
        if plan.sees_more() {
            return self.survey(run, plan, zones, store, cover);
        }
        let stepper = Stepper { system: run.system, transitions: run.transitions, zones };
        if plan.workers > 1
            && let Some(ended) = self.share(run, plan, stepper, cover)
        {
            return ended;
        }
        // Both searches tell of what both have done.
        let tally = Rc::new(Tally { observer: RefCell::new(run.observer.take()), ..Tally::default() });
        let inner = Box::new(Watched { tally: tally.clone(), outer: false });
        run.observer = Some(Box::new(Watched { tally: tally.clone(), outer: true }));
        let ended = self.search(
            run,
            plan,
            stages_of(plan, stepper, (&run.facts, run.limits.clone()), cover, inner),
            store,
        );
        run.observer = tally.observer.take();
        ended
    }

    fn search<B: Bound, Z: ZoneStore<B> + 'static, C: Cover<B> + Copy + 'static>(
        &self,
        run: &mut Run<'_, '_>,
        plan: &Plan,
        stages: Stages<'_, B, Box<dyn KeyStore>, C>,
        store: Z,
    ) -> Ended {
        let (stepper, cover) = (stages.stepper, stages.cover);
        let mut search = Liveness::new(stages, &self.avoid);
        let Some(start) = &self.start else {
            let found = search.from_start();
            let stats = add(Stats::default(), search.stats());
            let wanted = plan.trace != TraceKind::None;
            return match found {
                Ok(None) => Ended::new(Outcome::Complete, stats),
                Ok(Some(lasso)) => {
                    let path = wanted.then(|| (lasso.initial, Vec::new()));
                    Ended { path, lasso: Some(lasso), ..Ended::new(Outcome::Reached(NodeId(0)), stats) }
                }
                Err(halt) => {
                    let shown = wanted || plan.failure_trace == Switch::On;
                    let (at, path) = match search.place() {
                        Some(place) => {
                            (Some((NodeId(0), place.moving)), shown.then_some((place.initial, place.moves)))
                        }
                        None => (None, None),
                    };
                    Ended { path, ..Ended::new(Outcome::halted(halt, at), stats) }
                }
            };
        };
        let mut lasso = None;
        let goal = Box::new(LeadsTo::new(start, stepper, &mut search, &mut lasso));
        // A search that has begun in a state cannot be begun again.
        let outer = Plan { chains: Chains::Off, ..plan.clone() };
        let mut ended = run.pipeline(&outer, stepper, store, cover, goal, None);
        if let (Outcome::Failed { at: Some((_, index)), .. }, Some(place)) =
            (&mut ended.outcome, search.place())
        {
            // The failure lies on a run that goes on from the state the outer search had taken.
            *index = place.moving;
            if let Some((_, moves)) = &mut ended.path {
                moves.extend(place.moves);
            }
        }
        Ended { stats: add(ended.stats, search.stats()), lasso, ..ended }
    }

    /// Looks for a proof that there is no such run: complete, or nothing.
    fn survey<B: Bound, Z: ZoneStore<B> + 'static, C: Cover<B> + Copy + 'static>(
        &self,
        run: &mut Run<'_, '_>,
        plan: &Plan,
        zones: &ZoneSystem<B>,
        store: Z,
        cover: C,
    ) -> Ended {
        let stepper = Stepper { system: run.system, transitions: run.transitions, zones };
        let patience = run.limits.visits.unwrap_or(u64::MAX);
        let limits = run.limits.clone();
        let stages = stages_of(plan, stepper, (&run.facts, limits), cover, Box::new(NoObserver));
        let mut survey = Survey::new(stages, &self.avoid, patience);
        let started = match &self.start {
            None => match survey.start() {
                Ok(there) => {
                    let stats = Stats { visited: u64::from(there), ..Stats::default() };
                    Ended::new(Outcome::Complete, stats)
                }
                Err(halt) => Ended::new(Outcome::halted(halt, None), Stats::default()),
            },
            Some(start) => {
                let goal = Box::new(Starts::new(start, stepper, &mut survey));
                run.pipeline(plan, stepper, store, cover, goal, None)
            }
        };
        if started.outcome != Outcome::Complete {
            return started;
        }
        let outcome = match survey.proves() {
            Ok(true) => Outcome::Complete,
            Ok(false) => Outcome::Reached(NodeId(0)),
            Err(halt) => Outcome::halted(halt, None),
        };
        Ended { stats: add(started.stats, survey.stats()), ..Ended::new(outcome, Stats::default()) }
    }

    /// The run that was found.
    pub fn trace(
        &self,
        run: &Run<'_, '_>,
        path: Option<(u32, Vec<u32>)>,
        lasso: &Lasso,
    ) -> Result<Trace, String> {
        let (initial, prefix) = path.unwrap_or_default();
        let forever = Forever {
            initial,
            prefix: &prefix,
            start: self.start.as_ref(),
            moves: &lasso.moves,
            loop_at: match lasso.ending {
                Ending::Loop(at) => Some(at),
                Ending::Unbounded | Ending::Stuck => None,
            },
            avoid: &self.avoid,
            always: &self.always,
        };
        rebuild_forever(run.system, run.transitions, &forever).map_err(|error| bug(&error))
    }
}

/// The stages of a search for runs.
pub(crate) fn stages_of<'z, B: Bound, C>(
    plan: &Plan,
    stepper: Stepper<'z, B>,
    (facts, limits): (&ClockFacts, Limits),
    cover: C,
    observer: Box<dyn Observer + 'z>,
) -> Stages<'z, B, Box<dyn KeyStore>, C> {
    Stages {
        stepper,
        bounds: stages::bounds(plan, facts),
        extrapolate: stages::extrapolate(plan, None),
        differences: stages::differences(plan, facts),
        reduce: stages::reduce(plan, facts, stepper.system),
        chains: plan.chains.from(),
        keys: stages::keys(plan, stepper.system),
        cover,
        limits,
        observer,
    }
}

/// What an outer and an inner search have done so far, for one observer.
#[derive(Default)]
struct Tally<'o> {
    observer: RefCell<Option<Box<dyn Observer + 'o>>>,
    outer: Cell<Stats>,
    inner: Cell<Stats>,
}

/// One of the two.
struct Watched<'o> {
    tally: Rc<Tally<'o>>,
    outer: bool,
}

impl Observer for Watched<'_> {
    fn progress(&mut self, stats: &Stats, waiting: usize) {
        let Tally { observer, outer, inner } = &*self.tally;
        if self.outer { outer } else { inner }.set(*stats);
        if let Some(observer) = &mut *observer.borrow_mut() {
            let Stats { visited, stored, discrete, transitions, chains, held_bytes, .. } = inner.get();
            let inner = LivenessStats { visited, stored, discrete, transitions, chains, held_bytes };
            observer.progress(&add(outer.get(), inner), waiting);
        }
    }
}

/// What both searches counted.
pub(crate) fn add(mut outer: Stats, inner: LivenessStats) -> Stats {
    outer.chains += inner.chains;
    Stats {
        visited: outer.visited + inner.visited,
        visited_stored: outer.visited_stored + inner.visited,
        stored: outer.stored + inner.stored,
        max_stored: outer.max_stored + inner.stored,
        discrete: outer.discrete + inner.discrete,
        transitions: outer.transitions + inner.transitions,
        held_bytes: outer.held_bytes + inner.held_bytes,
        ..outer
    }
}
