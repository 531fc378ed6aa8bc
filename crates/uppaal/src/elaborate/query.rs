//! Queries, as properties of the network.

use dwell_model::expr::Expr;
use dwell_model::property::{Extremum, Formula, Measured, Property, Quantity};
use dwell_syntax::uppaal::tree::{self, Query, QueryKind};

use super::Elaborator;
use super::condition::{Cond, Linear};
use super::expression::Value;
use super::text::expression_text;

impl<'a> Elaborator<'a> {
    /// The property a query asks for. Diagnostics say what is wrong with it.
    pub(super) fn property(&mut self, query: &'a Query) -> Option<Property> {
        let property = match &query.kind {
            QueryKind::Possibly(p) => {
                let p = self.cond(p);
                Property::Possibly(self.formula(p))
            }
            QueryKind::Invariantly(p) => {
                let p = self.cond(p);
                Property::Invariantly { violation: self.negation(p) }
            }
            QueryKind::PotentiallyAlways(p) => {
                let p = self.live_cond(p);
                Property::PotentiallyAlways(self.formula(p))
            }
            QueryKind::Eventually(p) => {
                let p = self.live_cond(p);
                Property::Eventually { avoiding: self.negation(p) }
            }
            QueryKind::LeadsTo(p, q) => {
                let (p, q) = (self.live_cond(p), self.live_cond(q));
                let p = self.formula(p);
                Property::LeadsTo(p, self.negation(q))
            }
            QueryKind::Extremum(extremum, p, measured) => self.extremum(*extremum, p.as_ref(), measured),
            QueryKind::Until(..) => return self.refuse(query, "`A[ p U q ]`"),
            QueryKind::WeakUntil(..) => return self.refuse(query, "`A[ p W q ]`"),
            QueryKind::Unsupported(what) => return self.refuse(query, what),
        };
        (!self.diagnostics.has_errors()).then_some(property)
    }

    fn refuse(&mut self, query: &Query, what: &str) -> Option<Property> {
        self.unsupported(what, query.span);
        None
    }

    fn negation(&mut self, cond: Cond) -> Formula {
        let cond = self.negate(cond);
        self.formula(cond)
    }

    /// A condition in which `deadlock` has no meaning.
    fn live_cond(&mut self, e: &'a tree::Expr) -> Cond {
        let cond = self.cond(e);
        if has_deadlock(&cond) {
            self.unsupported("`deadlock` outside `E<>` and `A[]`", e.span);
        }
        cond
    }

    fn extremum(
        &mut self,
        extremum: tree::Extremum,
        p: Option<&'a tree::Expr>,
        measured: &'a [tree::Expr],
    ) -> Property {
        let extremum = match extremum {
            tree::Extremum::Sup => Extremum::Sup,
            tree::Extremum::Inf => Extremum::Inf,
            tree::Extremum::Bounds => Extremum::Bounds,
        };
        let formula = match p {
            None => Formula::Discrete(Expr::Const(1)),
            Some(p) => {
                let p = self.live_cond(p);
                self.formula(p)
            }
        };
        let mut quantities = Vec::new();
        for e in measured {
            let value = match self.value(e) {
                Value::Clock(Linear { plus: Some(clock), minus: None, offset: Expr::Const(0) }) => {
                    Measured::Clock(clock)
                }
                Value::Clock(_) => {
                    self.unsupported("a sum or difference of clocks in `sup`, `inf` or `bounds`", e.span);
                    continue;
                }
                other => Measured::Integer(self.as_int(other, e.span)),
            };
            quantities.push(Quantity { text: expression_text(e), value });
        }
        Property::Extremum(extremum, formula, quantities)
    }
}

fn has_deadlock(cond: &Cond) -> bool {
    match cond {
        Cond::Deadlock(_) => true,
        Cond::All(list) | Cond::Any(list) => list.iter().any(has_deadlock),
        Cond::Discrete(_) | Cond::Clock(_) | Cond::Rate(..) => false,
    }
}
