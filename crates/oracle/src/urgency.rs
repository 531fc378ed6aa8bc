//! What keeps time from passing, invariants apart (S-2).

use dwell_model::expr::RuntimeError;
use dwell_model::{ChannelId, ChannelKind, LocationKind, Network, ProcessId};

use crate::eval::{Clocks, Refusal};
use crate::state::{Discrete, Participants, State};
use crate::step::{active, clock_guard};
use crate::transitions::Offers;

/// Why no time may pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DelayBar {
    /// This process is in an urgent or committed location.
    Location(ProcessId),
    /// A synchronisation on this urgent channel is enabled.
    Channel(ChannelId),
}

/// What can be said of delays without the clocks.
#[derive(Clone, Debug, Default)]
pub struct Urgency {
    /// A process in an urgent or committed location.
    pub location: Option<ProcessId>,
    /// The synchronisations on urgent channels whose discrete guards hold; not
    /// looked for where there is such a process.
    pub syncs: Vec<UrgentSync>,
}

/// A synchronisation on an urgent channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UrgentSync {
    /// The channel.
    pub channel: ChannelId,
    /// Whose clock guards decide whether it is enabled: the sender and, on a
    /// binary channel, the receiver.
    pub deciding: Participants,
}

/// The part of S-2 that the discrete state knows.
pub fn urgency(network: &Network, at: &Discrete) -> Result<Urgency, RuntimeError> {
    let location = active(network, at).find(|(_, location)| location.kind != LocationKind::Normal);
    if let Some((process, _)) = location {
        return Ok(Urgency { location: Some(process), syncs: Vec::new() });
    }
    if !network.channels.iter().any(|channel| channel.urgent) {
        return Ok(Urgency::default());
    }
    let mut offers = Offers::new(network, at, |channel| channel.urgent);
    if !offers.failing.is_empty() {
        return Err(offers.failing.swap_remove(0).1);
    }
    let mut syncs = Vec::new();
    for &(channel, sender) in &offers.sends {
        if network.channels[channel.index()].kind == ChannelKind::Broadcast {
            syncs.push(UrgentSync { channel, deciding: vec![sender] });
        } else {
            let pairs = offers.receivers(sender.0, channel);
            syncs.extend(pairs.map(|receiver| UrgentSync { channel, deciding: vec![sender, receiver] }));
        }
    }
    Ok(Urgency { location: None, syncs })
}

impl Urgency {
    /// What forbids any delay from `state`, which has the discrete part that
    /// this was computed for.
    pub fn bar<C: Clocks>(&self, network: &Network, state: &State<C>) -> Result<Option<DelayBar>, Refusal> {
        if let Some(process) = self.location {
            return Ok(Some(DelayBar::Location(process)));
        }
        for sync in &self.syncs {
            let mut is_enabled = true;
            for &(process, id) in &sync.deciding {
                is_enabled = is_enabled && clock_guard(network, state, process, id)?;
            }
            if is_enabled {
                return Ok(Some(DelayBar::Channel(sync.channel)));
            }
        }
        Ok(None)
    }
}

/// What forbids any delay (S-2), invariants apart.
pub fn delay_bar<C: Clocks>(network: &Network, state: &State<C>) -> Result<Option<DelayBar>, Refusal> {
    urgency(network, &state.discrete)?.bar(network, state)
}
