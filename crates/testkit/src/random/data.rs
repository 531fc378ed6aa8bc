//! Random variables, and expressions over them.
//!
//! Unless asked to be risky, expressions evaluate without errors: divisors
//! are literals other than zero, and indices are 0 or 1 whatever the values.

use dwell_base::Rng;
use dwell_model::expr::{BinaryOp, Expr};
use dwell_model::{Network, Span, Var, VarId};

use super::Config;

/// The variables of a random network.
pub struct Data {
    /// Variables that stand alone.
    pub scalars: Vec<VarId>,
    /// First slots of arrays of two.
    pub arrays: Vec<VarId>,
    /// Least and greatest value of each slot.
    pub ranges: Vec<(i32, i32)>,
}

impl Data {
    /// Declares variables in `network`.
    pub fn random(rng: &mut Rng, config: &Config, network: &mut Network) -> Self {
        let mut data = Data { scalars: Vec::new(), arrays: Vec::new(), ranges: Vec::new() };
        let slots = super::pick_up_to(rng, config.max_vars);
        while network.vars.len() < slots {
            let first = VarId::new(network.vars.len());
            let (min, max) = *rng.pick(&[(-1, 2), (0, 1), (0, 2), (0, 3), (-1, 1), (1, 3)]);
            let len = if slots - network.vars.len() >= 2 && rng.percent(40) { 2 } else { 1 };
            for element in 0..len {
                let name =
                    if len == 1 { format!("v{}", first.0) } else { format!("a{}[{element}]", first.0) };
                network.vars.push(Var { name, min, max, init: rng.range(min, max) });
                data.ranges.push((min, max));
            }
            if len == 1 { &mut data.scalars } else { &mut data.arrays }.push(first);
        }
        data
    }

    /// A value that some variable has, or a literal.
    pub fn atom(&self, rng: &mut Rng, risky_percent: u64) -> Expr {
        if !self.arrays.is_empty() && (self.scalars.is_empty() || rng.percent(35)) {
            let first = *rng.pick(&self.arrays);
            let index = Box::new(self.index(rng, risky_percent));
            return Expr::Element { first, len: 2, index, span: Span::default() };
        }
        match self.scalars.is_empty() {
            true => Expr::Const(rng.range(0, 2)),
            false => Expr::Var(*rng.pick(&self.scalars)),
        }
    }

    /// 0 or 1, or anything if risky.
    pub fn index(&self, rng: &mut Rng, risky_percent: u64) -> Expr {
        if self.scalars.is_empty() || rng.percent(30) {
            return Expr::Const(rng.range(0, 1));
        }
        let var = *rng.pick(&self.scalars);
        let (min, max) = self.ranges[var.index()];
        if (min >= 0 && max <= 1) || rng.percent(risky_percent) {
            return Expr::Var(var);
        }
        comparison(BinaryOp::Gt, Expr::Var(var), Expr::Const(rng.range(min, max)))
    }

    /// An integer of some depth.
    pub fn integer(&self, rng: &mut Rng, risky_percent: u64) -> Expr {
        let atom = self.atom(rng, risky_percent);
        match rng.below(10) {
            0..4 => atom,
            4 => binary(BinaryOp::Add, atom, Expr::Const(rng.range(-1, 1))),
            5 => binary(BinaryOp::Sub, atom, self.atom(rng, risky_percent)),
            6 => binary(BinaryOp::Mul, atom, Expr::Const(rng.range(-1, 2))),
            7 => {
                let op = *rng.pick(&[BinaryOp::Div, BinaryOp::Rem]);
                let divisor = if rng.percent(risky_percent) {
                    self.atom(rng, 0)
                } else {
                    Expr::Const(*rng.pick(&[2, -2, 3]))
                };
                binary(op, atom, divisor)
            }
            8 => Expr::Neg(Box::new(atom), Span::default()),
            _ => {
                let condition = comparison(BinaryOp::Lt, atom.clone(), Expr::Const(rng.range(0, 1)));
                Expr::IfThenElse(condition.into(), atom.into(), self.atom(rng, risky_percent).into())
            }
        }
    }

    /// A truth value.
    pub fn condition(&self, rng: &mut Rng, config: &Config) -> Expr {
        use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
        let left = self.integer(rng, config.risky_guard_percent);
        // Wide relations more often: most conditions should hold now and then.
        let op = *rng.pick(&[Eq, Ne, Ne, Lt, Le, Le, Ge, Ge, Gt]);
        let right = if rng.percent(75) {
            Expr::Const(rng.range(0, 2))
        } else {
            self.atom(rng, config.risky_guard_percent)
        };
        let test = comparison(op, left, right);
        match rng.below(12) {
            0 => Expr::Not(Box::new(test)),
            1 => Expr::And(Box::new(self.condition(rng, config)), Box::new(test)),
            _ => test,
        }
    }

    /// A bound for a clock that is not a literal, near `literal`.
    pub fn bound(&self, rng: &mut Rng, config: &Config, literal: i32) -> Expr {
        let risky = config.risky_guard_percent;
        match rng.below(4) {
            0 => self.atom(rng, risky),
            1 => binary(BinaryOp::Add, self.atom(rng, risky), Expr::Const(1)),
            2 => binary(BinaryOp::Sub, Expr::Const(literal), self.atom(rng, risky)),
            _ => {
                let condition = self.condition(rng, config);
                Expr::IfThenElse(condition.into(), Expr::Const(literal).into(), self.atom(rng, risky).into())
            }
        }
    }
}

/// `left op right`.
pub fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    Expr::Binary(op, Box::new(left), Box::new(right), Span::default())
}

/// `left op right`, for operators that compare.
pub fn comparison(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    binary(op, left, right)
}
