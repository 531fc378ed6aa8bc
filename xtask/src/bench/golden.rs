//! Answers checked against the recorded counts of `crates/families/tests/counts.csv`.

use super::cases::{Case, Counts, Scale};
use dwell_bench::child::Run;

const RECORDED: &str = include_str!("../../../crates/families/tests/counts.csv");

/// Says what is wrong with a run of ours, if anything.
///
/// A smoke run must answer. In a long run a limit or a refusal is shown in the table instead; a wrong
/// count is an error in both.
pub(crate) fn check(case: &Case, scale: Scale, run: &Run) -> Result<(), String> {
    let answer = match &run.answer {
        Ok(answer) => answer,
        Err(_) if scale == Scale::Full => return Ok(()),
        Err(reason) => return Err(reason.clone()),
    };
    if answer.verdict != "satisfied" {
        return Err(format!("the verdict is {}, not satisfied", answer.verdict));
    }
    let (what, ours, recorded) = match case.counts {
        Counts::Stored(algorithm) => {
            ("stored", answer.stored, find(case, scale, algorithm).and_then(|row| row.stored))
        }
        Counts::Visited(algorithm) => {
            ("visited", Some(answer.visited), find(case, scale, algorithm).map(|row| row.visited))
        }
        Counts::Free => return Ok(()),
    };
    match recorded {
        Some(count) if ours != Some(count) => {
            Err(format!("{what} {}, recorded {count}", ours.unwrap_or_default()))
        }
        None if scale == Scale::Smoke => Err("no count is recorded for this case".to_owned()),
        _ => Ok(()),
    }
}

/// One row of the recorded counts.
#[derive(Debug)]
struct Row {
    visited: u64,
    stored: Option<u64>,
}

/// The full exploration of a case's model, breadth-first.
fn find(case: &Case, scale: Scale, algorithm: &str) -> Option<Row> {
    // Rows without labels have no quoted field, so a plain split reads them.
    let start = format!("{},{},{algorithm},bfs,,false,", case.family, case.size(scale));
    let rest = RECORDED.lines().find_map(|line| line.strip_prefix(&start))?;
    let mut fields = rest.split(',');
    Some(Row { visited: fields.next()?.parse().ok()?, stored: fields.next()?.parse().ok() })
}

#[cfg(test)]
mod tests {
    use super::super::cases::selected;
    use super::*;

    #[test]
    fn every_smoke_case_has_its_count() {
        for case in selected(Scale::Smoke, None) {
            let known = match case.counts {
                Counts::Stored(algorithm) => find(&case, Scale::Smoke, algorithm).and_then(|row| row.stored),
                Counts::Visited(algorithm) => find(&case, Scale::Smoke, algorithm).map(|row| row.visited),
                Counts::Free => continue,
            };
            assert!(known.is_some(), "{}", case.name(Scale::Smoke));
        }
    }
}
