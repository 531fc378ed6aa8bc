//! Laws on random larger zones, against the naive twin and each other.
//!
//! A failing case prints its seed and dimension; both widths run the same case.

#![allow(clippy::needless_range_loop, reason = "indices of a matrix read better than iterators")]

mod common;

use common::{Extra, Naive, entry, make, naive, same, word};
use dwell_base::Rng;
use dwell_zones::{Bound, Federation, LuBounds, MinimalGraph, Relation, Zone, compact, minimal};
use proptest::prelude::*;

/// All that one seed gives for one dimension.
struct Case {
    rng: Rng,
    dim: usize,
    a: Naive,
    b: Naive,
    lu: common::NaiveLu,
}

impl Case {
    fn new(seed: u64, dim: usize) -> Self {
        let mut rng = Rng::new(seed);
        let finite = *rng.pick(&[5, 20, 60]);
        let a = make::zone(&mut rng, dim, 40, finite);
        let mut b = make::zone(&mut rng, dim, 40, finite);
        if rng.percent(30) {
            b.hull(&a); // so that inclusion is not rare
        }
        let lu = make::lu(&mut rng, dim, 30);
        Self { rng, dim, a, b, lu }
    }

    fn clock(&mut self) -> usize {
        self.rng.range(1, self.dim as i32 - 1) as usize
    }
}

/// Every operation once, against the twin.
fn operations<B: Bound>(seed: u64, dim: usize) {
    let mut case = Case::new(seed, dim);
    for step in 0..10 {
        let (mut fast, mut slow) = (case.a.to_zone::<B>(), case.a.clone());
        let (x, y, c) = (case.clock(), case.clock(), case.rng.range(0, 20));
        let (i, j) = (case.rng.range(0, dim as i32 - 1) as usize, x);
        let b = make::bound(&mut case.rng, 30);
        let left = match step {
            0 if i != j => {
                let left = fast.constrain(i, j, word(b));
                assert_eq!(left, slow.constrain(i, j, b), "seed {seed}");
                left
            }
            1 => (fast.down(), slow.down(), true).2,
            2 => (fast.assign_sum(x, y, c), slow.assign_sum(x, y, c.into()), true).2,
            3 => (fast.free(x), slow.free(x), true).2,
            4 => {
                let left = fast.intersect(&case.b.to_zone());
                assert_eq!(left, slow.intersect(&case.b), "seed {seed}");
                left
            }
            5 => (fast.hull(&case.b.to_zone()), slow.hull(&case.b), true).2,
            6 => (fast.reset(x, c), slow.assign_sum(x, 0, c.into()), true).2,
            7 => {
                let bounds = make::single_bounds(&mut case.rng, dim, 30);
                let left = fast.constrain_box(&make::clock_box(dim, &bounds));
                assert_eq!(left, bounds.iter().all(|&(i, j, b)| slow.constrain(i, j, b)), "box, seed {seed}");
                left
            }
            8 => (fast.free_above(x), slow.free_above(x), true).2,
            _ => (fast.up(), slow.up(), true).2,
        };
        if left {
            same(&fast, &slow, (step, seed, dim));
            assert!(fast.is_closed());
        }
    }
    for kind in [Extra::M, Extra::MPlus, Extra::Lu, Extra::LuPlus] {
        let mut slow = case.a.clone();
        slow.extrapolate(&case.lu, kind);
        same(&widened::<B>(&case, kind), &slow, (kind, seed, dim));
    }
}

fn widened<B: Bound>(case: &Case, kind: Extra) -> Zone<B> {
    let (mut zone, bounds) = (case.a.to_zone::<B>(), case.lu.to_bounds());
    match kind {
        Extra::M => zone.extra_m(&bounds),
        Extra::MPlus => zone.extra_m_plus(&bounds),
        Extra::Lu => zone.extra_lu(&bounds),
        Extra::LuPlus => zone.extra_lu_plus(&bounds),
    }
    zone
}

fn laws<B: Bound>(seed: u64, dim: usize) {
    let case = Case::new(seed, dim);
    let (a, b): (Zone<B>, Zone<B>) = (case.a.to_zone(), case.b.to_zone());
    for op in [Zone::up, Zone::down] {
        let mut once = a.clone();
        op(&mut once);
        let mut twice = once.clone();
        op(&mut twice);
        assert_eq!(once, twice);
        assert!(a.included_in(&once));
    }
    let [m, m_plus, lu, lu_plus] =
        [Extra::M, Extra::MPlus, Extra::Lu, Extra::LuPlus].map(|kind| widened::<B>(&case, kind));
    for (small, large) in [(&a, &m), (&m, &m_plus), (&m_plus, &lu_plus), (&m, &lu), (&lu, &lu_plus)] {
        assert!(small.included_in(large), "{small:?} not in {large:?}");
    }
    let expected = match (a.included_in(&b), b.included_in(&a)) {
        (true, true) => Relation::Equal,
        (true, false) => Relation::Subset,
        (false, true) => Relation::Superset,
        (false, false) => Relation::Incomparable,
    };
    assert_eq!(a.relation(&b), expected);
    let bounds: LuBounds<B> = case.lu.to_bounds();
    assert!(!a.included_in(&b) || a.included_in_alu(&b, &bounds));
    assert!(lu_plus.included_in_alu(&a, &bounds));
    alu_by_formula(&case, &a, &b, &bounds);
}

/// The criterion word for word, on entries; also through compact cells.
fn alu_by_formula<B: Bound>(case: &Case, a: &Zone<B>, b: &Zone<B>, bounds: &LuBounds<B>) {
    let (a_slow, b_slow) = (&case.a, &case.b);
    let fails = (0..case.dim).any(|x| {
        (0..case.dim).any(|y| {
            let (Some(u), Some(l)) = (case.lu.upper[x], case.lu.lower[y]) else { return false };
            let zero_x = a_slow.get(0, x);
            x != y
                && !common::less(zero_x, Some((-u, true)))
                && common::less(b_slow.get(y, x), a_slow.get(y, x))
                && common::less(common::sum(b_slow.get(y, x), Some((-l, false))), zero_x)
        })
    });
    assert_eq!(a.included_in_alu(b, bounds), !fails);
    let all: Vec<u16> = (0..case.dim as u16).collect();
    let [cells_a, cells_b] = [a, b].map(|zone| packed(zone, &all));
    assert_eq!(compact::included_in_alu(&cells_a, &cells_b, &all, bounds), !fails);
}

fn packed<B: Bound>(zone: &Zone<B>, active: &[u16]) -> Vec<B> {
    let mut cells = vec![B::default(); compact::compact_len(active.len())];
    compact::pack(zone, active, &mut cells);
    cells
}

fn stores<B: Bound>(seed: u64, dim: usize) {
    let mut case = Case::new(seed, dim);
    let (a, b): (Zone<B>, Zone<B>) = (case.a.to_zone(), case.b.to_zone());
    let active: Vec<u16> = (0..dim as u16).filter(|&i| i == 0 || case.rng.percent(70)).collect();
    let (cells_a, cells_b) = (packed(&a, &active), packed(&b, &active));
    let mut back = Zone::new(dim);
    compact::unpack(&cells_a, &active, &mut back);
    let mut freed = a.clone();
    let mut freed_b = b.clone();
    for x in (1..dim).filter(|&x| !active.contains(&(x as u16))) {
        freed.free(x);
        freed_b.free(x);
    }
    assert_eq!(back, freed);
    assert_eq!(compact::relation(&cells_a, &cells_b), freed.relation(&freed_b));
    assert_eq!(compact::included(&cells_a, &cells_b), freed.included_in(&freed_b));
    let bounds = case.lu.to_bounds();
    // Inactive clocks have no bounds: nothing compares with them any more.
    let mut silent = LuBounds::new(dim);
    for &x in &active[1..] {
        case.lu.lower[x as usize].inspect(|&c| silent.raise_lower(x.into(), c as i32));
        case.lu.upper[x as usize].inspect(|&c| silent.raise_upper(x.into(), c as i32));
    }
    let alu = compact::included_in_alu(&cells_a, &cells_b, &active, &bounds);
    assert_eq!(alu, freed.included_in_alu(&freed_b, &silent));
    let mut graph = MinimalGraph::new();
    graph.reduce(&a);
    graph.expand(&mut back);
    assert_eq!(back, a);
    assert_eq!(minimal::included(&b, graph.edges()), b.included_in(&a));
    assert!(graph.edges().len() <= dim * (dim - 1));
    assert_eq!(entry(a.get(0, 0)), common::ZERO);
}

/// A point that lies in one of the zones more often than not.
fn point_near(case: &mut Case, near: &Naive) -> Vec<i64> {
    let mut point = make::point(&mut case.rng, case.dim, 30, 4);
    // Pull every clock into the bounds its predecessors leave it.
    for x in 1..case.dim {
        let (mut low, mut high) = (0, i64::MAX);
        for y in 0..x {
            if let Some((c, _)) = near.get(x, y) {
                high = high.min(point[y] + 4 * c);
            }
            if let Some((c, _)) = near.get(y, x) {
                low = low.max(point[y] - 4 * c);
            }
        }
        point[x] = point[x].clamp(low.min(high), high);
    }
    point
}

fn federations<B: Bound>(seed: u64, dim: usize) {
    let mut case = Case::new(seed, dim);
    let (a, b) = (case.a.to_zone::<B>(), case.b.to_zone::<B>());
    let third = make::zone(&mut case.rng, dim, 40, 30);
    let c = third.to_zone::<B>();
    let mut union = Federation::new(dim);
    union.union_with(&a);
    union.union_with(&b);
    let mut minus = union.clone();
    minus.subtract(&c);
    let mut common_part = union.clone();
    common_part.intersect(&c);
    assert!(!union.overflowed() && !minus.overflowed() && !common_part.overflowed());
    for zone in minus.zones().iter().chain(common_part.zones()) {
        assert!(zone.is_closed() && !zone.is_empty());
    }
    let pieces: Vec<Naive> = minus.zones().iter().map(naive).collect();
    for piece in &pieces {
        assert!(!piece.clone().intersect(&third), "a piece meets what was taken away");
    }
    let (near_a, near_b) = (case.a.clone(), case.b.clone());
    for round in 0..30 {
        let near = [&near_a, &near_b, &third][round % 3];
        let point = point_near(&mut case, near);
        let within = near_a.contains(&point, 4) || near_b.contains(&point, 4);
        let taken = third.contains(&point, 4);
        assert_eq!(union.contains_scaled(&point, 4), within, "union at {point:?}");
        assert_eq!(minus.contains_scaled(&point, 4), within && !taken, "subtract at {point:?}");
        assert_eq!(common_part.contains_scaled(&point, 4), within && taken, "intersect at {point:?}");
        assert_eq!(a.contains_scaled(&point, 4), near_a.contains(&point, 4));
    }
    // What was split off and what was kept cover the whole again, in any order.
    let mut whole = minus.clone();
    common_part.zones().iter().for_each(|zone| whole.union_with(zone));
    let mut scratch = Federation::new(dim);
    assert!(whole.includes(&a) && whole.includes_in(&b, &mut scratch));
    assert_eq!(minus.includes(&a), !a.clone().intersect(&c));
    let mut gone = union.clone();
    gone.subtract(&a);
    gone.subtract(&b);
    assert!(gone.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn operations_match_the_naive_twin(seed in any::<u64>(), dim in 2usize..=20) {
        operations::<i16>(seed, dim);
        operations::<i32>(seed, dim);
    }

    #[test]
    fn algebraic_laws_hold(seed in any::<u64>(), dim in 2usize..=20) {
        laws::<i16>(seed, dim);
        laws::<i32>(seed, dim);
    }

    #[test]
    fn stores_give_back_what_they_took(seed in any::<u64>(), dim in 2usize..=20) {
        stores::<i16>(seed, dim);
        stores::<i32>(seed, dim);
    }

    #[test]
    fn federations_are_sets(seed in any::<u64>(), dim in 2usize..=8) {
        federations::<i16>(seed, dim);
        federations::<i32>(seed, dim);
    }
}

/// Row lengths beyond the compiled ones, and more clocks than fit a small stack array.
#[test]
fn many_clocks() {
    for (seed, dim) in [(1, 47), (2, 66), (3, 101), (4, 130)] {
        println!("seed {seed}, dim {dim}");
        operations::<i16>(seed, dim);
        laws::<i32>(seed, dim);
        stores::<i16>(seed, dim);
    }
}
