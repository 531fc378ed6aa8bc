//! Priorities (S-9).
//!
//! Numbers are as front ends give them: a greater one is a higher priority. In
//! UPPAAL's `chan priority a < default < b` the levels count from 0 on the
//! left; channels that are not listed and transitions without a channel have
//! the level of `default`, which is 0 and below all others where it is not
//! written. The levels of the `system` line count likewise.

use dwell_model::{EdgeId, Network, ProcessId, Sync};

use crate::eval::{self, Clocks, Refusal};
use crate::state::{Discrete, Participants, State};
use crate::step::{edge, fire};

/// The level of the channel, then that of the processes: compared in this order.
pub type Level = (u32, u32);

/// The level of participants that form a transition: that of its channel, and
/// the highest among its processes.
pub fn level(network: &Network, at: &Discrete, participants: &[(ProcessId, EdgeId)]) -> Level {
    let (process, id) = participants[0];
    let channel = match &edge(network, process, id).sync {
        Sync::Send(channel) => {
            let channel = eval::channel(network, channel, at);
            network.channels[channel.expect("it was computed to form the transition").index()].priority
        }
        Sync::Internal | Sync::Vector | Sync::Receive(_) => network.internal_priority,
    };
    let processes = participants.iter().map(|(process, _)| network.processes[process.index()].priority);
    (channel, processes.max().unwrap_or(0))
}

/// Whether all transitions have the same level.
pub fn is_flat(network: &Network) -> bool {
    network.channels.iter().all(|channel| channel.priority == network.internal_priority)
        && network.processes.windows(2).all(|pair| pair[0].priority == pair[1].priority)
}

/// A transition of those in `formed` that blocks `participants` in `from`: of
/// a higher level and possible. One that fails does not block. The refusal is
/// [`Refusal::Inexpressible`].
pub fn blocker<'f, C: Clocks>(
    network: &Network,
    from: &State<C>,
    participants: &[(ProcessId, EdgeId)],
    formed: &'f [Participants],
) -> Result<Option<&'f Participants>, Refusal> {
    let own = level(network, &from.discrete, participants);
    for other in formed.iter().filter(|other| level(network, &from.discrete, other) > own) {
        match fire(network, from, other) {
            Ok(_) => return Ok(Some(other)),
            Err(Refusal::Inexpressible) => return Err(Refusal::Inexpressible),
            Err(_) => {}
        }
    }
    Ok(None)
}
