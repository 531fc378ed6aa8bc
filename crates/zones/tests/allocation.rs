//! No operation on zones touches the heap.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use dwell_zones::{Bound, Federation, LuBounds, MinimalGraph, Zone, compact, minimal};

struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is handed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Relaxed);
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

fn exercise<B: Bound>(dim: usize) {
    let b = |c: i32| B::weak(c).unwrap();
    let active: Vec<u16> = (0..dim as u16).collect();
    let (some, mut bounds) = (&active[..dim / 2 + 1], LuBounds::<B>::new(dim));
    let (mut zone, mut other, mut back) = (Zone::<B>::new(dim), Zone::new(dim), Zone::new(dim));
    let mut cells = vec![B::default(); compact::compact_len(dim)];
    let mut fewer = vec![B::default(); compact::compact_len(some.len())];
    let mut graph = MinimalGraph::with_capacity(dim);
    let (mut union, mut scratch) = (Federation::new(dim), Federation::new(dim));
    let mut run = || {
        zone.set_zero();
        zone.up();
        assert!(zone.constrain(1, 0, b(9)));
        zone.reset(2, 3);
        zone.shift(1, 2);
        zone.up();
        zone.tighten(2, 0, b(30));
        assert!(zone.close());
        zone.tighten(1, 0, b(25));
        assert!(zone.close_after(1, 0));
        other.set_universe();
        assert!(other.constrain(0, 1, b(-4)));
        other.copy_clock(2, 1);
        other.assign_sum(1, 2, 1);
        other.free(2);
        other.down();
        bounds.clear();
        bounds.raise_lower(1, 5);
        bounds.raise_upper(2, 6);
        compact::pack(&zone, &active, &mut cells);
        compact::unpack(&cells, &active, &mut back);
        assert!(zone == back);
        compact::pack(&zone, some, &mut fewer);
        compact::unpack(&fewer, some, &mut back);
        assert!(zone.included_in(&back) && zone.included_in_alu(&back, &bounds));
        assert!(compact::included_in_alu(&cells, &cells, &active, &bounds));
        assert!(compact::included(&cells, &cells));
        graph.reduce(&zone);
        graph.expand(&mut back);
        assert!(minimal::included(&zone, graph.edges()));
        union.clear();
        union.union_with(&zone);
        union.subtract(&other);
        union.union_with(&other);
        union.includes_in(&zone, &mut scratch);
        back.copy_from(&zone);
        back.hull(&other);
        back.intersect(&other);
        for widen in [Zone::extra_m, Zone::extra_m_plus, Zone::extra_lu, Zone::extra_lu_plus] {
            back.copy_from(&zone);
            widen(&mut back, &bounds);
        }
        back.relation(&zone)
    };
    run(); // federations grow once
    let before = ALLOCATIONS.load(Relaxed);
    run();
    let after = ALLOCATIONS.load(Relaxed);
    assert_eq!(after - before, 0, "allocations with {} bits, dim {dim}", B::BITS);
}

// One test only: the counter sees every thread.
#[test]
fn operations_do_not_allocate() {
    for dim in [3, 12, 17, 41, 70] {
        exercise::<i16>(dim);
        exercise::<i32>(dim);
    }
}
