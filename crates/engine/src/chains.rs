//! `--chains`: from when on states in which nothing is decided are passed through.

use crate::plan::{ASKED, Aim, Chains, Switch, TraceKind};
use crate::{Keep, Model, Options, StoreName};
use dwell_explore::ChainsFrom;
use dwell_model::analysis::ClockFacts;
use dwell_semantics::has_deadlines;

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
    (facts, aim): (&ClockFacts, Aim),
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
    let system = &model.system;
    let idle = if model.network().has_priorities() {
        Some("a move may lead to several zones where there are priorities")
    } else if system.has_stopwatches() || has_deadlines(system) || facts.diagonals {
        Some(
            "a state may have several zones where clocks stand still, are compared, or guard urgent channels",
        )
    } else if aim == Aim::Values {
        Some("values are read in every state")
    } else {
        None
    };
    let asks = matches!(aim, Aim::State | Aim::Violation | Aim::RunFromStart | Aim::RunFromState);
    Ok(match (options.chains, against, idle) {
        (Chains::On, Some(why), _) => return Err(format!("--chains on cannot be used here: {why}")),
        (Chains::On, None, Some(why)) => (Chains::Off, Some(format!("not used: {why}"))),
        (Chains::On, None, None) => (Chains::On, Some(ASKED.into())),
        (Chains::Auto, None, None) if asks && model.document().is_some() => {
            let why = "from 65,536 visited states on, those with a single move and no delay are not stored";
            (Chains::Auto, Some(why.into()))
        }
        (Chains::Auto | Chains::Off, ..) => (Chains::Off, None),
    })
}

impl Chains {
    /// From when on, for the stages of a run.
    pub(crate) fn from(self) -> ChainsFrom {
        match self {
            Self::Off => None,
            Self::On => Some(0),
            Self::Auto => Some(AFTER),
        }
    }
}
