//! States with all clock values at once: the only place that steps with
//! [`Stepper`].
//!
//! Y-1 The branches of a set differ in their zones alone: together they hold
//!     the clock values that one sequence of participants allows.
//! Y-2 A branch knows the branch it came from and the number of the move, so
//!     that a path of moves can be remade from the sets along it.
//! Y-3 Where clocks may stand still, zones are over-approximated: they hold
//!     whatever the path allows, and perhaps more.

use crate::{Fault, ZoneView};
use dwell_check::{ZoneConstraint, zone_constraints};
use dwell_model::expr::{RuntimeError, RuntimeErrorKind};
use dwell_model::{EdgeId, LocationId, ProcessId, System};
use dwell_oracle::{Participants, Rational};
use dwell_semantics::{
    Conjunction, Discrete, Moves, Participant, Role, Scratch, Stepper, SymbolicState, Transitions, ZoneSystem,
};
use dwell_zones::{Bound, MinimalGraph, Zone};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What steps need to know of a system.
#[derive(Debug)]
pub(crate) struct Tables {
    pub transitions: Transitions,
    zones: ZoneSystem<i32>,
}

/// A zone on the way (Y-2).
#[derive(Clone, Debug)]
pub(crate) struct Branch {
    state: SymbolicState<i32>,
    /// Position in the set before this one.
    pub parent: usize,
    /// The move from there.
    pub number: u32,
}

/// One discrete state and its zones (Y-1); never empty.
pub(crate) type Set = Arc<[Branch]>;

/// What becomes of a transition.
#[derive(Clone, Debug, Default)]
pub(crate) struct Successor {
    pub branches: Vec<Branch>,
    pub failure: Option<Fault>,
}

impl Tables {
    pub fn new(system: &System) -> Result<Self, Fault> {
        let zones = ZoneSystem::new(system)
            .map_err(|error| Fault::refused(format!("zones cannot hold the constant {}", error.constant)))?;
        Ok(Self { transitions: Transitions::new(system), zones })
    }

    fn stepper<'t>(&'t self, system: &'t System) -> Stepper<'t, i32> {
        Stepper { system, transitions: &self.transitions, zones: &self.zones }
    }

    /// The initial state at `locations`, if its invariants hold.
    pub fn initial(&self, system: &System, locations: &[LocationId]) -> Result<Option<Set>, Fault> {
        let mut branches = Vec::new();
        for state in self.stepper(system).initial(locations)? {
            add(&mut branches, Branch { state, parent: 0, number: 0 });
        }
        Ok((!branches.is_empty()).then(|| branches.into()))
    }

    /// Every transition of a state, or that of `only` these participants, and
    /// what becomes of it.
    pub fn successors(
        &self,
        system: &System,
        set: &Set,
        only: Option<&Participants>,
    ) -> Result<BTreeMap<Participants, Successor>, Fault> {
        let stepper = self.stepper(system);
        let moves = stepper.moves(&set[0].state)?;
        let mut found: BTreeMap<Participants, Successor> = BTreeMap::new();
        for number in 0..moves.len() {
            let participants = takers(moves.get(number));
            if only.is_some_and(|only| *only != participants) {
                continue;
            }
            for (parent, branch) in set.iter().enumerate() {
                match stepper.step(&branch.state, moves.get(number)) {
                    Ok(states) if states.is_empty() => {}
                    Ok(states) => {
                        let successor = found.entry(participants.clone()).or_default();
                        for state in states {
                            add(&mut successor.branches, Branch { state, parent, number: number as u32 });
                        }
                    }
                    Err(fault) => {
                        if self.may_fail(system, &branch.state, moves.get(number))? {
                            let successor = found.entry(participants.clone()).or_default();
                            successor.failure.get_or_insert(fault.into());
                        }
                    }
                }
            }
        }
        Ok(found)
    }

    /// Whether the guards of a move that fails hold for some clock values at
    /// which nothing blocks it: the stepper runs updates before it looks.
    fn may_fail(
        &self,
        system: &System,
        state: &SymbolicState<i32>,
        participants: &[Participant],
    ) -> Result<bool, Fault> {
        let mut guards = Conjunction::new(state.zone.dim());
        self.zones.sound_guards(system, &mut state.discrete.clone(), participants, &mut guards);
        // Where it cannot be told what blocks it, that is what fails.
        let Ok(zones) = self.stepper(system).unblocked(state, participants) else { return Ok(true) };
        for mut zone in zones {
            if guards.apply(&mut zone)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a state has more moves than can be listed.
    pub fn check_moves(
        &self,
        system: &System,
        locations: &[LocationId],
        vars: &[i32],
    ) -> Result<(), RuntimeError> {
        let mut state = Discrete::new(system);
        state.start(system, locations);
        state.registers[..vars.len()].copy_from_slice(vars);
        let listed =
            self.transitions.enabled(system, &mut state, &mut Moves::default(), &mut Scratch::default());
        match listed {
            Err(error) if error.kind == RuntimeErrorKind::TooManyMoves => Err(error),
            _ => Ok(()),
        }
    }
}

impl Branch {
    pub fn locations(&self) -> Vec<LocationId> {
        self.state.discrete.locations.iter().map(|&l| LocationId(l)).collect()
    }

    pub fn vars(&self, system: &System) -> Vec<i32> {
        self.state.discrete.vars(system).to_vec()
    }

    pub fn constraints(&self) -> Vec<ZoneConstraint> {
        zone_constraints(&self.state.zone)
    }

    pub fn view(&self, system: &System) -> ZoneView {
        let text = |constraint: &ZoneConstraint| constraint.text(&system.network);
        let constraints = self.constraints().iter().map(text).collect();
        ZoneView { constraints, equations: equations(system, &self.state.zone) }
    }

    /// Whether the zone contains these clock values; false where they are too
    /// fine to tell.
    pub fn contains(&self, clocks: &[Rational]) -> bool {
        let common = clocks.iter().try_fold(1i64, |common, value| {
            let denominator = i64::try_from(value.denominator()).ok()?;
            let scale = if common % denominator == 0 { 1 } else { denominator };
            common.checked_mul(scale).filter(|&c| c < 1 << 31)
        });
        let Some(common) = common else { return false };
        let scaled = |value: &Rational| {
            let factor = i128::from(common) / value.denominator();
            value.numerator().checked_mul(factor).and_then(|v| i64::try_from(v).ok()).filter(|v| *v < 1 << 62)
        };
        let values: Option<Vec<i64>> = std::iter::once(Some(0)).chain(clocks.iter().map(scaled)).collect();
        values.is_some_and(|values| self.state.zone.contains_scaled(&values, common))
    }
}

/// The fewest constraints of a zone, those that fix a clock or a difference as
/// equations.
fn equations(system: &System, zone: &Zone<i32>) -> Vec<String> {
    let name = |i: usize| system.network.clocks[i - 1].name.as_str();
    let fixed = |i: usize, j: usize| {
        let (most, least) = (zone.get(i, j), zone.get(j, i));
        let closed = |bound: i32| !bound.is_inf() && !bound.is_strict();
        let is_fixed = closed(most) && closed(least) && most.constant() == -least.constant();
        is_fixed.then(|| most.constant())
    };
    let first = |i: usize| (0..i).find(|&j| fixed(i, j).is_some()).unwrap_or(i);
    let equation = |i: usize| match (first(i), fixed(i, first(i)).unwrap_or(0)) {
        (j, _) if j == i => None,
        (0, value) => Some(format!("{}={value}", name(i))),
        (j, 0) => Some(format!("{}={}", name(j), name(i))),
        (j, more) if more > 0 => Some(format!("{}-{}={more}", name(i), name(j))),
        (j, less) => Some(format!("{}-{}={}", name(j), name(i), -less)),
    };
    let mut texts: Vec<String> = (1..zone.dim()).filter_map(equation).collect();
    let mut graph = MinimalGraph::with_capacity(zone.dim());
    graph.reduce(zone);
    let all = graph.edges().iter().zip(zone_constraints(zone));
    let rest = all.filter(|&(&(i, j, _), _)| first(i.into()) != first(j.into()));
    texts.extend(rest.map(|(_, constraint)| constraint.text(&system.network)));
    texts
}

/// Keeps zones that no other contains.
fn add(branches: &mut Vec<Branch>, new: Branch) {
    if branches.iter().any(|old| new.state.zone.included_in(&old.state.zone)) {
        return;
    }
    branches.retain(|old| !old.state.zone.included_in(&new.state.zone));
    branches.push(new);
}

fn takers(participants: &[Participant]) -> Participants {
    let takes = participants.iter().filter(|p| p.role == Role::Takes);
    takes.map(|p| (ProcessId(p.process), EdgeId(p.edge))).collect()
}
