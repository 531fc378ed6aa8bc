//! Writes the code of a random network, piece by piece: a guard, an update, a
//! function.
//!
//! W-1 Unless asked to be risky, code runs without errors: divisors are
//!     literals other than zero, indices fit their arrays, values are brought
//!     into their ranges.
//! W-2 A local is assigned before it is read on every path, but for those of
//!     updates, which start at zero.
//! W-3 Loops end: nothing but a loop itself writes its counter.

use std::ops::Range;

use dwell_base::Rng;
use dwell_model::expr::Expr;
use dwell_model::{ClockId, Network};

use super::Config;
use super::data::Data;

/// The first local slots, for guards and updates; those of functions follow.
pub const SLOTS: u32 = 12;

/// Whether variables and clocks may be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effects {
    /// Locals only.
    None,
    /// All.
    Any,
}

/// What a `return` may give back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returns {
    /// There is no `return`: not a function.
    Never,
    /// It gives nothing back.
    Nothing,
    /// A value in this range.
    Value(i32, i32),
}

/// Writes one piece of code.
pub struct Writer<'a> {
    /// Decides.
    pub rng: &'a mut Rng,
    /// How often.
    pub config: &'a Config,
    /// Variables and functions; its processes are not looked at.
    pub network: &'a Network,
    /// The variables once more.
    pub data: &'a Data,
    /// Clocks that may be written.
    pub clocks: &'a [ClockId],
    /// Whether to write.
    pub effects: Effects,
    /// Whether to return.
    pub returns: Returns,
    /// Places in a hundred where an error is not ruled out.
    pub risky: u64,
    /// Locals that have a value.
    pub readable: Vec<u32>,
    /// Those of them that any statement may write.
    pub writable: Vec<u32>,
    /// Slots that are free.
    pub free: Range<u32>,
    /// Expressions with code of their own around the one being written.
    pub nesting: u32,
}

impl<'a> Writer<'a> {
    /// For an update of an edge that uses these clocks.
    pub fn update(
        rng: &'a mut Rng,
        config: &'a Config,
        network: &'a Network,
        data: &'a Data,
        clocks: &'a [ClockId],
    ) -> Self {
        Self {
            rng,
            config,
            network,
            data,
            clocks,
            effects: Effects::Any,
            returns: Returns::Never,
            risky: config.risky_percent,
            readable: Vec::new(),
            writable: Vec::new(),
            free: 0..SLOTS,
            nesting: 0,
        }
    }

    /// For guards and whatever else only looks at states.
    pub fn test(rng: &'a mut Rng, config: &'a Config, network: &'a Network, data: &'a Data) -> Self {
        let risky = config.risky_guard_percent;
        Self { effects: Effects::None, risky, ..Self::update(rng, config, network, data, &[]) }
    }

    /// One free slot or several in a row.
    pub fn fresh(&mut self, count: u32) -> Option<u32> {
        let first = self.free.start;
        (first + count <= self.free.end).then(|| {
            self.free.start += count;
            first
        })
    }

    /// Runs `write` one level further in; `None` where that would be too deep.
    pub fn nested(&mut self, write: impl FnOnce(&mut Self) -> Option<Expr>) -> Option<Expr> {
        if self.nesting == 2 {
            return None;
        }
        self.nesting += 1;
        let made = write(self);
        self.nesting -= 1;
        made
    }
}
