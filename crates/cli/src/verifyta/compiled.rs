//! The compiled model (`.if`) that readers of `.xtr` files need.
//!
//! Sections with a name on the first line, comment lines with `#`, and a blank
//! line after each:
//!
//! ```text
//! layout         a cell for each thing that has a number, in one numbering
//!   index:clock:nr:name                   nr 0 is t(0), which is always 0
//!   index:var:min:max:init:nr:name        meta for meta variables
//!   index:location:flags:name             flags: nothing, committed or urgent
//! instructions   none here: UPPAAL's own bytecode
//! processes      index:initial:name                    initial: a cell
//! locations      index:process:invariant               index: a cell
//! edges          process:source:target:guard:sync:update
//! expressions    address:reads:writes:text             no reads, no writes here
//! ```
//!
//! Guards, synchronisations, updates and invariants are addresses of
//! expressions. An edge without synchronisation has `0` there, one without
//! guard or update `1`. Texts are those of the template: parameters and select
//! variables keep their names.

use super::processes::Processes;
use dwell_engine::model_ir::{LocationKind, VarKind};
use std::fmt::Write;

/// The cells of a model: clocks, variables, locations.
struct Cells {
    text: String,
    count: usize,
}

impl Cells {
    fn push(&mut self, cell: &str) -> usize {
        let _ = writeln!(self.text, "{}:{cell}", self.count);
        self.count += 1;
        self.count - 1
    }
}

/// The texts of expressions, each with an address of its own.
#[derive(Default)]
struct Expressions(String, usize);

impl Expressions {
    fn push(&mut self, text: &str) -> usize {
        let _ = writeln!(self.0, "{}:::{text}", self.1);
        self.1 += 1;
        self.1 - 1
    }
}

/// The compiled model.
pub fn compiled(processes: &Processes<'_>) -> String {
    let network = processes.network;
    let mut cells = Cells { text: String::new(), count: 0 };
    cells.push("clock:0:t(0)");
    for (at, clock) in network.clocks.iter().enumerate() {
        cells.push(&format!("clock:{}:{}", at + 1, clock.name));
    }
    let vars = network.vars.iter().filter(|var| var.kind != VarKind::Constant);
    for (nr, var) in vars.enumerate() {
        let kind = if var.kind == VarKind::Meta { "meta" } else { "var" };
        cells.push(&format!("{kind}:{}:{}:{}:{nr}:{}", var.min, var.max, var.init, var.name));
    }
    let (mut starts, mut places, mut edges) = (String::new(), String::new(), String::new());
    let mut expressions = Expressions::default();
    for (at, process) in network.processes.iter().enumerate() {
        let first = cells.count;
        for (location, found) in process.locations.iter().enumerate() {
            let flags = match found.kind {
                LocationKind::Normal => "",
                LocationKind::Committed => "committed",
                LocationKind::Urgent => "urgent",
            };
            let cell = cells.push(&format!("location:{flags}:{}", found.name));
            let invariant = expressions.push(&processes.invariant(at, location));
            let _ = writeln!(places, "{cell}:{at}:{invariant}");
        }
        let start = process.initial.first().map_or(0, |location| location.index());
        let _ = writeln!(starts, "{at}:{}:{}", first + start, process.name);
        for row in processes.rows(at) {
            let guard = expressions.push(&row.guard());
            let sync = expressions.push(row.sync().as_deref().unwrap_or("0"));
            let update = expressions.push(&row.update("="));
            let (from, to) = (first + row.source.index(), first + row.target.index());
            let _ = writeln!(edges, "{at}:{from}:{to}:{guard}:{sync}:{update}");
        }
    }
    let sections = [
        ("layout", "index:kind:...", cells.text),
        ("instructions", "address: opcode", String::new()),
        ("processes", "index:initial:name", starts),
        ("locations", "index:process:invariant", places),
        ("edges", "process:source:target:guard:sync:update", edges),
        ("expressions", "address:reads:writes:text", expressions.0),
    ];
    sections.map(|(name, columns, lines)| format!("{name}\n#{columns}\n{lines}")).join("\n")
}
