//! Expressions and statements of a network as text, in either language.

use super::names::{Names, Slots};
use dwell_model::expr::{BinaryOp, ClockConstraint, ClockRef, Expr, Guard, Place, Program, Relation, Stmt};
use dwell_model::visit::{self, Node};
use dwell_model::{Network, VarKind};
use std::fmt::Write;

/// The language that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    /// TChecker's.
    Tck,
    /// UPPAAL's.
    Uppaal,
}

/// Why something cannot be written.
pub(super) type Written<T> = Result<T, String>;

/// Writes the parts of one network.
pub(super) struct Writer<'n> {
    pub network: &'n Network,
    pub language: Language,
    pub vars: Slots,
    pub clocks: Slots,
}

impl<'n> Writer<'n> {
    pub fn new(network: &'n Network, language: Language, names: &mut Names) -> Written<Self> {
        let (vars, clocks) = arrays(network);
        let var_names: Vec<&str> = network.vars.iter().map(|v| v.name.as_str()).collect();
        let clock_names: Vec<&str> = network.clocks.iter().map(|c| c.name.as_str()).collect();
        let vars = Slots::new(&var_names, vars, names)?;
        let clocks = Slots::new(&clock_names, clocks, names)?;
        Ok(Self { network, language, vars, clocks })
    }

    /// A condition.
    pub fn condition(&self, expr: &Expr) -> Written<String> {
        Ok(match expr {
            Expr::Const(0) => "1 == 0".into(),
            Expr::Const(_) => "1 == 1".into(),
            Expr::And(l, r) => format!("({} && {})", self.condition(l)?, self.condition(r)?),
            Expr::Or(l, r) => match self.language {
                Language::Uppaal => format!("({} || {})", self.condition(l)?, self.condition(r)?),
                // There is no `||`.
                Language::Tck => {
                    let right = self.choice(&self.condition(r)?, "1", "0");
                    format!("{} == 1", self.choice(&self.condition(l)?, "1", &right))
                }
            },
            // Conjunctions cannot be negated there.
            Expr::Not(e) if self.language == Language::Tck && matches!(**e, Expr::And(..)) => {
                format!("{} == 1", self.choice(&self.condition(e)?, "0", "1"))
            }
            Expr::Not(e) => format!("!({})", self.condition(e)?),
            Expr::Binary(op, l, r, _) if comparison(*op).is_some() => {
                let op = comparison(*op).expect("just asked");
                format!("{} {op} {}", self.term(l)?, self.term(r)?)
            }
            e => format!("{} != 0", self.term(e)?),
        })
    }

    /// A number.
    pub fn term(&self, expr: &Expr) -> Written<String> {
        Ok(match expr {
            Expr::Const(value) if *value < 0 => format!("({value})"),
            Expr::Const(value) => value.to_string(),
            Expr::Var(var) => match &self.network.vars[var.index()] {
                constant if constant.kind == VarKind::Constant => self.term(&Expr::Const(constant.init))?,
                _ => self.vars.slot(var.index()),
            },
            Expr::Element { first, index, .. } => {
                format!("{}[{}]", self.vars.array(first.index()), self.term(index)?)
            }
            Expr::Local(slot) => format!("local{slot}"),
            Expr::LocalElement { first, index, .. } => format!("local{first}[{}]", self.term(index)?),
            Expr::Neg(e, _) => format!("(-{})", self.term(e)?),
            Expr::Binary(op, l, r, _) if arithmetic(*op).is_some() => {
                let op = arithmetic(*op).expect("just asked");
                format!("({} {op} {})", self.term(l)?, self.term(r)?)
            }
            Expr::Binary(op @ (BinaryOp::Min | BinaryOp::Max), l, r, _) => {
                let op = if *op == BinaryOp::Min { "<" } else { ">" };
                let (l, r) = (self.term(l)?, self.term(r)?);
                self.choice(&format!("{l} {op} {r}"), &l, &r)
            }
            Expr::IfThenElse(c, t, e) => self.choice(&self.condition(c)?, &self.term(t)?, &self.term(e)?),
            Expr::Not(_) | Expr::And(..) | Expr::Or(..) => self.choice(&self.condition(expr)?, "1", "0"),
            Expr::Binary(op, ..) if comparison(*op).is_some() => {
                self.choice(&self.condition(expr)?, "1", "0")
            }
            Expr::Binary(op, l, r, _) if self.language == Language::Uppaal => {
                format!("({} {} {})", self.term(l)?, bitwise(*op), self.term(r)?)
            }
            Expr::Binary(..) => return Err("bit operations, shifts and powers".into()),
            Expr::Call(..) => return Err("calls of functions".into()),
            Expr::Seq(..) => return Err("effects inside expressions, or quantifiers over long ranges".into()),
            Expr::Index { .. } => {
                return Err("arrays with several dimensions or other indices than 0 to n-1".into());
            }
            Expr::Checked { .. } => return Err("range checks inside expressions".into()),
            Expr::At(..) => return Err("tests of locations".into()),
        })
    }

    fn choice(&self, condition: &str, then: &str, otherwise: &str) -> String {
        match self.language {
            Language::Uppaal => format!("({condition} ? {then} : {otherwise})"),
            Language::Tck => format!("(if {condition} then {then} else {otherwise})"),
        }
    }

    pub fn clock(&self, clock: &ClockRef) -> Written<String> {
        Ok(match clock {
            ClockRef::Fixed(clock) => self.clocks.slot(clock.index()),
            ClockRef::Element { first, index, .. } => {
                format!("{}[{}]", self.clocks.array(first.index()), self.term(index)?)
            }
        })
    }

    fn constraint(&self, c: &ClockConstraint) -> Written<String> {
        let relation = match c.relation {
            Relation::Lt => "<",
            Relation::Le => "<=",
            Relation::Eq => "==",
            Relation::Ge => ">=",
            Relation::Gt => ">",
        };
        let left = match &c.minus {
            None => self.clock(&c.left)?,
            Some(minus) => format!("{} - {}", self.clock(&c.left)?, self.clock(minus)?),
        };
        let plain = format!("{left} {relation} {}", self.term(&c.bound)?);
        match &c.when {
            None => Ok(plain),
            Some(when) if self.language == Language::Uppaal => {
                Ok(format!("(!({}) || {plain})", self.condition(when)?))
            }
            Some(_) => Err("clock constraints under conditions".into()),
        }
    }

    /// A guard or invariant; empty when it always holds.
    pub fn guard(&self, guard: &Guard) -> Written<String> {
        let discrete = guard.discrete.iter().map(|e| self.condition(e));
        let clocks = guard.clocks.iter().map(|c| self.constraint(c));
        Ok(discrete.chain(clocks).collect::<Written<Vec<String>>>()?.join(" && "))
    }

    pub fn place(&self, place: &Place) -> Written<String> {
        Ok(match place {
            Place::Var(var) => self.vars.slot(var.index()),
            Place::Element { first, index, .. } => {
                format!("{}[{}]", self.vars.array(first.index()), self.term(index)?)
            }
            Place::Local(slot) => format!("local{slot}"),
            Place::LocalElement { first, index, .. } => format!("local{first}[{}]", self.term(index)?),
        })
    }

    /// One assignment, without a mark at its end.
    fn assignment(&self, stmt: &Stmt) -> Written<Option<String>> {
        Ok(match stmt {
            Stmt::Assign { place, value, .. } => {
                Some(format!("{} = {}", self.place(place)?, self.term(value)?))
            }
            Stmt::Reset { clock, from, value, .. } => {
                let value = match (from, value) {
                    (None, value) => self.term(value)?,
                    (Some(from), Expr::Const(0)) => self.clock(from)?,
                    (Some(from), value) => format!("{} + {}", self.clock(from)?, self.term(value)?),
                };
                Some(format!("{} = {value}", self.clock(clock)?))
            }
            _ => None,
        })
    }

    /// An update as assignments, if it is nothing but that.
    pub fn assignments(&self, program: &Program) -> Written<Option<Vec<String>>> {
        if program.locals > 0 {
            return Ok(None);
        }
        program.body.iter().map(|stmt| self.assignment(stmt)).collect()
    }

    /// Statements: `a = 1; if … end` in TChecker's language, with semicolons
    /// and braces in UPPAAL's.
    pub fn statements(&self, body: &[Stmt]) -> Written<String> {
        let uppaal = self.language == Language::Uppaal;
        let mut parts = Vec::new();
        for stmt in body {
            if let Some(assignment) = self.assignment(stmt)? {
                parts.push(if uppaal { format!("{assignment};") } else { assignment });
                continue;
            }
            parts.push(match stmt {
                Stmt::If { condition, then, otherwise } => {
                    let (c, t) = (self.condition(condition)?, self.sequence(then)?);
                    let e = if otherwise.is_empty() { None } else { Some(self.sequence(otherwise)?) };
                    match (uppaal, e) {
                        (true, None) => format!("if ({c}) {{ {t} }}"),
                        (true, Some(e)) => format!("if ({c}) {{ {t} }} else {{ {e} }}"),
                        (false, None) => format!("if {c} then {t} end"),
                        (false, Some(e)) => format!("if {c} then {t} else {e} end"),
                    }
                }
                Stmt::While { condition, body, .. } => {
                    let (c, b) = (self.condition(condition)?, self.sequence(body)?);
                    if uppaal { format!("while ({c}) {{ {b} }}") } else { format!("while {c} do {b} end") }
                }
                Stmt::Assert { .. } => return Err("assertions".into()),
                _ => return Err("calls of functions".into()),
            });
        }
        Ok(parts.join(if uppaal { " " } else { "; " }))
    }

    fn sequence(&self, body: &[Stmt]) -> Written<String> {
        let text = self.statements(body)?;
        Ok(if text.is_empty() && self.language == Language::Tck { "nop".into() } else { text })
    }

    /// Declarations of the locals of an update.
    pub fn locals(&self, program: &Program) -> String {
        let mut arrays = Vec::new();
        local_arrays(&program.body, &mut arrays);
        let mut out = String::new();
        let mut slot = 0;
        while slot < program.locals {
            let len = arrays.iter().find(|&&(first, _)| first == slot).map(|&(_, len)| len);
            let dims = len.map(|len| format!("[{len}]")).unwrap_or_default();
            let _ = match self.language {
                Language::Uppaal => write!(out, "int32_t local{slot}{dims}; "),
                Language::Tck => write!(out, "local local{slot}{dims}; "),
            };
            slot += len.unwrap_or(1).max(1);
        }
        out
    }
}

/// Ranges of variables and of clocks that are picked from by an index.
#[allow(clippy::type_complexity)]
fn arrays(network: &Network) -> (Vec<(usize, usize)>, Vec<(usize, usize)>) {
    let (mut vars, mut clocks) = (Vec::new(), Vec::new());
    visit::nodes(network, &mut |node| match node {
        Node::Expr(Expr::Element { first, len, .. })
        | Node::Stmt(Stmt::Assign { place: Place::Element { first, len, .. }, .. }) => {
            vars.push((first.index(), *len as usize));
        }
        Node::Clock(ClockRef::Element { first, len, .. }) => clocks.push((first.index(), *len as usize)),
        _ => {}
    });
    (vars, clocks)
}

fn local_arrays(body: &[Stmt], found: &mut Vec<(u32, u32)>) {
    visit::block(body, &mut |node| {
        if let Node::Expr(Expr::LocalElement { first, len, .. })
        | Node::Stmt(Stmt::Assign { place: Place::LocalElement { first, len, .. }, .. }) = node
        {
            found.push((*first, *len));
        }
    });
}

fn comparison(op: BinaryOp) -> Option<&'static str> {
    Some(match op {
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Ge => ">=",
        BinaryOp::Gt => ">",
        _ => return None,
    })
}

fn arithmetic(op: BinaryOp) -> Option<&'static str> {
    Some(match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        _ => return None,
    })
}

fn bitwise(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        _ => "**",
    }
}
