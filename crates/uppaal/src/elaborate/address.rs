//! From places to slots: what is read, written, reset or synchronised on.

use dwell_model::expr::{ClockRef, Expr, Place as Target};
use dwell_model::{ChannelId, ChannelRef, ClockId, Span};

use super::Elaborator;
use super::storage::{Dynamic, DynamicIndex, Place, Space};

/// Which slot of a block.
#[derive(Clone, Debug)]
pub(super) enum Offset {
    Known(u32),
    Computed(Expr),
}

/// One slot, or one of several picked at run time.
#[derive(Clone, Debug)]
pub(super) struct Address {
    pub space: Space,
    pub first: u32,
    pub pick: Option<(u32, Expr, Span)>,
}

impl Elaborator<'_> {
    /// Slot `offset` of leaf `leaf` of a place; the leaf has `rest` slots there.
    pub(super) fn address(&self, place: &Place, leaf: u32, rest: u32, offset: Offset) -> Address {
        let block = self.tables.storages.block(place.storage, place.leaf + leaf);
        let count = place.dynamic.as_ref().map_or(1, |d| d.count);
        // S-1
        let first = block.first.wrapping_add(place.fixed.wrapping_mul(count).wrapping_mul(rest));
        let pick = match (&place.dynamic, offset) {
            (None, Offset::Known(k)) => {
                return Address { space: block.space, first: first.wrapping_add(k), pick: None };
            }
            (None, Offset::Computed(k)) => (rest, k, Span::default()),
            (Some(dynamic), offset) => {
                let index = match &dynamic.index {
                    DynamicIndex::One { index, low: 0 } if rest == 1 => index.clone(),
                    _ => self.scaled(self.flat_index(dynamic), rest, offset, dynamic.span),
                };
                (count.wrapping_mul(rest), index, dynamic.span)
            }
        };
        Address { space: block.space, first, pick: Some(pick) }
    }

    fn scaled(&self, flat: Expr, rest: u32, offset: Offset, span: Span) -> Expr {
        let offset = match offset {
            Offset::Known(k) => Expr::Const(k as i32),
            Offset::Computed(k) => k,
        };
        self.add(self.mul(flat, Expr::Const(rest as i32), span), offset, span)
    }

    /// The flattened index, checked.
    pub(super) fn flat_index(&self, dynamic: &Dynamic) -> Expr {
        match &dynamic.index {
            DynamicIndex::Flat(index) => index.clone(),
            DynamicIndex::One { index, low } => {
                self.checked_index(index.clone(), *low, dynamic.count, dynamic.span)
            }
        }
    }

    /// The integer at an address.
    pub(super) fn load(&mut self, address: Address) -> Expr {
        let Address { space, first, pick } = address;
        if matches!(space, Space::State | Space::Meta) {
            self.frame.facts.reads = true;
        }
        match (space, pick) {
            (Space::Local, None) => Expr::Local(first),
            (Space::Local, Some((len, index, span))) => {
                Expr::LocalElement { first, len, index: Box::new(index), span }
            }
            (Space::State | Space::Meta | Space::Constant, pick) => {
                let first = self.tables.slots.id(space, first);
                match pick {
                    Some((len, index, span)) => Expr::Element { first, len, index: Box::new(index), span },
                    None if space == Space::Constant => {
                        Expr::Const(self.tables.slots.var(first, &self.network).map_or(0, |v| v.init))
                    }
                    None => Expr::Var(first),
                }
            }
            // Only after an error.
            (Space::Clock | Space::Channel | Space::Nowhere, _) => Expr::Const(0),
        }
    }

    /// What to write to.
    pub(super) fn target(&mut self, address: Address) -> Target {
        let Address { space, first, pick } = address;
        if space == Space::Local {
            return match pick {
                None => Target::Local(first),
                Some((len, index, span)) => Target::LocalElement { first, len, index, span },
            };
        }
        self.frame.facts.writes = true;
        let first = self.tables.slots.id(space, first);
        match pick {
            None => Target::Var(first),
            Some((len, index, span)) => Target::Element { first, len, index, span },
        }
    }

    /// The clock at an address.
    pub(super) fn clock_at(&self, address: Address) -> ClockRef {
        let first = ClockId(address.first);
        match address.pick {
            None => ClockRef::Fixed(first),
            Some((len, index, span)) => ClockRef::Element { first, len, index, span },
        }
    }

    /// The channel at an address.
    pub(super) fn channel_at(&self, address: Address) -> ChannelRef {
        let first = ChannelId(address.first);
        match address.pick {
            None => ChannelRef::Fixed(first),
            Some((len, index, span)) => ChannelRef::Element { first, len, index, span },
        }
    }
}
