//! `dwell analyse --clocks`: where clocks matter, and the constants they are
//! compared with there before they are next reset.

use dwell_engine::Model;
use dwell_engine::model_ir::analysis::clock_facts;
use serde::Serialize;
use std::fmt::Write;

/// Most lines that are shown; a model has as many as clocks times locations.
const SHOWN: usize = 200;

/// A clock and its bounds.
#[derive(Serialize)]
pub struct ClockBounds {
    clock: String,
    #[serde(flatten)]
    anywhere: Bounds,
    /// Where it is active.
    locations: Vec<LocalBounds>,
}

/// `null`: it is not compared that way.
#[derive(Clone, Copy, Default, Serialize)]
struct Bounds {
    /// The largest constant it is compared with from below: `x > c`, `x >= c`.
    lower: Option<i32>,
    /// From above: `x < c`, `x <= c`.
    upper: Option<i32>,
}

#[derive(Serialize)]
struct LocalBounds {
    process: String,
    location: String,
    #[serde(flatten)]
    bounds: Bounds,
}

/// The bounds of all clocks, in their order.
pub fn bounds(model: &Model) -> Vec<ClockBounds> {
    let network = model.network();
    let facts = clock_facts(network, &[]);
    let clock = |clock: &dwell_engine::model_ir::Clock| ClockBounds {
        clock: clock.name.clone(),
        anywhere: Bounds::default(),
        locations: Vec::new(),
    };
    let mut clocks: Vec<ClockBounds> = network.clocks.iter().map(clock).collect();
    for &(clock, lower, upper) in &facts.global.clocks {
        clocks[clock.index()].anywhere = Bounds { lower, upper };
    }
    for (process, local) in network.processes.iter().zip(&facts.local) {
        for (location, local) in process.locations.iter().zip(local) {
            for &(clock, lower, upper) in &local.clocks {
                clocks[clock.index()].locations.push(LocalBounds {
                    process: process.name.clone(),
                    location: location.name.clone(),
                    bounds: Bounds { lower, upper },
                });
            }
        }
    }
    clocks
}

/// The same for people.
pub fn text(clocks: &[ClockBounds]) -> String {
    if clocks.is_empty() {
        return "there are no clocks\n".to_owned();
    }
    let mut rows = vec![["clock", "where", "lower", "upper"].map(str::to_owned)];
    let row = |clock: &str, place: String, bounds: Bounds| {
        let number = |bound: Option<i32>| bound.map_or_else(|| "-".to_owned(), |bound| bound.to_string());
        [clock.to_owned(), place, number(bounds.lower), number(bounds.upper)]
    };
    for ClockBounds { clock, anywhere, locations } in clocks {
        let place = if locations.is_empty() { "never compared" } else { "anywhere" };
        rows.push(row(clock, place.to_owned(), *anywhere));
        rows.extend(locations.iter().map(|at| row("", format!("{}.{}", at.process, at.location), at.bounds)));
    }
    let hidden = rows.len().saturating_sub(SHOWN);
    rows.truncate(SHOWN);
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths = [0, 1, 2, 3].map(width);
    let mut text = String::new();
    for [clock, place, lower, upper] in &rows {
        let [c, p, l, u] = widths;
        let _ = writeln!(text, "{clock:c$}  {place:p$}  {lower:>l$}  {upper:>u$}");
    }
    if hidden > 0 {
        let _ = writeln!(text, "note: {hidden} more lines are not shown; --json has all of them");
    }
    text
}
