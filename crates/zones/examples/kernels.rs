//! Times the zone kernels: `kernels [--reps N] [KERNEL…]`, one JSON object per line.
//!
//! `hash` is a digest of the results, so that no work can be optimised away and two
//! builds can be compared.

use std::hint::black_box;
use std::time::Instant;

use dwell_base::Rng;
use dwell_zones::{Bound, LuBounds, MinimalGraph, Zone, compact};

const KERNELS: [&str; 12] = [
    "copy",
    "closure",
    "constrain",
    "extra_lu_plus",
    "relation",
    "included",
    "alu",
    "pack",
    "unpack",
    "pack_some",
    "unpack_some",
    "minimal",
];
const DIMS: [usize; 5] = [4, 11, 12, 24, 41];
/// Zones per dimension: enough to keep the branch predictor from learning them.
const ZONES: usize = 1024;

fn main() {
    let mut reps = 2000;
    let mut chosen = Vec::new();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--reps" => {
                reps = args.next().and_then(|n| n.parse().ok()).expect("--reps takes a number");
            }
            kernel if KERNELS.contains(&kernel) => chosen.push(kernel.to_owned()),
            other => {
                eprintln!("usage: kernels [--reps N] [KERNEL…], with KERNEL one of {KERNELS:?}, not {other}");
                std::process::exit(2);
            }
        }
    }
    for kernel in KERNELS {
        if chosen.is_empty() || chosen.iter().any(|name| name == kernel) {
            for dim in DIMS {
                time::<i16>(kernel, dim, reps);
                time::<i32>(kernel, dim, reps);
            }
        }
    }
}

/// A zone as an exploration meets it: a few resets and guards, then a delay.
fn zone<B: Bound>(rng: &mut Rng, dim: usize) -> Zone<B> {
    let mut zone = Zone::new(dim);
    zone.set_zero();
    for _ in 0..2 * dim {
        zone.up();
        let x = rng.range(1, dim as i32 - 1) as usize;
        let limit = B::weak(rng.range(5, 60)).expect("small");
        let floor = B::weak(-rng.range(0, 30)).expect("small");
        if zone.allows(x, 0, limit) {
            zone.constrain(x, 0, limit);
        }
        if zone.allows(0, x, floor) {
            zone.constrain(0, x, floor);
        }
        zone.reset(rng.range(1, dim as i32 - 1) as usize, 0);
    }
    zone.up();
    zone
}

fn bounds<B: Bound>(rng: &mut Rng, dim: usize) -> LuBounds<B> {
    let mut bounds = LuBounds::new(dim);
    for x in 1..dim {
        if rng.percent(80) {
            bounds.raise_lower(x, rng.range(0, 40));
        }
        if rng.percent(80) {
            bounds.raise_upper(x, rng.range(0, 40));
        }
    }
    bounds
}

fn time<B: Bound>(kernel: &str, dim: usize, reps: usize) {
    let mut rng = Rng::new(dim as u64);
    let zones: Vec<Zone<B>> = (0..ZONES).map(|_| zone(&mut rng, dim)).collect();
    let bounds: Vec<LuBounds<B>> = (0..ZONES).map(|_| bounds(&mut rng, dim)).collect();
    let active: Vec<u16> = (0..dim as u16).collect();
    let packed: Vec<Vec<B>> = zones
        .iter()
        .map(|zone| {
            let mut cells = vec![B::default(); compact::compact_len(dim)];
            compact::pack(zone, &active, &mut cells);
            cells
        })
        .collect();
    let picks: Vec<usize> = (0..ZONES).map(|_| rng.range(1, dim as i32 - 1) as usize).collect();
    let mut work = Zone::<B>::new(dim);
    let mut cells = vec![B::default(); compact::compact_len(dim)];
    // Every third clock inactive.
    let some: Vec<u16> = active.iter().copied().filter(|x| x % 3 != 2).collect();
    let mut fewer = vec![B::default(); compact::compact_len(some.len())];
    compact::pack(&zones[0], &some, &mut fewer);
    let mut graph = MinimalGraph::with_capacity(dim);
    let mut hash = 0u64;
    let mut mix = |value: u64| hash = (hash ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23);
    let mut op = |at: usize| {
        let next = (at + 1) % ZONES;
        match kernel {
            "copy" => work.copy_from(&zones[at]),
            "closure" => {
                work.copy_from(&zones[at]);
                mix(work.close().into());
            }
            "constrain" => {
                work.copy_from(&zones[at]);
                let b = B::weak(20 - picks[next] as i32 % 7).expect("small");
                mix(work.constrain(picks[at], 0, b).into());
            }
            "extra_lu_plus" => {
                work.copy_from(&zones[at]);
                work.extra_lu_plus(&bounds[at]);
            }
            "relation" => mix(zones[at].relation(&zones[at]) as u64),
            "included" => mix(compact::included(&packed[at], &packed[at]).into()),
            "alu" => mix(compact::included_in_alu(&packed[at], &packed[next], &active, &bounds[at]).into()),
            "pack" => compact::pack(&zones[at], &active, &mut cells),
            "unpack" => compact::unpack(&packed[at], &active, &mut work),
            "pack_some" => compact::pack(&zones[at], &some, &mut fewer),
            "unpack_some" => compact::unpack(&fewer, &some, &mut work),
            _ => {
                graph.reduce(&zones[at]);
                mix(graph.edges().len() as u64);
            }
        }
        black_box((&work, &cells, &fewer));
    };
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let start = Instant::now();
        for rep in 0..reps {
            op(rep % ZONES);
        }
        best = best.min(start.elapsed().as_nanos() as f64 / reps as f64);
    }
    for i in 0..dim {
        for &b in work.row(i) {
            mix(b.constant() as u64);
        }
    }
    cells.iter().for_each(|b| mix(b.constant() as u64));
    println!(r#"{{"kernel":"{kernel}","dim":{dim},"bits":{},"ns":{best:.1},"hash":"{hash:016x}"}}"#, B::BITS);
}
