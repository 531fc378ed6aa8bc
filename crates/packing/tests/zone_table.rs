//! Tables of signatures with zones against a map of lists.

mod common;

use std::collections::HashMap;

use common::{naive, stored, zone};
use dwell_base::Rng;
use dwell_packing::{BitsCodec, Entered, Slots, Universal, ZoneDigits, ZoneTable};
use dwell_zones::Relation;
use proptest::prelude::*;

/// The zones of each discrete state, none inside another.
#[derive(Default)]
struct Exact(HashMap<u64, Vec<Vec<i16>>>);

impl Exact {
    fn insert(&mut self, state: u64, cells: &[i16]) -> bool {
        let zones = self.0.entry(state).or_default();
        if zones.iter().any(|old| matches!(naive(cells, old), Relation::Equal | Relation::Subset)) {
            return false;
        }
        zones.retain(|old| naive(cells, old) != Relation::Superset);
        zones.push(cells.to_vec());
        true
    }

    fn zones(&self) -> usize {
        self.0.values().map(Vec::len).sum()
    }
}

/// Zones of `dim` as bytes, and how one stands to another.
struct Packed(BitsCodec);

impl Packed {
    fn new(dim: usize) -> Self {
        Self(BitsCodec::new(ZoneDigits::new(100), Slots::TestBit, dim * (dim - 1)))
    }

    fn insert(&self, table: &mut ZoneTable, hash: [u64; 2], cells: &[i16]) -> Entered {
        let mut new = vec![0; self.0.limbs()];
        assert!(self.0.encode(cells, &mut new));
        let bytes = stored(&new, self.0.bytes());
        table.insert(hash, &bytes, |old| self.0.relation(&new, old))
    }
}

proptest! {
    /// Discrete states with two and with three clocks, in a table with room for all.
    #[test]
    fn long_signatures_are_exact(seed: u64, states in 1..40_u64, insertions in 0..400_u64) {
        let (mut rng, hash) = (Rng::new(seed), Universal::<2>::new(seed, 1));
        let packed = [Packed::new(3), Packed::new(4)];
        let mut table = ZoneTable::new(1 << 14, 47, &[packed[1].0.bytes(), packed[0].0.bytes()]);
        prop_assert!(table.bytes() <= (1 << 14) + 8);
        let mut exact = Exact::default();
        for _ in 0..insertions {
            let state = rng.below(states);
            let clocks = state as usize % 2;
            let cells = zone::<i16>(&mut rng, 3 + clocks, 8);
            let expected = if exact.insert(state, &cells) { Entered::New } else { Entered::Seen };
            let entered = packed[clocks].insert(&mut table, hash.hash([state]), &cells);
            prop_assert_eq!(entered, expected);
            prop_assert_eq!(table.zones(), exact.zones() as u64);
        }
    }
}

#[test]
fn full_tables_say_so_and_use_removed_slots() {
    let mut table = ZoneTable::new(100, 47, &[2, 4, 0, 4]);
    let slots = table.slots();
    assert_eq!(slots, 7); // 82 bits each
    let unlike = |_: &[u8]| Relation::Incomparable;
    for i in 0..slots {
        assert_eq!(table.insert([i << 61, 7], &[i as u8; 4], unlike), Entered::New);
    }
    assert_eq!(table.insert([5, 7], &[9; 4], unlike), Entered::Full);
    assert_eq!(table.insert([5, 7 << 50], &[9; 4], unlike), Entered::Full);
    assert_eq!(table.fill(), 1.0);
    // One that covers three of them takes the place of one and frees two.
    let entered = table.insert([5, 7], &[9; 4], |old| match old[0] {
        1..=3 => Relation::Superset,
        _ => Relation::Incomparable,
    });
    assert_eq!((entered, table.zones()), (Entered::New, slots - 2));
    assert_eq!(table.insert([6, 7 << 50], &[10; 4], unlike), Entered::New);
    // The same hash with another length is another discrete state.
    assert_eq!(table.insert([6, 7 << 50], &[10; 4], |old| naive(&[10; 4], old)), Entered::Seen);
    assert_eq!(table.insert([6, 7 << 50], &[10; 2], |_| Relation::Equal), Entered::New);
    assert_eq!(table.insert([6, 7 << 50], &[10; 2], |old| naive(&[10; 2], old)), Entered::Seen);
    assert_eq!(table.insert([8, 7 << 52], &[], unlike), Entered::Full);
}

/// States are omitted where signatures and zones agree, no more often than foretold.
#[test]
fn short_signatures_omit_as_predicted() {
    let hash = Universal::<2>::new(3, 1);
    let mut table = ZoneTable::new(1 << 18, 7, &[1]);
    let states = table.slots() * 9 / 10;
    // One zone for all, so that every false match is an omission.
    let covered = |&i: &u64| table.insert(hash.hash([i]), &[1], |_| Relation::Equal) == Entered::Seen;
    let omitted = (0..states).filter(covered).count() as f64;
    let expected = table.expected_omissions();
    assert!((expected - omitted).abs() < 5.0 * omitted.sqrt() + 0.05 * omitted, "{expected} for {omitted}");
}
