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

use crate::constraints::{Conjunction, Difference, settle};
use crate::{Discrete, Participant, Role};
use dwell_model::code::{ClockReset, Code, CodeRef, Machine};
use dwell_model::expr::RuntimeError;
use dwell_model::{BoundOperand, ClockOperand, CompiledGuard, Constraint, LocationTable, System};
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
    /// A formula, or what the moves of a state leave, has more alternatives over clocks
    /// than can be tried.
    TooManySplits,
}

impl From<RuntimeError> for ZoneFault {
    fn from(error: RuntimeError) -> Self {
        Self::Runtime(error)
    }
}

/// A system with its clock constraints as bounds of one width.
#[derive(Clone, Debug)]
pub struct ZoneSystem<B> {
    /// `guards[process][edge]`.
    guards: Vec<Vec<Guard<B>>>,
    /// Invariants that are upper bounds: zone index and bound.
    upper_invariants: LocationTable<(u16, B)>,
    /// The others that do not depend on the variables.
    other_invariants: LocationTable<Difference<B>>,
    /// Those whose bounds or clocks depend on the variables.
    computed_invariants: LocationTable<Constraint>,
    /// All invariants are upper bounds on single clocks; Z-2.
    upper_only: bool,
    /// Clocks that may stand still.
    pub(crate) rates: LocationTable<(ClockOperand, CodeRef)>,
}

/// Clock constraints of an edge.
#[derive(Clone, Debug)]
struct Guard<B> {
    fixed: Vec<Difference<B>>,
    /// Those whose bounds or clocks depend on the variables.
    computed: Vec<Constraint>,
}

pub(crate) fn bound<B: Bound>(constant: i64, strict: bool) -> Option<B> {
    let constant = i32::try_from(constant).ok()?;
    if strict { <B as Bound>::lt(constant) } else { <B as Bound>::le(constant) }
}

pub(crate) fn fixed_index(operand: ClockOperand) -> Option<u16> {
    match operand {
        ClockOperand::Zero => Some(0),
        ClockOperand::Clock(id) => Some(id.0 as u16 + 1),
        ClockOperand::Picked(_) => None,
    }
}

/// Translates what does not depend on the variables; the rest is kept.
fn split<B: Bound>(guard: &CompiledGuard) -> Result<Guard<B>, ConstantTooLarge> {
    let mut result = Guard { fixed: Vec::new(), computed: Vec::new() };
    for c in &guard.clocks {
        match (fixed_index(c.left), fixed_index(c.right), c.bound) {
            (Some(i), Some(j), BoundOperand::Const(constant)) if c.when.is_none() => {
                let constant = i64::from(constant);
                let limit = i64::from(B::MAX_CONSTANT);
                let bound = bound(constant, c.strict).ok_or(ConstantTooLarge { constant, limit })?;
                result.fixed.push(Difference { i, j, bound });
            }
            _ => result.computed.push(*c),
        }
    }
    Ok(result)
}

/// The constraint in this state; `None` where its condition is false.
pub(crate) fn evaluate<B: Bound>(
    c: &Constraint,
    code: &Code,
    registers: &mut [i32],
) -> Result<Option<Difference<B>>, ZoneFault> {
    let machine = Machine::new(code);
    let mut run = |code| machine.run(code, registers, &mut Vec::new());
    if let Some(condition) = c.when
        && run(condition)? == 0
    {
        return Ok(None);
    }
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
    Ok(Some(Difference { i, j, bound }))
}

impl<B: Bound> ZoneSystem<B> {
    /// Translates the constants of `system`.
    pub fn new(system: &System) -> Result<Self, ConstantTooLarge> {
        let guards = system
            .processes
            .iter()
            .map(|p| p.edges.iter().map(|e| split(&e.guard)).collect())
            .collect::<Result<Vec<Vec<_>>, _>>()?;
        let invariants = system
            .processes
            .iter()
            .map(|p| p.locations.iter().map(|l| split(&l.invariant)).collect())
            .collect::<Result<Vec<Vec<Guard<B>>>, _>>()?;
        let is_upper = |d: &&Difference<B>| d.i != 0 && d.j == 0;
        let uppers = |g: &Guard<B>| g.fixed.iter().filter(is_upper).map(|d| (d.i, d.bound)).collect();
        let others = |g: &Guard<B>| g.fixed.iter().filter(|d| !is_upper(d)).copied().collect();
        let upper_invariants =
            LocationTable::filled(invariants.iter().map(|p| p.iter().map(uppers)), (1, B::INF));
        let other_invariants = LocationTable::new(invariants.iter().map(|p| p.iter().map(others)));
        let computed_invariants =
            LocationTable::new(invariants.iter().map(|p| p.iter().map(|g| g.computed.clone())));
        let computed_upper = |c: &Constraint| matches!(c.right, ClockOperand::Zero);
        let upper_only =
            other_invariants.is_empty() && computed_invariants.items().iter().all(computed_upper);
        let rates =
            LocationTable::new(system.processes.iter().map(|p| p.locations.iter().map(|l| l.rates.clone())));
        Ok(Self { guards, upper_invariants, other_invariants, computed_invariants, upper_only, rates })
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
        let open = |d: Difference<B>| d.i == d.j || entry(d.j.into(), d.i.into()).plus(d.bound) >= B::LE_ZERO;
        for p in participants {
            if let Role::Refuses(failing) = p.role {
                if !self.refusal(system, from, p, failing, &open)? {
                    return Ok(false);
                }
                continue;
            }
            let guard = &self.guards[p.process as usize][p.edge as usize];
            if !guard.fixed.iter().all(|&d| open(d)) {
                return Ok(false);
            }
            for c in &guard.computed {
                if evaluate(c, &system.code, &mut from.registers)?.is_some_and(|d| !open(d)) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Adds the guards of a move to `conjunction`.
    #[inline]
    pub fn guards(
        &self,
        system: &System,
        from: &mut Discrete,
        participants: &[Participant],
        conjunction: &mut Conjunction<B>,
    ) -> Result<(), ZoneFault> {
        for p in participants {
            if let Role::Refuses(failing) = p.role {
                let add = |d| {
                    conjunction.add(d);
                    true
                };
                let possible = self.refusal(system, from, p, failing, add)?;
                conjunction.never |= !possible;
                continue;
            }
            let guard = &self.guards[p.process as usize][p.edge as usize];
            for &d in &guard.fixed {
                conjunction.add(d);
            }
            for c in &guard.computed {
                if let Some(d) = evaluate(c, &system.code, &mut from.registers)? {
                    conjunction.add(d);
                }
            }
        }
        Ok(())
    }

    /// Shows `see` what must hold so that the guard of an edge is false at its
    /// `failing`-th constraint; false as soon as `see` says so or where that
    /// constraint has no effect.
    #[cold]
    fn refusal(
        &self,
        system: &System,
        from: &mut Discrete,
        p: &Participant,
        failing: u32,
        mut see: impl FnMut(Difference<B>) -> bool,
    ) -> Result<bool, ZoneFault> {
        let guard = &system.processes[p.process as usize].edges[p.edge as usize].guard;
        for (k, c) in guard.clocks[..=failing as usize].iter().enumerate() {
            let d = evaluate(c, &system.code, &mut from.registers)?;
            let open = match d {
                Some(d) if k == failing as usize => see(d.negated()),
                Some(d) => see(d),
                None => k < failing as usize,
            };
            if !open {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Adds the guards of a move whose bounds can be evaluated: when one fails,
    /// that matters only where the others hold together.
    pub fn sound_guards(
        &self,
        system: &System,
        from: &mut Discrete,
        participants: &[Participant],
        conjunction: &mut Conjunction<B>,
    ) {
        for p in participants {
            if let Role::Refuses(failing) = p.role {
                let add = |d| {
                    conjunction.add(d);
                    true
                };
                // Where one fails to evaluate, those before it hold.
                let possible = self.refusal(system, from, p, failing, add);
                conjunction.never |= possible == Ok(false);
                continue;
            }
            let guard = &self.guards[p.process as usize][p.edge as usize];
            let computed = guard
                .computed
                .iter()
                .filter_map(|c| evaluate(c, &system.code, &mut from.registers).ok().flatten());
            for d in guard.fixed.iter().copied().chain(computed) {
                conjunction.add(d);
            }
        }
    }

    /// The invariants of a state.
    #[inline]
    pub fn invariants(
        &self,
        system: &System,
        state: &mut Discrete,
        conjunction: &mut Conjunction<B>,
    ) -> Result<(), ZoneFault> {
        conjunction.clear();
        self.upper_invariants.for_each(&state.locations, |&(x, b)| conjunction.bounds.limit(x.into(), b));
        if !self.other_invariants.is_empty() {
            self.other_invariants.for_each(&state.locations, |&d| conjunction.add(d));
        }
        if !self.computed_invariants.is_empty() {
            let Discrete { locations, registers, .. } = state;
            for c in self.computed_invariants.at(locations) {
                if let Some(d) = evaluate(c, &system.code, registers)? {
                    conjunction.add(d);
                }
            }
        }
        Ok(())
    }

    /// Shows `see` the invariants of a state one by one.
    pub(crate) fn each_invariant(
        &self,
        system: &System,
        state: &mut Discrete,
        mut see: impl FnMut(Difference<B>) -> Result<(), ZoneFault>,
    ) -> Result<(), ZoneFault> {
        for &(i, bound) in self.upper_invariants.at(&state.locations) {
            see(Difference { i, j: 0, bound })?;
        }
        for &d in self.other_invariants.at(&state.locations) {
            see(d)?;
        }
        let Discrete { locations, registers, .. } = state;
        for c in self.computed_invariants.at(locations) {
            if let Some(d) = evaluate(c, &system.code, registers)? {
                see(d)?;
            }
        }
        Ok(())
    }

    /// The invariants of one process at its location, whatever the others need.
    pub fn invariants_of(
        &self,
        system: &System,
        state: &mut Discrete,
        process: usize,
    ) -> Result<Vec<Difference<B>>, ZoneFault> {
        let location = state.locations[process];
        let upper = self.upper_invariants.of(process, location).iter();
        let upper = upper.map(|&(i, bound)| Difference { i, j: 0, bound });
        let mut found: Vec<Difference<B>> =
            upper.chain(self.other_invariants.of(process, location).iter().copied()).collect();
        for c in self.computed_invariants.of(process, location) {
            found.extend(evaluate(c, &system.code, &mut state.registers)?);
        }
        Ok(found)
    }

    /// The clock values at the start.
    pub fn start(&self, system: &System, zone: &mut Zone<B>) -> Result<(), ZoneFault> {
        zone.set_zero();
        for (i, clock) in system.network.clocks.iter().enumerate() {
            if clock.init > B::MAX_CONSTANT {
                return Err(ZoneFault::Overflow);
            }
            if clock.init != 0 {
                zone.reset(i + 1, clock.init);
            }
        }
        settle(zone, true).map(|_| ())
    }

    /// Performs the clock assignments of a move, in order.
    #[inline]
    pub fn reset(&self, resets: &[ClockReset], zone: &mut Zone<B>) -> Result<(), ZoneFault> {
        for reset in resets {
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
        }
        settle(zone, true).map(|_| ())
    }

    /// Enters a state with these invariants and lets time pass if `delay`.
    /// False when empty.
    #[inline]
    pub fn enter(
        &self,
        invariants: &Conjunction<B>,
        delay: bool,
        zone: &mut Zone<B>,
    ) -> Result<bool, ZoneFault> {
        let later = delay && self.upper_only; // Z-2
        if !later && !invariants.apply(zone)? {
            return Ok(false);
        }
        if delay {
            zone.up();
            return invariants.apply(zone);
        }
        Ok(true)
    }
}
