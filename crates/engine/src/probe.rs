//! `--order auto`: which order a full exploration goes on in.
//!
//! tw-bfs is the best order, or nearly so, where the order of the locations
//! and counters says what comes after what, and a bad one elsewhere. That shows
//! early: where it is bad, a large share of the first states are mistakes. The
//! other way round is not true: critical-region begins with as large a share
//! and ends well. But there ranking is as good, which makes mistakes cheap and
//! is never bad where breadth first is good.
//!
//! PB-1 A run is on probation at the beginning only, and simply goes on if it
//!      does well: then nothing is done twice.
//! PB-2 If not, the next order starts from the beginning; the last one is not
//!      on probation. What was visited by runs that were given up, at most ten
//!      thousand states each, is counted apart.
//! PB-3 A run that ends while it is on probation has the answer.

use crate::plan::{OrderName, Plan, Switch};
use crate::run::{Ended, Run};
use dwell_base::limits::{Limits, Probation, Stop};
use dwell_explore::Outcome;
use dwell_explore::rank::EdgeOrder;
use dwell_semantics::ConstantTooLarge;

/// A quarter of the first thousand states, or of up to ten thousand.
const PROBATION: Probation = Probation { visited: (1_000, 10_000), share: (1, 4) };

/// What is tried before [`LAST`].
const FIRST: [(OrderName, EdgeOrder); 2] =
    [(OrderName::TwBfs, EdgeOrder::Declared), (OrderName::TwBfs, EdgeOrder::Reversed)];

const LAST: (OrderName, EdgeOrder) = (OrderName::Ranking, EdgeOrder::Declared);

/// Explores in the order of the plan, or in the first good one of several if
/// that is on probation; the plan then says which.
pub(crate) fn explore(run: &mut Run<'_, '_>, plan: &mut Plan) -> Result<Ended, ConstantTooLarge> {
    // A run in a file goes on in the order it has.
    if plan.probe == Switch::Off || run.is_in_file() {
        return run.widening(plan, None);
    }
    let limits = run.limits.clone();
    let mut probe_visited = 0;
    for order in FIRST {
        (plan.order, plan.edges) = order;
        run.limits = Limits { probation: Some(PROBATION), ..limits.clone() };
        let ended = run.widening(plan, None);
        run.limits = limits.clone();
        let mut ended = ended?;
        if ended.outcome != Outcome::Stopped(Stop::Mistakes) {
            ended.stats.probe_visited = probe_visited; // PB-1, PB-3
            return Ok(ended);
        }
        probe_visited += ended.stats.visited; // PB-2
    }
    (plan.order, plan.edges) = LAST;
    let mut ended = run.widening(plan, None)?;
    ended.stats.probe_visited = probe_visited;
    Ok(ended)
}
