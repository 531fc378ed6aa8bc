//! The tables of paper 2: what the unified list finds, what is stored once, what both gain.

use std::fmt::Write;

use super::measure::{Bench, Run};
use super::{COPY, Case, MINIMAL, SHARED, SHARED_MINIMAL, WITHOUT, WORDS, cell, exact, listed, printed};
use crate::shell::Outcome;

/// All of them.
pub(super) fn tables(bench: &mut Bench, cases: &[&Case], text: &mut String) -> Outcome {
    on_waiting(bench, cases, text)?;
    unique(bench, cases, text)?;
    unified(bench, cases, text)
}

fn on_waiting(bench: &mut Bench, cases: &[&Case], text: &mut String) -> Outcome {
    text.push_str(ON_WAITING_HEAD);
    for case in cases {
        let row = printed::of(&printed::ON_WAITING, case.printed);
        let runs = exact(bench, case)?;
        let Some(run) = &runs[WORDS] else { continue };
        let share = |part: &str, all: &str| {
            let all = run.get(all);
            (all > 0.0).then(|| run.get(part) / all * 100.0)
        };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} |",
            case.name,
            cell(row.map(|row| row.1[0]), 0),
            cell(share("replaced_waiting", "replaced"), 0),
            cell(row.map(|row| row.1[1]), 0),
            cell(share("covered_by_waiting", "covered"), 0),
        );
    }
    text.push_str(ON_WAITING_NOTES);
    Ok(())
}

const ON_WAITING_HEAD: &str = "
## Paper 2, table 1: inclusions found with waiting states

Per cent of all inclusions: the new state is larger (superset), or it is covered (subset).

| model | superset, paper | superset | subset, paper | subset |
|---|---|---|---|---|
";

const ON_WAITING_NOTES: &str = "
The bus coupler is near the paper's figures; cups and DACAPO are not: as the paper says, they depend on the model, and
ours are other models of the same things.
";

fn unique(bench: &mut Bench, cases: &[&Case], text: &mut String) -> Outcome {
    text.push_str(UNIQUE_HEAD);
    let mut most = [0.0_f64; 3];
    for case in cases {
        let runs = exact(bench, case)?;
        let Some(run) = &runs[SHARED] else { continue };
        let row = printed::of(&printed::UNIQUE, case.printed);
        let stored = run.get("stored").max(1.0);
        let parts = bench.dwell.unique_parts(&case.file, case.constants)?;
        let shares =
            ["locations", "variables", "zones"].map(|part| parts[part].as_f64().unwrap_or(0.0) / stored);
        most.iter_mut().zip(shares).for_each(|(most, share)| *most = most.max(share * 100.0));
        let percent = |count: Option<f64>| cell(count.map(|count| count / stored * 100.0), 1);
        let paper = |at: usize| cell(row.map(|row| row.1[at]), 1);
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            case.name,
            paper(0),
            percent(parts["locations"].as_f64()),
            paper(1),
            percent(parts["variables"].as_f64()),
            percent(run.counts.number("discrete_states")),
            paper(2),
            percent(parts["zones"].as_f64()),
            percent(run.counts.number("unique_zones")),
        );
    }
    let [locations, variables, zones] = most;
    let _ = write!(
        text,
        "
Location vectors are at most {locations:.0} per cent of the states, variable vectors {variables:.0}, zones {zones:.0}; what there is little of
depends on the model, as in the paper. The column of discrete parts says how often a pair of vectors is new: it is often
new where both its parts are old.
"
    );
    Ok(())
}

const UNIQUE_HEAD: &str = "
## Paper 2, table 2: unique parts

Per cent of the stored states, counted when all are stored; the paper's Fischer has four processes. *Zones* are over all
clocks, those that are not active being free; the last column has those that `--store shared` keeps, which are over the
active clocks and the same where their cells agree, whichever clocks these stand for.

| model | locations, paper | locations | variables, paper | variables | discrete parts | zones, paper | zones | zones, shared |
|---|---|---|---|---|---|---|---|---|
";

fn unified(bench: &mut Bench, cases: &[&Case], text: &mut String) -> Outcome {
    text.push_str(UNIFIED_HEAD);
    let shown = [WITHOUT, WORDS, COPY, SHARED, MINIMAL, SHARED_MINIMAL];
    let (mut slower, mut saved) = (Vec::new(), 0.0_f64);
    for (case, (name, paper)) in listed(cases, &printed::UNIFIED) {
        let runs = exact(bench, case)?;
        if let (Some(off), Some(on)) = (&runs[WITHOUT], &runs[WORDS])
            && off.time_to(on).is_some_and(|ratio| ratio < paper[0] / paper[2])
        {
            slower.push(case.name.clone());
        }
        if let (Some(shared), Some(minimal)) = (&runs[SHARED], &runs[SHARED_MINIMAL]) {
            saved = saved.max((1.0 - minimal.peak / shared.peak) * 100.0);
        }
        let megabytes = |run: &Option<Run>| match run {
            Some(run) => format!("{:.2} s, {:.1} MB", run.seconds, run.peak / 1e6),
            None => "⊥".to_owned(),
        };
        let ratio = |at: usize| {
            let [time, space] = [paper[at] / paper[2], paper[at + 1] / paper[3]];
            format!("{time:.2}, {}", cell(Some(space), 2))
        };
        let ours = |at: usize| match (&runs[at], &runs[WORDS]) {
            (Some(run), Some(base)) => format!("{}, {:.2}", cell(run.time_to(base), 2), run.peak / base.peak),
            _ => "⊥".to_owned(),
        };
        let _ = writeln!(
            text,
            "| {} | {name} | {} | {} | {} | {} | {} |",
            case.name,
            ratio(0),
            ours(WITHOUT),
            ratio(4),
            ours(SHARED),
            shown.map(|at| megabytes(&runs[at])).join(" | ")
        );
    }
    text.push_str(&unified_notes(&slower, saved));
    Ok(())
}

const UNIFIED_HEAD: &str = "
## Paper 2, table 3: the unified list

No PWList is `words --waiting-inclusion off`, PWList with copies is `words`. First time and space relative to PWList
with copies, the paper's and ours; then our seconds and megabytes, those of the whole process.

| model | paper's | none, paper | none | shared, paper | shared | none | words | copy | shared | minimal | shared-minimal |
|---|---|---|---|---|---|---|---|---|---|---|---|
";

/// What is said about the table, with its figures: who loses time by the list, and what minimal graphs save.
fn unified_notes(slower: &[String], saved: f64) -> String {
    let slower =
        if slower.is_empty() { "every model".to_owned() } else { format!("all but {}", slower.join(", ")) };
    format!(
        "
The unified list gains more time than in the paper on {slower}, since our run without it has no inclusion at all among
waiting states, which the paper's had. Sharing saves more than in the paper because its zones are also smaller. Minimal
graphs inside the shared store save up to {saved:.0} % more, at a cost in time.
"
    )
}
