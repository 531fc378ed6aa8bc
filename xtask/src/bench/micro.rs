//! `cargo xtask bench micro`: the zone kernels, timed by the `kernels` example of `dwell-zones`.
//!
//! The example prints one JSON object per line, `{"kernel", "dim", "bits", "ns"}`. Times inform; to
//! compare two versions count instructions (`--count`), which ignores what else the machine does.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::options::Options;
use super::record::History;
use crate::shell::{Outcome, cargo, output, show, succeeds, target_directory};

/// Runs the kernels, prints their lines and appends them to the history.
pub(crate) fn run(words: &[&str]) -> Outcome {
    let options = Options::parse(words)?;
    show(&mut cargo(&[
        "build",
        "--release",
        "--locked",
        "--package",
        "dwell-zones",
        "--example",
        "kernels",
    ]))?;
    let program = target_directory()?.join("release/examples/kernels");
    let mut history = History::open(&options.out("micro"), options.smoke)?;
    let mut kernels = Command::new(&program);
    if options.smoke {
        kernels.args(["--reps", "2"]);
    }
    let printed = output(&mut kernels)?;
    let mut kernels = 0;
    for line in printed.lines() {
        let record: Value =
            serde_json::from_str(line).map_err(|error| format!("the kernels printed `{line}`: {error}"))?;
        println!("{line}");
        history.write(record)?;
        kernels += 1;
    }
    if kernels == 0 {
        return Err("the kernels printed nothing".to_owned());
    }
    if options.count {
        let instructions = count_instructions(&program)?;
        println!("{instructions} instructions in all");
        history.write(json!({ "kernel": "all", "instructions": instructions }))?;
    }
    Ok(())
}

/// All instructions of one run, as callgrind counts them.
fn count_instructions(program: &Path) -> Outcome<u64> {
    if !succeeds(Command::new("valgrind").arg("--version")) {
        return Err("--count needs valgrind, which is not installed".to_owned());
    }
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .output()
        .map_err(|error| format!("valgrind: {error}"))?;
    let report = String::from_utf8_lossy(&output.stderr);
    collected(&report).ok_or_else(|| format!("callgrind gave no count:\n{report}"))
}

/// The number in callgrind's line `==pid== Collected : 123`.
fn collected(report: &str) -> Option<u64> {
    report.lines().find_map(|line| line.split_once("Collected :")?.1.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::collected;

    #[test]
    fn callgrinds_count_is_found() {
        let report = "==7== Events    : Ir\n==7== Collected : 227472\n==7==\n";
        assert_eq!(collected(report), Some(227_472));
        assert_eq!(collected("==7== nothing"), None);
    }
}
