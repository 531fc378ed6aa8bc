//! `cargo xtask bench`: the program as a child process, over a fixed list of models and plans.
//!
//! Each run appends one JSON line to a history, and the medians are printed. With a rival the two
//! programs take turns on each model, so that a busy machine disturbs both alike.

pub(crate) mod cluster;
pub(crate) mod micro;
pub(crate) mod papers;

mod cases;
mod golden;
mod options;
mod record;
mod table;

use std::path::{Path, PathBuf};
use std::time::Duration;

use cases::{Case, Scale};
use dwell_bench::child::{self, Answer, Limits, Reader, Run};
use options::Options;

use crate::shell::{Outcome, cargo, output, show, target_directory};

/// Runs the list, or with `--smoke` a tiny version of it.
pub(crate) fn run(words: &[&str]) -> Outcome {
    let options = Options::parse(words)?;
    let scale = if options.smoke { Scale::Smoke } else { Scale::Full };
    let cases = cases::selected(scale, options.only.as_deref());
    if cases.is_empty() {
        return Err("no case has that name".to_owned());
    }
    let bench = Bench::prepare(&options, scale)?;
    let mut history = record::History::open(&options.out("macro"), options.smoke)?;
    let mut results: Vec<table::Row> = cases.iter().map(|case| table::Row::new(case, scale)).collect();
    let mut broken = Vec::new();
    for round in 0..options.runs() {
        for (case, row) in cases.iter().zip(&mut results) {
            // Who goes first changes from round to round.
            let mut turns = vec![Turn::Ours];
            if options.rival.is_some() && case.rival.is_some() {
                turns.insert(round % 2, Turn::Rival);
            }
            for turn in turns {
                let (program, run) = bench.turn(turn, case)?;
                eprintln!("{}", table::progress(&row.name, program, &run));
                history.append(case, scale, program, &run)?;
                match turn {
                    Turn::Ours => {
                        if let Err(complaint) = golden::check(case, scale, &run) {
                            broken.push(format!("{}: {complaint}", row.name));
                        }
                        row.ours.push(run);
                    }
                    Turn::Rival => row.rival.push(run),
                }
            }
        }
    }
    table::print(&results);
    broken.sort();
    broken.dedup();
    if broken.is_empty() { Ok(()) } else { Err(format!("wrong answers:\n  {}", broken.join("\n  "))) }
}

/// Whose turn it is on a model.
#[derive(Clone, Copy)]
enum Turn {
    Ours,
    Rival,
}

/// The programs and models of one bench.
struct Bench {
    dwell: PathBuf,
    rival: Option<PathBuf>,
    models: PathBuf,
    scale: Scale,
    limits: Limits,
}

impl Bench {
    fn prepare(options: &Options, scale: Scale) -> Outcome<Self> {
        let target = target_directory()?;
        let dwell = match &options.binary {
            Some(path) => path.clone(),
            None => {
                show(&mut cargo(&["build", "--quiet", "--release", "--locked", "--package", "dwell"]))?;
                target.join("release/dwell")
            }
        };
        for program in std::iter::once(&dwell).chain(&options.rival) {
            if !program.is_file() {
                return Err(format!("there is no program {}", program.display()));
            }
        }
        let models = target.join("bench-models");
        std::fs::create_dir_all(&models).map_err(|error| format!("{}: {error}", models.display()))?;
        let limits = match scale {
            Scale::Smoke => Limits { time: Duration::from_secs(60), address_space: Some(2 << 30) },
            Scale::Full => Limits { time: Duration::from_secs(300), address_space: Some(12 << 30) },
        };
        Ok(Self { dwell, rival: options.rival.clone(), models, scale, limits })
    }

    /// Lets one of the programs run on a case; also says which one it was.
    fn turn(&self, turn: Turn, case: &Case) -> Outcome<(&'static str, Run)> {
        let model = self.model(case)?;
        let model = model.to_str().ok_or("the path of the target directory is not text")?;
        match (turn, &self.rival, case.rival) {
            (Turn::Rival, Some(rival), Some(plan)) => {
                let words: Vec<&str> = plan.iter().copied().chain([model]).collect();
                Ok(("tchecker", self.child(rival, &words, Answer::from_tchecker)?))
            }
            _ => {
                let mut words = vec!["check", model, "--space", "--json"];
                words.extend(case.plan);
                Ok(("dwell", self.child(&self.dwell, &words, Answer::from_dwell)?))
            }
        }
    }

    fn child(&self, program: &Path, words: &[&str], read: Reader) -> Outcome<Run> {
        child::run(&mut child::limited(program, words, &self.limits), &self.limits, read)
    }

    /// The file of a case's model, written by the program itself on first use.
    fn model(&self, case: &Case) -> Outcome<PathBuf> {
        let size = case.size(self.scale);
        let path = self.models.join(format!("{}_{size}.tck", case.family));
        let text = output(std::process::Command::new(&self.dwell).args([
            "generate",
            case.family,
            "-n",
            &size.to_string(),
            "--to",
            "tck",
        ]))?;
        write_if_changed(&path, &text)?;
        Ok(path)
    }
}

fn write_if_changed(path: &Path, text: &str) -> Outcome {
    if std::fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}
