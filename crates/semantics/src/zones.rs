//! What a move and the delay after it do to the zone.
//!
//! Z-1 A zone that comes in is closed and not empty; one that goes out with
//!     `Ok(true)` is too.
//! Z-2 The invariants of the source are applied again (extrapolation may have
//!     widened the zone beyond them), then the guards, the resets in order, the
//!     target's invariants, delay, and the invariants once more. Where all
//!     invariants are upper bounds on single clocks their application before
//!     a delay is left out: what satisfies them later satisfied them earlier.
//! Z-3 A constant that does not fit the width of the bounds ends the run with
//!     [`ZoneFault::Overflow`]; it never gives a wrong zone.

use crate::{Discrete, Participant};
use dwell_model::code::{ClockReset, Machine};
use dwell_model::expr::RuntimeError;
use dwell_model::{BoundOperand, ClockOperand, CompiledGuard, Constraint, System};
use dwell_zones::{Bound, Zone};

/// A constant of the model does not fit the width of the bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConstantTooLarge {
    /// The constant.
    pub constant: i64,
    /// The largest that fits.
    pub limit: i64,
}

/// Why a zone could not be computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ZoneFault {
    /// The model failed.
    Runtime(RuntimeError),
    /// A bound left the width of the zones.
    Overflow,
}

impl From<RuntimeError> for ZoneFault {
    fn from(error: RuntimeError) -> Self {
        Self::Runtime(error)
    }
}

/// `x_i - x_j` is bounded by `bound`.
#[derive(Clone, Copy, Debug)]
struct Difference<B> {
    i: u16,
    j: u16,
    bound: B,
}

/// Clock constraints of a guard or an invariant.
#[derive(Clone, Debug)]
struct Constraints<B> {
    fixed: Vec<Difference<B>>,
    /// Bounds or clocks that depend on the variables.
    computed: Vec<Constraint>,
}

/// A system with its clock constraints as bounds of one width.
#[derive(Clone, Debug)]
pub struct ZoneSystem<B> {
    /// `guards[process][edge]`.
    guards: Vec<Vec<Constraints<B>>>,
    /// `invariants[process][location]`.
    invariants: Vec<Vec<Constraints<B>>>,
    /// All invariants are upper bounds on single clocks; Z-2.
    upper_only: bool,
}

fn bound<B: Bound>(constant: i64, strict: bool) -> Option<B> {
    let constant = i32::try_from(constant).ok()?;
    if strict { <B as Bound>::lt(constant) } else { <B as Bound>::le(constant) }
}

fn fixed_index(operand: ClockOperand) -> Option<u16> {
    match operand {
        ClockOperand::Zero => Some(0),
        ClockOperand::Clock(id) => Some(id.0 as u16 + 1),
        ClockOperand::Picked(_) => None,
    }
}

impl<B: Bound> Constraints<B> {
    fn new(guard: &CompiledGuard) -> Result<Self, ConstantTooLarge> {
        let mut result = Self { fixed: Vec::new(), computed: Vec::new() };
        for c in &guard.clocks {
            match (fixed_index(c.left), fixed_index(c.right), c.bound) {
                (Some(i), Some(j), BoundOperand::Const(constant)) => {
                    let bound = bound(i64::from(constant), c.strict).ok_or(ConstantTooLarge {
                        constant: i64::from(constant),
                        limit: i64::from(B::MAX_CONSTANT),
                    })?;
                    result.fixed.push(Difference { i, j, bound });
                }
                _ => result.computed.push(*c),
            }
        }
        Ok(result)
    }

    fn upper_only(&self) -> bool {
        let computed_upper = |c: &Constraint| matches!(c.right, ClockOperand::Zero);
        self.fixed.iter().all(|d| d.j == 0) && self.computed.iter().all(computed_upper)
    }

    fn is_empty(&self) -> bool {
        self.fixed.is_empty() && self.computed.is_empty()
    }

    /// Calls `each` for every constraint until it answers false.
    #[inline]
    fn all(
        &self,
        system: &System,
        state: &mut Discrete,
        mut each: impl FnMut(usize, usize, B) -> bool,
    ) -> Result<bool, ZoneFault> {
        for d in &self.fixed {
            if !each(d.i.into(), d.j.into(), d.bound) {
                return Ok(false);
            }
        }
        for c in &self.computed {
            let d = evaluate(c, system, state)?;
            if !each(d.i.into(), d.j.into(), d.bound) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

#[cold]
fn evaluate<B: Bound>(
    c: &Constraint,
    system: &System,
    state: &mut Discrete,
) -> Result<Difference<B>, ZoneFault> {
    let machine = Machine::new(&system.code);
    let mut run = |code| machine.run(code, &mut state.registers, &mut Vec::new());
    let mut index = |operand| match operand {
        ClockOperand::Picked(code) => run(code).map(|clock| clock as u16 + 1),
        fixed => Ok(fixed_index(fixed).expect("not picked")),
    };
    let (i, j) = (index(c.left)?, index(c.right)?);
    let constant = match c.bound {
        BoundOperand::Const(constant) => i64::from(constant),
        BoundOperand::Value(code) => i64::from(run(code)?),
        BoundOperand::Negated(code) => -i64::from(run(code)?),
    };
    let bound = bound(constant, c.strict).ok_or(ZoneFault::Overflow)?;
    Ok(Difference { i, j, bound })
}

impl<B: Bound> ZoneSystem<B> {
    /// Translates the constants of `system`.
    pub fn new(system: &System) -> Result<Self, ConstantTooLarge> {
        let guards = system
            .processes
            .iter()
            .map(|p| p.edges.iter().map(|e| Constraints::new(&e.guard)).collect())
            .collect::<Result<Vec<Vec<_>>, _>>()?;
        let invariants = system
            .processes
            .iter()
            .map(|p| p.locations.iter().map(|l| Constraints::new(&l.invariant)).collect())
            .collect::<Result<Vec<Vec<Constraints<B>>>, _>>()?;
        let upper_only = invariants.iter().flatten().all(Constraints::upper_only);
        Ok(Self { guards, invariants, upper_only })
    }

    /// Tests the guards of a move against a zone given entry by entry: false
    /// means that some guard alone excludes the zone. Touches no zone.
    #[inline]
    pub fn may_fire(
        &self,
        system: &System,
        from: &mut Discrete,
        participants: &[Participant],
        entry: impl Fn(usize, usize) -> B,
    ) -> Result<bool, ZoneFault> {
        for p in participants {
            let guard = &self.guards[p.process as usize][p.edge as usize];
            let open =
                guard.all(system, from, |i, j, bound| i == j || entry(j, i).plus(bound) >= B::LE_ZERO)?;
            if !open {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Takes the zone of `from` through the guards and resets of a move.
    #[inline]
    pub fn fire(
        &self,
        system: &System,
        from: &mut Discrete,
        participants: &[Participant],
        resets: &[ClockReset],
        zone: &mut Zone<B>,
    ) -> Result<bool, ZoneFault> {
        if !self.constrain_invariants(system, from, zone)? {
            return settle(zone, false);
        }
        for p in participants {
            let guard = &self.guards[p.process as usize][p.edge as usize];
            if !guard.all(system, from, |i, j, bound| zone.constrain(i, j, bound))? {
                return settle(zone, false);
            }
        }
        for reset in resets {
            self.reset(reset, zone)?;
        }
        Ok(true)
    }

    #[inline]
    fn reset(&self, reset: &ClockReset, zone: &mut Zone<B>) -> Result<(), ZoneFault> {
        let x = reset.clock.index() + 1;
        if reset.value > B::MAX_CONSTANT {
            return Err(ZoneFault::Overflow);
        }
        debug_assert!(reset.value >= 0);
        match reset.from.map(|y| y.index() + 1) {
            None => zone.reset(x, reset.value),
            Some(y) if y == x => zone.shift(x, reset.value),
            Some(y) => zone.assign_sum(x, y, reset.value),
        }
        Ok(())
    }

    /// Intersects with the invariants of the state.
    #[inline]
    fn constrain_invariants(
        &self,
        system: &System,
        state: &mut Discrete,
        zone: &mut Zone<B>,
    ) -> Result<bool, ZoneFault> {
        for process in 0..self.invariants.len() {
            let invariant = &self.invariants[process][state.locations[process] as usize];
            if !invariant.is_empty()
                && !invariant.all(system, state, |i, j, bound| zone.constrain(i, j, bound))?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Enters the state and lets time pass if `delay`. False when empty.
    #[inline]
    pub fn enter(
        &self,
        system: &System,
        state: &mut Discrete,
        delay: bool,
        zone: &mut Zone<B>,
    ) -> Result<bool, ZoneFault> {
        if !(delay && self.upper_only) && !self.constrain_invariants(system, state, zone)? {
            return settle(zone, false);
        }
        if delay {
            zone.up();
            if !self.constrain_invariants(system, state, zone)? {
                return settle(zone, false);
            }
        }
        settle(zone, true)
    }
}

/// Z-3: nothing is believed of a zone whose bounds left their width, not even
/// that it is empty.
#[inline]
fn settle<B: Bound>(zone: &mut Zone<B>, answer: bool) -> Result<bool, ZoneFault> {
    if zone.overflowed() {
        zone.clear_overflow();
        return Err(ZoneFault::Overflow);
    }
    Ok(answer)
}
