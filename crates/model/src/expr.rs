//! Expressions and statements as resolved trees.
//!
//! Names are gone: variables, array elements, locals and clocks are slots.
//! The trees are what front ends produce and what the oracle walks; the
//! engine compiles them to bytecode (`code`).
//!
//! Integers are 32 bits wide; what an operation that overflows does is for the
//! network to say. Truth is "not zero"; comparisons and `!`
//! yield 0 or 1. Operands are evaluated left to right, each one whole before
//! the next: calls and sequences may write to variables.
//!
//! Locals are scratch slots of the network. No function calls itself, not
//! even through others, so every function has slots of its own and a call
//! needs no frame; a reference to a caller's local is just its slot.

use crate::{ClockId, FunctionId, LocationId, ProcessId, Span, VarId};

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
    /// A local slot.
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
    /// `index - low`, which must be at least 0 and below `len`: one index of
    /// an array with several dimensions or a lower bound.
    Index {
        /// The index as written.
        index: Box<Expr>,
        /// The least index.
        low: i32,
        /// Number of elements.
        len: u32,
        /// For the message when the index is out of bounds.
        span: Span,
    },
    /// The value, which must lie in a range: what is passed, returned or put
    /// into a local with a bounded type.
    Checked {
        /// The value.
        value: Box<Expr>,
        /// Least value.
        min: i32,
        /// Greatest value.
        max: i32,
        /// For the message when it is outside.
        span: Span,
    },
    /// What a function returns.
    Call(FunctionId, Vec<Expr>, Span),
    /// Statements, then a value.
    Seq(Vec<Stmt>, Box<Expr>),
    /// 1 where the process is at the location, else 0; only in properties.
    At(ProcessId, LocationId),
    /// `-e`.
    Neg(Box<Expr>, Span),
    /// `!e`.
    Not(Box<Expr>),
    /// `left op right`; the span is that of the whole.
    Binary(BinaryOp, Box<Expr>, Box<Expr>, Span),
    /// `a && b`, the right side evaluated only if the left is true.
    And(Box<Expr>, Box<Expr>),
    /// `a || b`, the right side evaluated only if the left is false.
    Or(Box<Expr>, Box<Expr>),
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
    BitAnd,
    BitOr,
    BitXor,
    /// Bits move out at the top; a count outside 0 to 31 is a run-time error.
    Shl,
    /// The sign is kept; a count outside 0 to 31 is a run-time error.
    Shr,
    Min,
    Max,
    /// A negative exponent is a run-time error.
    Pow,
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

/// `left ~ bound`, or `left - minus ~ bound`, perhaps under a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockConstraint {
    /// Where this is false the constraint holds whatever the clocks are, and
    /// its bound is not evaluated.
    pub when: Option<Expr>,
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
    /// Variables are range-checked; locals are not, see [`Expr::Checked`].
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
    /// Evaluates and forgets: a call.
    Eval(Expr),
    /// The model fails where this is false.
    Assert {
        /// What must hold.
        condition: Expr,
        /// The whole statement.
        span: Span,
    },
    /// Ends the function; `None` returns 0. Only in functions.
    Return(Option<Expr>),
}

/// A function. Its parameters are its first locals.
///
/// F-1 A function calls only functions with smaller ids.
/// F-2 Every path of a function with a result ends in [`Stmt::Return`]; the
///     result lies in `min..=max`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name, for people.
    pub name: String,
    /// Local slot of its first parameter; the others follow.
    pub first_param: u32,
    /// Number of parameters.
    pub params: u32,
    /// What it does.
    pub body: Vec<Stmt>,
    /// Least result.
    pub min: i32,
    /// Greatest result.
    pub max: i32,
    /// Whether it (or what it calls) writes to variables or clocks.
    pub writes: bool,
}

/// The update of an edge: straight code over variables, locals and clocks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// This many local slots, from 0, are zero at the start.
    pub locals: u32,
    /// What is done.
    pub body: Vec<Stmt>,
}

/// The deepest nest of calls: each level takes space on the stack.
pub const MAX_CALL_DEPTH: usize = 200;

/// The most operations (at least one for each statement and loop test) the
/// loops of one update may take before it counts as endless.
pub const MAX_PROGRAM_STEPS: u64 = 30_000_000;

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
    /// A value outside the range of a parameter, a result or a local.
    ValueOutOfRange {
        /// The value.
        value: i32,
        /// Least allowed.
        min: i32,
        /// Greatest allowed.
        max: i32,
    },
    /// `<<` or `>>` by less than 0 or more than 31.
    BadShift {
        /// The count.
        count: i32,
    },
    /// `**` with a negative exponent.
    NegativeExponent,
    /// An `assert` that does not hold.
    AssertionFailed,
    /// An array index below the least one or too large.
    BadIndex {
        /// The index.
        index: i32,
        /// The least index.
        low: i32,
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
