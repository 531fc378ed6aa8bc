//! What a run says it holds is what the system says it holds.
//!
//! One test: no other may allocate beside it.
#![cfg(target_os = "linux")]

use dwell_base::release_free_memory;
use dwell_engine::limits::resident_bytes;
use dwell_engine::{Control, Format, Model, Observer, Options, Question, Stats, Verdict, check};

/// Below this the rest of the process counts too much.
const LEAST: u64 = 16 << 20;
/// Of what is held, in percent, and in bytes: memory that was allocated and not yet
/// touched (the capacity of vectors, the last chunks), pages, the allocator's own.
const TOLERANCE: (u64, u64) = (3, 1 << 20);

/// Compares at every look.
struct Scales {
    base: u64,
    looks: u64,
    largest: u64,
    /// The largest deviations, both ways.
    worst: (i64, i64),
    wrong: Vec<String>,
}

impl Observer for Scales {
    fn progress(&mut self, stats: &Stats, _waiting: usize) {
        let (held, resident) = (stats.held_bytes, resident_bytes().unwrap());
        self.largest = self.largest.max(held);
        if held < LEAST {
            return;
        }
        self.looks += 1;
        let more = resident as i64 - self.base as i64 - held as i64;
        self.worst = (self.worst.0.min(more), self.worst.1.max(more));
        if more.unsigned_abs() > held * TOLERANCE.0 / 100 + TOLERANCE.1 {
            self.wrong.push(format!("{held} held, {resident} resident, {} before", self.base));
        }
    }
}

#[test]
fn held_bytes_are_resident_bytes() {
    for (family, size, options) in [
        ("fischer", 9, &[("store", "copy"), ("cover", "equality")][..]),
        ("fischer", 9, &[("store", "shared"), ("cover", "equality"), ("trace", "some")]),
        ("csmacd", 10, &[("store", "copy"), ("order", "dfs"), ("reduce-clocks", "off"), ("trace", "some")]),
    ] {
        let text = dwell_families::generate(family, size).unwrap();
        let model = Model::read(&text, Format::Tck, &Default::default()).unwrap();
        let mut chosen = Options::default();
        options.iter().for_each(|(name, value)| chosen.set(name, value).unwrap());
        let plan = chosen.plan(&model, &Question::space()).unwrap();
        // What is read of the program itself when it first runs is not held by a run.
        let small = dwell_families::generate(family, 5).unwrap();
        let small = Model::read(&small, Format::Tck, &Default::default()).unwrap();
        let first = chosen.plan(&small, &Question::space()).unwrap();
        check(&small, &Question::space(), &first, Control::default());
        release_free_memory();
        let base = resident_bytes().unwrap();
        let mut scales = Scales { base, looks: 0, largest: 0, worst: (0, 0), wrong: Vec::new() };
        let control = Control { observer: Some(&mut scales), ..Control::default() };
        let report = check(&model, &Question::space(), &plan, control);
        assert_eq!(report.verdict, Verdict::Satisfied);
        let Scales { looks, largest, worst, wrong, .. } = scales;
        println!("{family} {size} {options:?}: {looks} looks, up to {largest} held; {worst:?}");
        assert!(looks >= 5 && largest > 24 << 20, "{looks} looks, up to {largest}");
        assert!(wrong.is_empty(), "{family} {size} {options:?}: {wrong:#?}");
    }
}
