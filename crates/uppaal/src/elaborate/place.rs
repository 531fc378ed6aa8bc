//! Parts of places, and places that are used more than once.

use dwell_model::Span;
use dwell_model::expr::{Expr, Place as Target, Stmt};

use super::Elaborator;
use super::fold::is_plain;
use super::storage::{Dynamic, DynamicIndex, Place};
use super::types::Ty;

impl Elaborator<'_> {
    /// `place[index]`.
    pub(super) fn element(&mut self, mut place: Place, index: Expr, span: Span) -> Place {
        let Ty::Array(array) = place.ty.clone() else { return place };
        place.ty = array.element.clone();
        let (low, len) = (array.low, array.len);
        place.dynamic = match place.dynamic {
            None => {
                if let Expr::Const(index) = index
                    && (0..i64::from(len)).contains(&(i64::from(index) - i64::from(low)))
                {
                    let at = (i64::from(index) - i64::from(low)) as u32;
                    place.fixed = place.fixed.wrapping_mul(len).wrapping_add(at);
                    return place;
                }
                // A fixed part so far counts whole elements.
                Some(Box::new(Dynamic { count: len, index: DynamicIndex::One { index, low }, span }))
            }
            Some(dynamic) => {
                let outer = self.mul(self.flat_index(&dynamic), Expr::Const(len as i32), span);
                let inner = self.checked_index(index, low, len, span);
                let index = DynamicIndex::Flat(self.add(outer, inner, span));
                Some(Box::new(Dynamic { count: dynamic.count.wrapping_mul(len), index, span }))
            }
        };
        place
    }

    /// `place.field`.
    pub(super) fn field(&mut self, mut place: Place, name: &str) -> Place {
        if let Some((ty, before)) = place.ty.field(name).map(|(ty, before)| (ty.clone(), before)) {
            place.ty = ty;
            place.leaf += before;
        }
        place
    }

    /// Computes a place's indices once and for all, so that it can be used
    /// again after other things have been done.
    pub(super) fn freeze(&mut self, place: &mut Place, out: &mut Vec<Stmt>) {
        out.append(&mut place.before);
        let Some(dynamic) = &mut place.dynamic else { return };
        let flat = match &dynamic.index {
            DynamicIndex::Flat(Expr::Const(_)) => return,
            _ => {
                let dynamic = (**dynamic).clone();
                self.flat_index(&dynamic)
            }
        };
        let slot = self.local(0, dynamic.count as i32 - 1);
        out.push(Stmt::Assign { place: Target::Local(slot), value: flat, span: dynamic.span });
        dynamic.index = DynamicIndex::Flat(Expr::Local(slot));
    }

    /// [`Elaborator::freeze`], where computing the indices twice would not do.
    pub(super) fn freeze_if_needed(&mut self, place: &mut Place, out: &mut Vec<Stmt>) {
        let plain = place.dynamic.as_ref().is_none_or(|d| match &d.index {
            DynamicIndex::One { index, .. } | DynamicIndex::Flat(index) => is_plain(index),
        });
        if plain { out.append(&mut place.before) } else { self.freeze(place, out) }
    }
}
