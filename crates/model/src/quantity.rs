//! What `sup`, `inf` and `bounds` measure, compiled.

use crate::Network;
use crate::code::{Code, CodeRef, compile};
use crate::expr::ClockRef;
use crate::property::{Measured, Quantity};
use crate::system::ClockOperand;

/// Quantities with code of their own, as formulas have.
#[derive(Clone, Debug)]
pub struct CompiledQuantities {
    /// The code of all of them.
    pub code: Code,
    /// In the order of the query.
    pub items: Vec<CompiledQuantity>,
}

/// An integer or a clock.
#[derive(Clone, Copy, Debug)]
pub enum CompiledQuantity {
    /// Code that returns it.
    Integer(CodeRef),
    /// A clock.
    Clock(ClockOperand),
}

impl CompiledQuantities {
    /// Compiles quantities of `network`.
    pub fn new(quantities: &[Quantity], network: &Network) -> Self {
        let mut compiler = compile(network);
        let items = quantities.iter().map(|quantity| match &quantity.value {
            Measured::Integer(expr) => CompiledQuantity::Integer(compiler.value(expr)),
            Measured::Clock(ClockRef::Fixed(id)) => CompiledQuantity::Clock(ClockOperand::Clock(*id)),
            Measured::Clock(picked) => CompiledQuantity::Clock(ClockOperand::Picked(compiler.clock(picked))),
        });
        let items = items.collect();
        Self { code: compiler.finish(), items }
    }

    /// Whether a clock is among them.
    pub fn has_clocks(&self) -> bool {
        self.items.iter().any(|item| matches!(item, CompiledQuantity::Clock(_)))
    }
}
