//! Near the limit of the word: right, or flagged, and flagged only if it must be.

mod common;

use common::{Entry, Naive, NaiveLu, make, naive, word};
use dwell_base::Rng;
use dwell_zones::{Bound, LuBounds, Zone};

/// Does every finite entry fit?
fn fits<B: Bound>(zone: &Naive) -> bool {
    zone.d.iter().flatten().all(|&(c, _)| c.abs() <= i64::from(B::MAX_CONSTANT))
}

/// Holds `fast` to what the unbounded twin says.
fn judge<B: Bound>(fast: &Zone<B>, fast_left: bool, slow: &Naive, slow_left: bool, what: &str) {
    match (fast_left, slow_left) {
        (false, false) => {}
        (true, false) => assert!(fast.overflowed(), "{what}: empty unnoticed"),
        (false, true) => panic!("{what}: not empty at all"),
        (true, true) => {
            assert_eq!(fast.overflowed(), !fits::<B>(slow), "{what}: {slow:?}");
            if !fast.overflowed() {
                assert_eq!(&naive(fast), slow, "{what}");
            }
        }
    }
}

/// A bound with a constant near the limit, near half of it, or small.
fn bound<B: Bound>(rng: &mut Rng) -> Entry {
    let limit = B::MAX_CONSTANT;
    let c = match rng.below(4) {
        0 => limit - rng.range(0, 3),
        1 => limit / 2 + rng.range(-2, 2),
        2 => rng.range(0, limit),
        _ => rng.range(0, 3),
    };
    Some((i64::from(if rng.percent(50) { c } else { -c }), rng.percent(50)))
}

fn matrix<B: Bound>(rng: &mut Rng, dim: usize) -> Naive {
    let mut zone = Naive::universe(dim);
    let percent = *rng.pick(&[20, 40, 80]);
    for i in 0..dim {
        for j in 0..dim {
            if i != j && rng.percent(percent) {
                let mut b = bound::<B>(rng);
                // Lower bounds everywhere would make nearly all of them empty.
                if let Some((c, _)) = &mut b
                    && rng.percent(60)
                {
                    *c = c.abs();
                }
                zone.lower_to(i, j, b);
            }
        }
    }
    zone
}

fn rounds<B: Bound>(seeds: std::ops::Range<u64>) {
    let (mut empty, mut right, mut flagged) = (0, 0, 0);
    for seed in seeds {
        let mut rng = Rng::new(seed);
        let dim = rng.range(2, 9) as usize;
        let open = matrix::<B>(&mut rng, dim);
        let (mut fast, mut slow) = (open.to_zone::<B>(), open.clone());
        let (fast_left, slow_left) = (fast.close(), slow.close());
        judge(&fast, fast_left, &slow, slow_left, &format!("close, seed {seed}"));
        match (slow_left, fast.overflowed()) {
            (false, _) => empty += 1,
            (true, false) => right += 1,
            (true, true) => flagged += 1,
        }
        if !fast_left || fast.overflowed() {
            continue;
        }
        operations(&mut rng, seed, &fast, &slow);
    }
    assert!(empty > 100 && right > 100 && flagged > 100, "{empty} {right} {flagged}");
}

fn operations<B: Bound>(rng: &mut Rng, seed: u64, zone: &Zone<B>, twin: &Naive) {
    let dim = zone.dim();
    for step in 0..14 {
        let (mut fast, mut slow) = (zone.clone(), twin.clone());
        let x = rng.range(1, dim as i32 - 1) as usize;
        let y = rng.range(0, dim as i32 - 1) as usize;
        let b = bound::<B>(rng);
        let c = b.unwrap().0.abs() as i32;
        let what = format!("step {step}, seed {seed}");
        let (fast_left, slow_left) = match step % 7 {
            0 if x != y => (fast.constrain(x, y, word(b)), slow.constrain(x, y, b)),
            1 if x != y => (fast.constrain(y, x, word(b)), slow.constrain(y, x, b)),
            2 => ((fast.assign_sum(x, y, c), true).1, (slow.assign_sum(x, y, c.into()), true).1),
            3 => ((fast.shift(x, c), true).1, (slow.assign_sum(x, x, c.into()), true).1),
            6 => {
                let bounds = make::single_bounds(rng, dim, B::MAX_CONSTANT);
                let left = bounds.iter().all(|&(i, j, b)| slow.constrain(i, j, b));
                (fast.constrain_box(&make::clock_box(dim, &bounds)), left)
            }
            4 => {
                let (mut other, open) = (Zone::new(dim), matrix::<B>(rng, dim));
                other.copy_from(&open.to_zone());
                if !other.close() || other.overflowed() {
                    continue;
                }
                (fast.intersect(&other), slow.intersect(&naive(&other)))
            }
            _ => {
                let lu = make::lu(rng, dim, B::MAX_CONSTANT);
                extrapolate(&mut fast, &mut slow, &lu);
                (true, true)
            }
        };
        judge(&fast, fast_left, &slow, slow_left, &what);
    }
}

fn extrapolate<B: Bound>(fast: &mut Zone<B>, slow: &mut Naive, lu: &NaiveLu) {
    fast.extra_lu_plus(&lu.to_bounds());
    slow.extrapolate(lu, common::Extra::LuPlus);
}

#[test]
fn sixteen_bits_are_right_or_flagged() {
    rounds::<i16>(0..40_000);
}

#[test]
fn thirty_two_bits_are_right_or_flagged() {
    rounds::<i32>(100_000..120_000);
}

/// After an overflow anything may be in there, but nothing panics.
#[test]
fn operations_after_an_overflow_are_harmless() {
    for seed in 0..2000 {
        let mut rng = Rng::new(seed);
        let dim = rng.range(2, 20) as usize;
        let mut zone = Zone::<i16>::new(dim);
        for _ in 0..200 {
            let (x, y) = (rng.range(1, dim as i32 - 1) as usize, rng.range(0, dim as i32 - 1) as usize);
            let c = rng.range(0, 4094);
            let left = match rng.below(5) {
                0 if x != y => zone.constrain(x, y, word(bound::<i16>(&mut rng))),
                1 => (zone.assign_sum(x, y, c), true).1,
                2 => (zone.shift(x, c), true).1,
                3 => (zone.up(), true).1,
                _ if zone.overflowed() => (zone.extra_m(&LuBounds::new(dim)), !zone.is_empty()).1,
                _ => zone.close(),
            };
            if !left {
                zone.set_universe();
            }
        }
    }
}
