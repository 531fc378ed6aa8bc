//! `cargo xtask bench papers NAME`: the tables of the papers, with our figures beside theirs, as pages
//! of `docs/papers`.

mod memory;
mod order;
mod page;

use crate::shell::Outcome;

/// Measures for a page and writes it.
pub(crate) fn run(words: &[&str]) -> Outcome {
    match words {
        ["memory"] => memory::run(),
        ["order"] => order::run(),
        _ => Err("the pages are: memory, order".to_owned()),
    }
}
