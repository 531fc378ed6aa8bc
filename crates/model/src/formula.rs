//! Formulas, compiled.
//!
//! A formula has code of its own: the functions it calls may have been made
//! for it, after the network was compiled. Variables are the same registers
//! in both.

use crate::Network;
use crate::code::{Code, CodeRef, Compiler, compile};
use crate::expr::{ClockConstraint, Expr, Relation};
use crate::property::Formula;
use crate::system::{Constraint, System, constraints};
use std::sync::Arc;

/// A formula, compiled.
#[derive(Clone, Debug)]
pub struct CompiledFormula {
    /// What was compiled.
    pub formula: Formula,
    /// The network with the functions that were made for the formula, if any.
    pub network: Option<Arc<Network>>,
    /// The code of its parts.
    pub code: Code,
    /// The test.
    pub test: Test,
}

/// A formula as a tree of tests.
#[derive(Clone, Debug)]
pub enum Test {
    /// Code that returns 0 where it does not hold.
    Discrete(CodeRef),
    /// Clock constraints that hold together.
    Clocks(Vec<Constraint>),
    /// All of them.
    All(Vec<Test>),
    /// One of them.
    Any(Vec<Test>),
}

impl CompiledFormula {
    /// Compiles a formula about the network of `system`, which since may have
    /// gained functions and locals: `network`. Deadlocks are not tests of a
    /// single state: `None`.
    pub fn new(formula: Formula, system: &System, network: &Network) -> Option<Self> {
        let mut compiler = compile(network);
        let test = test(&formula, &mut compiler)?;
        let grown = (network.functions.len(), network.locals)
            != (system.network.functions.len(), system.network.locals);
        let network = grown.then(|| Arc::new(network.clone()));
        Some(Self { formula, network, code: compiler.finish(), test })
    }

    /// Whether no clock matters.
    pub fn is_discrete(&self) -> bool {
        self.formula.clock_constraints().is_empty()
    }
}

/// An integer expression over variables and locations, compiled.
#[derive(Clone, Debug)]
pub struct CompiledValue {
    /// Its code and that of the functions it calls.
    pub code: Code,
    /// Returns the value.
    pub value: CodeRef,
}

impl CompiledValue {
    /// Compiles an expression about a network, which may have gained functions
    /// and locals for it.
    pub fn new(expr: &Expr, network: &Network) -> Self {
        let mut compiler = compile(network);
        let value = compiler.value(expr);
        Self { code: compiler.finish(), value }
    }
}

fn test(formula: &Formula, compiler: &mut Compiler) -> Option<Test> {
    Some(match formula {
        Formula::Discrete(expr) => Test::Discrete(compiler.value(expr)),
        Formula::Clock(constraint) => Test::Clocks(constraints(constraint, compiler)),
        Formula::And(parts) => Test::All(parts.iter().map(|p| test(p, compiler)).collect::<Option<_>>()?),
        Formula::Or(parts) => Test::Any(parts.iter().map(|p| test(p, compiler)).collect::<Option<_>>()?),
        Formula::Deadlock(_) => return None,
    })
}

impl Formula {
    /// Every clock constraint in it.
    pub fn clock_constraints(&self) -> Vec<&ClockConstraint> {
        match self {
            Self::Discrete(_) | Self::Deadlock(_) => Vec::new(),
            Self::Clock(constraint) => vec![constraint],
            Self::And(parts) | Self::Or(parts) => parts.iter().flat_map(Formula::clock_constraints).collect(),
        }
    }

    /// Whether it asks for deadlocks.
    pub fn has_deadlock(&self) -> bool {
        match self {
            Self::Discrete(_) | Self::Clock(_) => false,
            Self::Deadlock(_) => true,
            Self::And(parts) | Self::Or(parts) => parts.iter().any(Formula::has_deadlock),
        }
    }
}

impl Relation {
    /// The relation that holds exactly where this one does not; `==` has none.
    pub fn negated(self) -> Option<Self> {
        match self {
            Self::Lt => Some(Self::Ge),
            Self::Le => Some(Self::Gt),
            Self::Ge => Some(Self::Lt),
            Self::Gt => Some(Self::Le),
            Self::Eq => None,
        }
    }
}
