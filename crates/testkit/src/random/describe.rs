//! A readable dump of a network, for failure messages.

use std::fmt::Write;

use dwell_model::expr::{BinaryOp, ClockRef, Expr, Guard, Place, Program, Relation, Stmt};
use dwell_model::{ChannelKind, LocationKind, Network, Strength, Sync};

/// The network as text, complete but for source positions.
pub fn describe(network: &Network) -> String {
    Printer { network, out: String::new() }.network()
}

struct Printer<'a> {
    network: &'a Network,
    out: String,
}

impl Printer<'_> {
    fn line(&mut self, text: impl AsRef<str>) {
        self.out.push_str(text.as_ref());
        self.out.push('\n');
    }

    fn network(mut self) -> String {
        let network = self.network;
        self.line(format!("network {} (out of range: {:?})", network.name, network.out_of_range));
        let clocks: Vec<&str> = network.clocks.iter().map(|c| c.name.as_str()).collect();
        self.line(format!("clocks {}", clocks.join(" ")));
        for var in &network.vars {
            self.line(format!("int {} in {}..={} = {}", var.name, var.min, var.max, var.init));
        }
        for channel in &network.channels {
            let kind = if channel.kind == ChannelKind::Broadcast { "broadcast" } else { "binary" };
            let urgent = if channel.urgent { " urgent" } else { "" };
            self.line(format!("channel {} {kind}{urgent}", channel.name));
        }
        for vector in &network.vectors {
            let members = vector.members.iter().map(|m| {
                let weak = if m.strength == Strength::Weak { "?" } else { "" };
                let process = &network.processes[m.process.index()].name;
                format!("{process}@{}{weak}", network.events[m.event.index()])
            });
            self.line(format!("sync {}", members.collect::<Vec<_>>().join(" ")));
        }
        for p in 0..network.processes.len() {
            self.process(p);
        }
        self.out
    }

    fn process(&mut self, p: usize) {
        let network = self.network;
        let process = &network.processes[p];
        let name = |l: dwell_model::LocationId| &process.locations[l.index()].name;
        self.line(format!("process {}", process.name));
        for (l, location) in process.locations.iter().enumerate() {
            let mut text = format!("  location {}", location.name);
            if process.initial.iter().any(|i| i.index() == l) {
                text.push_str(" initial");
            }
            match location.kind {
                LocationKind::Normal => {}
                LocationKind::Urgent => text.push_str(" urgent"),
                LocationKind::Committed => text.push_str(" committed"),
            }
            for label in &location.labels {
                let _ = write!(text, " #{}", network.labels[label.index()]);
            }
            if !location.invariant.is_trivial() {
                let _ = write!(text, " while {}", self.guard(&location.invariant));
            }
            self.line(text);
        }
        for (e, edge) in process.edges.iter().enumerate() {
            let sync = match edge.sync {
                Sync::Internal => String::new(),
                Sync::Send(c) => format!(" {}!", network.channels[c.index()].name),
                Sync::Receive(c) => format!(" {}?", network.channels[c.index()].name),
                Sync::Vector => format!(" @{}", network.events[edge.event.index()]),
            };
            let mut text = format!("  edge {e}: {} -> {}{sync}", name(edge.source), name(edge.target));
            if !edge.guard.is_trivial() {
                let _ = write!(text, " if {}", self.guard(&edge.guard));
            }
            if !edge.update.body.is_empty() {
                let _ = write!(text, " do {}", self.program(&edge.update));
            }
            self.line(text);
        }
    }

    fn guard(&self, guard: &Guard) -> String {
        let discrete = guard.discrete.iter().map(|e| self.expr(e));
        let clocks = guard.clocks.iter().map(|c| {
            let relation = match c.relation {
                Relation::Lt => "<",
                Relation::Le => "<=",
                Relation::Eq => "==",
                Relation::Ge => ">=",
                Relation::Gt => ">",
            };
            let minus = c.minus.as_ref().map_or(String::new(), |m| format!(" - {}", self.clock(m)));
            format!("{}{minus} {relation} {}", self.clock(&c.left), self.expr(&c.bound))
        });
        discrete.chain(clocks).collect::<Vec<_>>().join(" && ")
    }

    fn clock(&self, reference: &ClockRef) -> String {
        match reference {
            ClockRef::Fixed(c) => self.network.clocks[c.index()].name.clone(),
            ClockRef::Element { first, len, index, .. } => {
                let name = &self.network.clocks[first.index()].name;
                format!("({name}..+{len})[{}]", self.expr(index))
            }
        }
    }

    fn var(&self, slot: usize) -> &str {
        &self.network.vars[slot].name
    }

    fn expr(&self, expr: &Expr) -> String {
        match expr {
            Expr::Const(c) => c.to_string(),
            Expr::Var(v) => self.var(v.index()).to_owned(),
            Expr::Element { first, len, index, .. } => {
                format!("({}..+{len})[{}]", self.var(first.index()), self.expr(index))
            }
            Expr::Local(slot) => format!("local{slot}"),
            Expr::LocalElement { first, len, index, .. } => {
                format!("(local{first}..+{len})[{}]", self.expr(index))
            }
            Expr::Neg(e, _) => format!("-{}", self.expr(e)),
            Expr::Not(e) => format!("!{}", self.expr(e)),
            Expr::Binary(op, left, right, _) => {
                format!("({} {} {})", self.expr(left), symbol(*op), self.expr(right))
            }
            Expr::And(left, right) => format!("({} && {})", self.expr(left), self.expr(right)),
            Expr::IfThenElse(c, t, e) => format!("({} ? {} : {})", self.expr(c), self.expr(t), self.expr(e)),
        }
    }

    fn program(&self, program: &Program) -> String {
        self.block(&program.body)
    }

    fn block(&self, body: &[Stmt]) -> String {
        let statements: Vec<String> = body.iter().map(|s| self.statement(s)).collect();
        format!("{{ {} }}", statements.join("; "))
    }

    fn statement(&self, stmt: &Stmt) -> String {
        match stmt {
            Stmt::Assign { place, value, .. } => {
                let place = match place {
                    Place::Var(v) => self.var(v.index()).to_owned(),
                    Place::Element { first, len, index, .. } => {
                        format!("({}..+{len})[{}]", self.var(first.index()), self.expr(index))
                    }
                    Place::Local(slot) => format!("local{slot}"),
                    Place::LocalElement { first, len, index, .. } => {
                        format!("(local{first}..+{len})[{}]", self.expr(index))
                    }
                };
                format!("{place} = {}", self.expr(value))
            }
            Stmt::Reset { clock, from, value, .. } => {
                let from = from.as_ref().map_or(String::new(), |f| format!("{} + ", self.clock(f)));
                format!("{} := {from}{}", self.clock(clock), self.expr(value))
            }
            Stmt::If { condition, then, otherwise } => {
                let otherwise = if otherwise.is_empty() {
                    String::new()
                } else {
                    format!(" else {}", self.block(otherwise))
                };
                format!("if {} {}{otherwise}", self.expr(condition), self.block(then))
            }
            Stmt::While { condition, body, .. } => {
                format!("while {} {}", self.expr(condition), self.block(body))
            }
        }
    }
}

fn symbol(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Ge => ">=",
        BinaryOp::Gt => ">",
    }
}
