//! All stored states of an exploration, for those who want to look at them.

use crate::run::Run;
use crate::verdict::too_large;
use crate::{Model, Plan, Question};
use dwell_base::limits::Limits;
use dwell_explore::{Cover, KeyStore, Order, Outcome, PwList, Reduce, TraceStore, ZoneStore};
use dwell_model::System;
use dwell_semantics::Transitions;
use dwell_zones::{Bound, Zone, compact};
use std::collections::HashSet;

/// Something to do with the finished list: given every stored state.
pub(crate) type Visit<'v, 'f> = &'v mut (dyn FnMut(StoredState) + 'f);

/// A stored symbolic state, for those who want to look at all of them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StoredState {
    /// Location of each process.
    pub locations: Vec<u32>,
    /// Value of each variable.
    pub vars: Vec<i32>,
    /// Every finite bound `(i, j, c, strict)`: clock i minus clock j is at
    /// most (less than) c; 0 is the reference clock, clocks count from 1.
    pub bounds: Vec<(u16, u16, i32, bool)>,
}

/// Explores everything and hands out the stored states.
pub fn stored_states(model: &Model, plan: &Plan) -> Result<Vec<StoredState>, String> {
    let mut states = Vec::new();
    visit_stored(model, plan, &mut |state| states.push(state))?;
    Ok(states)
}

/// How many different parts the stored states have, however they are stored
/// (paper 2, table 2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UniqueParts {
    /// Stored states.
    pub states: u64,
    /// Location vectors.
    pub locations: u64,
    /// Variable vectors.
    pub variables: u64,
    /// Zones over all clocks; those that are not active are free.
    pub zones: u64,
}

/// Explores everything and counts.
pub fn unique_parts(model: &Model, plan: &Plan) -> Result<UniqueParts, String> {
    let (mut states, mut locations, mut variables, mut zones) =
        (0, HashSet::new(), HashSet::new(), HashSet::new());
    visit_stored(model, plan, &mut |state| {
        states += 1;
        locations.insert(state.locations);
        variables.insert(state.vars);
        zones.insert(state.bounds);
    })?;
    let [locations, variables, zones] = [locations.len(), variables.len(), zones.len()].map(|n| n as u64);
    Ok(UniqueParts { states, locations, variables, zones })
}

fn visit_stored(model: &Model, plan: &Plan, visit: Visit<'_, '_>) -> Result<(), String> {
    let question = Question::space();
    let transitions = Transitions::new(&model.system);
    let mut run = Run::new(model, &transitions, &question, Limits::default());
    let ended = run.widening(&mut plan.clone(), Some(visit)).map_err(too_large)?;
    match ended.outcome {
        Outcome::Complete => Ok(()),
        other => Err(format!("the exploration did not complete: {other:?}")),
    }
}

/// Unpacks every stored state.
pub(crate) fn enumerate<B, K, Z, C, O, T>(
    system: &System,
    reduce: &dyn Reduce,
    pw: &PwList<B, K, Z, C, O, T>,
    visit: Visit<'_, '_>,
) where
    B: Bound,
    K: KeyStore,
    Z: ZoneStore<B>,
    C: Cover<B>,
    O: Order,
    T: TraceStore,
{
    let mut active = Vec::new();
    let mut locations = vec![0; system.processes.len()];
    let initial: Vec<i32> = system.network.vars.iter().map(|v| v.init).collect();
    let mut vars = initial.clone();
    let mut zone = Zone::<B>::new(system.zone_dimension());
    let mut count = |words: &[u64]| {
        let mut vars = initial.clone();
        let mut locations = vec![0; system.processes.len()];
        system.layout.unpack(words, &mut locations, &mut vars);
        let mut active = Vec::new();
        reduce.active(&locations, &mut active);
        compact::compact_len(active.len())
    };
    pw.enumerate(&mut count, |words, cells| {
        system.layout.unpack(words, &mut locations, &mut vars);
        reduce.active(&locations, &mut active);
        compact::unpack(cells, &active, &mut zone);
        let dim = zone.dim();
        let pairs = (0..dim).flat_map(|i| (0..dim).map(move |j| (i, j)));
        let bounds = pairs.filter(|&(i, j)| i != j && !zone.get(i, j).is_inf()).map(|(i, j)| {
            let bound = zone.get(i, j);
            (i as u16, j as u16, bound.constant(), bound.is_strict())
        });
        visit(StoredState { locations: locations.clone(), vars: vars.clone(), bounds: bounds.collect() });
    });
}
