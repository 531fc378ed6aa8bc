//! Random trees, wilder than those of random networks: any value may be
//! anything, so that every kind of error is met. Every span is different, so
//! that errors tell where they come from.

use dwell_base::Rng;
use dwell_model::expr::{BinaryOp, ClockRef, Expr, Function, Place, Program, Stmt};
use dwell_model::{
    Channel, ChannelId, ChannelKind, ChannelRef, Clock, ClockId, FunctionId, Location, LocationId, Network,
    Overflow, Process, ProcessId, Span, Var, VarId,
};

const SCALARS: u32 = 3;
const ARRAY: u32 = 3;
const CLOCKS: u32 = 3;
const PROCESSES: u32 = 2;
const LOCATIONS: u32 = 3;

/// Slots for the locals of programs and expressions; functions have their own.
pub const LOCALS: u32 = 16;

/// Variables of odd ranges, an array, clocks, channels and functions; of the
/// processes only their locations.
pub fn network(rng: &mut Rng) -> Network {
    let ranges = [(-5, 5), (i32::MIN, i32::MAX), (0, 1), (-2, 4), (-2, 4), (-2, 4)];
    let var =
        |(i, (min, max)): (usize, (i32, i32))| Var { name: format!("v{i}"), min, max, ..Var::default() };
    let channel =
        |c| Channel { name: format!("c{c}"), kind: ChannelKind::Binary, urgent: false, priority: 0 };
    let process = Process { locations: vec![Location::default(); LOCATIONS as usize], ..Process::default() };
    let mut network = Network {
        vars: ranges.into_iter().enumerate().map(var).collect(),
        clocks: (0..CLOCKS).map(|c| Clock { name: format!("x{c}"), init: 0 }).collect(),
        channels: (0..3).map(channel).collect(),
        processes: vec![process; PROCESSES as usize],
        overflow: if rng.percent(50) { Overflow::Error } else { Overflow::Wrap },
        locals: LOCALS,
        ..Network::default()
    };
    for f in 0..rng.below(4) {
        let (first_param, params) = (network.locals, rng.below(3) as u32);
        let writes = rng.percent(50);
        let mut trees = Trees::new(rng, &network, writes);
        trees.spans = 1000 * (f as u32 + 1);
        trees.in_function = true;
        trees.known = (first_param..first_param + params).collect();
        trees.free = first_param + params..first_param + params + LOCALS;
        let mut body = trees.block(2);
        body.push(Stmt::Return(Some(trees.expr(2))));
        let end = trees.free.start;
        let (min, max) = (i32::MIN, i32::MAX);
        network.functions.push(Function {
            name: format!("f{f}"),
            first_param,
            params,
            body,
            min,
            max,
            writes,
        });
        network.locals = end;
    }
    network
}

/// Writes trees over a network.
pub struct Trees<'a> {
    pub rng: &'a mut Rng,
    network: &'a Network,
    /// Whether variables and clocks may be written.
    writes: bool,
    in_function: bool,
    /// Locals that have a value.
    known: Vec<u32>,
    free: std::ops::Range<u32>,
    spans: u32,
}

impl<'a> Trees<'a> {
    pub fn new(rng: &'a mut Rng, network: &'a Network, writes: bool) -> Self {
        Self { rng, network, writes, in_function: false, known: Vec::new(), free: 0..LOCALS, spans: 0 }
    }

    /// An update that begins with some locals, which are zero.
    pub fn program(&mut self) -> Program {
        self.known = (0..self.rng.below(5) as u32).collect();
        self.free.start = self.known.len() as u32;
        let body = self.block(2);
        Program { locals: self.free.start, body }
    }

    fn span(&mut self) -> Span {
        self.spans += 1;
        Span { start: self.spans, end: self.spans + 1 }
    }

    fn fresh(&mut self) -> Option<u32> {
        self.free.next()
    }

    fn leaf(&mut self) -> Expr {
        match self.rng.below(11) {
            0 => Expr::Const(*self.rng.pick(&[i32::MIN, i32::MIN + 1, i32::MAX, -1, 0, 1 << 16])),
            1..4 => Expr::Const(self.rng.range(-3, 3)),
            4..7 if !self.known.is_empty() => Expr::Local(*self.rng.pick(&self.known)),
            7 => Expr::At(
                ProcessId(self.rng.below(PROCESSES.into()) as u32),
                LocationId(self.rng.below(LOCATIONS.into()) as u32),
            ),
            _ => Expr::Var(VarId(self.rng.below((SCALARS + ARRAY).into()) as u32)),
        }
    }

    /// Two known locals in a row.
    fn local_array(&mut self) -> Option<u32> {
        self.known.iter().copied().find(|slot| self.known.contains(&(slot + 1)))
    }

    pub fn expr(&mut self, depth: u32) -> Expr {
        use BinaryOp::*;
        if depth == 0 || self.rng.percent(15) {
            return self.leaf();
        }
        let span = self.span();
        let mut part = || Box::new(self.expr(depth - 1));
        let first = part();
        match self.rng.below(20) {
            0 => Expr::Element { first: VarId(SCALARS), len: ARRAY, index: first, span },
            1 => match self.local_array() {
                Some(slot) => Expr::LocalElement { first: slot, len: 2, index: first, span },
                None => *first,
            },
            2 => Expr::Neg(first, span),
            3 => Expr::Not(first),
            4 => Expr::And(first, Box::new(self.expr(depth - 1))),
            5 => Expr::Or(first, Box::new(self.expr(depth - 1))),
            6 => {
                let then = Box::new(self.expr(depth - 1));
                Expr::IfThenElse(first, then, Box::new(self.expr(depth - 1)))
            }
            7 => {
                let low = *self.rng.pick(&[-2, 0, 1, i32::MIN, i32::MAX - 1]);
                Expr::Index { index: first, low, len: 1 + self.rng.below(4) as u32, span }
            }
            8 => {
                let min = self.rng.range(-3, 0);
                Expr::Checked { value: first, min, max: self.rng.range(min, 4), span }
            }
            9 | 10 => self.call(depth).unwrap_or(*first),
            11 | 12 => self.sequence(depth),
            _ => {
                let op = *self.rng.pick(&[
                    Add, Sub, Mul, Div, Rem, Eq, Ne, Lt, Le, Ge, Gt, BitAnd, BitOr, BitXor, Shl, Shr, Min,
                    Max, Pow,
                ]);
                Expr::Binary(op, first, Box::new(self.expr(depth - 1)), span)
            }
        }
    }

    fn call(&mut self, depth: u32) -> Option<Expr> {
        let functions = &self.network.functions;
        let able: Vec<usize> =
            (0..functions.len()).filter(|&f| self.writes || !functions[f].writes).collect();
        if able.is_empty() {
            return None;
        }
        let f = *self.rng.pick(&able);
        let args = (0..functions[f].params).map(|_| self.expr(depth - 1)).collect();
        Some(Expr::Call(FunctionId::new(f), args, self.span()))
    }

    /// `v++`, or statements of any kind and a value.
    fn sequence(&mut self, depth: u32) -> Expr {
        let before = self.known.len();
        let mut body = Vec::new();
        if let Some(slot) = self.fresh() {
            body.push(Stmt::Assign {
                place: Place::Local(slot),
                value: self.expr(depth - 1),
                span: self.span(),
            });
            self.known.push(slot);
        }
        if self.writes && self.rng.percent(60) {
            let var = VarId(self.rng.below((SCALARS + ARRAY).into()) as u32);
            let span = self.span();
            let more = Expr::Binary(BinaryOp::Add, Expr::Var(var).into(), Expr::Const(1).into(), span);
            body.push(Stmt::Assign { place: Place::Var(var), value: more, span: self.span() });
        } else {
            body.extend(self.statement(depth - 1));
        }
        let value = Box::new(self.expr(depth - 1));
        self.known.truncate(before);
        Expr::Seq(body, value)
    }

    pub fn clock(&mut self) -> ClockRef {
        if self.rng.percent(60) {
            return ClockRef::Fixed(ClockId(self.rng.below(CLOCKS.into()) as u32));
        }
        ClockRef::Element { first: ClockId(1), len: 2, index: self.expr(1), span: self.span() }
    }

    pub fn channel(&mut self) -> ChannelRef {
        ChannelRef::Element { first: ChannelId(1), len: 2, index: self.expr(2), span: self.span() }
    }

    fn place(&mut self) -> Option<Place> {
        let local = !self.writes || self.rng.percent(35);
        match (local, self.rng.below(3)) {
            (true, 0) => {
                let first = self.local_array()?;
                Some(Place::LocalElement { first, len: 2, index: self.expr(1), span: self.span() })
            }
            (true, _) => (!self.known.is_empty()).then(|| Place::Local(*self.rng.pick(&self.known))),
            (false, 0) => {
                let (first, index) = (VarId(SCALARS), self.expr(1));
                Some(Place::Element { first, len: ARRAY, index, span: self.span() })
            }
            (false, _) => Some(Place::Var(VarId(self.rng.below((SCALARS + ARRAY).into()) as u32))),
        }
    }

    fn statement(&mut self, depth: u32) -> Vec<Stmt> {
        let span = self.span();
        match self.rng.below(14) {
            0..4 => {
                let place = self.place();
                place.map(|place| Stmt::Assign { place, value: self.expr(2), span }).into_iter().collect()
            }
            4..6 if self.writes => {
                let from = self.rng.percent(40).then(|| self.clock());
                vec![Stmt::Reset { clock: self.clock(), from, value: self.expr(1), span }]
            }
            6 | 7 if depth > 0 => {
                let condition = self.expr(2);
                let then = self.block(depth - 1);
                let otherwise = if self.rng.percent(50) { self.block(depth - 1) } else { Vec::new() };
                vec![Stmt::If { condition, then, otherwise }]
            }
            8 if depth > 0 => self.counted_loop(depth),
            9 => vec![Stmt::Eval(self.expr(2))],
            10 => vec![Stmt::Assert { condition: self.expr(2), span }],
            11 if self.in_function => {
                let value = if self.rng.percent(80) { Some(self.expr(2)) } else { None };
                vec![Stmt::Return(value)]
            }
            12 => {
                let Some(slot) = self.fresh() else { return Vec::new() };
                let value = self.expr(2);
                self.known.push(slot);
                vec![Stmt::Assign { place: Place::Local(slot), value, span }]
            }
            _ => Vec::new(),
        }
    }

    /// Nothing else writes its counter.
    fn counted_loop(&mut self, depth: u32) -> Vec<Stmt> {
        let Some(counter) = self.fresh() else { return Vec::new() };
        let span = self.span();
        let set = |value| Stmt::Assign { place: Place::Local(counter), value, span };
        let step = Expr::Binary(BinaryOp::Add, Expr::Local(counter).into(), Expr::Const(1).into(), span);
        let rounds = Expr::Const(self.rng.range(0, 3));
        let mut number = Expr::Local(counter);
        let mut body = self.block(depth - 1);
        match self.rng.percent(50) {
            true => body.push(set(step)),
            false => number = Expr::Seq(vec![set(step)], Box::new(number)),
        }
        let condition = Expr::Binary(BinaryOp::Lt, number.into(), rounds.into(), span);
        vec![set(Expr::Const(0)), Stmt::While { condition, body, span }]
    }

    fn block(&mut self, depth: u32) -> Vec<Stmt> {
        let before = self.known.len();
        let body = (0..1 + self.rng.below(3)).flat_map(|_| self.statement(depth)).collect();
        self.known.truncate(before);
        body
    }
}
