//! Where the clock values after an update may come from.

use super::Interval;
use crate::expr::{ClockRef, Program, Stmt};
use crate::{ClockId, Network};
use std::collections::BTreeMap;

/// A possible origin of a clock's value after an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Source {
    /// A constant: nothing before the update matters.
    Constant,
    /// The value of a clock before the update plus at least this much.
    Clock(ClockId, i32),
}

/// For each clock that an update may touch, every source it may have.
/// A clock that is missing keeps its value.
pub(super) type Sources = BTreeMap<ClockId, Vec<Source>>;

/// Over-approximates the sources: both branches of a conditional, any number
/// of rounds of a loop, any element for a computed index.
pub(super) fn sources(program: &Program, network: &Network) -> Sources {
    let mut result = Sources::new();
    block(&program.body, network, &mut result);
    result
}

fn block(body: &[Stmt], network: &Network, state: &mut Sources) {
    for stmt in body {
        match stmt {
            Stmt::Assign { .. } => {}
            Stmt::Reset { clock, from, value, .. } => {
                // A negative offset is a run-time error, so at least zero.
                let offset = Interval::of(value, network).min.max(0);
                let mut new = Vec::new();
                match from {
                    None => new.push(Source::Constant),
                    Some(from) => {
                        for source in clocks(from) {
                            new.extend(lookup(state, source).into_iter().map(|s| match s {
                                Source::Constant => Source::Constant,
                                Source::Clock(c, d) => Source::Clock(c, d.saturating_add(offset)),
                            }));
                        }
                    }
                }
                dedup(&mut new);
                let targets = clocks(clock);
                for &target in &targets {
                    let mut sources = new.clone();
                    if targets.len() > 1 {
                        sources.extend(lookup(state, target));
                    }
                    insert(state, target, sources);
                }
            }
            Stmt::If { then, otherwise, .. } => {
                let mut other = state.clone();
                block(then, network, state);
                block(otherwise, network, &mut other);
                join(state, &other);
            }
            Stmt::While { body, .. } => {
                // Offsets only grow from round to round and `join` keeps the
                // least one per clock, so this reaches a fixpoint.
                loop {
                    let mut once = state.clone();
                    block(body, network, &mut once);
                    let before = state.clone();
                    join(state, &once);
                    if *state == before {
                        break;
                    }
                }
            }
        }
    }
}

fn clocks(clock: &ClockRef) -> Vec<ClockId> {
    match clock {
        ClockRef::Fixed(id) => vec![*id],
        ClockRef::Element { first, len, .. } => (first.0..first.0 + len).map(ClockId).collect(),
    }
}

fn lookup(state: &Sources, clock: ClockId) -> Vec<Source> {
    state.get(&clock).cloned().unwrap_or_else(|| vec![Source::Clock(clock, 0)])
}

/// Keeps one source per clock, the one with the least offset: it gives the
/// strongest requirement on the bounds before the update.
fn insert(state: &mut Sources, clock: ClockId, mut sources: Vec<Source>) {
    dedup(&mut sources);
    state.insert(clock, sources);
}

fn dedup(sources: &mut Vec<Source>) {
    sources.sort_unstable();
    sources.dedup_by(|b, a| match (a, b) {
        (Source::Clock(x, _), Source::Clock(y, _)) => x == y,
        (a, b) => a == b,
    });
    sources.shrink_to_fit();
}

fn join(state: &mut Sources, other: &Sources) {
    let touched: Vec<ClockId> = state.keys().chain(other.keys()).copied().collect();
    for clock in touched {
        let mut sources = lookup(state, clock);
        sources.extend(lookup(other, clock));
        insert(state, clock, sources);
    }
}
