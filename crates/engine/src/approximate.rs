//! Explorations that see less than there is, or more, and what can be said
//! after them.
//!
//! A-1 A store that forgets takes states for others (paper 1, sections 4.3 and
//!     4.4): less is seen. What is found is there; what is not found may be.
//! A-2 A convex hull holds clock values that no run has: more is seen. What is
//!     not found is not there; what is found may not be.
//! A-3 Both together say nothing.

use crate::Options;
use crate::plan::{Abstraction, Aim, Chains, CoverRule, Plan, StoreName, Switch, TraceKind};
use dwell_base::limits::{Limits, available_bytes};
use dwell_base::units::show_bytes;

impl StoreName {
    /// Whether every state that is put into it is there.
    pub fn is_exact(self) -> bool {
        !matches!(self, Self::BitState | Self::HashCompact | Self::HashCompactZone)
    }
}

impl Plan {
    /// Whether a complete run leaves all reachable states behind, and no others.
    pub fn has_all(&self) -> bool {
        !self.sees_less() && !self.sees_more() && self.keep.is_all() && self.chains == Chains::Off
    }

    ///
    pub fn sees_less(&self) -> bool {
        !self.store.is_exact()
    }

    ///
    pub fn sees_more(&self) -> bool {
        self.convex_hull == Switch::On
    }
}

/// Why the table of a store that forgets cannot be made.
pub(crate) fn too_large(plan: &Plan, limits: &Limits) -> Option<String> {
    let limit = limits.memory_bytes.or_else(available_bytes)?;
    (plan.sees_less() && plan.table.bytes >= limit).then(|| {
        let (table, limit) = (show_bytes(plan.table.bytes), show_bytes(limit));
        format!(
            "the table of --store {} would have {table}, and there may be {limit} in all; give it a smaller \
             size, or give a larger --memory",
            plan.store.name()
        )
    })
}

/// Mixes that would say nothing, or something wrong.
pub(crate) fn refuse(
    options: &Options,
    store: StoreName,
    abstraction: Abstraction,
    trace: TraceKind,
    aim: Aim,
) -> Result<(), String> {
    let name = store.name();
    let about_states = matches!(aim, Aim::Nothing | Aim::State | Aim::Violation | Aim::Labels);
    if !store.is_exact() {
        let reason = if options.convex_hull == Switch::On {
            "the one leaves states out and --convex-hull adds some, so that neither answer would mean anything"
        } else if !about_states {
            "the answer needs all states, and some may be missing"
        } else if matches!(trace, TraceKind::Shortest | TraceKind::Fastest) {
            "the shortest or fastest run may be among what is missing"
        } else if abstraction == Abstraction::ALu {
            "passed states are found again as they were, and a-lu is a way of covering states that differ"
        } else {
            return Ok(());
        };
        return Err(format!("--store {name} cannot be used here: {reason}"));
    }
    if options.convex_hull == Switch::Off {
        return Ok(());
    }
    let reason = if !about_states {
        "it adds states, and the answer needs those that are there"
    } else if trace != TraceKind::None && trace != TraceKind::Some {
        "what it finds may not be there, so there is no run to be shown"
    } else if matches!(abstraction, Abstraction::ALu | Abstraction::None) {
        "hulls of exact zones may grow for ever; use an extrapolation, such as extra-lu+"
    } else if options.cover == CoverRule::Equality || options.waiting_inclusion == Switch::Off {
        "there is one zone for each discrete state, compared by inclusion, whether it waits or not"
    } else {
        return Ok(());
    };
    Err(format!("--convex-hull cannot be used here: {reason}"))
}
