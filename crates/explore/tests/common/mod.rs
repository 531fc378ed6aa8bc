//! Random zones as compact cells.
#![allow(dead_code)] // no test uses all of it

use dwell_base::Rng;
use dwell_zones::{Bound, LuBounds, Zone, compact};

/// A random zone over `dim - 1` clocks with constants up to `limit`, closed
/// and not empty, as compact cells over all clocks.
pub fn cells<B: Bound>(rng: &mut Rng, dim: usize, limit: i32) -> Vec<B> {
    let mut zone = Zone::<B>::new(dim);
    zone.set_zero();
    for _ in 0..rng.below(6) {
        let x = 1 + rng.below(dim.max(2) as u64 - 1) as usize;
        if x >= dim {
            break;
        }
        match rng.below(4) {
            0 => zone.up(),
            1 => zone.reset(x, rng.range(0, limit)),
            kind => {
                let c = rng.range(0, limit);
                let (i, j, c) = if kind == 2 { (x, 0, c) } else { (0, x, -c) };
                let bound = if rng.percent(50) { B::weak(c) } else { B::strict(c) };
                let mut tried = zone.clone();
                if tried.constrain(i, j, bound.expect("a small constant")) {
                    zone = tried;
                }
            }
        }
    }
    let mut cells = vec![B::INF; compact::compact_len(dim)];
    compact::pack(&zone, &all(dim), &mut cells);
    cells
}

/// All indices of zones of this dimension.
pub fn all(dim: usize) -> Vec<u16> {
    (0..dim as u16).collect()
}

/// Random lower and upper bounds, some absent.
pub fn bounds<B: Bound>(rng: &mut Rng, dim: usize, limit: i32) -> LuBounds<B> {
    let mut bounds = LuBounds::new(dim);
    for x in 1..dim {
        if rng.percent(75) {
            bounds.raise_lower(x, rng.range(0, limit));
        }
        if rng.percent(75) {
            bounds.raise_upper(x, rng.range(0, limit));
        }
    }
    bounds
}
