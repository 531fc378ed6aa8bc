//! Expressions and statements as resolved trees.
//!
//! Names are gone: variables, array elements, locals and clocks are slots.
//! The trees are what front ends produce and what the oracle walks; the
//! engine compiles them to bytecode (`code`).
//!
//! Integers are 32 bits wide; an operation that overflows is a run-time
//! error, never a wrapped value. Truth is "not zero"; comparisons and `!`
//! yield 0 or 1.

use crate::{ClockId, Span, VarId};

/// An integer expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// A literal.
    Const(i32),
    /// A variable slot of the network.
    Var(VarId),
    /// Element `index` of the `len` slots from `first` on.
    Element {
        /// Slot of element 0.
        first: VarId,
        /// Number of elements.
        len: u32,
        /// Which one.
        index: Box<Expr>,
        /// For the message when the index is out of bounds.
        span: Span,
    },
    /// A local slot of the running program.
    Local(u32),
    /// Element `index` of the `len` local slots from `first` on.
    LocalElement {
        /// Slot of element 0.
        first: u32,
        /// Number of elements.
        len: u32,
        /// Which one.
        index: Box<Expr>,
        /// For the message when the index is out of bounds.
        span: Span,
    },
    /// `-e`.
    Neg(Box<Expr>, Span),
    /// `!e`.
    Not(Box<Expr>),
    /// `left op right`; the span is that of the whole.
    Binary(BinaryOp, Box<Expr>, Box<Expr>, Span),
    /// `a && b`, the right side evaluated only if the left is true.
    And(Box<Expr>, Box<Expr>),
    /// `if c then t else e`, one branch evaluated.
    IfThenElse(Box<Expr>, Box<Expr>, Box<Expr>),
}

/// Strict binary operators: both sides are evaluated, left first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    /// Truncates towards zero; division by zero is a run-time error.
    Div,
    /// Sign of the dividend; zero divisor is a run-time error.
    Rem,
    Eq,
    Ne,
    Lt,
    Le,
    Ge,
    Gt,
}

/// Relations a clock constraint may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Relation {
    Lt,
    Le,
    Eq,
    Ge,
    Gt,
}

/// A clock, fixed or picked from an array at run time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClockRef {
    /// One clock.
    Fixed(ClockId),
    /// Element `index` of the `len` clocks from `first` on.
    Element {
        /// Clock of element 0.
        first: ClockId,
        /// Number of elements.
        len: u32,
        /// Which one.
        index: Expr,
        /// For the message when the index is out of bounds.
        span: Span,
    },
}

/// `left ~ bound`, or `left - minus ~ bound`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockConstraint {
    /// The clock that is compared.
    pub left: ClockRef,
    /// What is subtracted from it in a diagonal constraint.
    pub minus: Option<ClockRef>,
    /// How they are compared.
    pub relation: Relation,
    /// With what.
    pub bound: Expr,
    /// Where the constraint stands.
    pub span: Span,
}

/// A conjunction, split so that the discrete part can be tested before any
/// zone is touched. The discrete conjuncts keep their order; clock bounds are
/// evaluated only where all discrete conjuncts hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Guard {
    /// Integer conjuncts.
    pub discrete: Vec<Expr>,
    /// Clock conjuncts.
    pub clocks: Vec<ClockConstraint>,
}

impl Guard {
    /// True for the guard that always holds.
    pub fn is_trivial(&self) -> bool {
        self.discrete.is_empty() && self.clocks.is_empty()
    }
}

/// What a statement writes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A variable slot.
    Var(VarId),
    /// An array element.
    Element {
        /// Slot of element 0; all elements have its range.
        first: VarId,
        /// Number of elements.
        len: u32,
        /// Which one.
        index: Expr,
        /// For the message when the index is out of bounds.
        span: Span,
    },
    /// A local slot.
    Local(u32),
    /// An element of a local array.
    LocalElement {
        /// Slot of element 0.
        first: u32,
        /// Number of elements.
        len: u32,
        /// Which one.
        index: Expr,
        /// For the message when the index is out of bounds.
        span: Span,
    },
}

/// One step of an update, executed in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stmt {
    /// `place = value`. The place's index is evaluated before the value.
    /// Variables are range-checked, locals are not.
    Assign {
        /// Where to.
        place: Place,
        /// What.
        value: Expr,
        /// The whole assignment.
        span: Span,
    },
    /// `clock = value`, or `clock = from + value`. A result below zero that
    /// comes from a constant alone is a run-time error; a sum may only be
    /// formed with a value that cannot make the clock negative, which is
    /// checked at run time too (`value >= 0`).
    Reset {
        /// The clock that is set.
        clock: ClockRef,
        /// The clock whose value is copied, if any.
        from: Option<ClockRef>,
        /// What is added, or the value itself.
        value: Expr,
        /// The whole assignment.
        span: Span,
    },
    /// `if`.
    If {
        /// Taken when not zero.
        condition: Expr,
        /// Then.
        then: Vec<Stmt>,
        /// Otherwise.
        otherwise: Vec<Stmt>,
    },
    /// `while`.
    While {
        /// Goes on while not zero.
        condition: Expr,
        /// What is repeated.
        body: Vec<Stmt>,
        /// For the message when it does not end.
        span: Span,
    },
}

/// The update of an edge: straight code over variables, locals and clocks.
/// Local slots start at zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// Number of local slots.
    pub locals: u32,
    /// What is done.
    pub body: Vec<Stmt>,
}

/// The most operations (at least one for each statement and loop test) the
/// loops of one update may take before it counts as endless.
pub const MAX_PROGRAM_STEPS: u64 = 2_000_000;

/// The most moves one state may have: ways to combine the edges of the
/// participants of synchronisations.
pub const MAX_MOVES: usize = 1 << 20;

/// Why a model failed while running.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuntimeError {
    /// What happened.
    pub kind: RuntimeErrorKind,
    /// Where.
    pub span: Span,
}

/// The ways a model can fail while running.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RuntimeErrorKind {
    /// A value outside a variable's range was assigned.
    OutOfRange {
        /// The variable.
        var: VarId,
        /// What was assigned.
        value: i32,
    },
    /// An array index below zero or not below the length.
    BadIndex {
        /// The index.
        index: i32,
        /// The length.
        len: u32,
    },
    /// `/` or `%` by zero.
    DivisionByZero,
    /// A result outside 32 bits.
    Overflow,
    /// A clock was set to a negative value.
    NegativeClock {
        /// The value.
        value: i32,
    },
    /// An update took more than [`MAX_PROGRAM_STEPS`] steps.
    Endless,
    /// A state has more than [`MAX_MOVES`] moves.
    TooManyMoves,
}
