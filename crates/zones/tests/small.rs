//! Every operation on every small zone, against the naive twin, in both widths.

mod common;

use common::make::{all_zones, entries};
use common::{Extra, Naive, NaiveLu, entry, naive, same, word};
use dwell_base::Rng;
use dwell_zones::{Bound, Relation, Zone, compact, minimal};

const EXTRAS: [Extra; 4] = [Extra::M, Extra::MPlus, Extra::Lu, Extra::LuPlus];

fn extrapolate<B: Bound>(zone: &mut Zone<B>, lu: &NaiveLu, kind: Extra) {
    let bounds = lu.to_bounds();
    match kind {
        Extra::M => zone.extra_m(&bounds),
        Extra::MPlus => zone.extra_m_plus(&bounds),
        Extra::Lu => zone.extra_lu(&bounds),
        Extra::LuPlus => zone.extra_lu_plus(&bounds),
    }
}

/// Runs `op` on a copy of both and compares; `op` says whether anything is left.
#[track_caller]
fn both<B: Bound>(
    slow: &Naive,
    what: impl std::fmt::Debug,
    fast_op: impl FnOnce(&mut Zone<B>) -> bool,
    slow_op: impl FnOnce(&mut Naive) -> bool,
) {
    let (mut fast, mut expected) = (slow.to_zone::<B>(), slow.clone());
    let (left, expected_left) = (fast_op(&mut fast), slow_op(&mut expected));
    assert_eq!(left, expected_left, "emptiness after {what:?} of {slow:?}");
    assert_eq!(fast.is_empty(), !left);
    if left {
        same(&fast, &expected, (what, slow));
        assert!(fast.is_closed());
    }
}

/// All operations on one zone. `limit` bounds the constants tried.
fn unary<B: Bound>(slow: &Naive, limit: i64, lus: &[NaiveLu]) {
    let dim = slow.dim;
    same(&slow.to_zone::<B>(), slow, "building");
    assert!(slow.to_zone::<B>().is_closed());
    both::<B>(slow, "close", |z| z.close(), |z| z.close());
    both::<B>(slow, "up", |z| (z.up(), true).1, |z| (z.up(), true).1);
    both::<B>(slow, "down", |z| (z.down(), true).1, |z| (z.down(), true).1);
    for i in 0..dim {
        for j in (0..dim).filter(|&j| j != i) {
            for b in entries(limit) {
                let fast: Zone<B> = slow.to_zone();
                let mut cut = slow.clone();
                let left = cut.constrain(i, j, b);
                assert_eq!(fast.allows(i, j, word(b)), left, "allows ({i}, {j}, {b:?}) of {slow:?}");
                both::<B>(
                    slow,
                    ("constrain", i, j, b),
                    |z| z.constrain(i, j, word(b)),
                    |z| z.constrain(i, j, b),
                );
                let open = |z: &mut Zone<B>| {
                    z.tighten(i, j, word(b));
                    z.close()
                };
                both::<B>(slow, ("tighten, close", i, j, b), open, |z| z.constrain(i, j, b));
                let open = |z: &mut Zone<B>| !z.tighten(i, j, word(b)) || z.close_after(i, j);
                both::<B>(slow, ("close_after", i, j, b), open, |z| z.constrain(i, j, b));
            }
        }
    }
    for x in 1..dim {
        both::<B>(slow, ("free", x), |z| (z.free(x), true).1, |z| (z.free(x), true).1);
        for c in 0..=limit {
            let k = c as i32;
            both::<B>(
                slow,
                ("reset", x, c),
                |z| (z.reset(x, k), true).1,
                |z| (z.assign_sum(x, 0, c), true).1,
            );
            both::<B>(
                slow,
                ("shift", x, c),
                |z| (z.shift(x, k), true).1,
                |z| (z.assign_sum(x, x, c), true).1,
            );
            if slow.get(0, x).unwrap().0 <= -c {
                both::<B>(
                    slow,
                    ("shift", x, -c),
                    |z| (z.shift(x, -k), true).1,
                    |z| (z.assign_sum(x, x, -c), true).1,
                );
            }
            for y in 1..dim {
                both::<B>(
                    slow,
                    ("assign", x, y, c),
                    |z| (z.assign_sum(x, y, k), true).1,
                    |z| (z.assign_sum(x, y, c), true).1,
                );
            }
        }
        for y in 1..dim {
            let copy = |z: &mut Zone<B>| (z.copy_clock(x, y), true).1;
            both::<B>(slow, ("copy", x, y), copy, |z| (z.assign_sum(x, y, 0), true).1);
        }
    }
    for lu in lus {
        for kind in EXTRAS {
            let widen = |z: &mut Zone<B>| (extrapolate(z, lu, kind), true).1;
            both::<B>(slow, (kind, lu), widen, |z| (z.extrapolate(lu, kind), true).1);
        }
    }
    reduce_and_pack::<B>(slow);
}

fn reduce_and_pack<B: Bound>(slow: &Naive) {
    let (dim, fast) = (slow.dim, slow.to_zone::<B>());
    let mut graph = minimal::MinimalGraph::new();
    graph.reduce(&fast);
    let mut back = Zone::new(dim);
    graph.expand(&mut back);
    same(&back, slow, "minimal graph");
    // Minimal: no constraint can go.
    for skip in 0..graph.edges().len() {
        let mut fewer = graph.edges().to_vec();
        fewer.remove(skip);
        minimal::expand(&fewer, &mut back);
        assert_ne!(naive(&back), *slow, "edge {skip} of {:?} is not needed", graph.edges());
    }
    for subset in 0..1u32 << (dim - 1) {
        let active: Vec<u16> = (0..dim as u16).filter(|&i| i == 0 || subset >> (i - 1) & 1 == 1).collect();
        let m = active.len();
        let mut cells = vec![B::default(); compact::compact_len(m)];
        compact::pack(&fast, &active, &mut cells);
        let mut expected = slow.clone();
        (1..dim).filter(|&x| !active.contains(&(x as u16))).for_each(|x| expected.free(x));
        for (i, &ai) in active.iter().enumerate() {
            for (j, &aj) in active.iter().enumerate() {
                let kept = entry(compact::entry(&cells, m, i, j));
                assert_eq!(kept, slow.get(ai as usize, aj as usize));
            }
        }
        compact::unpack(&cells, &active, &mut back);
        same(&back, &expected, ("unpack", &active));
    }
}

/// All operations on two zones.
fn binary<B: Bound>(a: &Naive, b: &Naive, lu: &NaiveLu) {
    let (fast_a, fast_b) = (a.to_zone::<B>(), b.to_zone::<B>());
    let expected = match (a.included_in(b), b.included_in(a)) {
        (true, true) => Relation::Equal,
        (true, false) => Relation::Subset,
        (false, true) => Relation::Superset,
        (false, false) => Relation::Incomparable,
    };
    assert_eq!(fast_a.relation(&fast_b), expected);
    assert_eq!(fast_a.included_in(&fast_b), a.included_in(b));
    let mut graph = minimal::MinimalGraph::new();
    graph.reduce(&fast_b);
    assert_eq!(minimal::included(&fast_a, graph.edges()), a.included_in(b), "{a:?} in {b:?}");
    both::<B>(a, ("intersect", b), |z| z.intersect(&fast_b), |z| z.intersect(b));
    both::<B>(a, ("hull", b), |z| (z.hull(&fast_b), true).1, |z| (z.hull(b), true).1);
    let all: Vec<u16> = (0..a.dim as u16).collect();
    let pack = |zone: &Zone<B>| {
        let mut cells = vec![B::default(); compact::compact_len(all.len())];
        compact::pack(zone, &all, &mut cells);
        cells
    };
    let (cells_a, cells_b) = (pack(&fast_a), pack(&fast_b));
    assert_eq!(compact::relation(&cells_a, &cells_b), expected);
    assert_eq!(compact::included(&cells_a, &cells_b), a.included_in(b));
    let bounds = lu.to_bounds();
    let alu = fast_a.included_in_alu(&fast_b, &bounds);
    assert_eq!(compact::included_in_alu(&cells_a, &cells_b, &all, &bounds), alu);
    assert!(alu || !a.included_in(b));
}

/// a ⊆ aLU(b) by the definition, on all points of a fine grid.
fn included_in_alu(a: &Naive, b: &Naive, lu: &NaiveLu, side: i64, denominator: i64) -> bool {
    let clocks = a.dim as u32 - 1;
    let steps = side * denominator + 1;
    (0..steps.pow(clocks)).all(|mut code| {
        let mut point = vec![0; a.dim];
        for value in &mut point[1..] {
            *value = code % steps;
            code /= steps;
        }
        !a.contains(&point, denominator) || b.simulates(&point, denominator, lu)
    })
}

fn some_lus(rng: &mut Rng, dim: usize, limit: i32, count: usize) -> Vec<NaiveLu> {
    let mut lus = vec![NaiveLu::none(dim)];
    lus.extend((0..count).map(|_| common::make::lu(rng, dim, limit)));
    lus
}

#[test]
fn every_zone_of_one_clock() {
    let zones = all_zones(1, 2);
    let mut lus = Vec::new();
    for lower in [None, Some(0), Some(1), Some(2)] {
        for upper in [None, Some(0), Some(1), Some(2)] {
            lus.push(NaiveLu { lower: vec![Some(0), lower], upper: vec![Some(0), upper] });
        }
    }
    for a in &zones {
        unary::<i16>(a, 2, &lus);
        unary::<i32>(a, 2, &lus);
        for (b, lu) in zones.iter().flat_map(|b| lus.iter().map(move |lu| (b, lu))) {
            binary::<i16>(a, b, lu);
            binary::<i32>(a, b, lu);
            let alu = a.to_zone::<i16>().included_in_alu(&b.to_zone(), &lu.to_bounds());
            assert_eq!(alu, included_in_alu(a, b, lu, 5, 2), "{a:?} in aLU of {b:?} with {lu:?}");
        }
    }
}

#[test]
fn every_zone_of_two_clocks() {
    let mut rng = Rng::new(2);
    let zones = all_zones(2, 2);
    println!("{} zones", zones.len());
    for (at, a) in zones.iter().enumerate() {
        let lus = some_lus(&mut rng, 3, 2, 4);
        unary::<i16>(a, 2, &lus);
        if at % 4 == 0 {
            unary::<i32>(a, 2, &lus);
        }
        for _ in 0..40 {
            let (b, lu) = (rng.pick(&zones), rng.pick(&lus));
            binary::<i16>(a, b, lu);
            binary::<i32>(a, b, lu);
        }
    }
}

#[test]
fn every_zone_of_three_clocks_with_unit_bounds() {
    let mut rng = Rng::new(3);
    let zones = all_zones(3, 1);
    println!("{} zones", zones.len());
    let step = (zones.len() / 12_000).max(1);
    for (at, a) in zones.iter().enumerate() {
        // All go through the closing operations; some twelve thousand through everything.
        both::<i16>(a, "close", |z| z.close(), |z| z.close());
        both::<i16>(a, "down", |z| (z.down(), true).1, |z| (z.down(), true).1);
        let lus = some_lus(&mut rng, 4, 1, 1);
        let widen = |z: &mut Zone<i16>| (extrapolate(z, &lus[1], Extra::LuPlus), true).1;
        both(a, "extra", widen, |z| (z.extrapolate(&lus[1], Extra::LuPlus), true).1);
        if at % step == 0 {
            unary::<i16>(a, 1, &lus);
            binary::<i16>(a, rng.pick(&zones), &lus[1]);
            binary::<i32>(a, rng.pick(&zones), &lus[1]);
        }
        if at % (8 * step) == 0 {
            unary::<i32>(a, 1, &lus);
        }
    }
}

#[test]
fn sampled_zones_of_three_clocks() {
    for seed in 0..600 {
        let mut rng = Rng::new(seed);
        let (a, b) = (common::make::zone(&mut rng, 4, 6, 60), common::make::zone(&mut rng, 4, 6, 60));
        let lus = some_lus(&mut rng, 4, 4, 2);
        println!("seed {seed}");
        unary::<i16>(&a, 2, &lus);
        unary::<i32>(&a, 2, &lus);
        binary::<i16>(&a, &b, &lus[1]);
        binary::<i32>(&a, &b, &lus[2]);
    }
}

#[test]
fn alu_inclusion_by_the_definition() {
    let zones = all_zones(2, 2);
    let (mut yes, mut no) = (0, 0);
    for seed in 0..3000 {
        let mut rng = Rng::new(seed);
        let (a, b) = (rng.pick(&zones).clone(), rng.pick(&zones).clone());
        let lu = common::make::lu(&mut rng, 3, 2);
        let alu = a.to_zone::<i16>().included_in_alu(&b.to_zone(), &lu.to_bounds());
        assert_eq!(alu, included_in_alu(&a, &b, &lu, 5, 4), "seed {seed}: {a:?} in {b:?} with {lu:?}");
        *(if alu { &mut yes } else { &mut no }) += 1;
        // Extra_LU+ is below aLU, as a zone and point by point.
        let mut wide = b.clone();
        wide.extrapolate(&lu, Extra::LuPlus);
        assert!(wide.to_zone::<i16>().included_in_alu(&b.to_zone(), &lu.to_bounds()));
        let point = common::make::point(&mut rng, 3, 5, 4);
        assert!(!wide.contains(&point, 4) || b.simulates(&point, 4, &lu), "seed {seed}: {point:?}");
    }
    assert!(yes > 100 && no > 100, "{yes} included, {no} not");
}
