//! Random statements and updates.

use dwell_model::expr::{BinaryOp, ClockRef, Expr, Guard, Place, Program, Stmt};
use dwell_model::{ClockId, OutOfRange, Span, VarId};

use super::data::{ARRAY, assign, binary, choice, next, set_local};
use super::writer::{Effects, Returns, Writer};

impl Writer<'_> {
    /// An update; conjuncts that keep it from failing may be added to `guard`.
    pub fn program(mut self, guard: &mut Guard) -> Program {
        let mut body = Vec::new();
        for _ in 0..*self.rng.pick(&[0, 1, 1, 1, 2, 2, 3]) {
            self.statement(&mut body, Some(guard), 0);
        }
        Program { locals: self.free.start, body }
    }

    /// Adds a statement to `body`, sometimes several, sometimes none.
    pub fn statement(&mut self, body: &mut Vec<Stmt>, guard: Option<&mut Guard>, depth: u32) {
        let config = self.config;
        if depth < 2 && self.rng.percent(config.control_percent) {
            if self.rng.percent(60) {
                self.conditional(body, depth)
            } else {
                self.counted_loop(body, depth)
            }
            return;
        }
        if self.rng.percent(config.assert_percent) {
            return body.push(self.assertion());
        }
        if self.rng.percent(config.call_percent)
            && let Some(call) = self.call()
        {
            return body.push(Stmt::Eval(call));
        }
        let has_vars = !self.data.ranges.is_empty();
        if self.effects == Effects::None || (self.returns != Returns::Never && self.rng.percent(35)) {
            body.extend(self.local_assignment());
        } else if !self.clocks.is_empty() && (!has_vars || self.rng.percent(50)) {
            body.push(self.reset());
        } else if has_vars {
            body.push(self.assignment(guard));
        }
    }

    /// Statements of their own: what they declare is not known afterwards.
    fn block(&mut self, depth: u32) -> Vec<Stmt> {
        let (readable, writable) = (self.readable.len(), self.writable.len());
        let mut body = Vec::new();
        self.statement(&mut body, None, depth + 1);
        self.readable.truncate(readable);
        self.writable.truncate(writable);
        body
    }

    fn conditional(&mut self, body: &mut Vec<Stmt>, depth: u32) {
        let condition = self.condition();
        let mut then = self.block(depth);
        if self.returns != Returns::Never && self.rng.percent(50) {
            then.push(self.leave());
        }
        let otherwise = if self.rng.percent(50) { self.block(depth) } else { Vec::new() };
        body.push(Stmt::If { condition, then, otherwise });
    }

    /// `i = 0; while i < n { …; i = i + 1 }` or `while i++ < n`, sometimes
    /// with a note of each round in a local array that is read afterwards.
    fn counted_loop(&mut self, body: &mut Vec<Stmt>, depth: u32) {
        let Some(first) = self.fresh(4) else { return };
        let (counter, before, notes) = (first, first + 1, first + 2);
        let span = Span::default();
        let rounds = Expr::Const(self.rng.range(1, 2));
        let keeps_notes = self.rng.percent(40);
        let steps_first = self.rng.percent(30);
        let round_number = if steps_first { before } else { counter };
        body.push(set_local(counter, Expr::Const(0)));
        // W-2: the locals of an update start at zero.
        if keeps_notes && self.returns != Returns::Never {
            body.extend((notes..notes + 2).map(|note| set_local(note, Expr::Const(0))));
        }
        let (readable, writable) = (self.readable.len(), self.writable.len());
        self.readable.push(round_number);
        let mut round = self.block(depth);
        if keeps_notes {
            let place = Place::LocalElement { first: notes, len: 2, index: Expr::Local(round_number), span };
            let value = self.integer();
            round.push(assign(place, self.fitting(value, -3, 5)));
        }
        self.readable.truncate(readable);
        self.writable.truncate(writable);
        let step = set_local(counter, next(counter));
        let number = if steps_first {
            let body = vec![set_local(before, Expr::Local(counter)), step];
            Expr::Seq(body, Box::new(Expr::Local(before)))
        } else {
            round.push(step);
            Expr::Local(counter)
        };
        body.push(Stmt::While { condition: binary(BinaryOp::Lt, number, rounds), body: round, span });
        if keeps_notes && self.effects == Effects::Any && !self.data.ranges.is_empty() {
            let slot = self.rng.below(self.data.ranges.len() as u64) as usize;
            let (min, max) = self.data.ranges[slot];
            let index = Box::new(Expr::Const(self.rng.range(0, 1)));
            let note = Expr::LocalElement { first: notes, len: 2, index, span };
            body.push(assign(Place::Var(VarId::new(slot)), self.fitting(note, min, max)));
        }
    }

    /// Mostly one that holds.
    fn assertion(&mut self) -> Stmt {
        let condition = self.condition();
        let condition = if self.rng.percent(2 * self.risky) {
            condition
        } else {
            let small = binary(BinaryOp::Le, self.variable(), Expr::Const(3));
            Expr::Or(Box::new(condition), Box::new(small))
        };
        Stmt::Assert { condition, span: Span::default() }
    }

    /// `l = e` with a new local or one that is there.
    fn local_assignment(&mut self) -> Option<Stmt> {
        let value = self.integer();
        let value =
            if self.rng.percent(50) { self.checked(value, -3, 5) } else { self.fitting(value, -3, 5) };
        if !self.writable.is_empty() && self.rng.percent(50) {
            return Some(set_local(*self.rng.pick(&self.writable), value));
        }
        let slot = self.fresh(1)?;
        self.readable.push(slot);
        self.writable.push(slot);
        Some(set_local(slot, value))
    }

    fn assignment(&mut self, guard: Option<&mut Guard>) -> Stmt {
        let mut slot = self.rng.below(self.data.ranges.len() as u64) as usize;
        let mut place = Place::Var(VarId::new(slot));
        if !self.data.arrays.is_empty() && self.rng.percent(35) {
            let first = *self.rng.pick(&self.data.arrays);
            slot = first.index();
            place = Place::Element { first, len: ARRAY, index: self.index(ARRAY), span: Span::default() };
        }
        let (min, max) = self.data.ranges[slot];
        let may_leave_range = self.rng.percent(match self.network.out_of_range {
            OutOfRange::Disable => 40,
            OutOfRange::Error => self.risky,
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
                        guard.discrete.push(binary(BinaryOp::Ne, old, Expr::Const(last)));
                        // Earlier statements of the update may have moved it.
                        self.fitting(moved, min, max)
                    }
                    _ => {
                        let is_last = binary(BinaryOp::Eq, old, Expr::Const(last));
                        choice(is_last, Expr::Const(min + max - last), moved)
                    }
                }
            }
            _ => {
                let value = self.integer();
                if may_leave_range { value } else { self.fitting(value, min, max) }
            }
        };
        assign(place, value)
    }

    /// `x = 0`, or another clock assignment.
    pub fn reset(&mut self) -> Stmt {
        let config = self.config;
        let clock = self.clock();
        let mut from = None;
        let mut value = Expr::Const(0);
        if self.rng.percent(config.odd_reset_percent) {
            match self.rng.below(4) {
                0 => value = Expr::Const(self.rng.range(1, 3)),
                1 if !self.data.ranges.is_empty() => {
                    let risky = self.rng.percent(self.risky);
                    value = if self.rng.percent(80) { self.variable() } else { self.atom() };
                    if !risky {
                        // An upper bound keeps the largest constant small.
                        value = self.fitting(value, 0, 3);
                    }
                }
                2 if config.shifts => {
                    from = Some(self.clock());
                    value = Expr::Const(self.rng.range(0, 2));
                }
                _ if config.copies => from = Some(self.clock()),
                _ => {}
            }
        }
        Stmt::Reset { clock, from, value, span: Span::default() }
    }

    fn clock(&mut self) -> ClockRef {
        let clock = *self.rng.pick(self.clocks);
        let has_next = self.clocks.contains(&ClockId(clock.0 + 1));
        if has_next && self.rng.percent(self.config.clock_array_percent) {
            return ClockRef::Element { first: clock, len: 2, index: self.index(2), span: Span::default() };
        }
        ClockRef::Fixed(clock)
    }
}
