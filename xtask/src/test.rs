//! `cargo xtask test`: everything a change must pass, from the cheapest step to the dearest.
//!
//! The first failure stops the run and is named last, so that it is the line one sees.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::book::{mdbook, tools};
use crate::shell::{Outcome, cargo, output, root, show, succeeds, target_directory, words};

/// The version of cargo-deny that is installed where there is none.
const CARGO_DENY: &str = "cargo-deny@0.20.2";
/// The version of mdBook that is installed where there is none.
const MDBOOK: &str = "mdbook@0.5.4";
/// The packages of Debian and Ubuntu that the feature `mpi` needs.
const MPI: [&str; 3] = ["libopenmpi-dev", "openmpi-bin", "libclang-dev"];

/// What tests are built with, so that processes under `mpirun` are tested too; the release build does without.
const WITH_MPI: &str = "dwell/mpi";

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
    install_clients(&mut steps)?;
    steps.run("packages", &mut cargo(&["xtask", "dist"]))?;
    install_mpi(&mut steps)?;
    // The whole workspace each time, with the same features: others would have it built once more.
    let all = ["--workspace", "--features", WITH_MPI, "--locked"];
    let lints = ["--all-targets", "--", "-D", "warnings"];
    steps.run("lints of what links MPI", cargo(&["clippy"]).args(all).args(lints))?;
    if succeeds(&mut cargo(&["nextest", "--version"])) {
        steps.run("tests", cargo(&["nextest", "run"]).args(all))?;
    } else {
        steps.run("tests", cargo(&["test", "--all-targets"]).args(all))?;
    }
    let schedules = ["--features", "dwell-parallel/shuttle", "--test", "schedules"];
    steps.run("thread schedules", cargo(&["test"]).args(all).args(schedules))?;
    steps.run("documentation tests", cargo(&["test", "--doc"]).args(all))?;
    steps.run(
        "documentation",
        cargo(&["doc", "--workspace", "--no-deps", "--locked"]).env("RUSTDOCFLAGS", "-D warnings"),
    )?;
    if mdbook()?.is_none() {
        // Without what serves a book while it is written: a third of the packages.
        let install = ["install", "--locked", "--debug", "--no-default-features", MDBOOK, "--root"];
        steps.run("install mdBook", cargo(&install).arg(tools()?))?;
    }
    steps.run("book", &mut cargo(&["xtask", "book"]))?;
    steps.run("benches in small", &mut cargo(&["xtask", "bench", "--smoke"]))?;
    steps.run("kernels in small", &mut cargo(&["xtask", "bench", "micro", "--smoke"]))?;
    steps.summary();
    Ok(())
}

/// Runs that step alone.
pub(crate) fn clients() -> Outcome {
    install_clients(&mut Steps::default())
}

/// Installs the programs of others that `crates/cli/tests/clients.rs` runs, in a Python environment of their own,
/// unless those that are asked for are there.
fn install_clients(steps: &mut Steps) -> Outcome {
    let wanted = root().join("crates/cli/tests/clients/requirements.txt");
    let environment = target_directory()?.join("clients-venv");
    let (done, python) = (environment.join("requirements.txt"), environment.join("bin/python"));
    let text = |path: &Path| fs::read_to_string(path).ok();
    if text(&done).is_some() && text(&done) == text(&wanted) {
        return Ok(());
    }
    let create = ["-m", "venv", "--clear"];
    steps.run("clients: environment", Command::new("python3").args(create).arg(&environment))?;
    let install = ["-m", "pip", "install", "--quiet", "-r"];
    steps.run("clients: install", Command::new(&python).args(install).arg(&wanted))?;
    // PyUPPAAL ships the program that reads traces without the right to run it.
    let permit = "import os, pyuppaal.utap as utap; os.chmod(utap.TRACEER_FILE, 0o755)";
    steps.run("clients: permission", Command::new(&python).args(["-c", permit]))?;
    fs::copy(&wanted, &done).map(|_| ()).map_err(|error| format!("{}: {error}", done.display()))
}

/// Installs MPI where there is none and that can be done.
fn install_mpi(steps: &mut Steps) -> Outcome {
    if succeeds(Command::new("mpirun").arg("--version")) {
        return Ok(());
    }
    let root = output(Command::new("id").arg("-u")).is_ok_and(|user| user.trim() == "0");
    if !root || !succeeds(Command::new("apt-get").arg("--version")) {
        return Err(format!("there is no mpirun: install {}, or another MPI and libclang", MPI.join(", ")));
    }
    steps.run("list of packages", Command::new("apt-get").args(["--quiet", "update"]))?;
    let install = ["--quiet", "install", "--yes", "--no-install-recommends"];
    steps.run("install MPI", Command::new("apt-get").args(install).args(MPI))
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
