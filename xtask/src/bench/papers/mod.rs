//! `cargo xtask bench papers NAME`: the tables of the papers, with our figures beside theirs, as pages
//! of `docs/papers`.

mod distributed;
mod memory;
mod order;
mod page;
mod storing;

use crate::shell::Outcome;

/// Measures for a page and writes it.
pub(crate) fn run(words: &[&str]) -> Outcome {
    match words {
        ["distributed"] => distributed::run(false),
        ["distributed", "--large"] => distributed::run(true),
        ["memory"] => memory::run(),
        ["order"] => order::run(),
        ["storing"] => storing::run(false),
        ["storing", "--large"] => storing::run(true),
        _ => Err("the pages are: distributed, memory, order, storing".to_owned()),
    }
}
