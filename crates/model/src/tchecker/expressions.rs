//! Types and lowering of expressions.

use dwell_syntax::Span;
use dwell_syntax::tchecker::{ArithmeticOp, CompareOp, Comparison, Expr as Tree, ExprKind, Name};

use super::declarations::Lowering;
use super::fold;
use super::names::{Kind, Variable};
use crate::expr::{BinaryOp, ClockConstraint, ClockRef, Expr, Guard, Relation};
use crate::{ClockId, VarId};

/// A lowered expression, by type.
#[derive(Clone)]
pub(super) enum Typed {
    /// An integer.
    Int(Expr),
    /// A comparison of integers or a negation: true or false, not a number.
    Truth(Expr),
    Clock(ClockRef),
    /// `x - y`.
    Difference(ClockRef, ClockRef),
    /// `x + t` or `t + x`.
    Sum(ClockRef, Expr),
    /// A clock constraint or a conjunction.
    Guard(Guard),
    /// An error that has been reported.
    Bad,
}

impl Typed {
    /// With an article, for messages.
    pub fn describe(&self) -> &'static str {
        match self {
            Typed::Int(_) => "an integer",
            Typed::Truth(_) => "a condition",
            Typed::Clock(_) => "a clock",
            Typed::Difference(..) => "a difference of clocks",
            Typed::Sum(..) => "a sum with a clock",
            Typed::Guard(guard) if guard.clocks.is_empty() => "a conjunction",
            Typed::Guard(_) => "a clock constraint",
            Typed::Bad => "an error",
        }
    }

    fn involves_clock(&self) -> bool {
        matches!(self, Typed::Clock(_) | Typed::Difference(..) | Typed::Sum(..))
    }
}

impl<'t> Lowering<'t, '_> {
    /// Adds the conjuncts of a condition to a guard.
    pub fn guard(&mut self, e: &'t Tree, guard: &mut Guard) {
        match self.typed(e) {
            Typed::Int(value) | Typed::Truth(value) => add_conjunct(guard, value),
            Typed::Guard(more) => {
                more.discrete.into_iter().for_each(|conjunct| add_conjunct(guard, conjunct));
                guard.clocks.extend(more.clocks);
            }
            Typed::Bad => {}
            other => self.not_a_condition(&other, e.span),
        }
    }

    /// A condition over integers alone, as `if` and `while` need.
    pub fn condition(&mut self, e: &'t Tree) -> Option<Expr> {
        let mut guard = Guard::default();
        let errors = self.diagnostics.error_count();
        self.guard(e, &mut guard);
        if let Some(constraint) = guard.clocks.first() {
            self.diagnostics
                .error("clock-in-condition", constraint.span, "clocks cannot be tested here")
                .help("test clocks in `provided:`, with one edge for each case");
        }
        (self.diagnostics.error_count() == errors).then(|| fold::and(guard.discrete))
    }

    /// An integer.
    pub fn integer(&mut self, e: &'t Tree) -> Option<Expr> {
        let typed = self.typed(e);
        self.as_integer(typed, e.span)
    }

    pub fn as_integer(&mut self, typed: Typed, span: Span) -> Option<Expr> {
        match typed {
            Typed::Int(value) => return Some(value),
            Typed::Bad => {}
            other => {
                let message = format!("expected an integer, found {}", other.describe());
                let error = self.diagnostics.error("not-an-integer", span, message);
                match other {
                    Typed::Truth(_) => error.help("write `(if condition then 1 else 0)`"),
                    Typed::Clock(_) => error.help("the value of a clock can only be compared"),
                    _ => {}
                }
            }
        }
        None
    }

    fn not_a_condition(&mut self, typed: &Typed, span: Span) {
        let message = format!("expected a condition, found {}", typed.describe());
        self.diagnostics
            .error("not-a-condition", span, message)
            .help("clocks are compared with integers: `x <= 5`, `x - y < 3`");
    }

    pub fn typed(&mut self, e: &'t Tree) -> Typed {
        match &e.kind {
            ExprKind::Int(value) => Typed::Int(Expr::Const(*value)),
            ExprKind::Name(text) => self.whole(text, e.span),
            ExprKind::Index(name, index) => self.element(name, index, e.span),
            ExprKind::Paren(inner) => self.typed(inner),
            ExprKind::Neg(operand) => {
                let value = self.integer(operand);
                int_or_bad(value.and_then(|v| fold::neg(v, e.span, self.diagnostics)))
            }
            ExprKind::Not(operand) => self.negation(operand, e.span),
            ExprKind::Arithmetic(op, left, right) => self.arithmetic(*op, left, right, e.span),
            ExprKind::Compare(first, chain) => self.comparison(first, chain),
            ExprKind::And(list) => {
                let mut guard = Guard::default();
                let errors = self.diagnostics.error_count();
                for conjunct in list {
                    self.guard(conjunct, &mut guard);
                }
                if self.diagnostics.error_count() == errors { Typed::Guard(guard) } else { Typed::Bad }
            }
            ExprKind::IfThenElse(condition, then, otherwise) => {
                let condition = self.condition(condition);
                let then = self.integer(then);
                let otherwise = self.integer(otherwise);
                match (condition, then, otherwise) {
                    (Some(c), Some(t), Some(e)) => Typed::Int(fold::if_then_else(c, t, e)),
                    _ => Typed::Bad,
                }
            }
        }
    }

    /// Looks a variable up: locals hide clocks, everything else is unique.
    pub fn variable(&mut self, text: &str, span: Span) -> Option<Variable> {
        if let Some(&local) = self.locals.iter().rev().find_map(|(n, v)| (*n == text).then_some(v)) {
            return Some(local);
        }
        if let Some(&variable) = self.variables.get(text) {
            return Some(variable);
        }
        let name = Name { text: text.to_owned(), span };
        let locals = self.locals.iter().map(|(n, _)| *n);
        let mut globals: Vec<&str> = self.variables.keys().copied().collect();
        globals.sort_unstable();
        let near = locals.chain(globals);
        let broken = &self.tree.broken;
        self.unknown.report(Kind::Variable, &name, "", &self.later, near, broken, self.diagnostics);
        None
    }

    /// A variable without subscript.
    fn whole(&mut self, text: &str, span: Span) -> Typed {
        let Some(variable) = self.variable(text, span) else { return Typed::Bad };
        if !self.is_single(variable, text, span) {
            return Typed::Bad;
        }
        match variable {
            Variable::Clock { first, .. } => Typed::Clock(ClockRef::Fixed(first)),
            Variable::Int { first, .. } => Typed::Int(Expr::Var(first)),
            Variable::Local { first, .. } => Typed::Int(Expr::Local(first)),
        }
    }

    /// Complains about an array that is used as one value.
    pub fn is_single(&mut self, variable: Variable, text: &str, span: Span) -> bool {
        let (len, noun) = match variable {
            Variable::Clock { len, .. } => (len, "clock"),
            Variable::Int { len, .. } | Variable::Local { len, .. } => (len, "integer"),
        };
        if len > 1 {
            let message = format!("`{text}` is an array of {len} {noun}s, not {}", article(noun));
            self.diagnostics
                .error("array-without-index", span, message)
                .help(format!("name an element, from `{text}[0]` to `{text}[{}]`", len - 1));
        }
        len == 1
    }

    fn element(&mut self, name: &Name, index: &'t Tree, span: Span) -> Typed {
        let variable = self.variable(&name.text, name.span);
        let position = self.integer(index);
        let (Some(variable), Some(position)) = (variable, position) else { return Typed::Bad };
        let Some(position) = self.position(variable, position, index.span) else { return Typed::Bad };
        match (variable, position) {
            (Variable::Clock { first, .. }, Position::Fixed(i)) => {
                Typed::Clock(ClockRef::Fixed(ClockId(first.0 + i)))
            }
            (Variable::Clock { first, len }, Position::Computed(index)) => {
                Typed::Clock(ClockRef::Element { first, len, index, span })
            }
            (Variable::Int { first, .. }, Position::Fixed(i)) => Typed::Int(Expr::Var(VarId(first.0 + i))),
            (Variable::Int { first, len }, Position::Computed(index)) => {
                Typed::Int(Expr::Element { first, len, index: Box::new(index), span })
            }
            (Variable::Local { first, .. }, Position::Fixed(i)) => Typed::Int(Expr::Local(first + i)),
            (Variable::Local { first, len }, Position::Computed(index)) => {
                Typed::Int(Expr::LocalElement { first, len, index: Box::new(index), span })
            }
        }
    }

    /// Checks an index that is known now.
    pub fn position(&mut self, variable: Variable, index: Expr, span: Span) -> Option<Position> {
        let (Variable::Clock { len, .. } | Variable::Int { len, .. } | Variable::Local { len, .. }) =
            variable;
        let Expr::Const(value) = index else { return Some(Position::Computed(index)) };
        match u32::try_from(value) {
            Ok(i) if i < len => Some(Position::Fixed(i)),
            _ => {
                let message = format!("index {value} is not in 0..{}", len - 1);
                self.diagnostics.error("index-out-of-range", span, message).help(format!(
                    "the array has {len} element{}, from 0 on",
                    if len == 1 { "" } else { "s" }
                ));
                None
            }
        }
    }

    fn negation(&mut self, operand: &'t Tree, span: Span) -> Typed {
        match self.typed(operand) {
            Typed::Int(value) | Typed::Truth(value) => Typed::Truth(fold::not(value)),
            Typed::Bad => Typed::Bad,
            Typed::Guard(guard) if guard.clocks.is_empty() => {
                self.diagnostics
                    .error("negated-conjunction", span, "a conjunction cannot be negated")
                    .help("write one edge for each conjunct that may fail");
                Typed::Bad
            }
            Typed::Guard(_) => {
                self.diagnostics
                    .error("negated-clock-constraint", span, "a clock constraint cannot be negated")
                    .help("turn the comparison around: `x >= 5` instead of `!(x < 5)`");
                Typed::Bad
            }
            other => {
                self.not_a_condition(&other, operand.span);
                Typed::Bad
            }
        }
    }

    fn arithmetic(&mut self, op: ArithmeticOp, left: &'t Tree, right: &'t Tree, span: Span) -> Typed {
        let (a, b) = (self.typed(left), self.typed(right));
        match (op, a, b) {
            (_, Typed::Bad, _) | (_, _, Typed::Bad) => Typed::Bad,
            (_, Typed::Int(a), Typed::Int(b)) => {
                let op = match op {
                    ArithmeticOp::Add => BinaryOp::Add,
                    ArithmeticOp::Sub => BinaryOp::Sub,
                    ArithmeticOp::Mul => BinaryOp::Mul,
                    ArithmeticOp::Div => BinaryOp::Div,
                    ArithmeticOp::Rem => BinaryOp::Rem,
                };
                int_or_bad(fold::binary(op, a, b, span, self.diagnostics))
            }
            (ArithmeticOp::Add, Typed::Clock(x), Typed::Int(t))
            | (ArithmeticOp::Add, Typed::Int(t), Typed::Clock(x)) => Typed::Sum(x, t),
            (ArithmeticOp::Sub, Typed::Clock(x), Typed::Clock(y)) => Typed::Difference(x, y),
            (_, a, b) if a.involves_clock() || b.involves_clock() => {
                self.diagnostics
                    .error("bad-clock-arithmetic", span, "clocks cannot be computed with like this")
                    .help("the forms are `x - y` in comparisons and `y + t` in assignments");
                Typed::Bad
            }
            (_, a, b) => {
                self.as_integer(a, left.span);
                self.as_integer(b, right.span);
                Typed::Bad
            }
        }
    }

    fn comparison(&mut self, first: &'t Tree, chain: &'t [Comparison]) -> Typed {
        let mut guard = Guard::default();
        let mut left = self.typed(first);
        let mut left_span = first.span;
        let mut bad = matches!(left, Typed::Bad);
        for link in chain {
            let right = self.typed(&link.right);
            let next = if chain.len() > 1 { right.clone() } else { Typed::Bad };
            match self.compare(link, left, left_span, right) {
                Typed::Truth(value) if chain.len() == 1 => return Typed::Truth(value),
                Typed::Truth(value) => add_conjunct(&mut guard, value),
                Typed::Guard(more) => {
                    guard.discrete.extend(more.discrete);
                    guard.clocks.extend(more.clocks);
                }
                _ => bad = true,
            }
            left = next;
            left_span = link.right.span;
        }
        if bad { Typed::Bad } else { Typed::Guard(guard) }
    }

    fn compare(&mut self, link: &Comparison, left: Typed, left_span: Span, right: Typed) -> Typed {
        let span = left_span.to(link.right.span);
        let op = binary_op(link.op);
        match (&left, &right) {
            (Typed::Bad, _) | (_, Typed::Bad) => return Typed::Bad,
            (Typed::Int(_), Typed::Int(_)) => {}
            _ if link.op == CompareOp::Ne && (left.involves_clock() || right.involves_clock()) => {
                self.diagnostics
                    .error("clock-inequality", link.op_span, "clocks cannot be compared with `!=`")
                    .help("write two edges, one with `<` and one with `>`");
                return Typed::Bad;
            }
            _ => {}
        }
        let mirrored = relation(mirror(link.op));
        match (left, right) {
            (Typed::Int(a), Typed::Int(b)) => match fold::binary(op, a, b, span, self.diagnostics) {
                Some(value) => Typed::Truth(value),
                None => Typed::Bad,
            },
            (Typed::Clock(x), Typed::Int(t)) => constraint(x, None, relation(link.op), t, span),
            (Typed::Int(t), Typed::Clock(x)) => constraint(x, None, mirrored, t, span),
            (Typed::Difference(x, y), Typed::Int(t)) => constraint(x, Some(y), relation(link.op), t, span),
            (Typed::Int(t), Typed::Difference(x, y)) => constraint(x, Some(y), mirrored, t, span),
            (Typed::Clock(x), Typed::Clock(y)) => {
                constraint(x, Some(y), relation(link.op), Expr::Const(0), span)
            }
            (a, b) if a.involves_clock() || b.involves_clock() => {
                let message = format!("{} cannot be compared with {}", a.describe(), b.describe());
                self.diagnostics
                    .error("bad-clock-comparison", span, message)
                    .help("the forms are `x < t`, `x - y < t` and `x < y`, with an integer t");
                Typed::Bad
            }
            (a, b) => {
                self.as_integer(a, left_span);
                self.as_integer(b, link.right.span);
                Typed::Bad
            }
        }
    }
}

/// An index, once checked.
pub(super) enum Position {
    Fixed(u32),
    Computed(Expr),
}

fn int_or_bad(value: Option<Expr>) -> Typed {
    value.map_or(Typed::Bad, Typed::Int)
}

fn article(noun: &str) -> String {
    let an = noun.starts_with(['a', 'e', 'i', 'o', 'u']);
    format!("{} {noun}", if an { "an" } else { "a" })
}

/// Adds a conjunct, unless it is always true.
fn add_conjunct(guard: &mut Guard, conjunct: Expr) {
    if !matches!(conjunct, Expr::Const(value) if value != 0) {
        guard.discrete.push(conjunct);
    }
}

/// `x - y ~ bound`. The difference of a clock with itself is zero, which
/// leaves a comparison of integers.
fn constraint(left: ClockRef, minus: Option<ClockRef>, relation: Relation, bound: Expr, span: Span) -> Typed {
    let same = matches!((&left, &minus), (ClockRef::Fixed(x), Some(ClockRef::Fixed(y))) if x == y);
    if !same {
        let constraint = ClockConstraint { when: None, left, minus, relation, bound, span };
        return Typed::Guard(Guard { discrete: Vec::new(), clocks: vec![constraint] });
    }
    let op = match relation {
        Relation::Lt => BinaryOp::Lt,
        Relation::Le => BinaryOp::Le,
        Relation::Eq => BinaryOp::Eq,
        Relation::Ge => BinaryOp::Ge,
        Relation::Gt => BinaryOp::Gt,
    };
    let mut guard = Guard::default();
    let mut none = dwell_syntax::Diagnostics::default();
    let truth = fold::binary(op, Expr::Const(0), bound, span, &mut none).expect("comparisons do not fail");
    add_conjunct(&mut guard, truth);
    Typed::Guard(guard)
}

fn binary_op(op: CompareOp) -> BinaryOp {
    match op {
        CompareOp::Eq => BinaryOp::Eq,
        CompareOp::Ne => BinaryOp::Ne,
        CompareOp::Lt => BinaryOp::Lt,
        CompareOp::Le => BinaryOp::Le,
        CompareOp::Ge => BinaryOp::Ge,
        CompareOp::Gt => BinaryOp::Gt,
    }
}

/// The comparison with its sides exchanged.
fn mirror(op: CompareOp) -> CompareOp {
    match op {
        CompareOp::Lt => CompareOp::Gt,
        CompareOp::Le => CompareOp::Ge,
        CompareOp::Ge => CompareOp::Le,
        CompareOp::Gt => CompareOp::Lt,
        same => same,
    }
}

/// As a relation between clocks, which `!=` is not; it has been refused.
fn relation(op: CompareOp) -> Relation {
    match op {
        CompareOp::Lt => Relation::Lt,
        CompareOp::Le => Relation::Le,
        CompareOp::Eq | CompareOp::Ne => Relation::Eq,
        CompareOp::Ge => Relation::Ge,
        CompareOp::Gt => Relation::Gt,
    }
}
