//! `docs/papers/memory.md`: the tables of J. Bengtsson, *Reducing memory usage in symbolic state-space
//! exploration for timed systems*, 2001, and of A. David, G. Behrmann, K. G. Larsen and W. Yi, *A tool
//! architecture for the next generation of UPPAAL*, 2003, measured again on our models.
//!
//! 1. Times are compared between runs that took turns on the same machine, never with the papers' seconds.
//! 2. Bytes of a stored state are (peak − peak of a run with one state) / most states stored.
//! 3. The baseline is `--store words`: a 32-bit word for every location, variable and matrix entry.

mod lossy;
mod measure;
mod printed;
mod unified;

use std::fmt::Write;

use self::measure::{Bench, Case, Run};
use self::printed::Row;
use super::page::{grouped, write};
use crate::shell::{Outcome, root};

/// Models of others, in a folder that need not be there.
const CLASSICS: [&str; 5] = [
    "lip6-bocdp-67e2c3",
    "lip6-bocdpfixed-e627df",
    "enricomagnago-finv-critical-region-0004-b7e049",
    "enricomagnago-finv-lynch-protocol-0005-7eeabc",
    "enricomagnago-fltl-csma-0006-5103b2",
];

/// The exact runs: all stores, then `words` without inclusion among waiting states.
const RUNS: [&str; 8] =
    ["words", "copy", "packed-number", "packed-bits", "shared", "minimal", "shared-minimal", OFF];

const OFF: &str = "words --waiting-inclusion off";

/// Where they are in the list.
const WORDS: usize = 0;
const COPY: usize = 1;
const NUMBER: usize = 2;
const BITS: usize = 3;
const SHARED: usize = 4;
const MINIMAL: usize = 5;
const SHARED_MINIMAL: usize = 6;
const WITHOUT: usize = 7;

/// A baseline below this many bytes beyond the empty run says little: what does not depend on the store
/// outweighs it.
const SMALL: f64 = 8e6;

/// Measures and writes the page.
pub(super) fn run() -> Outcome {
    let mut bench = Bench::new()?;
    let (cases, theirs) = cases(&bench)?;
    let mut text = format!("{HEAD}{}\n", empty(&bench));
    text.push_str(if theirs { THEIRS } else { NO_THEIRS });
    let cases: Vec<&Case> = cases.iter().collect();
    equality(&mut bench, &cases, &mut text)?;
    stores(&mut bench, &cases, &mut text)?;
    waiting(&mut bench, &cases, &mut text)?;
    lossy::tables(&mut bench, &cases, &mut text)?;
    unified::tables(&mut bench, &cases, &mut text)?;
    write("memory.md", &text)
}

const HEAD: &str = "\
# Memory: paper 1, tables 1 to 9; paper 2, tables 1 to 3

Paper 1: J. Bengtsson, *Reducing memory usage in symbolic state-space exploration for timed systems*, 2001.
Paper 2: A. David, G. Behrmann, K. G. Larsen, W. Yi, *A tool architecture for the next generation of UPPAAL*, 2003.
Written by `cargo xtask bench papers memory`; whole state spaces, breadth first, no traces.

The papers' models were never published: ours are those of [`examples/papers`](../../examples/papers/README.md), which
have their shape, not their states, and two sizes of Fischer's protocol that are about as hard for us as 5 and 6 were
then. So only figures that are relative stand side by side; the paper's come from the example that is named. The
baseline is `--store words`, one 32-bit word for every location, variable and matrix entry, as in paper 1. Bytes of a
stored state are (peak − peak of an empty run) / most states stored; *held* compares what the stores themselves account
for. A row is *small* where the baseline takes less than 8 MB beyond the empty run: there the fixed costs decide, and no
target is judged. Times are medians of runs that took turns: five below 0.2 s, three below 1.2 s, one above; – where
the baseline takes less than 0.02 s. ⊥: more than 2 GiB, 40 s (10 s for equality), or a full table.
";

const THEIRS: &str = "\
The models with a hash in their name are other people's, from a collection of published classics.
";

const NO_THEIRS: &str = "\
Other people's models, which lie in a folder beside the checkout, were not there and were left out.
";

fn empty(bench: &Bench) -> String {
    format!("The empty run takes {} bytes.", grouped(bench.empty as u64))
}

fn cases(bench: &Bench) -> Outcome<(Vec<Case>, bool)> {
    let mut cases = vec![
        Bench::ours("field-bus", &["FAULT=1"], &["Field Bus (Faulty 1)"]),
        Bench::ours("field-bus", &["FAULT=2"], &["Field Bus (Faulty 2)"]),
        Bench::ours("field-bus", &["FAULT=3"], &["Field Bus (Faulty 3)"]),
        Bench::ours("field-bus", &[], &["Field Bus (Fixed)", "master"]),
        Bench::ours("bo-collision", &[], &["B&O"]),
        Bench::ours("dacapo", &["N=4", "DRIFT=0"], &["DACAPO (big)"]),
        Bench::ours("dacapo", &["N=4", "DRIFT=0", "SPOILED=5", "RESTARTS=4"], &[]),
        Bench::ours("dacapo", &[], &["DACAPO (small)"]),
        bench.family("fischer", 6, &["Fischer 5", "Fischer 4"])?,
        bench.family("fischer", 8, &["Fischer 6"])?,
        Bench::ours("philips-audio", &[], &["Philips (correct)"]),
        Bench::ours("engine-gear", &[], &["engine"]),
        Bench::ours("cups", &[], &["Cups"]),
        Bench::ours("bus-coupler", &[], &["Bus Coupler"]),
        Bench::ours("bus-coupler", &["TASKS=4"], &["BC"]),
        Bench::ours("batch-plant", &[], &["plant"]),
    ];
    let folder = root().join("../shared/models/uppaal");
    let theirs = folder.is_dir();
    for name in CLASSICS.iter().filter(|_| theirs) {
        let file = folder.join(format!("{name}.xml"));
        cases.push(Case { name: (*name).to_owned(), file, constants: &[], printed: &[] });
    }
    Ok((cases, theirs))
}

/// The exact runs of a model; the longest is left out where two versions of the model suffice.
fn exact(bench: &mut Bench, case: &Case) -> Outcome<Vec<Option<Run>>> {
    let long = ["FAULT=2", "FAULT=3"].iter().any(|fault| case.constants.contains(fault));
    bench.compare(case, if long { &RUNS[..WITHOUT] } else { &RUNS })
}

/// Those that a table of a paper has, with its row.
fn listed<'a, const N: usize>(cases: &[&'a Case], table: &[Row<N>]) -> Vec<(&'a Case, Row<N>)> {
    cases.iter().filter_map(|case| Some((*case, printed::of(table, case.printed)?))).collect()
}

/// A figure, ⊥, or – for none.
fn cell(figure: Option<f64>, decimals: usize) -> String {
    match figure {
        Some(figure) if figure.is_finite() => format!("{figure:.decimals$}"),
        Some(_) => "⊥".to_owned(),
        None => "–".to_owned(),
    }
}

/// Bytes beyond the empty run.
fn beyond(bench: &Bench, run: &Run) -> f64 {
    (run.peak - bench.empty).max(0.0)
}

fn per_state(bench: &Bench, run: &Run) -> f64 {
    beyond(bench, run) / run.get("max_stored").max(1.0)
}

/// The cells of a store against the baseline: time, bytes of baseline, copy and store, ratio, held ratio.
fn against(bench: &Bench, [words, copy, store]: [&Option<Run>; 3]) -> (String, Option<f64>, Option<f64>) {
    let bytes = |run: &Option<Run>| match run {
        Some(run) => format!("{:.0}", per_state(bench, run)),
        None => "⊥".to_owned(),
    };
    let (Some(base), Some(run)) = (words, store) else {
        return (format!("⊥ | {} | {} | {} | ⊥ | ⊥", bytes(words), bytes(copy), bytes(store)), None, None);
    };
    let space = per_state(bench, run) / per_state(bench, base);
    let held = run.get("held_bytes") / base.get("held_bytes");
    let time = run.time_to(base);
    let cells = format!(
        "{} | {} | {} | {} | {space:.2} | {held:.2}",
        cell(time, 2),
        bytes(words),
        bytes(copy),
        bytes(store)
    );
    (cells, time, Some(space))
}

/// Whether a bound is kept, for rows that are not small.
fn judged(bench: &Bench, words: &Option<Run>, figure: Option<f64>, bound: f64) -> &'static str {
    match (words, figure) {
        (Some(base), _) if beyond(bench, base) < SMALL => "small",
        (_, Some(figure)) if figure <= bound => "yes",
        (_, Some(_)) => "**no**",
        _ => "",
    }
}

fn equality(bench: &mut Bench, cases: &[&Case], text: &mut String) -> Outcome {
    text.push_str(EQUALITY_HEAD);
    let skipped = ["FAULT=2", "FAULT=3"];
    for (case, (name, [time, space])) in listed(cases, &printed::EQUALITY) {
        if case.constants.iter().any(|constant| skipped.contains(constant)) {
            continue;
        }
        let runs = bench
            .compare(case, &["words", "copy", "packed-number"].map(equal).each_ref().map(String::as_str))?;
        let (cells, _, ratio) = against(bench, [&runs[0], &runs[1], &runs[2]]);
        let reached = judged(bench, &runs[0], ratio, 0.45);
        let _ = writeln!(
            text,
            "| {} | {name} | {} | {} | {cells} | {reached} |",
            case.name,
            cell(Some(time), 2),
            cell(Some(space), 2)
        );
    }
    text.push_str(EQUALITY_NOTES);
    Ok(())
}

fn equal(store: &str) -> String {
    format!("{store} --cover equality")
}

const EQUALITY_HEAD: &str = "
## Paper 1, table 1: one number for a state, equality only

`--store packed-number --cover equality` against `words` with the same cover.

| model | paper's | time, paper | space, paper | time | bytes, words | copy | packed | space | held | ≤ 0.45 |
|---|---|---|---|---|---|---|---|---|---|---|
";

const EQUALITY_NOTES: &str = "
The field bus does not get through without inclusion, here as there (versions 2 and 3 were not tried). Space is smaller
than in the paper: our baseline keeps whole matrices as the paper's did, our numbers leave inactive clocks out.
";

fn stores(bench: &mut Bench, cases: &[&Case], text: &mut String) -> Outcome {
    for (store, head, table, bound, slower, notes) in [
        (NUMBER, NUMBER_HEAD, Some(&printed::NUMBER), 0.45, None, NUMBER_NOTES),
        (BITS, BITS_HEAD, Some(&printed::BITS), 0.60, Some(1.05), BITS_NOTES),
        (SHARED, SHARED_HEAD, None, 0.35, None, SHARED_NOTES),
    ] {
        text.push_str(head);
        let (mut reached, mut all) = (0, 0);
        for case in cases {
            let runs = exact(bench, case)?;
            let (cells, time, ratio) = against(bench, [&runs[WORDS], &runs[COPY], &runs[store]]);
            let space_kept = judged(bench, &runs[0], ratio, bound);
            let mut kept = space_kept.to_owned();
            if let Some(slower) = slower {
                let _ = write!(kept, " | {}", judged(bench, &runs[0], time, slower));
            }
            all += u32::from(space_kept != "small");
            reached += u32::from(space_kept == "yes");
            let row = table.and_then(|table| printed::of(table, case.printed));
            let paper = match (table, row) {
                (None, _) => String::new(),
                (_, None) => " | | |".to_owned(),
                (_, Some((name, [time, space]))) => format!(" {name} | {time:.2} | {space:.2} |"),
            };
            let _ = writeln!(text, "| {} |{paper} {cells} | {kept} |", case.name);
        }
        let _ =
            writeln!(text, "\nSpace at most {bound:.2}: {reached} of the {all} models that are not small.");
        text.push_str(notes);
    }
    Ok(())
}

const NUMBER_HEAD: &str = "
## Paper 1, table 2: one number, inclusion by division

`--store packed-number` against `words`.

| model | paper's | time, paper | space, paper | time | bytes, words | copy | packed | space | held | ≤ 0.45 |
|---|---|---|---|---|---|---|---|---|---|---|
";

const NUMBER_NOTES: &str = "
The paper's slowdown of 2 to 13 times is gone (at most 1.5 here); probably since most discrete states here have only a
few zones to compare with, which was not tested. Space is below the paper's for the reason given above.
";

const BITS_HEAD: &str = "
## Paper 1, table 3: zones as bit strings

`--store packed-bits` against `words`.

| model | paper's | time, paper | space, paper | time | bytes, words | copy | packed | space | held | ≤ 0.60 | time ≤ 1.05 |
|---|---|---|---|---|---|---|---|---|---|---|---|
";

const BITS_NOTES: &str = "
The target of space is reached on every model that is not small. **The target of time is not**: five of those models
take 1.06 to 1.22 of the baseline's time, where the paper has 0.60 to 1.02. All five are runs of about a second or less,
and the machine was not idle; how much of it is noise was not measured.
";

const SHARED_HEAD: &str = "
## Each part once

`--store shared` against `words`; the target is set for the large data models: bus-coupler TASKS=4, batch-plant, cups.

| model | time | bytes, words | copy | shared | space | held | ≤ 0.35 |
|---|---|---|---|---|---|---|---|
";

const SHARED_NOTES: &str = "
Reached on the three large data models. The papers have no such table; compare the columns *shared* of table 3 of
paper 2 below, where sharing alone saves three quarters.
";

fn waiting(bench: &mut Bench, cases: &[&Case], text: &mut String) -> Outcome {
    text.push_str(WAITING_HEAD);
    let sign = |ours: f64, paper: f64| if ours.signum() == paper.signum() { "same" } else { "**other**" };
    for case in cases {
        let runs = exact(bench, case)?;
        let Some(off) = runs.get(WITHOUT) else { continue };
        let (Some(off), Some(on)) = (off, &runs[WORDS]) else {
            let _ = writeln!(text, "| {} | | | | ⊥ | ⊥ | ⊥ | |", case.name);
            continue;
        };
        let gain = |off: f64, on: f64| (off - on) / off.max(1e-9) * 100.0;
        let time = on.time_to(off).map(|ratio| (1.0 - ratio) * 100.0);
        let space = gain(beyond(bench, off), beyond(bench, on));
        let visited = gain(off.get("visited"), on.get("visited"));
        let row = printed::of(&printed::WAITING, case.printed);
        let (name, paper) = row.map_or(("", None), |(name, figures)| (name, Some(figures)));
        let verdict = match (time, paper) {
            (Some(time), Some([paper, _])) => sign(time, paper),
            _ => "",
        };
        let cells = paper.map_or("| ".to_owned(), |[time, space]| format!("{time:.1} | {space:.1}"));
        let _ = writeln!(
            text,
            "| {} | {name} | {cells} | {} | {space:.1} | {visited:.1} | {verdict} |",
            case.name,
            cell(time, 1),
        );
    }
    text.push_str(WAITING_NOTES);
    Ok(())
}

const WAITING_HEAD: &str = "
## Paper 1, table 4: inclusion among waiting states

What `words` gains over `words --waiting-inclusion off`, per cent.

| model | paper's | time, paper | space, paper | time | space | visited | sign of time |
|---|---|---|---|---|---|---|---|
";

const WAITING_NOTES: &str = "
Signs are the paper's but for Fischer's protocol, where the paper lost time and we gain; why was not
looked into. On cups, which the paper did not run here, inclusion costs time (a single run). The batch plant
does not get through without it; versions 2 and 3 of the field bus were left out for their time.
";
