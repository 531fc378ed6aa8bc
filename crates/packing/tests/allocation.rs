//! Packing, unpacking and comparing do not touch the heap, nor does entering a state.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use dwell_packing::limbs::to_bytes;
use dwell_packing::{
    BitTable, BitsCodec, Field, FieldCodec, MinimalCodec, NumberCodec, SignatureTable, Slots, Start,
    Universal, ZoneDigits, ZoneTable,
};
use dwell_zones::{Bound, Relation, Zone, compact};

struct Counting;

thread_local! {
    /// Of this thread: the one that waits for a test allocates too.
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call is handed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller's promise, passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise, passed on.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static GLOBAL: Counting = Counting;

fn allocations(mut run: impl FnMut()) -> usize {
    run(); // buffers grow once
    let before = ALLOCATIONS.get();
    run();
    ALLOCATIONS.get() - before
}

fn codecs<B: Bound>(dim: usize) {
    let mut zone = Zone::<B>::new(dim);
    zone.set_zero();
    zone.up();
    let active: Vec<u16> = (0..dim as u16).collect();
    let mut cells = vec![B::default(); compact::compact_len(dim)];
    compact::pack(&zone, &active, &mut cells);
    let mut back = cells.clone();
    let digits = ZoneDigits::new(1000);
    let number = NumberCodec::new(digits, cells.len());
    let bits = BitsCodec::new(digits, Slots::Tight, cells.len());
    let mut minimal = MinimalCodec::<B>::new(cells.len());
    let (mut limbs, mut other) = (vec![0; number.radices().limbs()], vec![0; number.radices().limbs()]);
    let (mut string, mut code) = (vec![0; bits.limbs()], Vec::new());
    let (mut small, mut large) = (vec![0; number.radices().bytes()], vec![0; bits.bytes()]);
    cells[0] = B::LT_ZERO;
    assert!(number.encode(&cells, &mut other));
    cells[0] = B::LE_ZERO;
    let made = allocations(|| {
        assert!(number.encode(&cells, &mut limbs) && bits.encode(&cells, &mut string));
        minimal.encode(&cells, &mut code);
        to_bytes(&limbs, &mut small);
        to_bytes(&string, &mut large);
        number.decode(&small, &mut back);
        bits.decode(&large, &mut back);
        minimal.decode(&code, &mut back);
        assert_eq!(number.relation(&other, &small), Relation::Subset);
        assert_eq!(bits.relation(&string, &large), Relation::Equal);
        assert_eq!(minimal.relation(&cells, &code), Relation::Equal);
    });
    assert_eq!(made, 0, "dim {dim}");
}

#[test]
fn nothing_is_allocated() {
    for dim in [2, 6, 12, 40] {
        codecs::<i16>(dim);
        codecs::<i32>(dim);
    }
    let fields = [(0, 0), (0, 3), (0, 6), (1, 0), (1, 32)];
    let fields = FieldCodec::new(&fields.map(|(word, shift)| Field { word, shift, values: 5 }));
    let (mut code, mut words) = ([0; 1], [2 | 4 << 3 | 1 << 6, 3 << 32]);
    let made = allocations(|| {
        fields.pack(&words, &mut code);
        fields.unpack(&code, &mut words);
    });
    assert_eq!((made, words), (0, [2 | 4 << 3 | 1 << 6, 3 << 32]));
    let hash = Universal::<2>::new(1, 4);
    let mut bits = BitTable::new(1 << 10, 2);
    let mut signatures = SignatureTable::new(1 << 10, 47, Start::Independent);
    let mut zones = ZoneTable::new(1 << 10, 47, &[3]);
    let mut next = 0;
    let made = allocations(|| {
        next += 1;
        let hash = hash.hash([next, 2]);
        bits.insert(hash);
        signatures.insert(hash);
        zones.insert(hash, &[1, 2, 3], |_| Relation::Incomparable);
    });
    assert_eq!(made, 0);
}
