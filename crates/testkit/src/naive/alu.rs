//! Inclusion up to the LU-simulation.

use super::{Dbm, INF, ZERO, add};

/// Lower and upper bounds of clocks, by zone index; `None` where there is none.
#[derive(Clone, Debug)]
pub struct Lu {
    /// Lower.
    pub lower: Vec<Option<i64>>,
    /// Upper.
    pub upper: Vec<Option<i64>>,
}

/// Whether `a` is included in aLU(`b`), by the theorem of Herbreteau,
/// Srivathsan and Walukiewicz (LICS 2012): it is not iff for some x and y
/// the first bound of x is at least `<= -U_x`, the bound on y - x is smaller in
/// `b`, and stays below the first bound of x when `< -L_y` is added.
pub fn included_in_alu(a: &Dbm, b: &Dbm, lu: &Lu) -> bool {
    let pairs = (0..a.dim()).flat_map(|x| (0..a.dim()).map(move |y| (x, y)));
    !pairs.filter(|(x, y)| x != y).any(|(x, y)| {
        let (Some(upper), Some(lower)) = (lu.upper[x], lu.lower[y]) else { return false };
        a.get(0, x) >= (-upper, 1) && b.get(y, x) < a.get(y, x) && add(b.get(y, x), (-lower, 0)) < a.get(0, x)
    })
}

/// A point of `a` from which no point of `b` can be reached in the
/// LU-simulation: by definition `a` is then not included in aLU(`b`). Looks at
/// all points whose coordinates are multiples of a fraction small enough for
/// the number of clocks, up to just above every constant.
pub fn point_outside_alu(a: &Dbm, b: &Dbm, lu: &Lu) -> Option<Vec<i64>> {
    let (dim, parts) = (a.dim(), a.dim() as i64);
    let constants = a.cells.iter().chain(&b.cells).filter(|&&c| c != INF).map(|c| c.0.abs());
    let bounds = lu.lower.iter().chain(&lu.upper).flatten().copied();
    let last = (constants.chain(bounds).max().unwrap_or(0) + 1) * parts;
    let mut point = vec![0; dim];
    loop {
        if contains(a, &point, parts) && !meets_simulating(b, &point, parts, lu) {
            return Some(point);
        }
        let at = (1..dim).find(|&x| point[x] < last)?;
        point[1..at].fill(0);
        point[at] += 1;
    }
}

/// Whether the point, in multiples of 1 / `parts`, is in the zone.
fn contains(zone: &Dbm, point: &[i64], parts: i64) -> bool {
    let pairs = (0..zone.dim).flat_map(|i| (0..zone.dim).map(move |j| (i, j)));
    pairs.into_iter().all(|(i, j)| {
        let bound = zone.get(i, j);
        bound == INF || (point[i] - point[j], 1) <= (bound.0 * parts, bound.1)
    })
}

/// Whether some valuation w of `zone` simulates v: w(x) < v(x) only above L_x, and
/// w(x) > v(x) only where v(x) is above U_x. All times `parts`.
fn meets_simulating(zone: &Dbm, v: &[i64], parts: i64, lu: &Lu) -> bool {
    let mut near = zone.clone();
    for cell in near.cells.iter_mut().filter(|cell| **cell != INF) {
        cell.0 *= parts;
    }
    for (x, &at) in v.iter().enumerate().skip(1) {
        match lu.lower[x].map(|l| l * parts) {
            None => near.tighten(0, x, ZERO),
            Some(l) if l < at => near.tighten(0, x, (-l, 0)),
            Some(_) => near.tighten(0, x, (-at, 1)),
        }
        match lu.upper[x].map(|u| u * parts) {
            None => {}
            Some(u) if u < at => {}
            Some(_) => near.tighten(x, 0, (at, 1)),
        }
    }
    near.close()
}
