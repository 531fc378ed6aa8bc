//! Results as plots.

use crate::mebibytes;
use crate::results::{Results, Row};
use dwell_draw::plot::{Plot, cactus, scatter};

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Wall-clock seconds.
    Time,
    /// The largest resident size.
    Memory,
}

impl Measure {
    fn name(self) -> &'static str {
        match self {
            Self::Time => "seconds",
            Self::Memory => "MiB",
        }
    }

    /// A logarithmic axis has no zero: less than a millisecond is one.
    fn of(self, row: &Row) -> Option<f64> {
        match self {
            Self::Time => row.seconds.map(|seconds| seconds.max(0.001)),
            Self::Memory => row.peak_bytes.map(mebibytes),
        }
    }
}

/// How many models each plan can do with so much time or memory each.
pub fn cactus_of(results: &Results, measure: Measure) -> Plot {
    let plans = results.plans.iter().enumerate();
    let series: Vec<(String, Vec<f64>)> = plans
        .map(|(number, name)| {
            (name.clone(), results.of_plan(number).filter_map(|row| measure.of(row)).collect())
        })
        .collect();
    let what = if measure == Measure::Time { "time" } else { "memory" };
    cactus(&format!("Models answered, by {what}"), &format!("{} for each", measure.name()), &series)
}

/// Two plans, model by model.
///
/// # Errors
///
/// A sentence, where there is no such plan.
pub fn scatter_of(results: &Results, plans: [usize; 2], measure: Measure) -> Result<Plot, String> {
    let count = results.plans.len();
    if let Some(plan) = plans.iter().find(|&&plan| plan >= count) {
        return Err(format!("there is no plan {}: there are {count}", plan + 1));
    }
    let [x, y] = plans;
    let both: Vec<[Option<f64>; 2]> =
        results.of_plan(x).zip(results.of_plan(y)).map(|(a, b)| [measure.of(a), measure.of(b)]).collect();
    let names = [results.plans[x].as_str(), results.plans[y].as_str()];
    let title = if measure == Measure::Time { "Time" } else { "Memory" };
    Ok(scatter(&format!("{title} of two plans"), measure.name(), names, &both))
}
