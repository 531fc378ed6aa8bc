//! The history: one JSON line per run, appended, kept in git.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::PathBuf;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Map, Value, json};

use super::cases::{Case, Scale};
use crate::shell::{Outcome, root};
use dwell_bench::child::Run;
use dwell_bench::machine;

/// An open history, and what its records have in common.
pub(crate) struct History {
    file: Option<(PathBuf, File)>,
    common: Map<String, Value>,
}

impl History {
    /// Opens the file for appending; without one, records go nowhere.
    pub(crate) fn open(path: &Option<PathBuf>, smoke: bool) -> Outcome<Self> {
        let file = match path {
            Some(path) => {
                let fail = |error| format!("{}: {error}", path.display());
                if let Some(folder) = path.parent() {
                    std::fs::create_dir_all(folder).map_err(fail)?;
                }
                Some((path.clone(), OpenOptions::new().append(true).create(true).open(path).map_err(fail)?))
            }
            None => None,
        };
        let mut common = Map::new();
        common.insert("time".into(), json!(unix_time()));
        common.insert("commit".into(), json!(commit()));
        common.insert("cpu".into(), json!(machine::cpu()));
        if smoke {
            common.insert("smoke".into(), json!(true));
        }
        Ok(Self { file, common })
    }

    /// Appends one run of a program on a case.
    pub(crate) fn append(&mut self, case: &Case, scale: Scale, program: &str, run: &Run) -> Outcome {
        let answer = run.answer.as_ref().ok();
        let plan = match (program, case.rival) {
            ("tchecker", Some(plan)) => plan.join(" "),
            _ => case.plan.join(" "),
        };
        self.write(json!({
            "program": program,
            "model": case.family,
            "size": case.size(scale),
            "plan": plan,
            "verdict": answer.map_or("none", |answer| answer.verdict.as_str()),
            "visited": answer.map(|answer| answer.visited),
            "stored": answer.and_then(|answer| answer.stored),
            "transitions": answer.map(|answer| answer.transitions),
            "seconds": run.seconds,
            "user_seconds": run.user_seconds,
            "peak_bytes": run.peak_bytes,
            "why": run.answer.as_ref().err(),
        }))
    }

    /// Appends any record, after the fields all records share.
    pub(crate) fn write(&mut self, record: Value) -> Outcome {
        let Some((path, file)) = &mut self.file else { return Ok(()) };
        let mut line = self.common.clone();
        if let Value::Object(fields) = record {
            line.extend(fields);
        }
        writeln!(file, "{}", Value::Object(line)).map_err(|error| format!("{}: {error}", path.display()))
    }
}

fn unix_time() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

/// The commit that is checked out, with a mark when files differ from it.
fn commit() -> String {
    let git = |words: &[&str]| {
        let output = Command::new("git").args(words).current_dir(root()).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let Some(commit) = git(&["rev-parse", "--short=12", "HEAD"]) else { return "unknown".to_owned() };
    match git(&["status", "--porcelain", "--untracked-files=no"]) {
        Some(changes) if changes.is_empty() => commit,
        _ => format!("{commit}+changes"),
    }
}
