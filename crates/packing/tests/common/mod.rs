//! Random canonical zones, and the comparison that all others are compared with.

#![allow(dead_code, reason = "each test binary uses a part")]

use dwell_base::Rng;
use dwell_zones::{Bound, Relation, Zone, compact};

/// The cells of a random closed, non-empty zone over `dim` clocks with the reference
/// clock, made with constants up to `most`. Sums of them occur too.
pub fn zone<B: Bound>(rng: &mut Rng, dim: usize, most: i32) -> Vec<B> {
    let mut zone = Zone::<B>::new(dim);
    if rng.percent(30) {
        zone.set_zero();
        zone.up();
    }
    for _ in 0..rng.below(2 * dim as u64) {
        let (i, j) = (rng.below(dim as u64) as usize, rng.below(dim as u64) as usize);
        let c = rng.range(-most, most);
        match rng.below(4) {
            0 if i > 0 => zone.reset(i, rng.range(0, most)),
            1 => zone.up(),
            _ => {
                let b = if rng.percent(50) { B::weak(c) } else { B::strict(c) };
                let b = b.expect("small constants");
                if i != j && zone.allows(i, j, b) {
                    zone.constrain(i, j, b);
                }
            }
        }
    }
    assert!(!zone.overflowed() && zone.is_closed());
    cells(&zone)
}

pub fn cells<B: Bound>(zone: &Zone<B>) -> Vec<B> {
    let active: Vec<u16> = (0..zone.dim() as u16).collect();
    let mut cells = vec![B::default(); compact::compact_len(zone.dim())];
    compact::pack(zone, &active, &mut cells);
    cells
}

/// A zone near another: equal, or above or below it, or neither.
pub fn near<B: Bound>(rng: &mut Rng, of: &[B], dim: usize, most: i32) -> Vec<B> {
    let active: Vec<u16> = (0..dim as u16).collect();
    let mut zone = Zone::<B>::new(dim);
    compact::unpack(of, &active, &mut zone);
    match rng.below(4) {
        0 => {}
        1 if dim > 1 => zone.up(),
        2 if dim > 1 => {
            let (i, j) = (rng.below(dim as u64) as usize, rng.below(dim as u64) as usize);
            let b = B::weak(rng.range(-most, most)).expect("small constants");
            if i != j && zone.allows(i, j, b) {
                zone.constrain(i, j, b);
            }
        }
        _ => return self::zone(rng, dim, most),
    }
    cells(&zone)
}

/// Cell by cell.
pub fn naive<T: PartialOrd + Copy>(a: &[T], b: &[T]) -> Relation {
    assert_eq!(a.len(), b.len());
    let below = a.iter().zip(b).all(|(a, b)| a <= b);
    let above = a.iter().zip(b).all(|(a, b)| a >= b);
    match (below, above) {
        (true, true) => Relation::Equal,
        (true, false) => Relation::Subset,
        (false, true) => Relation::Superset,
        (false, false) => Relation::Incomparable,
    }
}

/// A code as it is stored.
pub fn stored(limbs: &[u64], bytes: usize) -> Vec<u8> {
    let mut stored = vec![0xff; bytes];
    dwell_packing::limbs::to_bytes(limbs, &mut stored);
    stored
}
