//! Tables 5 to 9 of paper 1: passed lists that may miss states.

use std::fmt::Write;

use super::measure::{Bench, Case, Run};
use super::{cell, listed, printed};
use crate::shell::Outcome;

/// Sizes of the table; the paper's are 16, 32 and 64 MB.
const SIZES: [&str; 3] = ["1MiB", "2MiB", "4MiB"];

/// All of them.
pub(super) fn tables(bench: &mut Bench, cases: &[&Case], text: &mut String) -> Outcome {
    supertrace(bench, cases, text)?;
    supertrace_time(bench, cases, text)?;
    seven_bits(bench, cases, text)?;
    signatures(bench, cases, text)
}

/// What is compared, with the store in three sizes.
fn sized(store: &str, rest: &str) -> [String; 3] {
    SIZES.map(|size| format!("{store}:{size},{rest}"))
}

/// Per mille of the exact run's states that were not visited.
fn omitted(exact: &Option<Run>, run: &Option<Run>) -> Option<f64> {
    match (exact, run) {
        (Some(exact), Some(run)) => {
            Some((exact.get("visited") - run.get("visited")) / exact.get("visited") * 1e3)
        }
        _ => Some(f64::INFINITY),
    }
}

fn joined<const N: usize>(cells: [String; N]) -> String {
    cells.join(" | ")
}

const EXACT: &str = "copy --cover equality --waiting-inclusion off";

fn supertrace(bench: &mut Bench, cases: &[&Case], text: &mut String) -> Outcome {
    text.push_str(SUPERTRACE_HEAD);
    for (case, (name, paper)) in listed(cases, &printed::SUPERTRACE) {
        let sizes = sized("bit-state", "1 --waiting-inclusion off");
        let runs = bench.compare(case, &[EXACT, &sizes[0], &sizes[1], &sizes[2]])?;
        let expected = |run: &Option<Run>| {
            let run = run.as_ref();
            cell(run.map(|run| run.get("expected_omissions") / run.get("visited") * 1e3), 2)
        };
        let _ = writeln!(
            text,
            "| {} | {name} | {} | {} | {} |",
            case.name,
            joined(paper.map(|figure| cell(Some(figure), 2))),
            joined([1, 2, 3].map(|at| cell(omitted(&runs[0], &runs[at]), 2))),
            joined([1, 2, 3].map(|at| expected(&runs[at]))),
        );
    }
    text.push_str(SUPERTRACE_NOTES);
    Ok(())
}

const SUPERTRACE_HEAD: &str = "
## Paper 1, table 5: supertrace, states not visited

Per mille of the states of an exact run that compares for equality, waiting inclusion off in both; one hash function.
Our tables are scaled down from 16, 32 and 64 MB as our state spaces are. *Collisions* are those to be expected, per
mille of the visited states.

| model | paper's | 16 MB | 32 MB | 64 MB | 1 MiB | 2 MiB | 4 MiB | collisions, 1 MiB | 2 MiB | 4 MiB |
|---|---|---|---|---|---|---|---|---|---|---|
";

const SUPERTRACE_NOTES: &str = "
More is omitted than in the paper but for Fischer's protocol, where it is about the same: the tables are a sixteenth of
the paper's and fuller. A collision loses what lies behind it: on B&O ours lose 13 to 17 times the expected collisions, the paper's 5 to 22 times. The size matters on Philips too, where the paper blames its hash.
";

fn supertrace_time(bench: &mut Bench, cases: &[&Case], text: &mut String) -> Outcome {
    text.push_str(SUPERTRACE_TIME_HEAD);
    for (case, (name, paper)) in listed(cases, &printed::SUPERTRACE_TIME) {
        let sizes = sized("bit-state", "1");
        let runs =
            bench.compare(case, &["words --cover equality", &sizes[0], &sizes[1], &sizes[2], "words"])?;
        let _ = writeln!(
            text,
            "| {} | {name} | {} | {} |",
            case.name,
            joined([0, 1, 2, 4].map(|at| cell(Some(paper[at] / paper[3]), 2))),
            joined([1, 2, 3, 4].map(|at| relative(&runs, at, 0, Run::time_to))),
        );
    }
    text.push_str(SUPERTRACE_TIME_NOTES);
    Ok(())
}

/// A figure of one run in terms of another.
fn relative(runs: &[Option<Run>], at: usize, base: usize, ratio: fn(&Run, &Run) -> Option<f64>) -> String {
    match (&runs[at], &runs[base]) {
        (Some(run), Some(base)) => cell(ratio(run, base), 2),
        _ => "⊥".to_owned(),
    }
}

const SUPERTRACE_TIME_HEAD: &str = "
## Paper 1, table 6: supertrace, time

Relative to the exact list that compares for equality; waiting inclusion on, as in the paper.

| model | paper's | 16 MB | 32 MB | 64 MB | inclusion, paper | 1 MiB | 2 MiB | 4 MiB | inclusion |
|---|---|---|---|---|---|---|---|---|---|
";

const SUPERTRACE_TIME_NOTES: &str = "
Ours gains far more than the paper's. With waiting inclusion on, `bit-state` drops waiting states by inclusion, while
the exact run with `--cover equality` compares waiting states for equality as well; so it visits many more states, and
compares each with all zones of its discrete state. The faulty Philips model was not run.
";

fn seven_bits(bench: &mut Bench, cases: &[&Case], text: &mut String) -> Outcome {
    text.push_str(SEVEN_BITS_HEAD);
    for (case, (name, paper)) in listed(cases, &printed::SEVEN_BITS) {
        let states = sized("hash-compact", "7 --waiting-inclusion off");
        let zones = sized("hash-compact-zone", "7 --waiting-inclusion off");
        let runs = bench.compare(
            case,
            &[EXACT, &states[0], &states[1], &states[2], super::OFF, &zones[0], &zones[1], &zones[2]],
        )?;
        let expected = runs[3].as_ref().map(|run| run.get("expected_omissions") / run.get("visited") * 1e3);
        let _ = writeln!(
            text,
            "| {} | {name} | {} | {} | {} | {} |",
            case.name,
            joined(paper.map(|figure| cell(Some(figure), 2))),
            joined([1, 2, 3].map(|at| cell(omitted(&runs[0], &runs[at]), 2))),
            joined([5, 6, 7].map(|at| cell(omitted(&runs[4], &runs[at]), 2))),
            cell(expected, 2),
        );
    }
    text.push_str(SEVEN_BITS_NOTES);
    Ok(())
}

const SEVEN_BITS_HEAD: &str = "
## Paper 1, table 7: signatures of 7 bits, states not visited

Per mille. Signatures of whole states (`hash-compact`) are compared with an exact run for equality, signatures with
zones (`hash-compact-zone`) with an exact run that has inclusion; waiting inclusion off. The last column gives the
omissions to be expected of `hash-compact` with 4 MiB, without what they lead to.

| model | paper's | states, 16 MB | 32 MB | 64 MB | zones, 16 MB | 32 MB | 64 MB | states, 1 MiB | 2 MiB | 4 MiB | zones, 1 MiB | 2 MiB | 4 MiB | expected |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
";

const SEVEN_BITS_NOTES: &str = "
Of the same order as the paper's, and falling with the size of the table. As in the paper zones fill small tables: ⊥.
Philips omits more than there, as its run for equality visits 1.8 million states. **Measured omissions
are not within a factor of 3 of the expected ones**: up to nine times, since those do not count what an omitted state
would have led to.
";

fn signatures(bench: &mut Bench, cases: &[&Case], text: &mut String) -> Outcome {
    let mut space = String::from(SIGNATURE_SPACE_HEAD);
    text.push_str(SIGNATURE_TIME_HEAD);
    for (case, (name, paper)) in listed(cases, &printed::SIGNATURE_TIME) {
        if !case.constants.is_empty() && name.starts_with("Field Bus") {
            continue;
        }
        let [states, zones] = ["hash-compact", "hash-compact-zone"].map(|store| sized(store, "47"));
        let runs = bench
            .compare(case, &["words", &states[0], &states[1], &states[2], &zones[0], &zones[1], &zones[2]])?;
        let row = |text: &mut String, paper: [f64; 7], ratio: fn(&Run, &Run) -> Option<f64>| {
            let _ = writeln!(
                text,
                "| {} | {name} | {} | {} |",
                case.name,
                joined([0, 1, 2, 3, 4, 5].map(|at| cell(Some(paper[at] / paper[6]), 2))),
                joined([1, 2, 3, 4, 5, 6].map(|at| relative(&runs, at, 0, ratio))),
            );
        };
        row(text, paper, Run::time_to);
        if let Some((_, paper)) = printed::of(&printed::SIGNATURE_SPACE, case.printed) {
            row(&mut space, paper, |run, base| Some(run.peak / base.peak));
        }
    }
    text.push_str(SIGNATURE_TIME_NOTES);
    text.push_str(&space);
    text.push_str(SIGNATURE_SPACE_NOTES);
    Ok(())
}

const SIGNATURE_TIME_HEAD: &str = "
## Paper 1, table 8: signatures of 47 bits, time

Relative to the exact list with inclusion (`words`), waiting inclusion on.

| model | paper's | states, 16 MB | 32 MB | 64 MB | zones, 16 MB | 32 MB | 64 MB | states, 1 MiB | 2 MiB | 4 MiB | zones, 1 MiB | 2 MiB | 4 MiB |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
";

const SIGNATURE_TIME_NOTES: &str = "
The signatures of states cost more on DACAPO than in the paper, since without inclusion more states are visited; they are
faster than the baseline on B&O and Philips. The field bus does not fit 4 MiB; its faulty versions and the faulty Philips
model were not run.
";

const SIGNATURE_SPACE_HEAD: &str = "
## Paper 1, table 9: signatures of 47 bits, space

The same runs: bytes of the whole process, relative to the exact list.

| model | paper's | states, 16 MB | 32 MB | 64 MB | zones, 16 MB | 32 MB | 64 MB | states, 1 MiB | 2 MiB | 4 MiB | zones, 1 MiB | 2 MiB | 4 MiB |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
";

const SIGNATURE_SPACE_NOTES: &str = "
As in the paper the tables pay for the larger state spaces only; for the small ones they are larger than what they
replace. The whole process counts here, 6 MB of it for any model.
";
