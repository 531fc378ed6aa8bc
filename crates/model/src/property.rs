//! Properties of states, as queries ask for them.
//!
//! A formula is in negation normal form: negations have been pushed into the
//! integer expressions and clock relations, so that it can be tested on a
//! zone by splitting at the disjunctions.

use crate::expr::{ClockConstraint, Expr};

/// A property of states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// An integer expression that is not zero; may use [`Expr::At`].
    Discrete(Expr),
    /// A clock constraint; its `when` is `None`.
    Clock(ClockConstraint),
    /// All of them.
    And(Vec<Formula>),
    /// One of them.
    Or(Vec<Formula>),
    /// No transition now or after any delay (true), or some (false).
    Deadlock(bool),
}

/// What a query asks of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Property {
    /// `E<> p`
    Possibly(Formula),
    /// `A[] p`; the formula is that of a counterexample, not p.
    Invariantly {
        /// Not p.
        violation: Formula,
    },
    /// `E[] p`
    PotentiallyAlways(Formula),
    /// `A<> p`; not p.
    Eventually {
        /// Not p.
        avoiding: Formula,
    },
    /// `p --> q`; p and not q.
    LeadsTo(Formula, Formula),
    /// `sup`, `inf` or `bounds`, over the states where the formula holds.
    Extremum(Extremum, Formula, Vec<Quantity>),
}

/// Which extreme values are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Extremum {
    Sup,
    Inf,
    Bounds,
}

/// What is measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quantity {
    /// As the user wrote it.
    pub text: String,
    /// An integer, or a clock.
    pub value: Measured,
}

/// An integer or a clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Measured {
    /// An integer expression.
    Integer(Expr),
    /// A clock.
    Clock(crate::expr::ClockRef),
}
