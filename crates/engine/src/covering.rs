//! Covering sets for the strategies that go by one (paper 3, section 4).

use crate::walk::random_walk;
use crate::{Keep, KeepName, Model, Options};
use dwell_covering::{Coefficients, EdgeSet, build, entry_points, verify};
use std::fmt;

/// `--keep auto` stores the targets of entry points, which are the safer choice,
/// unless a set is taken less often by this factor.
const MUCH_RARER: f64 = 0.75;

/// A set of edges that every infinite path takes infinitely often, and where it
/// comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Covering {
    /// The edges.
    pub edges: EdgeSet,
    from: String,
}

/// The sets of a model.
#[derive(Clone, Debug)]
pub(crate) struct Sets {
    found: Covering,
    entry_points: Covering,
    /// For strategies that can be careful: one of the two.
    safe: Covering,
}

impl Sets {
    fn new(model: &Model, seed: u64) -> Self {
        let network = model.network();
        // Walking needs a meaning that we know.
        let coefficients = match model.refusals() {
            [] => random_walk(&model.system, seed),
            _ => Coefficients::uniform(network).with_seed(seed),
        };
        let best = build(network, &coefficients);
        let from = format!("found by {}, taken by {:.2} of transitions", best.found_by.name(), best.sum);
        let found = Covering { edges: best.set, from };
        let entry_points = Covering { edges: entry_points(network), from: "into loops".into() };
        let rarer = best.sum < MUCH_RARER * coefficients.sum(&entry_points.edges);
        let safe = if rarer { found.clone() } else { entry_points.clone() };
        Self { found, entry_points, safe }
    }
}

impl Covering {
    /// The set for a strategy that goes by one: the user's, if it is one, or
    /// the best that is found.
    pub(crate) fn planned(options: &Options, keep: Keep, model: &Model) -> Result<Option<Self>, String> {
        if !keep.uses_covering() {
            return match (&options.cover_set, options.keep) {
                (Some(_), Some(asked)) if asked == keep => Err(format!(
                    "--cover-set is for --keep covering, combination, auto and random:P,Q; --keep {keep} does \
                     not look at it"
                )),
                _ => Ok(None),
            };
        }
        if let Some(text) = &options.cover_set {
            let network = model.network();
            let edges = EdgeSet::parse(text, network).map_err(|error| format!("--cover-set: {error}"))?;
            verify(network, &edges).map_err(|uncovered| format!("--cover-set: {uncovered}"))?;
            return Ok(Some(Self { edges, from: "given and verified".into() }));
        }
        let again;
        let sets = match model.coverings.get_or_init(|| (options.seed, Sets::new(model, options.seed))) {
            (seed, sets) if *seed == options.seed => sets,
            _ => {
                again = Sets::new(model, options.seed);
                &again
            }
        };
        let set = match keep.rule {
            KeepName::EntryPoints => &sets.entry_points,
            KeepName::Auto => &sets.safe,
            _ => &sets.found,
        };
        Ok(Some(set.clone()))
    }
}

impl fmt::Display for Covering {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let edges = if self.edges.len() == 1 { "edge" } else { "edges" };
        write!(f, "{} {edges}, {}", self.edges.len(), self.from)
    }
}
