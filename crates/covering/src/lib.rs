//! Covering sets: edges that no infinite path of a network can avoid for ever.
//!
//! Behrmann, Larsen, Pelánek, *To store or not to store* (CAV 2003), section 4;
//! the closure goes back to Kurshan, Levin, Minea, Peled, Yenigün, *Static
//! partial order reduction* (TACAS 1998). An exploration ends if it stores the
//! states that are entered by edges of such a set, and those only.
//!
//! **What is meant.** A set T of edges is *covering* iff every infinite path of
//! the symbolic state graph takes edges of T infinitely often. Infinite paths,
//! not cycles: zones are compared by inclusion, so that a search goes round a
//! loop of discrete states with ever other zones. An infinite search has an
//! infinite path (each state has finitely many successors), which enters stored
//! states infinitely often; there are finitely many of these up to the
//! comparison of states, so some entered state was covered and not searched.
//!
//! **Why local cycles suffice.** Let a path be infinite, and follow one process
//! along it. Keep its edges on a stack; when an edge leads to a location that
//! is on the stack, take off the elementary cycle that it closes: the cycle
//! *occurs*. The stack is no longer than the process has locations, so every
//! edge taken infinitely often lies on a cycle that occurs infinitely often,
//! and some process has such a cycle. T is covering if each local cycle c is
//! *covered*: if c occurs infinitely often, T is taken infinitely often.
//!
//! R-0 A cycle that has an edge of T is covered. So is a cycle c for which we
//!     know cycles D such that, when c occurs infinitely often, an edge on some
//!     cycle of D other than c does, and all these are covered. Which D there
//!     are: `rules` (R-1 … R-4).
//!
//! **Round and round.** A rule about two places of c, first one, then the
//! other, may go over the end of c into its next occurrence, since it occurs
//! again. Between the two places the process may go round other cycles; an edge
//! of c that it takes there lies on another cycle that occurs infinitely often:
//! between two edges of c on the stack whatever is pushed is taken off without
//! the first of them; and between two occurrences an edge of c that is taken
//! off with c would be a third one, while one that stays on the stack would be
//! met by the next occurrence, which then took off more than c.
//!
//! Where a process has too many cycles to list, the edges that close a loop in
//! a depth-first search are in every set, so that all its cycles are covered.
//!
//! What may not be mixed with R-4: convex hulls of zones, which forget lower
//! bounds.
#![forbid(unsafe_code)]

mod closure;
mod coefficients;
mod construct;
mod cycles;
mod edge_set;
mod effects;
mod entry_points;
mod hitting;
mod interval;
mod local;
mod rules;
mod text;
mod verify;
mod zeno;

pub use coefficients::Coefficients;
pub use construct::Heuristic;
pub use edge_set::EdgeSet;
pub use entry_points::entry_points;
pub use local::{CycleCount, LocalCycle};
pub use text::edge_name;
pub use verify::{Uncovered, verify};
pub use zeno::{Zeno, zeno_candidates};

use closure::Clauses;
use construct::Task;
use dwell_model::Network;
use local::{Limits, Local};
use rules::{Which, groups};

/// A set that is taken less often is taken too seldom. The paper takes the set
/// with the least sum, and its sums are 0.08 and more. Where stored states are
/// a hundred transitions apart, what lies between is visited over and over: on
/// our brp-like model a sum of 0.014 means 872 times the visits, one of 0.13
/// 2.3 times.
const RARE: f64 = 0.05;

/// What was found.
#[derive(Clone, Debug)]
pub struct Covering {
    /// The set with the least sum of coefficients, if that is not too rare; the
    /// smallest of these.
    pub set: EdgeSet,
    /// Who found it.
    pub found_by: Heuristic,
    /// Its sum of coefficients.
    pub sum: f64,
    /// What each heuristic found, with its sum.
    pub candidates: Vec<(Heuristic, EdgeSet, f64)>,
    /// How many local cycles each process has.
    pub cycles: Vec<CycleCount>,
}

impl Covering {
    /// Whether the cycles of every process could be listed.
    pub fn all_listed(&self) -> bool {
        self.cycles.iter().all(|count| *count != CycleCount::TooMany)
    }
}

/// Looks for a covering set whose edges are taken seldom.
pub fn build(network: &Network, coefficients: &Coefficients) -> Covering {
    build_within(network, coefficients, Limits::default())
}

fn build_within(network: &Network, coefficients: &Coefficients, limits: Limits) -> Covering {
    let local = Local::new(network, limits);
    let clauses = Clauses::new(&local, groups(network, &local, Which::All));
    let start = local.back_edges(network);
    let task = Task { local: &local, clauses: &clauses, coefficients, start };
    let construct = |heuristic| {
        let set = task.construct(heuristic);
        debug_assert!(verify::verify_with(network, &local, &clauses, &set).is_ok(), "{heuristic:?}");
        let sum = coefficients.sum(&set);
        (heuristic, set, sum)
    };
    let candidates: Vec<_> = Heuristic::ALL.into_iter().map(construct).collect();
    // Of sets that are too rare, the least rare.
    let rarity = |sum: f64| if sum < RARE { 1.0 + RARE - sum } else { sum.min(1.0) };
    let better = |a: &f64, b: &f64| rarity(*a).total_cmp(&rarity(*b));
    let best = candidates.iter().min_by(|a, b| better(&a.2, &b.2).then(a.1.len().cmp(&b.1.len())));
    let (found_by, set, sum) = best.expect("there are heuristics").clone();
    Covering { set, found_by, sum, candidates, cycles: local.counts }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dwell_model::tchecker;

    /// A process with 2^5 cycles beside one that needs it.
    fn network() -> Network {
        let mut text =
            "system:s\nevent:a\nevent:b\nprocess:P\nprocess:Q\nlocation:Q:x{initial:}\nedge:Q:x:x:a\n"
                .to_owned();
        for l in 0..5 {
            text += &format!("location:P:l{l}{{{}}}\n", if l == 0 { "initial:" } else { "" });
        }
        for (l, next) in (0..5).map(|l| (l, (l + 1) % 5)) {
            text += &format!("edge:P:l{l}:l{next}:a\nedge:P:l{l}:l{next}:b\n");
        }
        text += "sync:P@a:Q@a\n";
        tchecker::load(&text).0.expect("a correct model")
    }

    #[test]
    fn a_process_with_too_many_cycles_is_covered_by_its_back_edges() {
        let network = network();
        let uniform = Coefficients::uniform(&network);
        let listed = build(&network, &uniform);
        assert_eq!(listed.cycles, [CycleCount::Known(32), CycleCount::Known(1)]);
        assert_eq!(listed.set.len(), 2);
        let few = Limits { per_process: 10, ..Limits::default() };
        let found = build_within(&network, &uniform, few);
        assert_eq!(found.cycles, [CycleCount::TooMany, CycleCount::Known(1)]);
        assert!(!found.all_listed());
        // Both edges that close the loop; Q needs P.
        assert_eq!(found.set.to_text(&network), "P: l4 -> l0 #1\nP: l4 -> l0 #2\n");
        assert!(found.candidates.iter().all(|(_, set, _)| *set == found.set));
        let local = Local::new(&network, few);
        let clauses = Clauses::new(&local, groups(&network, &local, Which::All));
        let verify = |text| {
            let set = EdgeSet::parse(text, &network).expect("edges");
            verify::verify_with(&network, &local, &clauses, &set)
        };
        assert_eq!(verify("P: l2 -> l3 #1\nP: l2 -> l3 #2"), Ok(()));
        let open = verify("P: l2 -> l3 #1").expect_err("half of the cycles are left");
        assert_eq!((open.cycles.len(), open.cycles[0].edges.len()), (1, 5));
    }

    #[test]
    fn nothing_covers_a_network_without_cycles() {
        for network in [
            Network::default(),
            tchecker::load("system:s\nprocess:P\nlocation:P:x{initial:}\n").0.expect("a model"),
        ] {
            assert!(build(&network, &Coefficients::uniform(&network)).set.is_empty());
            assert!(entry_points(&network).is_empty() && verify(&network, &EdgeSet::empty(&network)).is_ok());
        }
    }
}
