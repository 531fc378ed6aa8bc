//! Which states are stored: how people write it, and the strategy it stands
//! for (paper 3).
//!
//! `successors[:K]`, `distance[:K]`, `every[:K]`, `combination[:K]`,
//! `random[:P[,Q]]`; the rest takes nothing more.

use crate::plan::{OrderName, Plan};
use dwell_base::Rng;
use dwell_covering::EdgeSet;
use dwell_explore::keep::{
    Adaptive, Combination, CoveringSet, Distance, EveryKth, Flag, Keeping, MAX_FLAG, NonCommitted,
    RandomStates, Share, StoringStrategy, Successors,
};
use dwell_model::System;
use std::fmt;

crate::plan::named! {
    /// Storing strategies.
    KeepName {
        All = "all",
        Auto = "auto",
        NonCommitted = "non-committed",
        EntryPoints = "entry-points",
        Covering = "covering",
        Successors = "successors",
        Distance = "distance",
        Random = "random",
        Every = "every",
        Combination = "combination",
    }
}

/// Chains are seldom cycles: the paper's *large k*.
const LONG_CHAIN: Flag = 1_000;

/// A storing strategy with its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keep {
    /// Which one.
    pub rule: KeepName,
    /// K, where it has one.
    pub k: Flag,
    /// P, in millionths.
    pub share: u32,
    /// Q, in millionths.
    pub covering_share: Option<u32>,
}

impl Keep {
    /// Every state.
    pub const ALL: Self = Self { rule: KeepName::All, k: 0, share: 0, covering_share: None };

    /// With the numbers of the paper's table 2.
    pub fn new(rule: KeepName) -> Self {
        let k = match rule {
            KeepName::Successors => LONG_CHAIN,
            KeepName::Distance | KeepName::Every => 10,
            KeepName::Combination => 3,
            _ => 0,
        };
        let share = if rule == KeepName::Random { Share::WHOLE / 10 } else { 0 };
        Self { rule, k, share, covering_share: None }
    }

    /// What stands behind the colon.
    pub fn parse(rule: KeepName, text: &str) -> Result<Self, String> {
        let keep = Self::new(rule);
        if rule == KeepName::Random {
            let (p, q) = text.split_once(',').map_or((text, None), |(p, q)| (p, Some(q)));
            let covering_share = q.map(share).transpose()?;
            return Ok(Self { share: share(p)?, covering_share, ..keep });
        }
        let largest = match rule {
            // Its square is a flag too.
            KeepName::Combination => MAX_FLAG.isqrt(),
            KeepName::Successors | KeepName::Distance | KeepName::Every => MAX_FLAG,
            _ => return Err(format!("--keep {} takes nothing more, such as ':{text}'", rule.name())),
        };
        let k = text.trim().parse().ok().filter(|k| (1..=largest).contains(k));
        let k = k.ok_or_else(|| format!("--keep {}: '{text}' may be 1 to {largest}", rule.name()))?;
        Ok(Self { k, ..keep })
    }

    /// Whether every state is stored.
    pub fn is_all(self) -> bool {
        self.rule == KeepName::All
    }

    /// Whether it goes by a covering set.
    pub(crate) fn uses_covering(self) -> bool {
        let rules = [KeepName::EntryPoints, KeepName::Covering, KeepName::Combination, KeepName::Auto];
        rules.contains(&self.rule) || self.covering_share.is_some()
    }
}

/// A probability above zero.
fn share(text: &str) -> Result<u32, String> {
    let p = text.trim().parse::<f64>().ok().filter(|p| *p > 0.0 && *p <= 1.0);
    let millionths = p.map(|p| (p * f64::from(Share::WHOLE)).round() as u32);
    // Zero would never store anything, and searches might not end.
    millionths
        .map(|m| m.max(1))
        .ok_or_else(|| format!("--keep random: '{text}' is no probability above 0 and at most 1"))
}

impl fmt::Display for Keep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.rule.name())?;
        let of_one = |millionths: u32| f64::from(millionths) / f64::from(Share::WHOLE);
        match (self.k, self.share, self.covering_share) {
            (0, 0, _) => Ok(()),
            (0, p, None) => write!(f, ":{}", of_one(p)),
            (0, p, Some(q)) => write!(f, ":{},{}", of_one(p), of_one(q)),
            (k, ..) => write!(f, ":{k}"),
        }
    }
}

/// The stage that a plan stands for.
pub(crate) fn keeping(plan: &Plan, system: &System) -> Option<Keeping> {
    let Keep { rule, k, share, covering_share } = plan.keep;
    let edges =
        || plan.covering.as_ref().map_or_else(|| EdgeSet::empty(&system.network), |c| c.edges.clone());
    let strategy: Box<dyn StoringStrategy> = match rule {
        KeepName::All => return None,
        KeepName::Auto => Box::new(Adaptive::new(edges())),
        KeepName::NonCommitted => Box::new(NonCommitted::new(system)),
        KeepName::EntryPoints | KeepName::Covering => Box::new(CoveringSet { edges: edges() }),
        KeepName::Successors => Box::new(Successors { k }),
        KeepName::Distance => Box::new(Distance { k }),
        KeepName::Every => Box::new(EveryKth::new(k)),
        KeepName::Combination => Box::new(Combination { k, edges: edges() }),
        KeepName::Random => Box::new(RandomStates {
            share: Share(share),
            covering: covering_share.map(|share| (Share(share), edges())),
            rng: Rng::new(plan.seed),
        }),
    };
    Some(Keeping { strategy, unstored_first: plan.order == OrderName::UnstoredFirst })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_and_shown() {
        for text in
            ["distance:7", "successors:3", "every:2", "combination:90", "random:0.25", "random:0.1,0.5"]
        {
            let (name, numbers) = text.split_once(':').unwrap();
            let keep = Keep::parse(KeepName::from_name(name).unwrap(), numbers).unwrap();
            assert_eq!(keep.to_string(), text);
        }
        assert_eq!(Keep::new(KeepName::Covering).to_string(), "covering");
        assert_eq!(Keep::new(KeepName::Random).to_string(), "random:0.1");
    }

    #[test]
    fn what_would_store_nothing_is_refused() {
        let wrong = [
            (KeepName::Distance, "0"),
            (KeepName::Every, "-1"),
            (KeepName::Combination, "91"),
            (KeepName::Random, "0"),
            (KeepName::Random, "1.5"),
            (KeepName::Random, "0.5,nan"),
            (KeepName::Covering, "3"),
        ];
        for (rule, text) in wrong {
            let error = Keep::parse(rule, text).unwrap_err();
            assert!(error.contains(rule.name()), "{error}");
        }
    }
}
