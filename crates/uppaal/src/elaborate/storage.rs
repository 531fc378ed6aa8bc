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
//!     carry their kind in the top bits (`Slots::id`). Nothing that is kept
//!     refers to such an id.
//! S-3 A block's slots have one range, except constants, whose range is their
//!     value.

use dwell_model::expr::{Expr, Stmt};
use dwell_model::{Channel, ChannelKind, Clock, Span, Var, VarKind};

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
