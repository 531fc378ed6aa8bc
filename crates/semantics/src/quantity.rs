//! What is measured, read off a state.

use crate::Discrete;
use crate::zones::fixed_index;
use dwell_model::code::Machine;
use dwell_model::expr::RuntimeError;
use dwell_model::{ClockOperand, CompiledQuantities, CompiledQuantity};

/// A quantity in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// An integer.
    Integer(i32),
    /// The clock with this index in zones.
    Clock(usize),
}

/// Evaluates quantities on states.
#[derive(Clone, Copy, Debug)]
pub struct QuantityReader<'q> {
    quantities: &'q CompiledQuantities,
}

impl<'q> QuantityReader<'q> {
    /// For these quantities.
    pub fn new(quantities: &'q CompiledQuantities) -> Self {
        Self { quantities }
    }

    /// Registers that the states it is asked about must have.
    pub fn registers(&self) -> usize {
        self.quantities.code.registers()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.quantities.items.len()
    }

    /// None at all.
    pub fn is_empty(&self) -> bool {
        self.quantities.items.is_empty()
    }

    /// Whether a clock is among them.
    pub fn has_clocks(&self) -> bool {
        self.quantities.has_clocks()
    }

    /// Quantity number `index`.
    pub fn read(&self, state: &mut Discrete, index: usize) -> Result<Reading, RuntimeError> {
        let code = &self.quantities.code;
        let first = code.location_registers();
        for (register, &location) in state.registers[first..].iter_mut().zip(&state.locations) {
            *register = location as i32;
        }
        let mut run = |entry| Machine::new(code).run(entry, &mut state.registers, &mut Vec::new());
        Ok(match self.quantities.items[index] {
            CompiledQuantity::Integer(entry) => Reading::Integer(run(entry)?),
            CompiledQuantity::Clock(ClockOperand::Picked(entry)) => Reading::Clock(run(entry)? as usize + 1),
            CompiledQuantity::Clock(fixed) => Reading::Clock(fixed_index(fixed).expect("not picked").into()),
        })
    }
}
