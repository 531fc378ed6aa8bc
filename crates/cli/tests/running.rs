//! Runs that are stopped, watched, or left alone with a closed pipe.
#![cfg(unix)]

mod common;

use common::{Ran, command, dwell, examples, folder_with, large};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Longer than any of these runs may take, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn out_of_time() {
    let folder = folder_with("timeout", "large.tck", large());
    for timeout in ["0s", "1ms", "0.3s"] {
        let started = Instant::now();
        let ran = dwell(&folder, &["check", "large.tck", "--space", "--timeout", timeout]);
        assert_eq!((ran.code, ran.err.as_str()), (3, ""), "{timeout}");
        assert!(ran.out.contains(")\n  out of time; try a longer --timeout\n"), "{}", ran.out);
        assert!(started.elapsed() < PATIENCE);
    }
}

#[test]
fn a_timeout_is_per_query() {
    let folder = folder_with("timeouts", "large.tck", large());
    let two = ["check", "large.tck", "--space", "--labels", "cs1,cs2", "--timeout", "50ms"];
    let ran = dwell(&folder, &two);
    assert_eq!(ran.code, 3);
    assert_eq!(ran.out.matches(": unknown").count(), 2, "{}", ran.out);
}

#[test]
fn exact_zones_that_go_on_for_ever() {
    let text = "system:s\nevent:a\nprocess:P\nclock:1:x\nclock:1:y\nlocation:P:l{initial: : invariant:x<=1}\n\
                edge:P:l:l:a{provided:x==1 : do:x=0}\nlocation:P:m{labels:never}\nedge:P:l:m:a{provided:y<0}\n";
    let folder = folder_with("endless", "endless.tck", text);
    let args =
        ["check", "endless.tck", "--labels", "never", "--abstraction", "none", "--reduce-clocks", "off"];
    let ran = dwell(&folder, &[&args[..], &["--timeout", "200ms"]].concat());
    assert_eq!(ran.code, 3, "{}", ran.out);
    assert!(
        ran.out.contains("out of time; exact zones may go on for ever: try another --abstraction"),
        "{}",
        ran.out
    );
}

#[test]
fn out_of_memory() {
    let folder = folder_with("memory", "large.tck", large());
    for memory in ["8MiB", "1KiB"] {
        let ran = dwell(&folder, &["check", "large.tck", "--space", "--memory", memory, "--timeout", "60s"]);
        assert_eq!((ran.code, ran.err.as_str()), (3, ""), "{memory}");
        assert!(
            ran.out.contains(
                ")\n  out of memory; try --store shared-minimal, --spill DIR, or a larger --memory\n"
            ),
            "{}",
            ran.out
        );
    }
}

/// A run that would go on for long, and is under way.
fn under_way(folder: &Path, args: &[&str]) -> Child {
    let progress = ["check", "large.tck", "--space", "--progress", "on", "--timeout", "300s"];
    let mut child = command(folder, &[&progress, args].concat()).spawn().expect("the program runs");
    // The first line of progress: signals are caught by now.
    let mut line = String::new();
    let mut reader = BufReader::new(child.stderr.as_mut().expect("piped"));
    reader.read_line(&mut line).expect("a line");
    assert!(line.contains(" visited, "), "{line}");
    child
}

fn interrupt(child: &Child, signal: &str) {
    let status = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill runs");
    assert!(status.success());
}

#[test]
fn interrupted() {
    let folder = folder_with("interrupted", "large.tck", large());
    for signal in ["-INT", "-TERM"] {
        let child = under_way(&folder, &[]);
        interrupt(&child, signal);
        let ran = Ran::new(child.wait_with_output().expect("it ends"));
        assert_eq!(ran.code, 130, "{signal}");
        assert!(ran.out.starts_with("state space: unknown ("), "{}", ran.out);
        assert!(ran.out.contains("\n  interrupted\n  "), "{}", ran.out);
        assert!(ran.out.contains(" visited, "), "what is known is printed: {}", ran.out);
    }
    let child = under_way(&folder, &["--labels", "cs1,cs2"]);
    interrupt(&child, "-INT");
    let ran = Ran::new(child.wait_with_output().expect("it ends"));
    assert_eq!(ran.code, 130);
    assert!(ran.out.contains("\n2 queries: 1 unknown, 1 not asked; "), "{}", ran.out);
}

#[test]
fn interrupted_with_json() {
    let folder = folder_with("interrupted-json", "large.tck", large());
    let child = under_way(&folder, &["--json", "--labels", "cs1"]);
    interrupt(&child, "-INT");
    let ran = Ran::new(child.wait_with_output().expect("it ends"));
    assert_eq!(ran.code, 130);
    let document = ran.json();
    let last = document["queries"].as_array().expect("queries").last().expect("one").clone();
    assert_eq!((&last["verdict"], &last["why"]), (&"unknown".into(), &"interrupted".into()));
    assert!(last["stats"]["visited"].as_u64().expect("a number") > 0);
}

#[test]
fn progress_goes_to_standard_error_only() {
    let folder = folder_with("progress", "large.tck", large());
    let args = ["check", "large.tck", "--space", "--timeout", "2500ms", "--progress"];
    let on = dwell(&folder, &[&args[..], &["on"]].concat());
    assert_eq!(on.code, 3);
    assert!(on.err.lines().count() >= 1 && on.err.lines().all(|l| l.contains(" waiting, ")), "{}", on.err);
    assert!(!on.out.contains("waiting"), "{}", on.out);
    for quiet in ["off", "auto"] {
        let ran = dwell(&folder, &[&args[..3], &["--timeout", "1200ms", "--progress", quiet]].concat());
        assert_eq!(ran.err, "", "{quiet}: standard error is no terminal");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_mistake() {
    let folder = folder_with("pipe", "large.tck", large());
    let long_output = ["generate", "fischer", "-n", "1000"];
    let stopped = ["check", "large.tck", "--space", "--timeout", "300ms"];
    for (args, code) in [(&long_output[..], 0), (&stopped[..], 3), (&["--help"][..], 0)] {
        let mut child = command(&folder, args).spawn().expect("the program runs");
        drop(child.stdout.take());
        let mut err = String::new();
        child.stderr.take().expect("piped").read_to_string(&mut err).expect("text");
        assert_eq!(child.wait().expect("it ends").code(), Some(code), "{args:?}: {err}");
        assert_eq!(err, "", "{args:?}");
    }
    // And standard error gone as well, with something to say on it.
    let mut child = command(&folder, &["check", "nowhere.tck", "--space"]).spawn().expect("the program runs");
    drop((child.stdout.take(), child.stderr.take()));
    assert_eq!(child.wait().expect("it ends").code(), Some(2));
}

#[test]
fn no_escape_codes_in_a_pipe() {
    // `Ran` looks for them; here where they would most likely be: messages with carets, and usage.
    let folder = folder_with("colour", "bad.tck", "system:s\nproces:P\n");
    for no_color in [None, Some("1")] {
        for args in [&["check", "bad.tck", "--space"][..], &["check", "--nonsense"], &["check", "--help"]] {
            let mut command = command(&folder, args);
            command.envs(no_color.map(|value| ("NO_COLOR", value)));
            Ran::new(command.output().expect("the program runs"));
        }
    }
    assert_eq!(dwell(&examples(), &["check", "lamp.tck", "--space"]).code, 0);
}

#[test]
fn nothing_is_read_from_standard_input_unless_asked_to() {
    let mut child = command(&examples(), &["check", "lamp.tck", "--space"])
        .stdin(Stdio::piped())
        .spawn()
        .expect("the program runs");
    assert_eq!(child.wait().expect("it ends").code(), Some(0), "with its input left open");
}
