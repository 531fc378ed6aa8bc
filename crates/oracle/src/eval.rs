//! Expressions, guards, channels and updates of a state.
//!
//! What they mean is said by walking their trees (`machine.rs`). Guards,
//! invariants, bounds and indices only look at a state: whatever a call or a
//! sequence in them writes is forgotten. Updates ([`run`]) change it.
//!
//! How clocks are represented is left open ([`Clocks`]): exact rationals,
//! regions and sampled time all run through this one evaluator.

use std::borrow::Cow;

use dwell_model::expr::{ClockConstraint, ClockRef, Expr, Program, Relation, RuntimeError, RuntimeErrorKind};
use dwell_model::{ChannelId, ChannelRef, ClockId, EdgeId, Network, OutOfRange, ProcessId, VarId};

use crate::machine::{Machine, Stop};
use crate::state::{Discrete, State};

/// A representation of clock values.
pub trait Clocks: Clone {
    /// Whether `left ~ bound`, or `left - minus ~ bound`.
    fn holds(
        &self,
        left: ClockId,
        minus: Option<ClockId>,
        relation: Relation,
        bound: i32,
    ) -> Result<bool, Inexpressible>;

    /// `clock = value`, or `clock = from + value`, with `value >= 0`.
    fn assign(&mut self, clock: ClockId, from: Option<ClockId>, value: i32) -> Result<(), Inexpressible>;
}

/// The clock representation cannot answer: a rational outgrew 128 bits, or a
/// region was asked about a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inexpressible;

/// Why a transition was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The guard of this participant does not hold.
    Guard(ProcessId, EdgeId),
    /// The invariant of this process does not hold afterwards.
    Invariant(ProcessId),
    /// An assignment left the range of a variable, which disables the
    /// transition in this network.
    OutOfRange {
        /// The variable.
        var: VarId,
        /// What was assigned.
        value: i32,
    },
    /// The model failed.
    Error(RuntimeError),
    /// The clock representation failed.
    Inexpressible,
}

impl From<RuntimeError> for Refusal {
    fn from(error: RuntimeError) -> Self {
        Self::Error(error)
    }
}

impl From<Inexpressible> for Refusal {
    fn from(_: Inexpressible) -> Self {
        Self::Inexpressible
    }
}

/// A clock constraint whose clocks and bound are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The clock that is compared.
    pub left: ClockId,
    /// What is subtracted from it.
    pub minus: Option<ClockId>,
    /// How they are compared.
    pub relation: Relation,
    /// With what.
    pub bound: i32,
}

/// Clocks that are not there: what is assigned to them is forgotten.
#[derive(Clone, Copy)]
struct NoClocks;

impl Clocks for NoClocks {
    fn holds(&self, _: ClockId, _: Option<ClockId>, _: Relation, _: i32) -> Result<bool, Inexpressible> {
        Err(Inexpressible)
    }

    fn assign(&mut self, _: ClockId, _: Option<ClockId>, _: i32) -> Result<(), Inexpressible> {
        Ok(())
    }
}

/// Evaluates something on a state without changing it.
fn look<T>(
    network: &Network,
    at: &Discrete,
    look: impl FnOnce(&mut Machine<'_, NoClocks>) -> Result<T, Stop>,
) -> Result<T, RuntimeError> {
    let locals = network.locals;
    let mut clocks = NoClocks;
    let mut machine = Machine::new(network, &at.locations, Cow::Borrowed(&at.vars), &mut clocks, locals);
    look(&mut machine).map_err(|stop| match stop {
        Stop::Failed(error) => error,
        Stop::Inexpressible => unreachable!("there are no clocks"),
        Stop::Returned(_) => unreachable!("only functions return"),
    })
}

/// The value of `expr`.
pub fn value(network: &Network, expr: &Expr, at: &Discrete) -> Result<i32, RuntimeError> {
    look(network, at, |machine| machine.value(expr))
}

/// Which clock is meant.
pub fn clock(network: &Network, reference: &ClockRef, at: &Discrete) -> Result<ClockId, RuntimeError> {
    look(network, at, |machine| machine.clock(reference))
}

/// Which channel is meant.
pub fn channel(network: &Network, reference: &ChannelRef, at: &Discrete) -> Result<ChannelId, RuntimeError> {
    match reference {
        ChannelRef::Fixed(channel) => Ok(*channel),
        ChannelRef::Element { first, len, index, span } => {
            let position = look(network, at, |machine| machine.position(index, *len, *span))?;
            Ok(ChannelId::new(first.index() + position))
        }
    }
}

/// What a clock constraint comes to; `None` where its condition is false.
pub fn comparison(
    network: &Network,
    constraint: &ClockConstraint,
    at: &Discrete,
) -> Result<Option<Comparison>, RuntimeError> {
    look(network, at, |machine| {
        if let Some(when) = &constraint.when
            && machine.value(when)? == 0
        {
            return Ok(None);
        }
        let left = machine.clock(&constraint.left)?;
        let minus = constraint.minus.as_ref().map(|minus| machine.clock(minus)).transpose()?;
        let bound = machine.value(&constraint.bound)?;
        Ok(Some(Comparison { left, minus, relation: constraint.relation, bound }))
    })
}

/// Whether all conjuncts hold; those after the first false one are not evaluated.
pub fn all_true(network: &Network, conjuncts: &[Expr], at: &Discrete) -> Result<bool, RuntimeError> {
    for conjunct in conjuncts {
        if value(network, conjunct, at)? == 0 {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether all constraints hold; those after the first false one are not evaluated.
pub fn all_hold<C: Clocks>(
    network: &Network,
    constraints: &[ClockConstraint],
    state: &State<C>,
) -> Result<bool, Refusal> {
    for constraint in constraints {
        if let Some(c) = comparison(network, constraint, &state.discrete)?
            && !state.clocks.holds(c.left, c.minus, c.relation, c.bound)?
        {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Runs an update on `state`. What it did before a refusal is not undone.
pub fn run<C: Clocks>(network: &Network, program: &Program, state: &mut State<C>) -> Result<(), Refusal> {
    let Discrete { locations, vars } = &mut state.discrete;
    let locals = network.locals.max(program.locals);
    let owned = Cow::Owned(std::mem::take(vars));
    let mut machine = Machine::new(network, locations, owned, &mut state.clocks, locals);
    let outcome = machine.block(&program.body);
    *vars = machine.into_vars();
    outcome.map_err(|stop| match stop {
        Stop::Failed(RuntimeError { kind: RuntimeErrorKind::OutOfRange { var, value }, .. })
            if network.out_of_range == OutOfRange::Disable =>
        {
            Refusal::OutOfRange { var, value }
        }
        Stop::Failed(error) => Refusal::Error(error),
        Stop::Inexpressible => Refusal::Inexpressible,
        Stop::Returned(_) => unreachable!("only functions return"),
    })
}
