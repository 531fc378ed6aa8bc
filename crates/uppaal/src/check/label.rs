//! Labels of locations and edges.

use dwell_syntax::Span;
use dwell_syntax::uppaal::tree::{BinaryOp, Direction, Expr, ExprKind, Select, SyncLabel};

use super::codes;
use super::context::Context;
use super::facts::{EdgeFacts, Style, TemplateFacts};
use super::log::Mark;
use super::operator::root;
use super::types::{ChanKind, Class, Level, Ty};
use super::value;

impl Context {
    pub fn invariant(&mut self, invariant: &Expr, facts: &mut TemplateFacts) {
        let mark = self.mark();
        let mut rates: Vec<&str> = Vec::new();
        for part in conjuncts(invariant) {
            let ty = self.expr(part).ty;
            let fits = match ty {
                Ty::Constraint(class) => class.level == Level::Invariant,
                _ => ty.is_integral(),
            };
            if !fits {
                self.wrong_label(codes::INVARIANT_TYPE, "an invariant", &ty, part.span);
            }
            if let Some(clock) = rate_of(part) {
                if rates.contains(&clock) {
                    let message = format!("the rate of `{clock}` is set twice");
                    self.out.warning(codes::RATE_SET_TWICE, part.span, message);
                }
                rates.push(clock);
            }
            if ty.is_integral() && value::integer(&self.scopes, part) == Some(0) {
                facts.impossible.push(part.span);
            }
        }
        self.require_pure(mark, "an invariant");
        let mut lower = Vec::new();
        for bound in self.clocks_since(mark) {
            let at_zero = bound.bound == Some(0);
            let trivial = at_zero && !bound.strict;
            // Differences are bounded from below by another clock's bound.
            if bound.lower && !bound.upper && bound.clock.is_some() && !trivial {
                lower.push(bound.span);
            }
            if bound.upper && bound.strict {
                facts.strict.push(bound.span);
            }
            let below_zero = bound.bound.is_some_and(|value| value < 0) || (at_zero && bound.strict);
            if bound.upper && bound.clock.is_some() && below_zero {
                facts.impossible.push(bound.span);
            }
        }
        for span in lower {
            let message = "a lower bound in an invariant keeps the location from being entered early";
            self.out
                .warning(codes::INVARIANT_LOWER_BOUND, span, message)
                .help("to leave not before that time, put it into the guards of the edges");
        }
    }

    pub fn select(&mut self, select: &Select) {
        let mark = self.mark();
        let range = self.range(&select.ty, "a selection");
        self.note_sizing(mark);
        self.declare_chosen(&select.name, range);
    }

    /// The guard's type: a constraint if it is about clocks.
    pub fn guard(&mut self, guard: &Expr, facts: &mut EdgeFacts) -> Ty {
        let mark = self.mark();
        let mut whole = Ty::Bool;
        for part in conjuncts(guard) {
            let ty = self.expr(part).ty;
            let fits = match ty {
                Ty::Constraint(class) => class.level <= Level::Guard && !class.rate,
                _ => ty.is_integral(),
            };
            if !fits {
                self.wrong_label(codes::GUARD_TYPE, "a guard", &ty, part.span);
            } else if let Ty::Constraint(_) = ty {
                whole = ty;
            } else {
                facts.never |= value::integer(&self.scopes, part) == Some(0);
            }
        }
        self.require_pure(mark, "a guard");
        let waits = self.clocks_since(mark).iter().filter(|bound| bound.lower);
        facts.waits_for = waits
            .filter(|bound| bound.strict || bound.bound != Some(0))
            .filter_map(|bound| bound.clock)
            .collect();
        whole
    }

    /// A condition of the wrong kind for its place.
    fn wrong_label(&mut self, code: &'static str, what: &str, ty: &Ty, span: Span) {
        let (message, help) = match ty {
            Ty::Constraint(Class { rate: true, level: Level::Invariant | Level::Guard }) => {
                (format!("{what} cannot set the rate of a clock"), "rates belong into invariants")
            }
            Ty::Constraint(Class { level: Level::Guard, .. }) => {
                (format!("{what} cannot fix the value of a clock"), "bound it from above: `x <= 5`")
            }
            Ty::Constraint(_) => (
                format!("{what} cannot be a choice between conditions on clocks, nor the opposite of one"),
                "only one side of `||` may be about clocks, and `!` none; use several edges or locations",
            ),
            _ => (format!("{what} must be a condition, and this is of type `{ty}`"), ""),
        };
        let report = self.out.error(code, span, message);
        if !help.is_empty() {
            report.help(help);
        }
    }

    /// The kind of the channel, if it is one.
    pub fn sync(&mut self, sync: &SyncLabel, facts: &mut EdgeFacts) -> Option<ChanKind> {
        let style = if sync.direction == Direction::Csp { Style::Csp } else { Style::SendReceive };
        if *self.facts.style.get_or_insert(style) != style {
            let message = "a model synchronises either by `c!` and `c?` or by bare `c`, not both";
            self.out
                .error(codes::MIXED_SYNCHRONISATION, sync.span, message)
                .help("`!` sends and `?` receives");
        }
        let mark = self.mark();
        let ty = self.expr(&sync.channel).ty;
        self.require_pure(mark, "a synchronisation");
        let root = root(&sync.channel).and_then(|name| self.scopes.get(name));
        facts.channel = root.map(|symbol| (symbol.id, sync.direction));
        match ty {
            Ty::Chan(kind) => Some(kind),
            Ty::Error => None,
            _ => {
                let message = format!("only channels synchronise, and this is of type `{ty}`");
                let report = self.out.error(codes::CHANNEL_EXPECTED, sync.channel.span, message);
                if let (Ty::Array(_), Ty::Chan(_)) = (&ty, ty.innermost()) {
                    report.help("pick an element of the array: `c[i]`");
                }
                None
            }
        }
    }

    /// A guard on clocks of an urgent edge: time must stop the moment it
    /// becomes true, and after a strict bound there is no such moment.
    pub fn urgent_guard(&mut self, guard: &Expr, before: Mark) {
        let strict = self.clocks_since(before).iter().find(|bound| bound.lower && bound.strict);
        match strict.map(|bound| bound.span) {
            Some(span) => {
                let message = "a strict guard on an urgent edge: it has no first moment";
                self.out.warning(codes::URGENT_STRICT_GUARD, span, message).help("write `>=`");
            }
            None => {
                let message = "an urgent edge has a guard on clocks";
                self.out.warning(codes::URGENT_CLOCK_GUARD, guard.span, message).help(
                    "time stops the moment the guard becomes true; lower bounds such as `x >= 5` are safe",
                );
            }
        }
    }

    /// A weight or rate.
    pub fn weight(&mut self, weight: &Expr, what: &str) {
        let mark = self.mark();
        let ty = self.expr(weight).ty;
        if !ty.is_arithmetic() {
            let message = format!("{what} must be a number, and this is of type `{ty}`");
            self.out.error(codes::PROBABILITY_TYPE, weight.span, message);
        }
        self.require_pure(mark, what);
    }
}

/// The parts of a conjunction, from left to right.
fn conjuncts(e: &Expr) -> Vec<&Expr> {
    let mut parts = Vec::new();
    let mut rest = vec![e];
    while let Some(e) = rest.pop() {
        match &e.kind {
            ExprKind::Binary(BinaryOp::And, left, right) => rest.extend([&**right, &**left]),
            _ => parts.push(e),
        }
    }
    parts
}

/// The clock whose rate a condition sets.
fn rate_of(e: &Expr) -> Option<&str> {
    let ExprKind::Binary(BinaryOp::Eq, left, right) = &e.kind else { return None };
    let ((ExprKind::Rate(clock), _) | (_, ExprKind::Rate(clock))) = (&left.kind, &right.kind) else {
        return None;
    };
    match &clock.kind {
        ExprKind::Name(name) => Some(name),
        _ => None,
    }
}
