//! `cargo xtask bench papers NAME`: the tables of the papers, with our figures beside theirs, as pages
//! of `docs/papers`.

mod memory;
mod order;
mod page;
mod storing;

use crate::shell::Outcome;

/// Measures for a page and writes it.
pub(crate) fn run(words: &[&str]) -> Outcome {
    match words {
        ["memory"] => memory::run(),
        ["order"] => order::run(),
        ["storing"] => storing::run(false),
        ["storing", "--large"] => storing::run(true),
        _ => Err("the pages are: memory, order, storing".to_owned()),
    }
}
