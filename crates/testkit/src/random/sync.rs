//! Random channels, synchronisation vectors, and which of them edges use.

use dwell_base::Rng;
use dwell_model::{
    Channel, ChannelId, ChannelKind, ChannelRef, EventId, Network, ProcessId, Span, Strength, Sync,
    SyncMember, SyncVector,
};

use super::data::Data;
use super::writer::Writer;
use super::{Builder, Config};

/// A channel, or an array of several.
#[derive(Clone, Copy, Debug)]
pub struct Channels {
    first: ChannelId,
    len: u32,
}

/// Declares channels.
pub fn add_channels(rng: &mut Rng, config: &Config, network: &mut Network) -> Vec<Channels> {
    let mut all = Vec::new();
    for c in 0..rng.below(config.max_channels as u64 + 1) {
        let first = ChannelId::new(network.channels.len());
        let kind =
            if rng.percent(config.broadcast_percent) { ChannelKind::Broadcast } else { ChannelKind::Binary };
        let urgent = rng.percent(config.urgent_channel_percent);
        let len = if rng.percent(config.channel_array_percent) { 2 + rng.below(2) as u32 } else { 1 };
        for element in 0..len {
            let name = if len == 1 { format!("c{c}") } else { format!("c{c}[{element}]") };
            network.channels.push(Channel { name, kind, urgent, priority: 0 });
        }
        all.push(Channels { first, len });
    }
    all
}

/// Declares synchronisation vectors.
pub fn add_vectors(rng: &mut Rng, config: &Config, network: &mut Network, process_count: usize) {
    network.events = vec!["a".to_owned(), "b".to_owned()];
    for _ in 0..rng.below(config.max_vectors as u64 + 1) {
        // N-4: distinct processes, in random order.
        let mut order: Vec<usize> = (0..process_count).collect();
        for i in (1..order.len()).rev() {
            order.swap(i, rng.below(i as u64 + 1) as usize);
        }
        order.truncate(2 + rng.below(2) as usize);
        let members = order.into_iter().map(|p| SyncMember {
            process: ProcessId::new(p),
            event: EventId(rng.below(2) as u32),
            strength: if rng.percent(config.weak_percent) { Strength::Weak } else { Strength::Strong },
        });
        network.vectors.push(SyncVector { members: members.collect() });
    }
}

impl Channels {
    /// One of them, most often picked by a variable if there are several.
    fn pick(self, rng: &mut Rng, config: &Config, network: &Network, data: &Data) -> ChannelRef {
        let Self { first, len } = self;
        if len == 1 || rng.percent(30) {
            return ChannelRef::Fixed(ChannelId(first.0 + rng.below(len.into()) as u32));
        }
        let index = Writer::test(rng, config, network, data).index(len);
        ChannelRef::Element { first, len, index, span: Span::default() }
    }
}

impl Builder<'_> {
    /// N-5: an event that a vector names for this process makes the edge one
    /// of vectors; other edges have an event that none names for it.
    pub fn synchronisation(&mut self, process: usize) -> (Sync, EventId) {
        let mut named = Vec::new();
        for member in self.network.vectors.iter().flat_map(|v| &v.members) {
            if member.process.index() == process {
                named.push(member.event);
            }
        }
        let free: Vec<EventId> =
            (0..self.network.events.len()).map(EventId::new).filter(|e| !named.contains(e)).collect();
        let event = *self.rng.pick(&free);
        match self.rng.below(100) {
            r if r < 22 && !named.is_empty() => (Sync::Vector, *self.rng.pick(&named)),
            r if r < 55 && !self.channels.is_empty() => {
                let channels = *self.rng.pick(self.channels);
                let channel = channels.pick(self.rng, self.config, self.network, self.data);
                // Even chances by process make pairs likely.
                let sends = self.rng.percent(if process.is_multiple_of(2) { 65 } else { 35 });
                (if sends { Sync::Send(channel) } else { Sync::Receive(channel) }, event)
            }
            _ => (Sync::Internal, event),
        }
    }
}
