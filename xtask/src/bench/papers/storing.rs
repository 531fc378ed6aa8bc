//! `docs/papers/storing.md`: tables 1 and 2 of G. Behrmann, K. G. Larsen and R. Pelánek, *To store or not to store*,
//! CAV 2003, measured again; what `--keep auto` makes of our models; orders; and bytes.
//!
//! 1. Memory is the largest number of states that are stored or wait, in per cent of those that a breadth-first
//!    search with `--keep all` stores in the end.
//! 2. Overhead is visited states against those of that search.

mod auto;
mod bytes;
mod heuristics;
mod measure;
mod orders;
mod printed;
mod strategies;

use self::measure::Bench;
use super::page::{Case, write};
use crate::shell::Outcome;

/// Measures and writes the page; `large` with models that take longer.
pub(super) fn run(large: bool) -> Outcome {
    let mut bench = Bench::new()?;
    let cases = cases(&bench, large)?;
    let theirs = cases.iter().any(|case| THEIRS.iter().any(|(name, _)| case.name == *name));
    let mut text = format!("{HEAD}{}", if theirs { WITH_THEIRS } else { WITHOUT_THEIRS });
    heuristics::table(&mut bench, &cases, &mut text)?;
    strategies::table_2(&mut bench, &cases, &mut text)?;
    strategies::headline(&mut bench, &cases, &mut text)?;
    auto::table(&mut bench, &cases, &mut text)?;
    orders::depth_first(&mut bench, &cases, &mut text)?;
    orders::unstored_first(&mut bench, &cases, &mut text)?;
    let heavy = heavy(&bench, large)?;
    bytes::table(&mut bench, &heavy, &mut text)?;
    write("storing.md", &text)
}

const HEAD: &str = "\
# Storing: paper 3, tables 1 and 2

G. Behrmann, K. G. Larsen, R. Pelánek: *To store or not to store*, CAV 2003.
Written by `cargo xtask bench papers storing`, with `--large` for fischer 9 and most rows of the last table; whole state
spaces, breadth first where nothing else is said, Extra⁺LU with local bounds, inclusion, no traces.

The paper's models were never published. Ours are families that `dwell generate` writes and those of
[`examples/papers`](models.md), which have their shape, not their states. *Memory* is the largest
number of states that are stored or wait, as a percentage of the states that breadth first stores in the end if it stores
all (so it may be above 100 %); *overhead* is visited states against visited states of that search. ⊥: more than 60 s.
";

const WITH_THEIRS: &str = "\
The models with a hash in their name are other people's, from a collection of published classics.
";

const WITHOUT_THEIRS: &str = "\
Other people's models, which lie in a folder beside the checkout, were not there and were left out.
";

/// Models of others, with their names in the paper.
const THEIRS: [(&str, &[&str]); 2] =
    [("enricomagnago-finv-fddi-0006-8755d7", &["Token Ring"]), ("lip6-bocdp-67e2c3", &["BOCDP"])];

/// In the sequence of table 2; those that are also explored with old zones are called `old`.
fn cases(bench: &Bench, large: bool) -> Outcome<Vec<Case>> {
    let theirs = |at: usize| Case::theirs(THEIRS[at].0, THEIRS[at].1);
    let mut cases = vec![bench.dwell.family("fischer", 4, &["Fischer", "old"])?];
    cases.push(bench.dwell.family("fischer", 7, &["Fischer"])?);
    if large {
        cases.push(bench.dwell.family("fischer", 9, &["Fischer"])?);
    }
    cases.push(Case::ours("brp", &[], &["BRP", "old"]));
    cases.push(bench.dwell.family("fddi", 7, &["Token Ring", "old"])?);
    cases.push(bench.dwell.family("fddi", 10, &["Token Ring"])?);
    cases.extend(theirs(0));
    cases.push(bench.dwell.family("train-gate", 4, &["Train-gate", "old"])?);
    cases.push(bench.dwell.family("train-gate", 5, &["Train-gate"])?);
    cases.push(Case::ours("dacapo", &[], &["Dacapo"]));
    cases.push(bench.dwell.family("flexray", 2, &["Dacapo"])?);
    cases.push(bench.dwell.family("csmacd", 6, &["CSMA", "old"])?);
    cases.push(bench.dwell.family("csmacd-full", 6, &["CSMA"])?);
    cases.push(Case::ours("bo-collision", &[], &["BOCDP"]));
    cases.extend(theirs(1));
    cases.push(Case::ours("bo-power-down", &[], &["BOPDP"]));
    cases.push(Case::ours("bus-coupler", &[], &["Buscoupler"]));
    cases.push(Case::ours("field-bus", &[], &["Buscoupler"]));
    cases.push(Case::ours("philips-audio", &[], &[]));
    cases.push(Case::ours("engine-gear", &[], &[]));
    Ok(cases)
}

/// More than 100 MB.
fn heavy(bench: &Bench, large: bool) -> Outcome<Vec<(Case, &'static [&'static str])>> {
    let mut cases: Vec<(Case, &'static [&'static str])> =
        vec![(bench.dwell.family("train-gate", 6, &[])?, &["covering"])];
    if large {
        cases[0].1 = &["covering", "distance:10", "combination:3", "successors", "auto"];
        cases.push((
            Case::ours("philips-audio", &["TOL=6"], &[]),
            &["covering", "distance:10", "combination:3", "auto"],
        ));
        cases.push((
            Case::ours("bo-collision", &["FIXED=false", "LEN=5"], &[]),
            &["covering", "distance:10", "combination:3", "auto"],
        ));
    }
    Ok(cases)
}
