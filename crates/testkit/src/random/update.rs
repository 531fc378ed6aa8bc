//! Random updates.

use dwell_base::Rng;
use dwell_model::expr::{BinaryOp, ClockRef, Expr, Guard, Place, Program, Stmt};
use dwell_model::{ClockId, Network, OutOfRange, Span, VarId};

use super::Config;
use super::data::{Data, binary, comparison};

/// Writes the update of one edge.
pub struct Writer<'a> {
    rng: &'a mut Rng,
    config: &'a Config,
    network: &'a Network,
    data: &'a Data,
    clocks: &'a [ClockId],
    locals: u32,
}

impl<'a> Writer<'a> {
    /// For an edge of a process that uses these clocks.
    pub fn new(
        rng: &'a mut Rng,
        config: &'a Config,
        network: &'a Network,
        data: &'a Data,
        clocks: &'a [ClockId],
    ) -> Self {
        Self { rng, config, network, data, clocks, locals: 0 }
    }

    /// An update; conjuncts that keep it from failing may be added to `guard`.
    pub fn program(mut self, guard: &mut Guard) -> Program {
        let mut body = Vec::new();
        for _ in 0..*self.rng.pick(&[0, 1, 1, 1, 2, 2, 3]) {
            self.statement(&mut body, Some(guard), 0);
        }
        Program { locals: self.locals, body }
    }

    fn statement(&mut self, body: &mut Vec<Stmt>, guard: Option<&mut Guard>, depth: u32) {
        if depth < 2 && self.rng.percent(self.config.control_percent) {
            if self.rng.percent(60) { self.conditional(body, depth) } else { self.counted_loop(body, depth) }
        } else if !self.clocks.is_empty() && (self.data.ranges.is_empty() || self.rng.percent(50)) {
            let reset = self.reset();
            body.push(reset);
        } else if !self.data.ranges.is_empty() {
            let assignment = self.assignment(guard);
            body.push(assignment);
        }
    }

    fn conditional(&mut self, body: &mut Vec<Stmt>, depth: u32) {
        let condition = self.data.condition(self.rng, self.config);
        let (mut then, mut otherwise) = (Vec::new(), Vec::new());
        self.statement(&mut then, None, depth + 1);
        if self.rng.percent(50) {
            self.statement(&mut otherwise, None, depth + 1);
        }
        body.push(Stmt::If { condition, then, otherwise });
    }

    /// `i = 0; while i < n { …; i = i + 1 }`, sometimes with a note of each
    /// round in a local array that is read afterwards.
    fn counted_loop(&mut self, body: &mut Vec<Stmt>, depth: u32) {
        let counter = self.locals;
        let notes = counter + 1;
        let keeps_notes = self.rng.percent(40);
        self.locals += if keeps_notes { 3 } else { 1 };
        let span = Span::default();
        let assign = |place, value| Stmt::Assign { place, value, span };
        let mut round = Vec::new();
        self.statement(&mut round, None, depth + 1);
        if keeps_notes {
            let index = Expr::Local(counter);
            let place = Place::LocalElement { first: notes, len: 2, index, span };
            round.push(assign(place, self.data.integer(self.rng, self.config.risky_percent)));
        }
        let next = binary(BinaryOp::Add, Expr::Local(counter), Expr::Const(1));
        round.push(assign(Place::Local(counter), next));
        let rounds = Expr::Const(self.rng.range(1, 2));
        let condition = comparison(BinaryOp::Lt, Expr::Local(counter), rounds);
        body.push(assign(Place::Local(counter), Expr::Const(0)));
        body.push(Stmt::While { condition, body: round, span });
        if keeps_notes && !self.data.ranges.is_empty() {
            let slot = self.rng.below(self.data.ranges.len() as u64) as usize;
            let index = Box::new(Expr::Const(self.rng.range(0, 1)));
            let note = Expr::LocalElement { first: notes, len: 2, index, span };
            body.push(assign(Place::Var(VarId::new(slot)), self.clamped(slot, note)));
        }
    }

    fn assignment(&mut self, guard: Option<&mut Guard>) -> Stmt {
        let span = Span::default();
        let risky = self.config.risky_percent;
        let mut slot = self.rng.below(self.data.ranges.len() as u64) as usize;
        let mut place = Place::Var(VarId::new(slot));
        if !self.data.arrays.is_empty() && self.rng.percent(35) {
            let first = *self.rng.pick(&self.data.arrays);
            slot = first.index();
            place = Place::Element { first, len: 2, index: self.data.index(self.rng, risky), span };
        }
        let (min, max) = self.data.ranges[slot];
        let may_leave_range = self.rng.percent(match self.network.out_of_range {
            OutOfRange::Disable => 40,
            OutOfRange::Error => risky,
        });
        let is_plain = matches!(place, Place::Var(_));
        let old = Expr::Var(VarId::new(slot));
        let value = match self.rng.below(4) {
            0 => Expr::Const(self.rng.range(min, max)),
            1 if is_plain => {
                let step = *self.rng.pick(&[1, 1, -1]);
                let last = if step > 0 { max } else { min };
                let moved = binary(BinaryOp::Add, old.clone(), Expr::Const(step));
                match guard {
                    _ if may_leave_range => moved,
                    Some(guard) if self.rng.percent(50) => {
                        guard.discrete.push(comparison(BinaryOp::Ne, old, Expr::Const(last)));
                        // Earlier statements of the update may have moved it.
                        self.clamped(slot, moved)
                    }
                    _ => {
                        let is_last = comparison(BinaryOp::Eq, old, Expr::Const(last));
                        let wrapped = Expr::Const(min + max - last);
                        Expr::IfThenElse(is_last.into(), wrapped.into(), moved.into())
                    }
                }
            }
            _ => {
                let value = self.data.integer(self.rng, risky);
                if may_leave_range { value } else { self.clamped(slot, value) }
            }
        };
        Stmt::Assign { place, value, span }
    }

    /// `value` brought into the range of the slot.
    fn clamped(&mut self, slot: usize, value: Expr) -> Expr {
        let (min, max) = self.data.ranges[slot];
        let limit = |op, value: Expr, end| {
            let is_past = comparison(op, value.clone(), Expr::Const(end));
            Expr::IfThenElse(is_past.into(), Expr::Const(end).into(), value.into())
        };
        limit(BinaryOp::Lt, limit(BinaryOp::Gt, value, max), min)
    }

    fn reset(&mut self) -> Stmt {
        let config = self.config;
        let span = Span::default();
        let clock = self.clock();
        let mut from = None;
        let mut value = Expr::Const(0);
        if self.rng.percent(config.odd_reset_percent) {
            match self.rng.below(4) {
                0 => value = Expr::Const(self.rng.range(1, 3)),
                1 if !self.data.ranges.is_empty() => {
                    let atom = self.data.atom(self.rng, config.risky_percent);
                    let is_negative = comparison(BinaryOp::Lt, atom.clone(), Expr::Const(0));
                    let safe =
                        Expr::IfThenElse(is_negative.into(), Expr::Const(0).into(), atom.clone().into());
                    value = if self.rng.percent(config.risky_percent) { atom } else { safe };
                }
                2 if config.shifts => {
                    from = Some(self.clock());
                    value = Expr::Const(self.rng.range(0, 2));
                }
                _ if config.copies => from = Some(self.clock()),
                _ => {}
            }
        }
        Stmt::Reset { clock, from, value, span }
    }

    fn clock(&mut self) -> ClockRef {
        let clock = *self.rng.pick(self.clocks);
        let has_next = self.clocks.contains(&ClockId(clock.0 + 1));
        if has_next && self.rng.percent(self.config.clock_array_percent) {
            let index = self.data.index(self.rng, self.config.risky_percent);
            return ClockRef::Element { first: clock, len: 2, index, span: Span::default() };
        }
        ClockRef::Fixed(clock)
    }
}
