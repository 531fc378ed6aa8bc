//! What expressions read, write and compare.
//!
//! All of it is logged as expressions are walked. Whoever asks about an
//! expression takes a [`Mark`] before it and looks at what came after.

use std::rc::Rc;

use dwell_syntax::Span;

use super::codes;
use super::context::Context;
use super::scope::{Kind, Owner, Passing, Symbol};
use super::types::Ty;

/// What happened in the expressions walked so far.
#[derive(Default)]
pub(super) struct Log {
    /// What is read, and the sub-expression that does it.
    pub reads: Vec<(Rc<Symbol>, Span)>,
    pub writes: Vec<(Rc<Symbol>, Span)>,
    pub clocks: Vec<ClockBound>,
    /// Calls of functions written elsewhere, which may do anything.
    pub external: usize,
}

/// A comparison of a clock or difference with a number.
pub(super) struct ClockBound {
    /// All of it.
    pub span: Span,
    /// The clock, or the array or structure it is part of; `None` for a
    /// difference.
    pub clock: Option<u32>,
    /// The value must be at least the bound.
    pub lower: bool,
    /// The value must be at most the bound.
    pub upper: bool,
    pub strict: bool,
    /// The bound, where it is known.
    pub bound: Option<i32>,
}

/// A point of the [`Log`].
#[derive(Clone, Copy)]
pub(super) struct Mark {
    reads: usize,
    writes: usize,
    clocks: usize,
    external: usize,
}

/// How often each symbol was used, by symbol id.
#[derive(Default)]
pub(super) struct Uses {
    /// Everything declared, in order.
    pub symbols: Vec<Rc<Symbol>>,
    counts: Vec<(u32, u32)>,
}

impl Uses {
    pub fn read(&mut self, id: u32) {
        self.count(id).0 += 1;
    }

    pub fn write(&mut self, id: u32) {
        self.count(id).1 += 1;
    }

    /// Reads and writes.
    pub fn of(&self, id: u32) -> (u32, u32) {
        self.counts.get(id as usize).copied().unwrap_or_default()
    }

    /// Adds what a query used.
    pub fn add(&mut self, other: &Uses) {
        for (id, &(reads, writes)) in other.counts.iter().enumerate() {
            if reads + writes > 0 {
                let count = self.count(id as u32);
                *count = (count.0 + reads, count.1 + writes);
            }
        }
    }

    fn count(&mut self, id: u32) -> &mut (u32, u32) {
        let at = id as usize;
        if at >= self.counts.len() {
            self.counts.resize(at + 1, (0, 0));
        }
        &mut self.counts[at]
    }
}

impl Context {
    pub fn mark(&self) -> Mark {
        let log = &self.log;
        Mark {
            reads: log.reads.len(),
            writes: log.writes.len(),
            clocks: log.clocks.len(),
            external: log.external,
        }
    }

    /// Forgets what came after the mark; for the end of a declaration.
    pub fn forget(&mut self, mark: Mark) {
        self.log.reads.truncate(mark.reads);
        self.log.writes.truncate(mark.writes);
        self.log.clocks.truncate(mark.clocks);
    }

    pub fn reads_since(&self, mark: Mark) -> &[(Rc<Symbol>, Span)] {
        &self.log.reads[mark.reads..]
    }

    pub fn writes_since(&self, mark: Mark) -> &[(Rc<Symbol>, Span)] {
        &self.log.writes[mark.writes..]
    }

    pub fn clocks_since(&self, mark: Mark) -> &[ClockBound] {
        &self.log.clocks[mark.clocks..]
    }

    /// Something may have changed, as far as one can tell.
    pub fn has_effect_since(&self, mark: Mark) -> bool {
        self.log.writes.len() > mark.writes || self.called_external_since(mark)
    }

    pub fn called_external_since(&self, mark: Mark) -> bool {
        self.log.external > mark.external
    }

    /// Reports the first side effect after the mark. `what` starts the
    /// sentence: "a guard".
    pub fn require_pure(&mut self, mark: Mark, what: &str) {
        if let Some((symbol, span)) = self.writes_since(mark).first() {
            let message = format!("{what} must not change anything, and this changes `{}`", symbol.name);
            let report = self.out.error(codes::SIDE_EFFECT, *span, message);
            if matches!(what, "a guard" | "an invariant" | "a formula") {
                report.help("`=` assigns; `==` compares");
            }
            // Reported once, not again for whatever surrounds it.
            self.log.writes.truncate(mark.writes);
        }
    }

    /// Reports the first thing read after the mark that is not known before
    /// the model runs.
    pub fn require_constant(&mut self, mark: Mark, what: &str) {
        let Some((symbol, span)) =
            self.reads_since(mark).iter().find(|(symbol, _)| !is_computable(symbol)).cloned()
        else {
            return;
        };
        let message = format!("{what} must be known before the model runs, and `{}` is not", symbol.name);
        let report = self.out.error(codes::NOT_COMPILE_TIME, span, message);
        match symbol.kind {
            Kind::Parameter(Passing::Value, _) => {
                report.help(format!("declare the parameter `{}` as `const`", symbol.name));
            }
            Kind::Variable(_) => report.help(format!("`{}` is a variable, not a constant", symbol.name)),
            _ => {}
        }
        self.log.reads.truncate(mark.reads);
    }

    /// The template parameters that what came after the mark depends on.
    pub fn parameters_since(&self, mark: Mark) -> Vec<Rc<Symbol>> {
        let mut found: Vec<Rc<Symbol>> = Vec::new();
        for (symbol, _) in self.reads_since(mark) {
            match &symbol.kind {
                Kind::Parameter(_, Owner::Template | Owner::Instantiation) => found.push(symbol.clone()),
                Kind::Constant(constant) => found.extend(constant.from.iter().cloned()),
                Kind::Type(name) => found.extend(name.from.iter().cloned()),
                _ => {}
            }
        }
        found.sort_unstable_by_key(|symbol| symbol.id);
        found.dedup_by_key(|symbol| symbol.id);
        found
    }

    /// Notes that a size depends on what came after the mark.
    pub fn note_sizing(&mut self, mark: Mark) {
        for symbol in self.parameters_since(mark) {
            self.sizing.insert(symbol.id);
        }
    }
}

/// Known before the model runs (LANGUAGE 3).
fn is_computable(symbol: &Symbol) -> bool {
    match symbol.kind {
        Kind::Constant(_) | Kind::Chosen | Kind::Missing => true,
        // What an instantiation is given are constants by then.
        Kind::Parameter(_, Owner::Instantiation) => true,
        Kind::Parameter(passing, Owner::Template) => {
            passing == Passing::ConstValue && !matches!(symbol.ty, Ty::Double)
        }
        Kind::Parameter(_, Owner::Function) => false,
        Kind::Variable(_) => symbol.ty.is_error(),
        _ => true,
    }
}
