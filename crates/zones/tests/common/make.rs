//! Zones to test with: all small ones, and random larger ones.

use dwell_base::Rng;
use dwell_zones::{Bound, ClockBox};

use super::{Entry, Naive, NaiveLu};

/// All bounds with constants in ±`limit`, and infinity.
pub fn entries(limit: i64) -> Vec<Entry> {
    let finite = (-limit..=limit).flat_map(|c| [Some((c, false)), Some((c, true))]);
    finite.chain([None]).collect()
}

/// Every closed non-empty zone over `clocks` clocks whose bounds are in ±`limit`.
///
/// Clock by clock: dropping the last clock of a closed zone leaves a closed zone.
pub fn all_zones(clocks: usize, limit: i64) -> Vec<Naive> {
    if clocks == 0 {
        return vec![Naive::universe(1)];
    }
    let mut found = Vec::new();
    for smaller in all_zones(clocks - 1, limit) {
        let mut zone = Naive::universe(clocks + 1);
        for i in 0..clocks {
            for j in 0..clocks {
                *zone.at(i, j) = smaller.get(i, j);
            }
        }
        extend(&mut zone, 0, &entries(limit), &mut found);
    }
    found
}

/// Tries all bounds between index `k` and the last clock, then goes on with `k + 1`.
fn extend(zone: &mut Naive, k: usize, entries: &[Entry], found: &mut Vec<Naive>) {
    let last = zone.dim - 1;
    if k == last {
        found.push(zone.clone());
        return;
    }
    for &to in entries {
        for &from in entries {
            *zone.at(k, last) = to;
            *zone.at(last, k) = from;
            // Closed as far as the indices up to k and the last one go.
            let seen = |at: usize| if at <= k { at } else { last };
            let mut part = Naive::universe(k + 2);
            for i in 0..k + 2 {
                for j in 0..k + 2 {
                    *part.at(i, j) = zone.get(seen(i), seen(j));
                }
            }
            if part.is_closed() {
                extend(zone, k + 1, entries, found);
            }
        }
    }
}

/// A closed non-empty zone around a random point, with constants up to `limit`.
pub fn zone(rng: &mut Rng, dim: usize, limit: i32, finite_percent: u64) -> Naive {
    let point: Vec<i64> = (0..dim).map(|i| if i == 0 { 0 } else { rng.range(0, limit / 2).into() }).collect();
    let mut zone = Naive::universe(dim);
    for i in 0..dim {
        for j in 0..dim {
            if i != j && rng.percent(finite_percent) {
                let c = point[i] - point[j] + i64::from(rng.range(0, (limit / 4).max(1)));
                // Keeping the point inside keeps the zone non-empty.
                let weak = c == point[i] - point[j] || rng.percent(50);
                zone.lower_to(i, j, Some((c, weak)));
            }
        }
    }
    if rng.percent(20) {
        for i in 1..dim {
            zone.lower_to(i, 0, Some((point[i], true)));
        }
    }
    assert!(zone.close());
    if rng.percent(50) {
        zone.up();
    }
    zone
}

/// Random lower and upper constants, some absent.
pub fn lu(rng: &mut Rng, dim: usize, limit: i32) -> NaiveLu {
    let mut lu = NaiveLu::none(dim);
    for x in 1..dim {
        lu.lower[x] = rng.percent(75).then(|| rng.range(0, limit).into());
        lu.upper[x] = rng.percent(75).then(|| rng.range(0, limit).into());
    }
    lu
}

/// A random bound with a constant in ±`limit`.
pub fn bound(rng: &mut Rng, limit: i32) -> Entry {
    if rng.percent(5) { None } else { Some((rng.range(-limit, limit).into(), rng.percent(50))) }
}

/// A point with coordinates in 0..=limit, as numerators over `denominator`.
pub fn point(rng: &mut Rng, dim: usize, limit: i32, denominator: i32) -> Vec<i64> {
    (0..dim).map(|i| if i == 0 { 0 } else { rng.range(0, limit * denominator).into() }).collect()
}

/// A few bounds on single clocks, as (i, j, bound) with the reference clock in one.
pub fn single_bounds(rng: &mut Rng, dim: usize, limit: i32) -> Vec<(usize, usize, Entry)> {
    let count = rng.below(2 * dim as u64);
    let bound = |_| {
        let x = rng.range(1, dim as i32 - 1) as usize;
        let (c, weak) = (i64::from(rng.range(0, limit)), rng.percent(60));
        if rng.percent(60) { (x, 0, Some((c, weak))) } else { (0, x, Some((-c / 2, weak))) }
    };
    (0..count).map(bound).collect()
}

/// The same as a box.
pub fn clock_box<B: Bound>(dim: usize, bounds: &[(usize, usize, Entry)]) -> ClockBox<B> {
    let mut result = ClockBox::new(dim);
    for &(i, j, b) in bounds {
        result.constrain(i, j, super::word(b));
    }
    result
}
