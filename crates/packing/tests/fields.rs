//! Codes of fields against the fields one by one.

use dwell_base::Rng;
use dwell_packing::{Field, FieldCodec, limbs};
use proptest::prelude::*;

fn values() -> impl Strategy<Value = u64> {
    prop_oneof![
        Just(1_u64),
        Just(2),
        2..9_u64,
        2..300_u64,
        Just(4096),
        1..=1_u64 << 32,
        Just(1 << 32),
        Just((1 << 31) + 1)
    ]
}

/// Fields one after the other, with gaps here and there.
fn layout(values: &[u64], rng: &mut Rng) -> Vec<Field> {
    let (mut word, mut shift) = (0, 0);
    let mut fields = Vec::new();
    for &values in values {
        let bits = u64::BITS - (values - 1).leading_zeros();
        if rng.percent(10) {
            shift += 1;
        }
        if shift + bits > 64 {
            (word, shift) = (word + 1, 0);
        }
        fields.push(Field { word, shift, values });
        shift += bits;
    }
    fields
}

proptest! {
    #[test]
    fn words_come_back(values in prop::collection::vec(values(), 0..60), seed: u64) {
        let mut rng = Rng::new(seed);
        let fields = layout(&values, &mut rng);
        let codec = FieldCodec::new(&fields);
        let words = fields.last().map_or(1, |field| field.word + 1);
        let make = |digit: &mut dyn FnMut(u64) -> u64| {
            let mut made = vec![0; words];
            fields.iter().filter(|f| f.values > 1).for_each(|f| made[f.word] |= digit(f.values) << f.shift);
            made
        };
        let random = make(&mut |values| rng.below(values));
        let (largest, zero) = (make(&mut |values| values - 1), make(&mut |_| 0));
        let one_less = make(&mut |values| values - 2);
        let mut codes = Vec::new();
        for state in [&random, &largest, &zero, &one_less] {
            let mut code = vec![u64::MAX; codec.limbs()];
            codec.pack(state, &mut code);
            // What is beyond the bits of a code is zero: bytes lose nothing.
            let mut bytes = vec![0; codec.bytes()];
            limbs::to_bytes(&code, &mut bytes);
            let mut from = vec![u64::MAX; codec.limbs()];
            limbs::from_bytes(&bytes, &mut from);
            prop_assert_eq!(&from, &code);
            let mut back = vec![u64::MAX; words];
            codec.unpack(&from, &mut back);
            prop_assert_eq!(&back, state);
            codes.push((state, code));
        }
        for (a, x) in &codes {
            for (b, y) in &codes {
                prop_assert_eq!(a == b, x == y);
            }
        }
    }

    /// F-2: the bits of one number for all, and less than one more for each group.
    #[test]
    fn codes_are_short(values in prop::collection::vec(2..400_u64, 1..80), seed: u64) {
        let codec = FieldCodec::new(&layout(&values, &mut Rng::new(seed)));
        let least: f64 = values.iter().map(|&values| (values as f64).log2()).sum();
        // A group has more than 63 bits less those of a digit, the last one aside.
        let groups = least / 54.0 + 1.0;
        let bits = codec.bits() as f64;
        prop_assert!(bits > least - 1e-6 && bits < least + groups, "{} bits for {}", bits, least);
    }
}
