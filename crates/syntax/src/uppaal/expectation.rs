//! `EXPECT:` in the comments of queries.

use super::tree::{Expectation, Outcome};

/// What a comment says its author expects: `EXPECT: T, 30 s, 5 MB`.
pub(super) fn expectation(comment: &str) -> Option<Expectation> {
    let (_, rest) = comment.split_once("EXPECT:")?;
    let line = rest.lines().next().unwrap_or_default();
    let mut found = Expectation { outcome: None, value: None, resources: Vec::new() };
    for item in line.split(',') {
        let mut words = item.split_whitespace();
        let Some(word) = words.next() else { continue };
        if let Some(outcome) = outcome(word) {
            found.outcome = Some(outcome);
            continue;
        }
        let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let unit = if digits.len() < word.len() { &word[digits.len()..] } else { words.next().unwrap_or("") };
        if digits.parse::<f64>().is_err() {
            // Prose from here on.
            break;
        }
        match unit.to_ascii_uppercase().as_str() {
            "B" | "KB" | "MB" | "GB" | "TB" | "MS" | "S" | "M" | "H" | "D" => {
                found.resources.push(format!("{digits} {unit}"));
            }
            _ => found.value = Some(digits.to_owned()),
        }
    }
    let empty = found.outcome.is_none() && found.value.is_none() && found.resources.is_empty();
    (!empty).then_some(found)
}

fn outcome(word: &str) -> Option<Outcome> {
    Some(match word.to_ascii_uppercase().as_str() {
        "T" | "SAT" | "SATISFIED" | "TRUE" => Outcome::Satisfied,
        "F" | "UNSAT" | "UNSATISFIED" | "FALSE" => Outcome::NotSatisfied,
        "MT" | "MSAT" | "MAYBE_SATISFIED" | "MAYBE_TRUE" => Outcome::MaybeSatisfied,
        "MF" | "MUNSAT" | "MAYBE_UNSATISFIED" | "MAYBE_FALSE" => Outcome::MaybeNotSatisfied,
        "E" | "ERR" | "ERROR" => Outcome::Error,
        _ => return None,
    })
}
