//! Nanoseconds to encode, decode and compare a zone, and the bytes it takes; nanoseconds to
//! enter a state into tables of 16 MiB:
//! `cargo run --release -p dwell-packing --example measure`.

use std::hint::black_box;
use std::time::Instant;

use dwell_base::Rng;
use dwell_packing::{
    BitTable, BitsCodec, MinimalCodec, NumberCodec, SignatureTable, Slots, Start, Universal, ZoneDigits,
    ZoneTable, limbs,
};
use dwell_zones::{Bound, LuBounds, Relation, Zone, compact};

const ZONES: usize = 256;
const ROUNDS: usize = 200;

/// What is measured of one way to keep zones.
trait Codec {
    fn encode(&mut self, at: usize, cells: &[i16]);
    fn decode(&mut self, at: usize, cells: &mut [i16]);
    fn relation(&mut self, new: usize, cells: &[i16], old: usize) -> Relation;
    fn bytes(&self) -> f64;
}

struct Plain(Vec<Vec<i16>>);

impl Codec for Plain {
    fn encode(&mut self, at: usize, cells: &[i16]) {
        self.0[at].copy_from_slice(cells);
    }
    fn decode(&mut self, at: usize, cells: &mut [i16]) {
        cells.copy_from_slice(&self.0[at]);
    }
    fn relation(&mut self, new: usize, _: &[i16], old: usize) -> Relation {
        compact::relation(&self.0[new], &self.0[old])
    }
    fn bytes(&self) -> f64 {
        2.0 * self.0[0].len() as f64
    }
}

struct Number(NumberCodec, Vec<(Vec<u64>, Vec<u8>)>);

impl Codec for Number {
    fn encode(&mut self, at: usize, cells: &[i16]) {
        let (limbs, bytes) = &mut self.1[at];
        assert!(self.0.encode(cells, limbs));
        limbs::to_bytes(limbs, bytes);
    }
    fn decode(&mut self, at: usize, cells: &mut [i16]) {
        self.0.decode(&self.1[at].1, cells);
    }
    fn relation(&mut self, new: usize, _: &[i16], old: usize) -> Relation {
        self.0.relation(&self.1[new].0, &self.1[old].1)
    }
    fn bytes(&self) -> f64 {
        self.0.radices().bytes() as f64
    }
}

struct Bits(BitsCodec, Vec<(Vec<u64>, Vec<u8>)>);

impl Codec for Bits {
    fn encode(&mut self, at: usize, cells: &[i16]) {
        let (limbs, bytes) = &mut self.1[at];
        assert!(self.0.encode(cells, limbs));
        limbs::to_bytes(limbs, bytes);
    }
    fn decode(&mut self, at: usize, cells: &mut [i16]) {
        self.0.decode(&self.1[at].1, cells);
    }
    fn relation(&mut self, new: usize, _: &[i16], old: usize) -> Relation {
        self.0.relation(&self.1[new].0, &self.1[old].1)
    }
    fn bytes(&self) -> f64 {
        self.0.bytes() as f64
    }
}

struct Minimal(MinimalCodec<i16>, Vec<Vec<u8>>);

impl Codec for Minimal {
    fn encode(&mut self, at: usize, cells: &[i16]) {
        self.0.encode(cells, &mut self.1[at]);
    }
    fn decode(&mut self, at: usize, cells: &mut [i16]) {
        self.0.decode(&self.1[at], cells);
    }
    fn relation(&mut self, _: usize, cells: &[i16], old: usize) -> Relation {
        self.0.relation(cells, &self.1[old])
    }
    fn bytes(&self) -> f64 {
        self.1.iter().map(Vec::len).sum::<usize>() as f64 / self.1.len() as f64
    }
}

/// A zone as a run meets it, clocks reset one after the other, and a part of it.
fn pair(rng: &mut Rng, dim: usize, k: i32) -> [Vec<i16>; 2] {
    let clock = |rng: &mut Rng| rng.range(1, dim as i32 - 1) as usize;
    let mut zone = Zone::<i16>::new(dim);
    zone.set_zero();
    for _ in 0..2 * dim {
        zone.up();
        let (x, b) = (clock(rng), i16::weak(rng.range(0, k / 2)).expect("small"));
        if zone.allows(x, 0, b) {
            zone.constrain(x, 0, b);
        }
        zone.reset(clock(rng), 0);
    }
    zone.up();
    let mut bounds = LuBounds::new(dim);
    for x in 1..dim {
        bounds.raise_lower(x, k / 2);
        bounds.raise_upper(x, k / 2);
    }
    zone.extra_m(&bounds);
    let active: Vec<u16> = (0..dim as u16).collect();
    let cells = |zone: &Zone<i16>| {
        let mut cells = vec![0; compact::compact_len(dim)];
        compact::pack(zone, &active, &mut cells);
        cells
    };
    let whole = cells(&zone);
    let (x, b) = (clock(rng), i16::weak(k / 2 - 1).expect("small"));
    if zone.allows(x, 0, b) {
        zone.constrain(x, 0, b);
    }
    [whole, cells(&zone)]
}

fn nanoseconds(mut each: impl FnMut(usize)) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let start = Instant::now();
        for _ in 0..ROUNDS {
            (0..ZONES).for_each(&mut each);
        }
        best = best.min(start.elapsed().as_nanos() as f64 / (ROUNDS * ZONES) as f64);
    }
    best
}

fn measure(name: &str, codec: &mut dyn Codec, zones: &[Vec<i16>]) {
    let encode = nanoseconds(|i| codec.encode(i, black_box(&zones[i])));
    let mut cells = zones[0].clone();
    let decode = nanoseconds(|i| codec.decode(i, black_box(&mut cells)));
    // The other of its pair, one of another pair, itself.
    let near = nanoseconds(|i| {
        black_box(codec.relation(i, &zones[i], i ^ 1));
    });
    let far = nanoseconds(|i| {
        black_box(codec.relation(i, &zones[i], (i + 2) % ZONES));
    });
    let same = nanoseconds(|i| {
        black_box(codec.relation(i, &zones[i], i));
    });
    println!(
        "  {name:14} {:7.1} bytes {encode:8.1} {decode:8.1} {near:8.1} {far:8.1} {same:8.1}",
        codec.bytes()
    );
}

/// Enters new states, for signatures until nine tenths of the slots are used.
fn tables() {
    const BYTES: u64 = 1 << 24;
    let hash = Universal::<2>::new(1, 8);
    let print = |name: &str, states: u64, mut enter: Box<dyn FnMut([u64; 2])>| {
        let start = Instant::now();
        for i in 0..states {
            enter(hash.hash([i, 3, 4, 5, 6]));
        }
        println!("  {name:32} {:8.1}", start.elapsed().as_nanos() as f64 / states as f64);
    };
    println!("new states of five words (ns)");
    print("hash alone", 1 << 22, Box::new(|hash| _ = black_box(hash)));
    for functions in [1, 3] {
        let mut table = BitTable::new(BYTES as usize, functions);
        let enter = move |hash| _ = black_box(table.insert(hash));
        print(&format!("bit-state, {functions} bits"), 1 << 24, Box::new(enter));
    }
    for (bits, start) in [(47, Start::Signature), (47, Start::Independent), (30, Start::Independent)] {
        let mut table = SignatureTable::new(BYTES, bits, start);
        let states = table.slots() * 9 / 10;
        let enter = move |hash| _ = black_box(table.insert(hash));
        print(&format!("hash-compact, {bits} bits, {start:?}"), states, Box::new(enter));
    }
    let mut table = ZoneTable::new(BYTES, 47, &[27]);
    let states = table.slots() * 9 / 10;
    let enter = move |hash| _ = black_box(table.insert(hash, &[1; 27], |_| Relation::Incomparable));
    print("hash-compact-zone, 47 bits, 27 bytes", states, Box::new(enter));
}

fn main() {
    println!("                         size   encode   decode  related    other    equal (ns)");
    for (dim, k) in [(3, 200), (6, 10), (6, 1000), (12, 10), (12, 1000)] {
        println!("{dim}x{dim}, k = {k}");
        let mut rng = Rng::new(7);
        let digits = ZoneDigits::new(k);
        let mut zones = Vec::new();
        while zones.len() < ZONES {
            let pair = pair(&mut rng, dim, k as i32);
            if pair.iter().all(|cells| digits.fit(cells)) {
                zones.extend(pair);
            }
        }
        let cells = zones[0].len();
        measure("cells", &mut Plain(zones.clone()), &zones);
        let codec = NumberCodec::new(digits, cells);
        let room = vec![(vec![0; codec.radices().limbs()], vec![0; codec.radices().bytes()]); ZONES];
        measure("packed-number", &mut Number(codec, room), &zones);
        for (name, slots) in [("packed-bits", Slots::TestBit), ("  tight", Slots::Tight)] {
            let codec = BitsCodec::new(digits, slots, cells);
            let room = vec![(vec![0; codec.limbs()], vec![0; codec.bytes()]); ZONES];
            measure(name, &mut Bits(codec, room), &zones);
        }
        measure("minimal", &mut Minimal(MinimalCodec::new(cells), vec![Vec::new(); ZONES]), &zones);
    }
    tables();
}
