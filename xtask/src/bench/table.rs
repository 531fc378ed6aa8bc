//! What the developer reads: a line per run while it goes, and medians at the end.

use super::cases::{Case, Scale};
use dwell_bench::child::Run;
use dwell_bench::table::aligned;
use dwell_bench::{mebibytes, median};

/// All runs of one case.
pub(crate) struct Row {
    /// Model, size and plan.
    pub(crate) name: String,
    /// Our runs.
    pub(crate) ours: Vec<Run>,
    /// The rival's runs.
    pub(crate) rival: Vec<Run>,
}

impl Row {
    /// A row without runs yet.
    pub(crate) fn new(case: &Case, scale: Scale) -> Self {
        Self { name: case.name(scale), ours: Vec::new(), rival: Vec::new() }
    }
}

/// One run in one line.
pub(crate) fn progress(name: &str, program: &str, run: &Run) -> String {
    let said = match &run.answer {
        Ok(answer) => {
            let stored = answer.stored.map_or("-".to_owned(), |count| count.to_string());
            format!("visited {} stored {stored} transitions {}", answer.visited, answer.transitions)
        }
        Err(reason) => reason.clone(),
    };
    format!("{name} [{program}] {:.2} s, {:.0} MiB: {said}", run.seconds, mebibytes(run.peak_bytes as f64))
}

/// Prints the medians, and the ratios where a rival ran (below 1: we use less).
pub(crate) fn print(rows: &[Row]) {
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
    let mut head = words(&["median of the runs", "s", "MiB"]);
    if rows.iter().any(|row| !row.rival.is_empty()) {
        head.extend(words(&["rival s", "rival MiB", "s ratio", "MiB ratio"]));
    }
    let mut lines = vec![head];
    for row in rows {
        let ours = medians(&row.ours);
        let mut line = vec![row.name.clone()];
        line.extend(cells(ours));
        if !row.rival.is_empty() {
            let rival = medians(&row.rival);
            line.extend(cells(rival));
            if let (Some((our_s, our_mib)), Some((s, mib))) = (ours, rival) {
                line.extend([format!("{:.3}", our_s / s), format!("{:.3}", our_mib / mib)]);
            }
        }
        lines.push(line);
    }
    print!("\n{}", aligned(&lines));
}

/// Median seconds and mebibytes of the runs that ended well; nothing when one did not.
fn medians(runs: &[Run]) -> Option<(f64, f64)> {
    if runs.iter().any(|run| run.answer.is_err()) {
        return None;
    }
    let seconds = median(runs.iter().map(|run| run.seconds).collect())?;
    let memory = median(runs.iter().map(|run| mebibytes(run.peak_bytes as f64)).collect())?;
    Some((seconds, memory))
}

fn cells(medians: Option<(f64, f64)>) -> [String; 2] {
    match medians {
        Some((seconds, memory)) => [format!("{seconds:.3}"), format!("{memory:.1}")],
        None => ["none", "none"].map(str::to_owned),
    }
}
