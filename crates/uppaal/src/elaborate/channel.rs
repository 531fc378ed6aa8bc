//! Priorities of channels.

use dwell_model::ChannelId;
use dwell_syntax::uppaal::tree::{ChannelPriority, PriorityItem};

use super::Elaborator;
use super::address::Offset;
use super::scope::View;
use super::storage::{Place, Space};

impl<'a> Elaborator<'a> {
    /// Sets the priorities of channels and of internal transitions. What is
    /// not listed has the level of `default`, the lowest where that is not
    /// listed either.
    pub(super) fn channel_priorities(&mut self) {
        let priorities = std::mem::take(&mut self.priorities);
        if let Some((second, _)) = priorities.get(1) {
            self.error("duplicate-priority", second.span, "there is more than one channel priority");
        }
        let Some(&(priority, view)) = priorities.first() else { return };
        let has_default =
            |level: &Vec<PriorityItem>| level.iter().any(|i| matches!(i, PriorityItem::Default(_)));
        let default = priority.levels.iter().position(has_default);
        // Without `default` there is one more level, below all others.
        let lowest = u32::from(default.is_none());
        let default = default.unwrap_or(0) as u32;
        self.network.internal_priority = default;
        self.network.channels.iter_mut().for_each(|channel| channel.priority = default);
        self.listed_priorities(priority, view, lowest);
    }

    fn listed_priorities(&mut self, priority: &'a ChannelPriority, view: View, lowest: u32) {
        let outer = self.enter(view);
        for (level, items) in priority.levels.iter().enumerate() {
            for item in items {
                let PriorityItem::Channel(channel) = item else { continue };
                match self.place(channel) {
                    Some(place) if place.dynamic.is_none() => {
                        self.set_priority(&place, level as u32 + lowest)
                    }
                    _ => {
                        self.bad(
                            "a channel that is known before the model runs is expected here",
                            channel.span,
                        );
                    }
                }
            }
        }
        self.leave(outer);
    }

    fn set_priority(&mut self, place: &Place, level: u32) {
        for (number, leaf) in place.ty.leaves().into_iter().enumerate() {
            let rest = leaf.count as u32;
            for k in 0..rest {
                let address = self.address(place, number as u32, rest, Offset::Known(k));
                if address.space == Space::Channel
                    && let Some(channel) = self.network.channels.get_mut(ChannelId(address.first).index())
                {
                    channel.priority = level;
                }
            }
        }
    }
}
