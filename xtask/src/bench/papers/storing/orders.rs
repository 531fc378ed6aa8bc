//! Section 5.2: breadth first against depth first, and states first that will not be stored.

use std::fmt::Write;

use super::measure::{Bench, Search, cell};
use crate::bench::papers::page::Case;
use crate::shell::Outcome;

/// Depth first may take very long.
const PATIENCE: &str = "15s";

pub(super) fn depth_first(bench: &mut Bench, cases: &[Case], text: &mut String) -> Outcome {
    text.push_str(DEPTH_HEAD);
    let models = [
        "fischer 4",
        "fischer 7",
        "brp",
        "fddi 7",
        "train-gate 4",
        "dacapo",
        "flexray 2",
        "csmacd 6",
        "bo-collision",
        "lip6-bocdp-67e2c3",
        "bo-power-down",
        "philips-audio",
    ];
    for case in named(cases, &models) {
        let [breadth, depth] =
            ["bfs", "dfs"].map(|order| Search { order, patience: PATIENCE, ..Search::breadth_first("all") });
        let all = [bench.run(case, breadth)?, bench.run(case, depth)?];
        let visited = all.each_ref().map(|all| all.as_ref().map(|all| all.get("visited").max(1) as f64));
        let alone = visited[0].zip(visited[1]).map(|(breadth, depth)| depth / breadth);
        let _ = write!(text, "| {} | {} |", case.name, number(alone));
        for keep in ["covering", "distance:10", "successors"] {
            for (search, visited) in [breadth, depth].into_iter().zip(visited) {
                let run = bench.run(case, Search { keep, ..search })?;
                let overhead = run.zip(visited).map(|(run, visited)| run.get("visited") as f64 / visited);
                let _ = write!(text, " {} |", number(overhead));
            }
        }
        text.push('\n');
    }
    text.push_str(DEPTH_NOTES);
    Ok(())
}

fn named<'a>(cases: &'a [Case], names: &[&str]) -> Vec<&'a Case> {
    cases.iter().filter(|case| names.contains(&case.name.as_str())).collect()
}

fn number(ratio: Option<f64>) -> String {
    ratio.map_or("⊥".to_owned(), |ratio| format!("{ratio:.2}"))
}

const DEPTH_HEAD: &str = "
## Breadth first and depth first

Visits against those of `all` in the same order; `all` itself depth first against breadth first in the first column.
⊥: more than 15 s.

| model | all, dfs to bfs | covering, bfs | dfs | distance:10, bfs | dfs | successors, bfs | dfs |
|---|---|---|---|---|---|---|---|
";

const DEPTH_NOTES: &str = "
As the paper says, and for its reason: depth first a state has left the list before the second path of the same length
arrives. `successors`, which leaves out only what has no other way on, suffers least. csmacd with `distance:10` is the
exception, where `all` itself visits 2.5 times as many depth first.
";

pub(super) fn unstored_first(bench: &mut Bench, cases: &[Case], text: &mut String) -> Outcome {
    text.push_str(UNSTORED_HEAD);
    let models = ["fischer 4", "fischer 7", "csmacd 6", "csmacd-full 6", "train-gate 4"];
    for case in named(cases, &models) {
        for keep in ["covering", "distance:10", "combination:3"] {
            let breadth = Search { patience: PATIENCE, ..Search::breadth_first(keep) };
            let unstored = Search { order: "unstored-first", ..breadth };
            let [breadth, unstored] = [bench.relative(case, breadth)?, bench.relative(case, unstored)?];
            let passed = breadth.map_or("⊥".to_owned(), |breadth| format!("{:.1} %", breadth.stored));
            let _ = writeln!(
                text,
                "| {} | {keep} | {passed} | {} | {} |",
                case.name,
                cell(breadth),
                cell(unstored)
            );
        }
    }
    text.push_str(UNSTORED_NOTES);
    text.push_str(RING_HEAD);
    for case in named(cases, &["fddi 7"]) {
        for keep in ["all", "covering", "distance:10", "distance:20", "successors"] {
            let breadth = bench.relative(case, Search::breadth_first(keep))?;
            let waiting = bench.relative(case, Search { order: "tw-bfs", ..Search::breadth_first(keep) })?;
            let _ = writeln!(text, "| {} | {keep} | {} | {} |", case.name, cell(breadth), cell(waiting));
        }
    }
    text.push_str(RING_NOTES);
    Ok(())
}

const UNSTORED_HEAD: &str = "
## States first that will not be stored

`--order unstored-first` takes states that will not be stored before others. Memory and overhead; *passed* is what is
stored in the end, per cent of the states: the rest of the memory waits.

| model | strategy | passed | bfs | unstored-first |
|---|---|---|---|---|
";

const UNSTORED_NOTES: &str = "
The waiting list gets shorter and the overhead grows considerably, as the paper says: each path goes on until it meets a
stored state, and nothing waits for the others.
";

const RING_HEAD: &str = "
### Another order for the token ring

Memory and visits, both against breadth first with `all`.

| model | strategy | bfs | tw-bfs |
|---|---|---|---|
";

const RING_NOTES: &str = "
With an order that meets large zones first ([TW-BFS](../techniques/tw-bfs.md)), `all` visits a fifth. With the paper's 10 %
to 20 % of the states it visits about as many as breadth first does with all of them.
";
