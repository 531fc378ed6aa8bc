//! Types of expressions and variables.
//!
//! Templates are checked once, whatever their arguments, so the bounds of a
//! type may be expressions over parameters: a [`Bound`] is then known only by
//! what is written, and two of them are equal when the same is written.

use std::fmt;
use std::ops::BitOr;
use std::rc::Rc;

use crate::prelude;

use super::scope::Template;

/// How deep types may nest: arrays of structures of arrays, through any
/// number of `typedef`s. Keeps every walk over a type shallow.
pub(super) const DEEPEST: u16 = 64;

/// A type.
#[derive(Clone, Debug)]
pub(super) enum Ty {
    /// Of something that was reported already; goes with everything.
    Error,
    Void,
    Bool,
    /// Without a range: `const int`, and the results of operators.
    Int(Option<Rc<Range>>),
    Double,
    String,
    Clock(ClockKind),
    /// `x - y`
    Difference,
    /// `x'`
    Rate,
    /// A condition on clocks.
    Constraint(Class),
    Chan(ChanKind),
    Scalar(Rc<ScalarSet>),
    Struct(Rc<Struct>),
    Array(Rc<Array>),
    /// One process, in a query.
    Process(Rc<Template>),
    /// All processes of a template with free parameters, in a query.
    ProcessSet(Rc<Template>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClockKind {
    Plain,
    Hybrid,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ChanKind {
    pub urgent: bool,
    pub broadcast: bool,
}

impl ChanKind {
    /// What a channel can do; a parameter takes channels that can do at least
    /// as much (LANGUAGE 2.2).
    pub fn capability(self) -> u8 {
        match (self.urgent, self.broadcast) {
            (true, _) => 0,
            (false, true) => 1,
            (false, false) => 2,
        }
    }
}

/// Where a condition on clocks may stand (LANGUAGE 4.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Class {
    pub level: Level,
    /// Some clock's rate is set.
    pub rate: bool,
}

impl Class {
    pub const INVARIANT: Self = Self { level: Level::Invariant, rate: false };
    pub const RATE: Self = Self { level: Level::Invariant, rate: true };
    pub const GUARD: Self = Self { level: Level::Guard, rate: false };
    pub const CONSTRAINT: Self = Self { level: Level::Constraint, rate: false };
    pub const FORMULA: Self = Self { level: Level::Formula, rate: false };

    /// Both conditions at once.
    pub fn join(self, other: Self) -> Self {
        Self { level: self.level.max(other.level), rate: self.rate || other.rate }
    }

    /// At least that level.
    pub fn at_least(self, level: Level) -> Self {
        Self { level: self.level.max(level), ..self }
    }
}

/// Each level goes wherever a later one goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Invariant,
    Guard,
    Constraint,
    Formula,
}

/// The bounds of an integer type.
#[derive(Clone, Debug)]
pub(super) struct Range {
    pub low: Bound,
    pub high: Bound,
}

/// One end of a range, or the size of a set.
#[derive(Clone, Debug)]
pub(super) enum Bound {
    Known(i32),
    /// Depends on parameters, or on what is not computed here.
    Written(Rc<Written>),
    /// In error; equal to everything.
    Unknown,
}

/// An expression that is not computed.
#[derive(Debug)]
pub(super) struct Written {
    /// The same for the same expression over the same symbols.
    pub key: String,
    /// For people.
    pub text: String,
}

/// The values of one occurrence of `scalar[n]`.
#[derive(Debug)]
pub(super) struct ScalarSet {
    /// Tells the occurrences apart.
    pub id: u32,
    pub size: Bound,
    /// The name given by `typedef`.
    pub name: Option<Rc<str>>,
}

#[derive(Debug)]
pub(super) struct Struct {
    /// The name given by `typedef`.
    pub name: Option<Rc<str>>,
    pub fields: Vec<(Rc<str>, Ty)>,
    pub holds: Holds,
    depth: u16,
}

#[derive(Debug)]
pub(super) struct Array {
    /// A range of integers, or a scalar set.
    pub index: Ty,
    pub element: Ty,
    pub holds: Holds,
    depth: u16,
}

/// What a type holds somewhere inside. Kept in the type, since a type may
/// hold another one exponentially often.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Holds(u8);

impl Holds {
    pub const CHANNEL: Self = Self(1);
    pub const CLOCK: Self = Self(2);
    pub const STRING: Self = Self(4);
    pub const SCALAR_INDEX: Self = Self(8);

    pub fn any(self, of: Self) -> bool {
        self.0 & of.0 != 0
    }
}

impl BitOr for Holds {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Range {
    pub fn known(low: i32, high: i32) -> Self {
        Self { low: Bound::Known(low), high: Bound::Known(high) }
    }

    /// Both ends, where they are known.
    pub fn bounds(&self) -> Option<(i32, i32)> {
        match (&self.low, &self.high) {
            (&Bound::Known(low), &Bound::Known(high)) => Some((low, high)),
            _ => None,
        }
    }
}

impl Ty {
    /// An integer without a range.
    pub const INT: Self = Self::Int(None);

    pub fn range(low: i32, high: i32) -> Self {
        Self::Int(Some(Rc::new(Range::known(low, high))))
    }

    /// `int` as the type of a variable.
    pub fn default_int() -> Self {
        Self::range(prelude::INT.0, prelude::INT.1)
    }

    /// `None` when the types nest too deep.
    pub fn array(index: Ty, element: Ty) -> Option<Self> {
        let depth = element.depth() + 1;
        let of_scalars = if matches!(index, Ty::Scalar(_)) { Holds::SCALAR_INDEX } else { Holds::default() };
        let holds = element.holds() | of_scalars;
        (depth <= DEEPEST).then(|| Self::Array(Rc::new(Array { index, element, holds, depth })))
    }

    /// `None` when the types nest too deep.
    pub fn structure(name: Option<Rc<str>>, fields: Vec<(Rc<str>, Ty)>) -> Option<Self> {
        let depth = fields.iter().map(|(_, ty)| ty.depth()).max().unwrap_or(0) + 1;
        let holds = fields.iter().fold(Holds::default(), |holds, (_, ty)| holds | ty.holds());
        (depth <= DEEPEST).then(|| Self::Struct(Rc::new(Struct { name, fields, holds, depth })))
    }

    fn depth(&self) -> u16 {
        match self {
            Self::Struct(s) => s.depth,
            Self::Array(a) => a.depth,
            _ => 0,
        }
    }

    pub fn holds(&self) -> Holds {
        match self {
            Self::Struct(s) => s.holds,
            Self::Array(a) => a.holds,
            Self::Chan(_) => Holds::CHANNEL,
            Self::Clock(_) => Holds::CLOCK,
            Self::String => Holds::STRING,
            _ => Holds::default(),
        }
    }

    /// The type of the elements of the innermost arrays.
    pub fn innermost(&self) -> &Ty {
        let mut ty = self;
        while let Self::Array(array) = ty {
            ty = &array.element;
        }
        ty
    }

    pub fn is_error(&self) -> bool {
        matches!(self, Self::Error)
    }

    pub fn is_integral(&self) -> bool {
        matches!(self, Self::Error | Self::Bool | Self::Int(_))
    }

    /// Integral or floating.
    pub fn is_number(&self) -> bool {
        self.is_integral() || matches!(self, Self::Double)
    }

    pub fn is_clock(&self) -> bool {
        matches!(self, Self::Error | Self::Clock(_))
    }

    /// Something one may compute with: numbers, clocks, differences.
    pub fn is_arithmetic(&self) -> bool {
        self.is_number() || matches!(self, Self::Clock(_) | Self::Difference)
    }

    /// What one may ask about: integral or a condition on clocks.
    pub fn is_condition(&self) -> bool {
        self.is_integral() || matches!(self, Self::Constraint(_))
    }

    /// Something with finitely many values in order: what `select`,
    /// quantifiers and array indices range over.
    pub fn is_enumerable(&self) -> bool {
        matches!(self, Self::Error | Self::Int(Some(_)) | Self::Scalar(_))
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Error => f.write_str("?"),
            Self::Void => f.write_str("void"),
            Self::Bool => f.write_str("bool"),
            Self::Int(None) => f.write_str("int"),
            Self::Int(Some(range)) => match range.bounds() {
                Some(prelude::INT) => f.write_str("int"),
                _ => write!(f, "int[{},{}]", range.low, range.high),
            },
            Self::Double => f.write_str("double"),
            Self::String => f.write_str("string"),
            Self::Clock(ClockKind::Plain) => f.write_str("clock"),
            Self::Clock(ClockKind::Hybrid) => f.write_str("hybrid clock"),
            Self::Difference => f.write_str("difference of clocks"),
            Self::Rate => f.write_str("rate of a clock"),
            Self::Constraint(class) if class.rate => f.write_str("clock rate"),
            Self::Constraint(class) if class.level == Level::Formula => f.write_str("formula"),
            Self::Constraint(_) => f.write_str("clock constraint"),
            Self::Chan(kind) => {
                let urgent = if kind.urgent { "urgent " } else { "" };
                let broadcast = if kind.broadcast { "broadcast " } else { "" };
                write!(f, "{urgent}{broadcast}chan")
            }
            Self::Scalar(set) => match &set.name {
                Some(name) => f.write_str(name),
                None => write!(f, "scalar[{}]", set.size),
            },
            Self::Struct(s) => match &s.name {
                Some(name) => f.write_str(name),
                None => f.write_str("struct"),
            },
            Self::Array(_) => {
                write!(f, "{}", self.innermost())?;
                let mut ty = self;
                while let Self::Array(array) = ty {
                    write_dimension(f, &array.index)?;
                    ty = &array.element;
                }
                Ok(())
            }
            Self::Process(template) => write!(f, "process {}", template.name),
            Self::ProcessSet(template) => write!(f, "set of processes {}", template.name),
        }
    }
}

/// `[3]` for indices from 0, else the index type.
fn write_dimension(f: &mut fmt::Formatter<'_>, index: &Ty) -> fmt::Result {
    if let Ty::Int(Some(range)) = index {
        match (&range.low, &range.high) {
            (Bound::Known(0), Bound::Known(high)) => return write!(f, "[{}]", i64::from(*high) + 1),
            (Bound::Known(0), Bound::Written(written)) => {
                return match written.text.strip_suffix(" - 1") {
                    Some(size) => write!(f, "[{size}]"),
                    None => write!(f, "[{} + 1]", written.text),
                };
            }
            _ => {}
        }
    }
    write!(f, "[{index}]")
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(value) => write!(f, "{value}"),
            Self::Written(written) => f.write_str(&written.text),
            Self::Unknown => f.write_str("?"),
        }
    }
}
