//! One step of a network: when time may pass, which transitions there are,
//! and what a transition does. The rules S-1 to S-8 are those of the crate.

use dwell_model::expr::RuntimeError;
use dwell_model::{
    ChannelId, ChannelKind, Edge, EdgeId, LocationId, LocationKind, Network, ProcessId, Strength, Sync,
};

use crate::eval::{Clocks, Refusal, all_hold, all_true, run};
use crate::state::{Discrete, Participants, State};

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

/// Why no time may pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DelayBar {
    /// This process is in an urgent or committed location.
    Location(ProcessId),
    /// A synchronisation on this urgent channel is enabled.
    Channel(ChannelId),
}

/// What forbids any delay (S-2), invariants apart.
pub fn delay_bar(network: &Network, at: &Discrete) -> Result<Option<DelayBar>, RuntimeError> {
    for (process, location) in active(network, at) {
        if location.kind != LocationKind::Normal {
            return Ok(Some(DelayBar::Location(process)));
        }
    }
    for (sender, send) in edges(network, at) {
        let Sync::Send(channel) = edge(network, sender, send).sync else { continue };
        let declared = &network.channels[channel.index()];
        let enabled = match declared.kind {
            _ if !declared.urgent => false,
            ChannelKind::Broadcast => discrete_guard(network, at, sender, send)?,
            ChannelKind::Binary => pair_enabled(network, at, (sender, send), channel)?,
        };
        if enabled {
            return Ok(Some(DelayBar::Channel(channel)));
        }
    }
    Ok(None)
}

/// Whether some process can receive on a binary channel what `sender` sends.
/// As in [`transitions`], a sender nobody could hear is not evaluated.
fn pair_enabled(
    network: &Network,
    at: &Discrete,
    sender: (ProcessId, EdgeId),
    channel: ChannelId,
) -> Result<bool, RuntimeError> {
    for (receiver, receive) in receivers(network, at, sender.0, channel) {
        if discrete_guard(network, at, sender.0, sender.1)? && discrete_guard(network, at, receiver, receive)?
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The first process whose invariant does not hold (S-7).
pub fn violated_invariant<C: Clocks>(
    network: &Network,
    state: &State<C>,
) -> Result<Option<ProcessId>, Refusal> {
    for (process, location) in active(network, &state.discrete) {
        if !all_true(&location.invariant.discrete, &state.discrete.vars)? {
            return Ok(Some(process));
        }
    }
    for (process, location) in active(network, &state.discrete) {
        if !all_hold(&location.invariant.clocks, state)? {
            return Ok(Some(process));
        }
    }
    Ok(None)
}

/// What can be said of the transitions from a state without its clocks.
#[derive(Clone, Debug, Default)]
pub struct Transitions {
    /// Those whose discrete guards hold.
    pub enabled: Vec<Participants>,
    /// Those, as far as they were formed, with a guard that fails to evaluate.
    pub failing: Vec<(Participants, RuntimeError)>,
}

/// All transitions (S-3) that respect S-4 and whose discrete guards hold (S-5).
pub fn transitions(network: &Network, at: &Discrete) -> Transitions {
    let mut found = Transitions::default();
    for (process, id) in edges(network, at) {
        match edge(network, process, id).sync {
            Sync::Internal => offer(network, at, vec![(process, id)], &mut found),
            Sync::Send(channel) => match network.channels[channel.index()].kind {
                ChannelKind::Binary => {
                    for receiver in receivers(network, at, process, channel) {
                        offer(network, at, vec![(process, id), receiver], &mut found);
                    }
                }
                ChannelKind::Broadcast => match broadcasts(network, at, (process, id), channel) {
                    Ok(all) => found.enabled.extend(all),
                    Err(error) => found.failing.push((vec![(process, id)], error)),
                },
            },
            Sync::Receive(_) | Sync::Vector => {}
        }
    }
    for vector in 0..network.vectors.len() {
        for participants in vector_combinations(network, at, vector) {
            offer(network, at, participants, &mut found);
        }
    }
    found
}

fn offer(network: &Network, at: &Discrete, participants: Participants, found: &mut Transitions) {
    if !respects_committed(network, at, &participants) {
        return;
    }
    for &(process, id) in &participants {
        match discrete_guard(network, at, process, id) {
            Ok(true) => {}
            Ok(false) => return,
            Err(error) => return found.failing.push((participants, error)),
        }
    }
    found.enabled.push(participants);
}

fn broadcasts(
    network: &Network,
    at: &Discrete,
    sender: (ProcessId, EdgeId),
    channel: ChannelId,
) -> Result<Vec<Participants>, RuntimeError> {
    if !discrete_guard(network, at, sender.0, sender.1)? {
        return Ok(Vec::new());
    }
    let mut choices = vec![vec![sender]];
    for (process, id) in receivers(network, at, sender.0, channel) {
        if discrete_guard(network, at, process, id)? {
            match choices.last_mut() {
                Some(same) if same[0].0 == process => same.push((process, id)),
                _ => choices.push(vec![(process, id)]),
            }
        }
    }
    let mut all = combinations(&choices);
    all.retain(|participants| respects_committed(network, at, participants));
    Ok(all)
}

fn vector_combinations(network: &Network, at: &Discrete, vector: usize) -> Vec<Participants> {
    let mut choices = Vec::new();
    for member in &network.vectors[vector].members {
        let able: Participants = edges_of(network, at, member.process)
            .filter(|&(process, id)| edge(network, process, id).event == member.event)
            .collect();
        match (able.is_empty(), member.strength) {
            (false, _) => choices.push(able),
            (true, Strength::Weak) => {}
            (true, Strength::Strong) => return Vec::new(),
        }
    }
    if choices.is_empty() { Vec::new() } else { combinations(&choices) }
}

/// S-4: a committed location, if there is one, is left.
pub fn respects_committed(network: &Network, at: &Discrete, participants: &[(ProcessId, EdgeId)]) -> bool {
    let committed: Vec<ProcessId> =
        active(network, at).filter(|(_, l)| l.kind == LocationKind::Committed).map(|(p, _)| p).collect();
    committed.is_empty() || participants.iter().any(|(process, _)| committed.contains(process))
}

/// Takes a transition: guards, updates, invariants (S-5, S-6, S-7). That the
/// participants form a transition is up to the caller.
pub fn fire<C: Clocks>(
    network: &Network,
    from: &State<C>,
    participants: &[(ProcessId, EdgeId)],
) -> Result<State<C>, Refusal> {
    for &(process, id) in participants {
        if !discrete_guard(network, &from.discrete, process, id)? {
            return Err(Refusal::Guard(process, id));
        }
    }
    for &(process, id) in participants {
        if !all_hold(&edge(network, process, id).guard.clocks, from)? {
            return Err(Refusal::Guard(process, id));
        }
    }
    let mut to = from.clone();
    for &(process, id) in participants {
        let edge = edge(network, process, id);
        run(network, &edge.update, &mut to)?;
        to.discrete.locations[process.index()] = edge.target;
    }
    match violated_invariant(network, &to)? {
        None => Ok(to),
        Some(process) => Err(Refusal::Invariant(process)),
    }
}

/// Whether the discrete conjuncts of an edge's guard hold.
pub fn discrete_guard(
    network: &Network,
    at: &Discrete,
    process: ProcessId,
    id: EdgeId,
) -> Result<bool, RuntimeError> {
    all_true(&edge(network, process, id).guard.discrete, &at.vars)
}

fn active<'a>(
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

fn edges<'a>(network: &'a Network, at: &'a Discrete) -> impl Iterator<Item = (ProcessId, EdgeId)> + use<'a> {
    (0..network.processes.len()).flat_map(move |p| edges_of(network, at, ProcessId::new(p)))
}

/// The edges on which processes other than `sender` can receive, in process
/// order; guards are not looked at.
pub fn receivers<'a>(
    network: &'a Network,
    at: &'a Discrete,
    sender: ProcessId,
    channel: ChannelId,
) -> impl Iterator<Item = (ProcessId, EdgeId)> + use<'a> {
    edges(network, at).filter(move |&(process, id)| {
        process != sender && edge(network, process, id).sync == Sync::Receive(channel)
    })
}

/// One element of each list, in all ways.
fn combinations<T: Copy>(choices: &[Vec<T>]) -> Vec<Vec<T>> {
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
