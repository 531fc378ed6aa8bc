//! Bit strings against the cells they were made from.

mod common;

use common::{naive, near, zone};
use dwell_base::Rng;
use dwell_packing::{BitsCodec, Slots, ZoneDigits};
use dwell_zones::{Bound, Relation, compact};
use proptest::prelude::*;

proptest! {
    #[test]
    fn zones_come_back(seed: u64, dim in 1..14_usize, most in 0..40_i32, k in 0..60_u32) {
        for slots in [Slots::TestBit, Slots::Tight] {
            codec::<i16>(slots, seed, dim, most, k);
            codec::<i32>(slots, seed, dim, most, k);
            codec::<i32>(slots, seed, dim, 1000 * most, 1000 * k);
        }
    }

    /// Cells that need not be a zone, so that single slots differ anywhere.
    #[test]
    fn any_cell_may_differ(seed: u64, cells in 0..150_usize, k in 0..3000_u32, changes in 0..4_u32) {
        let mut rng = Rng::new(seed);
        let digits = ZoneDigits::new(k);
        let random = |rng: &mut Rng| digits.cell::<i16>(rng.below(digits.count().into()) as u32);
        let a: Vec<i16> = (0..cells).map(|_| random(&mut rng)).collect();
        let mut b = a.clone();
        for _ in 0..changes.min(cells as u32) {
            b[rng.below(cells as u64) as usize] = random(&mut rng);
        }
        for slots in [Slots::TestBit, Slots::Tight] {
            compare(&BitsCodec::new(digits, slots, cells), &a, &b);
        }
    }
}

fn codec<B: Bound>(slots: Slots, seed: u64, dim: usize, most: i32, k: u32) {
    let mut rng = Rng::new(seed);
    let codec = BitsCodec::new(ZoneDigits::new(k), slots, compact::compact_len(dim));
    let a = zone::<B>(&mut rng, dim, most);
    let b = near(&mut rng, &a, dim, most);
    let fit = |cells: &[B]| cells.iter().all(|b| b.is_inf() || b.constant().unsigned_abs() <= k);
    if fit(&a) && fit(&b) {
        compare(&codec, &a, &b);
    } else {
        let unfit = if fit(&a) { b } else { a };
        assert!(!codec.encode(&unfit, &mut vec![0; codec.limbs()]));
    }
}

fn compare<B: Bound>(codec: &BitsCodec, a: &[B], b: &[B]) {
    let [x, y] = [a, b].map(|cells| {
        let mut limbs = vec![u64::MAX; codec.limbs()];
        assert!(codec.encode(cells, &mut limbs));
        let mut back = vec![B::default(); cells.len()];
        codec.decode(&limbs, &mut back);
        assert_eq!(back, cells);
        let mut bytes = vec![0; codec.bytes()];
        dwell_packing::limbs::to_bytes(&limbs, &mut bytes);
        limbs
    });
    for (a, b, x, y) in [(a, b, &x, &y), (b, a, &y, &x)] {
        let expected = naive(a, b);
        assert_eq!(codec.relation(x, y), expected);
        assert_eq!(codec.included(x, y), matches!(expected, Relation::Equal | Relation::Subset));
    }
    assert_eq!(x == y, a == b);
}
