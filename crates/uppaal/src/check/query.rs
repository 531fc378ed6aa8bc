//! Queries.

use dwell_syntax::uppaal::tree::{Expr, Query, QueryKind};

use super::Checker;
use super::codes;
use super::context::Context;
use super::types::{Class, Ty};

impl Checker<'_> {
    /// Checks a query in a context that sees the model.
    pub(super) fn check_query(&self, query: &Query) -> Context {
        let mut cx = self.context.for_query();
        let facts = &self.context.facts;
        match &query.kind {
            QueryKind::Possibly(p) | QueryKind::Invariantly(p) => {
                cx.formula(p);
            }
            QueryKind::PotentiallyAlways(p) | QueryKind::Eventually(p) => {
                cx.formula(p);
                cx.no_deadlock();
            }
            QueryKind::LeadsTo(p, q) | QueryKind::Until(p, q) | QueryKind::WeakUntil(p, q) => {
                cx.formula(p);
                cx.formula(q);
                cx.no_deadlock();
            }
            QueryKind::Extremum(_, predicate, list) => {
                if let Some(predicate) = predicate {
                    cx.formula(predicate);
                }
                for e in list {
                    cx.extremum(e);
                }
                cx.no_deadlock();
            }
            QueryKind::Unsupported(_) => return cx,
        }
        if facts.dynamic {
            let message = "a model with dynamic templates can only be simulated";
            cx.out.error(codes::DYNAMIC_TEMPLATES, query.span, message);
        } else if let Some((ty, span)) = cx.floating.take() {
            let what = if matches!(ty, Ty::Double) { "a floating-point number" } else { "a hybrid clock" };
            let message = format!("symbolic queries cannot ask about {what}");
            cx.out.error(codes::NOT_SYMBOLIC, span, message);
        }
        cx
    }
}

impl Context {
    fn formula(&mut self, e: &Expr) {
        let mark = self.mark();
        let ty = self.expr(e).ty;
        let (message, help) = match ty {
            Ty::Constraint(Class { rate: true, .. }) => {
                ("a formula cannot ask about the rate of a clock".to_owned(), "")
            }
            Ty::Process(_) | Ty::ProcessSet(_) => {
                ("a process is no formula".to_owned(), "ask about one of its locations: `P.idle`")
            }
            _ if ty.is_condition() => (String::new(), ""),
            _ => (format!("a formula must be a condition, and this is of type `{ty}`"), ""),
        };
        if !message.is_empty() {
            let report = self.out.error(codes::INVALID_FORMULA, e.span, message);
            if !help.is_empty() {
                report.help(help);
            }
        }
        self.require_pure(mark, "a formula");
    }

    /// What `sup` and `inf` range over.
    fn extremum(&mut self, e: &Expr) {
        let mark = self.mark();
        let ty = self.expr(e).ty;
        if !ty.is_integral() && !ty.is_clock() {
            // What is floating is reported as such.
            if !matches!(ty, Ty::Double) {
                let message = format!("only integers and clocks have bounds, and this is of type `{ty}`");
                self.out.error(codes::EXTREMUM_TYPE, e.span, message);
            }
        }
        self.require_pure(mark, "a formula");
    }

    fn no_deadlock(&mut self) {
        if let Some(span) = self.deadlock {
            let message = "`deadlock` can only be asked about in `E<>` and `A[]`";
            self.out.error(codes::DEADLOCK_PLACEMENT, span, message);
        }
    }
}
