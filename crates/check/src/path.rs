//! A path of moves on exact zones.
//!
//! An exploration says which moves lead to the end. What it does not say is
//! in which *part* of a zone each move starts where a state has several (see
//! [`Stepper::stays`] and [`Stepper::turns`]): all parts are followed, a layer
//! for each leg, and a part of the last layer is traced back to the first.
//! Zones are exact, so every part of the last layer ends a run.

use dwell_model::{CompiledFormula, System};
use dwell_semantics::{Discrete, FormulaTest, Participant, Stepper, SymbolicState, Transitions, ZoneFault};
use dwell_zones::Zone;

/// A leg of a path.
pub(crate) enum Leg<'p> {
    /// A move, and whether something is avoided after it.
    Move(Vec<Participant>, Option<Avoid<'p>>),
    /// No move: from here on, where the formula holds, something is avoided.
    Pause(Option<&'p CompiledFormula>, Avoid<'p>),
}

/// What a run keeps away from: where the formula holds.
pub(crate) type Avoid<'p> = &'p CompiledFormula;

/// A part of a layer.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub state: SymbolicState<i32>,
    /// Part of the layer before, and where in it the leg starts.
    pub from: Option<(usize, Zone<i32>)>,
}

/// Parts followed per layer.
const MAX_PARTS: usize = 4096;

/// Follows the legs from the start, where something may have to be avoided
/// from the first moment on.
pub(crate) fn follow(
    stepper: Stepper<'_, i32>,
    start: (&Discrete, &Zone<i32>),
    avoid: Option<Avoid<'_>>,
    legs: &[Leg<'_>],
) -> Result<Vec<Vec<Part>>, ZoneFault> {
    let avoided = avoid.map_or(Ok(Vec::new()), |avoid| where_holds(stepper, avoid, start.0, None))?;
    let first = stepper.enter(start.0, start.1, &avoided)?;
    let mut layers = vec![first.into_iter().map(|state| Part { state, from: None }).collect::<Vec<_>>()];
    for leg in legs {
        let mut layer = Vec::new();
        for (at, part) in layers[layers.len() - 1].iter().enumerate() {
            match leg {
                Leg::Move(participants, avoid) => {
                    for zone in stepper.unblocked(&part.state, participants)? {
                        let landed = stepper.land(&part.state.discrete, &zone, participants)?;
                        let Some((to, landed)) = landed else { continue };
                        enter(stepper, &to, &landed, *avoid, (at, &zone), &mut layer)?;
                    }
                }
                Leg::Pause(start, avoid) => {
                    for zone in holding(stepper, *start, &part.state)? {
                        enter(stepper, &part.state.discrete, &zone, Some(avoid), (at, &zone), &mut layer)?;
                    }
                }
            }
            layer.truncate(MAX_PARTS);
        }
        layers.push(layer);
    }
    Ok(layers)
}

fn enter(
    stepper: Stepper<'_, i32>,
    to: &Discrete,
    landed: &Zone<i32>,
    avoid: Option<Avoid<'_>>,
    from: (usize, &Zone<i32>),
    layer: &mut Vec<Part>,
) -> Result<(), ZoneFault> {
    let avoid = avoid.map_or(Ok(Vec::new()), |avoid| where_holds(stepper, avoid, to, None))?;
    for state in stepper.enter(to, landed, &avoid)? {
        let within =
            |other: &Part| other.state.frozen == state.frozen && state.zone.included_in(&other.state.zone);
        if !layer.iter().any(within) {
            layer.push(Part { state, from: Some((from.0, from.1.clone())) });
        }
    }
    Ok(())
}

/// The parts of a state where a formula holds; all of it for no formula.
fn holding(
    stepper: Stepper<'_, i32>,
    formula: Option<&CompiledFormula>,
    state: &SymbolicState<i32>,
) -> Result<Vec<Zone<i32>>, ZoneFault> {
    match formula {
        None => Ok(vec![state.zone.clone()]),
        Some(formula) => where_holds(stepper, formula, &state.discrete, Some(&state.zone)),
    }
}

/// The parts of a zone, or of all clock values, where a formula holds.
pub(crate) fn where_holds(
    stepper: Stepper<'_, i32>,
    formula: &CompiledFormula,
    state: &Discrete,
    within: Option<&Zone<i32>>,
) -> Result<Vec<Zone<i32>>, ZoneFault> {
    let mut state = state.clone();
    state.reserve(formula.code.registers());
    let mut universe = Zone::new(stepper.system.zone_dimension());
    universe.set_universe();
    let mut parts = Vec::new();
    FormulaTest::new(formula, stepper).maximal_parts(&mut state, within.unwrap_or(&universe), &mut parts)?;
    Ok(parts)
}

/// The participants of the numbered moves.
pub(crate) fn moves_of(
    system: &System,
    transitions: &Transitions,
    start: &Discrete,
    path: &[u32],
) -> Option<Vec<Vec<Participant>>> {
    let mut state = start.clone();
    let mut next = state.clone();
    let mut enabled = dwell_semantics::Moves::default();
    let mut scratch = dwell_semantics::Scratch::default();
    let mut result = Vec::new();
    for &index in path {
        transitions.enabled(system, &mut state, &mut enabled, &mut scratch).ok()?;
        if index as usize >= enabled.len() {
            return None;
        }
        let participants = enabled.get(index as usize).to_vec();
        match dwell_semantics::fire(system, &state, &participants, &mut next, &mut Vec::new()) {
            Ok(true) => std::mem::swap(&mut state, &mut next),
            _ => return None,
        }
        result.push(participants);
    }
    Some(result)
}
