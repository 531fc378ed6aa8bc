//! Types whose names are resolved and whose sizes are known.

use std::sync::Arc;

use dwell_syntax::uppaal::tree::{Dim, ExprKind, Type, TypeBase};

use super::scope::Binding;
use super::{Elaborator, MAX_SLOTS};
use crate::prelude;

/// A type after instantiation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ty {
    Int {
        min: i32,
        max: i32,
    },
    Bool,
    /// The values of a scalar set, from 0 on.
    Scalar(u32),
    /// Floating point, and hybrid clocks: known, but without storage.
    Double,
    Clock,
    Channel {
        urgent: bool,
        broadcast: bool,
    },
    Text,
    Void,
    Array(Arc<Array>),
    Struct(Arc<Struct>),
}

/// An array type.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Array {
    /// The least index.
    pub low: i32,
    pub len: u32,
    pub element: Ty,
}

/// A structure type.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Struct {
    pub fields: Vec<(String, Ty)>,
}

/// One leaf of a type: a scalar at the end of a path of fields, as often as
/// the arrays on the way say.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    pub ty: Ty,
    pub count: u64,
}

/// A type with the part of its prefix that belongs to variables.
#[derive(Clone, Debug)]
pub(super) struct Typed {
    pub ty: Ty,
    pub constant: bool,
    pub meta: bool,
}

impl Ty {
    /// `int` without bounds.
    pub const INT: Self = Self::Int { min: prelude::INT.0, max: prelude::INT.1 };

    /// Least and greatest value of an integral or scalar type.
    pub fn bounds(&self) -> Option<(i32, i32)> {
        match self {
            Self::Int { min, max } => Some((*min, *max)),
            Self::Bool => Some((0, 1)),
            Self::Scalar(len) => Some((0, *len as i32 - 1)),
            _ => None,
        }
    }

    /// The value of a variable without initialiser.
    pub fn default_value(&self) -> i32 {
        match self.bounds() {
            Some((min, max)) if min > 0 || max < 0 => min,
            _ => 0,
        }
    }

    /// True for arrays and structures.
    pub fn is_aggregate(&self) -> bool {
        matches!(self, Self::Array(_) | Self::Struct(_))
    }

    /// The leaves, in the order of the fields.
    pub fn leaves(&self) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        self.collect_leaves(1, &mut leaves);
        leaves
    }

    fn collect_leaves(&self, count: u64, leaves: &mut Vec<Leaf>) {
        match self {
            Self::Array(array) => {
                array.element.collect_leaves(count.saturating_mul(u64::from(array.len)), leaves);
            }
            Self::Struct(s) => s.fields.iter().for_each(|(_, ty)| ty.collect_leaves(count, leaves)),
            _ => leaves.push(Leaf { ty: self.clone(), count }),
        }
    }

    /// How many leaves there are.
    pub fn leaf_count(&self) -> u32 {
        match self {
            Self::Array(array) => array.element.leaf_count(),
            Self::Struct(s) => s.fields.iter().map(|(_, ty)| ty.leaf_count()).sum(),
            _ => 1,
        }
    }

    /// True when some leaf is one of these.
    pub fn any_leaf(&self, is: &mut impl FnMut(&Self) -> bool) -> bool {
        match self {
            Self::Array(array) => array.element.any_leaf(is),
            Self::Struct(s) => s.fields.iter().any(|(_, ty)| ty.any_leaf(is)),
            _ => is(self),
        }
    }

    /// True when it holds clocks or channels.
    pub fn has_clocks_or_channels(&self) -> bool {
        self.any_leaf(&mut |ty| matches!(ty, Self::Clock | Self::Channel { .. }))
    }

    /// The type of a field, and how many leaves come before it.
    pub fn field(&self, name: &str) -> Option<(&Self, u32)> {
        let Self::Struct(s) = self else { return None };
        let mut before = 0;
        for (field, ty) in &s.fields {
            if field == name {
                return Some((ty, before));
            }
            before += ty.leaf_count();
        }
        None
    }
}

impl<'a> Elaborator<'a> {
    /// What a type as written means here. After an error it is `int`.
    pub(super) fn typed(&mut self, ty: &'a Type) -> Typed {
        let prefix = ty.prefix;
        let mut result = Typed { ty: Ty::INT, constant: prefix.constant, meta: prefix.meta };
        result.ty = match &ty.base {
            TypeBase::Named(name) => match self.lookup(name) {
                Some(Binding::Type(named)) => {
                    result.constant |= named.constant;
                    result.meta |= named.meta;
                    match named.ty {
                        Ty::Channel { urgent, broadcast } => Ty::Channel {
                            urgent: urgent || prefix.urgent,
                            broadcast: broadcast || prefix.broadcast,
                        },
                        Ty::Clock if prefix.hybrid => Ty::Double,
                        other => other,
                    }
                }
                _ => {
                    self.error("unknown-type", ty.span, format!("`{name}` is not a type"));
                    Ty::INT
                }
            },
            TypeBase::Bool => Ty::Bool,
            TypeBase::Int(None) if prefix.constant => Ty::Int { min: i32::MIN, max: i32::MAX },
            TypeBase::Int(None) => Ty::INT,
            TypeBase::Int(Some(bounds)) => {
                let min = self.constant(&bounds.0).unwrap_or_default();
                let max = self.constant(&bounds.1).unwrap_or(min);
                Ty::Int { min, max }
            }
            TypeBase::Double => Ty::Double,
            TypeBase::String => Ty::Text,
            TypeBase::Chan => Ty::Channel { urgent: prefix.urgent, broadcast: prefix.broadcast },
            TypeBase::Scalar(size) => {
                let len = self.constant(size).unwrap_or(1);
                if !(1..=MAX_SLOTS as i32).contains(&len) {
                    self.error("bad-size", size.span, format!("a scalar set cannot have {len} elements"));
                }
                Ty::Scalar(len.clamp(1, MAX_SLOTS as i32) as u32)
            }
            TypeBase::Struct(groups) => {
                let mut fields = Vec::new();
                for group in groups {
                    let typed = self.typed(&group.ty);
                    for declarator in &group.names {
                        let ty = self.with_dims(&typed.ty, &declarator.dims);
                        fields.push((declarator.name.name.clone(), ty));
                    }
                }
                Ty::Struct(Arc::new(Struct { fields }))
            }
            TypeBase::Clock if prefix.hybrid => Ty::Double,
            TypeBase::Clock => Ty::Clock,
            TypeBase::Void => Ty::Void,
            TypeBase::Error => {
                self.error("unknown-type", ty.span, "this type was not understood");
                Ty::INT
            }
        };
        result
    }

    /// `element` with array dimensions around it, the first one outermost.
    pub(super) fn with_dims(&mut self, element: &Ty, dims: &'a [Dim]) -> Ty {
        // Sizes are computed from left to right, so that errors come in the order of the text.
        let sizes: Vec<_> = dims.iter().map(|dim| self.dimension(dim)).collect();
        sizes
            .into_iter()
            .rev()
            .fold(element.clone(), |element, (low, len)| Ty::Array(Arc::new(Array { low, len, element })))
    }

    /// Least index and number of elements.
    fn dimension(&mut self, dim: &'a Dim) -> (i32, u32) {
        let (ty, span) = match dim {
            Dim::Index(ty) => (self.typed(ty).ty, ty.span),
            Dim::Size(size) => {
                let named = match &size.kind {
                    ExprKind::Name(name) => self.lookup(name),
                    _ => None,
                };
                match named {
                    Some(Binding::Type(typed)) => (typed.ty, size.span),
                    _ => {
                        let len = self.constant(size).unwrap_or(1);
                        if len < 0 || len as u64 > MAX_SLOTS {
                            self.error("bad-size", size.span, format!("an array cannot have {len} elements"));
                            return (0, 1);
                        }
                        return (0, len as u32);
                    }
                }
            }
        };
        match ty.bounds() {
            Some((low, high)) => {
                let len = (i64::from(high) - i64::from(low) + 1).max(0);
                if len as u64 > MAX_SLOTS {
                    self.error("model-too-large", span, format!("an array of {len} elements is too large"));
                    return (low, 1);
                }
                (low, len as u32)
            }
            None => {
                self.error("bad-size", span, "an array is indexed by integers or scalars");
                (0, 1)
            }
        }
    }

    /// The values a select, quantifier or parameter ranges over.
    pub(super) fn values_of(&mut self, ty: &'a Type) -> (i32, i32) {
        let typed = self.typed(ty);
        match typed.ty.bounds() {
            Some(bounds) => bounds,
            None => {
                self.error("bad-range", ty.span, "only integers and scalars can be enumerated");
                (0, -1)
            }
        }
    }
}
