//! One run of a program: its answer, its time and its memory.
//!
//! The kernel reports CPU time and peak resident size when the child is
//! collected. That size also counts what the child was before it became the
//! program, a copy of us: where a program tells its own peak, that is taken.

use serde_json::Value;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use wait4::Wait4;

/// What a run may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Then it is killed.
    pub time: Duration,
    /// Bytes of address space, enforced by the program `prlimit`.
    pub address_space: Option<u64>,
}

/// What came of one run.
#[derive(Debug, Clone)]
pub struct Run {
    /// The program's answer, or what became of it instead.
    pub answer: Result<Answer, String>,
    /// Wall-clock seconds, start of the process included.
    pub seconds: f64,
    /// Seconds of CPU time in user mode.
    pub user_seconds: f64,
    /// The largest resident size.
    pub peak_bytes: u64,
}

/// Verdict and counts; of several queries the sums.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Where several queries have several verdicts, all of them with commas.
    pub verdict: String,
    /// Symbolic states visited.
    pub visited: u64,
    /// Not every algorithm counts what it stores.
    pub stored: Option<u64>,
    /// Successors computed.
    pub transitions: u64,
    /// The largest resident size, by the program's own account.
    pub peak_bytes: Option<u64>,
}

/// Reads the answer in what a program printed, or why there is none; nothing
/// where the text is neither.
pub type Reader = fn(&str) -> Option<Result<Answer, String>>;

/// A program that has ended.
#[derive(Debug)]
pub struct Ended {
    /// Its standard output.
    pub printed: String,
    /// Its standard error.
    pub errors: String,
    /// How it ended.
    pub how: How,
    /// Wall-clock seconds.
    pub seconds: f64,
    /// Seconds of CPU time in user mode.
    pub user_seconds: f64,
    /// Seconds of CPU time in the system.
    pub system_seconds: f64,
    /// The largest resident size.
    pub peak_bytes: u64,
}

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// By itself, with this exit code.
    Exit(i32),
    /// By a signal.
    Killed,
    /// By us, because its time was over.
    OutOfTime,
}

/// The command that runs a program within a limit of its address space.
pub fn limited(program: &Path, words: &[&str], limits: &Limits) -> Command {
    let mut command = match limits.address_space {
        Some(bytes) => {
            let mut command = Command::new("prlimit");
            command.arg(format!("--as={bytes}")).arg(program);
            command
        }
        None => Command::new(program),
    };
    command.args(words);
    command
}

/// Runs a program and reads its answer from what it prints.
///
/// A program that fails or exceeds its limits is a result, not an error: the
/// table says so.
///
/// # Errors
///
/// A sentence, where the program cannot be started at all.
pub fn run(command: &mut Command, limits: &Limits, read: Reader) -> Result<Run, String> {
    let ended = measure(command, Some(limits.time))?;
    let said = || first_line(&ended.errors, &ended.printed);
    let answer = match (ended.how, read(&ended.printed)) {
        (How::OutOfTime, _) => Err(format!("stopped after {} s", limits.time.as_secs_f64().round())),
        (How::Exit(_), Some(answer)) => answer,
        (How::Exit(code), None) => Err(format!("exit code {code}: {}", said())),
        (How::Killed, _) => Err(format!("killed by the system: {}", said())),
    };
    let own = answer.as_ref().ok().and_then(|answer| answer.peak_bytes);
    Ok(Run {
        peak_bytes: own.unwrap_or(ended.peak_bytes),
        seconds: ended.seconds,
        user_seconds: ended.user_seconds,
        answer,
    })
}

/// Runs a program to its end, or kills it when its time is over.
///
/// # Errors
///
/// A sentence, where it cannot be started.
pub fn measure(command: &mut Command, time: Option<Duration>) -> Result<Ended, String> {
    let program = command.get_program().to_owned();
    let failed = |error| format!("cannot run {}: {error}", program.display());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let begin = Instant::now();
    let mut child = command.spawn().map_err(failed)?;
    // Both pipes are drained while the child runs, lest a full one stop it.
    let (errors, printed) = (drain(child.stderr.take()), drain(child.stdout.take()));
    let (printed, late) = match await_end(&mut child, &printed, time) {
        Some(printed) => (printed, false),
        None => (String::new(), true),
    };
    let collected = child.wait4().map_err(failed)?;
    let seconds = begin.elapsed().as_secs_f64();
    Ok(Ended {
        printed,
        errors: errors.recv_timeout(SOON).unwrap_or_default(),
        how: match collected.status.code() {
            _ if late => How::OutOfTime,
            Some(code) => How::Exit(code),
            None => How::Killed,
        },
        seconds,
        user_seconds: collected.rusage.utime.as_secs_f64(),
        system_seconds: collected.rusage.stime.as_secs_f64(),
        peak_bytes: collected.rusage.maxrss,
    })
}

/// How long a pipe may take to tell its end after the process has ended.
const SOON: Duration = Duration::from_secs(2);

/// What the child printed once it closes its output, which it does by ending;
/// nothing if that takes too long, and it is killed then.
fn await_end(child: &mut Child, printed: &Receiver<String>, time: Option<Duration>) -> Option<String> {
    let text = match time {
        Some(time) => printed.recv_timeout(time).ok(),
        None => printed.recv().ok(),
    };
    if text.is_none() {
        // It may just have ended by itself.
        let _ = child.kill();
    }
    text
}

fn drain(pipe: Option<impl Read + Send + 'static>) -> Receiver<String> {
    let (send, receive) = channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // What arrived before an error is still worth reading.
            let _ = pipe.read_to_end(&mut bytes);
        }
        // Nobody waits any more for what comes too late.
        let _ = send.send(String::from_utf8_lossy(&bytes).into_owned());
    });
    receive
}

fn first_line<'a>(errors: &'a str, printed: &'a str) -> &'a str {
    errors.lines().chain(printed.lines()).find(|line| !line.trim().is_empty()).unwrap_or("no message")
}

impl Answer {
    /// Reads the document of `dwell check --json`. A verdict that is unknown or
    /// an error is no answer.
    pub fn from_dwell(text: &str) -> Option<Result<Self, String>> {
        let document: Value = serde_json::from_str(text).ok()?;
        if let Some(message) = document["error"]["message"].as_str() {
            return Some(Err(message.to_owned()));
        }
        let queries = document["queries"].as_array()?;
        let verdicts: Vec<&str> =
            queries.iter().map(|query| query["verdict"].as_str()).collect::<Option<_>>()?;
        for (query, verdict) in queries.iter().zip(&verdicts) {
            if matches!(*verdict, "unknown" | "error") {
                return Some(Err(query["why"].as_str().unwrap_or(verdict).to_owned()));
            }
        }
        let sum = |name: &str| queries.iter().map(|query| query["stats"][name].as_u64()).sum::<Option<u64>>();
        let verdict = match verdicts.as_slice() {
            [] => return Some(Err("there are no queries".to_owned())),
            [first, rest @ ..] if rest.iter().all(|verdict| verdict == first) => (*first).to_owned(),
            several => several.join(", "),
        };
        Some(Ok(Self {
            verdict,
            visited: sum("visited")?,
            stored: Some(sum("stored")?),
            transitions: sum("transitions")?,
            peak_bytes: queries.iter().filter_map(|query| query["stats"]["peak_bytes"].as_u64()).max(),
        }))
    }

    /// Reads the lines `NAME value` of `tck-reach`, for a run without labels:
    /// ending is success.
    pub fn from_tchecker(text: &str) -> Option<Result<Self, String>> {
        let count = |name: &str| {
            let mut values = text.lines().filter_map(|line| line.strip_prefix(name)?.trim().parse().ok());
            values.next()
        };
        Some(Ok(Self {
            verdict: "satisfied".to_owned(),
            visited: count("VISITED_STATES ")?,
            stored: count("STORED_STATES "),
            transitions: count("VISITED_TRANSITIONS ")?,
            peak_bytes: None,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(verdict: &str, visited: u64, peak_bytes: Option<u64>) -> Answer {
        Answer { verdict: verdict.into(), visited, stored: Some(65), transitions: 126, peak_bytes }
    }

    #[test]
    fn our_json_is_read() {
        let text = r#"{"dwell": "0.1.0", "queries": [{"formula": "state space", "verdict": "satisfied",
            "stats": {"visited": 71, "stored": 65, "transitions": 126, "seconds": 0.01, "peak_bytes": 9}}]}"#;
        assert_eq!(Answer::from_dwell(text), Some(Ok(answer("satisfied", 71, Some(9)))));
        let bad = r#"{"error": {"message": "no such file"}}"#;
        assert_eq!(Answer::from_dwell(bad), Some(Err("no such file".into())));
        let late = r#"{"queries": [{"verdict": "unknown", "why": "out of time", "stats": {}}]}"#;
        assert_eq!(Answer::from_dwell(late), Some(Err("out of time".into())));
        assert_eq!(Answer::from_dwell(r#"{"queries": []}"#), Some(Err("there are no queries".into())));
        assert_eq!(Answer::from_dwell(""), None);
    }

    #[test]
    fn several_queries_are_added_up() {
        let query = |verdict: &str, stored: u32| {
            format!(
                r#"{{"verdict": "{verdict}", "stats": {{"visited": 4, "stored": {stored}, "transitions": 63}}}}"#
            )
        };
        let text = format!(r#"{{"queries": [{}, {}]}}"#, query("satisfied", 60), query("not-satisfied", 5));
        assert_eq!(Answer::from_dwell(&text), Some(Ok(answer("satisfied, not-satisfied", 8, None))));
    }

    #[test]
    fn their_lines_are_read() {
        let text = "REACHABLE false\nSTORED_STATES 65\nVISITED_STATES 71\nVISITED_TRANSITIONS 126\n";
        assert_eq!(Answer::from_tchecker(text), Some(Ok(answer("satisfied", 71, None))));
        assert_eq!(Answer::from_tchecker("ERROR: no such file"), None);
    }

    #[test]
    fn a_child_is_measured_and_limited() {
        let limits = Limits { time: Duration::from_secs(1), address_space: Some(1 << 30) };
        let shell = |script: &str| {
            let mut command = limited(Path::new("/bin/sh"), &["-c", script], &limits);
            run(&mut command, &limits, Answer::from_tchecker).expect("a shell")
        };
        let quick = shell("echo VISITED_STATES 1; echo VISITED_TRANSITIONS 0");
        assert_eq!(quick.answer.map(|answer| answer.visited), Ok(1));
        assert!(quick.peak_bytes > 100_000, "{} bytes", quick.peak_bytes);
        let slow = shell("exec sleep 5");
        assert!(slow.answer.is_err() && slow.seconds < 4.0, "{slow:?}");
        assert_eq!(shell("echo no >&2; exit 2").answer, Err("exit code 2: no".to_owned()));
        let killed = shell("kill -9 $$").answer;
        assert_eq!(killed, Err("killed by the system: no message".to_owned()));
    }

    #[test]
    fn a_program_that_is_not_there_is_a_sentence() {
        let failed = measure(&mut Command::new("/no/such/program"), None).expect_err("not there");
        assert!(failed.starts_with("cannot run /no/such/program: "), "{failed}");
    }
}
