//! Initial values.

use std::rc::Rc;

use dwell_syntax::uppaal::tree::{Expr, Ident, Initialiser};
use dwell_syntax::{Span, closest};

use super::codes;
use super::context::Context;
use super::relate;
use super::types::{Array, Struct, Ty};
use super::value::{self, Value};

type Items = [(Option<Ident>, Initialiser)];

impl Context {
    /// Checks an initial value of a type, and computes it if that is easy.
    pub fn initial(&mut self, ty: &Ty, init: &Initialiser) -> Option<Value> {
        match (init, ty) {
            (Initialiser::Expr(e), _) => self.initial_expression(ty, e),
            (Initialiser::List(items, span), Ty::Array(array)) => self.initial_array(array, items, *span),
            (Initialiser::List(items, span), Ty::Struct(structure)) => {
                self.initial_structure(structure, items, *span)
            }
            (Initialiser::List(items, span), _) => {
                if !ty.is_error() {
                    let message = format!("a list of values cannot initialise a `{ty}`");
                    self.out.error(codes::INCOMPATIBLE_INITIALISER, *span, message);
                }
                for (_, item) in items {
                    self.initial(&Ty::Error, item);
                }
                None
            }
        }
    }

    fn initial_expression(&mut self, ty: &Ty, e: &Expr) -> Option<Value> {
        let found = self.expr(e).ty;
        if !relate::assignable(ty, &found, relate::Into::Initial) {
            let message = format!("a `{found}` cannot initialise a `{ty}`");
            let report = self.out.error(codes::INCOMPATIBLE_INITIALISER, e.span, message);
            if matches!(ty, Ty::Array(_) | Ty::Struct(_)) {
                report.help("write the elements in braces: `{ 1, 2 }`");
            }
            return None;
        }
        let value = value::value(&self.scopes, e)?;
        if let Value::Int(value) = value {
            self.initial_range(ty, value, e.span);
        }
        Some(match (ty, value) {
            (Ty::Bool, Value::Int(value)) => Value::Int((value != 0).into()),
            (_, value) => value,
        })
    }

    fn initial_range(&mut self, ty: &Ty, value: i32, span: Span) {
        let outside = match ty {
            Ty::Int(Some(range)) => range.bounds().is_some_and(|(low, high)| !(low..=high).contains(&value)),
            Ty::Clock(_) => value < 0,
            _ => false,
        };
        if outside {
            self.out.error(codes::OUT_OF_RANGE, span, format!("{value} is outside the range of `{ty}`"));
        }
    }

    /// UPPAAL does not count the elements: wrong numbers are warnings, what is
    /// missing has the default value.
    fn initial_array(&mut self, array: &Array, items: &Items, span: Span) -> Option<Value> {
        let range = match &array.index {
            Ty::Int(Some(range)) => range.bounds(),
            _ => None,
        };
        let size = range.map(|(low, high)| i64::from(high) - i64::from(low) + 1);
        let mut values = Vec::new();
        for (i, (label, item)) in items.iter().enumerate() {
            if let Some(label) = label {
                let message =
                    format!("elements of an array have no names, and this is called `{}`", label.name);
                self.out.error(codes::FIELD_IN_ARRAY, label.span, message);
            }
            if size.is_some_and(|size| i as i64 == size) {
                let message = format!("the array has only {}", plural(i, "element"));
                self.out.warning(codes::TOO_MANY_ELEMENTS, item.span(), message);
            }
            values.extend(self.initial(&array.element, item));
        }
        if let Some(size) = size
            && (items.len() as i64) < size
        {
            let message = format!("the array has {size} elements, and only {} are given", items.len());
            self.out.warning(codes::MISSING_ELEMENTS, span, message);
        }
        let complete = values.len() == items.len() && size == Some(items.len() as i64);
        range.filter(|_| complete).map(|(low, _)| Value::Array(low, values.into()))
    }

    /// A label moves the cursor; every field must be given exactly once.
    fn initial_structure(&mut self, structure: &Rc<Struct>, items: &Items, span: Span) -> Option<Value> {
        let fields = &structure.fields;
        let mut given = vec![false; fields.len()];
        let mut values = Vec::new();
        let mut cursor = 0;
        for (label, item) in items {
            if let Some(label) = label {
                match fields.iter().position(|(name, _)| **name == *label.name) {
                    Some(at) => cursor = at,
                    None => {
                        let message = format!("the structure has no field `{}`", label.name);
                        let near = closest(&label.name, fields.iter().map(|(name, _)| &**name));
                        let report = self.out.error(codes::UNKNOWN_FIELD, label.span, message);
                        if let Some(near) = near {
                            report.help(format!("did you mean `{near}`?"));
                        }
                        self.initial(&Ty::Error, item);
                        // Which field was meant is not known: none is missing.
                        given.fill(true);
                        continue;
                    }
                }
            }
            let Some((name, ty)) = fields.get(cursor) else {
                let message = format!("the structure has only {}", plural(fields.len(), "field"));
                self.out.error(codes::TOO_MANY_ELEMENTS, item.span(), message);
                self.initial(&Ty::Error, item);
                continue;
            };
            if given[cursor] && values.iter().any(|(other, _): &(Rc<str>, _)| other == name) {
                let message = format!("the field `{name}` is given twice");
                let at = label.as_ref().map_or(item.span(), |label| label.span);
                self.out.error(codes::DUPLICATE_FIELD, at, message);
            }
            given[cursor] = true;
            let value = self.initial(ty, item);
            values.push((name.clone(), value));
            cursor += 1;
        }
        if let Some(missing) = given.iter().position(|given| !given) {
            let message = format!("the field `{}` is not given", fields[missing].0);
            self.out.error(codes::MISSING_ELEMENTS, span, message);
        }
        let values: Option<Vec<(Rc<str>, Value)>> =
            values.into_iter().map(|(name, value)| Some((name, value?))).collect();
        values.map(|values| Value::Struct(values.into()))
    }
}

fn plural(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
