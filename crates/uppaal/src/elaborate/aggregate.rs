//! Whole arrays and structures: copies, comparisons, values slot by slot.

use dwell_model::Span;
use dwell_model::expr::{BinaryOp, Expr, Place as Target, Stmt};

use super::Elaborator;
use super::address::Offset;
use super::storage::{Place, Space};
use super::types::Ty;

/// Blocks of up to this many slots are copied and compared slot by slot,
/// longer ones in a loop.
const UNROLLED: u32 = 16;

impl Elaborator<'_> {
    /// `to = from`, element by element.
    pub(super) fn copy(&mut self, mut to: Place, mut from: Place, span: Span, out: &mut Vec<Stmt>) {
        // The copy may change what the indices are computed from.
        self.freeze(&mut to, out);
        self.freeze(&mut from, out);
        for (leaf, (ty, rest)) in small_leaves(&to.ty).into_iter().enumerate() {
            let leaf = leaf as u32;
            match ty {
                Ty::Double | Ty::Text => {}
                Ty::Clock => {
                    for k in 0..rest {
                        let clock = self.clock_at(self.address(&to, leaf, rest, Offset::Known(k)));
                        let source = self.clock_at(self.address(&from, leaf, rest, Offset::Known(k)));
                        self.reset(clock, Some(source), Expr::Const(0), span, out);
                    }
                }
                ty if rest <= UNROLLED => {
                    for k in 0..rest {
                        self.copy_slot(&to, &from, leaf, rest, &ty, Offset::Known(k), span, out);
                    }
                }
                ty => {
                    let slot = self.local(0, rest as i32 - 1);
                    let mut body = Vec::new();
                    let at = Offset::Computed(Expr::Local(slot));
                    self.copy_slot(&to, &from, leaf, rest, &ty, at, span, &mut body);
                    self.iterate(slot, (0, rest as i32 - 1), None, body, span, out);
                }
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn copy_slot(
        &mut self,
        to: &Place,
        from: &Place,
        leaf: u32,
        rest: u32,
        ty: &Ty,
        at: Offset,
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        let source = self.address(from, leaf, rest, at.clone());
        let value = self.load(source);
        let address = self.address(to, leaf, rest, at);
        if address.space == Space::Constant {
            self.bad("a constant cannot be assigned to", span);
            return;
        }
        let value = self.fitting(ty, value, address.space, span);
        let place = self.target(address);
        out.push(Stmt::Assign { place, value, span });
    }

    /// Fills every slot of a place with its default.
    pub(super) fn fill_default(&mut self, place: &Place, span: Span, out: &mut Vec<Stmt>) {
        for (leaf, (ty, rest)) in small_leaves(&place.ty).into_iter().enumerate() {
            if ty.bounds().is_none() {
                continue;
            }
            let leaf = leaf as u32;
            let value = Expr::Const(ty.default_value());
            if rest <= UNROLLED {
                for k in 0..rest {
                    let address = self.address(place, leaf, rest, Offset::Known(k));
                    let place = self.target(address);
                    out.push(Stmt::Assign { place, value: value.clone(), span });
                }
                continue;
            }
            let slot = self.local(0, rest as i32 - 1);
            let address = self.address(place, leaf, rest, Offset::Computed(Expr::Local(slot)));
            let place = self.target(address);
            let body = vec![Stmt::Assign { place, value, span }];
            self.iterate(slot, (0, rest as i32 - 1), None, body, span, out);
        }
    }

    /// Whether two arrays or structures are equal.
    pub(super) fn equal(
        &mut self,
        mut left: Place,
        mut right: Place,
        before: &mut Vec<Stmt>,
        span: Span,
    ) -> Expr {
        self.freeze(&mut left, before);
        self.freeze(&mut right, before);
        let mut all = Vec::new();
        for (leaf, (ty, rest)) in small_leaves(&left.ty).into_iter().enumerate() {
            let leaf = leaf as u32;
            match ty {
                Ty::Double => self.unsupported("a comparison of floating-point numbers", span),
                Ty::Clock => self.unsupported("a comparison of structures that hold clocks", span),
                Ty::Text => {}
                _ if rest <= UNROLLED => {
                    for k in 0..rest {
                        all.push(self.equal_slot(&left, &right, leaf, rest, Offset::Known(k), span));
                    }
                }
                _ => {
                    // same = 1; for k { same = same && l[k] == r[k] }
                    let (slot, same) = (self.local(0, rest as i32 - 1), self.local(0, 1));
                    let at = Offset::Computed(Expr::Local(slot));
                    let equal = self.equal_slot(&left, &right, leaf, rest, at, span);
                    let value = Expr::And(Box::new(Expr::Local(same)), Box::new(equal));
                    before.push(Stmt::Assign { place: Target::Local(same), value: Expr::Const(1), span });
                    let body = vec![Stmt::Assign { place: Target::Local(same), value, span }];
                    self.iterate(slot, (0, rest as i32 - 1), None, body, span, before);
                    all.push(Expr::Local(same));
                }
            }
        }
        self.chain(all, true)
    }

    fn equal_slot(
        &mut self,
        left: &Place,
        right: &Place,
        leaf: u32,
        rest: u32,
        at: Offset,
        span: Span,
    ) -> Expr {
        let l = self.address(left, leaf, rest, at.clone());
        let l = self.load(l);
        let r = self.address(right, leaf, rest, at);
        let r = self.load(r);
        self.binary(BinaryOp::Eq, l, r, span)
    }

    /// The integers of a place, slot by slot, leaf after leaf. Its indices
    /// must be computed ([`Elaborator::freeze`]).
    pub(super) fn slots_of(&mut self, place: &Place) -> Vec<Expr> {
        let mut slots = Vec::new();
        for (leaf, (ty, rest)) in small_leaves(&place.ty).into_iter().enumerate() {
            if ty.bounds().is_none() {
                continue;
            }
            for k in 0..rest {
                let address = self.address(place, leaf as u32, rest, Offset::Known(k));
                slots.push(self.load(address));
            }
        }
        slots
    }
}

/// The leaves of a type; too large ones were refused where they were declared.
fn small_leaves(ty: &Ty) -> Vec<(Ty, u32)> {
    ty.leaves().into_iter().map(|leaf| (leaf.ty, u32::try_from(leaf.count).unwrap_or(0))).collect()
}
