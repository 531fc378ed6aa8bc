//! Where values live.
//!
//! Storage is a structure of arrays: every leaf of a variable's type (a path
//! of fields that ends in an integer, clock or channel) has one block of
//! consecutive slots, its elements in row-major order.
//!
//! S-1 A path of indices and fields uses up the same dimensions of all leaves
//!     below it, so one number, the flattened index, places all of them: slot
//!     `k` of a leaf with `rest` slots left is `flat * rest + k`.
//! S-2 While declarations are elaborated, variables have no final ids: they
//!     carry their kind in the top bits ([`Slots::id`]). Nothing that is kept
//!     refers to such an id.
//! S-3 A block's slots have one range, except constants, whose range is their
//!     value.

use dwell_model::expr::{ClockRef, Expr, Place as Target, Stmt};
use dwell_model::{
    Channel, ChannelId, ChannelKind, ChannelRef, Clock, ClockId, Network, Span, Var, VarId, VarKind,
};

use super::types::Ty;
use super::{Elaborator, MAX_CLOCKS, MAX_SLOTS};

/// What kind of slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Space {
    State,
    Meta,
    Constant,
    Local,
    Clock,
    Channel,
    /// Floating point and strings.
    Nowhere,
}

/// The slots of one leaf.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    pub space: Space,
    pub first: u32,
    pub len: u32,
}

/// The blocks of one variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct StorageId(u32);

/// All blocks.
#[derive(Debug, Default)]
pub(super) struct Storages {
    list: Vec<Vec<Block>>,
}

impl Storages {
    fn add(&mut self, blocks: Vec<Block>) -> StorageId {
        self.list.push(blocks);
        StorageId(self.list.len() as u32 - 1)
    }

    /// One block of a variable.
    pub fn block(&self, storage: StorageId, leaf: u32) -> &Block {
        &self.list[storage.0 as usize][leaf as usize]
    }
}

/// A variable or a part of one.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub ty: Ty,
    pub storage: StorageId,
    /// The first of its leaves.
    pub leaf: u32,
    /// The leading indices, flattened, as far as they are known.
    pub fixed: u32,
    /// The others.
    pub dynamic: Option<Box<Dynamic>>,
    /// What must be done before it is used.
    pub before: Vec<Stmt>,
}

/// Indices computed while running.
#[derive(Clone, Debug)]
pub(super) struct Dynamic {
    /// How many values the flattened index may have.
    pub count: u32,
    pub index: DynamicIndex,
    pub span: Span,
}

/// One index as written, or several combined.
#[derive(Clone, Debug)]
pub(super) enum DynamicIndex {
    /// Not checked yet.
    One { index: Expr, low: i32 },
    /// Checked, from 0 on.
    Flat(Expr),
}

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

/// The variables of the network while their ids are not settled.
#[derive(Debug, Default)]
pub(super) struct Slots {
    pending: [Vec<Var>; 3],
    bases: Option<[u32; 3]>,
}

impl Slots {
    const SHIFT: u32 = 30;

    fn kind(space: Space) -> usize {
        match space {
            Space::State => 0,
            Space::Meta => 1,
            _ => 2,
        }
    }

    /// True once ids are final; from then on only constants can be added.
    pub fn settled(&self) -> bool {
        self.bases.is_some()
    }

    /// Variables so far.
    fn total(&self, network: &Network) -> u64 {
        self.pending.iter().map(Vec::len).sum::<usize>() as u64 + network.vars.len() as u64
    }

    fn next(&self, space: Space, network: &Network) -> u32 {
        match self.bases {
            None => self.pending[Self::kind(space)].len() as u32,
            Some(bases) => network.vars.len() as u32 - bases[2],
        }
    }

    fn push(&mut self, space: Space, var: Var, network: &mut Network) {
        match self.bases {
            None => self.pending[Self::kind(space)].push(var),
            Some(_) => network.vars.push(var),
        }
    }

    /// The id of a slot: its final one, or one that says where it will be.
    pub fn id(&self, space: Space, slot: u32) -> VarId {
        let kind = Self::kind(space);
        match self.bases {
            None => VarId(slot | (kind as u32 + 1) << Self::SHIFT),
            Some(bases) => VarId(bases[kind] + slot),
        }
    }

    /// The variable behind an id.
    pub fn var<'s>(&'s self, id: VarId, network: &'s Network) -> Option<&'s Var> {
        match self.bases {
            None => {
                let kind = (id.0 >> Self::SHIFT).checked_sub(1)?;
                self.pending.get(kind as usize)?.get((id.0 & ((1 << Self::SHIFT) - 1)) as usize)
            }
            Some(_) => network.vars.get(id.index()),
        }
    }

    /// Gives all variables their ids, ordered by kind.
    pub fn settle(&mut self, network: &mut Network) {
        let mut bases = [0; 3];
        for (base, pending) in bases.iter_mut().zip(&mut self.pending) {
            *base = network.vars.len() as u32;
            network.vars.append(pending);
        }
        self.bases = Some(bases);
    }
}

impl<'a> Elaborator<'a> {
    /// Makes room for a value of a type. `values` are those of each leaf;
    /// clocks and integers without values get their defaults.
    pub(super) fn allocate(
        &mut self,
        name: &str,
        ty: &Ty,
        space: Space,
        values: Option<Vec<Vec<i32>>>,
        span: Span,
    ) -> Place {
        let mut blocks = Vec::new();
        for (number, leaf) in ty.leaves().into_iter().enumerate() {
            let given = values.as_ref().and_then(|v| v.get(number)).map(Vec::as_slice);
            blocks.push(self.allocate_block(
                name,
                ty,
                space,
                (number as u32, &leaf.ty, leaf.count),
                given,
                span,
            ));
        }
        let storage = self.tables.storages.add(blocks);
        Place { ty: ty.clone(), storage, leaf: 0, fixed: 0, dynamic: None, before: Vec::new() }
    }

    fn allocate_block(
        &mut self,
        name: &str,
        whole: &Ty,
        space: Space,
        (number, ty, count): (u32, &Ty, u64),
        given: Option<&[i32]>,
        span: Span,
    ) -> Block {
        let space = match ty {
            // Refused by `temporary`.
            Ty::Clock | Ty::Channel { .. } if space == Space::Local => Space::Nowhere,
            Ty::Clock => Space::Clock,
            Ty::Channel { .. } => Space::Channel,
            Ty::Int { .. } | Ty::Bool | Ty::Scalar(_) => space,
            Ty::Double | Ty::Text | Ty::Void | Ty::Array(_) | Ty::Struct(_) => Space::Nowhere,
        };
        let (have, most) = match space {
            Space::Clock => (self.network.clocks.len() as u64, MAX_CLOCKS),
            Space::Channel => (self.network.channels.len() as u64, MAX_SLOTS),
            Space::Local => (u64::from(self.network.locals), MAX_SLOTS),
            Space::Nowhere => (0, MAX_SLOTS),
            _ => (self.tables.slots.total(&self.network), MAX_SLOTS),
        };
        if have.saturating_add(count) > most {
            let what = if space == Space::Clock { "clocks" } else { "variables" };
            self.error("model-too-large", span, format!("`{name}` would make it more than {most} {what}"));
            return Block { space: Space::Nowhere, first: 0, len: 0 };
        }
        let first = match space {
            Space::Clock => have as u32,
            Space::Channel => have as u32,
            Space::Local => {
                let bounds = ty.bounds().unwrap_or((i32::MIN, i32::MAX));
                self.network.locals += count as u32;
                self.tables.local_ranges.resize(self.network.locals as usize, bounds);
                have as u32
            }
            Space::Nowhere => 0,
            _ => self.tables.slots.next(space, &self.network),
        };
        if !matches!(space, Space::Local | Space::Nowhere) {
            let mut names = Vec::with_capacity(count as usize);
            slot_names(whole, number, &mut name.to_owned(), &mut names);
            for (at, name) in names.into_iter().enumerate() {
                let value = given.and_then(|v| v.get(at)).copied();
                self.add_slot(name, ty, space, value);
            }
        }
        Block { space, first, len: count as u32 }
    }

    fn add_slot(&mut self, name: String, ty: &Ty, space: Space, value: Option<i32>) {
        match (space, ty) {
            (Space::Clock, _) => self.network.clocks.push(Clock { name, init: value.unwrap_or(0) }),
            (Space::Channel, &Ty::Channel { urgent, broadcast }) => {
                let kind = if broadcast { ChannelKind::Broadcast } else { ChannelKind::Binary };
                self.network.channels.push(Channel { name, kind, urgent, priority: 0 });
            }
            _ => {
                let init = value.unwrap_or_else(|| ty.default_value());
                let (kind, (min, max)) = match space {
                    Space::Meta => (VarKind::Meta, ty.bounds().unwrap_or((init, init))),
                    Space::Constant => (VarKind::Constant, (init, init)),
                    _ => (VarKind::State, ty.bounds().unwrap_or((init, init))),
                };
                let var = Var { name, min, max, init, kind };
                self.tables.slots.push(space, var, &mut self.network);
            }
        }
    }

    /// A fresh local for values of this range. Locals of functions are theirs
    /// alone; those of guards and updates, which never run at the same time,
    /// are shared.
    pub(super) fn local(&mut self, min: i32, max: i32) -> u32 {
        let shared = self.frame.returns.is_none();
        if shared {
            self.frame.temporaries += 1;
            if let Some(&slot) = self.tables.temporaries.get(self.frame.temporaries - 1) {
                self.tables.local_ranges[slot as usize] = (min, max);
                return slot;
            }
        }
        let slot = self.network.locals;
        self.network.locals += 1;
        self.tables.local_ranges.push((min, max));
        if shared {
            self.tables.temporaries.push(slot);
        }
        slot
    }

    /// A local place for a value of a type.
    pub(super) fn temporary(&mut self, ty: &Ty, span: Span) -> Place {
        if ty.has_clocks_or_channels() {
            self.unsupported("a copy of clocks or channels", span);
        }
        self.allocate("a temporary", ty, Space::Local, None, span)
    }

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

/// The names of all slots of one leaf, in order: `a[0].f`, `a[1].f` …
fn slot_names(ty: &Ty, leaf: u32, name: &mut String, names: &mut Vec<String>) {
    let length = name.len();
    match ty {
        Ty::Array(array) => {
            for at in 0..array.len {
                name.push_str(&format!("[{}]", i64::from(array.low) + i64::from(at)));
                slot_names(&array.element, leaf, name, names);
                name.truncate(length);
            }
        }
        Ty::Struct(s) => {
            let mut before = 0;
            for (field, ty) in &s.fields {
                let count = ty.leaf_count();
                if leaf < before + count {
                    name.push('.');
                    name.push_str(field);
                    slot_names(ty, leaf - before, name, names);
                    name.truncate(length);
                    return;
                }
                before += count;
            }
        }
        _ => names.push(name.clone()),
    }
}
