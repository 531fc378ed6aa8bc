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
    /// No transition now or after any delay (true), or some (false).
    Deadlock(bool),
}

impl Test {
    /// Whether it holds at most where no transition is possible.
    pub fn implies_deadlock(&self) -> bool {
        match self {
            Self::Deadlock(wanted) => *wanted,
            Self::Discrete(_) | Self::Clocks(_) => false,
            Self::All(parts) => parts.iter().any(Self::implies_deadlock),
            Self::Any(parts) => parts.iter().all(Self::implies_deadlock),
        }
    }
}

impl CompiledFormula {
    /// Compiles a formula about the network of `system`, which since may have
    /// gained functions and locals: `network`.
    pub fn new(formula: Formula, system: &System, network: &Network) -> Self {
        let mut compiler = compile(network);
        let test = test(&formula, &mut compiler);
        let grown = (network.functions.len(), network.locals)
            != (system.network.functions.len(), system.network.locals);
        let network = grown.then(|| Arc::new(network.clone()));
        Self { formula, network, code: compiler.finish(), test }
    }

    /// Whether no clock matters.
    pub fn is_discrete(&self) -> bool {
        self.formula.clock_constraints().is_empty() && !self.formula.has_deadlock()
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

fn test(formula: &Formula, compiler: &mut Compiler) -> Test {
    let mut all = |parts: &[Formula]| parts.iter().map(|p| test(p, compiler)).collect();
    match formula {
        Formula::And(parts) => Test::All(all(parts)),
        Formula::Or(parts) => Test::Any(all(parts)),
        Formula::Discrete(expr) => Test::Discrete(compiler.value(expr)),
        Formula::Clock(constraint) => Test::Clocks(constraints(constraint, compiler)),
        Formula::Deadlock(wanted) => Test::Deadlock(*wanted),
    }
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

    /// The formula that holds exactly where this one does not.
    pub fn negated(&self) -> Self {
        let all = |parts: &[Self]| parts.iter().map(Self::negated).collect();
        match self {
            Self::Discrete(expr) => Self::Discrete(Expr::Not(Box::new(expr.clone()))),
            Self::And(parts) => Self::Or(all(parts)),
            Self::Or(parts) => Self::And(all(parts)),
            Self::Deadlock(wanted) => Self::Deadlock(!wanted),
            Self::Clock(constraint) => {
                let with = |relation| Self::Clock(ClockConstraint { relation, ..constraint.clone() });
                match constraint.relation.negated() {
                    Some(relation) => with(relation),
                    None => Self::Or(vec![with(Relation::Lt), with(Relation::Gt)]),
                }
            }
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
