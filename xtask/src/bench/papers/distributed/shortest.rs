//! Figure 6: shortest traces.

use std::fmt::Write;

use super::WORKERS;
use super::measure::Bench;
use crate::bench::papers::page::{Case, grouped};
use crate::shell::Outcome;

/// Four states of the bus coupler, the near ones first.
const PROPERTIES: [&str; 4] = [
    "E<> queued == TASKS",
    "E<> Task(0).Failed",
    "E<> Task(0).Failed && Task(1).Failed",
    "E<> Task(0).Failed && Task(1).Failed && Task(2).Failed",
];

/// Runs of each.
const RUNS: usize = 3;

pub(super) fn table(bench: &mut Bench, text: &mut String) -> Outcome {
    text.push_str(HEAD);
    let case = Case::ours("bus-coupler", &[], &[]);
    for property in PROPERTIES {
        let mut alone = None;
        for workers in WORKERS {
            let options = ["-q", property, "--trace", "shortest"];
            let Some(runs) = bench.several(&case.file, workers, &options, RUNS)? else { continue };
            let cost = *alone.get_or_insert(runs.cost());
            let steps = runs.steps().map_or("**not the same**".to_owned(), |steps| steps.to_string());
            let (work, load) = (runs.cost() / cost, if workers == 1 { 1.0 } else { runs.imbalance() });
            let _ = writeln!(
                text,
                "| `{property}` | {workers} | {steps} | {} | {work:.2} | {load:.2} | {:.1} |",
                grouped(runs.visited() as u64),
                workers as f64 / work / load,
            );
        }
    }
    text.push_str(NOTES);
    Ok(())
}

const HEAD: &str = "
## Figure 6: shortest traces

`--trace shortest` on the bus coupler; the length of the trace, visited states, and work and load as above.

| property | workers | length | visited | work | load | allows |
|---|---|---|---|---|---|---|
";

const NOTES: &str = "
All traces of a property have the same length, whoever finds them. As in the paper, properties that are found among few
states gain least.
";
