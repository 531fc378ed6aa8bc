//! From trees to code.

use super::machine::binary;
use super::{Code, CodeRef, Op, Reg};
use crate::expr::{BinaryOp, ClockRef, Expr, Place, Program, Stmt};
use crate::{Network, Span};

/// Compiles pieces of one network into one [`Code`].
#[derive(Debug)]
pub struct Compiler {
    code: Code,
    vars: u32,
    /// First free scratch register of the piece being compiled.
    free: Reg,
}

/// Starts compiling for `network`.
pub fn compile(network: &Network) -> Compiler {
    let vars = network.vars.len() as u32;
    let code = Code {
        registers: network.vars.len(),
        ranges: network.vars.iter().map(|v| (v.min, v.max)).collect(),
        ..Code::default()
    };
    Compiler { code, vars, free: vars }
}

/// The value of an expression that needs no state and does not fail.
pub(crate) fn constant(expr: &Expr) -> Option<i32> {
    match expr {
        Expr::Const(value) => Some(*value),
        Expr::Neg(e, _) => constant(e)?.checked_neg(),
        Expr::Not(e) => Some(i32::from(constant(e)? == 0)),
        Expr::Binary(op, l, r, _) => binary(*op, constant(l)?, constant(r)?).ok(),
        Expr::And(l, r) => match constant(l)? {
            0 => Some(0),
            _ => Some(i32::from(constant(r)? != 0)),
        },
        Expr::IfThenElse(c, t, e) => constant(if constant(c)? != 0 { t } else { e }),
        _ => None,
    }
}

impl Compiler {
    /// The finished code.
    pub fn finish(self) -> Code {
        self.code
    }

    /// Code that returns 1 if all conjuncts hold and 0 otherwise; `None` when
    /// they hold always.
    pub fn conjunction(&mut self, conjuncts: &[Expr]) -> Option<CodeRef> {
        if conjuncts.iter().all(|e| constant(e).is_some_and(|v| v != 0)) {
            return None;
        }
        let entry = self.begin(0);
        let mut to_false = Vec::new();
        for conjunct in conjuncts {
            self.jump_unless(conjunct, &mut to_false);
        }
        self.emit(Op::ReturnConst { value: 1 }, Span::default());
        self.patch_here(&to_false);
        self.emit(Op::ReturnConst { value: 0 }, Span::default());
        Some(entry)
    }

    /// Code that returns the value of an expression.
    pub fn value(&mut self, expr: &Expr) -> CodeRef {
        let entry = self.begin(0);
        let src = self.expr(expr);
        self.emit(Op::Return { src }, Span::default());
        entry
    }

    /// Code that returns the number of a clock; its index may be wrong, so it
    /// may fail.
    pub fn clock(&mut self, clock: &ClockRef) -> CodeRef {
        let entry = self.begin(0);
        let src = self.clock_register(clock);
        self.emit(Op::Return { src }, Span::default());
        entry
    }

    /// Code that performs an update; `None` when there is nothing to do.
    pub fn program(&mut self, program: &Program) -> Option<CodeRef> {
        if program.body.is_empty() {
            return None;
        }
        let entry = self.begin(program.locals);
        for local in 0..program.locals {
            self.emit(Op::Const { dst: self.vars + local, value: 0 }, Span::default());
        }
        self.block(&program.body);
        self.emit(Op::ReturnConst { value: 1 }, Span::default());
        Some(entry)
    }

    fn begin(&mut self, locals: u32) -> CodeRef {
        self.free = self.vars + locals;
        self.code.registers = self.code.registers.max(self.free as usize);
        CodeRef(self.here())
    }

    fn here(&self) -> u32 {
        self.code.ops.len() as u32
    }

    fn emit(&mut self, op: Op, span: Span) -> usize {
        self.code.ops.push(op);
        self.code.spans.push(span);
        self.code.ops.len() - 1
    }

    fn patch_here(&mut self, jumps: &[usize]) {
        let here = self.here();
        for &at in jumps {
            match &mut self.code.ops[at] {
                Op::Jump { to } | Op::JumpIfZero { to, .. } | Op::JumpUnless { to, .. } => *to = here,
                other => unreachable!("{other:?} is not a forward jump"),
            }
        }
    }

    fn scratch(&mut self) -> Reg {
        let reg = self.free;
        self.free += 1;
        self.code.registers = self.code.registers.max(self.free as usize);
        reg
    }

    /// Compiles an expression; the result may be a variable's own register.
    fn expr(&mut self, expr: &Expr) -> Reg {
        match expr {
            Expr::Var(var) => var.0,
            Expr::Local(slot) => self.vars + slot,
            _ => {
                let dst = self.scratch();
                self.expr_into(expr, dst);
                dst
            }
        }
    }

    fn expr_into(&mut self, expr: &Expr, dst: Reg) {
        if let Some(value) = constant(expr) {
            self.emit(Op::Const { dst, value }, Span::default());
            return;
        }
        let mark = self.free;
        match expr {
            Expr::Const(_) => unreachable!("folded above"),
            Expr::Var(_) | Expr::Local(_) => {
                let src = self.expr(expr);
                self.emit(Op::Move { dst, src }, Span::default());
            }
            Expr::Element { first, len, index, span } => {
                let index = self.expr(index);
                self.emit(Op::Load { dst, first: first.0, len: *len, index }, *span);
            }
            Expr::LocalElement { first, len, index, span } => {
                let index = self.expr(index);
                self.emit(Op::Load { dst, first: self.vars + first, len: *len, index }, *span);
            }
            Expr::Neg(e, span) => {
                let src = self.expr(e);
                self.emit(Op::Neg { dst, src }, *span);
            }
            Expr::Not(e) => {
                let src = self.expr(e);
                self.emit(Op::Not { dst, src }, Span::default());
            }
            Expr::Binary(op, l, r, span) => {
                let left = self.expr(l);
                let right = self.expr(r);
                self.emit(Op::Binary { op: *op, dst, left, right }, *span);
            }
            Expr::And(..) => {
                let mut to_false = Vec::new();
                self.jump_unless(expr, &mut to_false);
                self.emit(Op::Const { dst, value: 1 }, Span::default());
                let end = self.emit(Op::Jump { to: 0 }, Span::default());
                self.patch_here(&to_false);
                self.emit(Op::Const { dst, value: 0 }, Span::default());
                self.patch_here(&[end]);
            }
            Expr::IfThenElse(c, t, e) => {
                let mut to_else = Vec::new();
                self.jump_unless(c, &mut to_else);
                self.expr_into(t, dst);
                let end = self.emit(Op::Jump { to: 0 }, Span::default());
                self.patch_here(&to_else);
                self.expr_into(e, dst);
                self.patch_here(&[end]);
            }
        }
        self.free = mark;
    }

    /// Falls through when the condition holds; otherwise takes a jump that is
    /// added to `to_false`.
    fn jump_unless(&mut self, condition: &Expr, to_false: &mut Vec<usize>) {
        if let Expr::And(l, r) = condition {
            self.jump_unless(l, to_false);
            self.jump_unless(r, to_false);
            return;
        }
        let mark = self.free;
        let fused = match condition {
            Expr::Binary(op, l, r, _) if is_comparison(*op) => constant(r)
                .map(|value| (*op, &**l, value))
                .or_else(|| constant(l).map(|v| (swap(*op), &**r, v))),
            Expr::Not(e) => Some((BinaryOp::Eq, &**e, 0)),
            e => Some((BinaryOp::Ne, e, 0)),
        };
        let jump = match fused {
            Some((op, e, value)) => {
                let left = self.expr(e);
                self.emit(Op::JumpUnless { op, left, value, to: 0 }, Span::default())
            }
            None => {
                let src = self.expr(condition);
                self.emit(Op::JumpIfZero { src, to: 0 }, Span::default())
            }
        };
        to_false.push(jump);
        self.free = mark;
    }

    fn block(&mut self, body: &[Stmt]) {
        for stmt in body {
            let mark = self.free;
            self.statement(stmt);
            self.free = mark;
        }
    }

    fn statement(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Assign { place, value, span } => self.assign(place, value, *span),
            Stmt::Reset { clock, from, value, span } => self.reset(clock, from.as_ref(), value, *span),
            Stmt::If { condition, then, otherwise } => {
                let mut to_else = Vec::new();
                self.jump_unless(condition, &mut to_else);
                self.block(then);
                if otherwise.is_empty() {
                    self.patch_here(&to_else);
                } else {
                    let end = self.emit(Op::Jump { to: 0 }, Span::default());
                    self.patch_here(&to_else);
                    self.block(otherwise);
                    self.patch_here(&[end]);
                }
            }
            Stmt::While { condition, body, span } => {
                let start = self.here();
                let mut to_end = Vec::new();
                self.jump_unless(condition, &mut to_end);
                self.block(body);
                self.emit(Op::Loop { to: start }, *span);
                self.patch_here(&to_end);
            }
        }
    }

    fn assign(&mut self, place: &Place, value: &Expr, span: Span) {
        match place {
            Place::Local(slot) => self.expr_into(value, self.vars + slot),
            Place::Var(var) => {
                let src = self.expr(value);
                self.emit(Op::Store { var: var.0, src }, span);
            }
            Place::Element { first, len, index, span: index_span } => {
                let index = self.checked_index(index, *len, *index_span);
                let src = self.expr(value);
                self.emit(Op::StoreElement { first: first.0, len: *len, index, src }, span);
            }
            Place::LocalElement { first, len, index, span: index_span } => {
                let index = self.checked_index(index, *len, *index_span);
                let src = self.expr(value);
                self.emit(Op::Put { first: self.vars + first, len: *len, index, src }, span);
            }
        }
    }

    /// An index is evaluated and checked before the value that is stored
    /// there, and kept in a register of its own: the value may change it.
    fn checked_index(&mut self, index: &Expr, len: u32, span: Span) -> Reg {
        let src = self.expr(index);
        let dst = self.scratch();
        self.emit(Op::Pick { dst, first: 0, len, index: src }, span);
        dst
    }

    fn reset(&mut self, clock: &ClockRef, from: Option<&ClockRef>, value: &Expr, span: Span) {
        if let (ClockRef::Fixed(id), None, Some(value @ 0..)) = (clock, from, constant(value)) {
            self.emit(Op::ResetConst { clock: id.0, value }, span);
            return;
        }
        let clock = self.clock_register(clock);
        let from = from.map(|c| self.clock_register(c));
        let value = self.expr(value);
        let op = match from {
            Some(from) => Op::ResetSum { clock, from, value },
            None => Op::Reset { clock, value },
        };
        self.emit(op, span);
    }

    fn clock_register(&mut self, clock: &ClockRef) -> Reg {
        let dst = self.scratch();
        match clock {
            ClockRef::Fixed(id) => {
                self.emit(Op::Const { dst, value: id.0 as i32 }, Span::default());
            }
            ClockRef::Element { first, len, index, span } => {
                let index = self.expr(index);
                self.emit(Op::Pick { dst, first: first.0, len: *len, index }, *span);
            }
        }
        dst
    }
}

fn is_comparison(op: BinaryOp) -> bool {
    !matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem)
}

/// The comparison with its sides exchanged.
fn swap(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Ge => BinaryOp::Le,
        BinaryOp::Gt => BinaryOp::Lt,
        symmetric => symmetric,
    }
}
