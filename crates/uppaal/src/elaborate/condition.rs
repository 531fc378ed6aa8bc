//! Conditions that mention clocks, and what is made of them.
//!
//! An expression over integers alone stays one integer expression. As soon as
//! a clock takes part it is a [`Cond`], in negation normal form. Guards and
//! invariants must be conjunctions ([`Elaborator::conjunction`]); queries may be
//! anything ([`Elaborator::formula`]).

use dwell_model::Span;
use dwell_model::expr::{BinaryOp, ClockConstraint, ClockRef, Expr, Guard, Relation};
use dwell_model::property::Formula;

use super::Elaborator;

/// `plus - minus + offset`.
#[derive(Clone, Debug)]
pub(super) struct Linear {
    pub plus: Option<ClockRef>,
    pub minus: Option<ClockRef>,
    pub offset: Expr,
}

/// A condition in negation normal form.
#[derive(Clone, Debug)]
pub(super) enum Cond {
    Discrete(Expr),
    /// Its `when` is `None`.
    Clock(ClockConstraint),
    All(Vec<Cond>),
    Any(Vec<Cond>),
    /// `x' == e`; no clock for those that symbolic analysis ignores.
    Rate(Option<ClockRef>, Expr, Span),
    Deadlock(bool),
}

/// An invariant, taken apart.
#[derive(Debug, Default)]
pub(super) struct Conjunction {
    pub guard: Guard,
    pub rates: Vec<(ClockRef, Expr)>,
}

/// `left op right` is `right mirrored(op) left`.
fn mirrored(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Ge => BinaryOp::Le,
        BinaryOp::Gt => BinaryOp::Lt,
        op => op,
    }
}

fn flipped(relation: Relation) -> Relation {
    match relation {
        Relation::Lt => Relation::Gt,
        Relation::Le => Relation::Ge,
        Relation::Eq => Relation::Eq,
        Relation::Ge => Relation::Le,
        Relation::Gt => Relation::Lt,
    }
}

impl Linear {
    /// An integer.
    pub fn number(offset: Expr) -> Self {
        Self { plus: None, minus: None, offset }
    }

    /// True when no clock takes part.
    fn is_number(&self) -> bool {
        self.plus.is_none() && self.minus.is_none()
    }
}

impl Elaborator<'_> {
    /// `left + right` or `left - right`. `None` where it cannot be said with two clocks.
    pub(super) fn add_clocks(&self, plus: bool, left: Linear, right: Linear, span: Span) -> Option<Linear> {
        if plus {
            let negated = Linear { plus: right.minus, minus: right.plus, offset: Expr::Const(0) };
            let (plus, minus) = difference(&left, &negated)?;
            return Some(Linear { plus, minus, offset: self.add(left.offset, right.offset, span) });
        }
        let (plus, minus) = difference(&left, &right)?;
        Some(Linear { plus, minus, offset: self.sub(left.offset, right.offset, span) })
    }

    /// `left op right` where a clock takes part. `None` where it cannot be said with two clocks.
    pub(super) fn compare_clocks(
        &mut self,
        op: BinaryOp,
        left: Linear,
        right: Linear,
        span: Span,
    ) -> Option<Cond> {
        // `3 < x` is `x > 3`.
        if left.is_number() {
            if right.is_number() {
                return Some(Cond::Discrete(self.binary(op, left.offset, right.offset, span)));
            }
            return self.compare_clocks(mirrored(op), right, left, span);
        }
        let (plus, minus) = difference(&left, &right)?;
        let constraint = |relation, left: ClockRef, minus: Option<ClockRef>, bound: Expr| {
            Cond::Clock(ClockConstraint { when: None, left, minus, relation, bound, span })
        };
        let make = |relation: Relation| match (&plus, &minus) {
            (Some(plus), minus) => {
                let bound = self.sub(right.offset.clone(), left.offset.clone(), span);
                constraint(relation, plus.clone(), minus.clone(), bound)
            }
            // a - x ~ b is x ~' a - b.
            (None, Some(minus)) => {
                let bound = self.sub(left.offset.clone(), right.offset.clone(), span);
                constraint(flipped(relation), minus.clone(), None, bound)
            }
            (None, None) => Cond::Discrete(self.binary(op, left.offset.clone(), right.offset.clone(), span)),
        };
        Some(match op {
            BinaryOp::Lt => make(Relation::Lt),
            BinaryOp::Le => make(Relation::Le),
            BinaryOp::Ge => make(Relation::Ge),
            BinaryOp::Gt => make(Relation::Gt),
            BinaryOp::Eq => make(Relation::Eq),
            BinaryOp::Ne if plus.is_none() && minus.is_none() => make(Relation::Eq),
            BinaryOp::Ne => Cond::Any(vec![make(Relation::Lt), make(Relation::Gt)]),
            _ => return None,
        })
    }

    /// The opposite.
    pub(super) fn negate(&mut self, cond: Cond) -> Cond {
        match cond {
            Cond::Discrete(e) => Cond::Discrete(self.not(e)),
            Cond::Clock(c) => {
                let with = |relation| Cond::Clock(ClockConstraint { relation, ..c.clone() });
                match c.relation {
                    Relation::Lt => with(Relation::Ge),
                    Relation::Le => with(Relation::Gt),
                    Relation::Ge => with(Relation::Lt),
                    Relation::Gt => with(Relation::Le),
                    Relation::Eq => Cond::Any(vec![with(Relation::Lt), with(Relation::Gt)]),
                }
            }
            Cond::All(list) => Cond::Any(list.into_iter().map(|c| self.negate(c)).collect()),
            Cond::Any(list) => Cond::All(list.into_iter().map(|c| self.negate(c)).collect()),
            Cond::Rate(_, _, span) => {
                self.unsupported("the negation of a clock rate", span);
                Cond::Discrete(Expr::Const(1))
            }
            Cond::Deadlock(is) => Cond::Deadlock(!is),
        }
    }

    /// All of them (`and`), or one: as few parts as can be, nests dissolved.
    pub(super) fn join(&self, list: Vec<Cond>, and: bool) -> Cond {
        let mut parts: Vec<Cond> = Vec::new();
        for cond in list {
            match (cond, and) {
                (Cond::All(inner), true) | (Cond::Any(inner), false) => parts.extend(inner),
                (cond, _) => parts.push(cond),
            }
        }
        let mut merged: Vec<Cond> = Vec::new();
        for part in parts {
            match (merged.last_mut(), part) {
                (Some(Cond::Discrete(last)), Cond::Discrete(e)) => {
                    let before = std::mem::replace(last, Expr::Const(0));
                    *last = if and { self.and(before, e) } else { self.or(before, e) };
                }
                (_, part) => merged.push(part),
            }
        }
        // What decides the whole makes the rest idle; what decides nothing is idle itself.
        let deciding = |c: &Cond| matches!(c, Cond::Discrete(Expr::Const(c)) if (*c == 0) == and);
        if let Some(at) = merged.iter().position(deciding)
            && merged[..at].iter().all(|c| !matches!(c, Cond::Discrete(_)))
        {
            return Cond::Discrete(Expr::Const(i32::from(!and)));
        }
        merged.retain(|c| !matches!(c, Cond::Discrete(Expr::Const(c)) if (*c == 0) != and));
        match merged.len() {
            0 => Cond::Discrete(Expr::Const(i32::from(and))),
            1 => merged.remove(0),
            _ if and => Cond::All(merged),
            _ => Cond::Any(merged),
        }
    }

    /// A guard or an invariant out of a condition.
    pub(super) fn conjunction(&mut self, cond: Cond, span: Span) -> Conjunction {
        let mut result = Conjunction::default();
        self.conjuncts(cond, None, &mut result, span);
        // What is certain need not be tested; what is impossible settles all.
        let discrete = &mut result.guard.discrete;
        if discrete.first() == Some(&Expr::Const(0)) {
            return Conjunction {
                guard: Guard { discrete: vec![Expr::Const(0)], clocks: Vec::new() },
                rates: result.rates,
            };
        }
        discrete.retain(|e| !matches!(e, Expr::Const(c) if *c != 0));
        result
    }

    /// `when` imply `cond`.
    fn conjuncts(&mut self, cond: Cond, when: Option<&Expr>, out: &mut Conjunction, span: Span) {
        match cond {
            Cond::Discrete(e) => match when {
                None => split(e, &mut out.guard.discrete),
                Some(when) => {
                    let e = self.or(self.not(when.clone()), e);
                    out.guard.discrete.push(e);
                }
            },
            Cond::Clock(constraint) => {
                out.guard.clocks.push(ClockConstraint { when: when.cloned(), ..constraint });
            }
            Cond::All(list) => list.into_iter().for_each(|c| self.conjuncts(c, when, out, span)),
            Cond::Any(list) => {
                let (discrete, mut others): (Vec<_>, Vec<_>) =
                    list.into_iter().partition(|c| matches!(c, Cond::Discrete(_)));
                let mut condition = when.cloned();
                for cond in discrete {
                    let Cond::Discrete(e) = cond else { continue };
                    let not = self.not(e);
                    condition = Some(match condition {
                        None => not,
                        Some(before) => self.and(before, not),
                    });
                }
                if others.len() > 1 {
                    self.unsupported("a disjunction of clock constraints in a guard or invariant", span);
                    return;
                }
                match (others.pop(), condition) {
                    (Some(cond), condition) => self.conjuncts(cond, condition.as_ref(), out, span),
                    // Not made by `join`, but true to its meaning.
                    (None, Some(condition)) => {
                        let e = self.not(condition);
                        out.guard.discrete.push(e);
                    }
                    (None, None) => out.guard.discrete.push(Expr::Const(0)),
                }
            }
            Cond::Rate(clock, rate, span) => self.rate(clock, rate, when, out, span),
            Cond::Deadlock(_) => {
                self.error("bad-guard", span, "`deadlock` stands only in queries");
            }
        }
    }

    fn rate(
        &mut self,
        clock: Option<ClockRef>,
        rate: Expr,
        when: Option<&Expr>,
        out: &mut Conjunction,
        span: Span,
    ) {
        let Some(clock) = clock else { return };
        if matches!(rate, Expr::Const(c) if c != 0 && c != 1) {
            self.unsupported("a clock rate other than 0 and 1", span);
            return;
        }
        let rate = match when {
            None => rate,
            Some(when) => self.if_then_else(when.clone(), rate, Expr::Const(1)),
        };
        if rate != Expr::Const(1) {
            out.rates.push((clock, rate));
        }
    }

    /// A formula out of a condition.
    pub(super) fn formula(&mut self, cond: Cond) -> Formula {
        match cond {
            Cond::Discrete(e) => Formula::Discrete(e),
            Cond::Clock(c) => Formula::Clock(c),
            Cond::All(list) => Formula::And(list.into_iter().map(|c| self.formula(c)).collect()),
            Cond::Any(list) => Formula::Or(list.into_iter().map(|c| self.formula(c)).collect()),
            Cond::Rate(_, _, span) => {
                self.unsupported("a clock rate in a query", span);
                Formula::Discrete(Expr::Const(0))
            }
            Cond::Deadlock(is) => Formula::Deadlock(is),
        }
    }
}

/// Takes conjunctions apart, in order.
fn split(e: Expr, out: &mut Vec<Expr>) {
    match e {
        Expr::And(l, r) => {
            split(*l, out);
            split(*r, out);
        }
        e => out.push(e),
    }
}

/// The clocks of `left - right`; `None` where more than two are left.
fn difference(left: &Linear, right: &Linear) -> Option<(Option<ClockRef>, Option<ClockRef>)> {
    let mut minus: Vec<_> = [&left.minus, &right.plus].into_iter().flatten().collect();
    // Those that stand on both sides go.
    let plus = [&left.plus, &right.minus].into_iter().flatten();
    let plus: Vec<_> = plus
        .filter(|clock| match minus.iter().position(|m| m == clock) {
            Some(at) => {
                minus.remove(at);
                false
            }
            None => true,
        })
        .collect();
    match (&plus[..], &minus[..]) {
        ([] | [_], [] | [_]) => Some((plus.first().copied().cloned(), minus.first().copied().cloned())),
        _ => None,
    }
}
