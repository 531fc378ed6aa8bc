//! When two types go together (LANGUAGE 2.3), and what operators make of them
//! (4.3, 4.4). `None` everywhere means: they do not.

use std::rc::Rc;

use dwell_syntax::uppaal::tree::BinaryOp;

use super::types::{Array, Bound, Class, Level, Range, Ty};

/// How many parts of two types are compared before they are taken to be
/// equivalent. Types can name each other exponentially often.
const PATIENCE: u32 = 10_000;

/// Where a value goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Into {
    /// A variable at its declaration.
    Initial,
    /// A variable later on.
    Update,
}

/// The same values, the same operations.
pub(super) fn equivalent(a: &Ty, b: &Ty) -> bool {
    Comparison { patience: PATIENCE, written: Matches::Itself }.types(a, b)
}

/// Equivalent for some values of the parameters that bounds depend on: of a
/// template's parameters outside of it.
pub(super) fn equivalent_for_some_bounds(a: &Ty, b: &Ty) -> bool {
    Comparison { patience: PATIENCE, written: Matches::Everything }.types(a, b)
}

/// A value of type `from` may be stored in a `to`.
pub(super) fn assignable(to: &Ty, from: &Ty, when: Into) -> bool {
    match to {
        Ty::Clock(_) | Ty::Double => from.is_number() || (when == Into::Update && from.is_clock()),
        Ty::Bool | Ty::Int(_) => from.is_integral(),
        _ => equivalent(to, from),
    }
}

/// What a bound that is only written down is equal to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Matches {
    Itself,
    Everything,
}

struct Comparison {
    patience: u32,
    written: Matches,
}

impl Comparison {
    fn types(&mut self, a: &Ty, b: &Ty) -> bool {
        if self.patience == 0 {
            return true;
        }
        self.patience -= 1;
        match (a, b) {
            (Ty::Error, _) | (_, Ty::Error) => true,
            (Ty::Void, Ty::Void) | (Ty::Bool, Ty::Bool) => true,
            (Ty::Double, Ty::Double) | (Ty::String, Ty::String) => true,
            (Ty::Clock(_), Ty::Clock(_)) => true,
            (Ty::Difference, Ty::Difference) | (Ty::Rate, Ty::Rate) => true,
            // An `int` without a range is any `int`: constants take on the
            // range of what they are passed to.
            (Ty::Int(None), Ty::Int(_)) | (Ty::Int(_), Ty::Int(None)) => true,
            (Ty::Int(Some(a)), Ty::Int(Some(b))) => self.ranges(a, b),
            (Ty::Chan(a), Ty::Chan(b)) => a.capability() == b.capability(),
            (Ty::Scalar(a), Ty::Scalar(b)) => a.id == b.id,
            (Ty::Array(a), Ty::Array(b)) => Rc::ptr_eq(a, b) || self.arrays(a, b),
            (Ty::Struct(a), Ty::Struct(b)) => {
                Rc::ptr_eq(a, b)
                    || (a.fields.len() == b.fields.len()
                        && a.fields.iter().zip(&b.fields).all(|(a, b)| a.0 == b.0 && self.types(&a.1, &b.1)))
            }
            _ => false,
        }
    }

    fn arrays(&mut self, a: &Array, b: &Array) -> bool {
        self.types(&a.index, &b.index) && self.types(&a.element, &b.element)
    }

    fn ranges(&self, a: &Range, b: &Range) -> bool {
        self.bounds(&a.low, &b.low) && self.bounds(&a.high, &b.high)
    }

    fn bounds(&self, a: &Bound, b: &Bound) -> bool {
        match (a, b) {
            (Bound::Known(a), Bound::Known(b)) => a == b,
            (Bound::Unknown, _) | (_, Bound::Unknown) => true,
            (Bound::Written(a), Bound::Written(b)) if Rc::ptr_eq(a, b) || a.key == b.key => true,
            _ => self.written == Matches::Everything,
        }
    }
}

/// The type of `c ? a : b`.
pub(super) fn common(a: &Ty, b: &Ty) -> Option<Ty> {
    match (a, b) {
        (Ty::Error, other) | (other, Ty::Error) => Some(other.clone()),
        (Ty::Constraint(_), _) | (_, Ty::Constraint(_)) => both(a, b),
        (Ty::Clock(_), Ty::Clock(_)) => Some(a.clone()),
        (Ty::Clock(_), other) | (other, Ty::Clock(_)) => other.is_number().then_some(Ty::Double),
        (Ty::Int(_), Ty::Int(_)) if !equivalent(a, b) => Some(Ty::INT),
        (Ty::Bool, Ty::Int(_)) | (Ty::Int(_), Ty::Bool) => Some(Ty::INT),
        _ if assignable(a, b, Into::Update) => Some(a.clone()),
        _ => assignable(b, a, Into::Update).then(|| b.clone()),
    }
}

/// The type of an operator's result; `None` when the operands do not go
/// together although each of them is of a kind the operator takes.
pub(super) fn binary(op: BinaryOp, a: &Ty, b: &Ty) -> Option<Ty> {
    use BinaryOp as B;
    if a.is_error() || b.is_error() {
        return Some(Ty::Error);
    }
    match op {
        B::Add => Some(sum(a, b)),
        B::Sub => Some(difference(a, b)),
        B::Mul | B::Div | B::Pow | B::Min | B::Max => Some(int_or_double(a, b)),
        B::Rem | B::BitAnd | B::BitOr | B::BitXor | B::Shl | B::Shr => Some(Ty::INT),
        B::Lt | B::Le | B::Ge | B::Gt => order(a, b),
        B::Eq => equality(a, b, Class::GUARD),
        B::Ne => equality(a, b, Class::CONSTRAINT),
        B::And => both(a, b),
        B::Or => either(a, b),
        B::Xor => Some(Ty::Bool),
        B::Imply => either(&negated(a), b),
    }
}

fn int_or_double(a: &Ty, b: &Ty) -> Ty {
    if a.is_integral() && b.is_integral() { Ty::INT } else { Ty::Double }
}

fn sum(a: &Ty, b: &Ty) -> Ty {
    match (a, b) {
        (Ty::Clock(_) | Ty::Difference, _) if b.is_integral() => a.clone(),
        (_, Ty::Clock(_) | Ty::Difference) if a.is_integral() => b.clone(),
        _ => int_or_double(a, b),
    }
}

fn difference(a: &Ty, b: &Ty) -> Ty {
    match (a, b) {
        (Ty::Clock(_), Ty::Clock(_)) => Ty::Difference,
        (Ty::Clock(_) | Ty::Difference, _) if b.is_integral() => a.clone(),
        (_, Ty::Difference) if a.is_integral() => Ty::Difference,
        _ => int_or_double(a, b),
    }
}

fn order(a: &Ty, b: &Ty) -> Option<Ty> {
    match (a, b) {
        _ if a.is_number() && b.is_number() => Some(Ty::Bool),
        (Ty::Clock(_), Ty::Clock(_)) => Some(Ty::Constraint(Class::INVARIANT)),
        (Ty::Clock(_) | Ty::Difference, _) if b.is_number() => Some(Ty::Constraint(Class::INVARIANT)),
        (_, Ty::Clock(_) | Ty::Difference) if a.is_number() => Some(Ty::Constraint(Class::INVARIANT)),
        _ => None,
    }
}

fn equality(a: &Ty, b: &Ty, of_clocks: Class) -> Option<Ty> {
    match (a, b) {
        _ if a.is_number() && b.is_number() => Some(Ty::Bool),
        (Ty::Rate, _) => b.is_number().then_some(Ty::Constraint(Class::RATE)),
        (_, Ty::Rate) => a.is_number().then_some(Ty::Constraint(Class::RATE)),
        (Ty::Clock(_), Ty::Clock(_)) => Some(Ty::Constraint(of_clocks)),
        (Ty::Clock(_) | Ty::Difference, _) => b.is_number().then_some(Ty::Constraint(of_clocks)),
        (_, Ty::Clock(_) | Ty::Difference) => a.is_number().then_some(Ty::Constraint(of_clocks)),
        (Ty::Process(_), Ty::Process(_)) => Some(Ty::Bool),
        _ => equivalent(a, b).then_some(Ty::Bool),
    }
}

/// The class of a condition; `None` for one without clocks.
fn class(ty: &Ty) -> Option<Class> {
    match ty {
        Ty::Constraint(class) => Some(*class),
        _ => None,
    }
}

fn both(a: &Ty, b: &Ty) -> Option<Ty> {
    if !a.is_condition() || !b.is_condition() {
        return None;
    }
    Some(match (class(a), class(b)) {
        (None, None) => Ty::Bool,
        (Some(only), None) | (None, Some(only)) => Ty::Constraint(only),
        (Some(a), Some(b)) => Ty::Constraint(a.join(b)),
    })
}

fn either(a: &Ty, b: &Ty) -> Option<Ty> {
    match (class(a), class(b)) {
        // A union of zones is no zone: fine in a query, nowhere else.
        (Some(a), Some(b)) => Some(Ty::Constraint(a.join(b).at_least(Level::Constraint))),
        _ => both(a, b),
    }
}

/// The type of `!a`.
pub(super) fn negated(a: &Ty) -> Ty {
    match a {
        Ty::Error => Ty::Error,
        Ty::Constraint(class) => Ty::Constraint(class.at_least(Level::Constraint)),
        _ => Ty::Bool,
    }
}
