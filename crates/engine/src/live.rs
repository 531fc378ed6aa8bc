//! `E[] p`, `A<> p` and `p --> q`: is there a run that goes on for ever and
//! keeps away from something?

use crate::plan::{Plan, Switch, TraceKind};
use crate::run::{Ended, Run};
use crate::verdict::bug;
use crate::{Stats, stages};
use dwell_check::{Forever, Trace, rebuild_forever};
use dwell_explore::liveness::{LeadsTo, Liveness, LivenessStats, Stages};
use dwell_explore::{Cover, NodeId, Outcome, ZoneStore};
use dwell_model::analysis::{ClockFacts, clock_facts};
use dwell_model::property::Formula;
use dwell_model::{CompiledFormula, Network, Span, System};
use dwell_semantics::{Stepper, ZoneSystem};
use dwell_zones::Bound;

pub(crate) use dwell_explore::liveness::{Ending, Lasso};

/// A run to be found, or not to be found.
#[derive(Clone, Debug)]
pub(crate) struct Live {
    /// What it keeps away from.
    avoid: CompiledFormula,
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
        let system = run.system;
        let stepper = Stepper { system, transitions: run.transitions, zones };
        let stages = Stages {
            stepper,
            bounds: stages::bounds(plan, &run.facts),
            extrapolate: stages::extrapolate(plan, None),
            differences: stages::differences(plan, &run.facts),
            reduce: stages::reduce(plan, &run.facts, system.zone_dimension()),
            keys: stages::keys(plan, system),
            cover,
            limits: run.limits.clone(),
        };
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
        let mut ended = run.pipeline(plan, stepper, store, cover, goal, None);
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

/// What both searches counted.
fn add(outer: Stats, inner: LivenessStats) -> Stats {
    Stats {
        visited: outer.visited + inner.visited,
        visited_stored: outer.visited_stored + inner.visited,
        stored: outer.stored + inner.stored,
        max_stored: outer.max_stored + inner.stored,
        transitions: outer.transitions + inner.transitions,
        held_bytes: outer.held_bytes + inner.held_bytes,
        ..outer
    }
}
