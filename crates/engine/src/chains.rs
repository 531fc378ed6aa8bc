//! `--chains`: from when on states in which nothing is decided are passed through.

use crate::plan::{ASKED, Aim, Chains, Plan, Switch, TraceKind};
use crate::{Keep, Model, Options, StoreName};
use dwell_explore::ChainsFrom;
use dwell_semantics::Stepper;
use dwell_zones::Bound;

/// Visited states after which `auto` passes others through: small runs have the
/// counts that they have without.
const AFTER: u64 = 1 << 16;

/// Decides, and says why, where there is something to decide.
///
/// Whoever asks for the whole state space, or for labels, wants to compare counts:
/// all states are stored unasked then. Where values are measured all of them are
/// looked at.
pub(crate) fn planned(
    options: &Options,
    model: &Model,
    keep: Keep,
    trace: TraceKind,
    aim: Aim,
) -> Result<(Chains, Option<String>), String> {
    let against = if !keep.is_all() {
        Some("--keep decides by itself which states are not stored")
    } else if options.convex_hull == Switch::On {
        Some("with --convex-hull a state is all that came to its discrete part")
    } else if !options.store.is_none_or(StoreName::is_exact) {
        Some("what a store forgets is measured state by state")
    } else if matches!(trace, TraceKind::Shortest | TraceKind::Fastest) {
        Some("the best trace is found by comparing states one transition apart")
    } else {
        None
    };
    let asks = matches!(aim, Aim::State | Aim::Violation | Aim::RunFromStart | Aim::RunFromState);
    Ok(match (options.chains, against) {
        (Chains::On, Some(why)) => return Err(format!("--chains on cannot be used here: {why}")),
        (Chains::On, None) if model.network().has_priorities() => {
            (Chains::Off, Some("not used: of several moves a priority may leave one".into()))
        }
        (Chains::On, None) => (Chains::On, Some(ASKED.into())),
        (Chains::Auto, None) if asks && model.document().is_some() && !model.network().has_priorities() => {
            let why = "from 65,536 visited states on, those with a single move and no delay are not stored";
            (Chains::Auto, Some(why.into()))
        }
        (Chains::Auto | Chains::Off, _) => (Chains::Off, None),
    })
}

/// From when on, for the stages of a run.
pub(crate) fn chains<B: Bound>(plan: &Plan, stepper: Stepper<'_, B>) -> ChainsFrom {
    let from = match plan.chains {
        Chains::Off => return None,
        Chains::On => 0,
        Chains::Auto => AFTER,
    };
    (!stepper.stays_split()).then_some(from)
}
