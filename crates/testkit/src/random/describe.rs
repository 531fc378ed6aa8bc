//! A readable dump of a network, for failure messages.

use std::fmt::Write;

use dwell_model::expr::{BinaryOp, ClockConstraint, ClockRef, Expr, Guard, Place, Program, Relation, Stmt};
use dwell_model::property::Formula;
use dwell_model::{ChannelKind, ChannelRef, LocationKind, Network, Strength, Sync, VarKind};

/// The network as text, complete but for source positions.
pub fn describe(network: &Network) -> String {
    Printer { network, out: String::new() }.network()
}

/// A formula about the network as text.
pub fn describe_formula(network: &Network, formula: &Formula) -> String {
    Printer { network, out: String::new() }.formula(formula)
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
        let (range, overflow) = (network.out_of_range, network.overflow);
        self.line(format!("network {} (out of range: {range:?}, overflow: {overflow:?})", network.name));
        let clocks: Vec<String> = network.clocks.iter().map(|c| format!("{} = {}", c.name, c.init)).collect();
        self.line(format!("clocks {}", clocks.join(", ")));
        for var in &network.vars {
            let kind = match var.kind {
                VarKind::State => "",
                VarKind::Meta => "meta ",
                VarKind::Constant => "const ",
            };
            self.line(format!("{kind}int {} in {}..={} = {}", var.name, var.min, var.max, var.init));
        }
        for f in &network.functions {
            let params = (f.first_param..f.first_param + f.params).map(|slot| format!("local{slot}"));
            let params = params.collect::<Vec<_>>().join(", ");
            let body = self.block(&f.body);
            self.line(format!("function {}({params}) in {}..={} {body}", f.name, f.min, f.max));
        }
        for (when, update) in [("before", &network.before_update), ("after", &network.after_update)] {
            if !update.body.is_empty() {
                self.line(format!("{when} every transition {}", self.program(update)));
            }
        }
        for channel in &network.channels {
            let kind = if channel.kind == ChannelKind::Broadcast { "broadcast" } else { "binary" };
            let urgent = if channel.urgent { " urgent" } else { "" };
            let level =
                if network.has_priorities() { format!(" level {}", channel.priority) } else { String::new() };
            self.line(format!("channel {} {kind}{urgent}{level}", channel.name));
        }
        if network.has_priorities() {
            self.line(format!("no channel level {}", network.internal_priority));
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
        let level =
            if network.has_priorities() { format!(" level {}", process.priority) } else { String::new() };
        self.line(format!("process {}{level}", process.name));
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
            for (clock, rate) in &location.rates {
                let _ = write!(text, " rate of {} {}", self.clock(clock), self.expr(rate));
            }
            self.line(text);
        }
        for (e, edge) in process.edges.iter().enumerate() {
            let sync = match &edge.sync {
                Sync::Internal => String::new(),
                Sync::Send(channel) => format!(" {}!", self.channel(channel)),
                Sync::Receive(channel) => format!(" {}?", self.channel(channel)),
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

    fn formula(&self, formula: &Formula) -> String {
        let list = |parts: &[Formula]| parts.iter().map(|p| self.formula(p)).collect::<Vec<_>>().join(", ");
        match formula {
            Formula::Discrete(e) => self.expr(e),
            Formula::Clock(c) => self.constraint(c),
            Formula::And(parts) => format!("all of [{}]", list(parts)),
            Formula::Or(parts) => format!("one of [{}]", list(parts)),
            Formula::Deadlock(true) => "deadlock".to_owned(),
            Formula::Deadlock(false) => "no deadlock".to_owned(),
        }
    }

    fn guard(&self, guard: &Guard) -> String {
        let discrete = guard.discrete.iter().map(|e| self.expr(e));
        let clocks = guard.clocks.iter().map(|c| self.constraint(c));
        discrete.chain(clocks).collect::<Vec<_>>().join(" && ")
    }

    fn constraint(&self, c: &ClockConstraint) -> String {
        let relation = match c.relation {
            Relation::Lt => "<",
            Relation::Le => "<=",
            Relation::Eq => "==",
            Relation::Ge => ">=",
            Relation::Gt => ">",
        };
        let when = c.when.as_ref().map_or(String::new(), |when| format!("{} => ", self.expr(when)));
        let minus = c.minus.as_ref().map_or(String::new(), |m| format!(" - {}", self.clock(m)));
        format!("{when}{}{minus} {relation} {}", self.clock(&c.left), self.expr(&c.bound))
    }

    fn channel(&self, reference: &ChannelRef) -> String {
        let name = &self.network.channels[reference.range().0.index()].name;
        match reference {
            ChannelRef::Fixed(_) => name.clone(),
            ChannelRef::Element { len, index, .. } => format!("({name}..+{len})[{}]", self.expr(index)),
        }
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
            Expr::Index { index, low, len, .. } => format!("({} in {low}..+{len})", self.expr(index)),
            Expr::Checked { value, min, max, .. } => format!("({} in {min}..={max})", self.expr(value)),
            Expr::Call(function, args, _) => {
                let args: Vec<String> = args.iter().map(|e| self.expr(e)).collect();
                format!("{}({})", self.network.functions[function.index()].name, args.join(", "))
            }
            Expr::Seq(body, value) => format!("({} then {})", self.block(body), self.expr(value)),
            Expr::At(process, location) => {
                let process = &self.network.processes[process.index()];
                format!("{}.{}", process.name, process.locations[location.index()].name)
            }
            Expr::Neg(e, _) => format!("-{}", self.expr(e)),
            Expr::Not(e) => format!("!{}", self.expr(e)),
            Expr::Binary(op, left, right, _) => {
                format!("({} {} {})", self.expr(left), symbol(*op), self.expr(right))
            }
            Expr::And(left, right) => format!("({} && {})", self.expr(left), self.expr(right)),
            Expr::Or(left, right) => format!("({} || {})", self.expr(left), self.expr(right)),
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
            Stmt::Eval(e) => self.expr(e),
            Stmt::Assert { condition, .. } => format!("assert {}", self.expr(condition)),
            Stmt::Return(None) => "return".to_owned(),
            Stmt::Return(Some(e)) => format!("return {}", self.expr(e)),
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
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::Min => "<?",
        BinaryOp::Max => ">?",
        BinaryOp::Pow => "**",
    }
}
