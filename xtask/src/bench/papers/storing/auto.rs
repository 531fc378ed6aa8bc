//! `--keep auto`: what it saves, and that it visits little more.

use std::fmt::Write;
use std::path::PathBuf;

use super::measure::{Bench, Search};
use crate::bench::papers::page::{Case, grouped};
use crate::shell::{Outcome, root};

/// The last is that of the default plan.
const ORDERS: [&str; 3] = ["bfs", "tw-bfs", "auto"];

/// Visits for one visit, at most.
const BOUND: f64 = 1.3;

pub(super) fn table(bench: &mut Bench, cases: &[Case], text: &mut String) -> Outcome {
    text.push_str(HEAD);
    let mut all = cases.to_vec();
    all.extend(examples("examples")?);
    all.extend(examples("examples/papers")?.into_iter().filter(|example| {
        // Those that table 2 has already.
        cases.iter().all(|case| case.file != example.file)
    }));
    let mut above = [0_u32; ORDERS.len()];
    let mut worst = [0.0_f64; ORDERS.len()];
    for case in &all {
        let Some(states) = bench.run(case, Search::breadth_first("all"))? else { continue };
        let _ = write!(text, "| {} | {} |", case.name, grouped(states.get("stored")));
        for (at, order) in ORDERS.into_iter().enumerate() {
            let search = Search { order, ..Search::breadth_first("auto") };
            let base = bench.run(case, Search { keep: "all", ..search })?;
            let (Some(base), Some(run)) = (base, bench.run(case, search)?) else {
                text.push_str(" ⊥ | ⊥ |");
                continue;
            };
            let ratio = |name: &str, of: &str| run.get(name) as f64 / base.get(of).max(1) as f64;
            let overhead = ratio("visited", "visited");
            worst[at] = worst[at].max(overhead);
            above[at] += u32::from(overhead > BOUND);
            let mark = if overhead > BOUND { "**" } else { "" };
            let memory = 100.0 * ratio("max_stored", "max_stored");
            let _ = write!(text, " {memory:.1} % | {mark}{overhead:.2}{mark} |");
        }
        text.push('\n');
    }
    text.push('\n');
    for ((order, above), worst) in ORDERS.iter().zip(above).zip(worst) {
        let _ = writeln!(
            text,
            "- {order}: {above} of {} models above {BOUND}, the worst has {worst:.2}.",
            all.len()
        );
    }
    text.push_str(NOTES);
    Ok(())
}

/// The models of a folder.
fn examples(folder: &str) -> Outcome<Vec<Case>> {
    let entries = std::fs::read_dir(root().join(folder)).map_err(|error| error.to_string())?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    let is_model = |path: &PathBuf| {
        path.extension().is_some_and(|ending| ["tck", "xml", "xta"].iter().any(|known| ending == *known))
    };
    let case = |file: PathBuf| {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Case { name, file, constants: &[], printed: &[] }
    };
    Ok(files.into_iter().filter(is_model).map(case).collect())
}

const HEAD: &str = "
## auto

`--keep auto` against `--keep all` in the same order: most states at a time against the most with `all`, and visits. Bold:
more than 1.3 times the visits.

| model | states | bfs: memory | visits | tw-bfs: memory | visits | auto: memory | visits |
|---|---|---|---|---|---|---|---|
";

const NOTES: &str = "
`auto` stores a sample of the states to learn which transitions lead to states that come again, and leaves out the others
([storing](../techniques/storing.md)). What comes back all the same may be a fifth of the visits, then everything is stored.
The last two columns are those of the default plan: the order is the one that `--keep all` takes, and learns from what is
stored. Models of some hundred states are stored almost whole: ways round come to an end before a sample says anything.
";
