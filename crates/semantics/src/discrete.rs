//! The discrete part of a state and what a move does to it.

use crate::{Participant, Role};
use dwell_model::code::{ClockReset, Machine};
use dwell_model::expr::{RuntimeError, RuntimeErrorKind};
use dwell_model::{LocationId, OutOfRange, System};

/// Locations and variables of a state.
///
/// `registers` is the register file of the code: the variables come first,
/// those that are constant last, what follows is scratch.
#[derive(Clone, Debug)]
pub struct Discrete {
    /// Location of each process.
    pub locations: Vec<u32>,
    /// Variables, then scratch.
    pub registers: Vec<i32>,
    /// Number of variables that can change.
    mutable: usize,
}

impl Discrete {
    /// A state of the right shape; its contents mean nothing yet, constants
    /// apart.
    pub fn new(system: &System) -> Self {
        let mut registers: Vec<i32> = system.network.vars.iter().map(|v| v.init).collect();
        registers.resize(system.code.registers(), 0);
        Self { locations: vec![0; system.processes.len()], registers, mutable: system.mutable_vars }
    }

    /// Makes room for code that needs more registers.
    pub fn reserve(&mut self, registers: usize) {
        self.registers.resize(registers.max(self.registers.len()), 0);
    }

    /// Puts the variables to their initial values.
    pub fn start(&mut self, system: &System, locations: &[LocationId]) {
        for (slot, location) in self.locations.iter_mut().zip(locations) {
            *slot = location.0;
        }
        for (slot, var) in self.registers.iter_mut().zip(&system.network.vars) {
            *slot = var.init;
        }
    }

    /// The variables.
    pub fn vars(&self, system: &System) -> &[i32] {
        &self.registers[..system.network.vars.len()]
    }

    /// Copies another state of the same system.
    #[inline]
    pub fn copy_from(&mut self, other: &Self) {
        self.locations.copy_from_slice(&other.locations);
        self.registers[..self.mutable].copy_from_slice(&other.registers[..self.mutable]);
    }

    /// Whether locations and variables are the same.
    #[inline]
    pub fn is_like(&self, other: &Self) -> bool {
        self.locations == other.locations && self.registers[..self.mutable] == other.registers[..self.mutable]
    }

    /// A hash of locations and variables; quick rather than good in all bits.
    pub fn hash(&self) -> u64 {
        const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
        let mix = |hash: u64, part: u64| (hash.rotate_left(5) ^ part).wrapping_mul(ODD);
        let locations = self.locations.iter().fold(0, |hash, &l| mix(hash, u64::from(l)));
        let vars = &self.registers[..self.mutable];
        vars.iter().fold(locations, |hash, &v| mix(hash, u64::from(v.cast_unsigned())))
    }

    /// Whether the discrete conjuncts of all invariants hold.
    #[inline]
    pub fn invariants_hold(&mut self, system: &System) -> Result<bool, RuntimeError> {
        let machine = Machine::new(&system.code);
        for (process, &location) in system.processes.iter().zip(&self.locations) {
            if let Some(code) = process.locations[location as usize].invariant.discrete
                && !machine.holds(code, &mut self.registers)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Makes a move whose discrete guards hold: updates run one after the other,
/// then every process has moved and meta variables have their initial values
/// again. Clock assignments are left in `resets`.
/// False when the move is impossible after all: a target invariant fails on
/// the variables, or an assignment leaves its range where that disables.
#[inline]
pub fn fire(
    system: &System,
    from: &Discrete,
    participants: &[Participant],
    to: &mut Discrete,
    resets: &mut Vec<ClockReset>,
) -> Result<bool, RuntimeError> {
    to.copy_from(from);
    resets.clear();
    if let Err(error) = update(system, participants, to, resets) {
        let disabled = matches!(error.kind, RuntimeErrorKind::OutOfRange { .. })
            && system.network.out_of_range == OutOfRange::Disable;
        return if disabled { Ok(false) } else { Err(error) };
    }
    to.invariants_hold(system)
}

#[inline]
fn update(
    system: &System,
    participants: &[Participant],
    to: &mut Discrete,
    resets: &mut Vec<ClockReset>,
) -> Result<(), RuntimeError> {
    let machine = Machine::new(&system.code);
    if let Some(code) = system.before_update {
        machine.run(code, &mut to.registers, resets)?;
    }
    for p in participants.iter().filter(|p| p.role == Role::Takes) {
        let edge = &system.processes[p.process as usize].edges[p.edge as usize];
        if let Some(code) = edge.update {
            machine.run(code, &mut to.registers, resets)?;
        }
        to.locations[p.process as usize] = edge.target;
    }
    if let Some(code) = system.after_update {
        machine.run(code, &mut to.registers, resets)?;
    }
    system.layout.forget_meta(&mut to.registers);
    Ok(())
}
