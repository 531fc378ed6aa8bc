//! `--log`: what a run does over time, one JSON document on each line.
//!
//! A line `start` for each query, with the model and the plan; lines
//! `progress`; a line `end`, with the verdict. Each one is written as it comes,
//! so that the log of a run that was killed tells how far it got.

use crate::json::PlanFields;
use dwell_engine::limits::resident_bytes;
use dwell_engine::{Observer, Plan, Report, Stats};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::Write;
use std::time::{Duration, Instant};

/// The shortest time between two lines.
const EVERY: Duration = Duration::from_millis(10);
/// A run of any length has a few thousand lines: they come apart as it grows.
const PART: u32 = 400;

/// A line of a log. Fields may be added, none removed.
#[derive(Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum Line {
    /// A query is asked.
    Start { dwell: String, model: String, query: usize, formula: String, plan: serde_json::Value },
    /// How far it is.
    Progress {
        query: usize,
        #[serde(flatten)]
        counts: Counts,
    },
    /// It is answered.
    End {
        query: usize,
        #[serde(flatten)]
        counts: Counts,
        verdict: String,
        why: Option<String>,
    },
}

/// What is counted.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct Counts {
    /// Since the query was asked.
    pub seconds: f64,
    pub visited: u64,
    pub stored: u64,
    /// Not told at the end.
    pub waiting: Option<u64>,
    pub transitions: u64,
    /// Of the process, where the system tells.
    pub resident_bytes: Option<u64>,
    /// By what is stored.
    pub held_bytes: u64,
}

impl Counts {
    fn new(seconds: f64, stats: &Stats, waiting: Option<u64>) -> Self {
        Self {
            seconds,
            visited: stats.visited,
            stored: stats.stored,
            waiting,
            transitions: stats.transitions,
            resident_bytes: resident_bytes(),
            held_bytes: stats.held_bytes,
        }
    }
}

/// A log that is written.
pub struct Log {
    path: String,
    file: File,
    model: String,
    query: usize,
    started: Instant,
    last: Instant,
    /// Why nothing is written any more.
    failed: Option<String>,
}

impl Log {
    /// Begins a log; what the file held is gone.
    pub fn create(path: &str, model: &str) -> Result<Self, String> {
        let file = File::create(path).map_err(|error| format!("cannot write {path}: {error}"))?;
        let (path, model, now) = (path.to_owned(), model.to_owned(), Instant::now());
        Ok(Self { path, file, model, query: 0, started: now, last: now, failed: None })
    }

    /// The next query is asked.
    pub fn start(&mut self, formula: &str, plan: &Plan) {
        self.query += 1;
        (self.started, self.last) = (Instant::now(), Instant::now());
        self.write(&Line::Start {
            dwell: env!("CARGO_PKG_VERSION").to_owned(),
            model: self.model.clone(),
            query: self.query,
            formula: formula.to_owned(),
            plan: serde_json::to_value(PlanFields::new(plan)).expect("plain data"),
        });
    }

    /// It is answered.
    pub fn end(&mut self, report: &Report) {
        self.write(&Line::End {
            query: self.query,
            counts: Counts::new(self.started.elapsed().as_secs_f64(), &report.stats, None),
            verdict: report.verdict.name().to_owned(),
            why: report.why.clone(),
        });
    }

    /// Why the log is not whole.
    pub fn failure(&self) -> Option<&str> {
        self.failed.as_deref()
    }

    fn write(&mut self, line: &Line) {
        if self.failed.is_some() {
            return;
        }
        let mut text = serde_json::to_string(line).expect("plain data");
        text.push('\n');
        if let Err(error) = self.file.write_all(text.as_bytes()) {
            self.failed = Some(format!("the log ends early: cannot write {}: {error}", self.path));
        }
    }
}

impl Observer for Log {
    fn progress(&mut self, stats: &Stats, waiting: usize) {
        let elapsed = self.started.elapsed();
        if self.last.elapsed() >= EVERY.max(elapsed / PART) {
            self.last = Instant::now();
            let counts = Counts::new(elapsed.as_secs_f64(), stats, Some(waiting as u64));
            self.write(&Line::Progress { query: self.query, counts });
        }
    }
}
