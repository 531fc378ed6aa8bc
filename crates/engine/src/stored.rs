//! All stored states of an exploration, for those who want to look at them.

use crate::run::Run;
use crate::verdict::too_large;
use crate::{Model, Plan, Question};
use dwell_base::limits::Limits;
use dwell_explore::{Cover, KeyStore, Order, Outcome, PwList, Reduce, TraceStore, ZoneStore};
use dwell_model::System;
use dwell_semantics::Transitions;
use dwell_zones::{Bound, Zone, compact};

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
    let question = Question::space();
    let transitions = Transitions::new(&model.system);
    let mut run = Run::new(model, &transitions, &question, Limits::default());
    let mut states = Vec::new();
    let ended = run.widening(&mut plan.clone(), Some(&mut |state| states.push(state))).map_err(too_large)?;
    match ended.outcome {
        Outcome::Complete => Ok(states),
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
