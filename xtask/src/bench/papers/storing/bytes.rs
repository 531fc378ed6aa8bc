//! Bytes of the process instead of states.

use std::fmt::Write;

use super::measure::{Bench, Search};
use crate::bench::papers::page::{Case, grouped};
use crate::shell::Outcome;

/// Bytes may fall so much less than states do.
const BOUND: f64 = 1.5;

/// Seconds a run may take.
const PATIENCE: &str = "240s";

pub(super) fn table(bench: &mut Bench, cases: &[(Case, &[&str])], text: &mut String) -> Outcome {
    text.push_str(HEAD);
    let empty = bench.dwell.empty_peaks(&["--order", "bfs", "--trace", "none"])?;
    for (case, keeps) in cases {
        let search = Search { patience: PATIENCE, ..Search::breadth_first("all") };
        let Some(all) = bench.run(case, search)? else { continue };
        let beyond = |peak: u64| (peak as f64 - empty.like(case)).max(1.0);
        for keep in *keeps {
            let Some(run) = bench.run(case, Search { keep, ..search })? else {
                let _ = writeln!(text, "| {} | {keep} | ⊥ | | | | | |", case.name);
                continue;
            };
            let ratio = |name: &str| run.get(name) as f64 / all.get(name).max(1) as f64;
            let states = ratio("max_stored");
            let bytes = beyond(run.get("peak_bytes")) / beyond(all.get("peak_bytes"));
            let mark = if bytes / states > BOUND { "**" } else { "" };
            let _ = writeln!(
                text,
                "| {} | {keep} | {} | {} | {states:.3} | {bytes:.3} | {mark}{:.2}{mark} | {:.2} |",
                case.name,
                grouped(all.get("peak_bytes")),
                grouped(run.get("peak_bytes")),
                bytes / states,
                ratio("visited")
            );
        }
    }
    text.push_str(NOTES);
    Ok(())
}

const HEAD: &str = "
## Bytes

Highest resident bytes of the process, with all states and with a strategy; most states at a time against those with `all`;
the same of bytes, less those of an empty model in the same language; the second ratio against the first; visits.

| model | strategy | bytes, all | bytes | states | bytes | ratio | overhead |
|---|---|---|---|---|---|---|---|
";

const NOTES: &str = "
Bold: above 1.5. A state takes 28 to 34 bytes with `all`, so little that what else there is shows: flags, and the waiting
list, as long as with `all`. The ratios of `combination:3` were 1.60 on train-gate 6 and 1.84 on philips-audio TOL=6 before
three things: numbers that were given up are kept in the place that is free; the table of discrete states is made anew, in
its place, where it is full of marks that states left behind; the queue is made of blocks. Zones are not the cause: 656 different ones take
0.2 MB on philips-audio. With `--store shared` location and variable vectors of states that left are not given back;
train-gate and philips-audio have states so short that they are stored whole, so it does not show here.
";
