//! The laws of [`ZoneStore`] and [`KeyStore`], for every implementation.

mod common;

use common::cells;
use dwell_base::Rng;
use dwell_explore::store::{
    BitsCodec, CodedZones, CopiedKeys, CopiedZones, MinimalZones, NumberCodec, PackedKeys, SharedKeys,
    SharedZones, WordKeys, WordZones,
};
use dwell_explore::{KeyStore, ZoneStore};
use dwell_model::layout::Place;
use dwell_zones::{Bound, Relation, Zone, compact};
use std::collections::HashMap;

/// Numbers of cells: none, those of few clocks, of many, and more than fit
/// into a chunk of the store.
const SIZES: [usize; 12] = [0, 2, 6, 12, 20, 30, 90, 380, 930, 9_900, 40_000, 140_000];

/// A zone; where no zone has so many cells, and where making one would take
/// long, words without a meaning.
fn random_cells<B: Bound>(rng: &mut Rng, len: usize, variety: i32) -> Vec<B> {
    let dim = (1 + 4 * len).isqrt().div_ceil(2);
    if compact::compact_len(dim) == len && len <= 380 {
        return cells(rng, dim, variety);
    }
    (0..len).map(|_| B::weak(rng.range(-variety, variety)).expect("a small constant")).collect()
}

/// Saves a zone as the list does.
fn save<B: Bound>(store: &mut impl ZoneStore<B>, cells: &[B]) -> u32 {
    store.prepare(cells);
    store.save(cells)
}

/// Reads a zone, in both ways.
fn read<B: Bound>(store: &impl ZoneStore<B>, key: u32, len: usize) -> Vec<B> {
    let (mut cells, mut scratch) = (vec![B::INF; len], vec![B::INF; len]);
    store.read(key, &mut cells);
    assert_eq!(store.unpacked(key, &mut scratch), cells);
    cells
}

/// A store returns what it was given, through saves and frees in any order.
fn returns_what_it_was_given<B: Bound, Z: ZoneStore<B>>(make: fn() -> Z, most: usize) {
    let rng = &mut Rng::new(1);
    let mut store = make();
    let mut kept: Vec<(u32, Vec<B>)> = Vec::new();
    for round in 0..6_000 {
        if kept.is_empty() || rng.percent(60) {
            // Small sizes more often; few different contents, so that some are equal.
            let sizes = if round % 100 == 0 { SIZES.len() } else { 8 };
            let len = SIZES[rng.below(sizes as u64) as usize].min(most);
            let variety = if rng.percent(50) { 1 } else { 500 };
            let cells = random_cells(rng, len, variety);
            kept.push((save(&mut store, &cells), cells));
        } else {
            let (key, cells) = kept.swap_remove(rng.below(kept.len() as u64) as usize);
            assert_eq!(read(&store, key, cells.len()), cells, "before it is freed");
            store.free(key, cells.len());
        }
        if round % 500 == 0 {
            kept.iter().for_each(|(key, cells)| assert_eq!(read(&store, *key, cells.len()), *cells));
        }
    }
    for (key, cells) in kept {
        assert_eq!(read(&store, key, cells.len()), cells);
        store.free(key, cells.len());
    }
}

/// More zones of one size than fit into a chunk.
fn keeps_many_of_one_size<B: Bound, Z: ZoneStore<B>>(make: fn() -> Z, most: usize) {
    let mut store = make();
    for (len, count) in [(2, 150_000), (30, 10_000), (9_900, 50), (140_000, 3)] {
        if len > most {
            continue;
        }
        let cells = |i: usize| {
            let mut cells = vec![B::LE_ZERO; len];
            let dim = (1 + 4 * len).isqrt().div_ceil(2);
            if compact::compact_len(dim) == len {
                let mut zone = Zone::<B>::new(dim);
                zone.set_zero();
                zone.reset(1, (i % 4_000) as i32);
                zone.up();
                assert!(zone.constrain(1, 0, B::weak(4_000 + (i / 4_000) as i32).expect("small")));
                compact::pack(&zone, &common::all(dim), &mut cells);
            } else {
                cells[0] = B::weak((i % 4_000) as i32).expect("small");
                cells[len - 1] = B::weak((i / 4_000) as i32).expect("small");
            }
            cells
        };
        let keys: Vec<u32> = (0..count).map(|i| save(&mut store, &cells(i))).collect();
        for (i, &key) in keys.iter().enumerate() {
            assert_eq!(read(&store, key, len), cells(i), "zone {i} of {len} cells");
        }
    }
}

/// Freed room is used again: the store stays as large as at its peak.
fn uses_freed_room_again<B: Bound, Z: ZoneStore<B>>(make: fn() -> Z, most: usize) {
    let rng = &mut Rng::new(2);
    let mut store = make();
    let mut peak = None;
    for round in 0..12 {
        let zones: Vec<Vec<B>> =
            (0..2_000).map(|_| random_cells(rng, SIZES[1 + round % 3].min(most), 1_000)).collect();
        let keys: Vec<u32> = zones.iter().map(|cells| save(&mut store, cells)).collect();
        for (key, cells) in keys.iter().zip(&zones) {
            assert_eq!(read(&store, *key, cells.len()), *cells);
        }
        keys.iter().zip(&zones).for_each(|(&key, cells)| store.free(key, cells.len()));
        // The first three rounds fill each size once.
        if round == 2 {
            peak = Some(store.bytes());
        }
        // Random numbers repeat a little, so that hash tables may still grow by a step.
        assert!(peak.is_none_or(|peak| store.bytes() <= peak * 3 / 2), "round {round}: {}", store.bytes());
    }
}

/// A zone that was saved n times is there until it was freed n times.
fn counts_equal_zones<B: Bound, Z: ZoneStore<B>>(make: fn() -> Z, most: usize) {
    let rng = &mut Rng::new(3);
    let mut store = make();
    for len in SIZES.into_iter().filter(|&len| len <= most) {
        let cells: Vec<B> = random_cells(rng, len, 900);
        let mut keys: Vec<u32> = (0..10).map(|_| save(&mut store, &cells)).collect();
        let others: Vec<(u32, Vec<B>)> = (0..10)
            .map(|_| {
                let cells = random_cells(rng, len, 900);
                (save(&mut store, &cells), cells)
            })
            .collect();
        while let Some(key) = keys.pop() {
            assert_eq!(read(&store, key, len), cells);
            store.free(key, len);
            // Whatever takes the freed room must not disturb the rest.
            let newcomer: Vec<B> = random_cells(rng, len, 900);
            let new = save(&mut store, &newcomer);
            assert_eq!(read(&store, new, len), newcomer);
            keys.iter().for_each(|&key| assert_eq!(read(&store, key, len), cells));
        }
        others.iter().for_each(|(key, cells)| assert_eq!(read(&store, *key, len), *cells));
    }
}

/// What a store says of a zone and one that it keeps is what their cells say.
fn compares_like_cells<B: Bound, Z: ZoneStore<B>>(make: fn() -> Z) {
    let rng = &mut Rng::new(6);
    let mut store = make();
    let mut seen = HashMap::<String, u32>::new();
    for round in 0..400 {
        let dim = 1 + rng.below(6) as usize;
        // Constants that all fit, that do not, and both.
        let largest = [2, 8, 40][round % 3];
        let zones: Vec<Vec<B>> = (0..6).map(|_| cells(rng, dim, largest)).collect();
        let keys: Vec<u32> = zones.iter().map(|cells| save(&mut store, cells)).collect();
        for new in &zones {
            store.prepare(new);
            for (old, &key) in zones.iter().zip(&keys) {
                let expected = compact::relation(new, old);
                assert_eq!(store.relation(new, key), expected, "{new:?} and {old:?}");
                assert_eq!(store.is_equal(new, key), expected == Relation::Equal);
                *seen.entry(format!("{expected:?}")).or_default() += 1;
            }
        }
        zones.iter().zip(keys).for_each(|(cells, key)| store.free(key, cells.len()));
    }
    assert!(seen.len() == 4 && seen.values().all(|&times| times > 100), "{seen:?}");
}

macro_rules! zone_store_laws {
    ($($module:ident: $make:expr, up to $most:expr;)*) => {$(
        mod $module {
            use super::*;

            #[test]
            fn it_returns_what_it_was_given() {
                returns_what_it_was_given::<i16, _>(|| $make, $most);
                returns_what_it_was_given::<i32, _>(|| $make, $most);
            }

            #[test]
            fn it_keeps_many_of_one_size() {
                keeps_many_of_one_size::<i16, _>(|| $make, $most);
                keeps_many_of_one_size::<i32, _>(|| $make, $most);
            }

            #[test]
            fn it_uses_freed_room_again() {
                uses_freed_room_again::<i16, _>(|| $make, $most);
                uses_freed_room_again::<i32, _>(|| $make, $most);
            }

            #[test]
            fn it_counts_equal_zones() {
                counts_equal_zones::<i16, _>(|| $make, $most);
                counts_equal_zones::<i32, _>(|| $make, $most);
            }

            #[test]
            fn it_compares_like_cells() {
                compares_like_cells::<i16, _>(|| $make);
                compares_like_cells::<i32, _>(|| $make);
                compares_like_cells::<i16, _>(|| Box::new($make) as Box<dyn ZoneStore<_>>);
            }
        }
    )*};
}

zone_store_laws! {
    copied_zones: CopiedZones::default(), up to usize::MAX;
    shared_zones: SharedZones::default(), up to usize::MAX;
    numbers_that_fit: CodedZones::<_, NumberCodec>::new(5_000), up to 90;
    numbers_that_seldom_fit: CodedZones::<_, NumberCodec>::new(4), up to 90;
    bits_that_fit: CodedZones::<_, BitsCodec>::new(5_000), up to 9_900;
    bits_that_seldom_fit: CodedZones::<_, BitsCodec>::new(4), up to 9_900;
    minimal_zones: MinimalZones::copied(), up to 380;
    shared_minimal_zones: MinimalZones::shared(), up to 380;
    words: WordZones::new(20), up to 380;
}

#[test]
fn shared_zones_are_held_once() {
    let mut store = SharedZones::<i32>::default();
    let cells = random_cells::<i32>(&mut Rng::new(4), 9_900, 100);
    let first = save(&mut store, &cells);
    let bytes = store.bytes();
    for _ in 0..1_000 {
        assert_eq!(save(&mut store, &cells), first);
    }
    assert_eq!(store.bytes(), bytes);
    for _ in 0..1_000 {
        store.free(first, cells.len());
    }
    assert_eq!(read(&store, first, cells.len()), cells, "one reference is left");
    store.free(first, cells.len());
    // Nobody refers to it: another zone takes the room.
    let other = random_cells::<i32>(&mut Rng::new(5), 9_900, 100);
    assert_eq!(save(&mut store, &other), first);
    // The list of free blocks has come to be, no second block has.
    assert!(store.bytes() < bytes + 100);
}

/// Keys are numbered in the order they first come, found again, and loaded as
/// they were saved.
fn numbers_keys(mut store: impl KeyStore, words: usize, count: usize) {
    let rng = &mut Rng::new(words as u64);
    // Few values per word, so that parts of keys repeat, and one word that tells keys apart.
    let mut known: HashMap<Vec<u64>, u32> = HashMap::new();
    let mut order: Vec<Vec<u64>> = Vec::new();
    assert!(store.is_empty());
    while order.len() < count {
        let mut key: Vec<u64> = (0..words).map(|_| rng.below(3) << rng.below(60)).collect();
        let at = rng.below(words as u64) as usize;
        key[at] = key[at].wrapping_add(rng.below(count as u64));
        let expected = known.get(&key).copied();
        let (entry, is_new) = store.save(&key);
        assert_eq!(is_new, expected.is_none());
        assert_eq!(entry, expected.unwrap_or(order.len() as u32));
        if is_new {
            known.insert(key.clone(), entry);
            order.push(key);
        }
        assert_eq!(store.len(), order.len());
    }
    let mut loaded = vec![u64::MAX; words];
    for (entry, key) in order.iter().enumerate() {
        store.load(entry as u32, &mut loaded);
        assert_eq!(loaded, *key, "entry {entry}");
        assert_eq!(store.save(key), (entry as u32, false));
    }
    assert!(store.bytes() as usize >= if words == 1 { count * 8 } else { 0 });
}

/// Chunks hold 16,384 words: keys of three words lie across their ends.
macro_rules! key_store_laws {
    ($($module:ident: |$words:ident| $make:expr, from $least:literal;)*) => {$(
        mod $module {
            use super::*;

            #[test]
            fn it_numbers_keys_in_order_and_finds_them_again() {
                for ($words, count) in
                    [(1, 40_000), (2, 20_000), (3, 40_000), (7, 5_000), (8, 5_000), (9, 5_000), (33, 2_000), (150, 500)]
                {
                    if $words >= $least {
                        numbers_keys($make, $words, count);
                        // Boxed as the engine has it.
                        numbers_keys(Box::new($make) as Box<dyn KeyStore>, $words, 1_000);
                    }
                }
            }
        }
    )*};
}

key_store_laws! {
    copied_keys: |words| CopiedKeys::new(words), from 1;
    shared_keys_with_one_location_word: |words| SharedKeys::new(1, words), from 2;
    shared_keys_with_one_variable_word: |words| SharedKeys::new(words - 1, words), from 2;
    shared_keys_in_halves: |words| SharedKeys::new(words / 2, words), from 2;
    packed_keys: |words| PackedKeys::new(halves(words)), from 1;
    word_keys: |words| WordKeys::new(halves(words)), from 1;
}

/// Packed states whose parts are half words.
fn halves(words: usize) -> impl Iterator<Item = Place> {
    let half = |i: usize| Place {
        word: i / 2,
        shift: (i % 2 * 32) as u32,
        mask: u64::from(u32::MAX),
        values: 1 << 32,
    };
    (0..2 * words).map(half)
}

#[test]
fn released_keys_are_given_again() {
    let stores: [Box<dyn KeyStore>; 4] = [
        Box::new(CopiedKeys::new(2)),
        Box::new(SharedKeys::new(1, 2)),
        Box::new(PackedKeys::new(halves(2))),
        Box::new(WordKeys::new(halves(2))),
    ];
    for mut store in stores {
        for n in 0..1_000 {
            assert_eq!(store.save(&[n, n / 7]), (n as u32, true));
        }
        for n in (0..1_000).step_by(3) {
            store.release(n);
        }
        assert_eq!(store.len(), 666);
        let mut words = [0, 0];
        let mut entries: Vec<u32> = (0..334)
            .map(|n| {
                let (entry, new) = store.save(&[5_000 + n, 1]);
                store.load(entry, &mut words);
                assert_eq!((new, words), (true, [5_000 + n, 1]));
                entry
            })
            .collect();
        entries.sort_unstable();
        assert!(entries.iter().copied().eq((0..1_000).step_by(3)), "room is used again");
        for n in (0..1_000).filter(|n| n % 3 != 0) {
            store.load(n as u32, &mut words);
            assert_eq!(words, [n, n / 7]);
            assert_eq!(store.save(&words), (n as u32, false));
        }
        assert!(store.save(&[0, 0]).1, "released, so that it is new");
    }
}

#[test]
fn shared_keys_hold_each_part_once() {
    let mut store = SharedKeys::new(2, 5);
    for location in 0..50 {
        for var in 0..40 {
            assert_eq!(store.save(&[location, 1, var, 2, 3]), (location as u32 * 40 + var as u32, true));
        }
    }
    assert_eq!(store.unique_parts(), Some((50, 40)));
    assert_eq!(store.len(), 2_000);
}
