//! `--order auto`: which order a full exploration goes on in.
//!
//! tw-bfs is the best order, or nearly so, where the order of the locations
//! and counters says what comes after what, and a bad one elsewhere. It shows
//! early: where it is bad, a large share of the first states are mistakes. (A
//! small share says nothing: breadth first makes few early mistakes on models
//! where it makes many later.)
//!
//! PB-1 The run in tw-bfs is on probation at the beginning only, and simply
//!      goes on if it does well: then nothing is done twice.
//! PB-2 If not, the others visit as many states each, and the one with the
//!      smallest share of mistakes starts again. What the runs that are given
//!      up visit, at most [`PROBATION`]'s limit each, is counted apart.
//! PB-3 A run that ends while it is on probation has the answer.

use crate::plan::{OrderName, Plan, Switch};
use crate::run::{Ended, Run};
use dwell_base::limits::{Limits, Probation, Stop};
use dwell_explore::Outcome;
use dwell_explore::rank::EdgeOrder;
use dwell_semantics::ConstantTooLarge;

/// A quarter of the first thousand states, or of a few thousand.
const PROBATION: Probation = Probation { visited: (1_000, 4_000), share: (1, 4) };

/// What is tried, the first choice first.
const ORDERS: [(OrderName, EdgeOrder); 4] = [
    (OrderName::TwBfs, EdgeOrder::Declared),
    (OrderName::TwBfs, EdgeOrder::Reversed),
    (OrderName::Ranking, EdgeOrder::Declared),
    (OrderName::Bfs, EdgeOrder::Declared),
];

/// Explores in the order of the plan, or in the best of several if that is on
/// probation; the plan then says which.
pub(crate) fn explore(run: &mut Run<'_, '_>, plan: &mut Plan) -> Result<Ended, ConstantTooLarge> {
    if plan.probe == Switch::Off {
        return run.widening(plan, None);
    }
    let limits = run.limits.clone();
    let mut probation = PROBATION;
    let (mut best, mut probe_visited) = (None, 0);
    for order in ORDERS {
        (plan.order, plan.edges) = order;
        run.limits = Limits { probation: Some(probation), ..limits.clone() };
        let ended = run.widening(plan, None);
        run.limits = limits.clone();
        let mut ended = ended?;
        if ended.outcome != Outcome::Stopped(Stop::Mistakes) {
            ended.stats.probe_visited = probe_visited; // PB-1, PB-3
            return Ok(ended);
        }
        let (visited, mistakes) = (ended.stats.visited, ended.stats.mistakes());
        probe_visited += visited;
        let share = mistakes as f64 / visited as f64;
        if best.is_none_or(|(least, _)| share < least) {
            best = Some((share, order));
        }
        // PB-2: as many as the first, whatever they are.
        probation = Probation { visited: (visited.min(probation.visited.1), u64::MAX), share: (0, 1) };
    }
    if let Some((_, order)) = best {
        (plan.order, plan.edges) = order;
    }
    let mut ended = run.widening(plan, None)?;
    ended.stats.probe_visited = probe_visited;
    Ok(ended)
}
