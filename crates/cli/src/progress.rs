//! How far a run is, on standard error and in a log.

use crate::log::Log;
use dwell_engine::units::{show_bytes, show_count};
use dwell_engine::{Observer, Stats};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Between two lines when standard error is not a terminal.
const LINE_EVERY: Duration = Duration::from_secs(1);

/// Shows progress.
pub enum Progress {
    /// A line that rewrites itself.
    Bar(ProgressBar, Instant),
    /// A line now and then.
    Lines {
        /// When the run began.
        started: Instant,
        /// When the last line was written.
        last: Instant,
    },
}

impl Progress {
    /// What `--progress` asks for.
    pub fn new(when: &str) -> Option<Self> {
        let terminal = std::io::stderr().is_terminal();
        match when {
            "off" => None,
            "auto" if !terminal => None,
            _ if terminal => {
                let bar = ProgressBar::new_spinner();
                bar.set_style(
                    ProgressStyle::with_template("{spinner} {wide_msg}").expect("a valid template"),
                );
                Some(Self::Bar(bar, Instant::now()))
            }
            _ => Some(Self::Lines { started: Instant::now(), last: Instant::now() }),
        }
    }

    /// Takes the line away.
    pub fn finish(&self) {
        if let Self::Bar(bar, _) = self {
            bar.finish_and_clear();
        }
    }
}

/// All that looks at a run.
pub struct Watch<'l> {
    /// On standard error.
    pub progress: Option<Progress>,
    /// In a file.
    pub log: Option<&'l mut Log>,
}

impl Observer for Watch<'_> {
    fn progress(&mut self, stats: &Stats, waiting: usize) {
        if let Some(progress) = &mut self.progress {
            progress.progress(stats, waiting);
        }
        if let Some(log) = &mut self.log {
            log.progress(stats, waiting);
        }
    }
}

fn line(stats: &Stats, waiting: usize, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64();
    let rate = (stats.visited as f64 / seconds.max(1e-9)) as u64;
    format!(
        "{} visited, {}/s, {} waiting, {} stored, {}, {seconds:.1} s",
        show_count(stats.visited),
        show_count(rate),
        show_count(waiting as u64),
        show_count(stats.stored),
        show_bytes(stats.held_bytes),
    )
}

impl Observer for Progress {
    fn progress(&mut self, stats: &Stats, waiting: usize) {
        match self {
            Self::Bar(bar, started) => {
                bar.set_message(line(stats, waiting, started.elapsed()));
                bar.tick();
            }
            Self::Lines { started, last } => {
                if last.elapsed() >= LINE_EVERY {
                    *last = Instant::now();
                    crate::complain(&format!("{}\n", line(stats, waiting, started.elapsed())));
                }
            }
        }
    }
}
