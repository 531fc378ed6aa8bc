//! From trees to code.

use super::constant::constant;
use super::optimise::{Purpose, Registers};
use super::{Code, CodeRef, Op, Reg};
use crate::expr::{BinaryOp, ClockRef, Expr, Function, Place, Program, Stmt};
use crate::{ChannelRef, Network, Overflow, Span};
use std::borrow::Cow;

/// Compiles pieces of one network into one [`Code`].
#[derive(Debug)]
pub struct Compiler {
    code: Code,
    vars: u32,
    /// First scratch register of a piece that is not a function.
    temporaries: Reg,
    /// First free scratch register of the piece being compiled.
    free: Reg,
    /// First parameter and entry of the functions compiled so far.
    functions: Vec<(Reg, u32)>,
}

/// Starts compiling for `network`: its functions.
pub fn compile(network: &Network) -> Compiler {
    compile_with(network, |function| Cow::Borrowed(&function.body))
}

/// The same with other bodies for the functions.
pub(crate) fn compile_with<'n>(
    network: &'n Network,
    body: impl Fn(&'n Function) -> Cow<'n, [Stmt]>,
) -> Compiler {
    let vars = network.vars.len() as u32;
    let updates = network.processes.iter().flat_map(|p| &p.edges).map(|e| e.update.locals);
    let locals = updates.max().unwrap_or(0).max(network.locals);
    let locations = vars + locals;
    let temporaries = locations + network.processes.len() as u32;
    let code = Code {
        registers: temporaries as usize,
        ranges: network.vars.iter().map(|v| (v.min, v.max)).collect(),
        locations,
        wraps: network.overflow == Overflow::Wrap,
        ..Code::default()
    };
    let mut compiler = Compiler { code, vars, temporaries, free: temporaries, functions: Vec::new() };
    for function in &network.functions {
        compiler.function(function.first_param, &body(function));
    }
    compiler.code.own = compiler.code.ops.len();
    compiler
}

/// Whether evaluating `expr` may write to registers that others read.
fn may_write(expr: &Expr) -> bool {
    match expr {
        Expr::Call(..) | Expr::Seq(..) => true,
        Expr::Const(_) | Expr::Var(_) | Expr::Local(_) | Expr::At(..) => false,
        Expr::Element { index, .. } | Expr::LocalElement { index, .. } | Expr::Index { index, .. } => {
            may_write(index)
        }
        Expr::Checked { value: e, .. } | Expr::Neg(e, _) | Expr::Not(e) => may_write(e),
        Expr::Binary(_, l, r, _) | Expr::And(l, r) | Expr::Or(l, r) => may_write(l) || may_write(r),
        Expr::IfThenElse(c, t, e) => may_write(c) || may_write(t) || may_write(e),
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
        let entry = self.begin();
        let mut to_false = Vec::new();
        for conjunct in conjuncts {
            self.jump_unless(conjunct, &mut to_false);
        }
        self.emit(Op::ReturnConst { value: 1 }, Span::default());
        self.patch_here(&to_false);
        self.emit(Op::ReturnConst { value: 0 }, Span::default());
        self.optimise(entry, Purpose::Value);
        Some(entry)
    }

    /// Code that returns the value of an expression.
    pub fn value(&mut self, expr: &Expr) -> CodeRef {
        let entry = self.begin();
        let src = self.expr(expr);
        self.emit(Op::Return { src }, Span::default());
        self.optimise(entry, Purpose::Value);
        entry
    }

    /// Code that returns the number of a clock; its index may be wrong, so it
    /// may fail.
    pub fn clock(&mut self, clock: &ClockRef) -> CodeRef {
        let entry = self.begin();
        let src = self.clock_register(clock);
        self.emit(Op::Return { src }, Span::default());
        self.optimise(entry, Purpose::Value);
        entry
    }

    /// Code that performs an update; `None` when there is nothing to do.
    pub fn program(&mut self, program: &Program) -> Option<CodeRef> {
        if program.body.is_empty() {
            return None;
        }
        let entry = self.begin();
        for local in 0..program.locals {
            self.emit(Op::Const { dst: self.vars + local, value: 0 }, Span::default());
        }
        self.block(&program.body);
        self.emit(Op::ReturnConst { value: 1 }, Span::default());
        self.optimise(entry, Purpose::Update);
        Some(entry)
    }

    /// Code that returns the number of a channel; its index may be wrong, so it
    /// may fail.
    pub fn channel(&mut self, channel: &ChannelRef) -> CodeRef {
        let entry = self.begin();
        let src = match channel {
            ChannelRef::Fixed(id) => self.expr(&Expr::Const(id.0 as i32)),
            ChannelRef::Element { first, len, index, span } => self.picked(first.0, *len, index, *span),
        };
        self.emit(Op::Return { src }, Span::default());
        self.optimise(entry, Purpose::Value);
        entry
    }

    fn optimise(&mut self, entry: CodeRef, purpose: Purpose) {
        let registers = Registers { vars: self.vars, temporaries: self.temporaries };
        self.code.optimise(entry.0 as usize, purpose, registers);
    }

    fn begin(&mut self) -> CodeRef {
        self.free = self.temporaries;
        CodeRef(self.here())
    }

    /// C-4: what a function used for temporaries is never used again.
    fn function(&mut self, first_param: u32, body: &[Stmt]) {
        let entry = self.begin();
        self.functions.push((self.vars + first_param, entry.0));
        self.block(body);
        self.emit(Op::ReturnConst { value: 0 }, Span::default());
        self.optimise(entry, Purpose::Function);
        self.temporaries = self.code.registers as Reg;
    }

    fn call(&mut self, function: usize, args: &[Expr], dst: Reg, span: Span) {
        let (first, entry) = self.functions[function];
        if args.iter().any(may_write) {
            // An argument may call the same function: its parameters are
            // written when all arguments are known.
            let values: Vec<Reg> = args.iter().map(|arg| self.own(arg)).collect();
            for (i, src) in values.into_iter().enumerate() {
                self.emit(Op::Move { dst: first + i as u32, src }, Span::default());
            }
        } else {
            for (i, arg) in args.iter().enumerate() {
                self.expr_into(arg, first + i as u32);
            }
        }
        self.emit(Op::Call { dst, entry }, span);
    }

    /// Compiles an expression into a register that nothing else writes.
    fn own(&mut self, expr: &Expr) -> Reg {
        let dst = self.scratch();
        self.expr_into(expr, dst);
        dst
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
            Expr::Index { index, low, len, span } => {
                let src = self.expr(index);
                self.emit(Op::Index { dst, src, low: *low, len: *len }, *span);
            }
            Expr::Checked { value, min, max, span } => {
                self.expr_into(value, dst);
                self.emit(Op::Check { src: dst, min: *min, max: *max }, *span);
            }
            Expr::Call(function, args, span) => self.call(function.index(), args, dst, *span),
            Expr::Seq(body, value) => {
                // Temporaries of the statements may be needed by the value.
                for stmt in body {
                    self.statement(stmt);
                }
                self.expr_into(value, dst);
            }
            Expr::At(process, location) => {
                let left = self.code.locations + process.0;
                let right = self.own(&Expr::Const(location.0 as i32));
                self.emit(Op::Binary { op: BinaryOp::Eq, dst, left, right }, Span::default());
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
                let left = if may_write(r) { self.own(l) } else { self.expr(l) };
                let right = self.expr(r);
                self.emit(Op::Binary { op: *op, dst, left, right }, *span);
            }
            Expr::And(..) | Expr::Or(..) => {
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
        if let Expr::Or(l, r) = condition {
            let mut to_right = Vec::new();
            self.jump_unless(l, &mut to_right);
            let holds = self.emit(Op::Jump { to: 0 }, Span::default());
            self.patch_here(&to_right);
            self.jump_unless(r, to_false);
            self.patch_here(&[holds]);
            return;
        }
        let mark = self.free;
        let fused = match condition {
            Expr::Binary(op, l, r, _) if is_comparison(*op) => constant(r)
                .map(|value| (*op, &**l, value))
                .or_else(|| constant(l).map(|v| (swap(*op), &**r, v))),
            Expr::Not(e) => Some((BinaryOp::Eq, &**e, 0)),
            Expr::At(process, location) => {
                let left = self.code.locations + process.0;
                let value = location.0 as i32;
                to_false.push(
                    self.emit(Op::JumpUnless { op: BinaryOp::Eq, left, value, to: 0 }, Span::default()),
                );
                return;
            }
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
            Stmt::Eval(expr) => {
                self.own(expr);
            }
            Stmt::Assert { condition, span } => {
                let mut fails = Vec::new();
                self.jump_unless(condition, &mut fails);
                let holds = self.emit(Op::Jump { to: 0 }, Span::default());
                self.patch_here(&fails);
                self.emit(Op::Fail, *span);
                self.patch_here(&[holds]);
            }
            Stmt::Return(value) => {
                let src = self.expr(value.as_ref().unwrap_or(&Expr::Const(0)));
                self.emit(Op::Return { src }, Span::default());
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
        match clock {
            ClockRef::Fixed(id) => self.expr(&Expr::Const(id.0 as i32)),
            ClockRef::Element { first, len, index, span } => self.picked(first.0, *len, index, *span),
        }
    }

    fn picked(&mut self, first: u32, len: u32, index: &Expr, span: Span) -> Reg {
        let dst = self.scratch();
        let index = self.expr(index);
        self.emit(Op::Pick { dst, first, len, index }, span);
        dst
    }
}

fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
    matches!(op, Eq | Ne | Lt | Le | Ge | Gt)
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
