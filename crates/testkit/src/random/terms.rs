//! Random expressions.

use dwell_model::expr::{BinaryOp, Expr, Place, Stmt};
use dwell_model::{FunctionId, Span, VarId};

use super::data::{ARRAY, assign, binary, choice, next, set_local};
use super::functions::PARAMETER;
use super::writer::{Effects, Writer};

impl Writer<'_> {
    /// The value of a variable or a constant.
    pub fn variable(&mut self) -> Expr {
        if !self.data.tables.is_empty() && self.rng.percent(15) {
            let first = *self.rng.pick(&self.data.tables);
            return self.element(first);
        }
        if !self.data.arrays.is_empty() && (self.data.scalars.is_empty() || self.rng.percent(35)) {
            let first = *self.rng.pick(&self.data.arrays);
            return self.element(first);
        }
        match self.data.scalars.is_empty() {
            true => Expr::Const(self.rng.range(0, 2)),
            false => Expr::Var(*self.rng.pick(&self.data.scalars)),
        }
    }

    fn element(&mut self, first: VarId) -> Expr {
        let index = Box::new(self.index(ARRAY));
        Expr::Element { first, len: ARRAY, index, span: Span::default() }
    }

    /// An operand: mostly a variable.
    pub fn atom(&mut self) -> Expr {
        let config = self.config;
        let special = match self.rng.below(100) {
            r if r < config.call_percent => self.call(),
            r if r < config.call_percent + config.effect_percent => self.effect(),
            r if r < config.call_percent + config.effect_percent + config.quantifier_percent => {
                self.quantifier()
            }
            _ => None,
        };
        if let Some(special) = special {
            return special;
        }
        if !self.readable.is_empty() && self.rng.percent(40) {
            return Expr::Local(*self.rng.pick(&self.readable));
        }
        self.variable()
    }

    /// At least 0 and below `len`, which is at least 2; or anything if risky.
    pub fn index(&mut self, len: u32) -> Expr {
        let last = len as i32 - 1;
        let mut index = Expr::Const(self.rng.range(0, last));
        if !self.data.scalars.is_empty() && self.rng.percent(70) {
            let var = *self.rng.pick(&self.data.scalars);
            let (min, max) = self.data.ranges[var.index()];
            let value = Expr::Var(var);
            index = match self.rng.below(3) {
                _ if (min >= 0 && max <= last) || self.rng.percent(self.risky) => value,
                0 => binary(BinaryOp::Gt, value, Expr::Const(self.rng.range(min, max))),
                1 => binary(BinaryOp::BitAnd, value, Expr::Const(1)),
                _ => self.fitting(value, 0, last),
            };
        }
        if self.rng.percent(self.config.effect_percent)
            && let Some(effect) = self.effect()
        {
            index = Expr::Seq(vec![Stmt::Eval(effect)], Box::new(index));
        }
        if self.rng.percent(12) {
            let low = self.rng.range(-2, 2);
            let index = Box::new(binary(BinaryOp::Add, index, Expr::Const(low)));
            return Expr::Index { index, low, len, span: Span::default() };
        }
        index
    }

    /// An integer of some depth.
    pub fn integer(&mut self) -> Expr {
        use BinaryOp::{Add, BitAnd, BitOr, BitXor, Div, Lt, Max, Min, Mul, Pow, Rem, Shl, Shr, Sub};
        let atom = self.atom();
        match self.rng.below(15) {
            0..5 => atom,
            5 => binary(Add, atom, Expr::Const(self.rng.range(-1, 1))),
            6 => binary(Sub, atom, self.atom()),
            7 => binary(Mul, atom, Expr::Const(self.rng.range(-1, 2))),
            8 => {
                let divisor = if self.rng.percent(self.risky) {
                    self.variable()
                } else {
                    Expr::Const(*self.rng.pick(&[2, -2, 3]))
                };
                binary(*self.rng.pick(&[Div, Rem]), atom, divisor)
            }
            9 => Expr::Neg(Box::new(atom), Span::default()),
            10 => binary(*self.rng.pick(&[BitAnd, BitOr, BitXor]), atom, self.atom()),
            11 => binary(*self.rng.pick(&[Min, Max]), atom, self.atom()),
            12 => {
                let count = if self.rng.percent(self.risky) { self.variable() } else { self.index(3) };
                binary(*self.rng.pick(&[Shl, Shr, Pow]), atom, count)
            }
            _ => {
                let is_less = binary(Lt, self.variable(), Expr::Const(self.rng.range(0, 1)));
                choice(is_less, atom, self.atom())
            }
        }
    }

    /// A truth value.
    pub fn condition(&mut self) -> Expr {
        use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
        let left = self.integer();
        // Wide relations more often: most conditions should hold now and then.
        let op = *self.rng.pick(&[Eq, Ne, Ne, Lt, Le, Le, Ge, Ge, Gt]);
        let right = if self.rng.percent(75) { Expr::Const(self.rng.range(0, 2)) } else { self.atom() };
        let test = binary(op, left, right);
        match self.rng.below(15) {
            0 => Expr::Not(Box::new(test)),
            1 => Expr::And(Box::new(self.condition()), Box::new(test)),
            2 => Expr::Or(Box::new(self.condition()), Box::new(test)),
            _ => test,
        }
    }

    /// A bound for a clock that is not a literal, near `literal`. Its range is
    /// known without following locals.
    pub fn bound(&mut self, literal: i32) -> Expr {
        use BinaryOp::{Add, BitAnd, BitOr, Max, Min, Sub};
        match self.rng.below(7) {
            0 => self.variable(),
            1 => binary(Add, self.variable(), Expr::Const(1)),
            2 => binary(Sub, Expr::Const(literal), self.variable()),
            3 => binary(*self.rng.pick(&[Min, Max, BitAnd, BitOr]), self.variable(), Expr::Const(literal)),
            4 => self.call().unwrap_or(Expr::Const(literal)),
            5 => match self.quantifier() {
                Some(value) => {
                    let value = Box::new(self.fitting(value, 0, literal.max(1)));
                    Expr::Checked { value, min: 0, max: literal.max(1), span: Span::default() }
                }
                None => Expr::Const(literal),
            },
            _ => choice(self.condition(), Expr::Const(literal), self.variable()),
        }
    }

    /// `value` brought into a range; or not, if risky: then it is checked.
    pub fn checked(&mut self, value: Expr, min: i32, max: i32) -> Expr {
        let value = if self.rng.percent(self.risky) { value } else { self.fitting(value, min, max) };
        Expr::Checked { value: Box::new(value), min, max, span: Span::default() }
    }

    /// `value` brought into a range.
    pub fn fitting(&mut self, value: Expr, min: i32, max: i32) -> Expr {
        // A variable may be written twice without being evaluated twice.
        if let (Expr::Var(_), true) = (&value, self.rng.percent(50)) {
            let limit = |op, value: Expr, end| {
                choice(binary(op, value.clone(), Expr::Const(end)), Expr::Const(end), value)
            };
            return limit(BinaryOp::Lt, limit(BinaryOp::Gt, value, max), min);
        }
        binary(BinaryOp::Max, binary(BinaryOp::Min, value, Expr::Const(max)), Expr::Const(min))
    }

    /// A call of some function, if one can be called here.
    pub fn call(&mut self) -> Option<Expr> {
        self.nested(|w| {
            let functions = &w.network.functions;
            let may_write = w.effects == Effects::Any;
            let able: Vec<usize> =
                (0..functions.len()).filter(|&f| may_write || !functions[f].writes).collect();
            if able.is_empty() {
                return None;
            }
            let function = *w.rng.pick(&able);
            let mut args = Vec::new();
            for _ in 0..functions[function].params {
                let value = w.integer();
                args.push(w.checked(value, PARAMETER.0, PARAMETER.1));
            }
            Some(Expr::Call(FunctionId::new(function), args, Span::default()))
        })
    }

    /// Something that writes: `v++`, `++v`, `v = e`, or a clock on the way.
    pub fn effect(&mut self) -> Option<Expr> {
        if self.effects == Effects::None {
            return None;
        }
        self.nested(|w| {
            if !w.clocks.is_empty() && w.rng.percent(35) {
                let reset = w.reset();
                return Some(Expr::Seq(vec![reset], Box::new(w.variable())));
            }
            if w.data.scalars.is_empty() {
                return None;
            }
            let var = *w.rng.pick(&w.data.scalars);
            let (min, max) = w.data.ranges[var.index()];
            let is_last = binary(BinaryOp::Eq, Expr::Var(var), Expr::Const(max));
            let more = binary(BinaryOp::Add, Expr::Var(var), Expr::Const(1));
            let more = if w.rng.percent(w.risky) { more } else { choice(is_last, Expr::Const(min), more) };
            let write = |value| assign(Place::Var(var), value);
            Some(match w.rng.below(3) {
                0 => {
                    let before = w.fresh(1)?;
                    let body = vec![set_local(before, Expr::Var(var)), write(more)];
                    Expr::Seq(body, Box::new(Expr::Local(before)))
                }
                1 => Expr::Seq(vec![write(more)], Box::new(Expr::Var(var))),
                _ => {
                    let value = w.integer();
                    let value = w.fitting(value, min, max);
                    Expr::Seq(vec![write(value)], Box::new(Expr::Var(var)))
                }
            })
        })
    }

    /// The sum of an array, or whether some or all of its elements are alike.
    pub fn quantifier(&mut self) -> Option<Expr> {
        let first = self.fresh(2)?;
        let (counter, result) = (first, first + 1);
        let arrays = [&self.data.arrays[..], &self.data.tables].concat();
        let member = match arrays.is_empty() {
            true => binary(BinaryOp::Sub, self.variable(), Expr::Local(counter)),
            false => {
                let (first, index) = (*self.rng.pick(&arrays), Box::new(Expr::Local(counter)));
                Expr::Element { first, len: ARRAY, index, span: Span::default() }
            }
        };
        let so_far = Expr::Local(result);
        let test = binary(BinaryOp::Ge, member.clone(), Expr::Const(self.rng.range(0, 2)));
        let (start, value) = match self.rng.below(3) {
            0 => (0, binary(BinaryOp::Add, so_far, member)),
            1 => (0, Expr::Or(Box::new(so_far), Box::new(test))),
            _ => (1, Expr::And(Box::new(so_far), Box::new(test))),
        };
        let goes_on = binary(BinaryOp::Lt, Expr::Local(counter), Expr::Const(ARRAY as i32));
        let body = vec![set_local(result, value), set_local(counter, next(counter))];
        let each = Stmt::While { condition: goes_on, body, span: Span::default() };
        let body = vec![set_local(counter, Expr::Const(0)), set_local(result, Expr::Const(start)), each];
        Some(Expr::Seq(body, Box::new(Expr::Local(result))))
    }
}
