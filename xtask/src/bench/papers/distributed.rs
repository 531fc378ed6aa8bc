//! `docs/papers/distributed.md`: tables 1 to 5 and figures 4 to 6 of G. Behrmann, T. Hune and F. Vaandrager,
//! *Distributing timed model checking: how the search order matters*, CAV 2000, measured again with threads.
//!
//! 1. States are visited states, medians of several runs: with several workers no two runs are the same.
//! 2. Run times are for as many workers as there are cores to measure with; beyond that CPU time and load are shown,
//!    which do not depend on how many cores there are.

mod locality;
mod measure;
mod printed;
mod shortest;
mod speed;
mod states;

use self::measure::Bench;
use super::page::{Case, write};
use crate::shell::Outcome;

/// How many workers the tables have.
const WORKERS: [usize; 6] = [1, 2, 3, 4, 5, 8];

/// The paper's waiting lists, as `--order`.
const ORDERS: [(&str, &str); 2] = [("bfs", "FIFO"), ("depth", "priority")];

/// Measures and writes the page; `large` with larger models.
pub(super) fn run(large: bool) -> Outcome {
    let mut bench = Bench::new()?;
    let cases = cases(&bench, large)?;
    let mut text = HEAD.to_owned();
    states::tables(&mut bench, &cases, &mut text)?;
    speed::times(&mut bench, &cases, &mut text)?;
    speed::work(&mut bench, &cases, &mut text)?;
    locality::table(&mut bench, &mut text)?;
    shortest::table(&mut bench, &mut text)?;
    write("distributed.md", &text)
}

const HEAD: &str = "\
# Several workers: paper 4, tables 1 to 5, figures 4 to 6

G. Behrmann, T. Hune, F. Vaandrager: *Distributing timed model checking: how the search order matters*, CAV 2000.
Written by `cargo xtask bench papers distributed`, with `--large` for larger models; whole state spaces, Extra⁺LU with
local bounds, inclusion, `--distribution d0` where nothing else is said.

The paper's models were never published: ours are those of [`examples/papers`](models.md), which
have their shape, not their states, and two families. Workers are threads here, nodes of a Sun Enterprise (tables 1 and 3)
and of a Beowulf cluster (2 and 4) there. *FIFO* is `--order bfs`, *priority* `--order depth`. The machine of these
figures has two cores: of more than two workers some stand still for milliseconds while others run on, which disturbs a
search order more than a network does. Counts are medians of three runs.
";

fn cases(bench: &Bench, large: bool) -> Outcome<Vec<Case>> {
    let tasks: &'static [&'static str] = if large { &["TASKS=4"] } else { &[] };
    Ok(vec![
        Case::ours("dacapo", &[], &["DACAPO"]),
        Case::ours("bo-collision", &[], &["CP"]),
        Case::ours("bus-coupler", tasks, &["Buscoupler"]),
        Case::ours("bo-power-down", &[], &["PD"]),
        bench.dwell.family("csmacd-full", if large { 10 } else { 8 }, &[])?,
        bench.dwell.family("fischer", if large { 10 } else { 8 }, &[])?,
    ])
}
