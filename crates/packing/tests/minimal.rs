//! Codes of minimal graphs against the cells they were made from.

mod common;

use common::{naive, near, zone};
use dwell_base::Rng;
use dwell_packing::MinimalCodec;
use dwell_zones::{Bound, Relation, Zone, compact};
use proptest::prelude::*;

proptest! {
    #[test]
    fn zones_come_back(seed: u64, dim in 1..14_usize, most in 0..40_i32) {
        codec::<i16>(seed, dim, most);
        codec::<i32>(seed, dim, most);
        codec::<i32>(seed, dim, 100_000 * most);
    }
}

fn codec<B: Bound>(seed: u64, dim: usize, most: i32) {
    let mut rng = Rng::new(seed);
    let mut codec = MinimalCodec::<B>::new(compact::compact_len(dim));
    let a = zone::<B>(&mut rng, dim, most);
    let b = near(&mut rng, &a, dim, most);
    let [x, y] = [&a, &b].map(|cells| {
        let (mut code, mut back) = (vec![7; 3], vec![B::default(); cells.len()]);
        codec.encode(cells, &mut code);
        codec.decode(&code, &mut back);
        assert_eq!(&back, cells);
        code
    });
    assert_eq!(x == y, a == b);
    for (cells, code, other) in [(&a, &y, &b), (&b, &x, &a), (&a, &x, &a)] {
        let expected = naive(cells, other);
        assert_eq!(codec.relation(cells, code), expected);
        assert_eq!(codec.included(cells, code), matches!(expected, Relation::Equal | Relation::Subset));
    }
}

#[test]
fn sizes() {
    let code = |zone: &Zone<i16>| {
        let cells = common::cells(zone);
        let mut code = Vec::new();
        MinimalCodec::new(cells.len()).encode(&cells, &mut code);
        code.len()
    };
    // No bounds: an empty list of 6 + 5 bits, or an empty map where that is shorter.
    assert_eq!(code(&Zone::new(6)), 2);
    assert_eq!(code(&Zone::new(1)), 1);
    assert_eq!(code(&Zone::new(2)), 1);
    let mut zone = Zone::new(6);
    zone.set_zero();
    // One cycle of six bounds, of which five are x ≥ 0 or follow from the others.
    assert!(code(&zone) <= 6, "{}", code(&zone));
    zone.up();
    assert!(zone.constrain(1, 0, i16::weak(1000).expect("small")));
    assert!(code(&zone) <= 16, "{}", code(&zone));
}

/// The largest and smallest words of either width.
#[test]
fn extreme_bounds() {
    fn both<B: Bound>() {
        let most = B::MAX_CONSTANT;
        let mut zone = Zone::<B>::new(2);
        assert!(zone.constrain(1, 0, B::weak(most).expect("in range")));
        assert!(zone.constrain(0, 1, B::strict(1 - most).expect("in range")));
        let cells = common::cells(&zone);
        let mut codec = MinimalCodec::<B>::new(2);
        let (mut code, mut back) = (Vec::new(), vec![B::default(); 2]);
        codec.encode(&cells, &mut code);
        codec.decode(&code, &mut back);
        assert_eq!(back, cells);
    }
    both::<i16>();
    both::<i32>();
}
