//! Bit strings against the cells they were made from.

mod common;

use common::{naive, near, stored, zone};
use dwell_base::Rng;
use dwell_packing::{BitsCodec, Slots, ZoneDigits};
use dwell_zones::{Bound, compact};
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

    /// One bound too many in any place.
    #[test]
    fn what_does_not_fit_is_seen(seed: u64, cells in 1..60_usize, k in 0..2500_u32, above: bool) {
        let mut rng = Rng::new(seed);
        let digits = ZoneDigits::new(k);
        let mut a: Vec<i16> = (0..cells).map(|_| digits.cell(rng.below(digits.count().into()) as u32)).collect();
        let beyond = k as i32 + 1 + rng.below(20) as i32;
        a[rng.below(cells as u64) as usize] = i16::weak(if above { beyond } else { -beyond }).expect("small");
        for slots in [Slots::TestBit, Slots::Tight] {
            let codec = BitsCodec::new(digits, slots, cells);
            prop_assert!(!codec.encode(&a, &mut vec![0; codec.limbs()]));
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
        let bytes = stored(&limbs, codec.bytes());
        let mut back = vec![B::default(); cells.len()];
        codec.decode(&bytes, &mut back);
        assert_eq!(back, cells);
        (limbs, bytes)
    });
    assert_eq!(codec.relation(&x.0, &y.1), naive(a, b));
    assert_eq!(codec.relation(&y.0, &x.1), naive(b, a));
    assert_eq!(x == y, a == b);
}
