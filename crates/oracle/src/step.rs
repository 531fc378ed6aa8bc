//! One step of a network: when time may pass, which transitions there are,
//! and what a transition does. The rules S-1 to S-9 are those of the crate.

use dwell_model::expr::RuntimeError;
use dwell_model::{Edge, EdgeId, LocationId, LocationKind, Network, ProcessId, VarKind};

use crate::eval::{Clocks, Refusal, all_hold, all_true, run};
use crate::state::{Discrete, State};

pub use crate::priority::{Level, level};
pub use crate::transitions::{Broadcast, Transitions, fire_all, transitions};
pub use crate::urgency::{DelayBar, Urgency, UrgentSync, delay_bar, urgency};

/// The edge `edge` of `process`.
pub fn edge(network: &Network, process: ProcessId, edge: EdgeId) -> &Edge {
    &network.processes[process.index()].edges[edge.index()]
}

/// All combinations of initial locations (S-1), with the variables at their
/// initial values. Invariants are not looked at.
pub fn initial(network: &Network) -> Vec<Discrete> {
    let vars: Vec<i32> = network.vars.iter().map(|v| v.init).collect();
    let choices: Vec<Vec<LocationId>> = network.processes.iter().map(|p| p.initial.clone()).collect();
    combinations(&choices).into_iter().map(|locations| Discrete { locations, vars: vars.clone() }).collect()
}

/// The first process whose invariant does not hold (S-7).
pub fn violated_invariant<C: Clocks>(
    network: &Network,
    state: &State<C>,
) -> Result<Option<ProcessId>, Refusal> {
    for (process, location) in active(network, &state.discrete) {
        if !all_true(network, &location.invariant.discrete, &state.discrete)? {
            return Ok(Some(process));
        }
    }
    for (process, location) in active(network, &state.discrete) {
        if !all_hold(network, &location.invariant.clocks, state)? {
            return Ok(Some(process));
        }
    }
    Ok(None)
}

/// S-4: a committed location, if there is one, is left.
pub fn respects_committed(network: &Network, at: &Discrete, participants: &[(ProcessId, EdgeId)]) -> bool {
    let committed: Vec<ProcessId> =
        active(network, at).filter(|(_, l)| l.kind == LocationKind::Committed).map(|(p, _)| p).collect();
    committed.is_empty() || participants.iter().any(|(process, _)| committed.contains(process))
}

/// Tests the guards of a transition (S-5); the refusal is what keeps them from
/// holding.
pub fn check_guards<C: Clocks>(
    network: &Network,
    from: &State<C>,
    participants: &[(ProcessId, EdgeId)],
) -> Result<(), Refusal> {
    for &(process, id) in participants {
        if !discrete_guard(network, &from.discrete, process, id)? {
            return Err(Refusal::Guard(process, id));
        }
    }
    for &(process, id) in participants {
        if !clock_guard(network, from, process, id)? {
            return Err(Refusal::Guard(process, id));
        }
    }
    Ok(())
}

/// Takes a transition: guards, updates, invariants (S-5, S-6, S-7). That the
/// participants form a transition that nothing blocks is up to the caller.
pub fn fire<C: Clocks>(
    network: &Network,
    from: &State<C>,
    participants: &[(ProcessId, EdgeId)],
) -> Result<State<C>, Refusal> {
    check_guards(network, from, participants)?;
    let mut to = from.clone();
    update(network, &mut to, participants)?;
    match violated_invariant(network, &to)? {
        None => Ok(to),
        Some(process) => Err(Refusal::Invariant(process)),
    }
}

/// Runs the updates of a transition and moves its participants (S-6). What was
/// done before a refusal is not undone.
pub fn update<C: Clocks>(
    network: &Network,
    state: &mut State<C>,
    participants: &[(ProcessId, EdgeId)],
) -> Result<(), Refusal> {
    run(network, &network.before_update, state)?;
    for &(process, id) in participants {
        let edge = edge(network, process, id);
        run(network, &edge.update, state)?;
        state.discrete.locations[process.index()] = edge.target;
    }
    run(network, &network.after_update, state)?;
    for (value, var) in state.discrete.vars.iter_mut().zip(&network.vars) {
        if var.kind == VarKind::Meta {
            *value = var.init;
        }
    }
    Ok(())
}

/// Whether the discrete conjuncts of an edge's guard hold.
pub fn discrete_guard(
    network: &Network,
    at: &Discrete,
    process: ProcessId,
    id: EdgeId,
) -> Result<bool, RuntimeError> {
    all_true(network, &edge(network, process, id).guard.discrete, at)
}

/// Whether the clock conjuncts of an edge's guard hold.
pub fn clock_guard<C: Clocks>(
    network: &Network,
    state: &State<C>,
    process: ProcessId,
    id: EdgeId,
) -> Result<bool, Refusal> {
    all_hold(network, &edge(network, process, id).guard.clocks, state)
}

/// The current locations.
pub(crate) fn active<'a>(
    network: &'a Network,
    at: &'a Discrete,
) -> impl Iterator<Item = (ProcessId, &'a dwell_model::Location)> {
    network
        .processes
        .iter()
        .zip(&at.locations)
        .enumerate()
        .map(|(p, (process, location))| (ProcessId::new(p), &process.locations[location.index()]))
}

/// The edges that leave the current location of `process`.
pub fn edges_of<'a>(
    network: &'a Network,
    at: &Discrete,
    process: ProcessId,
) -> impl Iterator<Item = (ProcessId, EdgeId)> + use<'a> {
    let here = at.locations[process.index()];
    let edges = network.processes[process.index()].edges.iter().enumerate();
    edges.filter(move |(_, e)| e.source == here).map(move |(e, _)| (process, EdgeId::new(e)))
}

/// The edges that leave the current locations, in process order.
pub(crate) fn edges<'a>(
    network: &'a Network,
    at: &'a Discrete,
) -> impl Iterator<Item = (ProcessId, EdgeId)> + use<'a> {
    (0..network.processes.len()).flat_map(move |p| edges_of(network, at, ProcessId::new(p)))
}

/// One element of each list, in all ways.
pub(crate) fn combinations<T: Copy>(choices: &[Vec<T>]) -> Vec<Vec<T>> {
    choices.iter().fold(vec![Vec::new()], |prefixes, list| {
        prefixes
            .iter()
            .flat_map(|prefix| {
                list.iter().map(move |&item| {
                    let mut longer = prefix.clone();
                    longer.push(item);
                    longer
                })
            })
            .collect()
    })
}
