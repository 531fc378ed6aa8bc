//! Expressions and updates as register bytecode.
//!
//! The register file is the variable vector of the state itself, followed by
//! a scratch tail for locals and temporaries: reading a variable costs
//! nothing. One array holds the code of the whole network; a [`CodeRef`] is an
//! entry point.
//!
//! C-1 Jumps stay inside the piece of code they belong to.
//! C-2 Only `Store…` operations write variables, and they check the range, or
//!     moves where a value is known to lie in it; so a state that comes out of an
//!     update without a fault can be packed.
//! C-3 A backward jump is a `Loop`, which counts, and so does a call; so every
//!     run ends.
//! C-4 Every function has registers of its own, for its locals and for its
//!     temporaries; guards and updates, which never meet, share theirs. So a
//!     call saves nothing.
//!
//! Finished pieces are made shorter (`optimise`).
//!
//! Tried and left: closures (2 × slower on three-statement updates), a stack
//! machine (more dispatches), native code (a heavy dependency for little).

mod compile;
mod constant;
mod machine;
mod optimise;

pub(crate) use compile::compile_with;
pub use compile::{Compiler, compile};
pub(crate) use constant::constant;
pub(crate) use machine::binary;
pub use machine::{ClockReset, Machine};

use crate::Span;
use crate::expr::BinaryOp;

/// Entry point of a piece of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeRef(u32);

/// A register: variables first, then scratch.
type Reg = u32;

/// One operation. `to` is an absolute address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Op {
    Const {
        dst: Reg,
        value: i32,
    },
    Move {
        dst: Reg,
        src: Reg,
    },
    Binary {
        op: BinaryOp,
        dst: Reg,
        left: Reg,
        right: Reg,
    },
    BinaryConst {
        op: BinaryOp,
        dst: Reg,
        left: Reg,
        value: i32,
    },
    Neg {
        dst: Reg,
        src: Reg,
    },
    Not {
        dst: Reg,
        src: Reg,
    },
    /// Reads the element `index` of `len` registers from `first`.
    Load {
        dst: Reg,
        first: Reg,
        len: u32,
        index: Reg,
    },
    /// Writes an element of a local array: no range.
    Put {
        first: Reg,
        len: u32,
        index: Reg,
        src: Reg,
    },
    /// Writes a variable.
    Store {
        var: u32,
        src: Reg,
    },
    /// Writes an element of a variable array.
    StoreElement {
        first: u32,
        len: u32,
        index: Reg,
        src: Reg,
    },
    /// Checks `index - low` against `len`: one index of several.
    Index {
        dst: Reg,
        src: Reg,
        low: i32,
        len: u32,
    },
    /// Checks a value against a range.
    Check {
        src: Reg,
        min: i32,
        max: i32,
    },
    /// Runs a function, whose arguments are in place.
    Call {
        dst: Reg,
        entry: u32,
    },
    /// Fails.
    Fail,
    /// Checks `index` against `len` and adds `first`: picks a clock.
    Pick {
        dst: Reg,
        first: u32,
        len: u32,
        index: Reg,
    },
    Jump {
        to: u32,
    },
    JumpIfZero {
        src: Reg,
        to: u32,
    },
    /// Fused comparison with a constant: jumps when it does NOT hold.
    JumpUnless {
        op: BinaryOp,
        left: Reg,
        value: i32,
        to: u32,
    },
    /// The truth of a comparison with a constant.
    Test {
        op: BinaryOp,
        dst: Reg,
        left: Reg,
        value: i32,
    },
    /// Moves where `when`, the result of a test, is 1.
    MoveIf {
        when: Reg,
        dst: Reg,
        src: Reg,
    },
    /// The same with a constant.
    ConstIf {
        when: Reg,
        dst: Reg,
        value: i32,
    },
    Loop {
        to: u32,
    },
    /// Sets a clock to a constant.
    ResetConst {
        clock: u32,
        value: i32,
    },
    /// Sets the clock whose number is in `clock` to the value in `value`.
    Reset {
        clock: Reg,
        value: Reg,
    },
    /// Sets a clock to another plus a value.
    ResetSum {
        clock: Reg,
        from: Reg,
        value: Reg,
    },
    ReturnConst {
        value: i32,
    },
    Return {
        src: Reg,
    },
}

const _: () = assert!(size_of::<Op>() <= 20);

/// The code of a network.
#[derive(Clone, Debug, Default)]
pub struct Code {
    ops: Vec<Op>,
    /// Where each operation comes from, for messages.
    spans: Vec<Span>,
    /// Registers needed: variables and the largest scratch tail.
    registers: usize,
    /// Range of each variable.
    ranges: Vec<(i32, i32)>,
    /// First of the registers that hold the locations, one for each process.
    locations: Reg,
    /// Results that do not fit wrap around.
    wraps: bool,
    /// First operation that belongs to no function.
    own: usize,
}

impl Code {
    /// Whether something outside all functions comes from this text.
    pub fn comes_from(&self, span: Span) -> bool {
        self.spans[self.own..].contains(&span)
    }

    /// Length of the register file; the first registers are the variables.
    pub fn registers(&self) -> usize {
        self.registers
    }

    /// First of the registers where code of a property looks for the location
    /// of each process.
    pub fn location_registers(&self) -> usize {
        self.locations as usize
    }

    /// Whether some operation outside all functions, or a call, may fail, in whatever
    /// state.
    pub fn may_fail(&self) -> bool {
        use BinaryOp::{Add, Div, Mul, Pow, Rem, Shl, Shr, Sub};
        self.ops[self.own..].iter().any(|op| match op {
            Op::Binary { op, .. } | Op::BinaryConst { op, .. } => match op {
                Div | Rem | Shl | Shr | Pow => true,
                Add | Sub | Mul => !self.wraps,
                _ => false,
            },
            Op::Neg { .. } => !self.wraps,
            Op::Const { .. } | Op::Move { .. } | Op::Not { .. } => false,
            Op::Test { .. } | Op::MoveIf { .. } | Op::ConstIf { .. } => false,
            Op::Jump { .. } | Op::JumpIfZero { .. } | Op::JumpUnless { .. } => false,
            Op::ReturnConst { .. } | Op::Return { .. } => false,
            _ => true,
        })
    }
}
