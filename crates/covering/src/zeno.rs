//! Local cycles in which time may stand still.
//!
//! A run is *Zeno* where it takes infinitely many transitions in finite time.
//! A cycle is *safe* where it sets some clock and waits until that clock has
//! grown by one at least (strong non-Zenoness: S. Tripakis, *Verifying progress
//! in timed systems*, ARTS 1999): if it occurs infinitely often, time passes
//! beyond all bounds. With that in the place of "T is taken infinitely often",
//! R-0 holds as it stands: a cycle that occurs infinitely often only if one of
//! others does, all of them safe, is safe too. So a cycle of senders is judged
//! by those who receive. What is left are candidates: the rules do not know
//! everything, and a cycle that may take no time often also may take some.
//!
//! W-1 A clock counts if every statement of the model that sets it gives it a
//!     constant or an integer, no copy of a clock. What it is given is at most
//!     m; a guard `x >= c` waits if c is at least m + 1. Then at least one unit
//!     of time lies between the setting and the guard, whoever sets the clock
//!     in between. Less will not do: infinitely many delays may have a finite
//!     sum.
//! W-2 A cycle sets a clock if an update on it does, under no condition.

use crate::closure::Clauses;
use crate::effects::Reader;
use crate::local::{Limits, Local, LocalCycle};
use crate::rules::{Which, groups};
use dwell_model::analysis::Interval;
use dwell_model::expr::{ClockRef, Expr, Stmt};
use dwell_model::visit::{self, Node};
use dwell_model::{Edge, Network};
use std::collections::BTreeSet;

/// What was found.
#[derive(Clone, Debug)]
pub struct Zeno {
    /// Cycles that may be run through for ever while no time passes.
    pub candidates: Vec<LocalCycle>,
    /// Processes with too many cycles to list: nothing is said about these.
    pub unlisted: Vec<u32>,
}

/// Looks for cycles in which time may stand still, of edges (by process and
/// number) that may be taken at all.
pub fn zeno_candidates(network: &Network, may_be_taken: impl Fn(u32, u32) -> bool) -> Zeno {
    let local = Local::new(network, Limits::default());
    let clauses = Clauses::new(&local, groups(network, &local, Which::All));
    let clocks = Clocks::new(network);
    let mut covered = clauses.start();
    for (number, cycle) in local.cycles.iter().enumerate() {
        let occurs = cycle.edges.iter().all(|&edge| may_be_taken(cycle.process, edge));
        if !occurs || clocks.make_safe(cycle) {
            clauses.cover(&mut covered, number as u32);
        }
    }
    let open = local.cycles.iter().enumerate().filter(|(number, _)| !covered.has(*number as u32));
    Zeno { candidates: open.map(|(_, cycle)| cycle.clone()).collect(), unlisted: local.unlisted().collect() }
}

/// What edges do with clocks.
struct Clocks<'n> {
    network: &'n Network,
    reader: Reader<'n>,
    /// The largest value that each clock is given; `None`: it may be anything. W-1
    most: Vec<Option<i32>>,
}

impl<'n> Clocks<'n> {
    fn new(network: &'n Network) -> Self {
        let mut most = vec![Some(0); network.clocks.len()];
        let mut note = |node: Node<'_>| {
            if let Node::Stmt(Stmt::Reset { clock, from, value, .. }) = node {
                let value = from.is_none().then(|| Interval::of(value, network).max);
                for clock in may_be(clock) {
                    let most: &mut Option<i32> = &mut most[clock];
                    *most = most.zip(value).map(|(most, value)| most.max(value));
                }
            }
        };
        let edges = network.processes.iter().flat_map(|process| &process.edges);
        let updates = edges.map(|edge| &edge.update.body);
        let functions = network.functions.iter().map(|function| &function.body);
        let around = [&network.before_update.body, &network.after_update.body];
        updates.chain(functions).chain(around).for_each(|body| visit::block(body, &mut note));
        Self { network, reader: Reader::new(network), most }
    }

    /// Whether a cycle sets a clock and waits for it.
    fn make_safe(&self, cycle: &LocalCycle) -> bool {
        let process = &self.network.processes[cycle.process as usize];
        let edges = || cycle.edges.iter().map(|&edge| &process.edges[edge as usize]);
        let mut set = BTreeSet::new();
        edges().for_each(|edge| self.sets(&edge.update.body, &mut set));
        set.into_iter().any(|clock| edges().any(|edge| self.waits_for(edge, clock)))
    }

    fn waits_for(&self, edge: &Edge, clock: u32) -> bool {
        let lower = self.reader.clock_bounds(&edge.guard).lower;
        let enough = |constant: i32| self.most[clock as usize].is_some_and(|most| constant > most);
        lower.iter().any(|bound| bound.clock == clock && enough(bound.constant))
    }

    /// The clocks that these statements set in any case: those before anything
    /// that may end or skip them. W-2
    fn sets(&self, body: &[Stmt], set: &mut BTreeSet<u32>) {
        for stmt in body {
            match stmt {
                Stmt::Reset { clock: ClockRef::Fixed(clock), .. } => _ = set.insert(clock.0),
                // A function calls only others before it: this ends.
                Stmt::Eval(Expr::Call(function, ..)) => {
                    self.sets(&self.network.functions[function.index()].body, set);
                }
                Stmt::If { .. } | Stmt::While { .. } | Stmt::Return(_) => return,
                _ => {}
            }
        }
    }
}

/// The clocks that may be meant.
fn may_be(clock: &ClockRef) -> std::ops::Range<usize> {
    match clock {
        ClockRef::Fixed(clock) => clock.index()..clock.index() + 1,
        ClockRef::Element { first, len, .. } => first.index()..first.index() + *len as usize,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dwell_model::tchecker;

    const HEAD: &str = "system:s\nevent:a\nevent:b\nclock:1:x\nclock:1:y\nprocess:P\n\
                        location:P:l{initial:}\nlocation:P:m{}\n";

    /// The candidates by name, of this text after two locations of a process.
    fn candidates(text: &str) -> Vec<String> {
        let network = tchecker::load(&format!("{HEAD}{text}")).0.expect("a correct model");
        let found = zeno_candidates(&network, |_, _| true);
        assert!(found.unlisted.is_empty());
        found.candidates.iter().map(|cycle| cycle.name(&network)).collect()
    }

    #[test]
    fn a_cycle_that_sets_a_clock_and_waits_for_it_is_safe() {
        let there = "edge:P:l:m:a{provided: x>=1}\n";
        assert!(candidates(&format!("{there}edge:P:m:l:a{{do: x=0}}\n")).is_empty());
        // Another clock, no time at all, ever less time, or no setting.
        for back in ["{do: y=0}", "{}", "{provided: y<=3}"] {
            assert_eq!(candidates(&format!("{there}edge:P:m:l:a{back}\n")), ["P: l -> m -> l"], "{back}");
        }
        for there in ["x>0", "x>=0", "x<=1", "x-y>=1"] {
            let text = format!("edge:P:l:m:a{{provided: {there}}}\nedge:P:m:l:a{{do: x=0}}\n");
            assert_eq!(candidates(&text), ["P: l -> m -> l"], "{there}");
        }
    }

    #[test]
    fn what_a_clock_is_given_counts() {
        let text = |back: &str| format!("edge:P:l:m:a{{provided: x>=3}}\nedge:P:m:l:a{{do: {back}}}\n");
        assert!(candidates(&text("x=2")).is_empty());
        assert_eq!(candidates(&text("x=3")).len(), 1);
        assert_eq!(candidates(&text("x=0; x=y")).len(), 1, "a copy may be anything");
        // Elsewhere too.
        let elsewhere = format!("{}process:Q\nlocation:Q:q{{initial:}}\n", text("x=0"));
        assert!(candidates(&elsewhere).is_empty());
        let set = "edge:Q:q:q:b{do: x=5}\n";
        assert_eq!(candidates(&format!("{elsewhere}{set}")), ["P: l -> m -> l", "Q: q -> q"]);
    }

    #[test]
    fn each_of_several_cycles_is_judged_alone() {
        let text = "edge:P:l:m:a{provided: x>=1}\nedge:P:m:l:a{do: x=0}\nedge:P:m:m:b{do: x=0}\n";
        assert_eq!(candidates(text), ["P: m -> m"]);
    }

    #[test]
    fn partners_that_take_time_are_enough() {
        let text =
            "edge:P:l:l:a\nprocess:Q\nlocation:Q:q{initial:}\nedge:Q:q:q:a{provided: y>=2 : do: y=0}\n";
        assert_eq!(candidates(text), ["P: l -> l"], "nothing makes them meet");
        assert!(candidates(&format!("{text}sync:P@a:Q@a\n")).is_empty());
        // One partner of two that does not.
        let hasty = "process:R\nlocation:R:r{initial:}\nedge:R:r:r:a\nsync:P@a:Q@a\nsync:P@a:R@a\n";
        assert_eq!(candidates(&format!("{text}{hasty}")), ["P: l -> l", "R: r -> r"]);
    }

    #[test]
    fn processes_with_too_many_cycles_are_named() {
        let mut text = "system:s\nevent:a\nprocess:P\n".to_owned();
        (0..11).for_each(|l| {
            text += &format!("location:P:l{l}{{{}}}\n", if l == 0 { "initial:" } else { "" });
        });
        (0..11).for_each(|l| text += &format!("edge:P:l{l}:l{}:a\n", (l + 1) % 11).repeat(2));
        let network = tchecker::load(&text).0.expect("a correct model");
        let found = zeno_candidates(&network, |_, _| true);
        assert_eq!((found.candidates.len(), found.unlisted), (0, vec![0]));
    }

    #[test]
    fn cycles_of_edges_that_are_never_taken_do_not_count() {
        let text = format!("{HEAD}edge:P:l:l:a\nedge:P:m:m:a\nedge:P:l:m:b\n");
        let network = tchecker::load(&text).0.expect("a correct model");
        let found = zeno_candidates(&network, |_, edge| edge != 0);
        assert_eq!(found.candidates.len(), 1);
        assert_eq!(found.candidates[0].name(&network), "P: m -> m");
    }
}
