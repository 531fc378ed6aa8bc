//! The laws of [`Cover`], for every implementation.

mod common;

use common::{all, bounds, cells};
use dwell_base::Rng;
use dwell_explore::Cover;
use dwell_explore::cover::{AluInclusion, Equality, Inclusion};
use dwell_zones::{Bound, LuBounds, Relation, compact};

/// A cover at one discrete state.
struct At<'a, B: Bound, C> {
    cover: C,
    active: &'a [u16],
    bounds: &'a LuBounds<B>,
}

impl<B: Bound, C: Cover<B>> At<'_, B, C> {
    fn compare(&self, new: &[B], old: &[B]) -> Relation {
        self.cover.compare(new, old, self.active, self.bounds)
    }

    fn covered(&self, new: &[B], old: &[B]) -> bool {
        matches!(self.compare(new, old), Relation::Equal | Relation::Subset)
    }
}

/// "Covered by" is reflexive and transitive, and told the same way from both
/// sides. A zone larger as a set is never the one that is dropped for a smaller one
/// unless each covers the other.
fn is_a_preorder<B: Bound, C: Cover<B> + Copy + Default>(coarser_than_inclusion: bool) {
    let rng = &mut Rng::new(1);
    let (mut related, mut chains) = (0, 0);
    for round in 0..400 {
        let dim = 1 + round % 6;
        let bounds = bounds::<B>(rng, dim, 3);
        let active = all(dim);
        let at = At { cover: C::default(), active: &active, bounds: &bounds };
        let zones: Vec<Vec<B>> = (0..12).map(|_| cells(rng, dim, 3)).collect();
        for a in &zones {
            assert!(at.covered(a, a), "not reflexive: {a:?}");
            assert!(at.covered(&a.clone(), a));
            for b in &zones {
                let (ab, ba) = (at.compare(a, b), at.compare(b, a));
                match ab {
                    Relation::Equal => assert!(at.covered(b, a), "{a:?} {b:?}"),
                    Relation::Subset => assert!(ba != Relation::Incomparable, "{a:?} {b:?}"),
                    Relation::Superset => assert!(at.covered(b, a), "{a:?} {b:?}"),
                    Relation::Incomparable => assert_eq!(ba, Relation::Incomparable, "{a:?} {b:?}"),
                }
                if coarser_than_inclusion && compact::included(a, b) {
                    assert!(at.covered(a, b), "{a:?} {b:?}");
                }
                related += u32::from(a != b && at.covered(a, b));
                for c in zones.iter().filter(|_| at.covered(a, b)) {
                    if at.covered(b, c) {
                        assert!(at.covered(a, c), "not transitive: {a:?} {b:?} {c:?} {bounds:?}");
                        chains += 1;
                    }
                }
            }
        }
    }
    assert!(chains > 1_000 && (related > 500 || !coarser_than_inclusion), "{related} {chains}");
}

/// Active clocks may be any part of the clocks: bounds are found by their own
/// numbers, not by their positions.
fn does_not_depend_on_numbering<B: Bound, C: Cover<B> + Copy + Default>() {
    let rng = &mut Rng::new(2);
    for _ in 0..2_000 {
        let dim = 2 + rng.below(4) as usize;
        let small = bounds::<B>(rng, dim, 3);
        let (a, b) = (cells::<B>(rng, dim, 3), cells::<B>(rng, dim, 3));
        // The same clocks among others, in the same order.
        let mut active = vec![0];
        for _ in 1..dim {
            let last = *active.last().expect("not empty");
            active.push(last + 1 + rng.below(3) as u16);
        }
        let wide = *active.last().expect("not empty") as usize + 1;
        let mut large = LuBounds::<B>::new(wide);
        for x in 1..wide {
            match active.iter().position(|&i| i as usize == x) {
                Some(rank) => {
                    small.lower(rank).into_iter().for_each(|c| large.raise_lower(x, c));
                    small.upper(rank).into_iter().for_each(|c| large.raise_upper(x, c));
                }
                None => large.raise_upper(x, 1),
            }
        }
        let plain = C::default().compare(&a, &b, &all(dim), &small);
        assert_eq!(C::default().compare(&a, &b, &active, &large), plain, "{a:?} {b:?} {active:?}");
    }
}

macro_rules! cover_laws {
    ($($module:ident: $cover:ty, coarser than inclusion: $coarser:literal;)*) => {$(
        mod $module {
            use super::*;

            #[test]
            fn it_is_a_preorder() {
                is_a_preorder::<i16, $cover>($coarser);
                is_a_preorder::<i32, $cover>($coarser);
            }

            #[test]
            fn it_does_not_depend_on_numbering() {
                does_not_depend_on_numbering::<i16, $cover>();
                does_not_depend_on_numbering::<i32, $cover>();
            }
        }
    )*};
}

cover_laws! {
    inclusion: Inclusion, coarser than inclusion: true;
    equality: Equality, coarser than inclusion: false;
    alu_inclusion: AluInclusion, coarser than inclusion: true;
}

#[test]
fn inclusion_and_equality_mean_what_they_say() {
    let rng = &mut Rng::new(3);
    for _ in 0..5_000 {
        let dim = 1 + rng.below(5) as usize;
        let (a, b) = (cells::<i16>(rng, dim, 2), cells::<i16>(rng, dim, 2));
        let below = |a: &[i16], b: &[i16]| a.iter().zip(b).all(|(a, b)| a <= b);
        let expected = match (below(&a, &b), below(&b, &a)) {
            (true, true) => Relation::Equal,
            (true, false) => Relation::Subset,
            (false, true) => Relation::Superset,
            (false, false) => Relation::Incomparable,
        };
        let (active, bounds) = (all(dim), LuBounds::new(dim));
        assert_eq!(Inclusion.compare(&a, &b, &active, &bounds), expected);
        let equal = if a == b { Relation::Equal } else { Relation::Incomparable };
        assert_eq!(Equality.compare(&a, &b, &active, &bounds), equal);
    }
}
