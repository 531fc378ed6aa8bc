//! One run of a program: its answer, its time and its memory.
//!
//! The kernel reports CPU time and peak resident size when the child is collected. `timeout` and
//! `prlimit` keep a run within its limits; both are small, and the report is about the largest process
//! below them, so the figures are the program's own.

use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use wait4::Wait4;

use crate::shell::Outcome;

/// What a run may use.
pub(crate) struct Limits {
    /// Wall-clock seconds.
    pub(crate) seconds: u64,
    /// Bytes of address space.
    pub(crate) bytes: u64,
}

/// What came of one run.
#[derive(Debug, Clone)]
pub(crate) struct Run {
    /// The program's answer, or what became of it instead.
    pub(crate) answer: Result<Answer, String>,
    /// Wall-clock seconds, start of the process included.
    pub(crate) seconds: f64,
    /// Seconds of CPU time in user mode.
    pub(crate) user_seconds: f64,
    /// The largest resident size.
    pub(crate) peak_bytes: u64,
}

/// Verdict and counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) verdict: String,
    pub(crate) visited: u64,
    /// Not every algorithm counts what it stores.
    pub(crate) stored: Option<u64>,
    pub(crate) transitions: u64,
}

/// Runs a program and reads its answer from what it prints.
///
/// A program that fails or exceeds its limits is a result, not an error: the table says so.
pub(crate) fn run(
    program: &Path,
    words: &[&str],
    limits: &Limits,
    read: fn(&str) -> Result<Answer, String>,
) -> Outcome<Run> {
    let mut command = Command::new("timeout");
    command.args(["--kill-after=5", &limits.seconds.to_string()]);
    command.args(["prlimit", &format!("--as={}", limits.bytes)]).arg(program).args(words);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let begin = Instant::now();
    let mut child =
        command.spawn().map_err(|error| format!("timeout and prlimit are needed to bench: {error}"))?;
    // Both pipes are drained while the child runs, lest a full one stop it.
    let errors = drain(child.stderr.take());
    let printed = drain(child.stdout.take()).join().unwrap_or_default();
    let collected = child.wait4().map_err(|error| format!("cannot wait for a child: {error}"))?;
    let seconds = begin.elapsed().as_secs_f64();
    let errors = errors.join().unwrap_or_default();
    let answer = match collected.status.code() {
        // `timeout` says 124 when the time is over, 137 when it had to insist.
        Some(124 | 137) => Err(format!("stopped after {} s", limits.seconds)),
        // The program itself says 0, or 1 for a query that is not satisfied.
        Some(0 | 1) => read(&printed),
        Some(code) => Err(format!("exit code {code}: {}", first_line(&errors, &printed))),
        None => Err(format!("killed: {}", first_line(&errors, &printed))),
    };
    let user_seconds = Duration::as_secs_f64(&collected.rusage.utime);
    Ok(Run { answer, seconds, user_seconds, peak_bytes: collected.rusage.maxrss })
}

fn drain(pipe: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // What arrived before an error is still worth reading.
            let _ = pipe.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

fn first_line<'a>(errors: &'a str, printed: &'a str) -> &'a str {
    errors.lines().chain(printed.lines()).find(|line| !line.trim().is_empty()).unwrap_or("no message")
}

impl Answer {
    /// Reads the document of `dwell check --json` with one query.
    pub(crate) fn from_dwell(text: &str) -> Result<Self, String> {
        let document: Value = serde_json::from_str(text).map_err(|error| format!("not JSON: {error}"))?;
        let query = &document["queries"][0];
        let count = |name: &str| query["stats"][name].as_u64();
        let answer = || {
            Some(Self {
                verdict: query["verdict"].as_str()?.to_owned(),
                visited: count("visited")?,
                stored: Some(count("stored")?),
                transitions: count("transitions")?,
            })
        };
        answer().ok_or_else(|| "the JSON lacks a verdict or a count".to_owned())
    }

    /// Reads the lines `NAME value` of `tck-reach`, for a run without labels: ending is success.
    pub(crate) fn from_tchecker(text: &str) -> Result<Self, String> {
        let count = |name: &str| {
            let mut values = text.lines().filter_map(|line| line.strip_prefix(name)?.trim().parse().ok());
            values.next()
        };
        match (count("VISITED_STATES "), count("VISITED_TRANSITIONS ")) {
            (Some(visited), Some(transitions)) => Ok(Self {
                verdict: "satisfied".to_owned(),
                visited,
                stored: count("STORED_STATES "),
                transitions,
            }),
            _ => Err("no statistics in the output".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_json_is_read() {
        let text = r#"{"dwell": "0.1.0", "queries": [{"formula": "state space", "verdict": "satisfied",
            "stats": {"visited": 71, "stored": 65, "transitions": 126, "seconds": 0.01}}]}"#;
        let answer = Answer { verdict: "satisfied".into(), visited: 71, stored: Some(65), transitions: 126 };
        assert_eq!(Answer::from_dwell(text), Ok(answer));
        assert!(Answer::from_dwell(r#"{"error": {}}"#).is_err());
        assert!(Answer::from_dwell("").is_err());
    }

    #[test]
    fn their_lines_are_read() {
        let text = "REACHABLE false\nSTORED_STATES 65\nVISITED_STATES 71\nVISITED_TRANSITIONS 126\n";
        let answer = Answer { verdict: "satisfied".into(), visited: 71, stored: Some(65), transitions: 126 };
        assert_eq!(Answer::from_tchecker(text), Ok(answer));
        assert!(Answer::from_tchecker("ERROR: no such file").is_err());
    }

    #[test]
    fn a_child_is_measured_and_limited() {
        let limits = Limits { seconds: 1, bytes: 1 << 30 };
        let read = |text: &str| Answer::from_tchecker(text);
        let quick = ["-c", "echo VISITED_STATES 1; echo VISITED_TRANSITIONS 0"];
        let run_quick = run(Path::new("/bin/sh"), &quick, &limits, read).expect("a shell");
        assert_eq!(run_quick.answer.map(|answer| answer.visited), Ok(1));
        assert!(run_quick.peak_bytes > 100_000, "{} bytes", run_quick.peak_bytes);
        let slow = run(Path::new("/bin/sh"), &["-c", "exec sleep 5"], &limits, read).expect("a shell");
        assert!(slow.answer.is_err() && slow.seconds < 4.0, "{slow:?}");
        let failing =
            run(Path::new("/bin/sh"), &["-c", "echo no >&2; exit 2"], &limits, read).expect("a shell");
        assert_eq!(failing.answer, Err("exit code 2: no".to_owned()));
    }
}
