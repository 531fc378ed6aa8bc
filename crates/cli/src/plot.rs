//! `dwell plot`: logs of runs and results of benches as pictures.

use crate::log::{Counts, Line};
use crate::{complain, exit, input, print};
use clap::ArgMatches;
use dwell_bench::mebibytes;
use dwell_bench::plots::{Measure, cactus_of, scatter_of};
use dwell_bench::results::Results;
use dwell_draw::plot::{Axis, Look, Plot, Scale, Series, draw};
use std::path::Path;

/// Draws; answers with the exit code.
pub fn run(matches: &ArgMatches) -> u8 {
    let picture = match picture(matches) {
        Ok(picture) => picture,
        Err(message) => {
            complain(&format!("error: {message}\n"));
            return exit::BAD;
        }
    };
    match matches.get_one::<String>("output") {
        None => print(&picture),
        Some(file) => {
            if let Err(error) = std::fs::write(file, picture) {
                complain(&format!("error: cannot write {file}: {error}\n"));
                return exit::BAD;
            }
        }
    }
    exit::SATISFIED
}

fn picture(matches: &ArgMatches) -> Result<String, String> {
    let files: Vec<&String> = matches.get_many("files").expect("required").collect();
    let show = matches.get_one::<String>("show").expect("has a default");
    let first = input::plain(files[0])?;
    if first.lines().next().is_some_and(|line| serde_json::from_str::<Line>(line).is_ok()) {
        let named = |file: &str, text: &str| {
            let stem = Path::new(file).file_stem().map_or(file.into(), |stem| stem.to_string_lossy());
            Log::read(&stem, text).map_err(|error| format!("{file}: {error}"))
        };
        let mut logs = vec![named(files[0], &first)?];
        for file in &files[1..] {
            logs.push(named(file, &input::plain(file)?)?);
        }
        return match show.as_str() {
            "auto" => Ok(draw(&[states(&logs), memory(&logs)])),
            "states" => Ok(draw(&[states(&logs)])),
            "memory" => Ok(draw(&[memory(&logs)])),
            other => Err(format!("{} is the log of a run; {other} is for the results of a bench", files[0])),
        };
    }
    if files.len() > 1 {
        return Err("give the logs of some runs, or the results of one bench".to_owned());
    }
    let results = Results::from_json(&first)
        .map_err(|error| format!("{} is not the log of a run, and {error}", files[0]))?;
    let plan = |name| matches.get_one::<u16>(name).map_or(0, |&plan| usize::from(plan) - 1);
    let plans = [plan("x"), plan("y")];
    match show.as_str() {
        "auto" => Ok(draw(&[cactus_of(&results, Measure::Time), cactus_of(&results, Measure::Memory)])),
        "cactus" => Ok(draw(&[cactus_of(&results, Measure::Time)])),
        "cactus-memory" => Ok(draw(&[cactus_of(&results, Measure::Memory)])),
        "scatter" => Ok(draw(&[scatter_of(&results, plans, Measure::Time)?])),
        "scatter-memory" => Ok(draw(&[scatter_of(&results, plans, Measure::Memory)?])),
        other => Err(format!("{} holds the results of a bench; {other} is for the log of a run", files[0])),
    }
}

/// The log of one run.
pub struct Log {
    /// In the legend.
    name: String,
    model: String,
    /// Queries one after the other.
    moments: Vec<Counts>,
}

impl Log {
    /// Reads a log. That of a run that was killed may end in half a line.
    pub fn read(name: &str, text: &str) -> Result<Self, String> {
        let mut log = Self { name: name.to_owned(), model: String::new(), moments: Vec::new() };
        let (mut start, mut resident) = (0.0, None);
        let lines: Vec<&str> = text.lines().collect();
        for (number, line) in lines.iter().enumerate() {
            let counts = match serde_json::from_str(line) {
                Ok(Line::Start { model, .. }) => {
                    log.model = model;
                    start = log.moments.last().map_or(0.0, |last| last.seconds);
                    continue;
                }
                Ok(Line::Progress { counts, .. }) => {
                    resident = counts.resident_bytes;
                    counts
                }
                // The memory of a run that has ended is given back before its end is told.
                Ok(Line::End { counts, .. }) => {
                    Counts { resident_bytes: counts.resident_bytes.max(resident.take()), ..counts }
                }
                Err(_) if number > 0 && number + 1 == lines.len() => continue,
                Err(error) => {
                    return Err(format!("line {} is not of a log: {error}", number + 1));
                }
            };
            log.moments.push(Counts { seconds: start + counts.seconds, ..counts });
        }
        if log.moments.is_empty() {
            return Err("it tells of no progress yet".to_owned());
        }
        Ok(log)
    }

    fn series(&self, name: &str, value: impl Fn(&Counts) -> Option<f64>) -> Series {
        let points = self.moments.iter().filter_map(|at| Some((at.seconds, value(at)?)));
        Series { name: name.to_owned(), points: points.collect(), look: Look::Line }
    }
}

/// Of one run what is visited, stored and waiting; of several what each stores.
pub fn states(logs: &[Log]) -> Plot {
    let series = match logs {
        [log] => vec![
            log.series("visited", |at| Some(at.visited as f64)),
            log.series("stored", |at| Some(at.stored as f64)),
            log.series("waiting", |at| at.waiting.map(|waiting| waiting as f64)),
        ],
        _ => logs.iter().map(|log| log.series(&log.name, |at| Some(at.stored as f64))).collect(),
    };
    let name = if logs.len() == 1 { "symbolic states" } else { "symbolic states stored" };
    over_time(logs, "States", name, series)
}

/// Of one run what the process and what the store holds; of several the former.
pub fn memory(logs: &[Log]) -> Plot {
    let held = |at: &Counts| Some(mebibytes(at.held_bytes as f64));
    let resident = |at: &Counts| at.resident_bytes.map(|bytes| mebibytes(bytes as f64)).or_else(|| held(at));
    let series = match logs {
        [log] => vec![log.series("process", resident), log.series("states stored", held)],
        _ => logs.iter().map(|log| log.series(&log.name, resident)).collect(),
    };
    over_time(logs, "Memory", "MiB", series)
}

fn over_time(logs: &[Log], what: &str, measured: &str, mut series: Vec<Series>) -> Plot {
    series.retain(|series| !series.points.is_empty());
    let mut models: Vec<&str> = logs.iter().map(|log| log.model.as_str()).collect();
    models.dedup();
    let of = if models.len() == 1 { format!(", {}", models[0]) } else { String::new() };
    Plot {
        title: format!("{what} over time{of}"),
        x: Axis::new("seconds", Scale::Linear).with(0.0),
        y: Axis::new(measured, Scale::Linear).with(0.0),
        series,
        diagonal: false,
        without: None,
    }
}
