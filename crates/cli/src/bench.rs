//! `dwell bench`: models × plans, each pair as a child process of this program.

use crate::plot::{self, Log};
use crate::{complain, exit, input, print};
use clap::ArgMatches;
use dwell_bench::child::Run;
use dwell_bench::mebibytes;
use dwell_bench::plots::{Measure, cactus_of, scatter_of};
use dwell_bench::results::Results;
use dwell_bench::suite::{Case, Plan, Suite};
use dwell_draw::plot::draw;
use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Runs everything; answers with the exit code.
pub fn run(matches: &ArgMatches) -> u8 {
    match bench(matches) {
        Ok(code) => code,
        Err(message) => {
            complain(&format!("error: {message}\n"));
            exit::BAD
        }
    }
}

fn bench(matches: &ArgMatches) -> Result<u8, String> {
    let suite = suite(matches)?;
    // Better to fail now than after an hour.
    let files = ["csv", "json"].map(|name| matches.get_one::<String>(name));
    for file in files.into_iter().flatten() {
        let opened = OpenOptions::new().append(true).create(true).open(file);
        opened.map_err(|error| format!("cannot write {file}: {error}"))?;
    }
    if let Some(folder) = &suite.logs {
        std::fs::create_dir_all(folder)
            .map_err(|error| format!("cannot make the folder {}: {error}", folder.display()))?;
    }
    let runs = suite.run(|case, plan, run| complain(&line(case, plan, run)))?;
    let results = Results::new(env!("CARGO_PKG_VERSION"), &suite, &runs);
    print(&results.to_text());
    for (file, text) in files.into_iter().zip([Results::to_csv, Results::to_json]) {
        if let Some(file) = file {
            write(Path::new(file), &text(&results))?;
        }
    }
    if let Some(folder) = &suite.logs {
        plots(folder, &suite, &results)?;
    }
    let contradictions = results.contradictions();
    for model in &contradictions {
        complain(&format!("warning: the plans give different answers for {model}\n"));
    }
    Ok(if !contradictions.is_empty() {
        exit::NOT_SATISFIED
    } else if results.results.iter().any(|row| row.verdict.is_none()) {
        exit::UNKNOWN
    } else {
        exit::SATISFIED
    })
}

fn suite(matches: &ArgMatches) -> Result<Suite, String> {
    let strings = |name| matches.get_many::<String>(name).into_iter().flatten();
    let mut cases = Vec::new();
    for text in strings("cases") {
        // A name may have spaces.
        let words = if Path::new(text).is_file() { vec![text.clone()] } else { words(text)? };
        cases.push(Case { name: text.clone(), words, folder: None });
    }
    for file in strings("list") {
        cases.extend(listed(file)?);
    }
    if cases.is_empty() {
        return Err("there is no model to run; name some, or a file with --list".to_owned());
    }
    let mut plans = Vec::new();
    for text in strings("plan") {
        let name = if text.trim().is_empty() { "default" } else { text.trim() };
        plans.push(Plan { name: name.to_owned(), words: words(text)? });
    }
    if plans.is_empty() {
        plans.push(Plan { name: "default".to_owned(), words: Vec::new() });
    }
    let program = std::env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
    let logs = match matches.get_one::<String>("plots") {
        None => None,
        // Children may run in other folders.
        Some(folder) => Some(std::path::absolute(folder).map_err(|error| format!("{folder}: {error}"))?),
    };
    Ok(Suite {
        program,
        cases,
        plans,
        runs: usize::from(*matches.get_one::<u16>("runs").expect("has a default")),
        timeout: *matches.get_one::<Duration>("timeout").expect("has a default"),
        memory: matches.get_one::<u64>("memory").copied(),
        logs,
    })
}

/// The models of a list: one on each line, with options; paths start at the list.
fn listed(file: &str) -> Result<Vec<Case>, String> {
    let folder = Path::new(file).parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut cases = Vec::new();
    for (number, line) in input::plain(file)?.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let words = words(line).map_err(|error| format!("line {} of {file}: {error}", number + 1))?;
        cases.push(Case { name: line.to_owned(), words, folder: folder.map(PathBuf::from) });
    }
    Ok(cases)
}

/// Words as a shell sees them.
fn words(text: &str) -> Result<Vec<String>, String> {
    shlex::split(text).ok_or_else(|| format!("a quote is not closed in `{text}`"))
}

/// One run in one line.
fn line(case: &Case, plan: &Plan, run: &Run) -> String {
    let said = match &run.answer {
        Ok(answer) => &answer.verdict,
        Err(why) => why,
    };
    let (seconds, memory) = (run.seconds, mebibytes(run.peak_bytes as f64));
    format!("{} [{}] {seconds:.2} s, {memory:.0} MiB: {said}\n", case.name, plan.name)
}

/// Draws all there is to draw.
fn plots(folder: &Path, suite: &Suite, results: &Results) -> Result<(), String> {
    let measures = [(Measure::Time, ""), (Measure::Memory, "-memory")];
    for (measure, name) in measures {
        let cactus = cactus_of(results, measure);
        write(&folder.join(format!("cactus{name}.svg")), &draw(&[cactus]))?;
        for plan in 1..suite.plans.len() {
            let scatter = scatter_of(results, [0, plan], measure)?;
            write(&folder.join(format!("scatter{name}-1-{}.svg", plan + 1)), &draw(&[scatter]))?;
        }
    }
    for case in 0..suite.cases.len() {
        let logs: Vec<Log> = (suite.plans.iter().enumerate())
            .filter_map(|(plan, named)| {
                let path = suite.log(case, plan)?;
                // A child that could not even begin has left no log.
                let text = std::fs::read_to_string(&path).ok()?;
                Log::read(&named.name, &text).ok()
            })
            .collect();
        if !logs.is_empty() {
            let both = [plot::states(&logs), plot::memory(&logs)];
            write(&folder.join(format!("model-{}.svg", case + 1)), &draw(&both))?;
        }
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}
