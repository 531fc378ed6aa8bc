//! What the developer reads: a line per run while it goes, and medians at the end.

use super::cases::{Case, Scale};
use super::child::Run;

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
    format!("{name} [{program}] {:.2} s, {:.0} MiB: {said}", run.seconds, mebibytes(run.peak_bytes))
}

/// Prints the medians, and the ratios where a rival ran (below 1: we use less).
pub(crate) fn print(rows: &[Row]) {
    let rivals = rows.iter().any(|row| !row.rival.is_empty());
    let width = rows.iter().map(|row| row.name.len()).max().unwrap_or(0);
    print!("\n{:width$} {:>9} {:>8}", "median of the runs", "s", "MiB");
    println!("{}", if rivals { "   rival s rival MiB  s ratio MiB ratio" } else { "" });
    for row in rows {
        let ours = Median::of(&row.ours);
        print!("{:width$} {}", row.name, ours.cells());
        if !row.rival.is_empty() {
            let rival = Median::of(&row.rival);
            print!("  {}", rival.cells());
            if let (Some((our_s, our_mib)), Some((s, mib))) = (ours.0, rival.0) {
                print!(" {:>8.3} {:>9.3}", our_s / s, our_mib / mib);
            }
        }
        println!();
    }
}

/// Median seconds and mebibytes of the runs that ended well; nothing when one did not.
struct Median(Option<(f64, f64)>);

impl Median {
    fn of(runs: &[Run]) -> Self {
        if runs.is_empty() || runs.iter().any(|run| run.answer.is_err()) {
            return Self(None);
        }
        let seconds = runs.iter().map(|run| run.seconds).collect();
        let memory = runs.iter().map(|run| mebibytes(run.peak_bytes)).collect();
        Self(Some((median(seconds), median(memory))))
    }

    fn cells(&self) -> String {
        match self.0 {
            Some((seconds, memory)) => format!("{seconds:>9.3} {memory:>8.1}"),
            None => format!("{:>9} {:>8}", "none", "none"),
        }
    }
}

/// The middle value; of an even number the mean of the two in the middle.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { (values[middle - 1] + values[middle]) / 2.0 }
}

fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn the_median_ignores_the_order() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), 2.5);
    }
}
