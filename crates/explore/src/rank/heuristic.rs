//! `--heuristic EXPR`: an integer expression over variables and locations.
//!
//! It decides when a state is taken and nothing else, so it may be as wrong as
//! it likes. Where it has no value (a division by zero) the state comes last.

use super::Rank;
use dwell_model::CompiledValue;
use dwell_semantics::{Discrete, value_at};
use dwell_zones::{Bound, Zone};

/// The value of an expression.
#[derive(Clone, Copy, Debug)]
pub struct Heuristic<'e> {
    /// The expression.
    pub value: &'e CompiledValue,
}

impl<B: Bound> Rank<B> for Heuristic<'_> {
    #[inline]
    fn of(&self, state: &mut Discrete, _zone: &Zone<B>, _active: &[u16]) -> i64 {
        value_at(self.value, state).map_or(i64::MAX, i64::from)
    }

    fn registers(&self) -> usize {
        self.value.code.registers()
    }
}
