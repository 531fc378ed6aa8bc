//! Numbers against digits, and zones as numbers against their cells.

mod common;

use common::{naive, near, stored, zone};
use dwell_base::Rng;
use dwell_packing::{NumberCodec, Radices, ZoneDigits};
use dwell_zones::{Bound, compact};
use proptest::prelude::*;

/// The number by schoolbook arithmetic on bits, the least significant first.
fn slow_number(digits: &[u32], radices: &[u64], limbs: usize) -> Vec<u64> {
    let mut bits = vec![false; 64 * limbs + 128];
    for (&digit, &radix) in digits.iter().zip(radices) {
        let mut carry = u128::from(digit);
        let old = std::mem::replace(&mut bits, vec![false; 64 * limbs + 128]);
        let mut shifted = vec![0_u64; old.len() + 40];
        for (i, _) in old.iter().enumerate().filter(|(_, bit)| **bit) {
            for j in 0..=32 {
                shifted[i + j] += radix >> j & 1;
            }
        }
        for (bit, sum) in bits.iter_mut().zip(shifted) {
            carry += u128::from(sum);
            *bit = carry & 1 == 1;
            carry >>= 1;
        }
    }
    let number = bits.chunks(64).map(|c| c.iter().rev().fold(0, |n, &bit| n << 1 | u64::from(bit)));
    let number: Vec<u64> = number.collect();
    assert!(number[limbs..].iter().all(|&limb| limb == 0), "too few limbs");
    number[..limbs].to_vec()
}

fn radix() -> impl Strategy<Value = u64> {
    prop_oneof![Just(1), Just(2), 1..50_u64, Just(4003), 1..=Radices::MAX, Just(Radices::MAX)]
}

proptest! {
    #[test]
    fn digits_come_back(radices in prop::collection::vec(radix(), 0..60), seed: u64) {
        let packed = Radices::new(&radices);
        let mut rng = Rng::new(seed);
        let random: Vec<u32> = radices.iter().map(|&r| rng.below(r) as u32).collect();
        let largest: Vec<u32> = radices.iter().map(|&r| (r - 1) as u32).collect();
        let zero = vec![0; radices.len()];
        for digits in [&random, &largest, &zero] {
            let mut number = vec![u64::MAX; packed.limbs()];
            packed.pack(digits, &mut number);
            prop_assert_eq!(&number, &slow_number(digits, &radices, packed.limbs()));
            let mut back = vec![u32::MAX; digits.len()];
            packed.unpack(&stored(&number, packed.bytes()), &mut back);
            prop_assert_eq!(&back, digits);
        }
        // N-1, minimal: the largest number needs all bits.
        let mut number = vec![0; packed.limbs()];
        packed.pack(&largest, &mut number);
        if packed.bits() > 0 {
            prop_assert_eq!(number[(packed.bits() - 1) / 64] >> ((packed.bits() - 1) % 64), 1);
        }
    }

    #[test]
    fn relations_are_those_of_digits(all in prop::collection::vec(1..50_u64, 0..90), seed: u64) {
        let radices = Radices::new(&all);
        let mut rng = Rng::new(seed);
        let a: Vec<u32> = all.iter().map(|&r| rng.below(r) as u32).collect();
        let (up, down) = (rng.below(6), rng.below(6));
        for _ in 0..8 {
            let mut b = a.clone();
            for _ in 0..up.max(down) {
                let at = rng.below(all.len().max(1) as u64) as usize;
                if let (Some(digit), Some(&radix)) = (b.get_mut(at), all.get(at)) {
                    if rng.below(up + down + 1) < up {
                        *digit = (*digit + 1).min(radix as u32 - 1);
                    } else {
                        *digit = digit.saturating_sub(1);
                    }
                }
            }
            let (mut x, mut y) = (vec![0; radices.limbs()], vec![0; radices.limbs()]);
            radices.pack(&a, &mut x);
            radices.pack(&b, &mut y);
            prop_assert_eq!(radices.relation(&x, &stored(&y, radices.bytes())), naive(&a, &b));
            prop_assert_eq!(x == y, a == b);
        }
    }

    #[test]
    fn zones_come_back(seed: u64, dim in 1..14_usize, most in 0..40_i32, k in 0..60_u32) {
        codec::<i16>(seed, dim, most, k);
        codec::<i32>(seed, dim, most, k);
        codec::<i32>(seed, dim, 1000 * most, 1000 * k);
    }
}

fn codec<B: Bound>(seed: u64, dim: usize, most: i32, k: u32) {
    let mut rng = Rng::new(seed);
    let codec = NumberCodec::new(ZoneDigits::new(k), compact::compact_len(dim));
    let limbs = codec.radices().limbs();
    let a = zone::<B>(&mut rng, dim, most);
    let b = near(&mut rng, &a, dim, most);
    let mut numbers = [vec![0; limbs], vec![0; limbs]];
    let mut all_fit = true;
    for (cells, number) in [&a, &b].into_iter().zip(&mut numbers) {
        let fits = cells.iter().all(|b| b.is_inf() || b.constant().unsigned_abs() <= k);
        assert_eq!(codec.encode(cells, number), fits);
        if fits {
            let mut back = vec![B::default(); cells.len()];
            codec.decode(&stored(number, codec.radices().bytes()), &mut back);
            assert_eq!(&back, cells);
        }
        all_fit &= fits;
    }
    if all_fit {
        let bytes = numbers.each_ref().map(|number| stored(number, codec.radices().bytes()));
        assert_eq!(codec.relation(&numbers[0], &bytes[1]), naive(&a, &b));
        assert_eq!(codec.relation(&numbers[1], &bytes[0]), naive(&b, &a));
    }
}

#[test]
fn sizes_at_the_borders() {
    let size = |radices: &[u64]| {
        let packed = Radices::new(radices);
        (packed.bits(), packed.limbs(), packed.bytes())
    };
    assert_eq!(size(&[]), (0, 0, 0));
    assert_eq!(size(&[1, 1]), (0, 0, 0));
    assert_eq!(size(&[2; 64]), (64, 1, 8));
    assert_eq!(size(&[2; 65]), (65, 2, 9));
    assert_eq!(size(&[1 << 32, 1 << 32]), (64, 1, 8));
    // 2^63 + 2^32 numbers.
    assert_eq!(size(&[1 << 32, (1 << 31) + 1]), (64, 1, 8));
    // 30 cells with k = 10: 43^30 needs 162.8 bits; 132 cells with k = 1000: 4003^132.
    assert_eq!(size(&[43; 30]), (163, 3, 21));
    assert_eq!(size(&[4003; 132]), (1580, 25, 198));
}
