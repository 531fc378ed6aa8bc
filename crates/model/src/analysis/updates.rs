//! Where the clock values after an update may come from.

use super::Interval;
use crate::expr::{ClockRef, Expr, Place, Program, Stmt};
use crate::{ClockId, FunctionId, Network};
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

/// The sources after a call of each function. Made once: what calls what may
/// have many more paths than there are functions.
pub(super) fn function_sources(network: &Network) -> Vec<Sources> {
    let mut all: Vec<Sources> = Vec::new();
    for function in &network.functions {
        let mut state = Sources::new();
        if function.writes {
            let mut flow = Flow { network, functions: &all, exits: None };
            let falls_through = flow.block(&function.body, &mut state);
            match flow.exits {
                Some(exits) if falls_through => join(&mut state, &exits),
                Some(exits) => state = exits,
                None => {}
            }
        }
        all.push(state);
    }
    all
}

/// Over-approximates the sources: both branches of a conditional, any number
/// of rounds of a loop, any element for a computed index.
pub(super) fn sources(program: &Program, network: &Network, functions: &[Sources]) -> Sources {
    let mut state = Sources::new();
    let mut flow = Flow { network, functions, exits: None };
    flow.block(&program.body, &mut state);
    state
}

/// Follows the statements of one program or function.
struct Flow<'n> {
    network: &'n Network,
    /// Of the functions that may be called.
    functions: &'n [Sources],
    /// The join of the states at the returns so far.
    exits: Option<Sources>,
}

impl Flow<'_> {
    /// False when the end of the block is not reached.
    fn block(&mut self, body: &[Stmt], state: &mut Sources) -> bool {
        body.iter().all(|stmt| self.statement(stmt, state))
    }

    fn statement(&mut self, stmt: &Stmt, state: &mut Sources) -> bool {
        match stmt {
            Stmt::Assign { place, value, .. } => {
                if let Place::Element { index, .. } | Place::LocalElement { index, .. } = place {
                    self.expr(index, state);
                }
                self.expr(value, state);
            }
            Stmt::Eval(Expr::Call(function, args, _)) => {
                args.iter().for_each(|arg| self.expr(arg, state));
                self.call(*function, state);
            }
            Stmt::Eval(e) | Stmt::Assert { condition: e, .. } => self.expr(e, state),
            Stmt::Reset { clock, from, value, .. } => {
                for clock in std::iter::once(clock).chain(from) {
                    if let ClockRef::Element { index, .. } = clock {
                        self.expr(index, state);
                    }
                }
                self.expr(value, state);
                self.reset(clock, from.as_ref(), value, state);
            }
            Stmt::If { condition, then, otherwise } => {
                self.expr(condition, state);
                let mut other = state.clone();
                let first = self.block(then, state);
                let second = self.block(otherwise, &mut other);
                match (first, second) {
                    (true, true) => join(state, &other),
                    (false, true) => *state = other,
                    (_, false) => return first,
                }
            }
            Stmt::While { condition, body, .. } => {
                // Offsets only grow from round to round and `join` keeps the
                // least one per clock, so this reaches a fixpoint.
                loop {
                    let before = state.clone();
                    self.expr(condition, state);
                    let mut once = state.clone();
                    if self.block(body, &mut once) {
                        join(state, &once);
                    }
                    if *state == before {
                        break;
                    }
                }
            }
            Stmt::Return(value) => {
                value.iter().for_each(|e| self.expr(e, state));
                match &mut self.exits {
                    None => self.exits = Some(state.clone()),
                    Some(exits) => join(exits, state),
                }
                return false;
            }
        }
        true
    }

    fn reset(&self, clock: &ClockRef, from: Option<&ClockRef>, value: &Expr, state: &mut Sources) {
        // A negative offset is a run-time error, so at least zero.
        let offset = Interval::of(value, self.network).min.max(0);
        let mut new = Vec::new();
        match from {
            None => new.push(Source::Constant),
            Some(from) => {
                for source in clocks(from) {
                    new.extend(shifted(state, source, offset));
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

    fn call(&self, function: FunctionId, state: &mut Sources) {
        let before = state.clone();
        for (&clock, sources) in &self.functions[function.index()] {
            let new = sources.iter().flat_map(|&source| match source {
                Source::Constant => vec![Source::Constant],
                Source::Clock(c, d) => shifted(&before, c, d),
            });
            insert(state, clock, new.collect());
        }
    }

    /// What an expression does to clocks may or may not happen.
    fn expr(&mut self, expr: &Expr, state: &mut Sources) {
        match expr {
            Expr::Const(_) | Expr::Var(_) | Expr::Local(_) | Expr::At(..) => {}
            Expr::Element { index: e, .. }
            | Expr::LocalElement { index: e, .. }
            | Expr::Index { index: e, .. }
            | Expr::Checked { value: e, .. }
            | Expr::Neg(e, _)
            | Expr::Not(e) => self.expr(e, state),
            Expr::Binary(_, l, r, _) | Expr::And(l, r) | Expr::Or(l, r) => {
                self.expr(l, state);
                self.expr(r, state);
            }
            Expr::IfThenElse(c, t, e) => [c, t, e].into_iter().for_each(|e| self.expr(e, state)),
            Expr::Call(function, args, _) => {
                args.iter().for_each(|arg| self.expr(arg, state));
                let mut after = state.clone();
                self.call(*function, &mut after);
                join(state, &after);
            }
            Expr::Seq(body, value) => {
                let mut after = state.clone();
                self.block(body, &mut after);
                join(state, &after);
                self.expr(value, state);
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

/// The sources of a clock plus at least `offset`.
fn shifted(state: &Sources, clock: ClockId, offset: i32) -> Vec<Source> {
    let shift = |source| match source {
        Source::Constant => Source::Constant,
        Source::Clock(c, d) => Source::Clock(c, d.saturating_add(offset)),
    };
    lookup(state, clock).into_iter().map(shift).collect()
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
