//! Whether a set of edges is covering, as far as the rules can tell.

use crate::closure::Clauses;
use crate::cycles::Graph;
use crate::local::{Limits, Local, LocalCycle};
use crate::rules::{Which, groups};
use crate::{EdgeSet, text::edge_name};
use dwell_model::Network;
use std::fmt::{self, Display, Formatter};

/// Local cycles that a set does not cover, or of which that cannot be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uncovered {
    /// The cycles; of a process that has too many of them, one.
    pub cycles: Vec<LocalCycle>,
    /// The same for people.
    names: Vec<String>,
}

/// How many cycles a message lists.
const LISTED: usize = 5;

impl Display for Uncovered {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.cycles.len() {
            1 => write!(f, "a local cycle is not covered: {}", self.names[0])?,
            n => write!(f, "{n} local cycles are not covered: {}", self.names[..n.min(LISTED)].join("; "))?,
        }
        if self.cycles.len() > LISTED { write!(f, "; …") } else { Ok(()) }
    }
}

impl LocalCycle {
    /// The cycle as people write it: `P: a -> b -> a`.
    pub fn name(&self, network: &Network) -> String {
        let process = &network.processes[self.process as usize];
        let location = |l: dwell_model::LocationId| process.locations[l.index()].name.as_str();
        let edges = self.edges.iter().map(|&e| &process.edges[e as usize]);
        let mut name = process.name.clone();
        for (at, edge) in edges.enumerate() {
            if at == 0 {
                name = format!("{name}: {}", location(edge.source));
            }
            // Parallel edges are told apart as in a file of edges.
            let edge_name = edge_name(network, self.process, self.edges[at]);
            let number = edge_name.rsplit_once(" #").map(|(_, n)| format!(" #{n}")).unwrap_or_default();
            name = format!("{name} -> {}{number}", location(edge.target));
        }
        name
    }
}

/// Whether every infinite path takes edges of the set infinitely often. An
/// error is no proof of the contrary: the rules do not know everything.
pub fn verify(network: &Network, set: &EdgeSet) -> Result<(), Uncovered> {
    let local = Local::new(network, Limits::default());
    let clauses = Clauses::new(&local, groups(network, &local, Which::All));
    verify_with(network, &local, &clauses, set)
}

pub(crate) fn verify_with(
    network: &Network,
    local: &Local,
    clauses: &Clauses,
    set: &EdgeSet,
) -> Result<(), Uncovered> {
    let mut cycles = Vec::new();
    for process in local.unlisted() {
        let rest = Graph::new(&network.processes[process as usize], |e| !set.contains(process, e));
        cycles.extend(rest.back_edges().1.map(|edges| LocalCycle { process, edges }));
    }
    let covered = clauses.covered_by(local, set);
    let open = (0..local.cycles.len() as u32).filter(|&c| !covered.has(c));
    cycles.extend(open.map(|c| local.cycles[c as usize].clone()));
    if cycles.is_empty() {
        return Ok(());
    }
    let names = cycles.iter().take(LISTED).map(|c| c.name(network)).collect();
    Err(Uncovered { cycles, names })
}
