//! `cargo xtask bench papers [NAME]`: the tables of the papers, with our figures beside theirs, as pages of
//! `docs/papers`; without a name all of them, and the index that joins them.

mod distributed;
mod index;
mod memory;
mod order;
mod page;
mod storing;

use crate::shell::{Outcome, root};

/// How a page is measured.
enum Measure {
    /// In one way.
    Plain(fn() -> Outcome),
    /// With models that take minutes, or without them.
    Scaled(fn(bool) -> Outcome),
}

/// The pages, by the names they are asked for.
const PAGES: [(&str, Measure); 5] = [
    ("memory", Measure::Plain(memory::run)),
    ("order", Measure::Plain(order::run)),
    ("storing", Measure::Scaled(storing::run)),
    ("distributed", Measure::Scaled(distributed::run)),
    ("index", Measure::Plain(|| page::write("index.md", &index::text(&root().join("docs/papers"))))),
];

/// Measures for a page and writes it, or for all of them.
pub(crate) fn run(words: &[&str]) -> Outcome {
    let (name, large) = match words {
        [] => (None, false),
        ["--large"] => (None, true),
        [name] => (Some(*name), false),
        [name, "--large"] => (Some(*name), true),
        _ => return Err("one name at most, and --large".to_owned()),
    };
    let chosen: Vec<_> = PAGES.iter().filter(|(page, _)| name.is_none_or(|name| name == *page)).collect();
    match (chosen.as_slice(), name) {
        ([], _) => {
            let names = PAGES.map(|(page, _)| page).join(", ");
            return Err(format!("the pages are: {names}"));
        }
        ([(page, Measure::Plain(_))], Some(_)) if large => {
            return Err(format!("{page} has one size: no --large"));
        }
        _ => {}
    }
    for (page, measure) in chosen {
        eprintln!("== {page}");
        match measure {
            Measure::Plain(measure) => measure()?,
            Measure::Scaled(measure) => measure(large)?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::run;

    #[test]
    fn what_is_asked_wrongly_is_said() {
        for (words, part) in [
            (&["beauty"][..], "memory, order"),
            (&["order", "--large"], "one size"),
            (&["order", "memory"], "one name"),
        ] {
            let message = run(words).expect_err("bad words");
            assert!(message.contains(part), "{message}");
        }
    }
}
