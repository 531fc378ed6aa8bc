//! `cargo xtask test`: everything a change must pass, from the cheapest step to the dearest.
//!
//! The first failure stops the run and is named last, so that it is the line one sees.

use std::process::Command;
use std::time::{Duration, Instant};

use crate::shell::{Outcome, cargo, show, succeeds, words};

/// The version of cargo-deny that is installed where there is none.
const CARGO_DENY: &str = "cargo-deny@0.20.2";

/// Runs all steps.
pub(crate) fn run() -> Outcome {
    let mut steps = Steps::default();
    steps.run("format", &mut cargo(&["fmt", "--all", "--check"]))?;
    steps.run(
        "lints",
        &mut cargo(&["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"]),
    )?;
    if !succeeds(&mut cargo(&["deny", "--version"])) {
        println!("cargo-deny is not installed; building it takes some minutes, once");
        // Unoptimised: it builds in half the time and looks at one lock file.
        steps.run("install cargo-deny", &mut cargo(&["install", "--locked", "--debug", CARGO_DENY]))?;
    }
    steps.run("licences", &mut cargo(&["deny", "--locked", "check", "licenses", "bans", "sources"]))?;
    steps.run("release build", &mut cargo(&["build", "--release", "--locked"]))?;
    steps.run("packages", &mut cargo(&["xtask", "dist"]))?;
    if succeeds(&mut cargo(&["nextest", "--version"])) {
        steps.run("tests", &mut cargo(&["nextest", "run", "--workspace", "--locked"]))?;
    } else {
        steps.run("tests", &mut cargo(&["test", "--workspace", "--all-targets", "--locked"]))?;
    }
    let schedules =
        ["--package", "dwell-parallel", "--features", "shuttle", "--test", "schedules", "--locked"];
    steps.run("thread schedules", cargo(&["test"]).args(schedules))?;
    steps.run("documentation tests", &mut cargo(&["test", "--workspace", "--doc", "--locked"]))?;
    steps.run(
        "documentation",
        cargo(&["doc", "--workspace", "--no-deps", "--locked"]).env("RUSTDOCFLAGS", "-D warnings"),
    )?;
    steps.run("book", &mut cargo(&["xtask", "book"]))?;
    steps.run("benches in small", &mut cargo(&["xtask", "bench", "--smoke"]))?;
    steps.run("kernels in small", &mut cargo(&["xtask", "bench", "micro", "--smoke"]))?;
    steps.summary();
    Ok(())
}

/// The steps done so far and how long each took.
#[derive(Default)]
struct Steps(Vec<(&'static str, Duration)>);

impl Steps {
    fn run(&mut self, name: &'static str, command: &mut Command) -> Outcome {
        println!("\n== {name}: {}", words(command));
        let begin = Instant::now();
        show(command).map_err(|error| format!("step `{name}` failed: {error}"))?;
        self.0.push((name, begin.elapsed()));
        Ok(())
    }

    fn summary(&self) {
        println!();
        for (name, time) in &self.0 {
            println!("{:>7.1} s  {name}", time.as_secs_f64());
        }
        let total: Duration = self.0.iter().map(|(_, time)| *time).sum();
        println!("{:>7.1} s  in all: every step passed", total.as_secs_f64());
    }
}
