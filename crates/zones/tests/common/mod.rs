//! The naive twin: zones as the textbook writes them, sharing nothing with the crate.
//!
//! Bounds are (constant, weak) pairs of unbounded integers, `None` is infinity, and
//! every operation is its definition followed by a cubic closure.

#![allow(dead_code, reason = "each test binary uses a part")]
#![allow(clippy::needless_range_loop, reason = "indices of a matrix read better than iterators")]

pub mod make;

use dwell_zones::{Bound, LuBounds, Zone};

/// (constant, is it ≤?), or no bound. `false < true`, so pairs order like bounds.
pub type Entry = Option<(i64, bool)>;

pub const ZERO: Entry = Some((0, true));

pub fn less(a: Entry, b: Entry) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a < b,
        (a, b) => a.is_some() && b.is_none(),
    }
}

pub fn sum(a: Entry, b: Entry) -> Entry {
    let ((a, weak_a), (b, weak_b)) = (a?, b?);
    Some((a + b, weak_a && weak_b))
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Naive {
    pub dim: usize,
    pub d: Vec<Entry>,
}

/// Lower and upper constants per index; index 0 has 0 and 0.
#[derive(Clone, Debug)]
pub struct NaiveLu {
    pub lower: Vec<Option<i64>>,
    pub upper: Vec<Option<i64>>,
}

#[derive(Clone, Copy, Debug)]
pub enum Extra {
    M,
    MPlus,
    Lu,
    LuPlus,
}

impl Naive {
    pub fn universe(dim: usize) -> Self {
        let mut zone = Self { dim, d: vec![None; dim * dim] };
        for i in 0..dim {
            *zone.at(0, i) = ZERO;
            *zone.at(i, i) = ZERO;
        }
        zone
    }

    pub fn at(&mut self, i: usize, j: usize) -> &mut Entry {
        &mut self.d[i * self.dim + j]
    }

    pub fn get(&self, i: usize, j: usize) -> Entry {
        self.d[i * self.dim + j]
    }

    pub fn lower_to(&mut self, i: usize, j: usize, b: Entry) {
        if less(b, self.get(i, j)) {
            *self.at(i, j) = b;
        }
    }

    /// False means empty.
    pub fn close(&mut self) -> bool {
        for k in 0..self.dim {
            for i in 0..self.dim {
                for j in 0..self.dim {
                    self.lower_to(i, j, sum(self.get(i, k), self.get(k, j)));
                }
                if less(self.get(i, i), ZERO) {
                    return false;
                }
            }
        }
        true
    }

    pub fn is_closed(&self) -> bool {
        let n = 0..self.dim;
        n.clone().all(|i| {
            self.get(i, i) == ZERO
                && !less(ZERO, self.get(0, i))
                && n.clone()
                    .all(|j| n.clone().all(|k| !less(sum(self.get(i, k), self.get(k, j)), self.get(i, j))))
        })
    }

    pub fn constrain(&mut self, i: usize, j: usize, b: Entry) -> bool {
        self.lower_to(i, j, b);
        self.close()
    }

    pub fn up(&mut self) {
        for i in 1..self.dim {
            *self.at(i, 0) = None;
        }
        assert!(self.close());
    }

    pub fn down(&mut self) {
        for j in 1..self.dim {
            *self.at(0, j) = ZERO;
        }
        assert!(self.close());
    }

    pub fn free(&mut self, x: usize) {
        for j in 0..self.dim {
            *self.at(x, j) = None;
            *self.at(j, x) = None;
        }
        *self.at(x, x) = ZERO;
        *self.at(0, x) = ZERO;
        assert!(self.close());
    }

    /// x := y + c through a new clock z = y + c that then takes the place of x.
    pub fn assign_sum(&mut self, x: usize, y: usize, c: i64) {
        self.replace(x, |wide, z| {
            wide.lower_to(z, y, Some((c, true)));
            wide.lower_to(y, z, Some((-c, true)));
        });
    }

    /// Larger values of x through a new clock z >= x that then takes its place.
    pub fn free_above(&mut self, x: usize) {
        self.replace(x, |wide, z| wide.lower_to(x, z, ZERO));
    }

    /// Puts a new clock with these constraints in the place of x.
    fn replace(&mut self, x: usize, constrain: impl Fn(&mut Self, usize)) {
        let z = self.dim;
        let mut wide = Self::universe(z + 1);
        for i in 0..z {
            for j in 0..z {
                *wide.at(i, j) = self.get(i, j);
            }
        }
        constrain(&mut wide, z);
        assert!(wide.close(), "the new clock would be negative");
        let place = |i: usize| if i == x { z } else { i };
        for i in 0..z {
            for j in 0..z {
                *self.at(i, j) = wide.get(place(i), place(j));
            }
        }
    }

    pub fn intersect(&mut self, other: &Self) -> bool {
        for i in 0..self.dim {
            for j in 0..self.dim {
                self.lower_to(i, j, other.get(i, j));
            }
        }
        self.close()
    }

    /// The loosest bounds either needs.
    pub fn hull(&mut self, other: &Self) {
        for (a, &b) in self.d.iter_mut().zip(&other.d) {
            if less(*a, b) {
                *a = b;
            }
        }
        assert!(self.close());
    }

    pub fn included_in(&self, other: &Self) -> bool {
        self.d.iter().zip(&other.d).all(|(&a, &b)| !less(b, a))
    }

    /// Does it contain values[i] / denominator?
    pub fn contains(&self, values: &[i64], denominator: i64) -> bool {
        (0..self.dim).all(|i| {
            (0..self.dim).all(|j| match self.get(i, j) {
                None => true,
                Some((c, true)) => values[i] - values[j] <= c * denominator,
                Some((c, false)) => values[i] - values[j] < c * denominator,
            })
        })
    }

    pub fn extrapolate(&mut self, lu: &NaiveLu, kind: Extra) {
        // Absent is -∞; the entry that would become (<, +∞) is ≤ 0 in row 0.
        let beyond = |c: i64, bound: Option<i64>| bound.is_none_or(|bound| c > bound);
        let m: Vec<_> = lu.lower.iter().zip(&lu.upper).map(|(&l, &u)| l.max(u)).collect();
        let (lower, upper, plus) = match kind {
            Extra::M => (&m, &m, false),
            Extra::MPlus => (&m, &m, true),
            Extra::Lu => (&lu.lower, &lu.upper, false),
            Extra::LuPlus => (&lu.lower, &lu.upper, true),
        };
        let old = self.clone();
        for i in 0..self.dim {
            for j in (0..self.dim).filter(|&j| j != i) {
                let Some((c, _)) = old.get(i, j) else { continue };
                let to_upper = match upper[j] {
                    Some(u) => Some((-u, false)),
                    None if i == 0 => ZERO,
                    None => None,
                };
                let c0 = |k: usize| old.get(0, k).unwrap().0;
                *self.at(i, j) = if !plus {
                    if beyond(c, lower[i]) && i != 0 {
                        None
                    } else if beyond(-c, upper[j]) {
                        to_upper
                    } else {
                        old.get(i, j)
                    }
                } else if i != 0
                    && (beyond(c, lower[i]) || beyond(-c0(i), lower[i]) || beyond(-c0(j), upper[j]))
                {
                    None
                } else if i == 0 && beyond(-c0(j), upper[j]) {
                    to_upper
                } else {
                    old.get(i, j)
                };
            }
        }
        assert!(self.close());
    }

    /// Is point / denominator below some point of this zone in the LU-preorder?
    ///
    /// v ≼ w iff for every clock w = v, or L < w < v, or U < v < w. For a fixed v the
    /// possible w are a union of boxes; each is met with the zone, all scaled.
    pub fn simulates(&self, point: &[i64], denominator: i64, lu: &NaiveLu) -> bool {
        let mut scaled = self.clone();
        for (c, _) in scaled.d.iter_mut().flatten() {
            *c *= denominator;
        }
        (0..3usize.pow(self.dim as u32 - 1)).any(|choice| {
            let mut boxed = scaled.clone();
            let mut rest = choice;
            for x in 1..self.dim {
                let v = point[x];
                match rest % 3 {
                    0 => {
                        boxed.lower_to(x, 0, Some((v, true)));
                        boxed.lower_to(0, x, Some((-v, true)));
                    }
                    1 => {
                        boxed.lower_to(x, 0, Some((v, false)));
                        if let Some(l) = lu.lower[x] {
                            boxed.lower_to(0, x, Some((-l * denominator, false)));
                        }
                    }
                    _ => {
                        if lu.upper[x].is_some_and(|u| v <= u * denominator) {
                            return false;
                        }
                        boxed.lower_to(0, x, Some((-v, false)));
                    }
                }
                rest /= 3;
            }
            boxed.close()
        })
    }

    pub fn to_zone<B: Bound>(&self) -> Zone<B> {
        let mut zone = Zone::new(self.dim);
        for i in 0..self.dim {
            for j in 0..self.dim {
                if i != j {
                    zone.tighten(i, j, word(self.get(i, j)));
                }
            }
        }
        zone
    }
}

impl NaiveLu {
    pub fn none(dim: usize) -> Self {
        let mut lu = Self { lower: vec![None; dim], upper: vec![None; dim] };
        lu.lower[0] = Some(0);
        lu.upper[0] = Some(0);
        lu
    }

    pub fn to_bounds<B: Bound>(&self) -> LuBounds<B> {
        let mut bounds = LuBounds::new(self.lower.len());
        for x in 1..self.lower.len() {
            if let Some(c) = self.lower[x] {
                bounds.raise_lower(x, c as i32);
            }
            if let Some(c) = self.upper[x] {
                bounds.raise_upper(x, c as i32);
            }
        }
        bounds
    }
}

/// The word of an entry whose constant fits.
pub fn word<B: Bound>(entry: Entry) -> B {
    match entry {
        None => B::INF,
        Some((c, true)) => B::weak(c as i32).expect("in range"),
        Some((c, false)) => B::strict(c as i32).expect("in range"),
    }
}

/// The entry of a word.
pub fn entry<B: Bound>(word: B) -> Entry {
    (!word.is_inf()).then(|| (i64::from(word.constant()), !word.is_strict()))
}

/// What a fast zone says, as a naive one.
pub fn naive<B: Bound>(zone: &Zone<B>) -> Naive {
    let dim = zone.dim();
    let d = (0..dim * dim).map(|at| entry(zone.get(at / dim, at % dim))).collect();
    Naive { dim, d }
}

/// Fails unless `fast` is `slow` cell by cell.
#[track_caller]
pub fn same<B: Bound>(fast: &Zone<B>, slow: &Naive, what: impl std::fmt::Debug) {
    assert!(!fast.overflowed(), "overflow after {what:?}");
    assert_eq!(&naive(fast), slow, "after {what:?} with {} bits: {fast:?}", B::BITS);
}
