//! Which variables matter where.
//!
//! A variable is *live* in a state if its value may still decide something: a
//! guard, an invariant, a bound, a failure, or what a question sees. The value
//! of any other may be forgotten, as that of an inactive clock is: the states
//! that differ in it alone become one. Live variables are from compilers (Aho,
//! Sethi, Ullman: *Compilers*, section 10.6); for model checkers Bozga,
//! Fernandez, Ghirvu: *State space reduction based on live variables analysis*
//! (SAS 1999).
//!
//! LV-1 For one process: a variable is live at a location if some path of its
//!      edges reads it before it surely writes it. Reading counts only if it may
//!      matter: `x = x + 1` reads `x` for nothing where x is not live afterwards,
//!      no other process reads it, and the sum cannot fail.
//! LV-2 For a network: a variable that is live for no process, where each of
//!      them is, is not live. Suppose it were read later, and take the first read.
//!      Its process had written it before, on its own way there: so the value that
//!      is read is not the one of now, whatever the others do in between. A read
//!      that does not count goes into variables that its process alone reads, and
//!      for nothing.
//! LV-3 What questions see, and what is read before or after every transition,
//!      is live everywhere.
//! LV-4 States that differ in what is not live have the same moves, in the same
//!      order, fail alike, and lead to states that differ in nothing else: a
//!      bisimulation. So every question has the same answer, and the numbers of
//!      moves that lead somewhere lead there with the true values as well.
//!
//! Updates are simplified first, so that arrays that are filled element by element
//! are known to be written; [`backward`] goes through them from their end.

mod backward;
#[cfg(test)]
mod tests;

use super::effects::{Effects, Slots, function_effects};
use crate::expr::Stmt;
use crate::property::{Formula, Measured, Property};
use crate::simplify::Simplifier;
use crate::visit::{self, See};
use crate::{Network, Process, VarKind};
use backward::{Backward, Set};
use std::collections::BTreeSet;

/// The most words of live sets that are kept: locations times variables.
const MOST_WORDS: usize = 1 << 20;

/// Where the values of which variables may be forgotten.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariableFacts {
    /// Variables that need not be known everywhere.
    pub slots: Vec<u32>,
    /// How many words a set of them takes.
    pub words: usize,
    /// Processes that read some of them, with the set that is live for them at
    /// each location, location by location.
    pub live: Vec<(u32, Vec<u64>)>,
}

/// Which variables may be forgotten where, if `observed` are to be known always;
/// `None` if there are none, or if it takes too long to find out.
pub fn variable_facts(network: &Network, observed: &BTreeSet<Slots>) -> Option<VariableFacts> {
    let functions = function_effects(network);
    let state = network.vars.iter().take_while(|var| var.kind == VarKind::State).count();
    let locations: usize = network.processes.iter().map(|process| process.locations.len()).sum();
    if locations * state.div_ceil(64) > MOST_WORDS {
        return None;
    }
    let mut always = vec![false; network.vars.len()];
    let mut see = |slots: &BTreeSet<Slots>| slots.iter().for_each(|slots| always[slots.range()].fill(true));
    see(observed);
    for update in [&network.before_update, &network.after_update] {
        see(&reads(&functions, |see| visit::block(&update.body, see)));
    }
    let simplifier = Simplifier::new(network);
    let bodies: Vec<Vec<Stmt>> =
        network.functions.iter().map(|function| simplifier.block(&function.body, 0)).collect();
    let mut backward = Backward::new(network, &bodies);
    let mut live = Vec::new();
    let readers = readers(network, &functions);
    for (p, process) in network.processes.iter().enumerate() {
        let seen =
            |slot: &usize| always[*slot] || readers[*slot].is_some_and(|reader| reader != Reader::One(p));
        backward.seen = backward.set((0..network.vars.len()).filter(seen));
        let updates = process.edges.iter().map(|edge| simplifier.program(&edge.update).body);
        live.push(of_process(process, &updates.collect::<Vec<_>>(), &mut backward, &functions)?);
    }
    let slots: Vec<u32> = (0..state)
        .filter(|&slot| {
            let var = &network.vars[slot];
            let everywhere = |sets: &Vec<Set>| sets.iter().all(|set| set.contains(slot));
            var.min < var.max && !always[slot] && !live.iter().any(everywhere)
        })
        .map(|slot| slot as u32)
        .collect();
    (!slots.is_empty()).then(|| VariableFacts::new(slots, &live))
}

impl VariableFacts {
    /// Keeps of the live sets what is about `slots`.
    fn new(slots: Vec<u32>, live: &[Vec<Set>]) -> Self {
        let words = slots.len().div_ceil(64);
        let masks = |sets: &Vec<Set>| {
            let mut masks = vec![0; sets.len() * words];
            for (location, set) in sets.iter().enumerate() {
                for (i, _) in slots.iter().enumerate().filter(|(_, slot)| set.contains(**slot as usize)) {
                    masks[location * words + i / 64] |= 1 << (i % 64);
                }
            }
            masks
        };
        let live =
            live.iter().map(masks).enumerate().filter(|(_, masks)| masks.iter().any(|&mask| mask != 0));
        let live = live.map(|(process, masks)| (process as u32, masks)).collect();
        Self { slots, words, live }
    }
}

/// Who reads a variable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reader {
    One(usize),
    Several,
}

/// For every variable the processes that read it.
fn readers(network: &Network, functions: &[Effects]) -> Vec<Option<Reader>> {
    let mut readers = vec![None; network.vars.len()];
    for (p, process) in network.processes.iter().enumerate() {
        let edges = process.edges.iter().map(|edge| reads(functions, |see| visit::edge(edge, see)));
        let locations = process.locations.iter().map(|at| reads(functions, |see| visit::location(at, see)));
        for slot in edges.chain(locations).flatten().flat_map(Slots::range) {
            let alone = readers[slot].is_none_or(|reader| reader == Reader::One(p));
            readers[slot] = Some(if alone { Reader::One(p) } else { Reader::Several });
        }
    }
    readers
}

/// LV-1: what is live at each location of a process.
fn of_process(
    process: &Process,
    updates: &[Vec<Stmt>],
    backward: &mut Backward<'_>,
    functions: &[Effects],
) -> Option<Vec<Set>> {
    let guards = process.edges.iter().map(|edge| reads(functions, |see| visit::guard_and_channel(edge, see)));
    let guards: Vec<Set> =
        guards.map(|reads| backward.set(reads.into_iter().flat_map(Slots::range))).collect();
    let known = process.locations.iter().map(|at| reads(functions, |see| visit::location(at, see)));
    let mut live: Vec<Set> =
        known.map(|reads| backward.set(reads.into_iter().flat_map(Slots::range))).collect();
    let mut incoming = vec![Vec::new(); process.locations.len()];
    for (e, edge) in process.edges.iter().enumerate() {
        incoming[edge.target.index()].push(e);
    }
    let mut waiting: Vec<usize> = (0..process.locations.len()).collect();
    let mut waits = vec![true; process.locations.len()];
    while let Some(target) = waiting.pop() {
        waits[target] = false;
        for &e in &incoming[target] {
            let mut before = live[target].clone();
            backward.program(&updates[e], &mut before)?;
            before.add(&guards[e]);
            let source = process.edges[e].source.index();
            if live[source].add(&before) && !waits[source] {
                waits[source] = true;
                waiting.push(source);
            }
        }
    }
    Some(live)
}

/// What is read in what is walked through.
fn reads<'n>(functions: &[Effects], walk: impl FnOnce(See<'_, 'n>)) -> BTreeSet<Slots> {
    let mut effects = Effects::default();
    walk(&mut |node| effects.see(node, functions));
    effects.reads
}

impl Property {
    /// The variables that it sees in states; `network` has the functions that it
    /// calls.
    pub fn reads(&self, network: &Network) -> BTreeSet<Slots> {
        let functions = function_effects(network);
        match self {
            Self::Possibly(p) | Self::Invariantly { violation: p } => formula_reads(p, &functions),
            Self::PotentiallyAlways(p) | Self::Eventually { avoiding: p } => formula_reads(p, &functions),
            Self::LeadsTo(p, q) => &formula_reads(p, &functions) | &formula_reads(q, &functions),
            Self::Extremum(_, p, quantities) => {
                let measured = quantities.iter().flat_map(|quantity| {
                    reads(&functions, |see| match &quantity.value {
                        Measured::Integer(expr) => visit::expr(expr, see),
                        Measured::Clock(clock) => visit::clock(clock, see),
                    })
                });
                measured.chain(formula_reads(p, &functions)).collect()
            }
        }
    }
}

fn formula_reads(formula: &Formula, functions: &[Effects]) -> BTreeSet<Slots> {
    match formula {
        Formula::Discrete(expr) => reads(functions, |see| visit::expr(expr, see)),
        Formula::Clock(constraint) => reads(functions, |see| visit::constraint(constraint, see)),
        Formula::And(parts) | Formula::Or(parts) => {
            parts.iter().flat_map(|part| formula_reads(part, functions)).collect()
        }
        Formula::Deadlock(_) => BTreeSet::new(), // guards, which are read where they stand
    }
}
