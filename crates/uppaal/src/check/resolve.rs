//! From types as written to types.

use std::rc::Rc;

use dwell_syntax::Span;
use dwell_syntax::uppaal::tree::{Declarator, Dim, Expr, ExprKind, Field, Prefix, Type, TypeBase};

use super::codes;
use super::context::{Context, Wanted};
use super::scope::{Kind, Qualifiers, Symbol, TypeName};
use super::types::{Bound, ChanKind, ClockKind, DEEPEST, Holds, Range, ScalarSet, Ty};
use super::value;

/// A type with what its prefix says about variables of it.
pub(super) struct Resolved {
    pub ty: Ty,
    pub qualifiers: Qualifiers,
}

impl Context {
    pub fn resolve(&mut self, written: &Type) -> Resolved {
        let mut qualifiers = Qualifiers::default();
        let ty = match &written.base {
            TypeBase::Named(name) => {
                let (ty, inherited) = self.named_type(name, written.span);
                qualifiers = inherited;
                ty
            }
            TypeBase::Bool => Ty::Bool,
            // Constants are as large as they are.
            TypeBase::Int(None) if written.prefix.constant => Ty::INT,
            TypeBase::Int(None) => Ty::default_int(),
            TypeBase::Int(Some(bounds)) => self.ranged(&bounds.0, &bounds.1),
            TypeBase::Double => Ty::Double,
            TypeBase::String => Ty::String,
            TypeBase::Chan => Ty::Chan(ChanKind::default()),
            TypeBase::Scalar(size) => self.scalar(size),
            TypeBase::Struct(fields) => self.structure(fields, written.span),
            TypeBase::Clock => Ty::Clock(ClockKind::Plain),
            TypeBase::Void => Ty::Void,
            TypeBase::Error => Ty::Error,
        };
        qualifiers.constant |= written.prefix.constant;
        qualifiers.meta |= written.prefix.meta;
        Resolved { ty: self.prefixed(written.prefix, ty, written.span), qualifiers }
    }

    /// A name where a type must stand. The prefix is part of the span.
    fn named_type(&mut self, name: &str, span: Span) -> (Ty, Qualifiers) {
        let start = span.end.saturating_sub(name.len() as u32).max(span.start);
        let span = Span { start, end: span.end };
        let symbol = self.lookup(name, span, Wanted::Type);
        self.uses.read(symbol.id);
        match &symbol.kind {
            Kind::Type(name) => {
                self.log_type(&symbol, span);
                (symbol.ty.clone(), name.qualifiers)
            }
            Kind::Missing => (Ty::Error, Qualifiers::default()),
            other => {
                let message = format!("`{name}` is {}, not a type", other.describe());
                self.out.error(codes::NOT_A_TYPE, span, message);
                (Ty::Error, Qualifiers::default())
            }
        }
    }

    /// A type that depends on parameters passes this on to what it sizes.
    fn log_type(&mut self, symbol: &Rc<Symbol>, span: Span) {
        if matches!(&symbol.kind, Kind::Type(name) if !name.from.is_empty()) {
            self.log.reads.push((symbol.clone(), span));
        }
    }

    /// `int[low, high]`
    fn ranged(&mut self, low: &Expr, high: &Expr) -> Ty {
        let range = Range { low: self.bound(low), high: self.bound(high) };
        if let Some((least, greatest)) = range.bounds()
            && greatest < least
        {
            let message = format!("the range from {least} to {greatest} is empty");
            self.out.warning(codes::EMPTY_RANGE, low.span.to(high.span), message);
        }
        Ty::Int(Some(Rc::new(range)))
    }

    fn bound(&mut self, e: &Expr) -> Bound {
        match self.constant_integer(e, codes::RANGE_BOUND, "the bounds of a range") {
            true => value::bound(&self.scopes, e),
            false => Bound::Unknown,
        }
    }

    /// Reports what is not an integer known before the model runs.
    fn constant_integer(&mut self, e: &Expr, code: &'static str, what: &str) -> bool {
        let mark = self.mark();
        let ty = self.expr(e).ty;
        if !ty.is_integral() {
            self.out.error(code, e.span, format!("{what} must be an integer, and this is of type `{ty}`"));
            return false;
        }
        let errors = self.out.error_count();
        self.require_pure(mark, what);
        self.require_constant(mark, what);
        !ty.is_error() && self.out.error_count() == errors
    }

    /// `scalar[n]`: a type of its own at each place.
    fn scalar(&mut self, size: &Expr) -> Ty {
        let mark = self.mark();
        let size = match self.constant_integer(size, codes::RANGE_BOUND, "the size of a scalar set") {
            true => value::bound(&self.scopes, size),
            false => Bound::Unknown,
        };
        self.note_sizing(mark);
        Ty::Scalar(Rc::new(ScalarSet { id: self.fresh_scalar(), size, name: None }))
    }

    fn structure(&mut self, fields: &[Field], span: Span) -> Ty {
        let mut list: Vec<(Rc<str>, Ty)> = Vec::new();
        for field in fields {
            let resolved = self.resolve(&field.ty);
            // `meta` says nothing here, and real models write it.
            if resolved.qualifiers.constant {
                let message = "fields of a structure cannot be `const`";
                self.out
                    .error(codes::FIELD_PREFIX, field.ty.span, message)
                    .help("declare the variables of the structure so");
            }
            let bad = Holds::CHANNEL | Holds::STRING;
            let ty = if resolved.ty.holds().any(bad) || matches!(resolved.ty, Ty::Void) {
                let message = format!("a structure cannot hold a `{}`", resolved.ty);
                self.out.error(codes::FIELD_TYPE, field.ty.span, message);
                Ty::Error
            } else {
                resolved.ty
            };
            for declarator in &field.names {
                let name = &declarator.name;
                let ty = self.dimensions(ty.clone(), &declarator.dims);
                if list.iter().any(|(other, _)| **other == *name.name) {
                    let message = format!("`{}` is declared twice in this structure", name.name);
                    self.out.error(codes::DUPLICATE_NAME, name.span, message);
                } else {
                    list.push((name.name.as_str().into(), ty));
                }
            }
        }
        Ty::structure(None, list).unwrap_or_else(|| self.too_deep(span))
    }

    fn too_deep(&mut self, span: Span) -> Ty {
        let message = format!("types cannot be nested more than {DEEPEST} deep");
        self.out.error(codes::TYPE_TOO_DEEP, span, message);
        Ty::Error
    }

    /// A type with its prefix.
    fn prefixed(&mut self, prefix: Prefix, ty: Ty, span: Span) -> Ty {
        if ty.is_error() || prefix == Prefix::default() {
            return ty;
        }
        let innermost = ty.innermost();
        let is_channel = matches!(innermost, Ty::Chan(_));
        let mut complaints = Vec::new();
        if prefix.urgent && !is_channel {
            complaints.push((codes::URGENT_PREFIX, "only channels and locations can be `urgent`"));
        }
        if prefix.broadcast && !is_channel {
            complaints.push((codes::BROADCAST_PREFIX, "only channels can be `broadcast`"));
        }
        if prefix.hybrid && !matches!(innermost, Ty::Clock(_)) {
            complaints.push((codes::HYBRID_PREFIX, "only clocks can be `hybrid`"));
        }
        let fixed = ty.holds().any(Holds::CLOCK | Holds::CHANNEL) || matches!(ty, Ty::Void);
        if (prefix.constant || prefix.meta) && fixed {
            complaints.push((codes::CONST_PREFIX, "clocks, channels and `void` cannot be `const` or `meta`"));
        }
        for &(code, message) in &complaints {
            let report = self.out.error(code, span, message);
            report.help(format!("the type is `{ty}`"));
        }
        let kind = match innermost {
            Ty::Chan(kind) => Ty::Chan(ChanKind {
                urgent: kind.urgent || prefix.urgent,
                broadcast: kind.broadcast || prefix.broadcast,
            }),
            Ty::Clock(_) if prefix.hybrid => Ty::Clock(ClockKind::Hybrid),
            _ => return ty,
        };
        with_innermost(&ty, kind)
    }

    /// Puts array dimensions around a type.
    pub fn dimensions(&mut self, ty: Ty, dims: &[Dim]) -> Ty {
        let mark = self.mark();
        // Left to right, as mistakes are read; the last one is innermost.
        let indices: Vec<(Ty, Span)> = dims.iter().map(|dim| self.dimension(dim)).collect();
        self.note_sizing(mark);
        let mut ty = ty;
        if !dims.is_empty()
            && let Ty::Void = ty
        {
            return ty;
        }
        for (index, span) in indices.into_iter().rev() {
            ty = Ty::array(index, ty).unwrap_or_else(|| self.too_deep(span));
        }
        ty
    }

    fn dimension(&mut self, dim: &Dim) -> (Ty, Span) {
        match dim {
            Dim::Index(written) => {
                (self.range_of(written, codes::ARRAY_SIZE, "an array index"), written.span)
            }
            Dim::Size(size) => {
                if let ExprKind::Name(name) = &size.kind
                    && let Some(symbol) = self.scopes.get(name).cloned()
                    && let Kind::Type(_) = symbol.kind
                {
                    self.uses.read(symbol.id);
                    self.log_type(&symbol, size.span);
                    let ty = symbol.ty.clone();
                    return (self.enumerable(ty, size.span, codes::ARRAY_SIZE, "an array index"), size.span);
                }
                (self.size(size), size.span)
            }
        }
    }

    /// The indices of an array of a size.
    fn size(&mut self, size: &Expr) -> Ty {
        if !self.constant_integer(size, codes::ARRAY_SIZE, "the size of an array") {
            return Ty::Error;
        }
        if let Some(count) = value::integer(&self.scopes, size)
            && count <= 0
        {
            let message = format!("an array cannot have {count} elements");
            self.out.error(codes::ARRAY_SIZE, size.span, message);
            return Ty::Error;
        }
        let high = value::last_index(&self.scopes, size);
        Ty::Int(Some(Rc::new(Range { low: Bound::Known(0), high })))
    }

    /// A type whose values are gone through one by one: `what` is "a
    /// quantifier", "a select".
    pub fn range(&mut self, written: &Type, what: &str) -> Ty {
        self.range_of(written, codes::RANGE_EXPECTED, what)
    }

    fn range_of(&mut self, written: &Type, code: &'static str, what: &str) -> Ty {
        let ty = self.resolve(written).ty;
        self.enumerable(ty, written.span, code, what)
    }

    fn enumerable(&mut self, ty: Ty, span: Span, code: &'static str, what: &str) -> Ty {
        if ty.is_enumerable() {
            return ty;
        }
        self.out
            .error(code, span, format!("{what} cannot range over `{ty}`"))
            .help("use a bounded integer such as `int[0,3]`, or a scalar set");
        Ty::Error
    }

    /// Declares the names of a `typedef`.
    pub fn typedef(&mut self, written: &Type, names: &[Declarator]) {
        let mark = self.mark();
        let resolved = self.resolve(written);
        for declarator in names {
            let named = match &resolved.ty {
                Ty::Struct(structure) if structure.name.is_none() => {
                    let name = declarator.name.name.as_str().into();
                    Ty::structure(Some(name), structure.fields.clone()).unwrap_or(Ty::Error)
                }
                Ty::Scalar(set) if set.name.is_none() => {
                    let name = Some(declarator.name.name.as_str().into());
                    Ty::Scalar(Rc::new(ScalarSet { id: set.id, size: set.size.clone(), name }))
                }
                other => other.clone(),
            };
            let ty = self.dimensions(named, &declarator.dims);
            let from = self.parameters_since(mark);
            let kind = Kind::Type(TypeName { qualifiers: resolved.qualifiers, from });
            self.declare(&declarator.name, kind, ty);
        }
    }
}

/// The same arrays of something else.
fn with_innermost(ty: &Ty, kind: Ty) -> Ty {
    match ty {
        Ty::Array(array) => {
            Ty::array(array.index.clone(), with_innermost(&array.element, kind)).unwrap_or(Ty::Error)
        }
        _ => kind,
    }
}
